"""The programs of the talk."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

CASES = (
    Program("talk", "launch", "out, in", (real(5), real(5), 5)),
    Program("talk", "launch", "out, in", (real(5), real(5), 3), label="part"),
    Program("talk", "launch_scaled", "out, in, factor", (zeros(7), real(7), 0.7, 7)),
    Program("talk", "fn", "out, in", (real(10), real(10))),
    Program("talk", "fn_that_frees", "in", (real(10), real(10))),
    Program("talk", "launchTensorContraction3D", "C, A, B", (real(32), real(12), real(24), 2, 2, 3, 2, 4)),
)
