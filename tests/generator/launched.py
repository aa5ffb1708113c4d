"""Random kernels for random host programs: what they write stays in a small range, whatever they read."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.generator.changing import make_changing

# Kernels of threads that each write elements of their own.
WIDTH = 32


@dataclass(frozen=True)
class Kernel:
    """A kernel: the memory that it takes, letter by letter, and how many numbers beside.

    `w` is written, `u` is written and read before, `r` is read, `+` is added to by all threads in its first three
    elements.
    """

    name: str
    memory: str
    numbers: int
    apart: bool  # whether memory that it writes must be none that it reads elsewhere
    template: bool = False
    object: bool = False  # whether memory and size come in an object

    @property
    def callee(self) -> str:
        return f"{self.name}<real, 3>" if self.template else self.name


def expression(rng: random.Random, atoms: list[str], depth: int = 2) -> str:
    """A number of magnitude 2 at most, where the atoms' magnitude is 4 at most."""
    a = expression(rng, atoms, depth - 1) if depth and rng.random() < 0.6 else rng.choice(atoms)
    b = expression(rng, atoms, depth - 1) if depth and rng.random() < 0.4 else rng.choice(atoms)
    c = f"real({rng.uniform(0.2, 1.4):.3f})"
    return rng.choice(
        (
            f"sin({a} * {c} + {b})",
            f"(tanh({a} * {b}) + real(0.3) * cos({b}))",
            f"({a} / (real(2.5) + {b} * {b}))",
            f"(real(0.5) * {a} * {c} - real(0.1) * {b})",
            f"exp(-({a} * {a})) * {c}",
            f"({a} > {c} ? sin({b}) : real(0.5) * {a})",
        )
    )


def make_kernel(rng: random.Random, index: int) -> tuple[str, Kernel]:
    name = f"run{index}"
    form = rng.choice(
        ("pointwise", "pointwise", "update", "update", "stencil", "sum", "block", "some", "scan", "gather", "changing")
    )
    numbers = rng.randint(0, 2)
    inputs = [f"x{k}" for k in range(rng.randint(1, 2))]
    atoms = [f"{x}[i]" for x in inputs] + [f"s{k}" for k in range(numbers)]
    template = rng.random() < 0.2 and form != "changing"
    apart, body, written, defined = False, [], "w", ""
    match form:
        case "pointwise":
            body = [f"y[i] = {expression(rng, atoms)};"]
        case "update":
            written = "u"
            body = [f"y[i] = {expression(rng, [*atoms, 'y[i]'], 3)};"]
            if rng.random() < 0.5:
                body = [f"y[i] += real(0.2) * {expression(rng, [*atoms, 'y[i]'])};", "y[i] *= real(0.7);"]
        case "stencil":
            apart = True
            near = ["x0[i > 0 ? i - 1 : i]", "x0[i + 1 < n ? i + 1 : 0]", *atoms]
            body = [f"y[i] = {expression(rng, near, 3)};"]
        case "sum":
            apart, written = True, "+"
            body = [f"atomicAdd(y + i % 3, real(0.05) * {expression(rng, atoms)});"]
        case "block":
            apart, written = True, "u"
            body = [
                f"part[threadIdx.x] = {expression(rng, atoms)};",
                "__syncthreads();",
                f"for (int k = {WIDTH // 2}; k > 0; k >>= 1) {{",
                "  if (threadIdx.x < k) part[threadIdx.x] = real(0.5) * (part[threadIdx.x] + part[threadIdx.x + k]);",
                "  __syncthreads();",
                "}",
                "if (threadIdx.x == 0) y[blockIdx.x] = part[0];",
            ]
        case "some":
            written = "u"
            test = rng.choice(("x0[i] > real(0.4)", "i % 3 == 1", "x0[i] * y[i] < real(0.2)"))
            body = [f"if ({test}) y[i] = {expression(rng, [*atoms, 'y[i]'])};"]
        case "scan":
            apart = True
            body = [
                "real a = x0[i];",
                f"for (int k = 0; k <= i % 5; ++k) a = {expression(rng, ['a', 'x0[(i + k) % n]'], 1)} + real(0.1) * a;",
                f"y[i] = {expression(rng, [*atoms, 'a'])};",
            ]
        case "changing":
            defined, body = make_changing(rng, index, atoms, expression)
        case _:
            apart = True
            body = [f"y[i] = {expression(rng, [*atoms, 'x0[(i * 7 + 3) % n]'])};"]
    by_object = form in ("pointwise", "update", "stencil") and rng.random() < 0.25
    guard = "if (i >= n) return;"
    if form == "block":
        guard, body[0] = f"__shared__ real part[{WIDTH}];", "part[threadIdx.x] = 0;"
        body.insert(1, f"if (i < n) part[threadIdx.x] = {expression(rng, atoms)};")
    if template:
        body = [line.replace("real", "T") for line in body]
        guard = guard.replace("real", "T")
        body[-1] += "" if form in ("block", "some", "sum") else " y[i] = y[i] * T(K) / T(3.5);"
    lines = [guard, *body]
    if by_object:
        lines[:0] = ["int n = f.n;", "real *y = f.y;", *(f"const real *{x} = f.{x};" for x in inputs)]
        lines = [line.replace("real", "T") for line in lines] if template else lines
        members = "".join(f" const real *{x};" for x in inputs)
        given = f"F{index} f"
        before = f"struct F{index} {{ real *y;{members} int n; }};\n"
    else:
        given = ", ".join(["real *y", *(f"const real *{x}" for x in inputs)])
        before = ""
    parameters = [given, *(f"real s{k}" for k in range(numbers)), *([] if by_object else ["int n"])]
    head = ", ".join(parameters)
    if template and not by_object:
        head = head.replace("real", "T")
    elif template:
        head = head.replace("real s", "T s")
        lines = [line.replace("T *y = f", "real *y = f").replace("const T *x", "const real *x") for line in lines]
    lines.insert(0, "int i = blockIdx.x * blockDim.x + threadIdx.x;")
    if by_object:
        lines[0:2] = [lines[1], lines[0]]
    prefix = "template <class T, int K>\n" if template else ""
    text = "\n".join([f"{before}{prefix}__global__ void {name}({head}) {{", *("  " + line for line in lines), "}"])
    if defined:
        text = f"{defined}\n{text}"
    return text, Kernel(name, written + "r" * len(inputs), numbers, apart, template, by_object)
