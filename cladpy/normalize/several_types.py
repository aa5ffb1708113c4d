"""Dynamic shared memory that is used as several types.

What a kernel takes for its dynamic shared memory as each type is a root of its own, as what is stored there as one type
is read as that type. But zero is zero as any: a loop that clears words clears the numbers that lie there. So a store of
zero to one of these roots is one to all of them. Where the others' elements are larger, who clears the first part of
one is taken to clear it. What else is read before anything has been stored there as its type, where something has as
another, is bits of that: there is no derivative, and no value either.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cladpy.diagnostics import Span
from cladpy.ir import core, fold
from cladpy.ir.reach import memory_written, written
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import BOOL, LONG, is_integer, size_of
from cladpy.ir.walk import statements, touched, with_regions
from cladpy.normalize.casts import rescaled
from cladpy.normalize.places import advance


def with_all_cleared(function: core.Function) -> core.Function:
    """The function with such stores made to all roots of the memory."""
    parts = _parts(function)
    if not parts:
        return function
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    return replace(function, body=_region(function.body, parts, lets))


def clearing_calls(function: core.Function) -> set[FunctionSymbol]:
    """What is called to write such memory as integers, where it holds numbers too: it may clear it."""
    parts = _parts(function)
    calls = (s for s in statements(function.body) if isinstance(s, core.Call)) if parts else ()
    return {c.callee for c in calls if any(_may_clear(m, parts) for m in memory_written(c))}


def read_as_another(function: core.Function) -> tuple[core.Root, Span] | None:
    """The first access that finds bits of what was stored as another type, in the order in which statements stand."""
    parts = _parts(function)
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
    begun: set[core.Root] = set()  # with an access, and with what is no zero
    stored: set[core.Root] = set()
    for s in statements(function.body) if parts else ():
        ours = [] if isinstance(s, core.Allocate) else [root for root in touched(s) if root.memory in parts]
        over = set(ours) if isinstance(s, core.Store) else set(written(s, function)) if isinstance(s, core.Call) else ()
        for root in ours:
            if root not in begun and root not in over and not stored.isdisjoint(set(parts[root.memory]) - {root}):
                return root, s.span
            begun.add(root)
            if not (isinstance(s, core.Load) or (isinstance(s, core.Store) and _is_zero(s.expr, lets))):
                stored.add(root)
    return None


def _parts(function: core.Function) -> dict[core.Root, list[core.Root]]:
    """The roots of each dynamic shared memory that is used as several types, by what stands for all of them."""
    found: dict[core.Root, list[core.Root]] = defaultdict(list)
    for s in function.body:
        if isinstance(s, core.Allocate) and s.root.dynamic:
            found[s.root.memory].append(s.root)
    return {memory: roots for memory, roots in found.items() if len(roots) > 1}


def _may_clear(memory: core.MEMORY, parts: Mapping[core.Root, list[core.Root]]) -> bool:
    places = memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,)
    roots = {p.root for p in places if p.root.memory in parts and is_integer(p.root.element)}
    return any(not is_integer(other.element) for root in roots for other in parts[root.memory])


def _region(
    region: core.Region, parts: Mapping[core.Root, list[core.Root]], lets: Mapping[core.Value, core.Expr]
) -> core.Region:
    out: list[core.Statement] = []
    for statement in region:
        out.append(with_regions(statement, lambda inner: _region(inner, parts, lets)))
        if isinstance(statement, core.Store) and _is_zero(statement.expr, lets):
            for root in parts.get(statement.root.memory, ()):
                if root is not statement.root:
                    out += _cleared(root, statement)
    return tuple(out)


def _is_zero(expr: core.Expr, lets: Mapping[core.Value, core.Expr]) -> bool:
    while isinstance(expr, core.Use) and expr.value in lets:
        expr = lets[expr.value]
    if isinstance(expr, core.Cast):
        return _is_zero(expr.operand, lets)
    return isinstance(expr, core.Const) and expr.value == 0 and math.copysign(1.0, expr.value) > 0


def _cleared(root: core.Root, store: core.Store) -> Iterator[core.Statement]:
    """The stores to another root that are made with one."""
    before, after = size_of(store.root.element), size_of(root.element)
    zero = fold.zero(root.element)
    first = rescaled(store.index, before, after, is_aligned=True)
    assert first is not None, "the store is made where it is aligned"
    each = (advance(first, core.Const(k, LONG), 1, False) for k in range(max(before // after, 1)))
    stores = tuple(core.Store(root, index, zero, store.span) for index in each)
    if before >= after:
        yield from stores
        return
    rest = fold.binary(core.BinaryOp.REM, store.index, core.Const(after // before, store.index.type), store.index.type)
    condition = fold.binary(core.BinaryOp.EQ, rest, fold.zero(store.index.type), BOOL)
    if isinstance(condition, core.Const):
        yield from stores if condition.value else ()
    else:
        yield core.If(condition, stores, (), (), store.span)
