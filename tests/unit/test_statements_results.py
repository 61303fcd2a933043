from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.catalogue import proof_records
from dpsym.core.distributions import Density
from dpsym.core.notation import P, Q, alpha, b, chance, delta, epsilon, hockey_stick, renyi, t, x, y
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, NotAProposition, Relation
from dpsym.entries.notions.pure import pure
from dpsym.language import ReadingError, read_claimed, read_declarations
from dpsym.statements import Result, Source, StatementError

RESULTS = tuple(catalogue.results().values())
X = sp.Symbol("X")
NOISE = Density(y, sp.exp(-sp.Abs(y) / b) / (2 * b))


def result(**changed: object) -> Result:
    usual = {
        "id": "tail", "title": "a tail", "states": Relation(chance(x, sp.Abs(x), ">", t, X), "=", sp.exp(-t / b)),
        "assume": (b > 0, t >= 0), "outputs": {X: NOISE}, "source": Source("DR14", "Fact 3.7"),
    }  # fmt: skip
    return Result(**{**usual, **changed})


def test_a_result_knows_its_variables() -> None:
    assert result().variables == {b, t}


@pytest.mark.parametrize(
    "changed",
    [
        {"assume": (t >= 0,)},  # the scale of the noise has no domain
        {"assume": (b > 0,)},
        {"outputs": {}},
        {"outputs": {X: NOISE, P: None}},  # which nothing speaks of
        {"reals": (epsilon,)},
        {"states": Relation(b, "=", b)},
        {"premises": (pure(epsilon),)},  # of which P and Q?
        {"tightness": "at t = 0"},  # and yet not tight
    ],
)
def test_what_is_not_well_formed_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(StatementError):
        result(**changed)


def test_a_truth_value_is_no_result() -> None:
    with pytest.raises(NotAProposition):
        result(states=True)


def test_every_part_of_a_result_is_in_its_hash() -> None:
    outputs: dict[sp.Symbol, object] = {P: None, Q: None}
    plainly = result(
        states=Relation(hockey_stick(1, P, Q), "<=", epsilon),
        outputs=outputs,
        premises=(pure(epsilon),),
        assume=(epsilon >= 0,),
    )
    others = [
        result(),
        result(outputs={X: replace(NOISE, expression=NOISE.expression / 2)}),
        result(assume=(b > 0, t > 0)),
        result(assume=(b > 0,), reals=(t,)),
        result(states=Relation(chance(x, sp.Abs(x), ">", t, X), "<=", sp.exp(-t / b))),
        plainly,
        replace(plainly, premises=(pure(2 * epsilon),)),
        replace(plainly, states=ForAll(Relation(renyi(alpha, P, Q), "<=", epsilon), (alpha,), (alpha > 1,))),
    ]

    assert len({proof_records.hash_of_statement(r) for r in others}) == len(others)


@pytest.mark.parametrize("entry", RESULTS, ids=lambda r: r.id)
def test_what_is_stated_can_be_read_back(entry: Result) -> None:
    names = [f"{s}: real" for s in entry.variables if s not in entry.channels]
    outputs = [f"{s}: distribution" for s in (*entry.outputs, *entry.channels)]
    declared = read_declarations([*names, *outputs])

    assert read_claimed(str(entry.relation), declared).relations == (entry.relation,)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mixture(1/2, P, Q) <= 1", "is a distribution, not a value"),
        ("D(2, mixture(P, Q), Q) <= 1", "takes 3 arguments"),
        ("D(2, mixture(1/2, P, delta), Q) <= 1", "not declared as a distribution"),
        ("D(2, mixture(1/2, P, privacy_loss(P, Q)), Q) <= 1", "found one of privacy losses"),
    ],
)
def test_a_distribution_made_of_others_is_read_with_care(text: str, says: str) -> None:
    with pytest.raises(ReadingError, match=says):
        read_claimed(text, read_declarations(["P, Q: distributions", "delta: real"]))


def test_divergences_of_made_distributions_are_not_decided_by_accident() -> None:
    from dpsym.claims import read_claim
    from dpsym.core.verdicts import Verdict

    for claim in ("D(2, mixture(1/2, P, Q), Q) <= D(2, P, Q)", "H(2, independent(P, P), Q) <= 0"):
        found = read_claim(claim, let=["P, Q: distributions"]).decide(2.0)
        assert found.verdict in (Verdict.OPEN, Verdict.SUPPORTED)


def test_names_are_written_as_they_are() -> None:
    assert (
        plain(catalogue.results()["renyi_additive"].relation.lhs) == "D(alpha, independent(P, P'), independent(Q, Q'))"
    )
    assert delta not in catalogue.results()["renyi_additive"].variables
