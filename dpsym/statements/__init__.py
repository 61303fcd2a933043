"""Statements: definitions, guarantees, mechanisms, claims, theorems, results.  Inert data, checked when made."""

from dpsym.statements.adjacency import Adjacency
from dpsym.statements.anything import Anything, anything
from dpsym.statements.binding import Parameter
from dpsym.statements.guarantees import Composition, Definition, Goal, Guarantee, asked_for
from dpsym.statements.mechanisms import Claim, Instance, Mechanism, MechanismClaim, Norm
from dpsym.statements.on_data import LooksAt, Tail
from dpsym.statements.results import Result
from dpsym.statements.selection import best_of, trials
from dpsym.statements.sources import Source, StatementError
from dpsym.statements.theorems import Setting, Theorem
from dpsym.statements.trends import Solved, Trend
from dpsym.statements.uses import Composed, Subsampled, Use

__all__ = [
    "Adjacency",
    "Anything",
    "Claim",
    "Composed",
    "Composition",
    "Definition",
    "Goal",
    "Guarantee",
    "Instance",
    "LooksAt",
    "Mechanism",
    "MechanismClaim",
    "Norm",
    "Parameter",
    "Result",
    "Setting",
    "Solved",
    "Source",
    "StatementError",
    "Subsampled",
    "Tail",
    "Theorem",
    "Trend",
    "Use",
    "anything",
    "asked_for",
    "best_of",
    "trials",
]
