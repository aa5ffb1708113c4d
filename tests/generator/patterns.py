"""Random kernels of shapes that passes of the gradient recognise, with variations at the edges of what these may do."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np

from tests.generator import alone, planes, teams, tied
from tests.generator.lines import Line
from tests.generator.making import Lines, Making
from tests.generator.program import GeneratedProgram

_INDEX = ("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x")
_BLOCKS = (1, 5, 8, 16, 31, 32, 32, 33, 48, 64)
_LEFT_OUT = (0, 0, 1, 2)  # threads without work
# What is recognised where it is all that a kernel does.
_WHOLE = (
    alone.columns, alone.columns, alone.pairs, alone.two_weights, alone.around, alone.around, alone.softmax,
    alone.pairs_with_zeros,
)  # fmt: skip


def generate_pattern(seed: int, size: int = 3, *, kinks: bool = False) -> GeneratedProgram:
    """The program of this seed, with up to `size` pieces where threads work for themselves."""
    rng = random.Random(f"pattern kinks {seed}" if kinks else f"pattern {seed}")
    k = Making(rng, np.random.default_rng(seed), rng.choice(("double", "double", "float")))
    pick = rng.random()
    if kinks and rng.random() < 0.5:
        lines, grid, block = rng.choice(tied.SHAPES)(k)
    elif pick < 0.5:
        lines, grid, block = _line(k, size)
    elif pick < 0.72:
        lines, grid, block = rng.choice(planes.SHAPES)(k)
    else:
        lines, grid, block = rng.choice(teams.SHAPES)(k)
    text = k.text("kernel", lines)
    named = [a for a in k.active if len(re.findall(rf"\b{a}\b", text)) > 1]
    return GeneratedProgram(text, "kernel", ", ".join(named), grid, block, k.values, options=_options(k, text, named))


def _options(k: Making, text: str, named: Lines) -> dict[str, Any]:
    """Mostly none."""
    if not k.chance(0.25):
        return {}
    form = k.rng.randrange(6)
    if form == 0:
        return {"accumulate": k.one_of("deterministic", "atomic")}
    if form == 1:
        return {"may_alias": True}
    read = [name for name in named if re.search(rf"const {k.real} \*{name}\b", text)]
    stored = [name for name in named if re.search(rf"(?<!const ){k.real} \*{name}\b", text)]
    promises = {"fresh": read, "consumed": stored}
    return {what: ", ".join(n for n in names if k.chance(0.7)) for what, names in promises.items()}


def _line(k: Making, size: int) -> tuple[Lines, tuple[int, int, int], tuple[int, int, int]]:
    rng = k.rng
    block = rng.choice(_BLOCKS)
    grid = rng.randint(1, 3) if block > 16 else rng.randint(2, 4)
    threads, type = grid * block, k.integer_type()
    form = rng.choice(("return", "return", "branch", "all", "stride", "inner"))
    n = max(4, threads - rng.choice((*_LEFT_OUT, block // 2)))
    if form == "stride":
        n = threads * rng.choice((1, 2)) + rng.choice((-1, 0, 3))
        n = max(4, n)
    elif form == "all" or n > threads:
        n = max(4, threads)
    k.heads.append(f"{type} n")
    k.values.append(n)
    state = k.array("state", n, written=True)
    at = Line(k, n, grid, block, type, "own")
    if form == "all" and n > threads:
        form = "return"
    if k.chance(0.35):
        made = [rng.choice(_WHOLE)(at)]
        y = k.array("y", n, written=True)
        stored = [f"{y}[i] = {k.one_of(made[0], made[0], f'{made[0]} + own', f'{made[0]} * own')};"]
    else:
        made = [rng.choice(alone.PIECES)(at) for _ in range(rng.choice((1, 1, *range(1, size + 1))))]
        stored = _stored(k, at, state, made)
    body = [f"const {k.real} own = {state}[i];", *k.lines, *stored]
    index = rng.choice(_INDEX)
    start = f"const {type} i = {index};"
    match form:
        case "return":
            lines = [start, "if (i >= n) return;", *body]
        case "branch":
            lines = [start, "if (i < n) {", *("  " + line for line in body), "}"]
        case "inner":
            lines = [start, k.one_of("if (i < 1 || i >= n - 1) return;", "if (i + 1 >= n || i == 0) return;"), *body]
        case "stride":
            step = k.one_of("gridDim.x * blockDim.x", "blockDim.x * gridDim.x")
            lines = [f"for ({type} i = {index}; i < n; i += {step}) {{", *("  " + line for line in body), "}"]
        case _:
            lines = [start, *body]
    return lines, (grid, 1, 1), (block, 1, 1)


def _stored(k: Making, at: Line, state: str, made: Lines) -> Lines:
    """What becomes of the numbers that the pieces have made."""
    total = " + ".join([*made, k.one_of("own", "own * own")])
    form = k.rng.randrange(6)
    if form == 0:
        return [f"{state}[i] = {total};"]
    if form == 1:
        return [f"{state}[i] += {k.real}(0.3) * ({total});"]
    y = k.array("y", 2 * at.n, written=True)
    if form == 2:
        return [f"{y}[2 * i] = {total};", f"{y}[2 * i + 1] {k.one_of('=', '-=')} {made[0]} * own;"]
    if form == 3:
        return [f"{y}[i] {k.one_of('=', '+=')} {total};", f"if (own > {k.constant()}) {y}[i] = {made[-1]};"]
    return [f"{y}[i] {k.one_of('=', '=', '=', '+=')} {k.one_of('', 'sin')}({total});"]
