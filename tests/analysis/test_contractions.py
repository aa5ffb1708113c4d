"""Sums that are recognised as products of matrices: by what they are made of, and why others are not."""

from __future__ import annotations

import pytest

from cladpy.analysis.accesses_of_launch import Unfit
from cladpy.analysis.contractions import Contraction, Dimension, find_contraction
from cladpy.analysis.polynomials import expression
from cladpy.ir.core_text import Printer
from tests.ir.stages import core_of
from tests.kernels.case import HERE

PROGRAM = (HERE / "products.cu").read_text()


def described(found: Contraction) -> list[str]:
    printer = Printer()

    def of(d: Dimension) -> str:
        axis = "over" if d.axis is None else f"{'xyz'[d.axis]}:"
        limits = "".join(f", below {printer.expr(limit)}" for limit in d.limits)
        first, second = (printer.expr(expression(s)) for s in d.strides)
        return f"{axis} {printer.expr(d.count)}{limits} by {first}; {second}".replace("long", "").replace("%", "")

    return [*map(of, found.dimensions), *(f"if {printer.expr(c)}".replace("long", "") for c in found.conditions)]


X = "x: ((blockDim.x) * (gridDim.x))"
Y = "y: ((blockDim.y) * (gridDim.y))"
PLANE = ["if ((blockDim.z) == 1)", "if ((gridDim.z) == 1)"]
RECOGNISED = {
    "plain": [
        f"{X}, below (columns) by 0; 1",
        f"{Y}, below (rows) by (depth); 0",
        "over (((0 < depth) ? depth : 0)) by 1; (columns)",
        *PLANE,
    ],
    "squashed": [
        f"{X}, below (rows) by (depth); 0",
        f"{Y}, below (columns) by 0; (depth)",
        "over (((0 < depth) ? depth : 0)) by 1; 1",
        *PLANE,
    ],
    "batches": [
        f"{X}, below (columns) by 0; 1",
        f"{Y}, below (rows) by (depth); 0",
        "z: ((blockDim.z) * (gridDim.z)) by ((depth) * (rows)); (stride)",
        "over (((0 < depth) ? depth : 0)) by 1; (columns)",
        "if ((blockDim.z) == 1)",
    ],
    "tiled": [
        f"{X}, below (columns) by 0; 1",
        f"{Y}, below (rows) by (depth); 0",
        "over ((((0 < depth) ? (((depth - 1) / 8) + 1) : 0)) * 8), below (depth) by 1; (columns)",
        "if (8 <= (blockDim.x))",
        "if (((blockDim.x) - 1) < 8)",
        "if (8 <= (blockDim.y))",
        "if (((blockDim.x) - 1) < 9)",
        "if ((blockDim.y) == 8)",
        "if ((blockDim.x) == 8)",
        *PLANE,
    ],
    "in_turns": [
        f"{X} by 0; 1",
        f"{Y}, below (rows) by (depth); 0",
        "over ((((0 < depth) ? (((depth - 1) / 8) + 1) : 0)) * 8) by 1; (8 * (gridDim.x))",
        "if ((blockDim.y) == 4)",
        "if (8 <= (4 * 2))",
        "if (((blockDim.x) - 1) < 8)",
        "if ((blockDim.x) == 8)",
        *PLANE,
    ],
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_what_is_recognised(name: str) -> None:
    assert described(find_contraction(core_of(PROGRAM, name))) == RECOGNISED[name]


SUM = "double s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s;"
TILE = """double s = 0;
for (int k = 0; k < n; k += 8) {
  t[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
  __syncthreads();
  for (int l = 0; l < 8; l++) s += t[threadIdx.y][l] * b[(k + l) * n + j];
  __syncthreads();
}
c[i * n + j] = s;"""
ONCE = """t[threadIdx.y][threadIdx.x] = a[i * n + threadIdx.x];
__syncthreads();
double s = 0;
for (int l = 0; l < 8; l++) s += t[threadIdx.y][l] * b[l * n + j];
c[i * n + j] = s;"""
NONE = "no loop adds up products of what is loaded"
FILL = "t[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];"
IN_TILE = "a tile is not read as it is filled"
REFUSED = {
    "no product": (SUM, ("+= a[i * n + k] *", "+= a[i * n + k] +"), NONE),
    "no sum": (SUM, ("s += a", "s = a"), NONE),
    "made of more": (SUM, ("+= a[i * n + k]", "+= (a[i * n + k] + 1)"), NONE),
    "two that are chosen": (SUM, ("a[i * n + k]", "(k < m ? a[i * n + k] : a[k])"), NONE),
    "changed": (SUM, ("b[k * n + j];", "b[k * n + j], s *= 0.5;"), "what is summed is changed otherwise in the loop"),
    "anew": (f"for (int r = 0; r < m; r++) {{ {SUM} }}", ("", ""), "the sum begins anew in a loop"),
    "counter used": (
        "int k = 0; double s = 0; for (; k < n; k += 3) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s * k;",
        ("", ""),
        "more than the sum of the loop is used behind it",
    ),
    "stored": (SUM, ("s += a", "c[k] = 1, s += a"), "the loop stores more than it reads itself"),
    "more done": (SUM, ("s += a", "atomicAdd(&c[k], 1.0), s += a"), "the loop does more than to load and to add"),
    "float factor": (SUM, ("a[i", "f[i"), NONE),
    "written": (SUM, ("double s = 0;", "double s = 0; b[j] = 1;"), "a factor is written by the kernel, or no array"),
    "length of its own": (SUM, ("k < n", "k < i"), "how often a loop runs is not the same for all threads"),
    "unknown length": (SUM, ("k < n", "k < n && a[k] > 0"), "how often a loop runs is not the same for all threads"),
    "divided length": (SUM, ("k < n", "k < n / m"), "how often a loop runs is not the same for all threads"),
    "a condition": (f"if (a[0] > 0) {{ {SUM} }}", ("", ""), "a condition is no bound"),
    "odd rows": (f"if (i != m) {{ {SUM} }}", ("", ""), "a condition is no bound"),
    "wrapping": (f"if ((unsigned)(i - m) < (unsigned)n) {{ {SUM} }}", ("", ""), "a condition is no bound"),
    "pairs": (f"if (i < j) {{ {SUM} }}", ("", ""), "a condition is no bound of rows, columns or depth"),
    "squares": (SUM, ("a[i * n + k]", "a[i * i + k]"), "an index is not linear in where a thread is"),
    "by table": (SUM, ("a[i * n + k]", "a[at[i] + k]"), "an index is not linear in where a thread is"),
    "odd blocks": (
        SUM,
        ("a[i * n + k]", "a[threadIdx.y * 3 + blockIdx.y * 7 + k]"),
        "blocks do not lie one behind the other",
    ),
    "one vector": (SUM, ("b[k * n + j]", "b[k]"), "no axis of the launch goes over rows, or none over columns"),
    "factor alone": (SUM, ("b[k * n + j]", "b[j]"), "a factor does not depend on the loop"),
    "three counters": (
        SUM,
        (
            "for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];",
            "for (int k = 0; k < n; k++) for (int l = 0; l < m; l++) for (int q = 0; q < m; q++)"
            " s += a[i * n + k * m + l * n + q] * b[k * n + l + q * m + j];",
        ),
        "sums go over more than two dimensions",
    ),
    "filled twice": (TILE, (FILL, f"{FILL} t[0][0] = b[k];"), "a tile is not filled by one statement"),
    "no wait": (
        TILE,
        ("j];\n  __syncthreads();", "j];"),
        "threads do not wait before and behind a tile is read",
    ),
    "filled in part": (TILE, (FILL, f"if (i < m) {FILL}"), "a tile is not filled in all cases"),
    "from a tile": (
        TILE,
        (FILL, f"u[threadIdx.x] = a[k]; {FILL.replace('a[i * n + k +', 'u[')}"),
        "a tile is filled from",
    ),
    "row of squares": (
        TILE,
        ("t[threadIdx.y][threadIdx.x] =", "t[threadIdx.y * threadIdx.x][0] ="),
        "the index of a tile",
    ),
    "other rows": (TILE, ("t[threadIdx.y][l]", "t[threadIdx.y][2 * l]"), IN_TILE),
    "shifted": (TILE, ("t[threadIdx.y][l]", "t[threadIdx.y][l + 1]"), IN_TILE),
    "one column": (TILE, ("t[threadIdx.y][l]", "t[0][l]"), IN_TILE),
    "by other threads": (
        TILE.replace("t[threadIdx.y]", "t[0]"),
        ("", ""),
        "threads store different elements at one place",
    ),
    "under a condition": (
        TILE,
        ("s += t[threadIdx.y][l]", "s += (i < m ? t[threadIdx.y][l] : 0.0)"),
        "a tile is filled from",
    ),
    "filled outside": (ONCE, ("", ""), "a tile is filled outside of the loop"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not(name: str) -> None:
    body, (before, after), reason = REFUSED[name]
    text = f"""
__global__ void k(const double *a, double *b, double *c, const float *f, const int *at, int n, int m) {{
  __shared__ double t[8][8], u[8];
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  {body.replace(before, after, 1)}
}}
"""
    with pytest.raises(Unfit) as raised:
        find_contraction(core_of(text))
    assert str(raised.value).startswith(reason)
