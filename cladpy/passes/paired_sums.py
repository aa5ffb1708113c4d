"""What the threads of a warp add to elements of two adjoints at one index is summed for both at a time.

A sum over a warp takes five exchanges between lanes, and an atomic of one of them. Two sums take five as well: after
one exchange half of the lanes add up the one, and half the other. So the first of two such additions is moved to the
second, where what is added to it does not change on the way, and nothing in between has to do with its adjoint. What
prints them (`emit/statements.py`) makes one call of two that stand side by side.
"""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import touched_roots, with_blocks
from cladpy.ir.flow import moves_freely, written
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import is_half
from cladpy.ir.walk import values


def with_paired_sums(block: code.Block) -> code.Block:
    """A block with additions to elements at one index side by side."""
    out: list[code.Statement] = [with_blocks(s, with_paired_sums) for s in block]
    paired: set[code.Statement] = set()
    for first in list(out):
        if isinstance(first, code.AddElement) and is_sum_of_warp(first) and first not in paired:
            position = out.index(first)
            partner = _partner(out, position, paired)
            if partner is not None:
                paired |= {first, out[partner]}
                out.insert(partner - 1, out.pop(position))
    return tuple(out)


def is_sum_of_warp(s: code.AddElement) -> bool:
    """Whether the lanes of a warp add up what they add, to an element that a plain subscript finds."""
    half = is_half(s.root.element) or is_half(s.root.adjoint_cell)
    return s.update is Update.REDUCED and s.adjoint and s.row is None and _is_plain(s.root) and not half


def _is_plain(root: core.Root) -> bool:
    return root.outlives and root.path == ("{b}[{i}]",) and root.adjoint_path is None


def are_paired(first: code.AddElement, second: code.AddElement) -> bool:
    """Whether both are such sums, at one index of two adjoints."""
    return (
        is_sum_of_warp(first)
        and is_sum_of_warp(second)
        and first.index == second.index
        and first.root.memory is not second.root.memory
        and first.privatised == second.privatised
        and adjoint_value(first.root.element) == adjoint_value(second.root.element)
    )


def _partner(block: list[code.Statement], position: int, taken: set[code.Statement]) -> int | None:
    """The position of the addition that one may be moved to, if there is one."""
    first = block[position]
    assert isinstance(first, code.AddElement)
    used = {*values(first.index), *values(first.expr)}
    for later in range(position + 1, len(block)):
        s = block[later]
        if isinstance(s, code.AddElement) and s not in taken and are_paired(first, s):
            return later
        apart = moves_freely(s) and all(root.memory is not first.root.memory for root, _ in touched_roots(s))
        if not apart or not used.isdisjoint(written(s)):
            return None
    return None
