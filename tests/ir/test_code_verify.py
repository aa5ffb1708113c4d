"""The verifier of generated code: what the adjoint stage gives passes, each broken function is told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cladpy.diagnostics import NOWHERE
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_verify import verify
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import BOOL, DOUBLE, FLOAT, INT, LONG, VOID, Pointer, Type
from tests.ir.stages import gradient_of

KERNEL = FunctionSymbol("k", "k", VOID, (Pointer(DOUBLE), DOUBLE), FunctionKind.KERNEL, NOWHERE)
READ = FunctionSymbol("f", "f", DOUBLE, (Pointer(DOUBLE, const=True),), FunctionKind.DEVICE, NOWHERE)
X = core.Root("x", DOUBLE, core.RootKind.ARGUMENT, NOWHERE, position=0)
OTHER = core.Root("y", DOUBLE, core.RootKind.ARGUMENT, NOWHERE, position=1)
CONSTANT = core.Root("c", DOUBLE, core.RootKind.GLOBAL, NOWHERE, writable=False)
A = core.Root("a", DOUBLE, core.RootKind.LOCAL, NOWHERE, length=2)
S = core.Value("s", DOUBLE)
PRIMAL = core.Function(
    KERNEL,
    (core.Parameter("x", Pointer(DOUBLE), (core.Part(X),)), core.Parameter("s", DOUBLE, (core.Part(S),))),
    (),
    (),
    NOWHERE,
)
ZERO, COUNT, HALF, TRUE = core.Const(0, INT), core.Const(3, LONG), core.Const(0.5, DOUBLE), core.Const(True, BOOL)
SLOT, OTHER_SLOT = code.Slot(DOUBLE), code.Slot(DOUBLE)


def value(type: Type = DOUBLE, name: str = "v") -> core.Value:
    return core.Value(name, type)


V, W, K, F = value(), value(name="w"), value(LONG, "k"), value(FLOAT, "f")


def function(*body: code.Statement) -> code.Function:
    parameters = (
        code.Parameter("x", Pointer(DOUBLE), (core.Part(X),)),
        code.Parameter("s", DOUBLE, (core.Part(S),)),
        code.Parameter("_d_x", Pointer(DOUBLE), (core.Part(X),), adjoint=True),
        code.Parameter("_d_s", Pointer(DOUBLE), (core.Part(S),), adjoint=True),
    )
    return code.Function("k_grad", code.FunctionRole.KERNEL, parameters, body, PRIMAL)


def define(variable: core.Value = V, init: code.Initializer = HALF, mutable: bool = False) -> code.Define:
    return code.Define(variable, init, mutable)


def element(root: core.Root = X, adjoint: bool = False) -> code.Element:
    return code.Element(root, ZERO, adjoint)


def branch(*then: code.Statement) -> code.Branch:
    return code.Branch(TRUE, then, ())


def forward(*body: code.Statement) -> code.While:
    return code.While((), TRUE, body)


def backward(*body: code.Statement, count: core.Expr = COUNT) -> code.CountDown:
    return code.CountDown(value(LONG, "_k"), count, body)


def frame(*slots: code.Slot) -> code.Frame:
    return code.Frame(list(slots))


def push(frame: code.Frame) -> code.Push:
    return code.Push(frame, tuple((slot, HALF) for slot in frame.slots))


def pop(frame: code.Frame) -> code.Pop:
    return code.Pop(frame, tuple((slot, value()) for slot in frame.slots))


def pullback(*arguments: core.Expr | code.Address | code.AddressOfVariable) -> code.CallPullback:
    outputs = tuple(a.variable for a in arguments if isinstance(a, code.AddressOfVariable))
    return code.CallPullback("k_grad", arguments, outputs)


X_HERE, D_X_HERE = code.Address(X, ZERO), code.Address(X, ZERO, adjoint=True)
ONE, TWO = frame(SLOT), frame(OTHER_SLOT)
STATES = code.States()

BROKEN: list[tuple[str, code.Function]] = [
    ("%v is used out of its scope", function(define(W, core.Use(V)))),
    ("%v is used out of its scope", function(branch(define()), define(W, core.Use(V)))),
    ("%v is used out of its scope", function(code.While((define(),), TRUE, (define(W, core.Use(V)),)))),
    ("%v is defined twice", function(define(), define())),
    ("%v is changed, and constant", function(define(), code.Assign(V, HALF))),
    ("%v is changed, and constant", function(define(), code.Add(V, HALF))),
    ("%s is changed, and constant", function(code.Assign(S, HALF))),
    ("%v is changed out of its scope", function(branch(define(mutable=True)), code.Add(V, HALF))),
    ("what %v is changed by has type int", function(define(mutable=True), code.Add(V, ZERO))),
    ("what %f is defined as has type double", function(define(F))),
    ("the condition has type int", function(code.Branch(ZERO, (), ()))),
    ("the loop's condition has type int", function(code.While((), ZERO, ()))),
    ("a loop counts what is no integer", function(backward(count=HALF))),
    # memory
    ("@y is not declared here", function(define(init=element(OTHER)))),
    ("the adjoint of @y is not declared here", function(define(init=element(OTHER, adjoint=True)))),
    ("the adjoint of @c is not declared here", function(code.AddElement(CONSTANT, ZERO, HALF, Update.ATOMIC))),
    ("@a is not declared here", function(code.WriteElement(A, ZERO, HALF))),
    ("@a is not declared here", function(branch(code.DeclareArray(A, False, True)), define(init=element(A)))),
    (
        "the adjoint of @a is not declared here",
        function(code.DeclareArray(A, False, True), define(init=element(A, adjoint=True))),
    ),
    ("@a is declared twice in one scope", function(*2 * (code.DeclareArray(A, True, True),))),
    ("@x is declared, and neither local nor shared", function(code.DeclareArray(X, True, True))),
    ("@a has no length", function(code.DeclareArray(replace(A, length=0), True, True))),
    ("may not be", function(code.WriteElement(CONSTANT, ZERO, HALF))),
    ("an index of @x is no integer", function(code.WriteElement(X, HALF, HALF))),
    ("what is written to @x has type int", function(code.WriteElement(X, ZERO, ZERO))),
    ("what is added to the adjoint of @x has type int", function(code.AddElement(X, ZERO, ZERO, Update.PLAIN))),
    (
        "@a is local, and shared in its update",
        function(code.DeclareArray(A, True, True), code.AddElement(A, ZERO, HALF, Update.ATOMIC)),
    ),
    (
        "@a is local, and shared in its update",
        function(code.DeclareArray(A, True, True), code.Take(V, A, ZERO, Update.ATOMIC)),
    ),
    ("a reduced reading", function(code.Take(V, X, ZERO, Update.REDUCED))),
    ("%f has another type", function(code.Take(F, X, ZERO, Update.PLAIN))),
    ("%f has another type", function(define(F, element()))),
    ("_d_x is no adjoint of type double", function(code.AddParameter("_d_x", DOUBLE, HALF, Update.PLAIN))),
    ("what is added to _d_s has type int", function(code.AddParameter("_d_s", DOUBLE, ZERO, Update.PLAIN))),
    # the tape
    ("the tape is not empty at the end", function(forward(push(ONE)))),
    ("the tape is not empty at the end", function(forward(push(ONE)), backward(pop(TWO)))),
    (
        "the tape is not empty at the end",  # in the same order, and not the opposite one
        function(forward(push(ONE)), forward(push(TWO)), backward(pop(ONE)), backward(pop(TWO))),
    ),
    ("the tape is not empty at the end", function(branch(forward(push(ONE))), backward(pop(ONE)))),
    ("the tape is not empty at the end", function(forward(forward(push(ONE)), push(TWO)), backward(pop(TWO)))),
    ("the tape is not empty at the end", function(push(ONE), backward(pop(ONE)))),
    (
        "the tape is not empty at the end",  # slots are passed over on one way only
        function(forward(replace(push(ONE), only=TRUE)), backward(pop(ONE))),
    ),
    ("what says that slots are used has type double", function(forward(replace(push(ONE), only=HALF)))),
    ("what is pushed is not what the frame holds", function(forward(replace(push(ONE), values=())))),
    ("what is popped is not what the frame holds", function(backward(replace(pop(ONE), variables=())))),
    (
        "a loop that is run again changes the tape",
        function(code.DeclareStates(STATES), code.Rewind(STATES, ZERO, (), value(LONG), (push(ONE),))),
    ),
    ("a loop's condition changes the tape", function(code.While((push(ONE),), TRUE, ()))),
    ("what is pushed has type int", function(forward(code.Push(ONE, ((SLOT, ZERO),))))),
    ("%f is popped from a slot of another type", function(backward(code.Pop(ONE, ((SLOT, F),))))),
    # calls
    ("%v has another type than f gives", function(define(value(INT), code.UserCall(READ, (X_HERE,))))),
    ("f is given other arguments", function(define(init=code.UserCall(READ, ())))),
    ("f is given an address of another type", function(define(init=code.UserCall(READ, (code.AddressOfVariable(F),))))),
    ("k_grad is given other arguments", function(pullback(X_HERE))),
    ("%v is changed, and constant", function(define(), pullback(X_HERE, HALF, D_X_HERE, code.AddressOfVariable(V)))),
    ("_d_x is given something else", function(pullback(X_HERE, HALF, X_HERE, D_X_HERE))),
    ("what k_grad is given has type int", function(pullback(X_HERE, ZERO, D_X_HERE, D_X_HERE))),
    (
        "the outputs of k_grad are not those passed",
        function(define(mutable=True), code.CallPullback("k_grad", (X_HERE, HALF, D_X_HERE, D_X_HERE), (V,))),
    ),
]


@pytest.mark.parametrize(("fault", "broken"), BROKEN, ids=lambda p: p if isinstance(p, str) else "")
def test_broken(fault: str, broken: code.Function) -> None:
    found = verify([broken])
    assert any(fault in line for line in found), found


def test_one_name_for_two_functions() -> None:
    assert verify([function(), function()]) == ["k_grad: defined twice"]


def test_right() -> None:
    right = function(
        define(mutable=True),
        code.DeclareArray(A, True, True),
        forward(forward(push(ONE)), push(TWO)),
        branch(forward(push(ONE))),
        branch(backward(pop(ONE))),
        backward(pop(TWO), code.AddElement(A, ZERO, core.Use(V), Update.PLAIN), backward(pop(ONE))),
        code.Add(V, core.Use(S)),
        pullback(X_HERE, HALF, D_X_HERE, code.AddressOfVariable(V)),
        code.Take(W, X, ZERO, Update.ATOMIC),
        code.AddParameter("_d_s", DOUBLE, core.Use(W), Update.REDUCED),
    )
    assert verify([right]) == []


def test_the_counting_launch_is_checked_too() -> None:
    text = """__global__ void k(int *n, double *x, double *y) {
      double v = x[0];
      for (int j = 0; j < n[threadIdx.x]; ++j)
        for (int l = 0; l < 4; ++l) v = sin(v) * cos(v + x[l]);
      y[threadIdx.x] = v;
    }"""
    gradient = gradient_of(text, growable=False)
    assert verify(gradient.functions) == []
    main = gradient.main
    assert main.count
    assert any("out of its scope" in fault for fault in verify([replace(main, count=())]))
    assert any("no integer" in fault for fault in verify([replace(main, count_result=HALF)]))
