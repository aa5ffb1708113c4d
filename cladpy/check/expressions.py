"""Surface expressions as forward-mode C++: floating-point rvalues are pairs, lvalues stay, the rest is plain."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cladpy.check.globals import Globals
from cladpy.check.library_calls import library_call
from cladpy.check.storage import is_pair, walk
from cladpy.diagnostics import Sink
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import (
    BOOL,
    Array,
    Pointer,
    Reference,
    Scalar,
    Type,
    Void,
    is_floating,
    spell,
    strip_reference,
)

_OPERATIONS = {s.BinaryOp.ADD: "add", s.BinaryOp.SUB: "sub", s.BinaryOp.MUL: "mul", s.BinaryOp.DIV: "div"}
_LVALUES = (s.VarRef, s.Index, s.Deref)


class Expressions:
    """Emits expressions; knows the names of variables and functions and which variables lie in memory."""

    def __init__(self, memory: frozenset[Symbol], functions: Mapping[FunctionSymbol, str], sink: Sink) -> None:
        self.memory = memory
        self.functions = functions
        self.sink = sink
        self.globals = Globals()
        self._names: dict[Symbol, str] = {}

    def name(self, symbol: Symbol) -> str:
        if symbol not in self._names:
            self._names[symbol] = f"{symbol.name}_{len(self._names)}"
        return self._names[symbol]

    # ---- rvalues ----------------------------------------------------------------------------------------------------

    def rvalue(self, e: s.Expr) -> str:
        """The value: a pair where the type is floating-point."""
        if is_floating(e.type):
            return self._pair(e)
        return self._plain(e)

    def plain(self, e: s.Expr) -> str:
        """The value without its tangent."""
        return f"({self._pair(e)}).v" if is_floating(e.type) else self._plain(e)

    def effect(self, e: s.Expr) -> str:
        """The expression as a statement without its semicolon."""
        if isinstance(e, (s.Assign, s.CompoundAssign)):
            return f"(void)({self.lvalue(e)})"
        if isinstance(e, s.Comma):
            return f"({self.effect(e.left)}, {self.effect(e.right)})"
        return f"(void)({self.rvalue(e)})"

    def _pair(self, e: s.Expr) -> str:
        of = spell(e.type)
        match e:
            case s.Literal(value):
                return f"constant({_floating_literal(float(value), of)})"
            case s.VarRef() | s.Index() | s.Deref() | s.Assign() | s.CompoundAssign():
                return self._read(e)
            case s.IncDec(target, delta, prefix):
                if prefix:
                    return self._read(e)
                return f"increase_after({self.lvalue(target)}, {delta})"
            case s.Unary(s.UnaryOp.NEG, operand):
                return f"negate({self.rvalue(operand)})"
            case s.Unary(_, operand):
                return self.rvalue(operand)
            case s.Binary(op, left, right):
                return f"{_OPERATIONS[op]}<{of}>{{{self.rvalue(left)}, {self.rvalue(right)}}}.r"
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.rvalue(then)} : {self.rvalue(other)})"
            case s.Cast(operand):
                if is_floating(operand.type):
                    return f"convert<{of}>({self.rvalue(operand)})"
                return f"constant(static_cast<{of}>({self.rvalue(operand)}))"
            case s.Call():
                text = self._call(e)
                return f"load({text})" if isinstance(e.callee.result, Reference) else text
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.rvalue(right)})"
            case s.InitList(elements):
                return self.rvalue(elements[0]) if elements else f"dual<{of}>{{}}"
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression", e.span)
                return f"dual<{of}>{{}}"

    def _plain(self, e: s.Expr) -> str:
        match e:
            case s.Literal(value, type):
                return _literal(value, type)
            case s.StringLiteral(text):
                return text
            case s.VarRef() | s.Index() | s.Deref() | s.Assign() | s.CompoundAssign():
                return self.lvalue(e)
            case s.Builtin(var):
                return var.value
            case s.Unary(op, operand):
                return f"({op.value}{self.plain(operand)})"
            case s.Binary(op, left, right):
                return f"({self.plain(left)} {op.value} {self.plain(right)})"
            case s.IncDec(target, delta, prefix):
                sign = "++" if delta > 0 else "--"
                inner = self.lvalue(target)
                return f"({sign}{inner})" if prefix else f"({inner}{sign})"
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.plain(then)} : {self.plain(other)})"
            case s.Cast(operand, type):
                return f"(({spell(type)})({self.plain(operand)}))"
            case s.AddressOf(operand):
                return f"(&{self.lvalue(operand)})"
            case s.Call():
                return self._call(e)
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.rvalue(right)})"
            case s.InitList(elements, type) if not isinstance(type, Array):
                return self.rvalue(elements[0]) if elements else f"{spell(type)}()"
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression", e.span)
                return "0"

    # ---- lvalues ----------------------------------------------------------------------------------------------------

    def is_pair_lvalue(self, e: s.Expr) -> bool:
        """Whether the lvalue is a variable that is emitted as a pair, not memory."""
        match e:
            case s.VarRef(symbol):
                return is_pair(symbol, self.memory)
            case s.Assign(target) | s.CompoundAssign(_, target) | s.IncDec(target):
                return self.is_pair_lvalue(target)
            case s.Conditional(_, then):
                return self.is_pair_lvalue(then)
            case s.Comma(_, right):
                return self.is_pair_lvalue(right)
            case _:
                return False

    def _read(self, e: s.Expr) -> str:
        text = self.lvalue(e)
        return text if self.is_pair_lvalue(e) else f"load({text})"

    def lvalue(self, e: s.Expr) -> str:
        match e:
            case s.VarRef(symbol):
                if symbol.role is not Role.GLOBAL:
                    return self.name(symbol)
                if symbol.space is Space.SHARED or not isinstance(symbol.type, Scalar | Array):
                    message = f"at namespace scope the oracle knows numbers and arrays of them, not '{symbol.name}'"
                    self.sink.error("CP0903", message, e.span)
                return self.globals.place(symbol)
            case s.Index(base, index):
                inner = self.lvalue(base) if isinstance(base.type, Array) else self.rvalue(base)
                return f"({inner}[{self.rvalue(index)}])"
            case s.Deref(operand):
                return f"(*{self.rvalue(operand)})"
            case s.Assign(target, value):
                if not is_floating(target.type):
                    return f"({self.lvalue(target)} = {self.rvalue(value)})"
                how = "assign" if self.is_pair_lvalue(target) else "store"
                return f"{how}<{spell(target.type)}>{{{self.rvalue(value)}, {self.lvalue(target)}}}.r"
            case s.CompoundAssign(op, target, value, compute_type):
                if not is_floating(compute_type):
                    return f"({self.lvalue(target)} {op.value}= {self.rvalue(value)})"
                how = "compound" if is_floating(target.type) else "compound_integer"
                of = spell(target.type)
                place = f"dual<{of}>" if self.is_pair_lvalue(target) and is_floating(target.type) else of
                types = f"{_OPERATIONS[op]}, {spell(compute_type)}, {place}"
                return f"{how}<{types}>{{{self.rvalue(value)}, {self.lvalue(target)}}}.r"
            case s.IncDec(target, delta, True):
                if is_floating(target.type):
                    return f"increase({self.lvalue(target)}, {delta})"
                return self._plain(e)
            case s.Conditional(condition, then, other):
                return f"({self.rvalue(condition)} ? {self.lvalue(then)} : {self.lvalue(other)})"
            case s.Comma(left, right):
                return f"({self.effect(left)}, {self.lvalue(right)})"
            case s.Call() if isinstance(e.callee.result, Reference):
                return self._call(e)
            case s.Cast(operand):  # a change of constness only
                return self.lvalue(operand)
            case _:
                self.sink.error("CP0902", "the oracle does not know this expression as an lvalue", e.span)
                return "0"

    def bound(self, e: s.Expr) -> str:
        """What a reference is bound to: an lvalue, or a temporary that holds the value."""
        if isinstance(e, (*_LVALUES, s.Assign, s.CompoundAssign)):
            return self.lvalue(e)
        if isinstance(e, (s.Conditional, s.Comma)) and _is_lvalue(e):
            return self.lvalue(e)
        if isinstance(e, s.IncDec) and e.prefix:
            return self.lvalue(e)
        if isinstance(e, s.Call) and isinstance(e.callee.result, Reference):
            return self.lvalue(e)
        if is_floating(e.type):
            return f"materialised<{spell(e.type)}>{{{self.rvalue(e)}}}.r"
        return self.rvalue(e)

    # ---- calls ------------------------------------------------------------------------------------------------------

    def _call(self, e: s.Call) -> str:
        name = self.functions.get(e.callee)
        if name is None:
            return library_call(self, e)
        arguments = []
        for position, argument in enumerate(e.arguments):
            parameter = e.callee.parameters[position] if position < len(e.callee.parameters) else argument.type
            arguments.append(self.bound(argument) if isinstance(parameter, Reference) else self.rvalue(argument))
        if sum(map(_has_effects, e.arguments)) < 2:
            return f"{name}({', '.join(arguments)})"
        # the order of evaluation of arguments is ours to choose: left to right
        lets = "".join(f"auto&& a{i} = {text}; " for i, text in enumerate(arguments))
        passed = ", ".join(f"a{i}" for i in range(len(arguments)))
        return f"[&]() -> {result_type(e.callee.result)} {{ {lets}return {name}({passed}); }}()"


def result_type(type: Type) -> str:
    """The C++ return type of an emitted function."""
    return f"dual<{spell(type)}>" if is_floating(type) else spell(type)


def parameter_type(type: Type) -> str:
    return f"dual<{spell(type)}>" if is_floating(type) else spell(type)


def _is_lvalue(e: s.Expr) -> bool:
    match e:
        case s.Conditional(_, then, other):
            return then.type == other.type and _is_lvalue(then) and _is_lvalue(other)
        case s.Comma(_, right):
            return _is_lvalue(right)
        case s.IncDec(prefix=prefix):
            return prefix
        case s.Call(callee):
            return isinstance(callee.result, Reference)
        case _:
            return isinstance(e, (*_LVALUES, s.Assign, s.CompoundAssign))


def _has_effects(e: s.Expr) -> bool:
    return any(isinstance(n, (s.Assign, s.CompoundAssign, s.IncDec, s.Call)) for n in walk(e))


def _floating_literal(value: float, of: str) -> str:
    if math.isnan(value):
        return f"static_cast<{of}>(NAN)"
    if math.isinf(value):
        return f"static_cast<{of}>({'-' if value < 0 else ''}INFINITY)"
    return f"({value.hex()}{'f' if of == 'float' else ''})"


def _literal(value: int | float | bool, type: Type) -> str:
    if isinstance(type, Pointer):
        return f"(({spell(type)})nullptr)"
    if isinstance(type, Void):
        return "(void)0"
    if type == BOOL:
        return "true" if value else "false"
    number = int(value)
    if number > 2**63 - 1:
        text = f"{number}ULL"
    elif number == -(2**63):
        text = "(-9223372036854775807LL - 1)"
    else:
        text = f"{number}LL"
    return f"static_cast<{spell(strip_reference(type))}>({text})"
