"""`dpsym export`: each other proof assistant as a command."""

import click

from dpsym.cli.questions import Question

_COQ = Question("exporting.coq", "exporting", arguments={"files": "FILE..."})

export = click.Group("export", {"coq": _COQ.command("coq")}, help="Write derivations for another proof assistant.")
