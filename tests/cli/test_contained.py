"""The command line's child process: what ends it is reported, and nothing outlives the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

_PROGRAM = """
import ctypes, os, signal, sys, time
from cladpy.contained import bounded, contained

def work():
    {body}

sys.exit(contained(work, lambda found: print(found.render(), file=sys.stderr)))
"""


def run(body: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a process makes of this work."""
    command = [sys.executable, "-c", _PROGRAM.format(body=body)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)


@pytest.mark.parametrize("status", [0, 1, 2, 130])
def test_the_status_is_that_of_the_work(status: int) -> None:
    found = run(f"print('done', end=''); return {status}")
    assert (found.returncode, found.stdout, found.stderr) == (status, "done", "")


def test_a_crash_is_reported() -> None:
    found = run("ctypes.string_at(0)")
    assert found.returncode == 1
    assert "error: reading or running the program crashed: it was ended by SIGSEGV [CP9998]\nhint: " in found.stderr


def test_being_killed_is_reported() -> None:
    found = run("os.kill(os.getpid(), signal.SIGKILL)")
    assert (found.returncode, "it was killed [CP9998]" in found.stderr) == (1, True)


def test_what_reads_for_ever_is_ended() -> None:
    found = run("with bounded(1, 0):\n        while True: pass")
    assert found.returncode == 1
    assert found.stderr.startswith("error: clang takes too long to read the program [CP0010]\nhint: look for macros")


def test_what_reads_too_much_fails() -> None:
    found = run("with bounded(0, 64 << 20):\n        return len(bytearray(1 << 30))")
    assert "MemoryError" in found.stderr
    assert run("with bounded(0, 64 << 20): pass\n    bytearray(1 << 28); return 0").returncode == 0, "a limit stayed"


def test_limits_are_the_users_to_set() -> None:
    body = "with bounded(1, 1 << 20):\n        end = time.process_time() + 2.5; bytearray(1 << 28)\n"
    body += "        while time.process_time() < end: pass\n    return 0"
    assert run(body, CLADPY_READ_SECONDS="0", CLADPY_READ_MEMORY="0").returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_child_ends_with_the_command(number: signal.Signals) -> None:
    body = "print(os.getpid(), flush=True); time.sleep(60)"
    command = [sys.executable, "-c", _PROGRAM.format(body=body)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.send_signal(number)
        status = process.wait(timeout=20)
        assert status == (128 + number if number == signal.SIGTERM else -number)
        for _ in range(200):
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                return
            if _is_dead(child):
                return
            time.sleep(0.05)
        pytest.fail("the child is still there")


def test_a_signal_behind_the_end_of_the_child_changes_nothing() -> None:
    """It comes while the command has waited for the child, and still passes signals on."""
    late = """real = os.waitpid
def waitpid(child, options):
    found = real(child, options)
    os.kill(os.getpid(), signal.SIGTERM)
    return found
os.waitpid = waitpid
"""
    program = _PROGRAM.format(body="return 3").replace("sys.exit", late + "sys.exit")
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (3, "")


def _is_dead(process: int) -> bool:
    """Whether it has ended and is only waited for (Linux)."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
