"""Gradients of the kernels in tests/kernels, compiled by NVRTC for a device that need not be there.

usage: python -m tests.toolchain.by_nvrtc [K/N]     every N-th row from the K-th on; all of them unless told
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import backends, built
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.cases import CASES


def compiled(derivative: Derivative) -> Path:
    """The device code, as the runtime would load it. Raises ToolchainError."""
    with patch.object(backends, "cuda_compiler", lambda: "nvrtc"), patch.object(built, "ModuleLibrary", _unloaded):
        path: Any = built.build_library(derivative, "sm_90")
    return Path(path)


def _unloaded(path: Path, *_: object) -> Path:
    return path


def gradient_of(case: Case) -> Derivative:
    return differentiate(Source.load(case.path), case.function, case.args, Options.make(), "cuda")


def main(part: str = "1/1") -> int:
    first, step = map(int, part.split("/"))
    done, refused, start = 0, 0, time.monotonic()
    for case in CASES[first - 1 :: step]:
        if case.grid is None:
            continue
        try:
            compiled(gradient_of(case))
            done += 1
        except CladpyError as error:
            refused += 1
            print(f"{case.id}: {str(error)[:300]}", flush=True)
    print(f"{done} rows compiled, {refused} refused, in {time.monotonic() - start:.0f} s")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
