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

from collections.abc import Callable
from decimal import Decimal
from typing import Any, ClassVar

from hypothesis import strategies as st

from dpsym.statements.adjacency import Direction
from dpsym.testing.composing import Release, Releases, accountable, compositions
from dpsym.testing.domains import names
from dpsym.testing.oracles import ROUNDING, TINY, assert_composes, assert_monotone, assert_sound, assert_tight
from dpsym.testing.rejecting import assert_rejects
from dpsym.testing.truths import Quantity, usual

EXAMINED = "dpsym examined"  # what each test looked at; pytest_plugin.py tells it at the end
Recording = Callable[[str, object], None]


class AccountantBattery:
    """Subclass it under a name that begins with Test, and define `epsilon`; pytest finds the rest.

    Attributes:
        mechanisms: names of the catalogue's mechanisms that the accountant knows, or one name; by default all that are
            certified.
        sampled: whether it knows Poisson samples.
        mixed: whether it composes different mechanisms.
        most: the largest count of a release; 1: for accountants that do not compose.
        direction: a record is removed, added, or either.
        hostile: whether extreme parameters are tried, too.
        tight_within: how far above the truth it may be, relatively; None: not examined.
        tight_absolutely: how far above it may be in any case.
        same_within: how much two spellings of the same composition may differ, relatively.
        rounding: by how much it may be below the truth, relatively.
        unsupported: what it raises where it says nothing.
        examples: cases for each test; None: as many as Hypothesis takes.
    """

    mechanisms: ClassVar[str | tuple[str, ...] | None] = None
    sampled: ClassVar[bool] = True
    mixed: ClassVar[bool] = False
    most: ClassVar[int] = 10_000
    direction: ClassVar[Direction] = "both"
    hostile: ClassVar[bool] = True
    tight_within: ClassVar[Any] = None
    tight_absolutely: ClassVar[Any] = TINY
    same_within: ClassVar[Any] = Decimal("1e-6")
    rounding: ClassVar[Any] = ROUNDING
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
    def test_epsilon_is_never_too_small(self, record_property: Recording) -> None:
        """Soundness of epsilon, against the certified accountant."""
        record_property(EXAMINED, self._sound("epsilon"))

    def test_delta_is_never_too_small(self, record_property: Recording) -> None:
        """Soundness of delta."""
        record_property(EXAMINED, self._sound("delta"))

    def test_rdp_is_never_too_small(self, record_property: Recording) -> None:
        """Soundness of the Renyi divergence."""
        record_property(EXAMINED, self._sound("rdp"))

    def test_epsilon_is_tight(self, record_property: Recording) -> None:
        """No further above the truth than `tight_within`."""
        if self.tight_within is None:
            self._skip("tight_within is not set")
        examined = assert_tight(
            self.epsilon, self._cases(), at=usual("epsilon"), within=self.tight_within,
            absolutely=self.tight_absolutely, direction=self.direction, unsupported=self.unsupported,
            examples=self.examples,
        )  # fmt: skip
        record_property(EXAMINED, str(examined))

    def test_more_is_never_more_private(self, record_property: Recording) -> None:
        """More steps, larger samples, a smaller delta."""
        examined = assert_monotone(
            self.epsilon, self._cases(), at=usual("epsilon"), rounding=max(self.rounding, self.same_within),
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip
        record_property(EXAMINED, str(examined))

    def test_a_count_is_that_many_releases(self, record_property: Recording) -> None:
        """n-fold is n times, in any order."""
        if self.most == 1:
            self._skip("most = 1: nothing is composed")
        examined = assert_composes(
            self.epsilon, self._cases(), at=usual("epsilon"), within=self.same_within,
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip
        record_property(EXAMINED, str(examined))

    def test_senseless_input_is_refused(self, record_property: Recording) -> None:
        """NaN, negative noise, rates above 1, fewer than no steps."""
        cases = 0
        for name in names(self.mechanisms, accountable()):
            cases += assert_rejects(self.epsilon, name, sampled=self.sampled).cases
        record_property(EXAMINED, f"{cases} cases examined")

    def _sound(self, quantity: Quantity) -> str:
        function = getattr(self, quantity)
        if getattr(type(self), quantity) is getattr(AccountantBattery, quantity):
            if quantity == "epsilon":
                raise TypeError(f"{type(self).__name__} has to define epsilon(self, releases, delta)")
            self._skip(f"{quantity} is not defined")
        numbers = st.one_of(usual(quantity), usual(quantity, hostile=True)) if self.hostile else usual(quantity)
        examined = assert_sound(
            function, self._cases(), at=numbers, quantity=quantity, direction=self.direction, rounding=self.rounding,
            unsupported=self.unsupported, examples=self.examples,
        )  # fmt: skip
        return str(examined)

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
