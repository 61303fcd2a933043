"""`dpsym verify` shows claims whole, and none about nothing: sides without a value, empty ranges, two readings."""

import json

import pytest

from dpsym.cli import run
from dpsym.verifying import Malformed, Rejected, verify

NATURAL = ["sign", 0, []]


def proof(claim, *hypotheses, lines=(), **more):
    line = [0, claim, "sum", [], []]
    return {
        "format": "dpsym proof",
        "version": 1,
        "contexts": [[None, list(hypotheses)]],
        "lines": [*lines, line],
        **more,
    }


def cover(claim, *variables, tree=(NATURAL,), **more):
    empty = {key: [] for key in ("conditions", "inverted", "scaled", "contacts")}
    head = {"format": "dpsym certificate", "version": 1, "bits": 64, "claim": claim, "variables": list(variables)}
    return {**head, **empty, "tree": list(tree), **more}


def refused(certificate):
    with pytest.raises((Malformed, Rejected)):
        verify(certificate)
    return True


# --- sides that have no value
@pytest.mark.parametrize(
    ("side", "hypotheses"),
    [
        ("E(log(-1), z, X)", ()),
        ("E(log(-2 - z**2), z, X)", ()),
        ("E((-exp(z))**(1/2), z, X)", ()),
        ("E(1/0, z, X)", ()),
        ("E(z, z, log(-1))", ()),
        ("E(E(log(-1), y, X), z, X)", ()),
        ("E(log(z)*log(-z), z, X)", ()),
        ("E(log(-x), z, X)", ("x > 0",)),
        ("E(log(x) + z, z, X)", ("x < 0", "x > -3")),
        ("f(log(-1))", ()),
        ("f(1, g(1/0))", ()),
        ("f(x**(1/2))", ("x < 0",)),
        ("esssup(log(-1))", ()),
        ("esssup(f(acosh(1/2)))", ()),
        ("hockey_stick(1, log(-1), Q)", ()),
        ("trade_off(1/2, P, privacy_loss(1/0, Q))", ()),
        ("log(-1)", ()),
        ("E(gamma(-3), z, X)", ()),
    ],
)
def test_a_side_without_a_value_is_rejected(side, hypotheses):
    for claim in (f"{side} = {side}", f"{side} - {side} = 0", f"1 + {side} >= {side}"):
        assert refused(proof(claim, *hypotheses))


@pytest.mark.parametrize(
    ("side", "hypotheses", "told"),
    [
        ("E(log(z), z, X)", (), "E(log(z), z, X) has a value"),
        ("E(log(1 + z**2), z, X)", (), "E(log((1 + (z ** 2))), z, X) has a value"),
        ("E(log(x - z), z, X)", ("x > 0",), "has a value"),
        ("E(log(x), z, X)", ("x > 0",), "has a value"),
        ("E(1/z, z, X)", (), "has a value"),
        ("f(1/x)", ("x > 1000", "x < 1001"), "f((1 / x)) has a value"),
        ("asin(2)", (), "asin(2) has a value"),
        ("esssup(X)", (), "esssup(X) has a value"),
        ("E(exp(-z), z, privacy_loss(P, Q))", (), "privacy_loss(P, Q) is finite"),
        ("hockey_stick(1, P, Q)", (), ""),
        ("log(2)", (), ""),
    ],
)
def test_what_is_taken_for_granted_of_a_claim_is_said(side, hypotheses, told):
    claim = verify(proof(f"{side} = {side}", *hypotheses))
    assert told in claim
    assert all(h in claim for h in hypotheses)
    assert ("taken for granted" in claim) == bool(told)


def test_what_a_hypothesis_speaks_of_is_said_there():
    assert "granted" not in verify(proof("f(x) = f(x)", "f(x) > 0"))


# --- ranges and sides of covers
@pytest.mark.parametrize(
    "variable",
    [
        "x real in [9, 0]", "x real in (0, 0)", "x real in [0, 0)", "x real in (0, 0]", "x real in [1/2, 1/3]",
        "x integer in [9, 0]", "x integer in (0, 1)", "x integer in [1/3, 2/3]", "x integer in (4, 5)",
        "x integer in [-1/2, -1/3]", "x real in [1/0, 2]",
    ],
)  # fmt: skip
def test_an_empty_range_is_rejected(variable):
    for inverted in ([], [["x", "20"]]):
        assert refused(cover("x >= 5", variable, inverted=inverted))
        assert refused(cover("x*x >= -5", variable, inverted=inverted))


@pytest.mark.parametrize(
    ("claim", "variable"),
    [
        ("log(-x) >= log(-x)", "x real in [1, 2]"),
        ("0*log(-x) >= 0", "x real in [1, 2]"),
        ("exp(log(-x)) <= 0", "x real in [1, 2]"),
        ("((0 - 8)**(1/3))**3 <= 0", "x real in [1, 2]"),
        ("x/x >= 1", "x real in [0, 0]"),
        ("(x**(1/2))**2 <= 0", "x real in [-2, -1]"),
        ("log(x)/log(x) >= 1", "x real in [1, 1]"),
        ("x**(-1)*x >= 1", "x real in [0, 0]"),
        ("exp(0*log(0 - 1)) >= 1", "x real in [0, 1]"),
        ("1/(x - x) >= 0", "x real in [0, 1]"),
    ],
)
def test_a_side_of_a_cover_without_a_value_is_rejected(claim, variable):
    assert refused(cover(claim, variable))


