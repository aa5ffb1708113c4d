"""Checks a surface program against what the grammar promises; run between stages in tests."""

from __future__ import annotations

from cladpy.deep import run_deep
from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir.never import assert_never
from cladpy.ir.surface_rules import is_lvalue, same
from cladpy.ir.symbols import FunctionKind, Role, Symbol
from cladpy.ir.types import (
    BOOL,
    Array,
    Opaque,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    Void,
    arithmetic_conversion,
    is_floating,
    is_integer,
    promote,
    spell,
    strip_reference,
)

_BITS = (s.BinaryOp.REM, s.BinaryOp.BIT_AND, s.BinaryOp.BIT_OR, s.BinaryOp.BIT_XOR)


def verify(program: s.Program) -> list[str]:
    """What is wrong, one line each with its place; empty where all is well."""
    faults: list[str] = []
    if program.entry not in program.functions:
        faults.append(f"the entry {program.entry.qualified_name} has no body")
    for symbol, function in program.functions.items():
        if symbol is not function.symbol:
            faults.append(f"{symbol.qualified_name} stands for another function's body")
        faults += run_deep(_Verifier(program, function).run)
    return faults


class _Verifier:
    """Checks one function."""

    def __init__(self, program: s.Program, function: s.Function) -> None:
        self._program = program
        self._function = function
        self._known: set[Symbol] = set(function.parameters)
        self._faults: list[str] = []
        self._loops = 0  # around the current statement: what continue may mean
        self._breakable = 0

    def run(self) -> list[str]:
        symbol = self._function.symbol
        own = [strip_reference(p.type) for p in self._function.parameters]
        if len(own) != len(symbol.parameters) or not all(
            same(a, strip_reference(b)) for a, b in zip(own, symbol.parameters, strict=False)
        ):
            self._fault(self._function.span, "the parameters differ from the function's type")
        for parameter in self._function.parameters:
            if parameter.role is not Role.PARAMETER:
                self._fault(parameter.span, f"the parameter {parameter.name} has another role")
        self._block(self._function.body)
        return self._faults

    def _fault(self, span: Span, text: str) -> None:
        self._faults.append(f"{span}: {self._function.symbol.qualified_name}: {text}")

    def _require(self, holds: bool, span: Span, text: str) -> None:
        if not holds:
            self._fault(span, text)

    def _is(self, expr: s.Expr, type: Type, what: str) -> None:
        self._require(
            same(expr.type, type), expr.span, f"{what} has type {spell(expr.type)}, but {spell(type)} is needed"
        )

    # ---- statements -------------------------------------------------------------------------------------------------

    def _block(self, block: s.Block) -> None:
        outer = set(self._known)
        for statement in block.statements:
            self._statement(statement)
        self._known = outer

    def _condition(self, expr: s.Expr) -> None:
        self._expr(expr)
        self._is(expr, BOOL, "the condition")

    def _loop(self, body: s.Block) -> None:
        self._loops += 1
        self._breakable += 1
        self._block(body)
        self._loops -= 1
        self._breakable -= 1

    def _statement(self, statement: s.Stmt) -> None:
        match statement:
            case s.Declare(symbol, init, span):
                self._declare(symbol, init, span)
            case s.Bind(base, field, referred, span):
                self._expr(base)
                self._expr(referred)
                known = isinstance(base.type, Struct) and field in base.type.fields
                fits = isinstance(field.type, Reference) and same(field.type.referee, referred.type)
                self._require(known and fits, span, f"{field.name} is bound to something of another type")
            case s.Evaluate(expr):
                self._expr(expr)
            case s.If(condition, then, other):
                self._condition(condition)
                self._block(then)
                if other is not None:
                    self._block(other)
            case s.For(init, condition, step, body):
                outer = set(self._known)
                for part in init:
                    self._statement(part)
                if condition is not None:
                    self._condition(condition)
                if step is not None:
                    self._expr(step)
                self._loop(body)
                self._known = outer
            case s.While(condition, body) | s.DoWhile(body, condition):
                self._condition(condition)
                self._loop(body)
            case s.Switch(value, sections, span):
                self._expr(value)
                self._require(
                    isinstance(value.type, Scalar) and is_integer(value.type) and promote(value.type) == value.type,
                    value.span,
                    "a switch needs a promoted integer",
                )
                labels = [label for section in sections for label in section.labels]
                self._require(len(labels) == len(set(labels)), span, "a label occurs twice")
                self._breakable += 1
                self._block(s.Block(tuple(inner for section in sections for inner in section.body), span))
                self._breakable -= 1
            case s.Break(span):
                self._require(self._breakable > 0, span, "break outside of a loop or switch")
            case s.Continue(span):
                self._require(self._loops > 0, span, "continue outside of a loop")
            case s.Return(value, span):
                self._return(value, span)
            case s.Block():
                self._block(statement)
            case _:
                assert_never(statement)

    def _declare(self, symbol: Symbol, init: s.Expr | None, span: Span) -> None:
        self._require(symbol not in self._known, span, f"{symbol.name} is declared twice")
        if isinstance(symbol.type, Reference):
            if init is None or not is_lvalue(init):
                self._fault(span, f"the reference {symbol.name} needs an lvalue")
            else:
                self._expr(init)
                self._is(init, symbol.type.referee, "the referee")
            self._known.add(symbol)
            return
        self._known.add(symbol)  # in scope in its own initialiser
        if init is not None:
            self._expr(init)
            self._is(init, symbol.type, "the initial value")

    def _return(self, value: s.Expr | None, span: Span) -> None:
        result = self._function.symbol.result
        if value is None:
            self._require(isinstance(result, Void), span, "a value must be returned")
            return
        self._expr(value)
        self._is(value, strip_reference(result), "the returned value")
        if isinstance(result, Reference):
            self._require(is_lvalue(value), span, "a reference to what is no lvalue")

    # ---- expressions ------------------------------------------------------------------------------------------------

    def _expr(self, expr: s.Expr) -> None:
        self._require(not isinstance(expr.type, Reference), expr.span, "an expression has a reference's type")
        match expr:
            case s.Literal(value, type, span):
                self._literal(value, type, span)
            case s.StringLiteral() | s.Builtin():
                pass
            case s.Unsupported(operands=operands):
                for operand in operands or ():
                    self._expr(operand)
            case s.VarRef(symbol, type, span):
                self._require(
                    symbol in self._known or symbol.role is Role.GLOBAL, span, f"{symbol.name} is used undeclared"
                )
                self._is(expr, strip_reference(symbol.type), symbol.name)
            case s.Unary(op, operand, type, span):
                self._expr(operand)
                self._is(operand, type, "the operand")
                if op is s.UnaryOp.NOT:
                    self._require(type == BOOL, span, "! gives bool")
                else:
                    self._require(
                        isinstance(type, Scalar) and promote(type) == type, span, "the operand is not promoted"
                    )
            case s.Binary():
                self._binary(expr)
            case s.Assign(target, value, type, span):
                self._target(target, type, span)
                self._expr(value)
                self._is(value, target.type, "the assigned value")
            case s.CompoundAssign():
                self._compound(expr)
            case s.IncDec(target, delta, _, type, span):
                self._target(target, type, span)
                self._require(delta in (1, -1), span, "a step of more than one")
            case s.Conditional(condition, then, other, type):
                self._condition(condition)
                self._expr(then)
                self._expr(other)
                self._is(then, type, "the first arm")
                self._is(other, type, "the second arm")
            case s.Cast(operand, type, span):
                self._expr(operand)
                scalars = isinstance(operand.type, Scalar) and isinstance(type, Scalar)
                before, after = (isinstance(t, Pointer | Array) for t in (operand.type, type))
                addresses = (before or is_integer(operand.type)) and (after or is_integer(type))
                self._require(
                    scalars or addresses or isinstance(type, Void),
                    span,
                    f"a cast from {spell(operand.type)} to {spell(type)}",
                )
            case s.Index() | s.Deref() | s.AddressOf():
                self._memory(expr)
            case s.Call():
                self._call(expr)
            case s.Comma(left, right, type):
                self._expr(left)
                self._expr(right)
                self._is(right, type, "the right operand")
            case s.Member() | s.Construct() | s.Temporary():
                self._object(expr)
            case s.InitList():
                self._list(expr)
            case _:
                assert_never(expr)

    def _memory(self, expr: s.Index | s.Deref | s.AddressOf) -> None:
        match expr:
            case s.Index(base, index, type, span):
                self._expr(base)
                self._expr(index)
                self._require(is_integer(index.type), span, "the index is no integer")
                match base.type:
                    case Pointer(element) | Array(element, _):
                        self._require(same(element, type), span, "the element has another type")
                    case _:
                        self._fault(span, "what is indexed is neither pointer nor array")
                if isinstance(base.type, Array):
                    self._require(is_lvalue(base), span, "an array that is no lvalue")
            case s.Deref(operand, type, span):
                self._expr(operand)
                self._require(
                    isinstance(operand.type, Pointer) and same(operand.type.pointee, type),
                    span,
                    "a dereferenced non-pointer",
                )
            case s.AddressOf(operand, type, span):
                self._expr(operand)
                self._require(is_lvalue(operand), span, "the address of what is no lvalue")
                self._require(
                    isinstance(type, Pointer) and same(type.pointee, operand.type), span, "another type's address"
                )
            case _:
                assert_never(expr)

    def _literal(self, value: int | float | bool, type: Type, span: Span) -> None:
        if type == BOOL:
            self._require(isinstance(value, bool), span, "a bool literal without a bool")
        elif is_floating(type):
            self._require(isinstance(value, float), span, "a floating literal without a float")
        elif is_integer(type):
            self._require(
                isinstance(value, int) and not isinstance(value, bool), span, "an integer literal without an int"
            )
        elif not isinstance(type, Opaque):
            self._require(value == 0, span, f"a literal of type {spell(type)}")

    def _target(self, target: s.Expr, type: Type, span: Span) -> None:
        self._expr(target)
        self._require(is_lvalue(target), span, "what is assigned is no lvalue")
        self._is(target, type, "the target")

    def _binary(self, expr: s.Binary) -> None:
        op, left, right, type, span = expr.op, expr.left, expr.right, expr.type, expr.span
        self._expr(left)
        self._expr(right)
        if op in (s.BinaryOp.AND, s.BinaryOp.OR):
            for operand in (left, right):
                self._is(operand, BOOL, "the operand")
            self._require(type == BOOL, span, "a logical operator gives bool")
        elif op in s.COMPARISONS:
            self._require(type == BOOL, span, "a comparison gives bool")
            pointers = isinstance(left.type, Pointer) and isinstance(right.type, Pointer)
            self._require(pointers or same(left.type, right.type), span, "the operands' types differ")
        elif isinstance(left.type, Scalar) and isinstance(right.type, Scalar):
            self._is(left, type, "the left operand")
            promoted = isinstance(type, Scalar) and promote(type) == type
            self._require(promoted, span, "the operation's type is not promoted")
            if op in (s.BinaryOp.SHL, s.BinaryOp.SHR):
                self._require(is_integer(right.type) and promote(right.type) == right.type, span, "a shift's distance")
            else:
                self._is(right, type, "the right operand")
            self._require(op not in _BITS or is_integer(type), span, "bits of a floating value")
        elif isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
            self._require(op is s.BinaryOp.SUB and is_integer(type), span, "pointers are only subtracted")
        else:
            pointer = isinstance(left.type, Pointer) and is_integer(right.type) and same(type, left.type)
            self._require(pointer and op in (s.BinaryOp.ADD, s.BinaryOp.SUB), span, "operands that do not go together")

    def _compound(self, expr: s.CompoundAssign) -> None:
        self._target(expr.target, expr.type, expr.span)
        self._expr(expr.value)
        target, value, compute = expr.target.type, expr.value.type, expr.compute_type
        if isinstance(target, Pointer):
            self._require(is_integer(value) and same(compute, target), expr.span, "a pointer moves by an integer")
        elif not (isinstance(target, Scalar) and isinstance(value, Scalar) and isinstance(compute, Scalar)):
            self._fault(expr.span, "operands that do not go together")
        elif expr.op in (s.BinaryOp.SHL, s.BinaryOp.SHR):
            self._require(compute == promote(target), expr.span, "a shift is computed in the promoted type")
        else:
            self._is(expr.value, compute, "the operand")
            self._require(compute == arithmetic_conversion(target, compute), expr.span, "the computing type")

    def _object(self, expr: s.Member | s.Construct | s.Temporary) -> None:
        match expr:
            case s.Member(base, field, _, span):
                self._expr(base)
                fields = base.type.fields if isinstance(base.type, Struct) else ()
                self._require(field in fields, span, f"{spell(base.type)} has no field {field.name}")
                self._is(expr, strip_reference(field.type), field.name)
            case s.Construct(callee, arguments, type, span):
                self._require(
                    bool(callee.parameters) and same(callee.parameters[0], Pointer(type)),
                    span,
                    f"{callee.qualified_name} is no constructor of {spell(type)}",
                )
                self._require(callee in self._program.functions, span, f"{callee.qualified_name} is not read")
                self._arguments(arguments, callee.parameters[1:], span)
            case s.Temporary(operand, type):
                self._expr(operand)
                self._is(operand, type, "the temporary")
            case _:
                assert_never(expr)

    def _list(self, expr: s.InitList) -> None:
        match expr:
            case s.InitList(elements, Struct() as type, span):
                self._require(len(elements) <= len(type.fields), span, "more values than fields")
                for field, element in zip(type.fields, elements, strict=False):
                    self._expr(element)
                    self._is(element, strip_reference(field.type), field.name)
                    if isinstance(field.type, Reference):
                        self._require(is_lvalue(element), span, "a reference to what is no lvalue")
            case s.InitList(elements, Array() as type, span):
                self._require(len(elements) <= type.length, span, "more values than elements")
                for element in elements:
                    self._expr(element)
                    self._is(element, type.element, "the element")
            case _:
                self._fault(expr.span, f"a list for {spell(expr.type)}")

    def _call(self, expr: s.Call) -> None:
        callee = expr.callee
        self._is(expr, strip_reference(callee.result), "the call")
        known = callee.in_system_header != (callee in self._program.functions)
        self._require(known, expr.span, f"{callee.qualified_name} is neither read nor the library's")
        is_kernel = callee.kind is FunctionKind.KERNEL
        self._require(is_kernel == (expr.launch is not None), expr.span, "a kernel that is called, or another launched")
        for part in () if expr.launch is None else expr.launch.expressions:
            self._expr(part)
        self._arguments(expr.arguments, callee.parameters, expr.span)

    def _arguments(self, arguments: tuple[s.Expr, ...], parameters: tuple[Type, ...], span: Span) -> None:
        self._require(len(arguments) >= len(parameters), span, "too few arguments")
        for i, argument in enumerate(arguments):
            self._expr(argument)
            if i >= len(parameters):
                continue
            parameter = parameters[i]
            self._is(argument, strip_reference(parameter), "the argument")
            if isinstance(parameter, Reference) and not parameter.const:
                self._require(is_lvalue(argument), argument.span, "a reference to what is no lvalue")
