"""Objects of classes: how they are made, copied, converted and looked into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.initializers import LARGE, InitLists, repeated, zero
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.lambdas import Capture
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.overloads import choose
from cladpy.frontend.records import path_to
from cladpy.frontend.refused import Refused
from cladpy.frontend.strings import characters
from cladpy.ir.surface import (
    AddressOf,
    Assign,
    Call,
    Construct,
    Deref,
    Expr,
    Index,
    InitList,
    Literal,
    Member,
    Temporary,
)
from cladpy.ir.surface_rules import is_lvalue, same
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import INT, Array, Field, Pointer, Reference, Scalar, Struct, Type, spell, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader


class Objects:
    """Reads what concerns classes in one function. Raises Refused for what is not supported."""

    def __init__(self, scope: FunctionReader) -> None:
        self._scope = scope
        self._records = scope.types.records
        self._specials = scope.program.specials
        self._lists = InitLists(self)
        self._has_this = True

    # ---- looking into objects ---------------------------------------------------------------------------------------

    def this(self, span: Span) -> Expr:
        """The pointer to the object of the member function that is read."""
        if not self._has_this:
            raise _ThisNeeded(span)
        found = self._scope.this_pointer(span)
        if found is None:
            raise Refused("CP0199", span, "'this'")
        return found

    def object(self, base: Cursor | None, span: Span) -> Expr:
        """The object that a member is looked up in: `base`, what it points to, or that of the member function."""
        found = self.this(span) if base is None else self._scope.statements.expressions.read(base)
        found = self._scope.destructors.kept(found, span)
        return dereferenced(found, span) if isinstance(found.type, Pointer) else found

    def member(self, base: Cursor | None, declaration: Cursor, span: Span) -> Expr:
        found = self.object(base, span)  # first: it may have been refused before
        owner, field = self._records.field(declaration, span)
        return select(self._inside(found, owner, span), field, span)

    def held(self, object: Expr, type: ClangType, span: Span) -> Expr:
        """The member of an object of std::function that has the type of a reference."""
        held = self._records.held_type(type.canonical.pointee, span)
        assert isinstance(object.type, Struct)
        return select(object, next(f for f in object.type.fields[1:] if f.type == held), span)

    def _inside(self, expr: Expr, owner: Struct, span: Span) -> Expr:
        """The base or unnamed member of an object that has this class."""
        path = path_to(expr.type, owner) if isinstance(expr.type, Struct) else None
        if path is None:
            raise Refused("CP0199", span, f"a member of '{spell(owner)}' in '{spell(expr.type)}'")
        for field in path:
            expr = select(expr, field, span)
        return expr

    def receiver(self, base: Cursor | None, method: Cursor, span: Span) -> Expr:
        """The object that a member function is called on."""
        found = self.object(base, span)
        return self._inside(found, self._records.of_method(method, span), span)

    def address(self, expr: Expr, pointer: Type, span: Span) -> Expr:
        expr = self._materialized(expr, span)
        if isinstance(expr, Deref):
            return convert(expr.operand, pointer, span)
        return AddressOf(expr, pointer, span)

    def _materialized(self, expr: Expr, span: Span, *, lasting: bool = False) -> Expr:
        """An lvalue: of a value the object that it becomes, of a part of one that part of the whole object, which a
        base may be asked for."""
        if is_lvalue(expr):
            return expr
        if isinstance(expr, Member) and not (lasting and self._specials.destructor(expr.base.type)):
            return replace(expr, base=self._materialized(expr.base, span, lasting=lasting))
        if not lasting:
            expr = self._scope.destructors.kept(expr, span)
        return expr if is_lvalue(expr) else Temporary(expr, expr.type, span)

    def field(self, cursor: Cursor, span: Span) -> tuple[Struct, Field]:
        return self._records.field(cursor, span)

    def struct_of(self, cursor: Cursor, span: Span) -> Struct | None:
        if cursor.type.canonical.kind != TypeKind.RECORD:
            return None
        type = strip_reference(self._scope.types.convert(cursor.type, span))
        return type if isinstance(type, Struct) else None

    # ---- making objects ---------------------------------------------------------------------------------------------

    def construct(self, cursor: Cursor, constructor: Cursor, span: Span) -> Expr:
        """A call of a constructor."""
        type = strip_reference(self._scope.types.convert(cursor.type, span))
        element = type
        while isinstance(element, Array):
            element = element.element
        if isinstance(element, Scalar):
            return self._number(cursor, type, span)
        assert isinstance(element, Struct)
        self.check_destructor(element, span)
        if constructor.is_copy_or_move_constructor:
            value = convert(self._scope.statements.expressions.read(cursor.arguments[0]), element, span)
            if constructor.is_defaulted:
                made = self.copied(value, span, moves=not constructor.is_copy_constructor)
                return Temporary(made, element, span) if is_lvalue(made) else made
        if constructor.is_default_constructor and constructor.is_defaulted:
            return self.value(type, span)
        function = self._scope.program.symbol(constructor, span)
        made = self._constructed(function, self._scope.calls.arguments(cursor, constructor, function, 1, span), span)
        if self._scope.files.written(cursor).endswith("}"):
            made = replace(made, in_order=True)
        return self._spread(made, type, span)

    def _number(self, cursor: Cursor, type: Type, span: Span) -> Expr:
        """A number whose type is a class to C++: its constructors are conversions."""
        if not cursor.arguments:
            return self.value(type, span)
        return convert(self._scope.statements.expressions.read(cursor.arguments[0]), type, span)

    def _constructed(self, function: FunctionSymbol, arguments: list[Expr], span: Span) -> Construct:
        object = function.parameters[0]
        assert isinstance(object, Pointer)
        return Construct(function, tuple(arguments), object.pointee, span)

    def _spread(self, made: Expr, type: Type, span: Span) -> Expr:
        """An array whose elements are all made in the same way."""
        if not isinstance(type, Array):
            return made
        return InitList(tuple(repeated(self._spread(made, type.element, span), type.length)), type, span)

    def copied(self, value: Expr, span: Span, *, moves: bool = False) -> Expr:
        """A copy of an object made by the compiler's copy constructor, or by that which `moves`."""
        if not is_lvalue(value) or self._specials.copies_plainly(value.type):
            return value
        assert isinstance(value.type, Struct)
        own = self._specials.copy_constructor(value.type, moves=moves)
        if own is not None:
            return self._constructed(self._scope.program.symbol(own, span), [value], span)
        implicit = self._scope.program.implicit.copy_constructor(value.type, span, moves=moves)
        return self._constructed(implicit, [value], span)

    def assign(self, target: Expr, value: Expr, span: Span, *, moves: bool = False) -> Expr:
        """An assignment made by the compiler's `operator=`, or by that which `moves`."""
        value = convert(value, target.type, span)
        if self._specials.assigns_plainly(target.type):
            return Assign(target, value, target.type, span)
        assert isinstance(target.type, Struct)
        function = self._scope.program.implicit.assignment(target.type, span, moves=moves)
        passed = self.bind(value, Reference(target.type, const=not moves), span)
        return Call(function, (self.address(target, Pointer(target.type), span), passed), target.type, span)

    def assign_by_class(self, target: Expr, value: Expr, span: Span, *, moves: bool) -> Expr:
        """An assignment as the class of the target has it."""
        assert isinstance(target.type, Struct)
        own = self._specials.assignment(target.type, moves=moves)
        if own is None:
            return self.assign(target, value, span, moves=moves)
        function = self._scope.program.symbol(own, span)
        passed = self.passed(value, function.parameters[1], span)
        receiver = self.address(target, function.parameters[0], span)
        return Call(function, (receiver, passed), strip_reference(function.result), span)

    def default(self, type: Type, span: Span) -> Expr | None:
        """The initial value of a variable without an initialiser; None where it has none."""
        return self.value(type, span) if self._specials.needs_construction(type) else None

    def value(self, type: Type, span: Span) -> Expr:
        """`T()` and `T{}`: members without an initialiser of their own are zero."""
        if not self._specials.needs_construction(type):
            return zero(type, span)
        if isinstance(type, Array):
            return self._spread(self.value(type.element, span), Array(type.element, type.length), span)
        assert isinstance(type, Struct)
        own = self._specials.default_constructor(type)
        if own is not None:
            function = self._scope.program.symbol(own, span)
            return self._constructed(function, self._scope.calls.defaults(own, function, 1, span), span)
        try:
            elements = [
                self.member_default(type, field, span) or zero(field.type, span)
                for field in (type.fields[:1] if type.record.is_union else type.fields)
            ]
        except _ThisNeeded:
            return self._constructed(self._scope.program.implicit.default_constructor(type, span), [], span)
        return InitList(tuple(elements), type, span)

    def member_default(self, struct: Struct, field: Field, span: Span) -> Expr | None:
        """The value of a member that an initialiser leaves out; None where it is zero."""
        cursor = self._records.default_value(struct, field)
        if cursor is not None:
            with self._without_this():
                value = self.initializer(cursor, strip_reference(field.type))
            return self.bind(value, field.type, span) if isinstance(field.type, Reference) else value
        return self.value(field.type, span) if self._specials.needs_construction(field.type) else None

    @contextmanager
    def _without_this(self) -> Iterator[None]:
        before, self._has_this = self._has_this, False
        try:
            yield
        finally:
            self._has_this = before

    def construct_from(self, struct: Struct, items: list[Cursor], span: Span, *, explicit: bool) -> Expr:
        """The object made by the constructor that these arguments choose, where libclang does not show which."""
        if not items:
            return self.value(struct, span)
        if any(item.kind == CursorKind.INIT_LIST_EXPR for item in items):
            raise Refused("CP0199", span, f"nested braces for the constructor of '{struct.spelling}'")
        values = [self._scope.statements.expressions.read(item) for item in items]
        candidates = []
        for constructor in self._specials.constructors(struct):
            is_callable = not constructor.is_defaulted and (explicit or not constructor.is_explicit)
            if is_callable and self._takes(constructor, len(values)):
                types = constructor.type.canonical.parameters
                candidates.append((constructor, [self._scope.types.convert(t, span) for t in types]))
        exact = self._specials.has_constructor_templates(struct)
        chosen = choose([types for _, types in candidates], [v.type for v in values], exact=exact)
        if chosen is None:
            source = ", ".join(f"'{spell(v.type)}'" for v in values)
            if exact and len(items) == 1 and not explicit:
                files, (file, _, _, start, _, _, end) = self._scope.files, items[0].extent()
                patch = (files.edit(file, start, start, f"{struct.spelling}("), files.edit(file, end, end, ")"))
                raise Refused("CP0135", self.span(items[0]), struct.spelling, patch)
            raise Refused("CP0113", span, f"from {source} to '{struct.spelling}'")
        constructor = candidates[chosen][0]
        function = self._scope.program.symbol(constructor, span)
        self.check_destructor(struct, span)
        arguments = [self.passed(v, p, span) for v, p in zip(values, function.parameters[1:], strict=False)]
        arguments += self._scope.calls.defaults(constructor, function, 1 + len(arguments), span)
        return self._constructed(function, arguments, span)

    @staticmethod
    def _takes(constructor: Cursor, count: int) -> bool:
        parameters = [c for c in constructor.children() if c.kind == CursorKind.PARM_DECL]
        needed = [p for p in parameters if p.initializer is None]
        return len(needed) <= count <= len(parameters)

    def closure(self, cursor: Cursor, span: Span) -> Expr:
        """A lambda expression: the closure with what it captures."""
        type = self._scope.types.convert(cursor.type, span)
        assert isinstance(type, Struct)
        captures = self._scope.program.lambdas.captures(type, cursor, span)
        return InitList(tuple(self._capture(capture, span) for capture in captures), type, span)

    def _capture(self, capture: Capture, span: Span) -> Expr:
        type, variable = capture.field.type, capture.variable
        if variable is None:
            pointer = self.this(span)
            return (
                self.copied(dereferenced(pointer, span), span) if isinstance(type, Struct) else convert(pointer, type)
            )
        expressions = self._scope.statements.expressions
        if capture.is_initialised:
            init = variable.initializer
            if init is None:
                raise Refused("CP0106", span)
            if isinstance(type, Reference):
                return self.bind(expressions.read(init), type, span)
            return self.initializer(init, type)
        value = expressions.variable(variable, span)
        if isinstance(type, Reference):
            return self.bind(value, type, span)
        return self.copy_of(value, span)

    def copy_of(self, value: Expr, span: Span) -> Expr:
        """A copy of an object, of an array element by element."""
        if not isinstance(value.type, Array):
            return self.copied(value, span)
        type = value.type
        if type.length > LARGE:
            raise Refused("CP0199", span, "the copy of a large array")
        parts = (Index(value, Literal(i, INT, span), type.element, span) for i in range(type.length))
        return InitList(tuple(self.copy_of(part, span) for part in parts), type, span)

    def check_destructor(self, type: Type, span: Span) -> None:
        """Raises Refused for an object whose destructor would do something in device code."""
        destructor = self._specials.destructor(type)
        if destructor is not None and not self._scope.is_host:
            raise Refused("CP0131", span, f"'{destructor.spelling}'")

    @staticmethod
    def initializer_list(array: Expr, type: Type, span: Span) -> Expr:
        """`std::initializer_list`: a pointer to the values in braces, and their number."""
        if not isinstance(array.type, Array) or not isinstance(type, Struct) or len(type.fields) != 2:
            raise Refused("CP0113", span, f"from '{spell(array.type)}' to '{spell(type)}'")
        first, count = (field.type for field in type.fields)
        if not isinstance(first, Pointer) or not isinstance(count, Scalar):
            raise Refused("CP0113", span, f"from '{spell(array.type)}' to '{spell(type)}'")
        held = array if is_lvalue(array) else Temporary(array, array.type, span)
        return InitList((convert(held, first), Literal(array.type.length, count, span)), type, span)

    # ---- conversions ------------------------------------------------------------------------------------------------

    def read(self, cursor: Cursor) -> Expr:
        return self._scope.statements.expressions.read(cursor)

    def span(self, cursor: Cursor) -> Span:
        return self._scope.files.span(cursor)

    def is_aggregate(self, struct: Struct) -> bool:
        return self._specials.is_aggregate(struct)

    def list(self, cursor: Cursor, type: Type, span: Span) -> Expr:
        """A braced list; for a class, clang would have shown the constructor that it calls."""
        self.check_destructor(type, span)
        return self._lists.read(cursor, type, span, is_aggregate=True)

    def initializer(self, cursor: Cursor, type: Type) -> Expr:
        """The initial value of a variable or member of this type, which is not a reference."""
        span = self.span(cursor)
        if cursor.kind == CursorKind.INIT_LIST_EXPR:
            return self.list(cursor, type, span)
        inner = [c for c in cursor.children() if is_expression(c.kind)]
        if cursor.kind == CursorKind.UNEXPOSED_EXPR and not inner and cursor.evaluate() is None:
            return self.value(type, span)  # `member()` in a constructor
        if isinstance(type, Array):
            if cursor.kind == CursorKind.CALL_EXPR and cursor.referenced.kind == CursorKind.CONSTRUCTOR:
                return self.read(cursor)
            if cursor.kind == CursorKind.UNEXPOSED_EXPR and len(inner) == 1:
                return self.initializer(inner[0], type)
            if cursor.kind == CursorKind.STRING_LITERAL:
                return characters(cursor, type, span, is_whole=True)
            raise Refused("CP0199", span, "this initial value of an array")
        value = convert(elided(self.read(cursor)), type)
        return self.copied(value, span) if isinstance(type, Struct) else value

    def passed(self, value: Expr, parameter: Type, span: Span) -> Expr:
        """An argument for a parameter."""
        if isinstance(parameter, Reference):
            return self.bind(value, parameter, span)
        return convert(elided(value), parameter)

    def bind(self, value: Expr, reference: Reference, span: Span, *, lasting: bool = False) -> Expr:
        """What a reference is bound to: an lvalue, but a value where the reference is to a constant scalar. `lasting`
        says that a temporary lives as long as the reference."""
        referee = reference.referee
        if same(value.type, referee):
            if reference.const and isinstance(referee, Scalar):
                return value
            return self._materialized(value, span, lasting=lasting)
        if isinstance(value.type, Struct) and isinstance(referee, Struct):
            whole = self._materialized(value, span, lasting=lasting)
            return self.bind(convert(whole, referee, span), reference, span, lasting=lasting)
        if isinstance(referee, Scalar):
            value = convert(value, referee)
            return value if reference.const else Temporary(value, referee, span)
        if isinstance(referee, Pointer):
            return Temporary(convert(value, referee), referee, span)
        raise Refused("CP0113", span, f"from '{spell(value.type)}' to '{spell(reference)}'")


class _ThisNeeded(Refused):
    """A default member initialiser that uses the object that it belongs to, where there is none yet."""

    def __init__(self, span: Span) -> None:
        super().__init__("CP0199", span, "a default member value that uses other members, in braces")


def elided(value: Expr) -> Expr:
    """What a copy that is not used otherwise is made of: what it initialises is the copy."""
    return value.operand if isinstance(value, Temporary) and same(value.operand.type, value.type) else value


def dereferenced(pointer: Expr, span: Span) -> Expr:
    assert isinstance(pointer.type, Pointer)
    if isinstance(pointer, AddressOf):
        return pointer.operand
    return Deref(pointer, pointer.type.pointee, span)


def select(expr: Expr, field: Field, span: Span) -> Expr:
    return Member(expr, field, strip_reference(field.type), span)
