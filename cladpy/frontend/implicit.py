"""Functions that the compiler writes: default constructors, copies and assignments that go member by member."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.constructors import Constructors, memberwise
from cladpy.frontend.objects import dereferenced, select
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Bind, Block, Expr, Function, Return, Stmt, VarRef
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import VOID, Pointer, Reference, Struct, Type

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader, Functions


class Implicit:
    """The functions of one program that no one wrote, each made once."""

    def __init__(self, program: Functions, reader: Callable[[FunctionSymbol], FunctionReader]) -> None:
        self._program = program
        self._reader = reader
        self._known: dict[tuple[str, str], FunctionSymbol] = {}

    def default_constructor(self, struct: Struct, span: Span) -> FunctionSymbol:
        return self._make(struct, "()", (), VOID, span)

    def copy_constructor(self, struct: Struct, span: Span) -> FunctionSymbol:
        return self._make(struct, "(copy)", (Reference(struct, const=True),), VOID, span)

    def assignment(self, struct: Struct, span: Span) -> FunctionSymbol:
        return self._make(struct, "operator=", (Reference(struct, const=True),), Reference(struct), span)

    def _make(
        self, struct: Struct, what: str, parameters: tuple[Type, ...], result: Type, span: Span
    ) -> FunctionSymbol:
        key = (struct.entity, what)
        if key not in self._known:
            name = what if what == "operator=" else struct.spelling.rsplit("::", 1)[-1].split("<")[0]
            kind = FunctionKind.HOST if self._program.is_host else FunctionKind.HOST_DEVICE
            symbol = FunctionSymbol(
                name, f"{struct.spelling}::{name}", result, (Pointer(struct), *parameters), kind, span, is_method=True
            )
            self._known[key] = symbol
            self._program.later(lambda: self._write(symbol, struct, what, span))
        return self._known[key]

    def _write(self, symbol: FunctionSymbol, struct: Struct, what: str, span: Span) -> None:
        reader = self._reader(symbol)
        parameters = [reader.declare_this(symbol.parameters[0], struct, span)]
        statements: list[Stmt]
        try:
            if what == "()":
                statements = Constructors(reader, struct).implicit(span)
            else:
                other = Symbol("other", symbol.parameters[1], Role.PARAMETER, span)
                parameters.append(other)
                target = dereferenced(reader.objects.this(span), span)
                statements = self._memberwise(reader, target, VarRef(other, struct, span), what == "operator=")
                if what == "operator=":
                    statements.append(Return(target, span))
        except Refused as refused:
            statements = reader.left_out(refused, span)
            if not statements:
                return
        self._program.functions[symbol] = Function(symbol, tuple(parameters), Block(tuple(statements), span), span)

    @staticmethod
    def _memberwise(reader: FunctionReader, target: Expr, source: Expr, is_assignment: bool) -> list[Stmt]:
        statements: list[Stmt] = []
        assert isinstance(target.type, Struct)
        for field in target.type.fields:
            left, right = (select(e, field, source.span) for e in (target, source))
            if isinstance(field.type, Reference):
                assert not is_assignment, "such an assignment is deleted"
                statements.append(Bind(target, field, right, source.span))
                continue
            statements += memberwise(left, right, reader, is_assignment=is_assignment)
        return statements
