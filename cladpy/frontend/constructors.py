"""Constructors as functions: bases and members are initialised in order of declaration, then the body runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.initializers import zero
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.objects import dereferenced, select
from cladpy.frontend.records import path_to
from cladpy.frontend.refused import AlreadyReported, Refused, confirm_reported
from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import BOOL, INT, Array, Field, Reference, Struct, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_UNROLLED = 16
_Path = tuple[Field, ...]


class Constructors:
    """Gives the statements in front of a constructor's body."""

    def __init__(self, scope: FunctionReader, struct: Struct) -> None:
        self._scope = scope
        self._struct = struct
        self._records = scope.types.records

    def written(self, constructor: Cursor) -> list[s.Stmt]:
        """What the initialisers of a constructor do, the default ones included."""
        values: dict[_Path, Cursor | None] = {}
        waiting: _Path | None = None
        for child in constructor.children():
            span = self._scope.files.span(child)
            if is_expression(child.kind):
                if waiting is None:
                    owner = self._scope.objects.struct_of(child, span)
                    if owner is None:
                        continue  # of a noexcept or explicit
                    if owner == self._struct:
                        return self._guarded(self._object(span), child, span)  # the constructor delegates
                    waiting = path_to(self._struct, owner)
                if waiting is not None:
                    values[waiting] = child
                waiting = None
            elif child.kind == CursorKind.MEMBER_REF:
                waiting = self._member_path(child, span)
                values[waiting] = None
        return self._fields((), self._struct, values, self._scope.files.span(constructor))

    def inherited(self, constructor: Cursor, parameters: list[Symbol]) -> list[s.Stmt] | None:
        """What a base's constructor does that `using Base::Base` makes one of this class; None for other ones."""
        if not constructor.arguments or any(c.kind == CursorKind.PARM_DECL for c in constructor.children()):
            return None
        span = self._scope.files.span(constructor)
        wanted = [p.key for p in constructor.type.canonical.parameters]
        for field in self._struct.fields:
            if not field.base or not isinstance(field.type, Struct):
                continue
            for candidate in self._scope.program.specials.constructors(field.type):
                if [p.key for p in candidate.type.canonical.parameters] == wanted:
                    function = self._scope.program.symbol(candidate, span)
                    passed = tuple(s.VarRef(p, strip_reference(p.type), span) for p in parameters[1:])
                    made = s.Construct(function, passed, field.type, span)
                    first = stored(select(self._object(span), field, span), made)
                    return self._fields((), self._struct, {}, span, {field: first})
        raise Refused("CP0136", span, f"a constructor template that '{self._struct.spelling}' inherits")

    def implicit(self, span: Span) -> list[s.Stmt]:
        """What a constructor does that the user did not write."""
        return self._fields((), self._struct, {}, span)

    def _member_path(self, reference: Cursor, span: Span) -> _Path:
        owner, field = self._records.field(reference.referenced, span)
        path = path_to(self._struct, owner)
        if path is None:
            raise Refused("CP0199", span, f"the initialiser of '{field.name}'")
        return (*path, field)

    def _object(self, span: Span) -> s.Expr:
        return dereferenced(self._scope.objects.this(span), span)

    def _fields(
        self,
        outer: _Path,
        struct: Struct,
        values: dict[_Path, Cursor | None],
        span: Span,
        given: dict[Field, list[s.Stmt]] | None = None,
    ) -> list[s.Stmt]:
        statements: list[s.Stmt] = []
        for field in struct.fields:
            if given and field in given:
                statements += given[field]
                continue
            path = (*outer, field)
            target = self._object(span)
            for step in path:
                target = select(target, step, span)
            if path in values:
                statements += self._guarded(target, values[path], span, field)
            elif field.name == "" and not field.base and isinstance(field.type, Struct):
                statements += self._fields(path, field.type, values, span)
            else:
                default = self._records.default_value(struct, field)
                if default is not None and struct.record.is_union and any(p[:-1] == outer for p in values):
                    continue  # another member was initialised
                if default is not None:
                    statements += self._guarded(target, default, span, field)
                else:
                    value = self._scope.objects.default(field.type, span)
                    statements += stored(target, value) if value is not None else []
        return statements

    def _guarded(self, target: s.Expr, value: Cursor | None, span: Span, field: Field | None = None) -> list[s.Stmt]:
        """The initialisation of one member; what is refused goes to the sink, or stands in its place."""
        try:
            if value is not None:
                span = self._scope.files.span(value)
            if field is not None and isinstance(field.type, Reference):
                return self._bound(target, field, field.type, value, span)
            if value is None:
                return stored(target, self._scope.objects.value(target.type, span))
            first = stored(target, self._scope.objects.initializer(value, target.type))
            return self._scope.destructors.complete(first, span)
        except Refused as refused:
            self._scope.destructors.abandon(self._scope.destructors.depth)
            return self._scope.left_out(refused, span)
        except AlreadyReported:
            confirm_reported(self._scope.sink, span)
        return []

    def _bound(self, target: s.Expr, field: Field, type: Reference, value: Cursor | None, span: Span) -> list[s.Stmt]:
        """A reference member refers to what its initialiser names."""
        assert isinstance(target, s.Member)
        if value is not None and value.kind == CursorKind.INIT_LIST_EXPR:
            value = next(iter(value.children()), None)
        assert value is not None, "clang lets no reference be left unbound"
        referred = self._scope.statements.expressions.read(value)
        return [s.Bind(target.base, field, self._scope.objects.bind(referred, type, span), span)]


