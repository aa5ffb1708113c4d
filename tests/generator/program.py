"""A random program: device functions that call each other, a kernel, its launch and its argument values."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.generator.expressions import stored
from tests.generator.scope import Array, Function, Parameter, Scope, Variable
from tests.generator.statements import block, fading, indented, returning


@dataclass(frozen=True)
class GeneratedProgram:
    text: str
    function: str
    args: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    values: list[Any]


def generate(seed: int, size: int = 30) -> GeneratedProgram:
    """The program of this seed: about `size` statements in the kernel, and up to three device functions."""
    rng = random.Random(seed)
    types = rng.choice((("double",), ("double",), ("float", "double"), ("double", "double", "float"), ("float",)))
    counter = [0]
    functions: list[Function] = []
    texts = []
    for _ in range(rng.randint(0, 3)):
        text, function = _function(rng, types, functions, counter)
        texts.append(text)
        functions.append(function)
    kernel = _Kernel(rng, types, functions, counter)
    texts.append(kernel.text(size))
    return kernel.program("\n\n".join(texts) + "\n", seed)


def _function(
    rng: random.Random, types: tuple[str, ...], functions: list[Function], counter: list[int]
) -> tuple[str, Function]:
    scope = Scope(rng, types, list(functions), counter, [rng.randint(3, 9)])
    counter[0] += 1
    name = f"f{counter[0]}"
    result = rng.choice((*types, *types, "void"))
    scope.result = result
    parameters, heads = [], []
    kinds = ["value", *rng.choices(("value", "pointer", "reference", "array", "integer"), k=rng.randint(1, 3))]
    if result == "void":
        kinds.append(rng.choice(("pointer", "reference")))
    for kind in kinds:
        p = Parameter(kind, scope.type(), scope.fresh("p"))
        parameters.append(p)
        if kind == "value":
            heads.append(f"{p.type} {p.name}")
            scope.variables.append(Variable(p.name, p.type))
        elif kind == "pointer":
            heads.append(f"{p.type} *{p.name}")
            scope.variables.append(Variable(f"(*{p.name})", p.type))
        elif kind == "reference":
            heads.append(f"{p.type} &{p.name}")
            scope.variables.append(Variable(p.name, p.type))
        elif kind == "array":
            heads += [f"const {p.type} *{p.name}", f"int {p.name}_n"]
            scope.arrays.append(Array(p.name, p.type, (f"{p.name}_n",), False))
        else:
            heads.append(f"int {p.name}")
            scope.integers.append(p.name)
    body = block(scope, scope.budget[0])
    if result != "void":
        body.append(f"return {stored(scope, 2).text};")
    text = "\n".join([f"__device__ {result} {name}({', '.join(heads)}) {{", *indented(body), "}"])
    return text, Function(name, result, tuple(parameters))


class _Kernel:
    """The kernel's parameters, its body, and values for them."""

    def __init__(
        self, rng: random.Random, types: tuple[str, ...], functions: list[Function], counter: list[int]
    ) -> None:
        self.rng = rng
        self.scope = Scope(rng, types, functions, counter, [0])
        self.width = rng.randint(1, 4)  # elements of a row that belongs to one thread
        self.threads = rng.choice((5, 12, 24))
        self.heads: list[str] = []
        self.active: list[str] = []
        self.kinds: list[tuple[str, str]] = []  # what to fill each parameter with, and its type

    def _parameter(self, name: str, declaration: str, kind: str, type: str, active: bool) -> None:
        self.heads.append(declaration)
        self.kinds.append((kind, type))
        if active:
            self.active.append(name)

    def text(self, size: int) -> str:
        rng, scope = self.rng, self.scope
        inputs = [(f"x{k}", scope.type()) for k in range(rng.randint(1, 3))]
        for name, type in inputs:
            self._parameter(name, f"const {type} *{name}", "input", type, name == "x0" or rng.random() < 0.8)
            scope.arrays.append(Array(name, type, ("n",), False))
        for k in range(rng.randint(0, 2)):
            name, type = f"s{k}", scope.type()
            self._parameter(name, f"{type} {name}", "scalar", type, rng.random() < 0.7)
            scope.variables.append(Variable(name, type))
        state = scope.type()
        self._parameter("state", f"{state} *state", "input", state, True)
        rows = scope.type()
        self._parameter("rows", f"{rows} *rows", "rows", rows, True)
        total = scope.type()
        if rng.random() < 0.6:
            self._parameter("total", f"{total} *total", "total", total, True)
            scope.accumulators.append(Array("total", total, ("3",), True))
        self._parameter("index", "const int *index", "index", "int", False)
        self._parameter("n", "int n", "n", "int", False)
        scope.integers += ["i", "index[i]"]
        scope.variables.append(Variable("state[i]", state))
        scope.arrays.append(Array("row", rows, (str(self.width),), True))
        scope.budget[0] = size
        guarded = rng.random() < 0.5
        start = ["int i = blockIdx.x * blockDim.x + threadIdx.x;"]
        body = [f"{rows} *row = rows + i * {self.width};"]
        if not guarded:
            start.append("if (i >= n) return;")
        scope.depth = 1 if guarded else 0
        body += block(scope, size)
        names = [v.name for v in scope.variables if v.name.startswith("v")]
        for name in names[-3:]:
            body.append(fading(scope, name))
        body.append(f"state[i] = {stored(scope).text};")
        if names:
            body.append(f"row[{self.width - 1}] = row[0] * 0.5 + {names[-1]};")
        if rng.random() < 0.3:
            body.append(returning(scope))
        if guarded:
            body = ["if (i < n) {", *indented(body), "}"]
        head = f"__global__ void kernel({', '.join(self.heads)}) {{"
        return "\n".join([head, *indented([*start, *body]), "}"])

    def program(self, text: str, seed: int) -> GeneratedProgram:
        fill = np.random.default_rng(seed)
        n = self.threads
        sizes = {"input": n, "rows": n * self.width, "total": 3}
        values: list[Any] = []
        for kind, type in self.kinds:
            dtype = np.float32 if type == "float" else np.float64
            if kind in sizes:
                values.append(fill.uniform(0.2, 1.2, sizes[kind]).astype(dtype))
            elif kind == "scalar":
                values.append(dtype(fill.uniform(0.2, 1.2)))
            elif kind == "index":
                values.append(fill.integers(0, n, n).astype(np.int32))
            else:
                values.append(n)
        threads = self.rng.choice((4, 8))
        grid = (-(-n // threads), 1, 1)
        return GeneratedProgram(text, "kernel", ", ".join(self.active), grid, (threads, 1, 1), values)
