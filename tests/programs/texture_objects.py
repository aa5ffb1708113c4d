"""Texture objects that a host program makes."""

from tests.kernels.making import single, zeros
from tests.programs.case import Program

X, Y = single(9, -1.3, 5.2), zeros(9, "f4")
CASES = (
    Program("texture_objects", "of_rows", "texels, x, y", (single(24), 5, 4, 6, X, Y, 9)),
    Program("texture_objects", "of_a_line", "pairs, y", (single(18), single(9), 9)),
    Program("texture_objects", "of_an_array", "texels, x, y", (single(20), 5, 4, X, Y, 9)),
    Program("texture_objects", "of_a_pointer", "texels, x, y", (single(5), 5, X, Y, 9)),
)
