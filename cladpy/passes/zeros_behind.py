"""What a branch takes is zeroed behind the loops that follow, under the same condition.

`if (lane == 0) out[row] = sum` takes a cotangent that lies beside those of other warps: a GPU that is told to write
what warps beside are still fetching takes several times as long, and the loop waits for it. Nobody else has to do with
the element, so that it may as well be zeroed last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.flow import written_in
from cladpy.ir.types import is_half
from cladpy.ir.walk import values


def with_zeros_behind(block: code.Block) -> code.Block:
    """The body of a kernel whose arguments do not overlap."""
    return _behind(block, accesses_of(block))


def accesses_of(block: code.Block) -> Counter[core.Root]:
    """How many statements touch the adjoint of some memory."""
    return Counter(root.memory for s in all_statements(block) for root, adjoint in touched_roots(s) if adjoint)


def _behind(block: code.Block, touched: Mapping[core.Root, int]) -> code.Block:
    loops = [i for i, s in enumerate(block) if isinstance(s, code.CountDown | code.While)]
    out: list[code.Statement] = []
    last: list[code.Statement] = []
    for position, s in enumerate(block):
        s = with_blocks(s, lambda inner: _behind(inner, touched))
        if isinstance(s, code.Branch) and loops and position < loops[-1]:
            s, zeros = zeros_apart(s, block[position:], touched)
            last += zeros
        out.append(s)
    return (*out, *last)


def zeros_apart(
    branch: code.Branch, rest: code.Block, touched: Mapping[core.Root, int]
) -> tuple[code.Branch, list[code.Statement]]:
    """A branch that leaves what it takes where it is, and one under the same condition that zeroes it after the `rest`
    of the block, which begins with the branch; itself and none where that cannot be."""
    zeros: list[code.Take] = []

    def apart(block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.Take) and s.zero and touched[s.root.memory] == 1 and is_own(s):
                out.append(replace(s, zero=False))
                zeros.append(replace(s, variable=core.Value("_", s.variable.type), late=False))
            else:
                out.append(s)
        return tuple(out)

    left = replace(branch, then=apart(branch.then))
    read = {*values(branch.condition), *(v for s in zeros for v in values(s.index))}
    if not zeros or not read.isdisjoint(written_in(rest)):
        return branch, []
    return left, [code.Branch(branch.condition, tuple(zeros), ())]


def is_own(s: code.AddElement | code.Take) -> bool:
    """Whether no other thread has to do with an element of memory that outlives the function."""
    return s.update is Update.PLAIN and s.root.outlives and not is_half(s.root.adjoint_cell)
