"""Memory that a block of statements reads after much arithmetic is read before it.

A function of the math library has a branch for arguments that are seldom met, and no compiler moves a load across a
branch: the thread would wait for what it reads behind it once more. What is loaded early takes registers meanwhile, so
few numbers are, and none in long blocks, which have no register left.
"""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import inner_blocks, with_blocks
from cladpy.ir.effects import Effects
from cladpy.ir.flow import written
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating, is_half, size_of
from cladpy.ir.walk import subexpressions, values

MOST_BYTES = 16
LONGEST = 100  # statements of a block


def with_hoisted_loads(block: code.Block) -> code.Block:
    out: list[code.Statement] = [with_blocks(s, with_hoisted_loads) for s in block]
    if len(out) > LONGEST:
        return tuple(out)
    left = MOST_BYTES
    for s in list(out):
        if not isinstance(s, code.Define | code.Take) or not _is_load(s) or size_of(s.variable.type) > left:
            continue
        position = out.index(s)
        place = _place(out, position, s)
        if any(_is_dear(t) for t in out[place:position]):
            out.insert(place, out.pop(position))
            left -= size_of(s.variable.type)
    return tuple(out)


def _is_load(s: code.Define | code.Take) -> bool:
    """Whether a statement reads an element of global memory once, and changes nothing at that place."""
    if isinstance(s, code.Take):
        plain = s.update is Update.PLAIN and (s.late or not s.zero)
        return plain and s.root.outlives and not is_half(s.root.adjoint_cell)
    return not s.mutable and isinstance(s.init, code.Element) and s.init.root.outlives and is_floating(s.variable.type)


def _place(block: list[code.Statement], position: int, load: code.Define | code.Take) -> int:
    """The first position from which on nothing but arithmetic and other loads stands before the load."""
    used = _index_of(load)
    place = position
    while place > 0:
        before = block[place - 1]
        other_load = isinstance(before, code.Define | code.Take) and _is_load(before)
        if not (other_load or (before.effects is Effects.COMPUTES and not inner_blocks(before))):
            break
        if isinstance(before, code.Take) and before.zero:
            break
        if not used.isdisjoint(written(before)):
            break
        place -= 1
    while place < position and not _is_dear(block[place]):
        place += 1  # nothing is gained before that
    return place


def _index_of(load: code.Define | code.Take) -> set[core.Value]:
    """The variables that say which element is read."""
    if isinstance(load, code.Take):
        return set(values(load.index))
    return set(values(load.init.index)) if isinstance(load.init, code.Element) else set()


def _is_dear(s: code.Statement) -> bool:
    """Whether a statement calls a function, or divides."""
    match s:
        case code.Define(_, init) if not isinstance(init, code.LOADED):
            expr = init
        case code.Assign(_, added) | code.Add(_, added):
            expr = added
        case _:
            return False
    return any(
        isinstance(e, core.Math)
        or (isinstance(e, core.Formula) and "(" in e.text)
        or (isinstance(e, core.Binary) and e.op is BinaryOp.DIV and is_floating(e.type))
        for e in subexpressions(expr)
    )
