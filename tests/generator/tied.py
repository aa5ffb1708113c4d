"""Blocks and warps that look for the largest of numbers, many of which are equal, in the ways in which programs do; and
what is made of it."""

from __future__ import annotations

import random

from tests.generator.making import Lines, Making

Shape = tuple[Lines, tuple[int, int, int], tuple[int, int, int]]
SYNC = "__syncthreads();"


def larger(rng: random.Random, m: str, o: str, real: str) -> str:
    """A statement that makes `m` the larger of both."""
    f = "f" if real == "float" else ""
    return rng.choice(
        (
            f"{m} = fmax{f}({m}, {o});",
            f"{m} = fmax{f}({o}, {m});",
            f"{m} = max({m}, {o});",
            f"{m} = {o} > {m} ? {o} : {m};",
            f"{m} = {m} >= {o} ? {m} : {o};",
            f"if ({m} < {o}) {m} = {o};",
            f"{m} = -fmin{f}(-{m}, -{o});",
        )
    )


def of_lanes(rng: random.Random, m: str, real: str, mask: str, width: int, fresh: str) -> Lines:
    """All lanes of a segment get the largest of it."""
    form = rng.choice(("xor", "xor", "circle", "down", "scan"))
    o = f"{fresh}o"
    half = width // 2
    if form == "xor":
        head = rng.choice((f"for (int d = {half}; d > 0; d >>= 1)", f"for (int d = 1; d < {width}; d <<= 1)"))
        got = f"__shfl_xor_sync({mask}, {m}, d, {width})"
    elif form == "circle":
        head, got = f"for (int d = {half}; d; d /= 2)", f"__shfl_sync({mask}, {m}, (t + d) % {width}, {width})"
    elif form == "down":
        head, got = f"for (int d = {half}; d > 0; d >>= 1)", f"__shfl_down_sync({mask}, {m}, d, {width})"
    else:
        head, got = f"for (int d = 1; d < {width}; d <<= 1)", f"__shfl_up_sync({mask}, {m}, d, {width})"
    step = larger(rng, m, o, real)
    if form == "scan":
        step = f"if (t % {width} >= d) {{ {step} }}"
    lines = [f"{head} {{", f"  const {real} {o} = {got};", f"  {step}", "}"]
    if form in ("down", "scan"):
        lines.append(f"{m} = __shfl_sync({mask}, {m}, {0 if form == 'down' else width - 1}, {width});")
    return lines


def of_block(rng: random.Random, m: str, real: str, size: int, fresh: str) -> Lines:
    """All threads of a block get the largest of it."""
    s = f"{fresh}s"
    lines = [f"__shared__ {real} {s}[{size}];", f"{s}[t] = {m};", SYNC]
    form = rng.randrange(3)
    if form == 0:
        start = rng.choice((f"{s}[0]", "-INFINITY", f"{s}[t]"))
        at = rng.choice(("w", f"(t + w) % {size}"))
        return [
            *lines,
            f"{m} = {start};",
            f"for (int w = 0; w < {size}; ++w) {{ {larger(rng, m, f'{s}[{at}]', real)} }}",
            SYNC,
        ]
    if form == 1:
        half = f"{fresh}h"
        return [
            *lines,
            f"for (int w = {size}; w > 1; ) {{",
            f"  const int {half} = (w + 1) / 2;",
            f"  if (t + {half} < w) {{ {larger(rng, f'{s}[t]', f'{s}[t + {half}]', real)} }}",
            f"  w = {half};",
            f"  {SYNC}",
            "}",
            f"{m} = {s}[0];",
            SYNC,
        ]
    return [
        *lines,
        f"if (t == 0) {{ for (int w = 1; w < {size}; ++w) {{ {larger(rng, f'{s}[0]', f'{s}[w]', real)} }} }}",
        SYNC,
        f"{m} = {s}[0];",
        SYNC,
    ]


