"""Functions that the compiler writes: default constructors, copies and assignments that go member by member."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.constructors import Constructors, memberwise
from cladpy.frontend.objects import dereferenced, select
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Bind, Block, Call, Evaluate, Expr, Function, Return, Stmt, VarRef
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

    def copy_constructor(self, struct: Struct, span: Span, *, moves: bool) -> FunctionSymbol:
        return self._make(struct, "(move)" if moves else "(copy)", (Reference(struct, const=not moves),), VOID, span)

    def assignment(self, struct: Struct, span: Span, *, moves: bool) -> FunctionSymbol:
        what = "operator=(move)" if moves else "operator="
        return self._make(struct, what, (Reference(struct, const=not moves),), Reference(struct), span)

    def destructor(self, struct: Struct, span: Span) -> FunctionSymbol:
        """What the end of an object does: the destructor that the user wrote, if there is one, then those of its
        members and bases, the last one first. Raises Refused for one without a body."""
        own = self._program.specials.own_destructor(struct)
        if own is not None:
            self._program.symbol(own, span)
        return self._make(struct, "~", (), VOID, span)

    def _make(
        self, struct: Struct, what: str, parameters: tuple[Type, ...], result: Type, span: Span
    ) -> FunctionSymbol:
        key = (struct.entity, what)
        if key not in self._known:
            name = "operator=" if what.startswith("operator=") else struct.spelling.split("<")[0].rsplit("::", 1)[-1]
            name = f"destroy_{name}" if what == "~" else name
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
            elif what == "~":
                statements = self._destroyed(reader, struct, span)
            else:
                other = Symbol("other", symbol.parameters[1], Role.PARAMETER, span)
                parameters.append(other)
                target = dereferenced(reader.objects.this(span), span)
                assigns, moves = what.startswith("operator="), what.endswith("(move)")
                statements = self._memberwise(reader, target, VarRef(other, struct, span), assigns, moves)
                if assigns:
                    statements.append(Return(target, span))
        except Refused as refused:
            statements = reader.left_out(refused, span)
            if not statements:
                return
        self._program.functions[symbol] = Function(symbol, tuple(parameters), Block(tuple(statements), span), span)

    def _destroyed(self, reader: FunctionReader, struct: Struct, span: Span) -> list[Stmt]:
        this = reader.objects.this(span)
        statements: list[Stmt] = []
        own = self._program.specials.own_destructor(struct)
        if own is not None:
            statements.append(Evaluate(Call(self._program.symbol(own, span), (this,), VOID, span), span))
        for field in reversed(() if struct.record.is_union else struct.fields):
            if not isinstance(field.type, Reference) and self._program.specials.destructor(field.type) is not None:
                member = select(dereferenced(this, span), field, span)
                statements += [Evaluate(c, span) for c in reader.destructors.call(member, span)]
        return statements

    @staticmethod
    def _memberwise(reader: FunctionReader, target: Expr, source: Expr, is_assignment: bool, moves: bool) -> list[Stmt]:
        statements: list[Stmt] = []
        assert isinstance(target.type, Struct)
        for field in target.type.fields:
            left, right = (select(e, field, source.span) for e in (target, source))
            if isinstance(field.type, Reference):
                assert not is_assignment, "such an assignment is deleted"
                statements.append(Bind(target, field, right, source.span))
                continue
            statements += memberwise(left, right, reader, is_assignment=is_assignment, moves=moves)
        return statements
