"""The verifier of the core grammar: a right function passes, each broken one is told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir.core_verify import verify
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import BOOL, DOUBLE, FLOAT, INT, STREAM, UINT, VOID, Pointer, Reference, Type
from tests.ir.stages import core_of

KERNEL = FunctionSymbol("k", "k", VOID, (Pointer(DOUBLE), INT), FunctionKind.KERNEL, NOWHERE)
SIN = FunctionSymbol("sin", "sin", DOUBLE, (DOUBLE,), FunctionKind.HOST_DEVICE, NOWHERE, True)
READ = FunctionSymbol("f", "f", DOUBLE, (Pointer(DOUBLE, const=True), INT), FunctionKind.DEVICE, NOWHERE)
TOUCH = FunctionSymbol("g", "g", VOID, (Reference(DOUBLE),), FunctionKind.DEVICE, NOWHERE)

X = core.Root("x", DOUBLE, core.RootKind.ARGUMENT, NOWHERE, position=0)
FIXED = core.Root("fixed", DOUBLE, core.RootKind.GLOBAL, NOWHERE, writable=False)
LOCAL = core.Root("a", DOUBLE, core.RootKind.LOCAL, NOWHERE, length=2)
N = core.Value("n", INT)
ZERO, ONE, HALF, TRUE = core.Const(0, INT), core.Const(1, INT), core.Const(0.5, DOUBLE), core.Const(True, BOOL)


def value(type: Type = DOUBLE, name: str = "v") -> core.Value:
    return core.Value(name, type)


def function(*body: core.Statement, result: core.Expr | None = None, symbol: FunctionSymbol = KERNEL) -> core.Function:
    parameters = (core.Parameter("x", Pointer(DOUBLE), (core.Part(X),)), core.Parameter("n", INT, (core.Part(N),)))
    results = () if result is None else (core.Leaf(result),)
    return core.Function(symbol, parameters, body, results, NOWHERE)


def let(expr: core.Expr, to: core.Value | None = None) -> core.Let:
    return core.Let(to or value(expr.type), expr, NOWHERE)


def store(expr: core.Expr, root: core.Root = X, index: core.Expr = ZERO, old: core.Value | None = None) -> core.Store:
    return core.Store(root, index, expr, NOWHERE, old)


def load(to: core.Value, root: core.Root = X, index: core.Expr = ZERO) -> core.Load:
    return core.Load(to, root, index, NOWHERE)


def call(to: core.Value | None, callee: FunctionSymbol, arguments: tuple[core.Argument, ...]) -> core.Call:
    return core.Call(() if to is None else (core.Output(to),), callee, arguments, NOWHERE)


def binary(op: BinaryOp, left: core.Expr, right: core.Expr, type: Type) -> core.Binary:
    return core.Binary(op, left, right, type)


COUNT = core.Use(N)
V, W, S, F = value(), value(name="w"), value(name="s"), value(FLOAT, "f")
CARRIED = core.Carried(V, HALF, core.Use(V), W)


def loop(
    *body: core.Statement, carried: core.Carried = CARRIED, before: core.Region = (), condition: core.Expr = TRUE
) -> core.Loop:
    return core.Loop((carried,), before, condition, body, NOWHERE)


def branch(*then: core.Statement, merge: core.Merge | None = None, condition: core.Expr = TRUE) -> core.If:
    return core.If(condition, then, (), () if merge is None else (merge,), NOWHERE)


BROKEN: list[tuple[str, core.Function]] = [
    ("is used out of its scope", function(store(core.Use(V)))),
    ("is defined twice", function(let(HALF, V), let(HALF, V))),
    ("is used out of its scope", function(branch(let(HALF, V)), store(core.Use(V)))),
    ("is used out of its scope", function(branch(let(HALF, V), merge=core.Merge(W, HALF, core.Use(V))))),
    ("is used out of its scope", function(loop(before=(let(HALF, S),), carried=replace(CARRIED, next=core.Use(S))))),
    ("is used out of its scope", function(loop(store(core.Use(S)), before=(let(HALF, S),)))),
    ("is used out of its scope", function(loop(), store(core.Use(V)))),
    ("is used out of its scope", function(loop(carried=replace(CARRIED, init=core.Use(V))))),
    ("is used out of its scope", function(loop(condition=core.Use(value(BOOL)), before=()))),
    ("the first %v has type float", function(loop(carried=replace(CARRIED, init=core.Const(0.5, FLOAT))))),
    ("the next %v has type int", function(loop(carried=replace(CARRIED, next=ZERO)))),
    ("ends with another type", function(loop(carried=replace(CARRIED, result=F)))),
    ("the loop's condition has type int", function(loop(condition=ONE))),
    ("the condition has type int", function(branch(let(HALF), condition=ONE))),
    ("an arm of %w has type int", function(branch(merge=core.Merge(W, ZERO, HALF)))),
    ("what %f is bound to has type double", function(let(HALF, F))),
    ("the result is missing", function(symbol=replace(KERNEL, result=DOUBLE))),
    ("the result has type int", function(result=ZERO, symbol=replace(KERNEL, result=DOUBLE))),
    # memory
    ("%f has another type than the elements of @x", function(load(F))),
    ("an index of @x is no integer", function(load(V, index=HALF))),
    ("what is stored to @x has type float", function(store(core.Const(0.5, FLOAT)))),
    ("may not be", function(store(HALF, FIXED))),
    ("@a is not alive here", function(store(HALF, LOCAL))),
    ("@a is not alive here", function(branch(core.Allocate(LOCAL, True, NOWHERE)), load(V, LOCAL))),
    ("@a is allocated twice", function(*2 * (core.Allocate(LOCAL, True, NOWHERE),))),
    ("is allocated, and neither local nor shared", function(core.Allocate(replace(X), True, NOWHERE))),
    ("@a has no length", function(core.Allocate(replace(LOCAL, length=None), True, NOWHERE))),
    ("is not what the store overwrites", function(let(HALF, V), load(W), store(HALF, old=V))),
    ("is not what the store overwrites", function(load(V, index=ONE), store(HALF, old=V))),
    (
        "is local, and added to atomically",
        function(core.Allocate(LOCAL, True, NOWHERE), core.AtomicAdd(LOCAL, ZERO, HALF, SIN, NOWHERE)),
    ),
    ("is at another position", replace(function(), parameters=tuple(reversed(function().parameters)))),
    # calls
    ("the result of f has no name", function(call(None, READ, (core.PointerArgument(X, ZERO), COUNT)))),
    ("is not of the type that f gives", function(call(F, READ, (core.PointerArgument(X, ZERO), COUNT)))),
    ("f is given other arguments", function(call(V, READ, (core.PointerArgument(X, ZERO),)))),
    ("is passed in another way", function(call(None, TOUCH, (core.PointerArgument(X, ZERO),)))),
    ("f is given memory for int", function(call(V, READ, 2 * (core.PointerArgument(X, ZERO),)))),
    ("an argument of f has type double", function(call(V, READ, (core.PointerArgument(X, ZERO), HALF)))),
    # expressions
    ("the right operand of + has type int", function(let(binary(BinaryOp.ADD, HALF, ZERO, DOUBLE)))),
    ("the left operand of * has type double", function(let(binary(BinaryOp.MUL, HALF, HALF, FLOAT)))),
    ("< compares double with int", function(let(binary(BinaryOp.LT, HALF, ZERO, BOOL)))),
    ("< gives int", function(let(binary(BinaryOp.LT, ZERO, ZERO, INT)))),
    ("&& has type int", function(let(binary(BinaryOp.AND, ZERO, TRUE, BOOL)))),
    ("% of a floating value", function(let(binary(BinaryOp.REM, HALF, HALF, DOUBLE)))),
    ("<< of what is no integer", function(let(binary(BinaryOp.SHL, ONE, HALF, INT)))),
    ("! of what is not bool", function(let(core.Unary(UnaryOp.NOT, ONE, INT)))),
    ("bits of a floating value", function(let(core.Unary(UnaryOp.BIT_NOT, HALF, DOUBLE)))),
    ("the operand of - has type int", function(let(core.Unary(UnaryOp.NEG, ONE, DOUBLE)))),
    ("the condition of a selection has type int", function(let(core.Select(ONE, HALF, HALF, DOUBLE)))),
    ("the second arm has type int", function(let(core.Select(TRUE, HALF, ONE, DOUBLE)))),
    ("a cast from int to double *", function(let(core.Cast(ONE, Pointer(DOUBLE))))),
    ("sin takes 1 arguments, not 2", function(let(core.Math(SIN, (HALF, HALF), DOUBLE)))),
    ("an argument of sin has type int", function(let(core.Math(SIN, (ONE,), DOUBLE)))),
    ("sin gives double, not float", function(let(core.Math(SIN, (HALF,), FLOAT)))),
    ("whether @a is null", function(let(core.IsNull(LOCAL, BOOL, core.Held(0))))),
    ("is no integer", function(let(core.Builtin(BuiltinVar.THREAD_X, DOUBLE)))),
    ("the constant 1 of type double", function(let(core.Const(1, DOUBLE)))),
    ("the constant 1.0 of type int", function(let(core.Const(1.0, INT)))),
    ("the constant 2 of type bool", function(let(core.Const(2, BOOL)))),
    ("the constant 1 of type double *", function(let(core.Const(1, Pointer(DOUBLE))))),
    ("the constant 0.5 of type CUstream_st *", function(let(core.Const(0.5, STREAM)))),
    ("the constant 0 of type void", function(let(core.Const(0, VOID)))),
    ("the constant -1 does not fit unsigned int", function(let(core.Const(-1, UINT)))),
    ("the constant 2147483648 does not fit int", function(let(core.Const(2**31, INT)))),
    ("&& gives int", function(let(binary(BinaryOp.AND, TRUE, TRUE, INT)))),
    ("%p is no scalar", function(let(core.Use(value(Pointer(DOUBLE), "p"))))),
    ("a subscript that is no integer", function(load(V, index=core.Nested(ZERO, HALF, 2)))),
    ("a derivative of something that is no scalar", function(let(core.Linear(HALF, (), Pointer(DOUBLE))))),
    ("what a derivative is given for has type int", function(let(core.Linear(ZERO, (), DOUBLE)))),
    ("a derivative by one value twice", function(let(core.Linear(HALF, 2 * ((core.Use(V), HALF),), DOUBLE)))),
    ("a formula names an operand twice", function(let(core.Formula("x", 2 * (("x", HALF),), DOUBLE)))),
    ("a formula before there are derivatives", function(let(core.Formula("x", (("x", HALF),), DOUBLE)))),
]


@pytest.mark.parametrize(("fault", "broken"), BROKEN, ids=lambda p: p if isinstance(p, str) else "")
def test_broken(fault: str, broken: core.Function) -> None:
    found = verify(broken)
    assert any(fault in line for line in found), found


def test_right() -> None:
    old = value(name="x_old")
    right = function(
        core.Allocate(LOCAL, True, NOWHERE),
        load(V),
        branch(let(HALF, W), store(core.Use(W), LOCAL), merge=core.Merge(S, core.Use(W), core.Use(V)), condition=TRUE),
        load(old),
        store(core.Use(S), old=old),
        call(value(), READ, (core.PointerArgument(X, ONE), core.Use(N))),
        call(None, TOUCH, (core.PointerArgument(X, ONE, by_reference=True),)),
    )
    right = replace(right, body=(*right.body, let(core.Const(0, STREAM)), let(core.Const(0, Pointer(DOUBLE)))))
    # the branch's own value is not seen by the other arm, which takes V
    assert verify(right) == []


def test_what_normalisation_gives() -> None:
    text = """__device__ double f(const double *x, int i) { return i > 9 ? x[i] : x[0]; }
    __global__ void k(double *x, int n) {
      double a[2][2] = {{1}};
      for (int i = 0; i < n && x[i] > 0; ++i) { if (i == 3) continue; a[i % 2][1] += f(x, i); }
      do { x[n] = a[0][1] + a[1][1]; } while (--n > 0);
    }"""
    assert verify(core_of(text)) == []
