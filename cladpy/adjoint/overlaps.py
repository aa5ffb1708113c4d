"""Memory that a launch is given twice."""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.reach import memory_in


def overlap_known(call: core.Call) -> bool:
    """Whether a kernel is given memory twice that it writes, whatever is chosen at run time."""
    given = [(i, memory) for i, a in enumerate(call.arguments) for memory in memory_in(a)]
    return any(i in call.writes and m is not n and _is_same(m, n) for i, m in given for _, n in given)


def _is_same(one: core.MEMORY, other: core.MEMORY) -> bool:
    match one, other:
        case core.PointerArgument(), core.PointerArgument():
            return one.root is other.root
        case core.ChosenArgument(), core.ChosenArgument():
            return (one.tag, one.numbers) == (other.tag, other.numbers) and all(
                a.root is b.root for a, b in zip(one.alternatives, other.alternatives, strict=True)
            )
        case _:
            return False
