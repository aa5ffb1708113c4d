"""The command line's work in a process of its own, so that a crash of clang's ends that, and is reported.

What clang is given may make it crash, or read for ever: macros that double each other, for one. The child does the
work under limits while clang reads; the parent waits, passes signals on, and says what happened to a child that did
not end by itself. In a Python program (`cladpy.gradient`) nothing of this is done: there no process is anyone's to end.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

from cladpy.diagnostics import Diagnostic, Severity

_PASSED_ON = ("SIGTERM", "SIGHUP", "SIGQUIT")
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG

_contained = False  # whether this is such a child
_taken = 0.0  # seconds that it has spent within limits


def contained(work: Callable[[], int], report: Callable[[Diagnostic], None]) -> int:
    """What `work` gives, called in a child process; `report` is told what ended that, and the status is 1 then."""
    if not hasattr(os, "fork"):
        return work()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    passed_on = [getattr(signal, name) for name in _PASSED_ON]
    signal.pthread_sigmask(signal.SIG_BLOCK, passed_on)  # until they can be passed on
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
        _be_child(parent, work)
    # an interrupt from the keyboard reaches the child too, which ends by it; others are sent to this process alone
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    for number in passed_on:
        before[number] = signal.signal(number, lambda number, _: _pass_on(number, child))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
    _, waited = os.waitpid(child, 0)
    for number, handler in before.items():
        signal.signal(number, handler)
    status = os.waitstatus_to_exitcode(waited)
    if status >= 0:
        return status
    if -status in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
        return 128 - status  # as a shell says it
    report(_ended_by(-status))
    return 1


def _pass_on(number: int, child: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it may have ended just before
        os.kill(child, number)


def _be_child(parent: int, work: Callable[[], int]) -> None:
    """Does the work and ends the process."""
    global _contained
    status = 1
    try:
        _contained = True
        _end_with(parent)
        _keep_no_core()
        status = work()
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:
        os._exit(status)


def _end_with(parent: int) -> None:
    """Has this process end when its parent does (Linux)."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)


def _keep_no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _ended_by(number: int) -> Diagnostic:
    if number == signal.SIGXCPU:
        return Diagnostic(
            "CP0010",
            Severity.ERROR,
            "clang takes too long to read the program",
            hint="look for macros or templates that multiply; CLADPY_READ_SECONDS=N gives it more time",
        )
    what = "it was killed" if number == signal.SIGKILL else f"it was ended by {signal.Signals(number).name}"
    return Diagnostic(
        "CP9998",
        Severity.ERROR,
        f"reading or running the program crashed: {what}",
        hint="where the machine's memory has not run out, report it with the source",
    )


@contextlib.contextmanager
def bounded(seconds: int, bytes: int) -> Iterator[None]:
    """Within, a contained process may take so many seconds of processor time, less what it has taken within before,
    and so much memory more than it has.

    The environment's CLADPY_READ_SECONDS and CLADPY_READ_MEMORY (in MiB) say otherwise; 0 is no limit.
    """
    global _taken
    if not _contained:
        yield
        return
    import resource

    seconds = _given("CLADPY_READ_SECONDS", seconds)
    bytes = _given("CLADPY_READ_MEMORY", bytes >> 20) << 20
    start = time.process_time()
    with contextlib.ExitStack() as limits:
        if seconds:
            # whole seconds, and 0 would be none
            limits.enter_context(_limit(resource.RLIMIT_CPU, math.ceil(start + max(0.1, seconds - _taken))))
        if bytes:
            limits.enter_context(_limit(resource.RLIMIT_DATA, _data() + bytes))
        yield
    _taken += time.process_time() - start


def _given(variable: str, otherwise: int) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else otherwise


def _data() -> int:
    """The bytes that count towards RLIMIT_DATA."""
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("VmData:"):
                return int(line.split()[1]) << 10
    return 1 << 30


@contextlib.contextmanager
def _limit(what: int, value: int) -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(what)
    lowest = min(v for v in (value, soft, hard) if v != resource.RLIM_INFINITY)
    resource.setrlimit(what, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(what, (soft, hard))
