"""Starts workers with the sanitizer, and collects what they find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = "-O0 -g -fsanitize=thread"
OPTIONS = "exitcode=0:report_signal_unsafe=0:history_size=4"
AT_ONCE = 25  # rows that one process runs: what it has loaded stays


def library() -> str:
    """GCC's ThreadSanitizer, which has to be in the process before anything else; empty where there is none."""
    try:
        done = subprocess.run(["g++", "-print-file-name=libtsan.so"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    path = done.stdout.strip()
    return path if os.path.isabs(path) else ""


def races(names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The races in the gradient of each row."""
    for at in range(0, len(names), AT_ONCE):
        left = list(names[at : at + AT_ONCE])
        while left:
            for name, found in _one_process(left):
                left.remove(name)
                yield name, found
            if left:  # it has ended before its time
                yield left.pop(0), ["the process ended"]


def _one_process(names: list[str]) -> Iterator[tuple[str, list[str]]]:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
            "LD_PRELOAD": library(),
            "TSAN_OPTIONS": f"{OPTIONS}:log_path={log}",
            "CLADPY_HOST_FLAGS": FLAGS,
        }
        command = [sys.executable, "-m", "tests.sanitizer.worker", str(log), *names]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("{"):
                    told = json.loads(line)
                    yield told["name"], told["found"]
