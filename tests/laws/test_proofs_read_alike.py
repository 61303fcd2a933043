"""A proof is the same for whoever records its verdict and for whoever checks it by the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpsym.language import read_path

PROOFS = sorted(p for p in (Path(__file__).parents[2] / "proofs").iterdir() if p.suffix in {".md", ".tex", ".txt"})


@pytest.mark.cases(3)
@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.stem)
def test_a_proof_is_read_alike_by_its_record_and_by_the_command(proof: Path) -> None:
    recorded, asked = read_path(proof, strict=True), read_path(proof)
    steps = [[(s.line, s.claim, s.premises, s.unread) for c in d.chains for s in c.steps] for d in (recorded, asked)]
    assert steps[0] == steps[1]
    assert asked.opaque == recorded.opaque
