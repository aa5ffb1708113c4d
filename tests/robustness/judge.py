"""What an answer must be, whatever the input was."""

from __future__ import annotations

import re
from dataclasses import dataclass

SECONDS = 10.0
BYTES = 1 << 30

_SAID = re.compile(r"^(.*: )?error: .+|^Usage: ", re.MULTILINE)
_CODE = re.compile(r"\[(CP\d{4})\]$", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """How a command ended: `status` is negative where a signal ended it; seconds of processor time, peak of memory."""

    status: int
    stdout: str
    stderr: str
    seconds: float
    memory: int

    @property
    def code(self) -> str:
        """What it was refused for, where it was."""
        found = _CODE.search(self.stderr)
        return found[1] if found else ""


def fault(answer: Answer) -> str:
    """What is wrong with an answer; the empty string for nothing."""
    if answer.status not in (0, 1, 2):
        return f"exit status {answer.status}"
    if "Traceback (most recent call last)" in answer.stderr + answer.stdout:
        return "a traceback"
    if answer.code == "CP9999":
        return "an internal error"
    if answer.status == 0 and not answer.stdout.strip():
        return "nothing was given"
    if answer.status != 0 and not _SAID.search(answer.stderr):
        return "nothing was said"
    if answer.status != 0 and answer.stdout:
        return "something was given all the same"
    if answer.seconds > SECONDS:
        return f"{answer.seconds:.1f} s"
    if answer.memory > BYTES:
        return f"{answer.memory >> 20} MiB"
    return ""
