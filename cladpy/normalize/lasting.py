"""Local arrays that copies of a host program write: they last as long as the function, whatever scope they stand in.

The reverse sweep runs the body of a loop or branch again, with arrays of its own, and does not make copies again: what
they put there would be missing. Of an array that lasts, what host code reads is kept, as of other memory that is
overwritten.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import core, host
from cladpy.ir.reach import written
from cladpy.ir.types import INT, ULONG, size_of
from cladpy.ir.walk import statements, with_regions


def with_lasting(function: core.Function) -> core.Function:
    """The function with such arrays declared where it begins. What was zero at its declaration is filled there."""
    roots: set[core.Root] = set()
    for statement in statements(function.body):
        if isinstance(statement, core.Call) and statement.callee in host.STEPS:
            roots.update(r for r in written(statement, function) if r.kind is core.RootKind.LOCAL)
    nested = (s for outer in function.body if isinstance(outer, core.If | core.Loop) for s in statements((outer,)))
    moved = [s for s in nested if isinstance(s, core.Allocate) and s.root in roots]
    if not moved:
        return function
    first = tuple(replace(a, zeroed=False) for a in moved)
    return replace(function, body=(*first, *_without(function.body, frozenset(moved))))


def _without(region: core.Region, moved: frozenset[core.Allocate]) -> core.Region:
    out: list[core.Statement] = []
    for statement in region:
        match statement:
            case core.Allocate(zeroed=zeroed) if statement in moved:
                out += [_zero(statement)] if zeroed else []
            case _:
                out.append(with_regions(statement, lambda inner: _without(inner, moved)))
    return tuple(out)


def _zero(allocation: core.Allocate) -> core.Call:
    root = allocation.root
    assert root.length is not None
    bytes = core.Const(root.length * size_of(root.element), ULONG)
    memory = core.PointerArgument(root, core.Const(0, ULONG))
    given = (memory, core.Const(0, INT), bytes)
    return core.Call((), host.FILL, given, allocation.span, writes=frozenset({0}))
