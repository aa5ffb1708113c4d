"""Random host programs that step through time: kernels from one buffer to the other and back, in all the ways in which
programs exchange the two, with something else between the steps now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.generator.constructs import indented
from tests.generator.program import GeneratedProgram

Lines = list[str]

_WRAPPED = "__device__ __forceinline__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }"
_TOTAL = """__global__ void total(real *sum, const real *u, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(sum, real(0.1) * u[i] * u[i]);
}"""
_PAIR = """struct Pair {
  real *now, *next;
  void flip() { std::swap(now, next); }
};"""


@dataclass(frozen=True)
class Step:
    """A kernel that makes new fields of old ones: `name(next…, now…, coefficients, nx, ny, rate)`."""

    name: str
    text: str
    fields: int
    in_place: bool  # whether a field may be both: each thread reads and writes its own elements
    flat: bool

    def launch(self, rng: random.Random, to: Lines, source: Lines, block: int, nx: str = "nx", ny: str = "ny") -> str:
        rate = rng.choice(("rate", "rate", "real(0.3)", "rate * rate"))
        given = ", ".join([*to, *source, "coefficients", nx, ny, rate])
        if self.flat:
            return f"{self.name}<<<({nx} * {ny} + {block - 1}) / {block}, {block}>>>({given});"
        return f"{self.name}<<<dim3(({nx} + {block - 1}) / {block}, {ny}), {block}>>>({given});"


def make_step(rng: random.Random, index: int) -> Step:
    fields = rng.choice((1, 1, 2))
    flat = rng.random() < 0.5
    edge = rng.choice(("pointwise", "periodic", "periodic", "inner", "copied", "masked"))
    lines: Lines = []
    if flat:
        lines += ["const int c = blockIdx.x * blockDim.x + threadIdx.x, n = nx * ny;", "if (c >= n) return;"]
        if edge == "inner":
            lines[-1] = f"if (c < 1 || c >= n - {rng.choice((1, 2))}) return;"
    else:
        lines += ["const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;"]
        lines.append("if (x >= nx) return;" if rng.random() < 0.5 else "if (x >= nx || y >= ny) return;")
        if edge == "inner":
            lines[-1] = "if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;"
        lines.append("const int c = y * nx + x;")
    if rng.random() < 0.15:
        lines.append(rng.choice(("if (rate < real(0.3)) return;", "if (c > nx && rate > real(0.5)) return;")))
    if edge == "masked":
        lines.append(rng.choice(("if (c % 5 == 3) return;", "if (coefficients[c] > real(0.8)) return;")))
    if edge == "copied":
        rim = "c == 0 || c == n - 1" if flat else "x == 0 || y == 0 || x == nx - 1 || y == ny - 1"
        times = rng.choice(("", "real(0.5) * "))
        lines += [f"if ({rim}) {{", *(f"  o{f}[c] = {times}a{f}[c];" for f in range(fields)), "  return;", "}"]
    read: Lines = []
    for f in range(fields):
        if edge in ("pointwise", "masked"):
            places = ["c"] * rng.randint(1, 2)
        elif edge == "periodic":
            count = rng.choice((1, 1, 2, 3))
            places = [_around(rng, flat) for _ in range(count)]
            if rng.random() < 0.3:
                places.append("c")
        else:
            steps = ["c + 1", "c - 1"] if flat else ["c + 1", "c - 1", "c + nx", "c - nx"]
            places = [*(["c"] * (rng.random() < 0.8)), *rng.sample(steps, rng.randint(1, len(steps)))]
        for place in places:
            name = f"v{len(read)}"
            read.append(name)
            lines.append(f"const real {name} = a{f}[{place}];")
    if rng.random() < 0.3:  # one number of a few
        lines.append(f"const real w = {' + '.join(read)};")
        lines.append(f"const real strength = {rng.choice(('sin(w)', 'w / (real(2) + w * w)', 'exp(-w * w)'))};")
        read.append("strength")
    if rng.random() < 0.15:
        lines.append("real s = v0;")
        lines.append("for (int t = 0; t < c % 4; ++t) s = real(0.5) * sin(s * (t + 1)) + real(0.2) * s;")
        read.append("s")
    for f in range(fields):
        a, b = rng.choice(read), rng.choice(read)
        what = rng.choice(
            (
                f"{a} + rate * real(0.1) * ({b} - {a} * {b})",
                f"real(0.9) * {a} + real(0.1) * coefficients[c] * {b} * {b}",
                f"real(0.5) * {a} + real(0.3) * sin({b})",
                f"({' + '.join(read)}) / {len(read)}",
                f"tanh({a} * {b} + rate)",
            )
        )
        lines.append(f"o{f}[c] = {what};")
    heads = [f"real *o{f}" for f in range(fields)] + [f"const real *a{f}" for f in range(fields)]
    name = f"step{index}"
    head = f"__global__ void {name}({', '.join([*heads, 'const real *coefficients'])}, int nx, int ny, real rate) {{"
    return Step(name, "\n".join([head, *indented(lines), "}"]), fields, edge in ("pointwise", "masked"), flat)


def _around(rng: random.Random, flat: bool) -> str:
    """An element at one place from the thread's in a ring, or in a box that is one in each direction."""
    by = rng.choice((1, 1, 2, 3))
    if flat:
        return rng.choice((f"(c + {by}) % n", f"(c + n - {by}) % n", f"wrapped(c + {by}, n)", f"wrapped(c - {by}, n)"))
    by = min(by, 2)
    x = rng.choice(("x", f"wrapped(x + {by}, nx)", f"(x + {by}) % nx", "(x == 0 ? nx - 1 : x - 1)"))
    y = rng.choice(("y", "wrapped(y - 1, ny)", f"((y + {by}) % ny)"))
    return f"{y} * nx + {x}"


