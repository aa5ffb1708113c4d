"""Calls of cuBLAS."""

from tests.kernels.making import real, single
from tests.programs.case import Program

CASES = (
    *(
        Program(
            "blas",
            "product",
            "a, b, c, alpha, beta" if beta else "a, b, c, alpha",
            (real(25), real(25), real(20), 0.7, beta, ta, tb, 2),
            label=f"{ta}{tb}",
        )
        for ta, tb, beta in ((0, 0, 0.4), (0, 1, 0.4), (1, 0, 0.0), (1, 1, 1.0))
    ),
    Program("blas", "network", "x, w, v, bias", (real(15), real(20), real(4), real(4), 3, 5, 4)),
    Program("blas", "vectors", "x, y, a", (real(8), real(12), 0.7, 4)),
    Program("blas", "transfers", "a, x, y", (real(12), real(6), real(10), 3)),
    Program("blas", "by_largest", "x, y", (real(8), real(8), 8)),
    Program("blas", "batches", "a, b, alpha, beta", (single(27), single(27), 0.7, 0.4, 3, 3)),
)
