"""What a loop does with a variable that is reduced: nothing but to put it together by one operator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import Symbol
from cladpy.order.places import key
from cladpy.order.uses import names, within

CODE = "CP0282"
_SUM = ("+", "-")
_OPERATORS: dict[str, tuple[BinaryOp, ...]] = {
    "+": (BinaryOp.ADD, BinaryOp.SUB),
    "-": (BinaryOp.ADD, BinaryOp.SUB),
    "*": (BinaryOp.MUL,),
    "&": (BinaryOp.BIT_AND,),
    "|": (BinaryOp.BIT_OR,),
    "^": (BinaryOp.BIT_XOR,),
    "&&": (BinaryOp.AND,),
    "||": (BinaryOp.OR,),
}
_CHOICES = {
    "max": ("max", "fmax", "fmaxf", "fmaxl"),
    "min": ("min", "fmin", "fminf", "fminl"),
}
_ABOVE = {"max": (BinaryOp.GT, BinaryOp.GE), "min": (BinaryOp.LT, BinaryOp.LE)}
_MIRRORED = {BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE, BinaryOp.LT: BinaryOp.GT, BinaryOp.LE: BinaryOp.GE}


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said against a loop that is shared."""

    code: str
    message: str
    hint: str
    span: Span
    without_directive: bool = False  # whether the hint says that it may be left out


def used_otherwise(body: s.Block, symbol: Symbol, operator: str) -> Iterator[Finding]:
    """Where a loop does anything else with a variable than to put it together by this operator."""
    for statement in within(body):
        own = [e for e in surface_walk.own_expressions(statement) if names(e, {symbol})]
        if not own or _is_choice(statement, symbol, operator):
            continue
        if isinstance(statement, s.Evaluate) and (
            _is_update(statement.expr, symbol, operator) or _in_choice(body, statement, symbol, operator)
        ):
            continue
        yield Finding(
            CODE,
            f"'{symbol.name}' is reduced with '{operator}', and used in another way here",
            f"let the loop do nothing with it but put it together with '{operator}', or leave out the clause and the "
            "directive",
            own[0].span,
            without_directive=True,
        )


def put_together(statement: s.Stmt, symbol: Symbol, operator: str) -> s.Expr | None:
    """What a statement puts to a variable by this operator; None where it does anything else."""
    match statement:
        case s.If(then=s.Block(statements=(s.Evaluate(expr=s.Assign(value=value)),))):
            return value if _is_choice(statement, symbol, operator) else None
        case s.Evaluate(expr=s.CompoundAssign(value=value)) if _is_update(statement.expr, symbol, operator):
            return value
        case s.Evaluate(expr=s.Assign(target=target, value=value)) if _is_update(statement.expr, symbol, operator):
            given = [_given(e) for e in surface_walk.children(_plain(value))[-2:]]
            others = [e for e in given if not _is_same(e, target)]
            return others[0] if len(others) == 1 else None
        case _:
            return None


def _is_update(expr: s.Expr, symbol: Symbol, operator: str) -> bool:
    """Whether this is `r = r op e`, in one of its spellings."""
    own = {symbol}
    operators = _OPERATORS.get(operator, ())
    match expr:
        case s.CompoundAssign(op=op, target=target, value=value):
            return op in operators and _is_target(target, symbol) and not names(value, own)
        case s.IncDec(target=target):
            return operator in _SUM and _is_target(target, symbol)
        case s.Assign(target=target, value=value) if _is_target(target, symbol):
            return _is_chain(value, target, symbol, operators) or _is_chosen(value, target, symbol, operator)
        case _:
            return False


def _is_target(target: s.Expr, symbol: Symbol) -> bool:
    """Whether this is the variable, or an element of it."""
    while isinstance(target, s.Index):
        if names(target.index, {symbol}):
            return False
        target = _plain(target.base)
    return isinstance(target, s.VarRef) and target.symbol is symbol


def _plain(expr: s.Expr) -> s.Expr:
    while isinstance(expr, s.Cast):
        expr = expr.operand
    return expr


def _is_same(expr: s.Expr, target: s.Expr) -> bool:
    return bool(key(_plain(expr)) == key(target))


def _is_chain(value: s.Expr, target: s.Expr, symbol: Symbol, operators: tuple[BinaryOp, ...]) -> bool:
    """Whether a value is the target with something put to it."""
    value = _plain(value)
    if not isinstance(value, s.Binary) or value.op not in operators:
        return False
    for one, other, is_left in ((value.left, value.right, True), (value.right, value.left, False)):
        if (is_left or value.op is not BinaryOp.SUB) and not names(other, {symbol}):
            return _is_same(one, target) or _is_chain(one, target, symbol, operators)
    return False


def _is_chosen(value: s.Expr, target: s.Expr, symbol: Symbol, operator: str) -> bool:
    """Whether a value is the larger, or the smaller, of the target and something else."""
    value = _plain(value)
    match value:
        case s.Call(callee=callee, arguments=(one, other)) if callee.name in _CHOICES.get(operator, ()):
            one, other = _given(one), _given(other)
            return (_is_same(one, target) and not names(other, {symbol})) or (
                _is_same(other, target) and not names(one, {symbol})
            )
        case s.Conditional(condition=condition, then=then, other=other):
            found = _compared(condition, target, symbol, operator)
            if found is None:
                return False
            kept, taken = (other, then) if found[1] else (then, other)
            return _is_same(kept, target) and bool(key(_plain(taken)) == found[0])
        case _:
            return False


def _given(argument: s.Expr) -> s.Expr:
    argument = _plain(argument)
    return _plain(argument.operand) if isinstance(argument, s.Temporary) else argument


def _compared(condition: s.Expr, target: s.Expr, symbol: Symbol, operator: str) -> tuple[Any, bool] | None:
    """What the target is compared with, and whether that is taken where the condition holds."""
    condition = _plain(condition)
    if not isinstance(condition, s.Binary) or condition.op not in _MIRRORED or operator not in _ABOVE:
        return None
    op, one, other = condition.op, _plain(condition.left), _plain(condition.right)
    if _is_same(one, target):
        op, one, other = _MIRRORED[op], other, one
    if not _is_same(other, target) or names(one, {symbol}):
        return None
    return key(one), op in _ABOVE[operator]


def _is_choice(statement: s.Stmt, symbol: Symbol, operator: str) -> bool:
    """Whether this is `if (e > r) r = e`."""
    match statement:
        case s.If(condition=condition, then=s.Block(statements=(s.Evaluate(expr=s.Assign() as set),)), other=None):
            if not _is_target(set.target, symbol):
                return False
            found = _compared(condition, set.target, symbol, operator)
            return found is not None and found[1] and key(_plain(set.value)) == found[0]
        case _:
            return False


def _in_choice(body: s.Block, statement: s.Stmt, symbol: Symbol, operator: str) -> bool:
    """Whether a statement is what such a choice does."""
    return any(
        _is_choice(here, symbol, operator) and isinstance(here, s.If) and here.then.statements[0] is statement
        for here in within(body)
    )
