"""Whether all that a loop does with a variable is to add to it: then threads may sum parts of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from cladpy.ir import code, core
from cladpy.ir.code_walk import expressions, inner_blocks, mentions
from cladpy.ir.surface import BinaryOp
from cladpy.ir.walk import values


class _Is(Enum):
    """What a variable is, as far as the sum is in it."""

    MORE = "the sum, and something that does not depend on it"
    EITHER = "that or not: it depends on the way that was taken"


_Known = dict[core.Value, _Is]


def is_summed(body: code.Block, variable: core.Value) -> bool:
    """Whether an iteration makes nothing of a variable but to add something to it that does not depend on it."""
    known: _Known = {variable: _Is.MORE}
    try:
        _block(body, known)
    except _UsedOtherwise:
        return False
    return known.get(variable) is _Is.MORE


class _UsedOtherwise(Exception):
    pass


def _block(block: code.Block, known: _Known) -> None:
    for s in block:
        match s:
            case code.Define(variable, init):
                _set(variable, _initializer(s, init, known), known)
            case code.Assign(variable, expr):
                _set(variable, _expr(expr, known), known)
            case code.Add(variable, expr):
                if _expr(expr, known) is not None or known.get(variable) is _Is.EITHER:
                    raise _UsedOtherwise
            case code.Branch(condition, then, other):
                _apart((condition,), known)
                taken, not_taken = dict(known), dict(known)
                _block(then, taken)
                _block(other, not_taken)
                _join(known, taken, not_taken)
            case code.While() | code.CountDown():
                _loop(s, known)
            case _:
                if any(v in known for v in mentions(s)) or inner_blocks(s):
                    raise _UsedOtherwise


def _loop(loop: code.While | code.CountDown, known: _Known) -> None:
    while True:
        after = dict(known)
        for block in inner_blocks(loop):
            _block(block, after)
        _apart(expressions(loop), after)
        before = dict(known)
        _join(known, before, after)
        if known == before:
            return


def _join(known: _Known, one: Mapping[core.Value, _Is], other: Mapping[core.Value, _Is]) -> None:
    known.clear()
    for variable in (*one, *other):
        known[variable] = one[variable] if one.get(variable) is other.get(variable) else _Is.EITHER


def _set(variable: core.Value, found: _Is | None, known: _Known) -> None:
    if found is None:
        known.pop(variable, None)
    else:
        known[variable] = found


def _initializer(s: code.Define, init: code.Initializer, known: _Known) -> _Is | None:
    if isinstance(init, code.LOADED):
        if any(v in known for v in mentions(s)):
            raise _UsedOtherwise
        return None
    return _expr(init, known)


def _apart(exprs: object, known: _Known) -> None:
    for expr in exprs:  # type: ignore[attr-defined]
        if _expr(expr, known) is not None:
            raise _UsedOtherwise


def _expr(expr: core.Expr, known: _Known) -> _Is | None:
    """None where the sum is not in it."""
    if all(v not in known for v in values(expr)):
        return None
    match expr:
        case core.Use(variable) if known[variable] is _Is.MORE:
            return _Is.MORE
        case core.Binary(BinaryOp.ADD, left, right):
            if (_expr(left, known) is None) is not (_expr(right, known) is None):
                return _Is.MORE
        case core.Binary(BinaryOp.SUB, left, right):
            if _expr(left, known) is _Is.MORE and _expr(right, known) is None:
                return _Is.MORE
        case core.Select(condition, then, other):
            if _expr(condition, known) is None and _expr(then, known) is _expr(other, known) is _Is.MORE:
                return _Is.MORE
        case _:
            pass
    raise _UsedOtherwise
