"""Reductions and scans of CUB over the device's memory."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("device_algorithms", "sums", "x", (real(20), 20)),
    Program("device_algorithms", "others", "x, y", (real(37), zeros(43), 37)),
    Program("device_algorithms", "timed_sums", "x", (real(40), 40, zeros(1, "i8"))),
)
