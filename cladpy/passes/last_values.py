"""What only the last iteration of a loop says: a variable that each of them sets and none reads, and its adjoint.

In the reverse sweep every iteration takes the adjoint of such a variable, and leaves zero; the iteration that is
reversed first, the last one, finds something.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, declared, mentions
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL
from cladpy.ir.walk import values


@dataclass(frozen=True, slots=True)
class LastValues:
    loop: code.CountDown
    after: tuple[code.Assign, ...]  # what is left of adjoints that the loop takes
    set: frozenset[core.Value]


def with_last_values(loop: code.CountDown) -> LastValues:
    """The loop with such variables set, or taken, in the last iteration only."""
    inside = declared(loop.body)
    changing = [v for s in all_statements(loop.body) for v in changed(s)]
    inside |= set(values(loop.count))
    after: list[code.Assign] = []
    last: set[core.Value] = set()
    for s in loop.body:
        if isinstance(s, code.Assign) and s.variable not in inside and changing.count(s.variable) == 1:
            asking = [t for t in loop.body if s.variable in mentions(t)]
            if asking == [s] and s.variable not in set(values(s.expr)):
                last.add(s.variable)
                loop = replace(loop, body=_replaced(loop.body, s, code.Branch(_is_last(loop), (s,), ())))
            elif len(asking) == 2 and asking[1] is s and s.expr == zero(s.variable.type):
                taken = asking[0]
                if isinstance(taken, code.Define) and taken.init == core.Use(s.variable):
                    found = core.Select(_is_last(loop), taken.init, s.expr, s.variable.type)
                    body = _replaced(loop.body, taken, replace(taken, init=found))
                    loop = replace(loop, body=tuple(t for t in body if t is not s))
                    ran = binary(BinaryOp.LT, core.Const(0, loop.count.type), loop.count, BOOL)
                    left = core.Select(ran, s.expr, core.Use(s.variable), s.variable.type)
                    after.append(code.Assign(s.variable, left))
    return LastValues(loop, tuple(after), frozenset(last))


def _is_last(loop: code.CountDown) -> core.Expr:
    one = core.Const(1, loop.variable.type)
    last = binary(BinaryOp.SUB, cast(loop.count, loop.variable.type), one, loop.variable.type)
    return core.Binary(BinaryOp.EQ, core.Use(loop.variable), last, BOOL)


def _replaced(block: code.Block, old: code.Statement, new: code.Statement) -> code.Block:
    return tuple(new if s is old else s for s in block)
