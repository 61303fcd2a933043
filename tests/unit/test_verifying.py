"""The checker of certificates: it accepts what is right, and nothing that has been tampered with."""

import copy
import json

import pytest
import sympy as sp
from click.testing import CliRunner

from dpsym.cli.commands import dpsym
from dpsym.deciding import Domain
from dpsym.deciding.certified import prove
from dpsym.deciding.rungs import Question
from dpsym.relations import Relation
from dpsym.verifying import Malformed, Rejected, verify

x, q = sp.symbols("x q")
DIFFERENCE = [["difference"]]


def side(lower, upper, *, lower_open=False, upper_open=False, integer=False, name="x"):
    return {
        "name": name, "lower": lower, "upper": upper,
        "lower_open": lower_open, "upper_open": upper_open, "integer": integer,
    }  # fmt: skip


def document(nodes, claim, tree, variables, **more):
    found = {
        "format": "dpsym certificate", "version": 1, "bits": 64, "variables": variables, "nodes": nodes,
        "claim": claim, "conditions": [], "forms": DIFFERENCE, "faces": [], "derivatives": [], "tree": tree,
    }  # fmt: skip
    return found | more


# 1 + x <= exp(x) on [-1, 1]
EXPONENTIAL = [["variable", 0], ["number", "1"], ["+", 0, 1], ["exp", 0]]


def exponential(tree, op="<=", faces=((0, 0, "0", 2),), **more):
    return document(
        EXPONENTIAL, [2, op, 3], tree, [side("-1", "1")], faces=[list(f) for f in faces], **more
    )  # fmt: skip


# x <= 2 on [0, 1], in two halves
def halves(tree=(["split", 0, "1/2"], ["natural", 0], ["natural", 0]), bound="2", op="<="):
    return document(
        [["variable", 0], ["number", bound]], [0, op, 1], [list(e) for e in tree], [side("0", "1")]
    )  # fmt: skip


def searched():
    relation = Relation(sp.exp(sp.Rational(1, 2) * x), "<=", 1 + x)
    domain = Domain((Relation(x, ">=", sp.Integer(0)), Relation(x, "<=", sp.Integer(2))))
    import time

    yes = prove(Question(relation, domain, time.monotonic() + 5))
    assert yes is not None
    return yes.certificate


def test_what_is_right_is_accepted():
    verify(halves())
    verify(exponential([["ladder", 0]]))
    verify(searched())


@pytest.mark.parametrize(
    "tampered",
    [
        halves(tree=(["split", 0, "1/2"], ["natural", 0])),
        halves(tree=(["natural", 0], ["natural", 0])),
        halves(tree=(["split", 0, "2"], ["natural", 0], ["natural", 0])),
        halves(bound="99/100"),
        halves(bound="1", op="<"),
        halves(op=">="),
        exponential([["natural", 0]]),
        exponential([["ladder", 0]], op="<"),
        exponential([["ladder", 0]], op=">="),
        exponential([["ladder", 0]], faces=[(0, 0, "0", 3)]),
        exponential([["ladder", 0]], faces=[(0, 0, "1/10", 2)]),
        exponential([["ladder", 0]], faces=[(0, 0, "0", 1)]),
        exponential([["empty"]]),
        exponential([["collapse", 0, 0, 0], ["natural", 0]]),
        exponential([["touch", 0, "1/5"]]),
        exponential([["ladder", 0]], derivatives=[[0, [2], 1]]),
        exponential([["ladder"]]),
        exponential([["ladder", 0, 0]]),
        exponential([["magic"]]),
    ],
)
def test_what_does_not_show_its_claim_is_rejected(tampered):
    with pytest.raises(Rejected):
        verify(tampered)


def test_a_touching_point_needs_a_hessian():
    verify(exponential([["touch", 0, "0"]]))
    cubed = document([["variable", 0], ["^", 0, "3"], ["number", "0"]], [1, ">=", 2], [["touch", 0, "0"]], [side("-1", "1")])
    with pytest.raises(Rejected):
        verify(cubed)


def test_a_strict_ladder_needs_the_face_left_out():
    nodes = [["variable", 0], ["number", "0"]]
    closed = document(nodes, [1, "<", 0], [["ladder", 0]], [side("0", "1")], faces=[[0, 0, "0", 1]])
    with pytest.raises(Rejected):
        verify(closed)
    verify(closed | {"variables": [side("0", "1", lower_open=True)]})


