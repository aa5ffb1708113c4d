"""Kernels that are launched by pointers."""

from tests.kernels.making import real
from tests.programs.case import Program

CASES = (
    *(Program("chosen_kernels", "chosen", "x", (real(20), 20, which), label=f"{which}") for which in (0, 1, 2)),
    *(Program("chosen_kernels", "by_address", "x", (real(20), 20, which), label=f"{which}") for which in (0, 1)),
)
