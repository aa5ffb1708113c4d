"""What a thread adds to numbers that lie near each other, or come to one index, is added by one call.

    atomic d_table[i].y += b        atomic d_table[i].x += a    beside 1
    atomic d_table[i].x += a        atomic d_table[i].y += b

The members of an object and the elements that a thread reads as one vector get their adjoints one by one. Devices from
compute capability 9.0 on add two or four floats side by side at once, which takes a quarter of the traffic
(`cladpy::add_beside`). And where all lanes of a warp add to one object, they fold what they have onto each other: for
eight members that takes nine exchanges in place of forty, and one instruction adds all of them (`cladpy::reduce_add`).

So such additions are put next to each other, in the order of their addresses. What is called asks for the addresses:
nothing here depends on how a class lies in memory, or where an array begins. Runs of odd length, which begin at all
addresses, are not added as vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cladpy.analysis.affine import affine, led_by
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import touched_roots, with_blocks
from cladpy.ir.flow import moves_freely, written
from cladpy.ir.types import FLOAT, is_floating, is_half
from cladpy.ir.walk import values
from cladpy.passes.elsewhere import lasting

MOST = 4  # that one instruction adds
LARGEST = 16  # elements of one object, or of one run, which are in registers together

Lets = Mapping[core.Value, core.Expr]


def with_neighbours(block: code.Block) -> code.Block:
    """A body with additions to neighbouring elements side by side."""
    return _with_neighbours(block, lasting(block))


def is_one_of_several(s: code.AddElement) -> bool:
    """Whether it adds a number to memory of all threads, which may be done together with others."""
    element = s.root.element
    vector = s.update is Update.ATOMIC and element == FLOAT
    folded = s.update is Update.REDUCED and is_floating(element) and not is_half(element)
    plain = s.adjoint and s.row is None and not (s.assigned or s.optional or (s.privatised and not folded))
    return (vector or folded) and s.root.adjoint_cell == element and s.root.outlives and plain


def are_alike(first: code.AddElement, other: code.AddElement) -> bool:
    """Whether two of those may be in one call."""
    how = (first.update, first.meeting, first.privatised) == (other.update, other.meeting, other.privatised)
    return how and first.root.adjoint_cell == other.root.adjoint_cell


def _with_neighbours(block: code.Block, lets: Lets) -> code.Block:
    out: list[code.Statement] = [with_blocks(s, lambda inner: _with_neighbours(inner, lets)) for s in block]
    done: set[code.Statement] = set()
    position = 0
    while position < len(out):
        found = _group(out, position, lets, done)
        if len(found) < 2:
            position += 1
            continue
        group = [s for p in found if isinstance(s := out[p], code.AddElement)]
        arranged = list(_in_runs(group, lets))
        done.update(arranged)
        between = [s for p, s in enumerate(out[: found[-1]]) if p >= position and p not in found]
        out[position : found[-1] + 1] = [*between, *arranged]
    return tuple(out)


def _group(block: list[code.Statement], position: int, lets: Lets, done: set[code.Statement]) -> list[int]:
    """The positions of a statement and of those behind it that add near to where it adds, to the last of which all may
    be moved; not those that are where they should be."""
    first = block[position]
    if not isinstance(first, code.AddElement) or not is_one_of_several(first) or first in done:
        return []
    found = [position]
    memory = {first.root.memory}
    used = {*values(first.index), *values(first.expr)}
    for later in range(position + 1, len(block)):
        s = block[later]
        if isinstance(s, code.AddElement) and is_one_of_several(s):
            if s not in done and are_alike(first, s) and _distance(first, s, lets) is not None:
                found.append(later)
                memory.add(s.root.memory)
                used |= {*values(s.index), *values(s.expr)}
        elif not moves_freely(s) or any(root.memory in memory for root, _ in touched_roots(s)):
            break
        if not used.isdisjoint(written(s)) or len(found) == LARGEST:
            break
    return found


def _distance(first: code.AddElement, other: code.AddElement, lets: Lets) -> int | None:
    """By how many elements the second is behind the first; 0 for another member of the same object."""
    if led_by(first.index) != led_by(other.index):
        return None
    gap = affine(other.index, lets).plus(affine(first.index, lets), -1)
    if first.root is not other.root:
        return 0 if not gap.terms and _object(first.root) == _object(other.root) else None
    if not all(monomial == () for monomial, _ in gap.terms):
        return None
    distance = sum(coefficient for _, coefficient in gap.terms)
    return distance if 0 < abs(distance) < LARGEST else None


def _object(root: core.Root) -> tuple[object, ...]:
    """What is the same for the members of one object."""
    return root.name.partition(".")[0], root.kind, root.position, root.held, root.through, root.path[:-1]


def _in_runs(group: list[code.AddElement], lets: Lets) -> Iterator[code.AddElement]:
    """The additions of a group in the order of their addresses, and those that are made together marked. The adjoints
    of members come in the reverse of the order in which they were read."""
    first = group[0]
    if first.update is Update.REDUCED:
        yield replace(group[-1], beside=len(group) - 1)
        yield from group[-2::-1]
        return
    if any(s.root is not first.root for s in group):
        yield from _marked(group[::-1])
        return
    placed = sorted(((_distance(first, s, lets) or 0, s) for s in group), key=lambda pair: pair[0])
    run = [placed[0]]
    for distance, s in placed[1:]:
        if distance != run[-1][0] + 1:
            yield from _marked([t for _, t in run])
            run = []
        run.append((distance, s))
    yield from _marked([t for _, t in run])


def _marked(run: list[code.AddElement]) -> Iterator[code.AddElement]:
    width = next((n for n in (MOST, 2) if len(run) % n == 0), 1)
    for position, s in enumerate(run):
        yield replace(s, beside=width - 1) if position % width == 0 else s
