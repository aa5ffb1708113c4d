"""Halves in objects of pointers."""

from tests.kernels.making import half, zeros
from tests.programs.case import Program

CASES = (Program("halved", "halves_in_objects", "x, y", (half(20), zeros(20, "f2"), 20)),)
