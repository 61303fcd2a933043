"""A suggestion is put into the text only where the text then says it, and nothing else."""

import pytest

from dpsym.checking.edits import edited
from dpsym.language.documents.document import read_document

CHAIN = "$$\\begin{aligned} q^2 &\\leq 2 q,\\\\ &\\le q \\text{ by me}. \\end{aligned}$$"


def after(text, number, suggestion, kind="markdown"):
    declared = {} if kind == "plain" else {"let": ["0 < q < 1"]}
    edit = edited(text, number, suggestion, lambda new: read_document(new, kind=kind, **declared))
    return None if edit is None else edit.of(text)


@pytest.mark.parametrize(
    ("kind", "text", "number", "suggestion", "wanted"),
    [
        ("markdown", "$$ q \\le q^2 $$", 0, "the reversed relation holds: q >= q^2", "$$ q \\ge q^2 $$"),
        ("markdown", CHAIN, 0, "so: q^2 <= 3*q", CHAIN.replace("\\leq 2 q", "\\le 3 q")),
        ("markdown", CHAIN, 1, "so: 2*q <= 3*q", CHAIN.replace("\\le q ", "\\le 3 q ")),
        ("markdown", "\\\\[ q \\\\le q^2 \\\\]", 0, "so: q >= q^2", None),
        ("plain", "let q > 0\nq^2 <= q <= 1  # so\n", 1, "so: q <= 5", "let q > 0\nq^2 <= q <= 5  # so\n"),
        ("latex", "\\newcommand{\\no}{\\le}\n\\[ q \\no q^2 \\]", 0, "so: q >= q^2", None),
    ],
)
def test_a_sign_or_a_right_side_is_replaced(kind, text, number, suggestion, wanted):
    found = after(text, number, suggestion, kind)
    if wanted is not None:
        assert found == wanted
    elif found is not None:
        (step,) = [s for c in read_document(found, kind=kind, let=["0 < q < 1"]).chains for s in c.steps]
        assert str(step.claim[0]) == "q >= q^2"


@pytest.mark.parametrize(
    ("text", "number", "suggestion"),
    [
        ("$$ q \\le 1 $$", 0, "it holds when q < 1"),
        ("$$ q \\le 1 $$", 0, "so: q <= r"),
        ("$$ q \\le 1 \\implies q^2 \\le 1 $$", 0, "so: q^2 <= 2"),
        ("$$ q \\le O(2) $$", 0, "so: q <= 2"),
        ("$$ q + \\Pr[A] \\le 1 $$", 0, "so: q + prob_1 <= 1 + prob_1"),
    ],
)
def test_what_is_no_relation_or_cannot_be_written_there_is_not_edited(text, number, suggestion):
    assert after(text, number, suggestion) is None


def test_what_would_change_another_step_is_not_edited():
    text = "\\newcommand{\\bound}{q \\le q^2}\n\\[ \\bound \\] \\[ \\bound \\]\n"
    assert after(text, 0, "so: q >= q^2", "latex") is None