def _between(rng: random.Random, buffers: Lines, counter: str) -> Lines:
    """Something else that looks at the buffers, or changes them."""
    a, b = rng.sample(buffers, 2)
    what = rng.choice(
        (
            f"total<<<(nx * ny + 31) / 32, 32>>>(sum, {a}, nx * ny);",
            f"total<<<1, 8>>>(sum, {a}, 8);",
            f"cudaMemcpy({a}, {b}, nx * sizeof(real), cudaMemcpyDeviceToDevice);",
            f"cudaMemcpy({a} + nx, {b}, nx * ny / 2 * sizeof(real), cudaMemcpyDeviceToDevice);",
            f"cudaMemset({a} + 1, 0, 3 * sizeof(real));",
            "rate = rate * real(0.9);",
        )
    )
    test = rng.choice(("", f"if ({counter} % 3 == 1) ", f"if ({counter} == 0) ", "if (rate > real(0.4)) "))
    return [test + what]


def _stepping(rng: random.Random, step: Step, now: Lines, next: Lines, block: int) -> Lines:
    """A loop over time, from `now` to `next` and so on. Where pointers change places they do so for good."""
    form = rng.choice(("two", "two", "swap", "parity", "array", "pair", "three"))
    fields = range(step.fields)
    now, next = now[: step.fields], next[: step.fields]
    buffers = [*now, *next]
    t = "t"
    body: Lines = []
    before: Lines = []

    def launch(to: Lines, source: Lines) -> str:
        nx, ny, width = "nx", "ny", block
        pick = rng.random()
        if pick < 0.08:
            nx = "(nx - 1)"
        elif pick < 0.14:
            ny = "(ny - 1)"
        elif pick < 0.2:
            width = rng.choice((16, 7))
        if step.fields > 1 and rng.random() < 0.12:  # one buffer for two parameters that are only read
            source = [source[0]] * step.fields
        if step.in_place and rng.random() < 0.15:
            source = to
        if rng.random() < 0.06:
            to, source = [f"{p} + 1" for p in to], [f"{p} + 1" for p in source]
            nx, ny = "(nx - 1)", "(ny - 1)"
        return step.launch(rng, to, source, width, nx, ny)

    if form == "two":
        body = [launch(next, now), launch(now, next)]
    elif form == "swap":
        body = [launch(next, now), *(f"std::swap({next[f]}, {now[f]});" for f in fields)]
    elif form == "parity":
        to = [f"({t} % 2 ? {now[f]} : {next[f]})" for f in fields]
        body = [step.launch(rng, to, [f"({t} % 2 ? {next[f]} : {now[f]})" for f in fields], block)]
    elif form == "array":
        before = [f"real *p{f}[2] = {{{now[f]}, {next[f]}}};" for f in fields]
        to = [f"p{f}[({t} + 1) % 2]" for f in fields]
        body = [step.launch(rng, to, [f"p{f}[{t} % 2]" for f in fields], block)]
    elif form == "pair":
        before = [f"Pair pair{f} = {{{now[f]}, {next[f]}}};" for f in fields]
        body = [step.launch(rng, [f"pair{f}.next" for f in fields], [f"pair{f}.now" for f in fields], block)]
        body += [f"pair{f}.flip();" for f in fields]
    else:
        third = [f"w{f}" for f in fields]
        body = [launch(next, now), launch(third, next), launch(now, third)]
    if rng.random() < 0.4:
        body.insert(rng.randint(0, len(body)), _between(rng, buffers, t)[0])
    bound = rng.choice(("steps", "steps", "2 * steps", "3"))
    lines = [f"for (int {t} = 0; {t} < {bound}; {t}++) {{", *indented(body), "}"]
    return ["{", *indented([*before, *lines]), "}"] if before else lines


