"""What memory a call may read and write, in terms of the function that makes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cladpy.ir import core, walk
from cladpy.ir.effects import Memory
from cladpy.ir.types import Struct


def memory_in(argument: core.Argument) -> tuple[core.MEMORY, ...]:
    """The memory that an argument is, or that an object passed by value leads to."""
    match argument:
        case core.PointerArgument() | core.ChosenArgument():
            return (argument,)
        case core.ViewArgument(pointers=pointers):
            return tuple(memory for _, memory in pointers)
        case _:
            return ()


def reached(argument: core.MEMORY, function: core.Function) -> Iterator[core.Root]:
    """The memory that a callee may reach through an argument: where it is given objects, all that the caller reaches
    by the same parameter or variable."""
    if isinstance(argument, core.ChosenArgument):
        for alternative in argument.alternatives:
            yield from reached(alternative, function)
        return
    root = argument.root
    if not isinstance(root.element, Struct):
        yield root
    elif root.position is None:
        yield from (r for v in (*function.variables, *function.heap) if root in v.roots for r in v.roots)
    else:
        yield from (c for c in function.parameters[root.position].contents if isinstance(c, core.Root))


def memory_written(call: core.Call) -> Iterator[core.MEMORY]:
    """What a call is given that it may write."""
    for i in sorted(call.writes):
        match call.arguments[i]:
            case core.ViewArgument(pointers=pointers, unwritten=unwritten):
                yield from (memory for member, memory in pointers if member not in unwritten)
            case argument:
                yield from memory_in(argument)


def written(statement: core.Statement, function: core.Function) -> Iterator[core.Root]:
    """The memory that a statement may write."""
    if isinstance(statement, core.Call):
        for memory in memory_written(statement):
            yield from reached(memory, function)
    elif statement.effects.writes is Memory.NAMED:
        yield from walk.touched(statement)


def touched(call: core.Call, function: core.Function, positions: frozenset[int] | None = None) -> Iterator[core.Root]:
    """The memory that a call may read or write, by the arguments at some positions."""
    for i, argument in enumerate(call.arguments):
        for memory in memory_in(argument) if positions is None or i in positions else ():
            yield from reached(memory, function)


def stored(function: core.Function) -> set[core.Root]:
    """The memory that a function writes, by the calls that it makes too."""
    return {root for statement in walk.statements(function.body) for root in written(statement, function)}


def names_of(primal: core.Function, roots: Iterable[core.Root]) -> frozenset[str]:
    """The pointers that lead to memory, as a caller writes them, without subscripts: `x`, `view.data`. A variable at
    namespace scope has `::` before its qualified name, and `->` after it where it is a pointer."""
    variables = {root: f"::{v.symbol.name}" for v in primal.variables for root in v.roots}
    names = set()
    for root in roots:
        if root.position is None:
            behind = "->" if root.through else ""
            names.add(variables[root.storage] + behind)
        else:
            last = root.through[-1] if root.through else primal.parameters[root.position].name
            names.add(re.sub(r"\[\d+\]", "", last))
    return frozenset(names)
