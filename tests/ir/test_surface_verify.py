"""The verifier of the surface grammar: a right program passes, each broken one is told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir.surface_text import format_program
from cladpy.ir.surface_verify import verify
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    Array,
    Field,
    Pointer,
    Record,
    Reference,
    Scalar,
    ScalarKind,
    Struct,
    Type,
)

HERE = Span("k.cu", 1, 1, 1, 2)
SHORT = Scalar(ScalarKind.SHORT)
X = Symbol("x", Pointer(DOUBLE), Role.PARAMETER, HERE)
N = Symbol("n", INT, Role.PARAMETER, HERE)
KERNEL = FunctionSymbol("k", "k", VOID, (Pointer(DOUBLE), INT), FunctionKind.KERNEL, HERE)
SIN = FunctionSymbol("sin", "sin", DOUBLE, (DOUBLE,), FunctionKind.HOST_DEVICE, HERE, True)
SET = FunctionSymbol("set", "set", VOID, (Reference(DOUBLE),), FunctionKind.HOST_DEVICE, HERE, True)
HOLDER = Struct("Holder", "Holder", Record((Field("held", Reference(DOUBLE), 0),), 8, 8))


def variable(name: str, type: Type = DOUBLE) -> Symbol:
    return Symbol(name, type, Role.VARIABLE, HERE)


def use(symbol: Symbol) -> s.VarRef:
    type = symbol.type
    return s.VarRef(symbol, type.referee if isinstance(type, Reference) else type, HERE)


def binary(op: s.BinaryOp, left: s.Expr, right: s.Expr, type: Type) -> s.Binary:
    return s.Binary(op, left, right, type, HERE)


def program(*body: s.Stmt, parameters: tuple[Symbol, ...] = (X, N), symbol: FunctionSymbol = KERNEL) -> s.Program:
    return s.Program(symbol, {symbol: s.Function(symbol, parameters, s.Block(body, HERE), HERE)}, (), ())


def does(expr: s.Expr) -> s.Program:
    return program(s.Evaluate(expr, HERE))


def declared(symbol: Symbol, init: s.Expr | None = None) -> s.Declare:
    return s.Declare(symbol, init, HERE)


ONE, HALF, TRUE = s.Literal(1, INT, HERE), s.Literal(0.5, DOUBLE, HERE), s.Literal(True, BOOL, HERE)
V, R, H = variable("v"), variable("r", Reference(DOUBLE)), variable("h", HOLDER)
ELEMENT = s.Index(use(X), ONE, DOUBLE, HERE)
OTHER = replace(KERNEL, name="other", qualified_name="other")
ADD, SUB, MUL, SHL, REM, LT, AND = (
    s.BinaryOp.ADD,
    s.BinaryOp.SUB,
    s.BinaryOp.MUL,
    s.BinaryOp.SHL,
    s.BinaryOp.REM,
    s.BinaryOp.LT,
    s.BinaryOp.AND,
)

BROKEN: list[tuple[str, s.Program]] = [
    ("the entry other has no body", replace(program(), entry=OTHER)),
    ("other stands for another function's body", s.Program(OTHER, {OTHER: program().functions[KERNEL]}, (), ())),
    ("the parameters differ from the function's type", program(parameters=(N, X))),
    ("the parameter x has another role", program(parameters=(replace(X, role=Role.VARIABLE), N))),
    # statements
    ("v is declared twice", program(declared(V), declared(V))),
    ("the reference r needs an lvalue", program(declared(R, HALF))),
    ("the reference r needs an lvalue", program(declared(R))),
    ("the referee has type int", program(declared(variable("i", INT)), declared(R, use(N)))),
    ("the initial value has type int", program(declared(V, ONE))),
    (
        "held is bound to something of another type",
        program(declared(H), s.Bind(use(H), HOLDER.fields[0], use(N), HERE)),
    ),
    ("the condition has type int", program(s.If(ONE, s.Block((), HERE), None, HERE))),
    ("a switch needs a promoted integer", program(s.Switch(HALF, (), HERE))),
    ("a label occurs twice", program(s.Switch(ONE, (s.SwitchSection((1, 1), (), HERE),), HERE))),
    ("break outside of a loop or switch", program(s.Break(HERE))),
    ("continue outside of a loop", program(s.Continue(HERE))),
    ("a value must be returned", program(s.Return(None, HERE), symbol=replace(KERNEL, result=DOUBLE))),
    ("the returned value has type int", program(s.Return(ONE, HERE), symbol=replace(KERNEL, result=DOUBLE))),
    # expressions
    ("v is used undeclared", does(use(V))),
    ("a floating literal without a float", does(s.Literal(1, DOUBLE, HERE))),
    ("an integer literal without an int", does(s.Literal(0.5, INT, HERE))),
    ("a bool literal without a bool", does(s.Literal(1, BOOL, HERE))),
    ("a literal of type double *", does(s.Literal(1, Pointer(DOUBLE), HERE))),
    ("! gives bool", does(s.Unary(s.UnaryOp.NOT, ONE, INT, HERE))),
    ("the operand is not promoted", does(s.Unary(s.UnaryOp.NEG, s.Literal(1, SHORT, HERE), SHORT, HERE))),
    ("what is assigned is no lvalue", does(s.Assign(HALF, HALF, DOUBLE, HERE))),
    ("the assigned value has type int", does(s.Assign(ELEMENT, ONE, DOUBLE, HERE))),
    ("a step of more than one", does(s.IncDec(ELEMENT, 2, True, DOUBLE, HERE))),
    ("the second arm has type int", does(s.Conditional(TRUE, HALF, ONE, DOUBLE, HERE))),
    ("a cast from double to double *", does(s.Cast(HALF, Pointer(DOUBLE), HERE))),
    ("the index is no integer", does(s.Index(use(X), HALF, DOUBLE, HERE))),
    ("the element has another type", does(s.Index(use(X), ONE, FLOAT, HERE))),
    ("what is indexed is neither pointer nor array", does(s.Index(use(N), ONE, INT, HERE))),
    ("a dereferenced non-pointer", does(s.Deref(use(N), INT, HERE))),
    ("the address of what is no lvalue", does(s.AddressOf(HALF, Pointer(DOUBLE), HERE))),
    ("another type's address", does(s.AddressOf(ELEMENT, Pointer(FLOAT), HERE))),
    ("the right operand has type int", does(binary(MUL, HALF, ONE, DOUBLE))),
    ("the operands' types differ", does(binary(LT, HALF, ONE, BOOL))),
    ("a logical operator gives bool", does(binary(AND, TRUE, TRUE, INT))),
    ("bits of a floating value", does(binary(REM, HALF, HALF, DOUBLE))),
    ("a shift's distance", does(binary(SHL, ONE, HALF, INT))),
    ("pointers are only subtracted", does(binary(ADD, use(X), use(X), Pointer(DOUBLE)))),
    ("operands that do not go together", does(binary(ADD, ONE, use(X), Pointer(DOUBLE)))),
    (
        "operands that do not go together",
        program(declared(H), s.Evaluate(s.CompoundAssign(ADD, use(H), HALF, DOUBLE, HOLDER, HERE), HERE)),
    ),
    (
        "a pointer moves by an integer",
        does(s.CompoundAssign(ADD, use(X), HALF, Pointer(DOUBLE), Pointer(DOUBLE), HERE)),
    ),
    ("a list for double", does(s.InitList((HALF,), DOUBLE, HERE))),
    ("more values than elements", does(s.InitList((HALF, HALF), Array(DOUBLE, 1), HERE))),
    ("more values than fields", does(s.InitList((ELEMENT, ELEMENT), HOLDER, HERE))),
    ("a reference to what is no lvalue", does(s.InitList((HALF,), HOLDER, HERE))),
    ("too few arguments", does(s.Call(SIN, (), DOUBLE, HERE))),
    ("the argument has type int", does(s.Call(SIN, (ONE,), DOUBLE, HERE))),
    ("a reference to what is no lvalue", does(s.Call(SET, (HALF,), VOID, HERE))),
    (
        "f is neither read nor the library's",
        does(s.Call(replace(SIN, qualified_name="f", in_system_header=False), (HALF,), DOUBLE, HERE)),
    ),
    ("a kernel that is called, or another launched", does(s.Call(KERNEL, (use(X), ONE), VOID, HERE))),
]


@pytest.mark.parametrize(("fault", "broken"), BROKEN, ids=lambda p: p if isinstance(p, str) else "")
def test_broken(fault: str, broken: s.Program) -> None:
    found = verify(broken)
    assert any(fault in line for line in found), found


def test_right() -> None:
    sum_ = binary(ADD, use(X), use(N), Pointer(DOUBLE))
    right = program(
        declared(V, s.Call(SIN, (ELEMENT,), DOUBLE, HERE)),
        declared(R, use(V)),
        declared(H, s.InitList((use(V),), HOLDER, HERE)),
        s.Bind(use(H), HOLDER.fields[0], ELEMENT, HERE),
        s.Evaluate(s.Call(SET, (use(R),), VOID, HERE), HERE),
        s.Evaluate(s.Assign(s.Deref(sum_, DOUBLE, HERE), use(R), DOUBLE, HERE), HERE),
        s.While(TRUE, s.Block((s.Continue(HERE), s.Break(HERE)), HERE), HERE),
        s.Switch(use(N), (s.SwitchSection((1, None), (s.Break(HERE),), HERE),), HERE),
        s.Return(None, HERE),
    )
    assert verify(right) == []
    assert "bind h.held = " in format_program(right)
