"""What can be said: definitions, guarantees, mechanisms, claims, theorems, results.  Inert data, checked when made."""

from dpsym.statements.adjacency import Adjacency
from dpsym.statements.binding import Parameter
from dpsym.statements.guarantees import Composition, Definition, Goal, Guarantee
from dpsym.statements.mechanisms import Claim, Instance, Mechanism, MechanismClaim, Norm
from dpsym.statements.results import Result
from dpsym.statements.sources import Source, StatementError
from dpsym.statements.theorems import Setting, Theorem
from dpsym.statements.trends import Solved, Trend
from dpsym.statements.uses import Composed, Subsampled, Use

__all__ = [
    "Adjacency",
    "Claim",
    "Composed",
    "Composition",
    "Definition",
    "Goal",
    "Guarantee",
    "Instance",
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
    "Theorem",
    "Trend",
    "Use",
]
