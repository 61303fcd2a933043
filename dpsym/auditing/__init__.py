"""From what attacks counted to what is not private: certified lower bounds of epsilon, with their confidence."""

from dpsym.auditing.audits import Audited, NotAnAudit, many_runs, one_run

__all__ = ["Audited", "NotAnAudit", "many_runs", "one_run"]
