"""A library in its own environment, asked by lines of JSON, with a limit of time for each answer."""

from __future__ import annotations

import json
import os
import select
import subprocess
import threading
from pathlib import Path
from typing import Any

from dpsym.testing.composing import Releases
from peers.environments import python_of

_START = 120.0  # seconds to import the library


class Unsupported(NotImplementedError):
    """The library says nothing about this."""


class Raised(NotImplementedError):
    """The library raised an exception: no answer, so nothing unsafe."""


class Hung(Raised):
    """No answer within the limit."""


class Peer:
    """`peer.ask("epsilon", releases, 1e-5)`; its process is started again when it hangs or dies."""

    def __init__(self, library: str, way: str, *, limit: float = 20.0) -> None:
        self.library, self.way, self.limit = library, way, limit
        self.versions: dict[str, str] = {}
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
        self.versions = self._line(_START)["versions"]

    def _line(self, limit: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], limit)
        if not ready:
            self._stop()
            raise Hung(f"no answer within {limit:g} s")
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
