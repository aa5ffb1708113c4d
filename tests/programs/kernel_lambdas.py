"""Lambdas that kernels are given."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(40)
CASES = (
    *(Program("kernel_lambdas", name, "x, y, a", (X, X, 0.7, 40)) for name in ("launched", "by_index", "composed")),
    Program("kernel_lambdas", "in_scopes", "x, y, k", (X, X, 0.7, 40)),
)
