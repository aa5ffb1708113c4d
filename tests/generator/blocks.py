"""A random program whose threads work together in blocks."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np

from tests.generator.classes import initial, make_classes
from tests.generator.constructs import indented
from tests.generator.expressions import stored
from tests.generator.helpers import with_helpers
from tests.generator.program import GeneratedProgram, make_function, make_tables
from tests.generator.scope import Array, Class, Function, Scope, Variable
from tests.generator.statements import block, fading
from tests.generator.together import SYNC, Tile, Together, steps

WITH_CLASSES = 0.25  # of all programs
LEAVING = 0.3  # threads return early
BYTES = {"double": 8, "float": 4}


def generate_block(seed: int, size: int = 30, *, kinks: bool = False) -> GeneratedProgram:
    """The program of this seed, with about `size` statements in the kernel."""
    rng = random.Random(f"block kinks {seed}" if kinks else f"block {seed}")
    types = rng.choice((("double",), ("double",), ("float", "double"), ("float",)))
    counter = [0]
    tables, texts = make_tables(rng, types)
    classes: list[Class] = []
    if rng.random() < WITH_CLASSES:
        classes, definitions = make_classes(rng, types)
        texts += definitions
    functions: list[Function] = []
    for _ in range(rng.randint(0, 2)):
        text, function = make_function(rng, types, functions, counter, tables, classes, kinks=kinks)
        texts.append(text)
        functions.append(function)
    kernel = _Kernel(rng, types, functions, counter, tables, classes, kinks)
    texts += [kernel.block_sum(), kernel.text(size)]
    return kernel.program(with_helpers(texts), seed)


class _Kernel:
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
        self.shape = rng.choice(((8, 1), (16, 1), (24, 1), (32, 1), (40, 1), (8, 2), (8, 4), (64, 1)))
        self.size = self.shape[0] * self.shape[1]
        self.grid = rng.randint(1, 3)
        threads = self.grid * self.size
        self.n = threads - rng.choice((0, 0, 3, self.size // 2 + 1))
        self.leaving = rng.random() < LEAVING
        self.scope.leaves = self.leaving
        self.shared_mem = 0
        self.heads: list[str] = []
        self.kinds: list[tuple[str, str]] = []
        self.active: list[str] = []

    def _parameter(self, name: str, declaration: str, kind: str, type: str, active: bool) -> None:
        self.heads.append(declaration)
        self.kinds.append((kind, type))
        if active:
            self.active.append(name)

    def block_sum(self) -> str:
        """A sum over the block that every thread gets."""
        form = self.rng.randrange(3)
        head = "__device__ double block_sum(double v, int t) {"
        if form == 0:
            body = [
                f"__shared__ double s[{self.size}];",
                "s[t] = v;",
                SYNC,
                f"for (int k = 1; k < {self.size}; k *= 2) {{",
                f"  if (t % (2 * k) == 0 && t + k < {self.size}) s[t] += s[t + k];",
                f"  {SYNC}",
                "}",
                "double sum = s[0];",
                SYNC,
                "return sum;",
            ]
        elif form == 1:
            body = [
                "__shared__ double sum;",
                "if (t == 0) sum = 0;",
                SYNC,
                "atomicAdd(&sum, v);",
                SYNC,
                "v = sum;",
                SYNC,
                "return v;",
            ]
        else:
            body = [
                f"__shared__ double s[{self.size // 8}];",
                f"for (int k = 4; k; k /= 2) v += __shfl_down_sync({self._lanes()}, v, k, 8);",
                "if (t % 8 == 0) s[t / 8] = v;",
                SYNC,
                "double sum = 0;",
                f"for (int k = 0; k < {self.size // 8}; ++k) sum += s[k];",
                SYNC,
                "return sum;",
            ]
        return "\n".join([head, *indented(body), "}"])

    def _lanes(self) -> str:
        """The mask of the lanes that a warp has."""
        rest = self.size % 32
        if rest == 0:
            return "0xffffffffu"
        last = f"0x{(1 << rest) - 1:x}u"
        return last if self.size < 32 else f"(t / 32 == {self.size // 32} ? {last} : 0xffffffffu)"

    def _tiles(self) -> tuple[list[Tile], list[str]]:
        rng, size = self.rng, self.size
        tiles, lines = [], []
        for k in range(rng.randint(1, 3)):
            type = self.scope.type()
            form = rng.random()
            if form < 0.2 and size % 8 == 0:
                tile = Tile(f"s{k}s", type, rows=8)
                lines.append(f"__shared__ {type} {tile.name}[{size // 8}][8];")
            elif form < 0.4 and self.scope.classes:
                of = rng.choice(self.scope.classes)
                tile = Tile(f"s{k}s", of.name, of=of)
                lines.append(f"__shared__ {of.name} {tile.name}[{size}];")
            else:
                tile = Tile(f"s{k}s", type)
                lines.append(f"__shared__ {type} {tile.name}[{size + rng.randint(0, 2)}];")
            tiles.append(tile)
        if rng.random() < 0.4:
            self._carved(tiles, lines)
        if rng.random() < 0.3:
            type = self.scope.type()
            self._parameter("work", f"{type} *work", "work", type, True)
            lines.append(f"{type} *here = work + blockIdx.x * {size};")
            tiles.append(Tile("here", type))
        return tiles, lines

    def _carved(self, tiles: list[Tile], lines: list[str]) -> None:
        """Arrays in dynamic shared memory, one after the other; those of doubles first, since they must be aligned."""
        types = sorted(self.scope.type() for _ in range(self.rng.randint(1, 3)))
        lines.append(f"extern __shared__ {types[0]} memory[];")
        at = f"({types[0]} *)memory" if self.rng.random() < 0.5 else "memory"
        for k, type in enumerate(types):
            cast = "" if type == types[0] else f"({type} *)"
            lines.append(f"{type} *d{k}s = {cast}({at});")
            at = f"d{k}s + {self.size}"
            tiles.append(Tile(f"d{k}s", type))
            self.shared_mem += BYTES[type] * self.size

    def text(self, size: int) -> str:
        rng, scope = self.rng, self.scope
        for k in range(rng.randint(1, 2)):
            type = scope.type()
            self._parameter(f"x{k}", f"const {type} *x{k}", "input", type, k == 0 or rng.random() < 0.8)
            scope.arrays.append(Array(f"x{k}", type, ("n",), False))
        state = scope.type()
        self._parameter("state", f"{state} *state", "input", state, True)
        scalar = scope.type()
        self._parameter("u0", f"const {scalar} u0", "scalar", scalar, rng.random() < 0.7)
        scope.variables.append(Variable("u0", scalar, False))
        if rng.random() < 0.5:
            total = scope.type()
            self._parameter("total", f"{total} *total", "total", total, True)
            scope.accumulators.append(Array("total", total, ("3",), True))
        self._parameter("m0", "int m0", "count", "int", False)
        tiles, declared = self._tiles()
        self._parameter("n", "int n", "n", "int", False)
        with_ = Together(self.size, tiles, self.leaving, ["m0", "(int)blockIdx.x"], ["u0"])
        index = "threadIdx.x" if self.shape[1] == 1 else f"threadIdx.y * {self.shape[0]} + threadIdx.x"
        body = [f"const int t = {index}, i = blockIdx.x * {self.size} + t;"]
        body += [f"const unsigned lanes = {self._lanes()};"] if not self.leaving else []
        body += declared
        scope.integers += ["t", "m0"]
        body.append(f"double mine = i < n ? state[i] : {rng.uniform(0.2, 0.9):.3f};")
        scope.variables.append(Variable("mine", "double"))
        body += [self._start(tile) for tile in tiles]
        body.append(SYNC)
        if self.leaving:
            body += ["if (i >= n) return;", "state[i] *= 0.75;"]  # all may leave before they store anything else
        scope.budget[0] = size
        scope.depth = 2
        body += steps(scope, with_, rng.randint(4, 8))
        names = [v.name for v in scope.variables if v.name.startswith("v") and v.writable]
        body += [fading(scope, name) for name in names[-2:]]
        last = [f"0.2 * {tile.at('t')}" for tile in tiles if tile.of is None]
        last += [f"0.1 * {v.name}" for v in scope.variables if v.name.startswith("v")]
        body.append(f"if (i < n) state[i] = {' + '.join(['0.3 * mine', *last, stored(scope, 2).text])};")
        head = f"__global__ void kernel({', '.join(self.heads)}) {{"
        return "\n".join([head, *indented(body), "}"])

    def _start(self, tile: Tile) -> str:
        if tile.of is not None:
            made = self.scope.fresh("o")
            return f"{{ {tile.of.name} {made} = {initial(self.rng, tile.of)}; {tile.at('t')} = {made}; }}"
        if tile.name == "here" and self.rng.random() < 0.7:
            return ""  # what the caller put there
        low = f"{self.rng.uniform(0.1, 0.6):.3f}"
        value = self.rng.choice((f"x0[i % n] * {low}", f"sin(x0[i % n] + {low} * t)", f"{low} + 0.01 * t"))
        return f"{tile.at('t')} = {value};"

    def program(self, text: str, seed: int) -> GeneratedProgram:
        fill = np.random.default_rng(seed)
        sizes = {"input": self.n, "work": self.grid * self.size, "total": 3}
        values: list[Any] = []
        for kind, type in self.kinds:
            dtype = np.float32 if type == "float" else np.float64
            if kind in sizes:
                values.append(fill.uniform(0.2, 1.2, sizes[kind]).astype(dtype))
            elif kind == "scalar":
                values.append(dtype(fill.uniform(0.2, 1.2)))
            else:
                values.append(int(fill.integers(0, 9)) if kind == "count" else self.n)
        # the accumulator is of no use where nothing is added to it
        named = [a for a in self.active if len(re.findall(rf"\b{a}\b", text)) > 1]
        shape = (*self.shape, 1)
        return GeneratedProgram(
            text, "kernel", ", ".join(named), (self.grid, 1, 1), shape, values, shared_mem=self.shared_mem
        )
