"""Mathematics where nobody looks for it: a false claim in it is refuted, or something is said to be unread."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document, read_path


def checked(text, kind):
    return check_document(read_document(text, kind=kind), time_limit=3.0, suggest=False)


def latex(body):
    before = "Text with $a=b$, \\label{a_b}, \\cite{x_y} and \\includegraphics[width=.5]{f_g}."
    return f"\\documentclass{{article}}\n\\begin{{document}}\n{before}\n\\[2=2\\]\n{body}\n\\end{{document}}\n"


@pytest.mark.parametrize(
    "body",
    [
        r"\begin{empheq}[box=\fbox]{align}1+1&=3\end{empheq}",
        r"\begin{darray}1+1=3\end{darray}",
        r"\begin{tcolorbox}[ams align]1+1=3\end{tcolorbox}",
        r"\begin{equation }1+1=3\end{equation }",
        r"\begin{keyeq}1+1=3\end{keyeq}",
        "\\beq\n1+1=3\n\\eeq",
        r"\beqq x \le 3 \eeqq",
        r"as \beqq x^2 \eeqq shows",
    ],
)
def test_a_display_that_only_a_package_knows_is_not_passed_over(body):
    assert checked(latex(body), "latex").exit_status != 0


@pytest.mark.parametrize(
    "body",
    [
        r"\begin{tabular}{l} a=b & c \\ \end{tabular}",
        r"\begin{theorem}[Smith] Let $x=1$. \[3=3\] \end{theorem}",
        r"\begin{itemize}\item[$x<0$] yes, with n=5 points \end{itemize}",
        r"\begin{algorithmic} \State x = 3 \end{algorithmic}",
        "% 1+1=3 \\beq\n",
    ],
)
def test_text_is_no_mathematics(body):
    assert checked(latex(body), "latex").exit_status == 0


@pytest.mark.parametrize(
    "text",
    [
        "~~~math\n1+1=3\n~~~",
        "---\n\n$$1+1=3$$\n\n---\n\n$$2=2$$",
        "$$2=2$$ \\<!-- $$1+1=3$$ -->",
        "$$2=2$$ <!--> $$1+1=3$$ -->",
        "$$2=2$$\n\nThe rate is 50\n% so that $$1+1=3$$ holds.",
        "$$2=2$$\n\n``` a `b` ```\n\n$$1+1=3$$",
        "<pre>\nx\n</PRE>\n\n$$1+1=3$$",
        "$$1+1\f=3$$",
        "$$2=2$$\n\n{{< include _x.qmd >}}",
        "$$2=2$$\n\n```{include} x.md\n```",
        "$$2=2$$\n\n{% include x.html %}",
    ],
)
def test_nothing_in_markdown_is_passed_over(text):
    assert checked(text, "markdown").exit_status != 0


@pytest.mark.parametrize(
    "text",
    [
        "x\n\n.. Math::\n\n   1+1=3\n",
        "x\n\n.. math ::\n\n   1+1=3\n",
        ".. math::\n\n   2=2\n\n.. include:: other.rst\n",
    ],
)
def test_nothing_in_restructured_text_is_passed_over(text):
    assert checked(text, "rst").exit_status != 0


@pytest.mark.parametrize(
    "included",
    [
        "\\[1+1=3\\]".encode("utf-16"),
        b"% \\endinput is not used\n\\[1+1=3\\]",
        b"\\verb|\\endinput|\n\\[1+1=3\\]",
        b"\\iffalse\\endinput\\fi\n\\[1+1=3\\]",
        b"\\documentclass{x}\n\\begin{document}\n% \\end{document}\n\\[1+1=3\\]\n\\end{document}\n",
    ],
)
def test_files_that_are_read_in_are_read_to_their_end(included, tmp_path):
    (tmp_path / "main.tex").write_text("\\[2=2\\]\n\\input{other}\n")
    (tmp_path / "other.tex").write_bytes(included)
    assert check_document(read_path(tmp_path / "main.tex"), suggest=False).exit_status != 0


def test_what_stands_after_the_end_of_a_file_is_no_part_of_it(tmp_path):
    (tmp_path / "main.tex").write_text("\\[2=2\\]\n\\input{other}\n")
    (tmp_path / "other.tex").write_text("\\[3=3\\]\n\\endinput\n\\[1+1=3\\]")
    assert check_document(read_path(tmp_path / "main.tex"), suggest=False).exit_status == 0


@pytest.mark.parametrize(
    ("declarations", "status"),
    [
        ("let:\n  - p >= 1\n", 0),
        ("\ufefflet:\n  - p >= 1\n", 0),
        ("let:\n  p: p >= 1\n", 0),
        ("let:\n  - p >= 1  # Guessed\n", 3),
        ("let:\n  - p >= 1  # guessed (to check)\n", 3),
        ("let:\n  - p >= 1  # guessed # ok\n", 3),
        ("let:\n  - p >= 1  # read at line 3, column 2\n", 3),
        ("let:\n  p: p >= 1  # guessed\n", 3),
        ("let: p > 1  # guessed\n", 3),
        ("where:\n  - p = 1  # guessed\n", 3),
    ],
)
def test_a_mark_counts_however_it_is_written(declarations, status, tmp_path):
    (tmp_path / "note.md").write_text("We have\n\n$$ p \\ge 1/2 $$\n")
    (tmp_path / "note.dpsym.yaml").write_text(declarations)
    assert check_document(read_path(tmp_path / "note.md"), suggest=False).exit_status == status
