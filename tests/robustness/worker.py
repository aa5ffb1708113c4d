"""`python -m tests.robustness.worker`: answers one command after the other, each a line of JSON, in one process.

What a command prints goes to files, since libclang prints too, past Python.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from cladpy.cli import run

_CEILING = 4 << 30  # bytes of address space beyond which the machine itself would suffer


def serve() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_CEILING, _CEILING))
    reply = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        for line in sys.stdin:
            for file in (out, err):
                os.ftruncate(file.fileno(), 0)
                os.lseek(file.fileno(), 0, os.SEEK_SET)
            print(json.dumps(_answer(json.loads(line), out.fileno(), err.fileno())), file=reply, flush=True)


def _answer(arguments: list[str], out: int, err: int) -> dict[str, object]:
    _forget_peak()
    start = time.process_time()
    status = run(arguments)
    seconds = time.process_time() - start
    sys.stdout.flush()
    sys.stderr.flush()
    texts = [os.pread(file, 1 << 24, 0).decode(errors="replace") for file in (out, err)]
    return {"status": status, "stdout": texts[0], "stderr": texts[1], "seconds": seconds, "memory": _peak()}


def _forget_peak() -> None:
    """Sets the peak to what is in use now (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise RuntimeError("the kernel does not say how much memory was used")


if __name__ == "__main__":
    serve()
