"""`python -m tests`: what has to pass, in one command. Continues after a failure, and fails at the end.

python -m tests                       in minutes: linters, types, the tests of texts, gradients of every kind
python -m tests --changed [COMMIT]    what the changes since a commit may touch, by what was recorded
python -m tests --all                 the same as the first, then everything else
python -m tests --rest                everything else alone; with --minutes N, as much as fits into so many minutes
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from tests.command import steps
from tests.command.record import ROOT
from tests.command.steps import Step


def main() -> int:
    """Runs the steps, shows what each says, and last pytest's closing line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--changed", nargs="?", const="", metavar="COMMIT", help="what changes since a commit may touch")
    form.add_argument("--all", action="store_true", help="everything")
    form.add_argument("--rest", action="store_true", help="what the shortest form leaves")
    parser.add_argument("--minutes", type=float, help="of --all and --rest: begin no test after so many minutes")
    options = parser.parse_args()
    until = steps.ends_in(options.minutes)
    if options.changed is not None:
        return run(steps.changed(options.changed or None))
    if options.rest:
        return run(steps.rest(until))
    return run([*steps.quick(), *(steps.rest(until) if options.all else [])])


def run(chosen: list[Step]) -> int:
    failed, closing = [], ""
    for step in chosen:
        print(f"== {step.name}", flush=True)
        start = time.monotonic()
        status, last = _run([sys.executable, *step.arguments])
        passed = "passed" if status == 0 else "FAILED"
        print(f"== {step.name}: {passed} in {time.monotonic() - start:.0f} s", flush=True)
        if status != 0:
            failed.append(step.name)
        if "pytest" in step.arguments:
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
