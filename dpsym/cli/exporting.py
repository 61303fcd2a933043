"""`dpsym export`: each other proof assistant as a command."""

from functools import partial

from dpsym.cli.commands import Named
from dpsym.cli.questions import Question

_COQ = Question("exporting.coq", "exporting", arguments={"files": "FILE..."})

export = Named(
    "export", makers={"coq": partial(_COQ.command, "coq")}, help="Write derivations for another proof assistant."
)
