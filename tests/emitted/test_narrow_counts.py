"""How often a loop runs is counted in 32 bits on a GPU where these hold it, whatever numbers the loop goes through."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.toolchain.discovery import find_host_compiler

KERNEL = """__global__ void k(const int *first, const double *x, double *y) {{
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for ({loop}) sum += x[i & 7] * x[i & 7];
  y[row] = sum;
}}
"""
RISING = "int i = first[row]; i {} first[row + 1]; {}"
STEPS = {
    "by ones": (RISING.format("<", "++i"), 1, False),
    "with the end": (RISING.format("<=", "++i"), 1, True),
    "by threes": (RISING.format("<", "i += 3"), 3, False),
    "by threes with the end": (RISING.format("<=", "i += 3"), 3, True),
}
ENDS = (-(2**31), -(2**31) + 1, -7, -1, 0, 1, 2, 6, 2**31 - 5, 2**31 - 2)


def emitted(loop: str, target: str) -> str:
    source = Source.load(KERNEL.format(loop=loop))
    return differentiate(source, "k", "x, y", Options.make(), target).code


@pytest.mark.parametrize("name", STEPS)
def test_counts(name: str, tmp_path: Path) -> None:
    """For all pairs of ends the count is the number of steps."""
    loop, step, closed = STEPS[name]
    found = re.search(r"const unsigned int _n = (.*);", emitted(loop, "cuda"))
    assert found is not None
    ends = [(low, high) for low in ENDS for high in ENDS]
    rows = ", ".join(f"{{(int)({low}L), (int)({high}L)}}" for low, high in ends)
    program = f"""#include <cstdio>
int main() {{
  static const int ends[][2] = {{{rows}}};
  for (const int(&e)[2] : ends) {{
    const int first_i = e[0], first_i0 = e[1];
    const unsigned int _n = {found[1]};
    std::printf("%u\\n", _n);
  }}
}}
"""
    (tmp_path / "counts.cpp").write_text(program)
    compiler = find_host_compiler()
    subprocess.run([compiler.path, "counts.cpp", "-o", "counts", "-fsanitize=undefined"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "counts"], capture_output=True, text=True, check=True)
    assert printed.stderr == ""
    assert [int(line) for line in printed.stdout.split()] == [len(range(a, b + closed, step)) for a, b in ends]


def test_where_it_is_counted_so() -> None:
    loop = STEPS["by ones"][0]
    assert "unsigned int _left = _n; _left > 0u;" in emitted(loop, "cuda")
    assert "unsigned int" not in emitted(loop, "host")
    wide = loop.replace("int i", "long i").replace("first[row + 1]", "(long)first[row + 1]")
    assert "const long _n" in emitted(wide, "cuda")
