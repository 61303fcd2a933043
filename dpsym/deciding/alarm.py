"""An alarm for programs without threads: after so many seconds it interrupts whatever the program is doing.

On POSIX it is the interval timer of the process.  Pyodide has none that rings while Python runs; there the interpreter
looks at its interrupt buffer every few instructions, and what it finds in it is a clock.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any

_CLOCK = """(number) => {
  let due = Infinity;
  const buffer = { get 0() { if (performance.now() < due) return 0; due = Infinity; return number; }, set 0(_) {} };
  return { buffer, set: (seconds) => { due = seconds < 0 ? Infinity : performance.now() + 1000 * seconds; } };
}"""


class Alarm:
    """Calls `ring` between two steps of the main thread; what that raises is raised there.

    Where a platform has nothing of the kind it never rings: limits are then kept only by what looks at the clock.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._timer = _pyodide_timer() if sys.platform == "emscripten" else _posix_timer()
        if self._timer is not None:
            signal.signal(signal.SIGALRM, lambda number, frame: ring())

    def set(self, seconds: float | None) -> None:
        """Ring once after so many seconds of the wall's clock, in place of what was set before; None: not at all."""
        if self._timer is not None:
            self._timer(seconds)


def _posix_timer() -> Callable[[float | None], object] | None:
    if not hasattr(signal, "setitimer"):
        return None
    return lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds or 0.0)


def _pyodide_timer() -> Callable[[float | None], object] | None:
    try:
        import pyodide_js  # type: ignore[import-not-found]
        from pyodide.code import run_js  # type: ignore[import-not-found]
    except ImportError:  # another Python for WebAssembly
        return None
    clock: Any = run_js(_CLOCK)(int(signal.SIGALRM))
    pyodide_js.setInterruptBuffer(clock.buffer)
    return lambda seconds: clock.set(-1.0 if seconds is None else seconds)
