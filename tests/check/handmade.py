"""Surface programs made by hand, as short as the C++ that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cladpy.check.oracle import Oracle
from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface as s
from cladpy.ir.surface_verify import verify
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Space, Symbol
from cladpy.ir.types import (
    BOOL,
    DOUBLE,
    INT,
    VOID,
    Array,
    Field,
    Pointer,
    Record,
    Reference,
    Scalar,
    Struct,
    Type,
    is_integer,
    size_of,
    strip_reference,
)
from cladpy.options import Options
from cladpy.source import Source

# ---- classes --------------------------------------------------------------------------------------------------------


def _alignment(type: Type) -> int:
    if isinstance(type, Array):
        return _alignment(type.element)
    return type.record.alignment if isinstance(type, Struct) else size_of(type)


def struct(name: str, *fields: tuple[Any, ...], union: bool = False, packed: bool = False) -> Struct:
    """A class of `(name, type)`, or `(name, type, offset)` where the layout is not the plain one. A base class has the
    name "base:..."."""
    made = Struct(name, f"c:{name}", Record(is_union=union))
    return define(made, *fields, packed=packed)


def define(made: Struct, *fields: tuple[Any, ...], packed: bool = False) -> Struct:
    done, end, alignment = [], 0, 1
    for name, type, *place in fields:
        own = 1 if packed else _alignment(type)
        offset = place[0] if place else 0 if made.record.is_union else -(-end // own) * own
        base = name.startswith("base:")
        done.append(Field("" if base else name, type, offset, base, place[1] if len(place) > 1 else None))
        end, alignment = max(end, offset + size_of(type)), max(alignment, own)
    made.record.fields = tuple(done)
    made.record.alignment = alignment
    made.record.size = max(1, -(-end // alignment) * alignment)
    return made


# ---- variables and expressions --------------------------------------------------------------------------------------


def parameter(name: str, type: Type) -> Symbol:
    return Symbol(name, type, Role.PARAMETER, NOWHERE)


def variable(name: str, type: Type, space: Space = Space.LOCAL) -> Symbol:
    return Symbol(name, type, Role.VARIABLE, NOWHERE, space)


def ref(symbol: Symbol) -> s.Expr:
    return s.VarRef(symbol, strip_reference(symbol.type), NOWHERE)


def num(value: float) -> s.Expr:
    return s.Literal(float(value), DOUBLE, NOWHERE)


def integer(value: int) -> s.Expr:
    return s.Literal(value, INT, NOWHERE)


def thread() -> s.Expr:
    return s.Builtin(s.BuiltinVar.THREAD_X, Scalar(INT.kind), NOWHERE)


def binary(op: str, left: s.Expr, right: s.Expr) -> s.Expr:
    comparison = op in ("<", ">", "==", "!=", "<=", ">=")
    return s.Binary(s.BinaryOp(op), left, right, BOOL if comparison else left.type, NOWHERE)


def add(left: s.Expr, right: s.Expr) -> s.Expr:
    return binary("+", left, right)


def mul(left: s.Expr, right: s.Expr) -> s.Expr:
    return binary("*", left, right)


def member(base: s.Expr, *path: str) -> s.Expr:
    """`base.a.b`; an empty name is the base class or the unnamed member that comes first."""
    for name in path:
        assert isinstance(base.type, Struct)
        field = next(f for f in base.type.fields if f.name == name)
        base = s.Member(base, field, strip_reference(field.type), NOWHERE)
    return base


def arrow(pointer: s.Expr, *path: str) -> s.Expr:
    return member(deref(pointer), *path)


def deref(pointer: s.Expr) -> s.Expr:
    assert isinstance(pointer.type, Pointer)
    return s.Deref(pointer, pointer.type.pointee, NOWHERE)


def index(base: s.Expr, i: s.Expr | int) -> s.Expr:
    assert isinstance(base.type, Pointer | Array)
    inner = base.type.pointee if isinstance(base.type, Pointer) else base.type.element
    return s.Index(base, integer(i) if isinstance(i, int) else i, inner, NOWHERE)


def address(e: s.Expr) -> s.Expr:
    return s.AddressOf(e, Pointer(e.type), NOWHERE)


def temporary(e: s.Expr) -> s.Expr:
    return s.Temporary(e, e.type, NOWHERE)


def values(type: Type, *elements: s.Expr) -> s.Expr:
    return s.InitList(elements, type, NOWHERE)


def call(function: s.Function | FunctionSymbol, *arguments: s.Expr) -> s.Expr:
    callee = function.symbol if isinstance(function, s.Function) else function
    return s.Call(callee, arguments, strip_reference(callee.result), NOWHERE)


def construct(constructor: s.Function, *arguments: s.Expr) -> s.Expr:
    made = constructor.symbol.parameters[0]
    assert isinstance(made, Pointer)
    return s.Construct(constructor.symbol, arguments, made.pointee, NOWHERE)


def choose(condition: s.Expr, then: s.Expr, other: s.Expr) -> s.Expr:
    return s.Conditional(condition, then, other, then.type, NOWHERE)


def cast(e: s.Expr, type: Type) -> s.Expr:
    return s.Cast(e, type, NOWHERE)


def comma(left: s.Expr, right: s.Expr) -> s.Expr:
    return s.Comma(left, right, right.type, NOWHERE)


def assignment(target: s.Expr, value: s.Expr) -> s.Expr:
    return s.Assign(target, value, target.type, NOWHERE)


def increment(target: s.Expr, *, prefix: bool = False) -> s.Expr:
    return s.IncDec(target, 1, prefix, target.type, NOWHERE)


# ---- statements and functions ---------------------------------------------------------------------------------------


def let(symbol: Symbol, init: s.Expr | None = None) -> s.Stmt:
    return s.Declare(symbol, init, NOWHERE)


def put(target: s.Expr, value: s.Expr) -> s.Stmt:
    return do(assignment(target, value))


def compound(target: s.Expr, op: str, value: s.Expr, compute: Type | None = None) -> s.Stmt:
    return do(s.CompoundAssign(s.BinaryOp(op), target, value, compute or target.type, target.type, NOWHERE))


def do(e: s.Expr) -> s.Stmt:
    return s.Evaluate(e, NOWHERE)


def give(e: s.Expr | None = None) -> s.Stmt:
    return s.Return(e, NOWHERE)


def when(condition: s.Expr, *then: s.Stmt) -> s.Stmt:
    return s.If(condition, s.Block(then, NOWHERE), None, NOWHERE)


def repeat(i: Symbol, count: int, *body: s.Stmt) -> s.Stmt:
    assert is_integer(i.type)
    test = binary("<", ref(i), integer(count))
    return s.For((let(i, integer(0)),), test, increment(ref(i), prefix=True), s.Block(body, NOWHERE), NOWHERE)


def function(
    name: str,
    result: Type,
    parameters: Sequence[Symbol],
    *body: s.Stmt,
    kind: FunctionKind = FunctionKind.HOST_DEVICE,
    method: bool = False,
) -> s.Function:
    types = tuple(p.type for p in parameters)
    symbol = FunctionSymbol(name, name, result, types, kind, NOWHERE, is_method=method)
    return s.Function(symbol, tuple(parameters), s.Block(body, NOWHERE), NOWHERE)


def kernel(parameters: Sequence[Symbol], *body: s.Stmt) -> s.Function:
    return function("k", VOID, parameters, *body, kind=FunctionKind.KERNEL)


def method(name: str, of: Struct, result: Type, parameters: Sequence[Symbol], *body: s.Stmt) -> s.Function:
    """The first parameter is `this`."""
    assert parameters[0].name == "this" and strip_reference(parameters[0].type) == Pointer(of)
    return function(name, result, parameters, *body, method=True)


def library(name: str, result: Type, *parameters: Type) -> FunctionSymbol:
    return FunctionSymbol(name, name, result, parameters, FunctionKind.DEVICE, NOWHERE, in_system_header=True)


def this(of: Struct) -> Symbol:
    return parameter("this", Pointer(of))


def reference(type: Type) -> Reference:
    return Reference(type)


def oracle(entry: s.Function, *functions: s.Function, source: str | None = None) -> Oracle:
    known = {f.symbol: f for f in (entry, *functions)}
    program = s.Program(entry.symbol, known, (), ())
    assert verify(program) == []
    return Oracle(program, Options.make(), None if source is None else Source.load(source))
