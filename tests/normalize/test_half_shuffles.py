"""Halves of doubles that lanes hand each other, but for shuffles of the double: kernels/half_shuffles.cu has those."""

from __future__ import annotations

import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError

PROGRAM = """
__global__ void apart(const double *x, double *y) {
  double v = x[threadIdx.x], w = 2 * v;
  const int hi = __shfl_sync(~0u, __double2hiint(v), 1);
  const int other = __shfl_sync(~0u, __double2hiint(v), 2);
  y[threadIdx.x] = __hiloint2double(hi, OF) + 0 * other;
}
"""
OTHERS = (
    "__shfl_sync(~0u, __double2loint(v), 2)",
    "__shfl_sync(1u, __double2loint(v), 1)",
    "__shfl_sync(~0u, __double2loint(w), 1)",
    "__shfl_xor_sync(~0u, __double2loint(v), 1)",
    "__double2loint(v)",
)


@pytest.mark.parametrize("of", OTHERS)
def test_other_halves_are_bits(of: str) -> None:
    with pytest.raises(DifferentiationError, match="CP0310"):
        cladpy.gradient(PROGRAM.replace("OF", of), "apart", "x, y", backend="host")
