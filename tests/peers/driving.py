"""A library in its own environment, asked by lines of JSON, with a limit of its processor time for each answer.

As with dpsym's own limits (dpsym/core/deadline.py), a busy machine changes no outcome, and nothing waits forever: the
clock advances by a second a minute at least.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from dpsym.testing.composing import Releases
from peers.environments import python_of

_START = 120.0  # seconds to import the library
_SLOWEST = 1 / 60  # of the wall's clock
_GLANCE = 0.1  # seconds between two looks at a process


class Unsupported(NotImplementedError):
    """The library says nothing about this."""


class Raised(NotImplementedError):
    """The library raised an exception: no answer, so nothing unsafe."""


class Hung(Raised):
    """No answer within the limit."""


class Peer:
    """`peer.ask("epsilon", releases, 1e-5)`; its process is started again when it hangs or dies.

    Attributes:
        spent: seconds that all answers took.
    """

    def __init__(self, library: str, way: str, *, limit: float = 20.0) -> None:
        self.library, self.way, self.limit = library, way, limit
        self.versions: dict[str, str] = {}
        self.spent = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Peer:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, quantity: str, releases: Releases, given: float) -> float:
        """The library's answer.

        Raises:
            Unsupported: where it has none.
            Raised: where it raised an exception.
            Hung: where there was none in time.
        """
        parts = [
            {"mechanism": r.mechanism, "parameters": dict(r.parameters), "rate": r.rate, "count": r.count}
            for r in releases
        ]
        said = self._exchange({"quantity": quantity, "releases": parts, "given": given})
        if "unsupported" in said:
            raise Unsupported(said["unsupported"])
        if "error" in said:
            raise Raised(said["error"])
        return float(said["value"])

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return self._line(self.limit)

    def _start(self) -> None:
        python = python_of(self.library)
        if python is None:
            raise FileNotFoundError(
                f"no environment of {self.library}: python tests/peers/environments.py {self.library}"
            )
        adapter = Path(__file__).with_name("adapters.py")
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [str(python), str(adapter), self.library, self.way],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean, cwd=adapter.parent,
        )  # fmt: skip
        spent = self.spent
        self.versions = self._line(_START)["versions"]
        self.spent = spent

    def _line(self, limit: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        begun, processor = time.monotonic(), _processor(self._process.pid)
        ready = False
        while not ready:
            ready = bool(select.select([self._process.stdout], [], [], _GLANCE)[0])
            taken = max(_processor(self._process.pid) - processor, _SLOWEST * (time.monotonic() - begun))
            if not ready and taken > limit:
                self._stop()
                self.spent += taken
                raise Hung(f"no answer within {limit:g} s")
        self.spent += taken
        line = self._process.stdout.readline()
        if not line:
            self._stop()
            raise Raised("the process ended")
        return dict(json.loads(line))

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    threading.Thread(target=stream.close, daemon=True).start()
            self._process.wait()
            self._process = None


def _processor(process: int) -> float:
    """Processor seconds of a process so far; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