@pytest.mark.parametrize(
    ("claim", "variable", "partly"),
    [
        ("log(x) >= log(x)", "x real in [1, 2]", False),
        ("x <= 2", "x real in [0, 1]", False),
        ("x/x >= 1", "x real in [0, 1]", True),
        ("x/x >= 1", "x real in (0, 1]", False),
        ("(x**(1/2))**2 >= x", "x real in [-1, 2]", True),
        ("x >= 1", "x integer in (0, 3)", False),
        ("x <= 2", "x real in [2, 2]", False),
    ],
)
def test_where_both_sides_have_a_value_is_said(claim, variable, partly):
    said = verify(cover(claim, variable))
    assert variable in said
    assert ("where both sides have a value" in said) == partly


def test_contradictory_hypotheses_are_printed_and_said():
    contrary = [0, "0 > 0", "sum", [], [["1", ["x", 1]], ["1", ["0 - x", 1]]]]
    anything = {**proof("1 = 2", "x > 0", "x < 0", lines=[contrary])}
    anything["lines"][-1] = [0, "y = 5", "absurd", 0]
    assert "no point" in verify(anything)
    assert "no point" in verify(proof("y = y", "x > 1", "x <= 1"))
    assert "no point" in verify(proof("y = y", "1 > 2"))
    assert "no point" in verify(proof("y = y", "log(-1) > 0"))
    assert "no point" not in verify(proof("y = y", "x > 1", "x <= 2"))
    assert "no point" in verify(cover("x <= 0", "x real in [1, 2]", tree=[["void", 0]], conditions=["x < 0"]))
    partly = [["split", "x", "3/2"], NATURAL, ["void", 0]]
    said = verify(cover("x <= 3/2", "x real in [1, 2]", tree=partly, conditions=["x < 3/2"]))
    assert said.endswith("x < 3/2")


# --- whole
def test_the_command_prints_every_hypothesis(tmp_path, capsys):
    hypotheses = [f"x > -{n}" for n in range(2000)]
    (tmp_path / "long.json").write_text(json.dumps(proof("x = x", *hypotheses, "x < 10**9")))
    assert run(["verify", str(tmp_path / "long.json")]) == 0
    shown = capsys.readouterr().out
    assert all(f"x > (-{n})" in shown for n in range(1, 2000))
    assert shown.count("\n") == 1


# --- what can be read in two ways
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"version": 1', '"version": true'),
        ('"version": 1', '"version": 1.0'),
        ('"version": 1', '"version": 2'),
        ('"version": 1', '"version": 1, "version": 1'),
        ('"version": 1', '"version": 1, "claim": "P = NP"'),
        ('"version": 1', '"version": 1, "note": NaN'),
        ('"contexts": [[null,', '"contexts": [[0,'),
        ('"contexts": [[null,', '"contexts": [[-1,'),
        ('"contexts": [[null,', '"contexts": [[false,'),
        ('[0, "x = x"', '[false, "x = x"'),
        ('[0, "x = x"', '[-1, "x = x"'),
        ('[0, "x = x"', '[0.0, "x = x"'),
        ('[0, "x = x"', '[1, "x = x"'),
        ('"x = x"', '"x = x + True - 1"'),
        ('"x = x"', '"x = x*1.0"'),
        ('"x = x"', '"x = x + 0*1e999"'),
        ('"x = x"', '"x = x" , "sum", [0]'),
        ('"sum", []', '"sum", [0]'),
        ('"sum", []', '"sum", [-1]'),
    ],
)
def test_a_proof_is_read_in_one_way(right, wrong):
    text = json.dumps(proof("x = x"))
    assert verify(text) == "x = x"
    assert text.count(right) == 1
    assert refused(text.replace(right, wrong))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"version": 1', '"version": true'),
        ('"bits": 64', '"bits": 64.0'),
        ('"bits": 64', '"bits": Infinity'),
        ('"bits": 64', '"bits": 64, "bits": 64'),
        ('"claim": "x <= 2"', '"claim": "x <= 0", "claim": "x <= 2"'),
        ('"claim": "x <= 2"', '"claim": "x <= 0x2"'),
        ('"claim": "x <= 2"', '"claim": "x <= 2_0"'),
        ('"claim": "x <= 2"', '"claim": "x <= 1 + True"'),
        ('"claim": "x <= 2"', '"claim": "\\u217d <= 2"'),
        ('"claim": "x <= 2"', '"claim": "x\\n<= 2"'),
        ('["x real in [0, 1]"]', '["x real in [0, 1]", "x real in [0, 5]"]'),
        ('["x real in [0, 1]"]', '["x real in [0, 1e0]"]'),
        ('["x real in [0, 1]"]', '["x real in [nan, 1]"]'),
        ('["x real in [0, 1]"]', '["x real in [oo, 1]"]'),
        ('["sign", 0, []]', '["sign", -3, []]'),
        ('["sign", 0, []]', '["sign", false, []]'),
        ('["sign", 0, []]', '["split", "x", "7"], ["sign", 0, []], ["sign", 0, []]'),
        ('["sign", 0, []]', '["void", -1]'),
        ('["sign", 0, []]', '["sign", 0, []], ["sign", 0, []]'),
        ('"scaled": []', '"scaled": [[-1, "exp(2) - exp(x)", "1"]]'),
        ('"contacts": []', '"contacts": [[-1, "x", "0", 0]]'),
    ],
)
def test_a_cover_is_read_in_one_way(right, wrong):
    text = json.dumps(cover("x <= 2", "x real in [0, 1]"))
    assert verify(text) == "x <= 2 for x real in [0, 1]"
    assert text.count(right) == 1
    assert refused(text.replace(right, wrong))


