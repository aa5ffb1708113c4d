"""Checks expressions of the core grammar against what it promises about types; the two verifiers share it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from cladpy.ir import core
from cladpy.ir.never import assert_never
from cladpy.ir.surface import COMPARISONS, BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import (
    BOOL,
    ULONG,
    Opaque,
    Pointer,
    Scalar,
    ScalarKind,
    Type,
    is_floating,
    is_integer,
    is_signed,
    size_of,
    spell,
    strip_reference,
)
from cladpy.ir.walk import subexpressions

_SHIFTS = frozenset({BinaryOp.SHL, BinaryOp.SHR})
_BITS = frozenset({BinaryOp.REM, BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR})

Fault = Callable[[str], None]


def check_expression(expr: core.Expr, known: Callable[[core.Value], bool], fault: Fault, *, formulas: bool) -> None:
    """Tells `fault` what is wrong with an expression or a part of it.

    `known` says whether a value is in scope; `formulas` whether derivative rules may occur.
    """
    for part in subexpressions(expr):
        if isinstance(part, core.Use) and not known(part.value):
            fault(f"{part.value} is used out of its scope")
        if isinstance(part, core.Formula) and not formulas:
            fault("a formula before there are derivatives")
        _check_node(part, fault)


def check_type(expr: core.Expr, type: Type, what: str, fault: Fault) -> None:
    if expr.type != type:
        fault(f"{what} has type {spell(expr.type)}, but {spell(type)} is needed")


class Scopes(ABC):
    """What both verifiers know of values, and what they have found."""

    def __init__(self, *, formulas: bool) -> None:
        self.faults: list[str] = []
        self._formulas = formulas
        self._visible: set[core.Value] = set()
        self._defined: set[core.Value] = set()

    @abstractmethod
    def _where(self) -> str:
        """Where a fault is."""

    def _fault(self, text: str) -> None:
        self.faults.append(f"{self._where()}: {text}")

    def _require(self, holds: bool, text: str) -> None:
        if not holds:
            self._fault(text)

    def _expr(self, expr: core.Expr, type: Type | None = None, what: str = "") -> None:
        check_expression(expr, self._visible.__contains__, self._fault, formulas=self._formulas)
        if type is not None:
            check_type(expr, type, what, self._fault)

    def _define(self, value: core.Value) -> None:
        self._require(value not in self._defined, f"{value} is defined twice")
        self._defined.add(value)
        self._visible.add(value)


def _check_node(expr: core.Expr, fault: Fault) -> None:
    """The types of one node and of its direct operands."""
    match expr:
        case core.Const(value, type):
            _check_constant(value, type, fault)
        case core.Use(value):
            if not isinstance(value.type, Scalar | Opaque):
                fault(f"{value} is no scalar")
        case core.Builtin(var, type):
            if not is_integer(type):
                fault(f"{var.value} is no integer")
        case core.Unary():
            _check_unary(expr, fault)
        case core.Binary():
            _check_binary(expr, fault)
        case core.Select(condition, then, other, type):
            check_type(condition, BOOL, "the condition of a selection", fault)
            check_type(then, type, "the first arm", fault)
            check_type(other, type, "the second arm", fault)
        case core.Cast(operand, type):
            if not (isinstance(operand.type, Scalar) and isinstance(type, Scalar)):
                fault(f"a cast from {spell(operand.type)} to {spell(type)}")
        case core.Math(callee, arguments, type):
            _check_call(callee, arguments, type, fault)
        case core.Nested(outer, inner):
            if not (is_integer(outer.type) and is_integer(inner.type)):
                fault("a subscript that is no integer")
        case core.IsNull(root, type):
            if type != BOOL or root.kind is core.RootKind.LOCAL:
                fault(f"whether {root} is null")
        case core.Address(root, type):
            if type != ULONG or root.kind is core.RootKind.LOCAL:
                fault(f"the address of {root}")
        case core.Formula() | core.Linear():
            _check_derivative(expr, fault)
        case _:
            assert_never(expr)


def _check_derivative(expr: core.Formula | core.Linear, fault: Fault) -> None:
    if not isinstance(expr.type, Scalar | Opaque):
        fault("a derivative of something that is no scalar")
    if isinstance(expr, core.Formula):
        names = [name for name, _ in expr.operands]
        if len(set(names)) != len(names):
            fault("a formula names an operand twice")
        return
    check_type(expr.value, expr.type, "what a derivative is given for", fault)
    if len({of.value for of, _ in expr.terms}) != len(expr.terms):
        fault("a derivative by one value twice")


def _check_call(callee: FunctionSymbol, arguments: tuple[core.Expr, ...], type: Type, fault: Fault) -> None:
    if type != strip_reference(callee.result):
        fault(f"{callee.name} gives {spell(callee.result)}, not {spell(type)}")
    if len(arguments) != len(callee.parameters):
        fault(f"{callee.name} takes {len(callee.parameters)} arguments, not {len(arguments)}")
    for argument, parameter in zip(arguments, callee.parameters, strict=False):
        check_type(argument, strip_reference(parameter), f"an argument of {callee.name}", fault)


def _check_constant(value: int | float | bool, type: Type, fault: Fault) -> None:
    if not _may_be(value, type):
        fault(f"the constant {value!r} of type {spell(type)}")
    elif is_integer(type) and type != BOOL:
        bits = 8 * size_of(type) - is_signed(type)
        if not (-(2**bits) if is_signed(type) else 0) <= value < 2**bits:
            fault(f"the constant {value!r} does not fit {spell(type)}")


def _may_be(value: int | float | bool, type: Type) -> bool:
    match type:
        case Scalar(ScalarKind.BOOL):
            return value in (0, 1)
        case Scalar():
            return isinstance(value, float) == is_floating(type)
        case Opaque():
            return isinstance(value, int)
        case Pointer():
            return value == 0
        case _:
            return False


def _check_unary(expr: core.Unary, fault: Fault) -> None:
    check_type(expr.operand, expr.type, f"the operand of {expr.op.value}", fault)
    if expr.op is UnaryOp.NOT and expr.type != BOOL:
        fault("! of what is not bool")
    if expr.op is UnaryOp.BIT_NOT and not is_integer(expr.type):
        fault("bits of a floating value")


def _check_binary(expr: core.Binary, fault: Fault) -> None:
    op, left, right, type = expr.op, expr.left, expr.right, expr.type
    if op in (BinaryOp.AND, BinaryOp.OR):
        check_type(left, BOOL, f"the left operand of {op.value}", fault)
        check_type(right, BOOL, f"the right operand of {op.value}", fault)
        if type != BOOL:
            fault(f"{op.value} gives {spell(type)}")
    elif op in COMPARISONS:
        if left.type != right.type:
            fault(f"{op.value} compares {spell(left.type)} with {spell(right.type)}")
        if type != BOOL:
            fault(f"{op.value} gives {spell(type)}")
    else:
        check_type(left, type, f"the left operand of {op.value}", fault)
        if op in _SHIFTS:
            if not (is_integer(type) and is_integer(right.type)):
                fault(f"{op.value} of what is no integer")
            return
        check_type(right, type, f"the right operand of {op.value}", fault)
        if op in _BITS and not is_integer(type):
            fault(f"{op.value} of a floating value")