def rows_of_blocks(k: Making) -> Shape:
    """A row for each block, or each segment of a warp: its largest number, and what is smooth although that is not."""
    rng, real = k.rng, k.real
    size, rows = rng.choice((8, 16, 32, 32, 64)), rng.randint(1, 2)
    width = min(size, rng.choice((4, 8, 16, 32)))
    x, out = k.array("x", rows * size), k.array("out", rows * size, written=True)
    f = "f" if real == "float" else ""
    of_all = k.chance(0.5)
    many = size if of_all else width
    mask = "0xffffffffu" if size >= 32 else f"0x{(1 << size) - 1:x}u"
    own = k.one_of("v", "v", f"{real}(0.5) * v", "v * v", f"fabs{f}(v)")
    lines = [
        f"const int t = threadIdx.x, i = blockIdx.x * {size} + t;",
        f"const {real} v = {x}[i], u = {own};",
        f"{real} m = u;",
    ]
    if of_all and size > 32 and k.chance(0.5):  # by warps first
        lines += [*of_lanes(rng, "m", real, mask, 32, "w"), *of_block(rng, "m", real, size, "b")]
    else:
        lines += of_block(rng, "m", real, size, "b") if of_all else of_lanes(rng, "m", real, mask, width, "w")
    form = rng.randrange(4)
    if form == 0:  # a kink
        lines.append(f"{out}[i] = m * {k.constant()} + u;")
    else:
        lines += [
            f"{real} e = exp{f}(u - m);",
            f"__shared__ {real} es[{size}];",
            "es[t] = e;",
            SYNC,
            f"{real} sum = 0;",
        ]
        start = "0" if of_all else f"t / {width} * {width}"
        lines.append(f"for (int w = 0; w < {many}; ++w) sum += es[{start} + w];")
        what = {1: "e / sum", 2: f"m + log{f}(sum)", 3: f"u - m - log{f}(sum)"}[form]
        lines.append(f"{out}[i] = {what};")
    return lines, (rows, 1, 1), (size, 1, 1)


def argmax_of_lanes(k: Making) -> Shape:
    """The largest number of a warp with the lane that has it, which of equal ones is the first."""
    real, rows = k.real, k.rng.randint(1, 2)
    width = k.rng.choice((8, 32))
    x, w = k.array("x", rows * 32), k.array("w", 32)
    out = k.array("out", rows * 32, written=True)
    test = k.one_of("o > m || (o == m && there < at)", "o > m || (o == m && at > there)")
    lines = [
        "const int t = threadIdx.x, i = blockIdx.x * 32 + t;",
        f"{real} m = {x}[i];",
        "int at = t;",
        f"for (int d = {width // 2}; d > 0; d >>= 1) {{",
        f"  const {real} o = __shfl_xor_sync(0xffffffffu, m, d);",
        "  const int there = __shfl_xor_sync(0xffffffffu, at, d);",
        f"  if ({test}) {{ m = o; at = there; }}",
        "}",
        k.one_of(
            f"{out}[i] = exp({x}[i] - m) * {w}[t];",
            f"{out}[i] = m * {w}[t] + {x}[i];",
            f"{out}[i] = {x}[blockIdx.x * 32 + at] * {w}[t];",
        ),
    ]
    return lines, (rows, 1, 1), (32, 1, 1)


def neighbours_sorted(k: Making) -> Shape:
    """Lanes or threads that sort: a bitonic network by shuffles, or exchanges of neighbours in shared memory."""
    rng, real = k.rng, k.real
    x, w, out = k.array("x", 32), k.array("w", 32), k.array("out", 32, written=True)
    f = "f" if real == "float" else ""
    if k.chance(0.5):
        take = k.one_of(f"up ? fmin{f}(v, o) : fmax{f}(v, o)", "(v < o) == up ? v : o", "(v > o) == up ? o : v")
        body = [
            "for (int size = 2; size <= 32; size <<= 1) {",
            "  for (int d = size / 2; d > 0; d >>= 1) {",
            f"    const {real} o = __shfl_xor_sync(0xffffffffu, v, d);",
            "    const bool up = ((t & d) == 0) == ((t & size) == 0);",
            f"    v = {take};",
            "  }",
            "}",
        ]
    else:
        rounds = rng.randint(1, 5)
        swap = k.one_of(
            f"const {real} a = s[p], b = s[p + 1]; s[p] = fmin{f}(a, b); s[p + 1] = fmax{f}(a, b);",
            f"if (s[p] > s[p + 1]) {{ const {real} a = s[p]; s[p] = s[p + 1]; s[p + 1] = a; }}",
        )
        body = [
            f"__shared__ {real} s[32];",
            "s[t] = v;",
            SYNC,
            f"for (int r = 0; r < {rounds}; ++r) {{",
            "  const int p = 2 * t + r % 2;",
            f"  if (p + 1 < 32) {{ {swap} }}",
            f"  {SYNC}",
            "}",
            "v = s[t];",
        ]
    last = k.one_of(f"v * {w}[t]", f"v * {w}[0]", "v * v")
    lines = ["const int t = threadIdx.x;", f"{real} v = {x}[t];", *body, f"{out}[t] = {last};"]
    return lines, (1, 1, 1), (32, 1, 1)


SHAPES = (rows_of_blocks, rows_of_blocks, rows_of_blocks, argmax_of_lanes, neighbours_sorted)
