"""Which kernels may be launched again without anybody noticing."""

from __future__ import annotations

import pytest

from cladpy.analysis.replays import is_repeatable
from tests.ir.stages import core_of


@pytest.mark.parametrize(
    ("repeatable", "body"),
    [
        (True, "atomicAdd(y, x[i]); atomicMax(n, i); y[i] = __shfl_xor_sync(~0u, x[i], 1);"),
        (False, 'printf("%d", i);'),
        (False, "y[i] = atomicAdd(&y[1], x[i]);"),
        (False, "atomicExch(n, i);"),
        (False, "n[i] = atomicMax(n, i);"),
        (False, "n[i] = (int)clock64();"),
        (False, "n[i] = __activemask();"),
    ],
)
def test_what_a_kernel_leaves_behind(repeatable: bool, body: str) -> None:
    begin = "__global__ void k(const double *x, double *y, int *n) { int i = threadIdx.x;"
    assert is_repeatable(core_of(f"#include <cstdio>\n{begin} {body} }}")) is repeatable
