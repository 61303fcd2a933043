"""Property-based tests for anyone's accountant: strategies for the hard cases, and oracles that are certified.

Needs Hypothesis: `pip install "dpsym[testing]"`.  Nothing else of dpsym imports it.  docs/testing.md has a worked
example.  Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from warnings import warn

if find_spec("hypothesis") is None:
    raise ImportError('dpsym.testing needs Hypothesis: pip install "dpsym[testing]"')

_HOMES = {
    "numbers": ("above", "between", "counts", "deltas", "orders", "powers", "rates"),
    "domains": ("parameters", "points"),
    "entries": ("guarantees", "mechanisms"),
    "composing": ("Release", "accountable", "compositions", "releases", "releases_of"),
    "pairs": ("density_pairs", "finite_pairs", "sampled_gaussian_pairs"),
    "truths": ("truth",),
    "failures": ("AccountantError", "LawBroken", "Loose", "NothingExamined", "Senseless", "Unsafe"),
    "searching": ("Examined",),
    "oracles": ("assert_composes", "assert_monotone", "assert_sound", "assert_tight"),
    "rejecting": ("assert_rejects", "senseless"),
    "conversions": ("assert_postprocessing", "assert_roundtrip"),
    "sensitivities": ("assert_sensitivity", "change", "data_sets", "neighbouring", "queries"),
    "battery": ("AccountantBattery",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_MOVED = {  # to tests/drawn of the repository, since they test dpsym itself; the names go with the next release
    "statement": ("Statement",),
    "stating": ("false_relations", "relations", "true_relations"),
    "claims": ("MechanismStatement", "false_claims", "true_claims"),
    "overclaiming": ("Overclaim", "overclaims"),
    "documents": ("WrittenDerivation", "false_documents", "true_documents"),
    "evaluating": ("Evaluation", "evaluations"),
    "derivations": ("Derivation", "false_derivations", "true_derivations"),
}

__all__ = sorted(_HOME)  # noqa: PLE0605 - the keys are strings


def __getattr__(name: str) -> object:
    for module, names in _MOVED.items():
        if name in names:
            return _moved(module, name)
    if name not in _HOME:
        raise AttributeError(f"module 'dpsym.testing' has no attribute {name!r}")
    found = getattr(import_module(f"dpsym.testing.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def _moved(module: str, name: str) -> object:
    said = f"{name} tests dpsym itself: it is in tests/drawn/{module}.py of dpsym's repository"
    warn(f"{said}, and no name of dpsym.testing from the next release on", DeprecationWarning, stacklevel=3)
    here = "dpsym.testing._drawn" if find_spec("dpsym.testing._drawn") else "drawn"  # as a wheel has it, or the tests
    return getattr(import_module(f"{here}.{module}"), name)


def __dir__() -> list[str]:
    return list(__all__)
