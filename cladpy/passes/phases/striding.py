"""Loops whose threads go along memory together: in each turn every thread is at an element of its own, and the next
turn is as many elements further on as there are threads.

    for (int c = threadIdx.x; c < n; c += blockDim.x) sum += x[c];

That is told by what the counter is multiplied with, or by what is added to a variable that each thread begins in its
own way. Such a variable is as many steps behind its first value for all threads, which is what a turn says:

    int ahead = 0;
    while (any thread goes on) {
      for each thread that does { c = threadIdx.x + ahead; sum += x[c]; }
      ahead += blockDim.x;
    }
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, expressions, inner_blocks, map_statement
from cladpy.ir.core import Value
from cladpy.ir.flow import changed_in, constants, uses_in, written_in
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, Type, is_floating, is_integer, size_of
from cladpy.ir.walk import subexpressions, substitute, values
from cladpy.passes.phases.alike import Alike, counts_alike
from cladpy.passes.phases.unread import without_unread

_WARP = 32
_EXTENTS = frozenset(v for v in BuiltinVar if v.value.startswith(("blockDim", "gridDim")) or v is BuiltinVar.WARP_SIZE)


@dataclass(frozen=True, slots=True)
class Stride:
    """Of a variable that goes in steps: its first value, the step, and the statement that makes it. Counters have none
    of these."""

    variable: Value | None = None
    first: core.Expr | None = None
    step: core.Expr | None = None
    made: code.Statement | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What is done once before the loop, in each turn before its threads, and after these; the variable of a turn and
    what it is; whether a thread goes on; and the body by that variable."""

    begin: tuple[code.Define, ...]
    each: tuple[code.Define, ...]
    place: Value
    at: core.Expr
    goes_on: core.Expr
    body: code.Block
    end: tuple[code.Add, ...]


def stride_of(s: code.Statement, block: code.Block, alike: Alike) -> Stride | None:
    """How a loop of a body goes along memory; None where it does not, or is no loop."""
    match s:
        case code.CountDown(variable, _, body, None, team=None) if not s.fetched and not counts_alike(s, alike):
            every = (e for t in all_statements(body) for e in _all(expressions(t)))
            goes = any(_goes_by(e, variable, alike) for e in every)
            return Stride() if goes else None
        case code.While((), condition, body, team=None) if not s.fetched and not alike.expr(condition):
            found = (_stepping(s, v, block, alike) for v in dict.fromkeys(values(condition)))
            return next((stride for stride in found if stride is not None), None)
        case _:
            return None


def turn_of(loop: code.While, stride: Stride) -> Turn:
    variable, first, step = stride.variable, stride.first, stride.step
    assert variable is not None and first is not None and step is not None
    offset, here = Value("_offset", variable.type), Value("_ahead", variable.type)
    place = Value(variable.name, variable.type)
    env = {variable: core.Use(place)}
    body = tuple(map_statement(s, lambda e: substitute(e, env)) for s in loop.body if s is not stride.made)
    return Turn(
        (code.Define(offset, core.Const(0, variable.type), mutable=True),),
        (code.Define(here, core.Use(offset)),),
        place,
        binary(BinaryOp.ADD, first, core.Use(here), variable.type),
        substitute(loop.condition, env),
        without_unread(body),
        (code.Add(offset, step),),
    )


def _all(given: Iterable[core.Expr]) -> Iterable[core.Expr]:
    return (e for expr in given for e in subexpressions(expr))


def _goes_by(expr: core.Expr, counter: Value, alike: Alike) -> bool:
    """Whether the counter is multiplied with as many as there are threads."""
    if not isinstance(expr, core.Binary) or expr.op is not BinaryOp.MUL:
        return False
    operands = (expr.left, expr.right), (expr.right, expr.left)
    return any(core.Use(counter) in _inner(one) and _is_of_threads(other, alike) for one, other in operands)


def _inner(expr: core.Expr) -> Iterable[core.Expr]:
    """What a number is converted from."""
    yield expr
    if isinstance(expr, core.Cast):
        yield from _inner(expr.operand)


def _is_of_threads(step: core.Expr, alike: Alike) -> bool:
    """Whether a step is as many as there are threads, in a block, a warp or a grid."""
    if not alike.expr(step):
        return False
    inner = _plain(step, {})
    if isinstance(inner, core.Const):
        return bool(inner.value) and inner.value % _WARP == 0
    return any(isinstance(e, core.Builtin) and e.var in _EXTENTS for e in subexpressions(step))


def _stepping(loop: code.While, variable: Value, block: code.Block, alike: Alike) -> Stride | None:
    """The variable begins beside the loop, changes once in each iteration, and is read before that and nowhere else."""
    every = list(all_statements(block))
    begins = [
        s for b in _blocks(block) if loop in b for s in b if isinstance(s, code.Define) and s.variable is variable
    ]
    changes = [s for s in every if variable in changed(s)]
    if len(begins) != 1 or len(changes) != 1 or changes[0] not in loop.body or is_floating(variable.type):
        return None
    first, made = begins[0].init, changes[0]
    at = loop.body.index(made)
    if uses_in(loop.body[at + 1 :])[variable] or uses_in(block)[variable] != uses_in((loop,))[variable]:
        return None
    step = _step(made, variable, constants(loop.body[:at]))
    if isinstance(first, code.LOADED) or step is None or not _is_of_threads(step, alike):
        return None
    changing = changed_in(block)
    lasts = changing.isdisjoint(values(first)) and written_in((loop,)).isdisjoint(values(step))
    return Stride(variable, first, step, made) if lasts else None


def _blocks(block: code.Block) -> Iterable[code.Block]:
    yield block
    for s in all_statements(block):
        yield from inner_blocks(s)


def _step(made: code.Statement, variable: Value, lets: dict[Value, core.Expr]) -> core.Expr | None:
    """What a statement adds to the variable."""
    whole = _plain(made.expr, lets) if isinstance(made, code.Assign) else None
    if not isinstance(whole, core.Binary) or whole.op is not BinaryOp.ADD:
        return None
    operands = (whole.left, whole.right), (whole.right, whole.left)
    steps = (cast(other, variable.type) for one, other in operands if _plain(one, lets) == core.Use(variable))
    return next(steps, None)


def _plain(expr: core.Expr, lets: dict[Value, core.Expr]) -> core.Expr:
    """What a number is made of, without conversions between integers of one size, and names."""
    while True:
        match expr:
            case core.Use(value) if value in lets:
                expr = lets[value]
            case core.Cast(operand, type) if _same_size(type, operand.type):
                expr = operand
            case _:
                return expr


def _same_size(one: Type, other: Type) -> bool:
    return is_integer(one) and is_integer(other) and BOOL not in (one, other) and size_of(one) == size_of(other)
