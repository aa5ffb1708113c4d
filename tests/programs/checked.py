"""Programs that look at every error."""

from tests.kernels.making import real, zeros
from tests.programs.case import Program

X = real(18)
CASES = (
    Program("checked", "by_macro", "in, by", (X, 0.7, 18)),
    Program("checked", "by_function", "in, by", (X, 0.7, 18)),
    Program("checked", "by_exception", "out, in, by", (zeros(18), X, 0.7, 18)),
    Program("checked", "by_logging", "out, in, by", (zeros(18), X, 0.7, 18)),
    Program("checked", "by_status", "out, in, by", (zeros(18), X, 0.7, 18)),
)
