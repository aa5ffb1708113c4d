"""What the host turns into loops over the threads of a block: see cladpy/passes/phases."""

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

X, Y = real(90), zeros(90)
CASES = (
    Case("phases", "carried", "x, y", (90, 3, X, Y), 2, 48, shared_mem=8 * 48, one_launch=True),
    Case("phases", "parted", "x, y", (90, X, Y), 2, 64, one_launch=True),
    Case("phases", "left_early", "x, y", (90, X, Y), 2, 56, one_launch=True),
    Case("phases", "planes", "x, w, y", (7, 9, real(63), real(9), zeros(2)), 2, (6, 5), one_launch=True),
    Case("phases", "called_so", "_t_end, _t_x, _t_runs, _tapes", (90, 1.3, 0.7, X, Y), 2, 48, one_launch=True),
    Case("phases", "counted", "x, y", (75, real(150), zeros(150)), 2, 64, one_launch=True),
    Case("phases", "divided", "x, w, y", (77, 21, real(105), real(21), Y), 2, 40, one_launch=True),
    Case("phases", "returns", "x, y", (115, real(120), zeros(120)), 2, 60, one_launch=True),
    Case("phases", "voted", "x, y", (144, real(144, 0.1, 0.9), zeros(144)), 3, 48, one_launch=True),
    Case("phases", "masks", "x, y", (128, real(128), zeros(128)), 2, 64, one_launch=True),
    Case("phases", "remade", "x, y", (real(32), zeros(32)), 1, 32, one_launch=True),
)
