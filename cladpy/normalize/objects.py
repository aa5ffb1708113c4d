"""Objects of class type: trees of places. A local one is taken apart into variables and arrays, one in memory into a
root for each scalar member; nothing after this stage knows of classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary
from cladpy.ir.surface import BinaryOp
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.types import BOOL, INT, Array, Field, Reference, Scalar, Struct, Type, size_of
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.builder import Builder, Content
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Object,
    Pointer,
    Row,
    Target,
    element_of,
    moved,
    scalars_in,
    zero_of,
)

# Local arrays of pointers have a variable for each; arrays of more are refused.
LONGEST_ROW = 16
# Arrays of at most this many elements are copied without a loop.
UNROLLED = 16


class Objects(Builder, ABC):
    @abstractmethod
    def place(self, expr: s.Expr) -> Pointer:
        """Where an lvalue expression lies."""

    @abstractmethod
    def pointer(self, expr: s.Expr) -> Pointer:
        """The value of an expression of pointer type."""

    @abstractmethod
    def rvalue(self, expr: s.Expr) -> core.Expr:
        """The value of a scalar expression."""

    @abstractmethod
    def discard(self, expr: s.Expr) -> None:
        """Evaluates for side effects only."""

    @abstractmethod
    def read(self, place: Pointer, type: Type, span: Span, name: str = "") -> Content:
        """The content of a place."""

    @abstractmethod
    def write(self, place: Pointer, content: Content, span: Span) -> None:
        """Gives a place another content."""

    @abstractmethod
    def fixed(self, place: Pointer, span: Span) -> Pointer:
        """The place with indices that are names, because it is used more than once."""

    @abstractmethod
    def object_of_call(self, expr: s.Call | s.Construct, name: str) -> Pointer:
        """The object that a function returns or a constructor makes."""

    # ---- local objects ---------------------------------------------------------------------------------------------

    def local(self, name: str, type: Type, span: Span, count: int | None = None) -> Target:
        """Storage for a local variable, or for `count` of them one after the other; zero until it is written."""
        match type:
            case Scalar() if count is None:
                cell = Cell(name, type)
                self.layers[-1][cell] = zero_of(type)
                return cell
            case PointerType() | Reference() if count is None:
                cell = Cell(name, PointerType(type.referee) if isinstance(type, Reference) else type)
                self.layers[-1][cell] = Pointer((NULL,), ZERO)
                return cell
            case Scalar():
                return self._array(name, type, (), count or 1, span)
            case PointerType() if count is not None and count <= LONGEST_ROW:
                return Row(name, tuple(self._cell(f"{name}_{i}", type, span) for i in range(count)))
            case Struct() if type.record.is_union:
                self.check_union(type, span)
                shared = self.local(name, type.fields[0].type, span, count)
                return Object(name, type, lambda _: NULL, parts={type.fields[0]: shared})
            case Struct():
                made = Object(name, type, lambda _: NULL)
                for field in type.fields:
                    made.parts[field] = self._part(f"{name}_{field.name or 'base'}", field.type, span, count)
                return made
            case Array() if count is None:
                return self.local(name, element_of(type), span, scalars_in(type))
            case _:
                raise self.refuse(
                    "CP0212",
                    f"a variable of this type ('{name}') is not supported",
                    span,
                    "numbers, pointers to them, classes, and arrays of these are",
                )

    def _cell(self, name: str, type: Type, span: Span) -> Cell:
        cell = self.local(name, type, span)
        assert isinstance(cell, Cell)
        return cell

    def _part(self, name: str, type: Type, span: Span, count: int | None) -> Target:
        """Storage for a member of an object, or of all objects in an array of `count`."""
        if count is None or not isinstance(type, Array):
            return self.local(name, type, span, count)
        element, length = element_of(type), scalars_in(type)
        if isinstance(element, Scalar):
            return self._array(name, element, (length,), count * length, span)
        raise self.refuse(
            "CP0212",
            f"a local array of objects that hold arrays of objects ('{name}') is not supported",
            span,
            "use an array of each member",
        )

    def _array(self, name: str, element: Scalar, shape: tuple[int, ...], length: int, span: Span) -> core.Root:
        root = core.Root(name, element, core.RootKind.LOCAL, span, length, shape)
        self.out.append(core.Allocate(root, True, span))
        return root

    # ---- members ---------------------------------------------------------------------------------------------------

    def part(self, place: Pointer, field: Field, span: Span) -> Pointer:
        """Where a member lies; of a reference, where that itself lies."""
        targets: list[Target] = []
        for target in place.targets:
            if target is NULL:
                targets.append(NULL)
                continue
            if not isinstance(target, Object):
                raise self.refuse(
                    "CP0232",
                    "memory is read as an object of another type",
                    span,
                    "declare the pointer with the type of what it points to",
                )
            if target.type.record.is_union:
                self.check_union(target.type, span)
            if field not in target.type.fields:
                raise self.refuse(
                    "CP0232",
                    f"an object of type '{target.type.spelling}' is used as one of another type",
                    span,
                    "declare the pointer with the type of what it points to",
                )
            targets.append(target.part(field))
        offset = core.Nested(place.offset, ZERO, None) if isinstance(field.type, Array) else place.offset
        return Pointer(tuple(targets), offset, place.tag)

    def member(self, place: Pointer, field: Field, span: Span) -> Pointer:
        """What a member stands for."""
        found = self.part(place, field, span)
        if not isinstance(field.type, Reference):
            return found
        content = self.read(found, PointerType(field.type.referee), span, field.name)
        assert isinstance(content, Pointer)
        return content

    def check_union(self, type: Struct, span: Span) -> None:
        """A union of numbers of one size is one of them, read as another; the others are refused."""
        scalars = [f.type for f in type.fields if isinstance(f.type, Scalar)]
        if len(scalars) != len(type.fields) or len({size_of(t) for t in scalars}) != 1 or BOOL in scalars:
            raise self.refuse(
                "CP0230",
                f"the members of the union '{type.spelling}' are not numbers of one size",
                span,
                "use a member for each type, or a class",
            )

    # ---- values of class type --------------------------------------------------------------------------------------

    def object_of(self, expr: s.Expr, name: str = "temporary") -> Pointer:
        """Where the value of an expression of class type lies: an lvalue's own place, or a new object."""
        match expr:
            case s.Call() if not is_lvalue(expr):
                return self.object_of_call(expr, name)
            case s.Construct():
                return self.object_of_call(expr, name)
            case s.InitList(type=type, span=span):
                made = Pointer((self.local(name, type, span),), ZERO)
                self.fill(made, type, expr)
                return made
            case s.Comma(left=left, right=right) if not is_lvalue(expr):
                self.discard(left)
                return self.object_of(right, name)
            case s.Conditional(condition=condition, then=then, other=other, type=type, span=span) if not is_lvalue(
                expr
            ):
                made = Pointer((self.local(name, type, span),), ZERO)
                self.branch(
                    self.rvalue(condition),
                    lambda: self.copy(self.object_of(then), made, type, span),
                    lambda: self.copy(self.object_of(other), made, type, span),
                    span,
                )
                return made
            case s.Cast(operand=operand) if operand.type == expr.type:
                return self.object_of(operand, name)
            case s.Member(base=base, field=field, span=span) if not is_lvalue(expr):
                return self.member(self.object_of(base), field, span)
            case s.Temporary(operand=operand):
                return self.new_object(operand, name)
            case _:
                return self.place(expr)

    def new_object(self, expr: s.Expr, name: str) -> Pointer:
        """An object of its own that holds the value of an expression."""
        if not is_lvalue(expr) or isinstance(expr, s.Temporary):
            found = self.object_of(expr, name)
            if not isinstance(expr, s.Member | s.Cast | s.Comma):
                return found
        made = Pointer((self.local(name, expr.type, expr.span),), ZERO)
        self.copy(self.object_of(expr), made, expr.type, expr.span)
        return made

    def copy(self, source: Pointer, target: Pointer, type: Type, span: Span) -> None:
        """Copies an object member by member: nothing but its own scalars is written."""
        match type:
            case Struct(record=record) if record.is_union:
                first = record.fields[0]
                self.copy(self.part(source, first, span), self.part(target, first, span), first.type, span)
            case Struct(record=record):
                source, target = self.fixed(source, span), self.fixed(target, span)
                for field in record.fields:
                    of = field.type
                    if isinstance(of, Reference):
                        of = PointerType(of.referee)
                    self.copy(self.part(source, field, span), self.part(target, field, span), of, span)
            case Array():
                element = element_of(type)
                self._each(
                    scalars_in(type),
                    lambda i: self.copy(moved(source, i, 1), moved(target, i, 1), element, span),
                    span,
                )
            case _:
                self.write(target, self.read(source, type, span), span)

    def _each(self, count: int, act: object, span: Span) -> None:
        """Does something for every index of an array."""
        assert callable(act)
        if count <= UNROLLED:
            for i in range(count):
                act(core.Const(i, INT))
            return
        index = Cell("i", INT)
        self.layers[-1][index] = core.Const(0, INT)

        def body() -> None:
            act(self.scalar(index))
            self.assign(index, core.Binary(BinaryOp.ADD, self.scalar(index), core.Const(1, INT), INT), span)

        limit = core.Const(count, INT)
        self.loop([index], lambda: binary(BinaryOp.LT, self.scalar(index), limit, BOOL), body, span)

    def fill(self, place: Pointer, type: Type, init: s.Expr) -> None:
        """Initialises what is zero so far."""
        span = init.span
        match type:
            case Struct(record=record) if isinstance(init, s.InitList):
                for field, element in zip(record.fields, init.elements, strict=False):
                    self.fill(self.part(place, field, span), field.type, element)
            case Struct():
                self.copy(self.object_of(init), place, type, span)
            case Array(element=inner) if isinstance(init, s.InitList):
                for i, element in enumerate(init.elements):
                    self.fill(moved(place, core.Const(i, INT), scalars_in(inner)), inner, element)
            case Array() if is_lvalue(init):  # a member array of an object that is copied
                self.copy(self.place(init), place, type, span)
            case Array():
                raise self.refuse("CP0213", "an array is initialised by something other than a list", span)
            case Reference():
                self.write(place, self.fixed(self.place(init), span), span)
            case PointerType():
                self.write(place, self.pointer(init), span)
            case _:
                value = self.rvalue(init)
                if not _is_zero(value):
                    self.write(place, value, span)


def cells_in(target: Target | Pointer) -> Iterator[Cell]:
    """The variables that a target is made of, or that a pointer may lead to."""
    match target:
        case Cell():
            yield target
        case Object(parts=parts):
            for part in parts.values():
                yield from cells_in(part)
        case Pointer(targets=targets):
            for one in targets:
                yield from cells_in(one)
        case Row(cells=cells):
            yield from cells
        case _:
            pass


def is_local(target: Target) -> bool:
    """Whether a target lies in the thread's own memory."""
    match target:
        case core.Root(kind=kind):
            return kind is core.RootKind.LOCAL
        case Object(parts=parts):
            return any(is_local(part) for part in parts.values())
        case Cell() | Row():
            return True
        case _:
            return False


def _is_zero(value: core.Expr) -> bool:
    return isinstance(value, core.Const) and value.value == 0 and str(value.value)[0] != "-"
