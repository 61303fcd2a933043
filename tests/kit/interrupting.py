"""A program in a group of processes of its own, which hears Ctrl-C whatever started the tests."""

import contextlib
import os
import signal
import subprocess
import sys

# what runs in the background of a shell ignores SIGINT, and so would all that it starts
_HEARING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.close(int(sys.argv[1]));"
    " os.execv(sys.argv[2], sys.argv[2:])"
)


@contextlib.contextmanager
def interruptible(line, **options):
    """The process, from when it hears on; none of its group outlives the block."""
    heard, said = os.pipe()
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", _HEARING, str(said), *line], start_new_session=True, pass_fds=(said,), **options
    ) as process:
        os.close(said)
        os.read(heard, 1)  # until the other end is closed
        os.close(heard)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
