"""Copies of every kind, and memory that is set."""

from tests.kernels.making import real, shaped, zeros
from tests.programs.case import Program

X = real(45)
CASES = (
    Program("copies", "sum_of_squares", "in", (X, 45)),
    Program("copies", "sum_of_squares", "in", (X, 1), label="one"),
    Program("copies", "squares", "out, in", (real(45), X, 45)),
    Program("copies", "squares", "out, in", (real(45), X, 20), label="part"),
    Program("copies", "squares", "out, in", (real(45), X, 0), label="nothing"),
    Program("copies", "halves_swapped", "out, in, factor", (real(20), real(20), 1.7, 20)),
    Program("copies", "copied_then_overwritten", "out, in", (zeros(45), X, 45)),
    Program("copies", "sum_by_atomics", "in", (X, 45)),
    Program("copies", "set_in_between", "out, in", (zeros(2), X, 45)),
    Program("copies", "pitched", "out, in", (zeros(5), real(35), 7, 5)),
    Program("copies", "window", "out, in", (real(64), real(64), 8, 2, 4)),
    Program("copies", "copied_objects", "out, in", (shaped(9, 2), shaped(9, 2), 9)),
    Program("copies", "numbers_of_objects", "x", (real(8), 1)),
    Program("copies", "variables_copied", "x", (real(4),)),
    Program("copies", "instances_filled", "out, taps, in", (real(20), real(3), real(20), 20)),
    Program("copies", "arrays_given", "x", (real(8), 8)),
    Program("copies", "managed", "in", (X, 45)),
    Program("copies", "host_memory", "in", (real(12), 12)),
    Program("copies", "temporaries", "in", (X, 45, 3)),
    Program("copies", "half_rows", "x", (real(20), real(10), 5)),
)
