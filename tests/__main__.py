"""`python -m tests`: everything that has to pass, in one command. Continues after a failure, and fails at the end."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.covered.work import TESTS

ROOT = Path(__file__).resolve().parents[1]
STEPS = (
    ("ruff", ["-m", "ruff", "check", "."]),
    ("mypy", ["-m", "mypy"]),
    ("acceptance", ["tests/acceptance/acceptance.py", "host", "talk", "launch"]),
    ("coverage", ["-m", "tests.covered", "--chosen", "--workers", "2", "--at-least", "99.4", "--in-all", "96"]),
    # all that the step before has not run
    (
        "pytest",
        ["-m", "pytest", "-n", "2", "--dist", "loadgroup", "--max-worker-restart", "0"]
        + [f"--ignore={file}" for file in TESTS],
    ),
)


def main() -> int:
    """Runs the steps, shows what each says, and last pytest's closing line."""
    failed, closing = [], ""
    for name, arguments in STEPS:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        status, last = _run([sys.executable, *arguments])
        print(f"== {name}: {'passed' if status == 0 else 'FAILED'} in {time.monotonic() - start:.0f} s", flush=True)
        if status != 0:
            failed.append(name)
        closing = last
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(closing)
    return 1 if failed else 0


def _run(command: list[str]) -> tuple[int, str]:
    """Runs a command from the repository's root, passing on what it prints; gives its status and last line."""
    last = ""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        if process.stdout is None:
            raise RuntimeError("no pipe to the command")
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    return process.returncode, last


if __name__ == "__main__":
    sys.exit(main())
