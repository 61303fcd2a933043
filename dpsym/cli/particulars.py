"""Each question as a command, with what the command line does in its own way."""

from __future__ import annotations

import re
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from dpsym.cli.arguments import Unreadable, answer, aside
from dpsym.cli.certifying import write_certificate
from dpsym.cli.defaults import Defaults
from dpsym.cli.questions import Given, Question
from dpsym.core.doing import awaiting
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import DONE, PROGRAMS, UNDECIDED, Answer

if TYPE_CHECKING:
    from dpsym.rendering.choices import Compared
    from dpsym.rendering.programs import Programmed
    from dpsym.rendering.sensitivities import Sensitivities
    from dpsym.rendering.verdicts import Proved


def _certificate(what: str) -> click.Option:
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.Option(["--certificate"], type=kind, metavar="FILE", help=what)


class _Account(Question):
    def run(self, given: Given, form: str, known: Defaults) -> int:
        """Account, or sweep: rows as CSV as soon as they are there, or one JSON document."""
        if "sweep" not in given:
            if "output" in given or "jobs" in given:
                raise ReadingError("-o and --jobs are for --sweep")
            return super().run(given, form, known)
        from dpsym.api.reading import parameters
        from dpsym.api.sweeping import sweep
        from dpsym.api.tables import line

        for name in given:
            if name in self.names and name not in parameters(sweep):
                raise ReadingError(f"--sweep does not go with --{name.strip('_').replace('_', '-')}")
        prepared = self.prepare({**given}, known)
        aloud = form in ("text", "csv") and "output" not in given  # rows as they come
        known.say()
        rows = count()

        def each(record: dict[str, str], done: int, total: int) -> None:
            awaiting(f"{self.doing}: {done} of {total}")
            if aloud:
                answer((line(record) if next(rows) == 0 else "") + line(record.values()))

        found = sweep(over=prepared.pop("sweep"), each=each, **prepared)
        if form not in ("text", "csv"):
            answer(found.written(form))
        for said in found.decided:
            aside(said)
        return found.status


class _Compare(Question):
    def prepare(self, given: Given, known: Defaults) -> Given:
        """It is drawn when the answer stands there."""
        given.pop("output", None)
        return super().prepare(given, known)

    def conclude(self, found: Answer, given: Given, known: Defaults) -> int:
        """Draw it."""
        if (path := given.get("output")) is not None:
            with given_for("output", str(path)):
                cast("Compared", found).picture.save(path)
        return found.status


class _Derive(Question):
    def ask(self, given: Given, form: str, known: Defaults) -> Answer:
        """As text only the best route has its number."""
        return super().ask(given | {"only_best": form != "json"}, form, known)


class _List(Question):
    def prepare(self, given: Given, known: Defaults) -> Given:
        """What was found is kept for the next time."""
        return given | {"remember": True}


class _Prove(Question):
    def prepare(self, given: Given, known: Defaults) -> Given:
        """A relation is about no data sets."""
        given["cover"] = "certificate" in given
        if re.search(r"\b(satisfies|is)\b", given["claim"]):
            return super().prepare(given, known)
        if "adjacent" not in given:
            known.pass_over("adjacency", None, "a relation is about no data sets")
        return given

    def conclude(self, found: Answer, given: Given, known: Defaults) -> int:
        """Write the certificate of a yes."""
        path = given.get("certificate")
        if path is None or found.status != DONE:
            return found.status
        return write_certificate(path, cast("Proved", found).certificate)


class _Program(Question):
    def prepare(self, given: Given, known: Defaults) -> Given:
        """The file, or what stands on standard input; a program says itself which data sets are neighbours."""
        if str(given["text"]) == "-":
            given["text"] = sys.stdin.read()
        return self.with_usual(given, known)

    def conclude(self, found: Answer, given: Given, known: Defaults) -> int:
        """Say that the project's neighbours are others."""
        if "adjacent" not in given:
            data = cast("Programmed", found).run.data
            known.pass_over("adjacency", data.neighbours, f"line {data.line} of the program says another")
        return found.status


class _Sensitivity(Question):
    def conclude(self, found: Answer, given: Given, known: Defaults) -> int:
        """Write the certificates, each in a file of its own: of several they are numbered from 1."""
        if (path := given.get("certificate")) is None:
            return found.status
        from dpsym.deciding import certificates

        shown = [inequality for one in cast("Sensitivities", found) for inequality in one.inequalities]
        if not shown:
            raise Unreadable("the upper bound follows from a lemma, or there is none: there is no certificate")
        for number, (relation, conditions) in enumerate(shown, 1):
            where = path if len(shown) == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            if write_certificate(where, certificates.certificate(relation, conditions, self.limit(given))) != DONE:
                return UNDECIDED
        return found.status


evaluate = Question("evaluating.evaluate", "enclosing the value")
audit = Question("auditing.audit", "bounding epsilon", arguments={})
prove = _Prove(
    "proving.prove", "deciding", without=("cover",),
    more=(_certificate("Write a certificate for `dpsym verify`; CLAIM is then one relation."),),
)  # fmt: skip
sensitivity = _Sensitivity(
    "sensitivities.sensitivity", "looking for pairs",
    more=(_certificate("Write a certificate of the upper bound for `dpsym verify`: FILE, or FILE-1, FILE-2, … "
                       "before its suffix."),),
)  # fmt: skip
program = _Program("programs.program", "the program", without=("solve_for",), arguments={"text": "FILE"})
compare = _Compare(
    "comparing.compare", "comparing the mechanisms", without=("also",), arguments={}, required=("to",)
)  # fmt: skip
account = _Account(
    "accounting.account", "accounting",
    more=(
        click.Option(["--sweep"], multiple=True, metavar="NAME=VALUES", help='Answer at each of these: "T=10,100", '
                     '"sigma=1:5:0.5", "T=100:1e6:*10". Repeatable: every combination.'),
        click.Option(["--jobs"], metavar="N", help="Processes for a sweep (1)."),
        click.Option(["-o", "--output"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="A .csv or .json file for a sweep; where it is there already, what it lacks is added."),
    ),
)  # fmt: skip
derive = _Derive(
    "deriving.derive", "deriving", without=("solve_for", "only_best"), grace=True, formats=PROGRAMS,
    arguments={"mechanism": "MECHANISM|GUARANTEE"},
)  # fmt: skip
read = Question("documents.read", "reading", arguments={"file": "FILE"})
list_ = _List("browsing.browse", "looking", without=("remember",))
show = Question("browsing.show", "looking it up", arguments={"entry": "ID"}, grace=True, formats=PROGRAMS)
verify = Question("verifying.verify", "replaying", arguments={"certificates": "CERTIFICATE..."})
proofs = Question("proofs.proofs", "checking", arguments={"theorems": "[ID...]"})