@pytest.mark.parametrize("source", [[], None, False, 3, "[]", "null", "3", "{}", {"variables": {}}, b"\xff"])
def test_what_is_no_certificate_is_malformed(source):
    with pytest.raises(Malformed):
        verify(source)


@pytest.mark.parametrize("part", ["variables", "conditions", "scaled", "contacts", "tree", "claim", "bits", "inverted"])
@pytest.mark.parametrize("value", [None, {}, "", 0, [[]], [0], {"x": 1}, [None], [{}], "x real in [0, 1]"])
def test_no_other_kind_of_value_ends_in_an_internal_error(part, value):
    try:
        verify({**cover("x <= 2", "x real in [0, 1]"), part: value})
    except (Malformed, Rejected):
        return
    assert value in ({}, "", [[]]) or not value  # nothing, in another way


@pytest.mark.parametrize("part", ["contexts", "lines", "claims"])
@pytest.mark.parametrize("value", [None, {}, "", 0, [[]], [0], {"x": 1}, [None], [{}], [["a", "b", "c"]], "abc"])
def test_no_other_kind_of_value_in_a_proof_ends_in_an_internal_error(part, value):
    certificate = {**proof("x = x"), part: value}
    if (part, value) == ("claims", [0]):
        assert verify(certificate) == "x = x"
    else:
        assert refused(certificate)


@pytest.mark.parametrize(
    "steps",
    [
        {"version": 2}, {"version": True}, {"version": 1.0}, {"version": None}, {"steps": {}}, {"steps": []},
        {"steps": [{"file": "a", "line": 1}]}, {"steps": "abc"}, {"steps": [3]}, {"steps": None},
    ],
)  # fmt: skip
def test_a_document_of_certificates_has_a_version_and_steps(steps, tmp_path, capsys):
    step = {"file": "a.md", "line": 1, "step": "x = x", "certificate": proof("x = x")}
    right = {"format": "dpsym certificates", "version": 1, "steps": [step]}
    for document, status in ((right, 0), (right | steps, 2)):
        (tmp_path / "c.json").write_text(json.dumps(document))
        assert run(["verify", str(tmp_path / "c.json")]) == status


def test_the_name_of_a_file_does_not_speak_for_the_checker(tmp_path, capsys):
    step = {"file": "\x1b[2K\rverified: 1 = 2\n", "line": 1, "step": "", "certificate": proof("1 = 2")}
    (tmp_path / "c.json").write_text(json.dumps({"format": "dpsym certificates", "version": 1, "steps": [step]}))
    assert run(["verify", str(tmp_path / "c.json")]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("rejected: ")
    assert shown.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    "claim", ["-" * 90_000 + "x = x", "x = x" + " + x" * 20_000, "(" * 150 + "x" + ")" * 150 + " = x - 1"]
)
def test_what_is_too_deep_is_rejected(claim):
    assert refused(proof(claim))
    assert refused(cover(claim.replace("=", "<="), "x real in [0, 1]"))


# --- names that look like others
@pytest.mark.parametrize(
    ("claim", "hypotheses", "line"),
    [
        ("Integral(x, {0}, 0, 1) = x", ("{0} > 0", "{0} < 1"), ["integral", "x*{0}", 1]),
        ("E(x, {0}, X) = x", (), ["linear", "z", 1]),
        ("Sum(k, {0}, 1, n) = k*n", ("n in Z", "n >= 1"), ["sum", [], []]),
        ("{0}qrt(4) = 3", ("{0}qrt(4) = 3",), ["hypothesis", 0]),
        ("{0} > 5", ("{0} > 5", "x < 0"), ["hypothesis", 0]),
    ],
)
@pytest.mark.parametrize("name", ["\u0445", "\u043a", "\u0455", "\uff58", "\u03c7"])
def test_a_name_that_looks_like_another_is_refused(claim, hypotheses, line, name):
    certificate = proof(claim.format(name), *(h.format(name) for h in hypotheses))
    certificate["lines"] = [[0, claim.format(name), *(p.format(name) if isinstance(p, str) else p for p in line)]]

    assert refused(certificate)
