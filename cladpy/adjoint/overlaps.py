"""Memory that a launch is given twice."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from cladpy.ir import core
from cladpy.ir.reach import memory_in, memory_written


class Overlap(Enum):
    """What two arguments of a kernel share, whatever is chosen at run time: nothing; memory that is only read, so that
    two arguments have one adjoint; or memory that the kernel writes."""

    NONE = "none"
    READ = "read"
    WRITTEN = "written"


def overlap(call: core.Call, active: Collection[int]) -> Overlap:
    """`active` are the positions of the arguments with adjoints."""
    given = [(i, memory) for i, a in enumerate(call.arguments) for memory in memory_in(a)]
    same = [(i, m, j) for i, m in given for j, n in given if m is not n and _is_same(m, n)]
    written = list(memory_written(call))
    if any(m is w for _, m, _ in same for w in written):
        return Overlap.WRITTEN
    return Overlap.READ if any(i in active and j in active for i, _, j in same) else Overlap.NONE


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
