from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.verdicts import Decision, Enclosure, Method, Verdict, Witness

finite = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30)


@pytest.mark.parametrize(
    "knowledge",
    [*Verdict, *Method, Enclosure(Decimal(0), Decimal(0)), Decision(Verdict.OPEN, Method.NONE, "no time")],
    ids=str,
)
def test_nothing_that_is_known_is_a_boolean(knowledge: object) -> None:
    with pytest.raises(TypeError, match="not a boolean"):
        bool(knowledge)


@given(finite, finite)
def test_an_enclosure_keeps_its_bounds_and_never_understates_its_width(one: Decimal, two: Decimal) -> None:
    lower, upper = sorted((one, two))
    enclosure = Enclosure(lower, upper)

    assert (enclosure.lower, enclosure.upper) == (lower, upper)
    assert Fraction(enclosure.width) >= Fraction(upper) - Fraction(lower)
    assert lower in enclosure
    assert upper in enclosure


@pytest.mark.parametrize(
    ("lower", "upper"), [("1", "0"), ("nan", "1"), ("0", "nan"), ("nan", "nan"), ("0", "-1e-1000")]
)
def test_what_is_no_interval_is_refused(lower: str, upper: str) -> None:
    with pytest.raises(ValueError, match="not an interval"):
        Enclosure(Decimal(lower), Decimal(upper))


def test_the_width_of_tiny_and_unbounded_enclosures_is_not_lost() -> None:
    assert Enclosure(Decimal(0), Decimal("1e-2000000")).width == Decimal("1e-2000000")
    assert Enclosure(Decimal(0), Decimal("Infinity")).width == Decimal("Infinity")


def test_what_fails_has_a_witness_and_nothing_else_has_one() -> None:
    witness = Witness({"rho": Fraction(1, 2)}, Enclosure(Decimal(2), Decimal(3)), Enclosure(Decimal(0), Decimal(1)))

    for verdict in (Verdict.FAILS, Verdict.REFUTED):
        assert Decision(verdict, Method.ENCLOSURE, "false there", witness).witness is witness
        with pytest.raises(ValueError, match="witness"):
            Decision(verdict, Method.ENCLOSURE, "because")
    for verdict in set(Verdict) - {Verdict.FAILS, Verdict.REFUTED}:
        with pytest.raises(ValueError, match="witness"):
            Decision(verdict, Method.SAMPLING, "", witness, points=1)


def test_support_needs_a_point() -> None:
    with pytest.raises(ValueError, match="nothing was sampled"):
        Decision(Verdict.SUPPORTED, Method.SAMPLING, "true at every point")


def test_a_witness_cannot_be_changed() -> None:
    point = {"rho": Fraction(1, 2)}
    witness = Witness(point, None, None, obligation="log(x) needs x > 0")
    point["rho"] = Fraction(2)

    assert witness.point["rho"] == Fraction(1, 2)
    with pytest.raises(TypeError):
        witness.point["rho"] = Fraction(3)


@pytest.mark.parametrize("verdict", Verdict)
def test_verdicts_survive_pickling_and_are_spelled_as_in_reports(verdict: Verdict) -> None:
    assert pickle.loads(pickle.dumps(verdict)) is verdict  # noqa: S301
    assert str(verdict) == verdict.value


def test_a_decision_crosses_a_process_boundary_unchanged() -> None:
    witness = Witness({"rho": Fraction(1, 2)}, Enclosure(Decimal(2), Decimal(3)), None, obligation="x > 0")
    decision = Decision(Verdict.REFUTED, Method.ENCLOSURE, "false there", witness, seconds=0.1)

    assert pickle.loads(pickle.dumps(decision)) == decision  # noqa: S301
