"""Values that depend on memory which the kernel itself overwrites: the counting launch, which stores nothing, cannot
know them."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.analysis.loops import goes_on
from cladpy.ir import core
from cladpy.ir.types import BOOL
from cladpy.ir.walk import operands, statements, values


def unknown_values(function: core.Function, stores: frozenset[core.Statement]) -> frozenset[core.Value]:
    """The values that cannot be computed without carrying out `stores` to memory that outlives the thread.

    What a loop's step gives is known where only leaving the loop is in doubt: counting goes on then.
    """
    every = list(statements(function.body))
    overwritten = {
        s.root for s in every if isinstance(s, core.Store | core.AtomicAdd) and s in stores and _outlives(s.root)
    }
    unknown: set[core.Value] = set()
    if not overwritten:
        return frozenset()
    loops = _loops_around(function.body, ())
    memory: set[core.Root] = set(overwritten)

    def doubtful(expr: core.Expr) -> bool:
        return any(v in unknown for v in values(expr))

    before = -1
    while before != len(unknown) + len(memory):
        before = len(unknown) + len(memory)
        for s in every:
            match s:
                case core.Let(value, expr) if doubtful(expr):
                    unknown.add(value)
                case core.Load(value, root, index) if root in memory or doubtful(index):
                    unknown.add(value)
                case core.Store(root, index, expr) if root.kind is core.RootKind.LOCAL:
                    if doubtful(index) or doubtful(expr) or any(doubtful(c) for c in _conditions(s, loops)):
                        memory.add(root)
                case core.Call(value) if value is not None and any(doubtful(e) for e in operands(s)):
                    unknown.add(value)
                case core.If(condition, _, _, merges):
                    # a step that is left out only where no iteration follows
                    goes = any(goes_on(loop, condition) for loop in loops.get(s, ()) if isinstance(loop, core.Loop))
                    for m in merges:
                        # but what says whether one follows is in doubt itself
                        step = goes and m.value.type != BOOL
                        if doubtful(m.then) or (not step and (doubtful(condition) or doubtful(m.other))):
                            unknown.add(m.value)
                case core.Loop(carried, _, condition):
                    for c in carried:
                        if doubtful(c.init) or doubtful(c.next):
                            unknown |= {c.value, c.result}
                        elif doubtful(condition):
                            unknown.add(c.result)
                case _:
                    pass
    return frozenset(unknown)


def _outlives(root: core.Root) -> bool:
    return root.kind is not core.RootKind.LOCAL


def _conditions(
    statement: core.Statement, around: dict[core.Statement, tuple[core.Statement, ...]]
) -> Iterator[core.Expr]:
    for outer in around.get(statement, ()):
        if isinstance(outer, core.If | core.Loop):
            yield outer.condition


def _loops_around(
    region: core.Region, around: tuple[core.Statement, ...]
) -> dict[core.Statement, tuple[core.Statement, ...]]:
    """What is around each statement, from the inside out."""
    found: dict[core.Statement, tuple[core.Statement, ...]] = {}
    for s in region:
        found[s] = around
        match s:
            case core.If(_, then, other):
                found |= _loops_around(then, (s, *around)) | _loops_around(other, (s, *around))
            case core.Loop(_, before, _, body):
                found |= _loops_around(before, (s, *around)) | _loops_around(body, (s, *around))
            case _:
                pass
    return found
