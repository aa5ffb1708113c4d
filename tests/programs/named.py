"""Names that emitted code says too; objects with pointers through which nothing is written."""

from tests.kernels.making import members, real
from tests.programs.case import Program

CASES = (
    Program("named", "in_scopes", "p", (real(20), 20)),
    Program("named", "of_rows", "x", (real(20), 20)),
    Program("named", "twice", "x, y", (real(4), real(4))),
    Program("named", "of_arrays", "x, y", (real(40), real(20), 20)),
    Program("named", "of_unnamed", "one, x", (members(z=0.7), 1.3)),
)