def generate_steps(seed: int, size: int = 2) -> GeneratedProgram:
    """A host function with up to `size` loops over time."""
    rng = random.Random(f"steps {seed}")
    real = rng.choice(("double", "double", "float"))
    texts = ["#include <cuda_runtime.h>", "#include <utility>", f"typedef {real} real;", _WRAPPED, _TOTAL, _PAIR]
    steps = [make_step(rng, k) for k in range(rng.randint(1, 2))]
    texts += [s.text for s in steps]
    fields = max(s.fields for s in steps)
    now, next = [f"u{f}" for f in range(fields)], [f"v{f}" for f in range(fields)]
    own = rng.random() < 0.4  # the other buffers are the program's
    third = [f"w{f}" for f in range(fields)]
    made = [*(next if own else []), *third]
    before: Lines = []
    for name in made:
        before += [f"real *{name};", f"cudaMalloc(&{name}, nx * ny * sizeof(real));"]
        if rng.random() < 0.5:
            before.append(f"cudaMemset({name}, 0, nx * ny * sizeof(real));")
        else:
            before.append(f"cudaMemcpy({name}, u0, nx * ny * sizeof(real), cudaMemcpyDeviceToDevice);")
        before.append(f"real *const {name}_own = {name};")
    blocks = rng.choice((32, 32, 16, 33))
    body: Lines = []
    for _ in range(rng.randint(1, size)):
        body += _stepping(rng, rng.choice(steps), now, next, blocks)
        if rng.random() < 0.3:
            body += _between(rng, [*now, *next], "steps")
    if own or rng.random() < 0.5:
        body.append(f"total<<<(nx * ny + 31) / 32, 32>>>(sum, {rng.choice(now)}, nx * ny);")
    after = [f"cudaFree({name}_own);" for name in made]
    given = [*now, *([] if own else next)]
    heads = [f"real *{name}" for name in given]
    heads += ["real *sum", "const real *coefficients", "int nx", "int ny", "real rate", "int steps"]
    head = f"void program({', '.join(heads)}) {{"
    text = "\n\n".join([*texts, "\n".join([head, *indented([*before, *body, *after]), "}"])]) + "\n"
    fill = np.random.default_rng(seed)
    dtype = np.float32 if real == "float" else np.float64
    nx, ny = rng.choice((5, 8, 13)), rng.choice((4, 5))
    values = [
        *(fill.uniform(0.2, 1.0, nx * ny).astype(dtype) for _ in given),
        fill.uniform(0.2, 1.0, 1).astype(dtype),
        fill.uniform(0.2, 1.0, nx * ny).astype(dtype),
        nx,
        ny,
        dtype(fill.uniform(0.2, 0.9)),
        rng.choice((0, 1, 2, 3, 4)),
    ]
    active = [*given, "sum", *rng.choice((["coefficients", "rate"], ["rate"], ["coefficients"], []))]
    options: dict[str, Any] = {}
    if rng.random() < 0.2:
        options = rng.choice(({"accumulate": "deterministic"}, {"checkpoint": "binomial:4K"}, {"may_alias": True}))
    return GeneratedProgram(text, "program", ", ".join(active), None, None, values, options=options)
