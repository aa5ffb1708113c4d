"""Launches of a program for Kokkos: what kernels are given as objects, by its numbers and pointers.

A functor is an object of views, which are objects themselves. Emitted loops capture no such object but what it comes
to: for each kernel that is given objects there is one with a parameter for each of their numbers and pointers, out of
which it makes them again. So functors need no name, and no way to be made out of their members. Members that nothing
names of what the kernel does are left out: a view that is held under two names is then memory that is given once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionSymbol, Layout, Role, Symbol
from cladpy.ir.types import INT, Array, Field, Pointer, Reference, Scalar, Struct, Type
from cladpy.order.scan import called

_Named = frozenset[Field] | None  # members; None for all
_LONGEST_ARRAY = 64
_VIEW = "Kokkos::View<"
_OF_LAYOUT = re.compile(r"data_|stride_\d_|(unit_\d_)")  # members of a view


def with_flat_launches(program: s.Program) -> s.Program:
    """The program, whose kernels are given numbers and pointers only, as far as objects come to that."""
    flat = _Flat(program)
    functions = {symbol: replace(f, body=flat.block(f.body)) for symbol, f in program.functions.items()}
    functions = {symbol: f for symbol, f in functions.items() if symbol not in flat.kernels}
    functions |= {kernel.function.symbol: kernel.function for kernel in flat.kernels.values()}
    return replace(program, functions=functions, closures=())


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel that is given numbers and pointers."""

    function: s.Function
    objects: frozenset[int]  # the parameters of the original that are objects
    named: _Named


@dataclass(slots=True)
class _Flat:
    program: s.Program
    kernels: dict[FunctionSymbol, _Kernel] = field(default_factory=dict)  # by the original's symbol

    def block(self, block: s.Block) -> s.Block:
        done = self._statement(block)
        assert isinstance(done, s.Block)
        return done

    def _statement(self, statement: s.Stmt) -> s.Stmt:
        match statement:
            case s.Evaluate(expr=s.Call(callee=callee, launch=launch) as call) if launch is not None:
                if callee in self.program.functions:
                    return self._launch(call)
                return statement
            case _:
                return surface_walk.rebuilt(statement, lambda e: e, self._statement)

    def _launch(self, call: s.Call) -> s.Stmt:
        """The objects become variables first, of which all parts are passed on."""
        kernel = self._kernel(call.callee)
        if not kernel.objects:
            return s.Evaluate(call, call.span)
        before: list[s.Stmt] = []
        given: list[s.Expr] = []
        for i, argument in enumerate(call.arguments):
            if i not in kernel.objects:
                given.append(argument)
                continue
            named = Symbol(f"given{i}", argument.type, Role.VARIABLE, argument.span)
            before.append(s.Declare(named, argument, argument.span))
            whole = s.VarRef(named, argument.type, argument.span)
            given += (part.expr for part in _parts(whole, "", count(), kernel.named))
        launch = replace(call, callee=kernel.function.symbol, arguments=tuple(given))
        return s.Block((*before, s.Evaluate(launch, call.span)), call.span)

    def _kernel(self, symbol: FunctionSymbol) -> _Kernel:
        if symbol not in self.kernels:
            self.kernels[symbol] = self._made(self.program.functions[symbol])
        return self.kernels[symbol]

    def _made(self, kernel: s.Function) -> _Kernel:
        members = _named_members(self.program, kernel)
        parameters: list[Symbol] = []
        before: list[s.Stmt] = []
        objects = set()
        views = count()
        for i, symbol in enumerate(kernel.parameters):
            if not isinstance(symbol.type, Struct) or not _comes_apart(symbol.type):
                parameters.append(symbol)
                continue
            objects.add(i)
            whole = s.VarRef(symbol, symbol.type, symbol.span)
            names: set[str] = set()
            made = []
            for part in _parts(whole, symbol.name, views, members):
                name = part.name
                while name in names:
                    name += "_"
                names.add(name)
                made.append(replace(symbol, name=name, type=part.expr.type, layout=part.layout))
            parameters += made
            before.append(s.Declare(symbol, _put_together(symbol.type, iter(made), members), symbol.span))
        if not objects:
            return _Kernel(kernel, frozenset(), members)
        types = tuple(p.type for p in parameters)
        body = replace(kernel.body, statements=(*before, *kernel.body.statements))
        flat = replace(kernel.symbol, parameters=types)
        function = replace(kernel, symbol=flat, parameters=tuple(parameters), body=body)
        return _Kernel(function, frozenset(objects), members)


