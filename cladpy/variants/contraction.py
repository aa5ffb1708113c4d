"""The adjoints of a contraction as contractions: `dA[i, k] += sum of dC[i, j] * B[k, j]` over j, and the other one.

What a thread does with its sum is run first, for each as in the original: the gradient of the kernel with the sum
loaded from memory in place of the loop. It leaves the cotangents of the sums there. The two products come behind it,
and one before it where it asks for the sums themselves; <cladpy/contraction.h> has them, in tiles of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.analysis.accesses_of_launch import Unfit
from cladpy.analysis.contractions import Contraction, Dimension, find_contraction
from cladpy.analysis.dimensions import BLOCKS, THREADS
from cladpy.analysis.polynomials import expression
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, LONG, UINT, Pointer, spell
from cladpy.ir.walk import statements, with_regions
from cladpy.variants.variant import Original, Step, Text, Variant

_AXES = tuple((*t, *b) for t, b in zip(THREADS.items(), BLOCKS.items(), strict=True))

_WORDS = {False: "false", True: "true"}


@dataclass(frozen=True, slots=True)
class Products(Variant):
    """`epilogue` is the kernel that is run between: on the grid of the original. `conditions` are those of the launch;
    of the `factors` those in `wanted` have an adjoint, which is `replaced` where it is promised to be zero."""

    header = "cladpy/contraction.h"
    repeats = False
    end = "_by.finish"
    reason = "the launch function computes it as a product of matrices instead"

    contraction: Contraction
    epilogue: code.Function
    conditions: tuple[core.Expr, ...]
    wanted: tuple[bool, bool]
    replaced: tuple[bool, bool]
    sums: bool  # whether the epilogue asks for them
    roots: tuple[core.Root, ...]

    @classmethod
    def of(cls, original: Original) -> Products | None:
        kernel = original.normalized
        try:
            contraction = find_contraction(kernel)
        except Unfit:  # explain says why
            return None
        given = {r.position: r for r in original.varied - original.optional}  # the kernel was normalised anew
        wanted = tuple(f.position in given for f in contraction.factors)
        name = "contracted"
        while any(p.name in (name, f"_d_{name}") for p in kernel.parameters):
            name += "_"
        memory = core.Root(
            name, contraction.result.type, core.RootKind.ARGUMENT, kernel.span, position=len(kernel.parameters)
        )
        rest = _rest(kernel, contraction, memory)
        made = original.of_rest(rest)
        if made is None or not any(wanted):
            return None
        function, single = made
        names = (name, f"_d_{name}")
        parameters = (replace(p, of_launch=True) if p.name in names else p for p in function.parameters)
        epilogue = replace(function, parameters=tuple(parameters))
        alone = (
            core.Binary(BinaryOp.EQ, core.Builtin(extent, UINT), core.Const(1, UINT), BOOL)
            for extent in sorted(single, key=lambda e: e.value)
        )
        left = {s.root for s in statements(rest.body) if isinstance(s, core.Load)}
        first, second = contraction.factors
        promised = {r.position for r in original.fresh}
        fresh = (f.position in promised and f not in left for f in contraction.factors)
        touched = (found for s in all_statements(epilogue.body) for found in touched_roots(s))
        return Products(
            contraction,
            epilogue,
            tuple(dict.fromkeys((*contraction.conditions, *alone))),
            (wanted[0], wanted[1]),
            (next(fresh), next(fresh) and first is not second),
            (memory, False) in touched,
            tuple(dict.fromkeys(given[f.position] for f in contraction.factors if f.position in given)),
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        says = "What the launch function runs in place of this kernel, but for two products of matrices."
        name, type = self._memory.name, spell(self._memory.element)
        given = f"{type} *const {name} = _by.sums(), *const _d_{name} = _by.cotangents();"
        return (Step(self.epilogue, says, "_grid", given=given),)

    @property
    def _axes(self) -> tuple[int, ...]:
        return _axes(self.contraction)

    @property
    def _memory(self) -> core.Root:
        memory = self.epilogue.primal.parameters[-1].contents[0]
        assert isinstance(memory, core.Root)
        return memory

    def test(self, text: Text) -> tuple[tuple[str, ...], str]:
        factors = zip(self.contraction.factors, self.contraction.bases, self.wanted, self.replaced, strict=True)
        given = []
        for root, base, wanted, replaced in factors:
            name = self.epilogue.primal.parameters[root.position or 0].name
            adjoint = text.pointer(f"_d_{name}") if wanted else "nullptr"
            parts = (text.pointer(name), adjoint, text(expression(base)), _WORDS[replaced])
            given.append(f"{{{', '.join(parts)}}}")
        type = f"cladpy::contraction<{spell(self._memory.element)}>"
        lines = [f"{type} _by(_grid, _block, _stream, {', '.join(given)}, {_WORDS[self.sums]});"]
        lines += (self._line(d, text) for d in self.contraction.dimensions)
        conditions = [text(c) for c in self.conditions]
        return tuple(lines), " && ".join([*conditions, "_by.begin()"])

    def _line(self, d: Dimension, text: Text) -> str:
        kind = {(True, False): "rows", (False, True): "columns"}.get(d.of, "batches")
        strides = [text(expression(s)) for s, there in zip(d.strides, d.of, strict=True) if there]
        if d.axis is None:
            kind = "depth"
        else:
            strides.append(text(_place_stride(self._axes, d.axis)))
        counts = "".join(f", {text(limit)}" for limit in d.limits)
        return f"_by.{kind}({', '.join(strides)}, {text(d.count)}{counts});"

    def explained(self) -> tuple[tuple[str, ...], str]:
        roots = " and ".join(f"_d_{root.name}" for root in self.roots)
        steps = [f"{self.epilogue.name} is launched on the grid of the original; it leaves the cotangents of the sums"]
        if self.sums:
            steps.insert(0, "the sums are computed as a product of matrices")
        steps.append(f"{roots}: products of matrices, each element written once, without atomics")
        return tuple(steps), "blocks are not as large as tiles, or elements of a factor are one"


def _rest(kernel: core.Function, found: Contraction, memory: core.Root) -> core.Function:
    """The kernel with a load in place of the loop."""
    sum = core.Value(f"{found.result.name}_sum", found.result.type)
    load = core.Load(sum, memory, _place(_axes(found)), found.loop.span)
    total = core.Let(found.result, _added(found.init, core.Use(sum)), found.loop.span)
    parameter = core.Parameter(memory.name, Pointer(memory.element), (core.Part(memory),))

    def without(region: core.Region) -> Iterator[core.Statement]:
        for s in region:
            if s is found.loop:
                yield load
                yield total
            else:
                yield with_regions(s, lambda inner: tuple(without(inner)))

    return replace(kernel, parameters=(*kernel.parameters, parameter), body=tuple(without(kernel.body)))


def _added(init: core.Expr, sum: core.Expr) -> core.Expr:
    starts_at_zero = isinstance(init, core.Const) and init.value == 0
    return sum if starts_at_zero else core.Binary(BinaryOp.ADD, init, sum, sum.type)


def _axes(found: Contraction) -> tuple[int, ...]:
    return tuple(d.axis for d in found.dimensions if d.axis is not None)


def _wide(variable: BuiltinVar) -> core.Expr:
    return core.Cast(core.Builtin(variable, UINT), LONG)


def _place_stride(axes: tuple[int, ...], axis: int) -> core.Expr:
    """How many threads there are for each place along an axis, of those that a launch has more than one thread on."""
    total: core.Expr = core.Const(1, LONG)
    for _, threads, _, blocks in (_AXES[a] for a in axes if a < axis):
        extent = core.Binary(BinaryOp.MUL, _wide(threads), _wide(blocks), LONG)
        total = extent if isinstance(total, core.Const) else core.Binary(BinaryOp.MUL, total, extent, LONG)
    return total


def _place(axes: tuple[int, ...]) -> core.Expr:
    """The number of a thread, counted over the launch along the first axis first."""
    total: core.Expr = core.Const(0, LONG)
    for axis in axes:
        thread, threads, block, _ = _AXES[axis]
        before = core.Binary(BinaryOp.MUL, _wide(block), _wide(threads), LONG)
        at: core.Expr = core.Binary(BinaryOp.ADD, before, _wide(thread), LONG)
        if isinstance(total, core.Const):
            total = at
        else:
            total = core.Binary(
                BinaryOp.ADD, total, core.Binary(BinaryOp.MUL, at, _place_stride(axes, axis), LONG), LONG
            )
    return total
