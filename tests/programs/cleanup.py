"""What is differentiated in cleanup.cu."""

from __future__ import annotations

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (Program("cleanup", "run", "in, out", (real(20), real(20), 20)),)
