"""Certificates on the command line, and processes to find them with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpsym.cli.arguments import DONE, UNDECIDED, Unreadable, shortened

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """That many processes; for one, none besides this.

    An interruption from the terminal reaches all of them: the others ignore it, wherever they are, and are ended.
    """
    if jobs == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        with _ignoring_interruptions():  # as processes do that are started meanwhile
            executor.submit(int)
        yield executor
    except KeyboardInterrupt:
        for process in active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _ignoring_interruptions() -> Iterator[None]:
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def write_certificate(path: Path, certificate: dict[str, Any] | None) -> int:
    """The exit status: undecided where there is none to write."""
    if certificate is None:
        click.echo(f"dpsym: no certificate was found in time; {shortened(str(path))} is not written", err=True)
        return UNDECIDED
    try:
        path.write_text(_laid_out(certificate))
    except OSError as error:
        raise Unreadable(f"{shortened(str(path))}: {error.strerror}") from None
    return DONE


_SECTIONS = ("tree", "scaled", "contacts", "variables", "conditions", "contexts", "lines")


def _laid_out(certificate: dict[str, Any]) -> str:
    """One section a line, one entry of the tree a line."""
    parts = [f'  "{key}": {_value(key, value)}' for key, value in certificate.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(key: str, value: object) -> str:
    if isinstance(value, list) and value and key in _SECTIONS:
        return "[\n    " + ",\n    ".join(json.dumps(entry) for entry in value) + "\n  ]"
    return json.dumps(value)
