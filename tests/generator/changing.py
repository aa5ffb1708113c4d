"""Random kernels for random host programs whose functions give a number and change an object."""

from __future__ import annotations

import random
from collections.abc import Callable

Lines = list[str]
Expression = Callable[[random.Random, list[str], int], str]


def make_changing(rng: random.Random, index: int, atoms: Lines, expression: Expression) -> tuple[str, Lines]:
    """Definitions, and the lines of a kernel that writes y[i]; what is in them stays in the range of `expression`."""
    own = f"Own{index}"
    members = ["a", "b"]
    changed = rng.choice(members)
    other = members[1 - members.index(changed)]
    given = expression(rng, ["a", "b", "v"], 1)
    lines = [f"struct {own} {{", "  real a, b;"]
    if rng.random() < 0.5:  # a method
        lines.append("  __device__ real take(real v) {")
        self, call = "", "o.take({0})"
    else:
        lines += ["};", f"__device__ real take{index}({own} &o, real v) {{"]
        self, call = "o.", f"take{index}(o, {{0}})"
        given = expression(rng, ["o.a", "o.b", "v"], 1)
    early = f"if ({self}{other} > real({rng.uniform(0.1, 0.6):.4f})) return {self}{other} * real(0.5);"
    body = [
        *([early] if rng.random() < 0.3 else []),
        f"{self}{changed} = real(0.5) * {self}{changed} + real(0.3) * sin(v * {self}{other});",
        *([f"{self}{other} *= real(0.7);"] if rng.random() < 0.5 else []),
        f"return {rng.choice((given, f'tanh({self}a * {self}b)', f'{self}{changed} * real(0.5)'))};",
    ]
    indent = "    " if not self else "  "
    lines += [indent + line for line in body]
    lines += ["  }", "};"] if not self else ["}"]
    if rng.random() < 0.3:  # the kernel calls another, which calls it
        outer = f"outer{index}"
        twice = f"t * real(0.6) + real(0.3) * {call.format('t')}"
        lines += [
            f"__device__ real {outer}({own} &o, real v) {{",
            f"  const real t = {call.format('v')};",
            f"  return {rng.choice((twice, 't * o.a', 't'))};",
            "}",
        ]
        call = f"{outer}(o, {{0}})"
    used = [f"{own} o = {{real({expression(rng, atoms, 1)}), real({expression(rng, atoms, 0)})}};"]
    first = call.format(expression(rng, atoms, 1))
    form = rng.randrange(4)
    if form == 0:
        used.append(f"real r = {first};")
    elif form == 1:
        used += ["real r = real(0.3);", f"if ({rng.choice(('i % 3 != 1', 'o.a > real(0.2)'))}) r = {first};"]
    elif form == 2:
        again = call.format("r")
        used += [
            "real r = real(0.3);",
            f"for (int k = 0; k < {rng.choice(('2', 'i % 4'))}; ++k) r = real(0.5) * r + real(0.4) * {again};",
        ]
    else:
        used += [f"real r = {first};", f"r = real(0.5) * r + real(0.3) * {call.format('o.b')};"]
    if rng.random() < 0.3:
        used.append(f"{call.format('r')};")
    last = expression(rng, ["r", "o.a", "o.b", *atoms], 1)
    return "\n".join(lines), [*used, f"y[i] = {last};"]
