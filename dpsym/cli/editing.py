"""The command that editors start."""

from __future__ import annotations

import click

from dpsym.cli.arguments import Limit, Unreadable
from dpsym.core.doing import waiting_for
from dpsym.rendering.answers import DONE


@click.command()
@click.option("--time-limit", type=Limit(), default=5.0, show_default=True, help="Seconds for one step.")
def lsp(time_limit: float) -> int:
    """Check documents while they are written: a language server on standard input and output.

    Editors start it for LaTeX, Markdown and plain text; docs/editors.md says how.  Needs pip install "dpsym[editor]".
    """
    try:
        from dpsym import editing
    except ImportError:
        raise Unreadable('the language server needs pygls: pip install "dpsym[editor]"') from None
    with waiting_for(""):
        editing.server(time_limit).start_io()
    return DONE