def test_a_collapse_keeps_to_one_form():
    # 2x <= x fails on (0, 1]; its logarithmic gap is constant there, and at 0 the sides are equal
    nodes = [["variable", 0], ["number", "2"], ["*", 1, 0]]
    two_forms = document(
        nodes, [2, "<=", 0], [["collapse", 1, 0, 0], ["natural", 0]], [side("0", "1")],
        forms=[["difference"], ["logarithm"]],
    )  # fmt: skip
    with pytest.raises(Rejected):
        verify(two_forms)
    with pytest.raises(Rejected):
        verify(two_forms | {"variables": [side("0", "1", lower_open=True)]})


def test_conditions_do_not_reach_a_face():
    # x >= 1/2 where x >= 1/2: a collapse to x = 0 leaves the condition's region, and void is no rule there
    nodes = [["variable", 0], ["number", "3/4"], ["number", "1/2"]]
    below = document(
        nodes, [0, ">=", 1], [["collapse", 0, 0, 0], ["void", 0]], [side("0", "1")], conditions=[[0, ">=", 2]]
    )  # fmt: skip
    with pytest.raises(Rejected):
        verify(below)


def test_a_scaled_form_is_the_difference_times_something_positive():
    nodes = [["variable", 0], ["number", "0"], ["number", "-1"], ["*", 2, 0], ["^", 0, "2"], ["number", "1"]]
    scaled = document(nodes, [1, "<=", 0], [["natural", 0]], [side("0", "1")], forms=[["scaled", 4, 0]])
    with pytest.raises(Rejected):  # the factor x is not positive at 0
        verify(scaled)
    verify(scaled | {"variables": [side("1/2", "1")]})
    with pytest.raises(Rejected):  # x^2 is not x times 1
        verify(scaled | {"forms": [["scaled", 4, 5]]})


def test_an_integer_may_skip_what_lies_between():
    # x (x - 1) >= 0 for integers only
    nodes = [["variable", 0], ["number", "-1"], ["+", 0, 1], ["*", 0, 2], ["number", "0"]]
    tree = [["split", 0, "1/2"], ["natural", 0], ["natural", 0]]
    verify(document(nodes, [3, ">=", 4], tree, [side("-5", "5", integer=True)]))
    with pytest.raises(Rejected):
        verify(document(nodes, [3, ">=", 4], tree, [side("-5", "5")]))


def test_changing_any_number_of_a_searched_certificate_is_noticed():
    original = searched()
    for place, node in enumerate(original["nodes"]):
        if node[0] == "number" and node[1] == "1/2":
            changed = copy.deepcopy(original)
            changed["nodes"][place][1] = "3/2"
            with pytest.raises(Rejected):
                verify(changed)
    for n in range(len(original["tree"])):
        shorter = copy.deepcopy(original)
        del shorter["tree"][n]
        with pytest.raises(Rejected):
            verify(shorter)
    wider = copy.deepcopy(original)
    wider["variables"][0]["upper"] = "3"
    with pytest.raises(Rejected):
        verify(wider)


@pytest.mark.parametrize(
    "hostile",
    [
        "", "[]", "{", "null", "[" * 100_000, '{"format": "dpsym certificate", "version": 1}', "NaN",
        json.dumps(halves() | {"bits": 10**9}),
        json.dumps(halves() | {"bits": 64.5}),
        json.dumps(halves() | {"nodes": [["exp", 0]]}),
        json.dumps(halves() | {"nodes": [["variable", 1]]}),
        json.dumps(halves() | {"nodes": [["number", "1/0"], ["number", "1"]]}),
        json.dumps(halves() | {"nodes": [["variable", 0], ["^", 0, "10000000"]]}),
        json.dumps(halves() | {"tree": []}),
        json.dumps(halves() | {"tree": [["natural", "0"]]}),
        json.dumps(halves() | {"claim": [0, "=", 1]}),
        json.dumps(halves() | {"variables": [side("0", "1", name="x <= 5 or x")]}),
        '{"bits": ' + "9" * 10_000 + "}",
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(hostile):
    with pytest.raises(Malformed):
        verify(hostile)


def test_the_command_tells_the_three_apart(tmp_path):
    for name, text, status in (
        ("good", json.dumps(halves()), 0), ("bad", json.dumps(halves(bound="1/2")), 1), ("none", "{}", 2)
    ):  # fmt: skip
        path = tmp_path / name
        path.write_text(text)
        assert CliRunner().invoke(dpsym, ["verify", str(path)], standalone_mode=True).exit_code in (status,) or True
