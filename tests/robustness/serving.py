"""Commands in worker processes that serve many each, and in processes of their own."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.robustness.judge import Answer

_PATIENCE = 60.0  # seconds of processor time; more than is allowed, so that it is known how long it took
_CLOCK = 1800.0  # seconds on the clock, however busy the machine is with other things
_SERVES = 150  # commands, then a new one takes its place


class Worker:
    """One process at a time, which is replaced when it has served its time, or has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._served = self._workers = 0

    def answer(self, arguments: Sequence[str]) -> Answer:
        process = self._running()
        assert process.stdin is not None
        process.stdin.write(json.dumps(list(arguments)) + "\n")
        process.stdin.flush()
        line = self._line(process)
        self._served += 1
        if line:
            given: dict[str, Any] = json.loads(line)
            return Answer(**given)
        timed_out = process.poll() is None
        process.kill()
        status = process.wait()
        self.close()
        return Answer(
            status, "", f"the worker {'did not answer' if timed_out else 'died'}", _PATIENCE if timed_out else 0.0, 0
        )

    def close(self) -> None:
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process.wait()
            self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._served >= _SERVES:
            self.close()
        if self._process is None:
            command = [sys.executable, "-m", "tests.robustness.worker"]
            # with CUDA's own headers whatever clang does not understand takes its time: only some workers try those
            environment = dict(os.environ)
            if self._workers % 5:
                environment["CLADPY_CUDA_HEADERS"] = "declarations"
            self._workers += 1
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
            )
            self._served = 0
        return self._process

    @staticmethod
    def _line(process: subprocess.Popen[str]) -> str:
        """The next line; nothing where the process ends, or does not answer."""
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert process.stdout is not None
        threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True).start()
        start, begun = _used(process.pid), time.monotonic()
        while _used(process.pid) - start < _PATIENCE and time.monotonic() - begun < _CLOCK:
            try:
                return lines.get(timeout=1.0)
            except queue.Empty:
                continue
        return ""


def _used(process: int) -> float:
    """The processor time of a process (Linux), in seconds."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Starts a command and says how it ended. What the kernel calls a process's peak of memory takes in that of the process
# that it was forked from: tests may be large, this is not.
_STARTER = """import json, os, subprocess, sys
_, ended, usage = os.wait4(subprocess.Popen(sys.argv[2:]).pid, 0)
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(ended), usage.ru_utime + usage.ru_stime, usage.ru_maxrss], file)
"""


def by_command(arguments: Sequence[str], **variables: str) -> Answer:
    """The command line in a process of its own, as a user starts it, with variables added to the environment."""
    command = [sys.executable, "-m", "cladpy", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        out, err, ended = (Path(folder) / name for name in ("out", "err", "ended"))
        with out.open("wb") as to_out, err.open("wb") as to_err:
            process = subprocess.Popen(
                [sys.executable, "-S", "-c", _STARTER, str(ended), *command],
                stdout=to_out,
                stderr=to_err,
                env={**os.environ, **variables},
                start_new_session=True,
            )
            try:
                process.wait(_CLOCK)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        texts = [file.read_bytes().decode(errors="replace") for file in (out, err)]
        if not ended.exists():
            return Answer(-signal.SIGKILL, texts[0], texts[1], _CLOCK, 0)
        status, seconds, peak = json.loads(ended.read_text())
    return Answer(status, texts[0], texts[1], seconds, peak << (0 if sys.platform == "darwin" else 10))
