"""A whole battery of tests for an accountant, as a class: a project adds one file with a subclass.

::

    from dpsym.testing import AccountantBattery
    from mine import compute_epsilon

    class TestMine(AccountantBattery):
        mechanisms = ("gaussian",)

        def epsilon(self, releases, delta):
            (release,) = self.alike(releases)
            return compute_epsilon(release["sigma"] / release["Delta"], release.rate, release.count, delta)
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from hypothesis import strategies as st

from dpsym.testing.composing import Release, Releases, accountable, compositions
from dpsym.testing.oracles import (
    ROUNDING,
    assert_composes,
    assert_monotone,
    assert_rejects,
    assert_sound,
    assert_tight,
    senseless,
)
from dpsym.testing.truths import Direction, Quantity, usual


class AccountantBattery:
    """Subclass it under a name that begins with Test, and define `epsilon`; pytest finds the rest.

    Attributes:
        mechanisms: names of the catalogue's mechanisms that the accountant knows; by default all that are certified.
        sampled: whether it knows Poisson samples.
        mixed: whether it composes different mechanisms.
        most: the largest number of steps that is tried.
        direction: a record is removed, added, or either.
        hostile: whether extreme parameters are tried, too.
        tight_within: how far above the truth it may be, relatively; None: not examined.
        same_within: how much two spellings of the same composition may differ, relatively.
        rounding: by how much it may be below the truth, relatively.
        unsupported: what it raises where it says nothing.
        examples: cases for each test; None: as many as Hypothesis takes.
    """

    mechanisms: ClassVar[tuple[str, ...] | None] = None
    sampled: ClassVar[bool] = True
    mixed: ClassVar[bool] = False
    most: ClassVar[int] = 10_000
    direction: ClassVar[Direction] = "both"
    hostile: ClassVar[bool] = True
    tight_within: ClassVar[Any] = None
    same_within: ClassVar[Any] = Decimal("1e-6")
    rounding: ClassVar[Decimal] = ROUNDING
    unsupported: ClassVar[tuple[type[BaseException], ...]] = (NotImplementedError,)
    examples: ClassVar[int | None] = None

    def epsilon(self, releases: Releases, delta: float) -> Any:
        """The accountant's epsilon at this delta; to be defined."""
        raise NotImplementedError

    def delta(self, releases: Releases, epsilon: float) -> Any:
        """Its delta at this epsilon, where it computes one."""
        raise NotImplementedError

    def rdp(self, releases: Releases, order: float) -> Any:
        """Its Renyi divergence at this order, where it computes one."""
        raise NotImplementedError

    @staticmethod
    def alike(releases: Releases) -> Releases:
        """The releases, equal ones counted together; for accountants that take a single mechanism with a count.

        Raises:
            NotImplementedError: where they are not all alike.
        """
        first = releases[0]
        for other in releases[1:]:
            if (other.mechanism, other.parameters, other.rate) != (first.mechanism, first.parameters, first.rate):
                raise NotImplementedError("several mechanisms")
        total = sum(r.count for r in releases)
        return (first,) if total == first.count else (Release(first.mechanism, first.parameters, first.rate, total),)

    # --- what is examined
    def test_epsilon_is_never_too_small(self) -> None:
        """Soundness of epsilon, against the certified accountant."""
        self._sound("epsilon")

    def test_delta_is_never_too_small(self) -> None:
        """Soundness of delta."""
        self._sound("delta")

    def test_rdp_is_never_too_small(self) -> None:
        """Soundness of the Renyi divergence."""
        self._sound("rdp")

    def test_epsilon_is_tight(self) -> None:
        """No further above the truth than `tight_within`."""
        if self.tight_within is None:
            self._skip("tight_within is not set")
        assert_tight(
            self.epsilon, self._cases(), at=usual("epsilon"), within=self.tight_within,
            direction=self.direction, unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip

    def test_more_is_never_more_private(self) -> None:
        """More steps, larger samples, a smaller delta."""
        assert_monotone(
            self.epsilon, self._cases(), at=usual("epsilon"), rounding=max(self.rounding, Decimal(self.same_within)),
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip

    def test_a_count_is_that_many_releases(self) -> None:
        """n-fold is n times, in any order."""
        assert_composes(
            self.epsilon, self._cases(), at=usual("epsilon"), within=self.same_within,
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip

    def test_senseless_input_is_refused(self) -> None:
        """NaN, negative noise, rates above 1, half a step."""
        for name in accountable() if self.mechanisms is None else self.mechanisms:
            cases = [case for case in senseless(name) if self.sampled or case[1][0].rate == 1]
            assert_rejects(self.epsilon, name, cases=cases)

    def _sound(self, quantity: Quantity) -> None:
        function = getattr(self, quantity)
        if getattr(type(self), quantity) is getattr(AccountantBattery, quantity):
            if quantity == "epsilon":
                raise TypeError(f"{type(self).__name__} has to define epsilon(self, releases, delta)")
            self._skip(f"{quantity} is not defined")
        numbers = st.one_of(usual(quantity), usual(quantity, hostile=True)) if self.hostile else usual(quantity)
        assert_sound(
            function, self._cases(), at=numbers, quantity=quantity, direction=self.direction, rounding=self.rounding,
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip

    def _cases(self) -> st.SearchStrategy[Releases]:
        parts = 3 if self.mixed else 1
        sampled = None if self.sampled else False
        usual_ = compositions(mechanisms=self.mechanisms, sampled=sampled, most=self.most, most_parts=parts)
        if not self.hostile:
            return usual_
        extreme = compositions(
            mechanisms=self.mechanisms, sampled=sampled, most=self.most, most_parts=parts, hostile=True
        )
        return st.one_of(usual_, extreme)

    @staticmethod
    def _skip(why: str) -> None:
        import pytest

        pytest.skip(why)
