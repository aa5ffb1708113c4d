"""A random program: device functions that call each other, a kernel, its launch and its argument values."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.generator.classes import add_object, filled, initial, make_classes
from tests.generator.constructs import indented
from tests.generator.expressions import stored
from tests.generator.helpers import with_helpers
from tests.generator.recursion import make_recursion
from tests.generator.scope import Array, Class, Function, Parameter, Scope, Variable
from tests.generator.statements import block, fading, returning

WITH_CLASSES = 0.4  # of all programs
WITH_RECURSION = 0.25


@dataclass(frozen=True)
class GeneratedProgram:
    text: str
    function: str
    args: str
    grid: tuple[int, int, int] | None  # None where the function is the host's
    block: tuple[int, int, int] | None
    values: list[Any]
    shared_mem: int = 0  # bytes
    options: dict[str, Any] = field(default_factory=dict)  # for the gradient
    kinks: bool = False  # whether the values lead to kinks: it is judged by `tests/sides.py`


# In any launch there are at most these.
MOST_THREADS = 64


def generate(seed: int, size: int = 30, *, kinks: bool = False) -> GeneratedProgram:
    """The program of this seed: about `size` statements in the kernel, and up to three device functions."""
    rng = random.Random(f"kinks {seed}") if kinks else random.Random(seed)
    types = rng.choice((("double",), ("double",), ("float", "double"), ("double", "double", "float"), ("float",)))
    counter = [0]
    functions: list[Function] = []
    tables, texts = make_tables(rng, types)
    classes: list[Class] = []
    if random.Random(f"classes {seed}").random() < WITH_CLASSES:
        classes, definitions = make_classes(rng, types)
        texts += definitions
    for _ in range(rng.randint(0, 3)):
        text, function = make_function(rng, types, functions, counter, tables, classes, kinks=kinks)
        texts.append(text)
        functions.append(function)
    recursion = random.Random(f"recursion {seed}")
    if recursion.random() < WITH_RECURSION:
        text, function = make_recursion(recursion, types, functions, counter, tables)
        texts.append(text)
        functions += [function] * 2
    kernel = _Kernel(rng, types, functions, counter, tables, classes, kinks)
    texts += kernel.variables(random.Random(f"variables {seed}"))
    texts.append(kernel.text(size))
    return kernel.program(with_helpers(texts), seed)


def make_tables(rng: random.Random, types: tuple[str, ...]) -> tuple[list[Array], list[str]]:
    """Arrays at namespace scope, some of them in a namespace, and their text."""
    tables, texts = [], []
    for k in range(rng.randint(0, 2)):
        type = rng.choice(types)
        lengths = [rng.randint(2, 5), *([3] if rng.random() < 0.3 else [])]
        rows = []
        for _ in range(lengths[0]):
            numbers = [f"{type}({rng.uniform(-1.5, 1.5):.3f})" for _ in range(lengths[1] if len(lengths) > 1 else 1)]
            rows.append("{" + ", ".join(numbers) + "}" if len(lengths) > 1 else numbers[0])
        kind = rng.choice(
            ("__constant__", "static __device__ const", "__device__", "__device__ const", "static __constant__")
        )
        name = f"table{k}"
        text = f"{kind} {type} {name}{''.join(f'[{n}]' for n in lengths)} = {{{', '.join(rows)}}};"
        if rng.random() < 0.5:
            text, name = f"namespace tables {{ {text} }}", f"tables::{name}"
        texts.append(text)
        tables.append(Array(name, type, tuple(map(str, lengths)), False))
    return tables, texts


def make_function(
    rng: random.Random,
    types: tuple[str, ...],
    functions: list[Function],
    counter: list[int],
    tables: list[Array],
    classes: list[Class],
    *,
    kinks: bool = False,
) -> tuple[str, Function]:
    scope = Scope(
        rng,
        types,
        list(functions),
        counter,
        [rng.randint(3, 12)],
        arrays=list(tables),
        classes=classes,
        statements=block,
        kinks=kinks,
    )
    counter[0] += 1
    name = f"f{counter[0]}"
    result = rng.choice((*types, *types, "void"))
    scope.result = result
    parameters, heads = [], []
    others = ("value", "pointer", "reference", "array", "integer", "out", "rows")
    if classes:
        others += ("object", "object reference", "object pointer")
    kinds = ["value", *rng.choices(others, k=rng.randint(1, 3))]
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
        elif kind == "out":
            heads += [f"{p.type} *{p.name}", f"int {p.name}_n"]
            scope.arrays.append(Array(p.name, p.type, (f"{p.name}_n",), True))
        elif kind == "rows":
            heads += [f"{p.type} (*{p.name})[3]", f"int {p.name}_n"]
            scope.arrays.append(Array(p.name, p.type, (f"{p.name}_n", "3"), True))
        elif kind.startswith("object"):
            of = rng.choice(classes)
            parameters[-1] = Parameter(kind, of.name, p.name)
            heads.append(f"{of.name} {'*' if 'pointer' in kind else '&' if 'reference' in kind else ''}{p.name}")
            add_object(scope, f"(*{p.name})" if "pointer" in kind else p.name, of)
        else:
            heads.append(f"int {p.name}")
            scope.integers.append(p.name)
    body = block(scope, scope.budget[0])
    if result != "void":
        body.append(f"return {stored(scope, 2).text};")
    text = "\n".join([f"__device__ {result} {name}({', '.join(heads)}) {{", *indented(body), "}"])
    # walk() compares a pointer with the end of its array; what a function calls may do so too
    walks = bool(re.search(r"\be\d+ - p\d+", text)) or any(f.walks and f"{f.name}(" in text for f in functions)
    return text, Function(name, result, tuple(parameters), walks)


class _Kernel:
    """The kernel's parameters, its body, and values for them."""

    def __init__(
        self,
        rng: random.Random,
        types: tuple[str, ...],
        functions: list[Function],
        counter: list[int],
        tables: list[Array],
        classes: list[Class],
        kinks: bool,
    ) -> None:
        self.rng = rng
        self.scope = Scope(
            rng, types, functions, counter, [0], arrays=list(tables), classes=classes, statements=block, kinks=kinks
        )
        self.outputs = [(f"y{k}", self.scope.type()) for k in range(rng.randint(0, 2))]
        self.flat = rng.random() < 0.7  # a launch in one dimension
        self.full = rng.random() < 0.25  # every thread has work: no guard
        # one thread has several elements, at a distance of all threads
        self.strided = self.flat and not self.full and random.Random(f"stride {rng.random()}").random() < 0.25
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

    def variables(self, rng: random.Random) -> list[str]:
        """Objects at namespace scope: one that is read, and an array with one for each thread."""
        texts = []
        for k, of in enumerate(self.scope.classes):
            form = rng.random()
            if form < 0.35:
                texts.append(f"__constant__ {of.name} fixed{k} = {initial(rng, of)};")
                add_object(self.scope, f"fixed{k}", of, writable=False)
                if rng.random() < 0.8:
                    self.active.append(f"fixed{k}")
            elif form < 0.6:
                texts.append(f"__device__ {of.name} kept{k}[{MOST_THREADS}];")
                add_object(self.scope, f"kept{k}[i]", of)
                self.active.append(f"kept{k}")
        return texts

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
        for name, type in self.outputs:
            self._parameter(name, f"{type} *{name}", "input", type, True)
        for k in range(rng.randint(0, 2)):
            type = rng.choice(("int", "long", "unsigned", "size_t", "short"))
            self._parameter(f"m{k}", f"{type} m{k}", "count", type, False)
            scope.integers.append(f"m{k}")
        self._parameter("index", "const int *index", "index", "int", False)
        self._parameter("n", "int n", "n", "int", False)
        scope.integers += ["i", "index[i]"]
        scope.variables.append(Variable("state[i]", state))
        scope.arrays.append(Array("row", rows, (str(self.width),), True))
        for k, of in enumerate(scope.classes):
            self._parameter(f"read{k}", f"const {of.name} *read{k}", "objects", of.name, rng.random() < 0.8)
            self._parameter(f"own{k}", f"{of.name} *own{k}", "objects", of.name, True)
            add_object(scope, f"read{k}[{rng.choice(('i', 'index[i]'))}]", of, writable=False)
            add_object(scope, f"own{k}[i]", of)
            if rng.random() < 0.4:
                self._parameter(f"given{k}", f"{of.name} given{k}", "object", of.name, rng.random() < 0.8)
                add_object(scope, f"given{k}", of)
        scope.budget[0] = size
        guarded = not self.full and rng.random() < 0.5
        start = [] if self.strided else ["int i = blockIdx.x * blockDim.x + threadIdx.x;"]
        if not self.flat:
            start.append("i += (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x;")
        body = [f"{rows} *row = rows + i * {self.width};"]
        if not guarded and not self.full and not self.strided:
            start.append("if (i >= n) return;")
        scope.depth = 1 if guarded or self.strided else 0
        scope.loops = int(self.strided)
        scope.continuable = self.strided
        body += block(scope, size)
        names = [v.name for v in scope.variables if v.name.startswith("v")]
        for name in names[-3:]:
            body.append(fading(scope, name))
        body.append(f"state[i] = {stored(scope).text};")
        for name, _ in self.outputs:
            body.append(f"{name}[i] {rng.choice(('=', '+=', '-='))} {stored(scope).text};")
        if names:
            body.append(f"row[{self.width - 1}] = row[0] * 0.5 + {names[-1]};")
        if rng.random() < 0.3:
            body.append(returning(scope))
        if self.strided:
            step = "i += gridDim.x * blockDim.x"
            head = f"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; {step})"
            body = [f"{head} {{", *indented(body), "}"]
        elif guarded:
            body = ["if (i < n) {", *indented(body), "}"]
        head = f"__global__ void kernel({', '.join(self.heads)}) {{"
        return "\n".join([head, *indented([*start, *body]), "}"])

    def program(self, text: str, seed: int) -> GeneratedProgram:
        fill = np.random.default_rng(seed)
        if self.flat:
            shape = (self.rng.choice((4, 8)), 1, 1)
            grid = (2 if self.strided else -(-self.threads // shape[0]), 1, 1)
        else:
            shape = (self.rng.choice((2, 4)), self.rng.choice((2, 3)), 1)
            grid = (2, -(-self.threads // (2 * shape[0] * shape[1])), 1)
        n = shape[0] * shape[1] * grid[0] * grid[1] if self.full else self.threads
        sizes = {"input": n, "rows": n * self.width, "total": 3}
        values: list[Any] = []
        classes = {c.name: c for c in self.scope.classes}
        for kind, type in self.kinds:
            if kind.startswith("object"):
                made = filled(classes[type], n if kind == "objects" else 1, fill)
                values.append(made if kind == "objects" else made[0])
                continue
            dtype = np.float32 if type == "float" else np.float64
            if kind in sizes:
                values.append(fill.uniform(0.2, 1.2, sizes[kind]).astype(dtype))
            elif kind == "scalar":
                values.append(dtype(fill.uniform(0.2, 1.2)))
            elif kind == "count":
                values.append(int(fill.integers(0, 9)))
            elif kind == "index":
                values.append(fill.integers(0, n, n).astype(np.int32))
            else:
                values.append(n)
        # a variable that is only declared is none that the program names
        unused = {a for a in self.active if len(re.findall(rf"\b{a}\b", text)) == 1 and a.startswith(("fixed", "kept"))}
        named = [a for a in self.active if a not in unused]
        return GeneratedProgram(text, "kernel", ", ".join(named), grid, shape, values)
