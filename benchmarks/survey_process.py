"""Work in a process of its own, with a time limit: a function of the user's may crash, hang or end the program."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable

_MARK = "\x1e"


def forked(work: Callable[[], object], seconds: int) -> tuple[int, str]:
    """What `work` ends with and has printed, in a process of its own; -1 where time ran out."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                sys.stdout = sys.stderr = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), line_buffering=True)
                work()
                os._exit(0)
            except SystemExit as exit:
                os._exit(exit.code if isinstance(exit.code, int) else 1)
            except BaseException:
                sys.excepthook(*sys.exc_info())
                os._exit(1)
        end, waited = time.monotonic() + seconds, (0, 0)
        while waited[0] == 0 and time.monotonic() < end:
            time.sleep(0.02)
            waited = os.waitpid(child, os.WNOHANG)
        if waited[0] == 0:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -1, ""
        said.seek(0)
        return os.waitstatus_to_exitcode(waited[1]), said.read().decode(errors="replace")


def give(found: str) -> None:
    """Work that was `forked` says what it has found, whatever else is printed."""
    print(_MARK + json.dumps(found), flush=True)


def given_by(said: str) -> str:
    """What the work has found; empty where it did not come to that."""
    text = said.rpartition(_MARK)[2] if _MARK in said else ""
    return str(json.JSONDecoder().raw_decode(text)[0]) if text else ""