def stored(target: s.Expr, value: s.Expr) -> list[s.Stmt]:
    """Statements that give an object its first value; arrays are filled element by element."""
    span = value.span
    if not isinstance(target.type, Array):
        return [s.Evaluate(s.Assign(target, value, target.type, span), span)]
    element, length = target.type.element, target.type.length
    given = value.elements if isinstance(value, s.InitList) else ()
    if not isinstance(value, s.InitList):
        given = tuple(s.Index(value, s.Literal(i, INT, span), element, span) for i in range(length))
    if length - len(given) <= _UNROLLED:
        given = (*given, *(zero(element, span) for _ in range(length - len(given))))
    statements: list[s.Stmt] = []
    for i, part in enumerate(given):
        statements += stored(s.Index(target, s.Literal(i, INT, span), element, span), part)
    if len(given) < length:
        counter = Symbol("i", INT, Role.VARIABLE, span)
        use = s.VarRef(counter, INT, span)
        rest = s.Block(tuple(stored(s.Index(target, use, element, span), zero(element, span))), span)
        below = s.Binary(s.BinaryOp.LT, use, s.Literal(length, INT, span), BOOL, span)
        first = s.Declare(counter, s.Literal(len(given), INT, span), span)
        statements.append(s.For((first,), below, s.IncDec(use, 1, True, INT, span), rest, span))
    return statements


def memberwise(
    target: s.Expr, source: s.Expr, scope: FunctionReader, *, is_assignment: bool, moves: bool
) -> list[s.Stmt]:
    """Copies or moves an object member by member, each in its own way."""
    span = source.span
    statements: list[s.Stmt] = []
    match target.type:
        case Array(element, length):
            for i in range(length):
                at = s.Literal(i, INT, span)
                left, right = s.Index(target, at, element, span), s.Index(source, at, element, span)
                statements += memberwise(left, right, scope, is_assignment=is_assignment, moves=moves)
        case Struct() as struct if struct.record.is_union:
            statements.append(s.Evaluate(s.Assign(target, source, struct, span), span))
        case Struct():
            if is_assignment:
                statements.append(s.Evaluate(scope.objects.assign_by_class(target, source, span, moves=moves), span))
            else:
                value = scope.objects.copied(source, span, moves=moves)
                statements.append(s.Evaluate(s.Assign(target, value, target.type, span), span))
        case _:
            statements.append(s.Evaluate(s.Assign(target, convert(source, target.type), target.type, span), span))
    return statements
