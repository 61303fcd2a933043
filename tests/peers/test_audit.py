"""A short audit of one library, where its environment was built: python tests/peers/environments.py opacus."""

from __future__ import annotations

import pytest

from dpsym.testing import Release, Unsafe, assert_sound, senseless
from peers.auditing import WAYS, Region, tried
from peers.driving import Peer, Raised, Unsupported
from peers.environments import PACKAGES

LIBRARY = "opacus"
pytestmark = [pytest.mark.slow, pytest.mark.needs(LIBRARY)]
STEPS = Release("gaussian", {"sigma": 1.0, "Delta": 1.0}, rate=0.01, count=1000)


def test_a_bound_is_sound_where_people_use_it():
    with Peer(LIBRARY, "rdp") as peer:
        found = tried(peer, Region("usual", "gaussian", sampled=False), 8, 1)

    assert found.counts["sound"] >= 6


def test_a_limit_theorem_is_seen_to_be_no_bound():
    with Peer(LIBRARY, "gdp") as peer, pytest.raises(Unsafe, match="too small by"):
        assert_sound(lambda releases, delta: peer.ask("epsilon", releases, delta), STEPS, at=1e-5)


def test_an_answer_comes_with_its_version_and_exceptions_are_told_apart():
    with Peer(LIBRARY, "rdp", limit=4.0) as peer:
        assert LIBRARY in peer.versions
        outcomes = []
        for _, releases, delta in senseless("gaussian"):
            try:
                outcomes.append(peer.ask("epsilon", releases, delta))
            except (Raised, Unsupported):
                outcomes.append(None)
        assert len(outcomes) == len(senseless("gaussian"))


def test_every_library_has_an_adapter_and_ways():
    from peers.adapters import ADAPTERS

    assert set(ADAPTERS) == set(WAYS) == set(PACKAGES)
