"""Matrices that the lanes of a warp hold together, `nvcuda::wmma::fragment`.

Which lane holds which number is left open, and is other here than on a GPU (`library_shim/mma.h`). So a program may do
to one number what it does to all, with numbers of other such matrices at the same place and what all lanes have.
"""

from __future__ import annotations

from dataclasses import dataclass

from cladpy import known
from cladpy.diagnostics import Sink
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import Array, Scalar, Struct
from cladpy.order import scan

_OURS = "nvcuda::wmma::fragment<"
_OF_THREADS = (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
_PARTS = (s.Literal, s.Unary, s.Binary, s.Cast, s.Conditional)


def check_fragments(program: s.Program, sink: Sink) -> None:
    """Refuses what depends on which numbers a lane has (CP0265)."""
    for function in program.functions.values():
        if not function.of_system:
            _Check(program, function, sink).statement(function.body, _Loop())


@dataclass(frozen=True, slots=True)
class _Loop:
    """What is counted around a statement from zero by ones, and up to which number."""

    counts: tuple[tuple[Symbol, int], ...] = ()


class _Check:
    def __init__(self, program: s.Program, function: s.Function, sink: Sink) -> None:
        self._program, self._sink = program, sink
        self._same = {
            p for p in function.parameters if isinstance(p.type, Scalar) and function.symbol.kind is FunctionKind.KERNEL
        }
        assigned = scan.Assigned()
        assigned.add_statement(function.body)
        self._same.difference_update(assigned.symbols)
        for d in surface_walk.declarations(function.body):  # a constant is made of what is declared before it
            if d.symbol.const and d.init is not None and self._is_same(d.init, _Loop()):
                self._same.add(d.symbol)

    def statement(self, statement: s.Stmt, loop: _Loop) -> None:
        for expr in surface_walk.own_expressions(statement):
            if any(map(_is_content, surface_walk.walk(expr))) and not self._is_of_each(statement, expr, loop):
                self._sink.error(
                    "CP0265",
                    "it makes a difference here which numbers of a fragment a lane has, which is left open",
                    expr.span,
                    hint="in a loop up to num_elements make each number of those at the same index in fragments of the "
                    "same type, and of constants and arguments of the kernel; or store the fragment to shared memory",
                )
        if isinstance(statement, s.For):
            loop = _within(statement, loop)
        for inner in surface_walk.inner_statements(statement):
            self.statement(inner, loop)

    def _is_of_each(self, statement: s.Stmt, expr: s.Expr, loop: _Loop) -> bool:
        if not isinstance(statement, s.Evaluate) or not isinstance(expr, s.Assign | s.CompoundAssign):
            return False
        match expr.target:
            case s.Index(base=s.Member(type=Array(length=length)) as content, index=s.VarRef(symbol=at)):
                counted = (at, length) in loop.counts and _is_content(content)
                others = _Loop(((at, length),))
                return counted and self._is_same(expr.value, others, content.base.type)
            case _:
                return False

    def _is_same(self, expr: s.Expr, loop: _Loop, kind: object = None) -> bool:
        """Whether all lanes have a number, or it is made of those at one place of fragments of a kind."""
        match expr:
            case s.VarRef(symbol=symbol):
                return symbol in self._same or (symbol.const and symbol.initial is not None)
            case s.Builtin(var=var):
                return var not in _OF_THREADS
            case s.Index(base=s.Member(base=base, type=Array(length=n)) as content, index=s.VarRef(symbol=at)):
                return _is_content(content) and base.type == kind and (at, n) in loop.counts
            case s.Call(callee=callee, arguments=arguments):
                function = self._program.functions.get(callee)
                pure = _is_mathematics(callee) if function is None else _is_of_numbers(function)
                return pure and all(self._is_same(a, loop, kind) for a in arguments)
            case _ if isinstance(expr, _PARTS):
                return all(self._is_same(e, loop, kind) for e in surface_walk.children(expr))
            case _:
                return False


def _is_content(expr: s.Expr) -> bool:
    """Whether this is what a fragment holds, as an array."""
    return (
        isinstance(expr, s.Member) and isinstance(expr.base.type, Struct) and expr.base.type.spelling.startswith(_OURS)
    )


def _within(statement: s.For, loop: _Loop) -> _Loop:
    match statement:
        case s.For(
            init=(s.Declare(symbol=counter, init=s.Literal(value=0)),),
            condition=s.Binary(BinaryOp.LT, s.VarRef(symbol=compared), s.Literal(value=int(count))),
            step=s.IncDec(target=s.VarRef(symbol=counted), delta=1),
        ) if counter is compared is counted:
            changed = scan.Assigned()
            changed.add_statement(statement.body)
            return loop if counter in changed.symbols else _Loop((*loop.counts, (counter, count)))
        case _:
            return loop


def _is_of_numbers(function: s.Function) -> bool:
    """Whether what a function gives is made of the numbers that it is given alone."""
    own = {*function.parameters, *(d.symbol for d in surface_walk.declarations(function.body))}
    every = (e for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr))
    kinds = (*_PARTS, s.VarRef, s.Assign, s.CompoundAssign, s.Call)
    return all(isinstance(symbol.type, Scalar) for symbol in own) and all(
        isinstance(e, kinds)
        and (not isinstance(e, s.VarRef) or e.symbol in own)
        and (not isinstance(e, s.Call) or _is_mathematics(e.callee))
        for e in every
    )


def _is_mathematics(callee: FunctionSymbol) -> bool:
    """Whether a library's function does no more than to give a number."""
    return callee.in_system_header and isinstance(known.of(callee.name), known.Standard | None)
