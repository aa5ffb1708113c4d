"""What a branch takes is zeroed behind the loops that follow, under the same condition.

`if (lane == 0) out[row] = sum` takes a cotangent that lies beside those of other warps: a GPU that is told to write
what warps beside are still fetching takes several times as long, and the loop waits for it. Nobody else has to do with
the element, so that it may as well be zeroed last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from cladpy.analysis.affine import affine, differ
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.flow import written_in
from cladpy.ir.types import is_half
from cladpy.ir.walk import values


def with_zeros_behind(block: code.Block) -> code.Block:
    """The body of a kernel whose arguments do not overlap."""
    return _behind(block, accesses_of(block), {})


def accesses_of(block: code.Block) -> Counter[core.Root]:
    """How many statements touch the adjoint of some memory."""
    return Counter(root.memory for s in all_statements(block) for root, adjoint in touched_roots(s) if adjoint)


def _behind(block: code.Block, touched: Mapping[core.Root, int], lets: dict[core.Value, core.Expr]) -> code.Block:
    lets = lets | _lets(block)
    loops = [i for i, s in enumerate(block) if isinstance(s, code.CountDown | code.While)]
    out: list[code.Statement] = []
    last: list[code.Statement] = []
    for position, s in enumerate(block):
        s = with_blocks(s, lambda inner: _behind(inner, touched, lets))
        if isinstance(s, code.Branch) and loops and position < loops[-1]:
            s, zeros = zeros_apart(s, block[position:], touched, lets)
            last += zeros
        out.append(s)
    return (*out, *last)


def _lets(block: code.Block) -> dict[core.Value, core.Expr]:
    defined = (s for s in block if isinstance(s, code.Define) and not s.mutable)
    return {s.variable: s.init for s in defined if isinstance(s.init, core.Expr)}


def zeros_apart(
    branch: code.Branch,
    rest: code.Block,
    touched: Mapping[core.Root, int],
    lets: Mapping[core.Value, core.Expr] | None = None,
) -> tuple[code.Branch, list[code.Statement]]:
    """A branch that leaves what it takes where it is, and one under the same condition that zeroes it after the `rest`
    of the block, which begins with the branch; itself and none where that cannot be. Of memory that several statements
    touch these must be different elements, by the names in `lets`."""
    taken = _taken_apart(branch, touched, lets or {})
    changed = written_in(rest)

    def apart(block: code.Block, read: frozenset[core.Value]) -> tuple[code.Block, list[code.Statement]]:
        """A block without the zeros, and what zeroes; `read` are the values that the conditions around it ask."""
        out: list[code.Statement] = []
        zeros: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.Take) and s in taken and read.union(values(s.index)).isdisjoint(changed):
                out.append(replace(s, zero=False))
                zeros.append(replace(s, variable=core.Value("_", s.variable.type), late=False))
            elif isinstance(s, code.Branch):
                then, inner = apart(s.then, read.union(values(s.condition)))
                out.append(replace(s, then=then))
                zeros += [code.Branch(s.condition, tuple(inner), ())] if inner else []
            else:
                out.append(s)
        return tuple(out), zeros

    (left,), zeros = apart((branch,), frozenset())
    assert isinstance(left, code.Branch)
    return left, zeros


def _taken_apart(
    branch: code.Branch, touched: Mapping[core.Root, int], lets: Mapping[core.Value, core.Expr]
) -> set[code.Take]:
    """What the branch, and those in it, take of memory that nothing else has to do with."""
    by_memory: dict[core.Root, list[code.Take]] = defaultdict(list)
    for s in _first_sides(branch):
        if isinstance(s, code.Take) and s.zero and is_own(s):
            by_memory[s.root.memory].append(s)
    found: set[code.Take] = set()
    for memory, takes in by_memory.items():
        indices = [affine(s.index, lets) for s in takes]
        if touched[memory] == len(takes) and all(differ(a, b) for a, b in combinations(indices, 2)):
            found.update(takes)
    return found


def _first_sides(branch: code.Branch) -> Iterator[code.Statement]:
    for s in branch.then:
        yield s
        if isinstance(s, code.Branch):
            yield from _first_sides(s)


def is_own(s: code.AddElement | code.Take) -> bool:
    """Whether no other thread has to do with an element of memory that outlives the function."""
    return s.update is Update.PLAIN and s.root.outlives and not is_half(s.root.adjoint_cell)