def _comes_apart(type: Type) -> bool:
    """Whether an object is made of numbers, pointers and the like only."""
    match type:
        case Struct(record=record):
            return not record.is_union and all(f.bits is None and _comes_apart(f.type) for f in record.fields)
        case Array(element, length):
            return length <= _LONGEST_ARRAY and _comes_apart(element)
        case _:
            return not isinstance(type, Reference)


@dataclass(frozen=True, slots=True)
class _Part:
    """A number or pointer of an object, and what a parameter for it is called."""

    expr: s.Expr
    name: str
    layout: Layout | None


def _parts(
    whole: s.Expr, name: str, views: Iterator[int], named: _Named, view: int | None = None, member: str = ""
) -> Iterator[_Part]:
    """The numbers and pointers of an object, in order. `view` is what it is part of, and `member` its name there."""
    match whole.type:
        case Struct(record=record, spelling=spelling):
            view = next(views) if spelling.startswith(_VIEW) else view
            for f in _kept(record.fields, view, named):
                part = s.Member(whole, f, f.type, whole.span)
                yield from _parts(part, _named(name, f.name), views, named, view, f.name)
        case Array(element, length):
            for i in range(length):
                index = s.Literal(i, INT, whole.span)
                yield from _parts(s.Index(whole, index, element, whole.span), f"{name}_{i}", views, named)
        case _:
            found = None if view is None else _OF_LAYOUT.fullmatch(member)
            layout = None if found is None or view is None else Layout(view, is_one=found[1] is not None)
            yield _Part(whole, name, layout)


def _put_together(type: Type, parts: Iterator[Symbol], named: _Named, *, in_view: bool = False) -> s.Expr:
    """The object that is made of its parts, in their order."""
    match type:
        case Struct(record=record, spelling=spelling):
            in_view = in_view or spelling.startswith(_VIEW)
            kept = _kept(record.fields, 0 if in_view else None, named)
            members = (
                _put_together(f.type, parts, named, in_view=in_view) if f in kept else _nothing(f.type)
                for f in record.fields
            )
            return s.InitList(tuple(members), type, NOWHERE)
        case Array(element, length):
            members = (_put_together(element, parts, named, in_view=in_view) for _ in range(length))
            return s.InitList(tuple(members), type, NOWHERE)
        case _:
            return s.VarRef(next(parts), type, NOWHERE)


def _kept(fields: tuple[Field, ...], view: int | None, named: _Named) -> tuple[Field, ...]:
    """The members that are parts of an object; a view is whole."""
    if view is not None or named is None:
        return fields
    return tuple(f for f in fields if f.base or f in named)


def _nothing(type: Type) -> s.Expr:
    """An object, number or pointer of zeros."""
    match type:
        case Struct(record=record):
            return s.InitList(tuple(_nothing(f.type) for f in record.fields), type, NOWHERE)
        case Array(element, length):
            return s.InitList((_nothing(element),) * length, type, NOWHERE)
        case _:
            return s.Literal(0, type, NOWHERE)


def _named_members(program: s.Program, kernel: s.Function) -> _Named:
    """The members that a kernel names, itself or by functions that it calls. None where it calls functions with objects
    whose bodies are not known."""
    named: set[Field] = set()
    waiting, seen = [kernel], {kernel.symbol}
    while waiting:
        for expr in surface_walk.expressions(waiting.pop().body):
            for e in surface_walk.walk(expr):
                if isinstance(e, s.Member):
                    named.add(e.field)
                callee = called(e)
                if callee is None or callee in seen:
                    continue
                seen.add(callee)
                if callee in program.functions:
                    waiting.append(program.functions[callee])
                elif any(_leads_to_object(p) for p in callee.parameters):
                    return None
    return frozenset(named)


def _leads_to_object(type: Type) -> bool:
    inner = type.referee if isinstance(type, Reference) else type.pointee if isinstance(type, Pointer) else type
    return not isinstance(inner, Scalar)


def _named(owner: str, member: str) -> str:
    """What a parameter for a member is called: not by base classes, and a view's memory as the view."""
    member = member.removesuffix("_")
    return owner if member in ("", "data") else f"{owner}_{member}"
