"""Objects of class type: trees of places. A local one is taken apart into variables and arrays, one in memory into a
root for each scalar member; nothing after this stage knows of classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
    Array,
    Field,
    Reference,
    Scalar,
    Struct,
    Type,
    is_floating,
    is_integer,
    size_of,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.casts import Casts
from cladpy.normalize.layout import Member, comes_apart, is_made_of, leaves, members_of, numbers_in, only_number, stride
from cladpy.normalize.marks import detaching
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Flat,
    Object,
    Pointer,
    Raw,
    Target,
    View,
    advance,
    element_of,
    is_local,
    is_small,
    moved,
    nested,
    scalars_in,
    unnested,
)
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA
from cladpy.normalize.storage import Storage

if TYPE_CHECKING:
    from cladpy.normalize.accesses import Places
    from cladpy.normalize.calls import Calls
    from cladpy.normalize.values import Values


# Arrays of at most this many elements are copied without a loop.
UNROLLED = 16


@dataclass(slots=True, eq=False)
class Objects:
    report: Report
    ssa: SSA
    casts: Casts
    storage: Storage
    places: Places = dataclasses.field(init=False)
    values: Values = dataclasses.field(init=False)
    calls: Calls = dataclasses.field(init=False)

    # ---- members ---------------------------------------------------------------------------------------------------

    def part(self, place: Pointer, field: Field, span: Span) -> Pointer:
        """Where a member lies; of a reference, where that itself lies."""
        live = [t for t in place.targets if t is not NULL]
        seen = next((t for t in live if isinstance(t, View | Raw)), None)
        if seen is not None:
            if len(live) > 1:
                raise self.casts.refuse_mixed(live, span)
            there = Pointer((seen,), place.offset)
            if isinstance(seen, Raw):
                return self.casts.part_of_raw(there, seen, field, span)
            return self._part_of_view(there, seen, field, span)
        targets: list[Target] = []
        for target in place.targets:
            if target is NULL:
                targets.append(NULL)
                continue
            if not isinstance(target, Object):
                raise self.report.refuse(
                    "CP0232",
                    "memory is read as an object of another type",
                    span,
                    "declare the pointer with the type of what it points to",
                )
            if target.type.record.is_union:
                element = self.storage.union_of(target.type, span)
                fields = target.type.fields
                of_arrays = all(isinstance(f.type, Array) for f in fields) or size_of(element) == size_of(target.type)
                of_one_size = all(size_of(f.type) == size_of(target.type) for f in fields)
                if not is_local(target) and not (of_arrays and of_one_size):
                    raise self.report.refuse(
                        "CP0230",
                        f"the members of the union '{target.type.spelling}', which lies in memory, are neither numbers "
                        "of one size nor arrays of one size",
                        span,
                        "use a member for each type, or an array alone",
                    )
            assert field in target.type.fields, "conversions give objects of the right class"
            found = target.part(field)
            if field.base and isinstance(found, Object):
                self.casts.owners[found] = target
            targets.append(found)
        offset = core.Nested(place.offset, ZERO, None) if isinstance(field.type, Array) else place.offset
        return Pointer(tuple(targets), offset, place.tag)

    def _part_of_view(self, place: Pointer, view: View, field: Field, span: Span) -> Pointer:
        element = view.root.element
        assert isinstance(element, Scalar)
        assert field in view.type.fields and field.bits is None, "conversions give views of the right class"
        of = element_of(field.type)
        *outer, last = unnested(place.offset)
        last = advance(last, core.Const(field.offset // size_of(element), INT), 1, is_small(view.root))
        if isinstance(of, Struct):
            return Pointer((self.casts.view(view.root, of),), nested([*outer, last]))
        assert isinstance(of, Scalar), "views are of objects of numbers"
        root, last = self.casts.number_of_view(view.root, last, of)
        return Pointer((root,), nested([*outer, last]))

    def address_of_member(self, base: Pointer, field: Field, span: Span) -> Pointer:
        """The address of a member; from that of a number, pointers may move to the object's other numbers."""
        element = field.type
        objects = [t for t in base.targets if isinstance(t, Object)]
        if not isinstance(element, Scalar) or len(objects) != len(base.targets):
            return self.member(base, field, span)
        at = field.offset // size_of(element)
        targets = tuple(self.casts.flat(o, element) for o in objects)
        return Pointer(targets, core.Nested(base.offset, core.Const(at, INT), None), base.tag)

    def number(self, flat: Flat, offset: core.Expr, span: Span) -> Pointer | None:
        """Where a number of an object lies whose position is known; None where it is not."""
        *outer, last = unnested(offset)
        if not isinstance(last, core.Const):
            return None
        return self._leaf(flat, outer, int(last.value), None, span)

    def _leaf(
        self, flat: Flat, outer: list[core.Expr], position: int, further: core.Expr | None, span: Span
    ) -> Pointer:
        """The number at a position of an object, `further` objects on."""
        count = stride(flat.object.type, flat.element)
        found = leaves(flat.object.type, flat.element)
        skip = 0
        if position not in found and count is not None:
            skip, position = divmod(position, count)
        if position not in found:
            raise self.casts.refuse_view(flat.object.name, span)
        if skip and not flat.object.dense:
            raise self.casts.refuse_view(flat.object.name, span)
        *before, index = outer
        index = advance(index, core.Const(skip, INT), 1, False)
        if further is not None:
            index = advance(index, further, 1, False)
        place = Pointer((flat.object,), nested([*before, index]))
        for field, i in found[position].steps:
            place = self.part(place, field, span)
            if i is not None:
                place = moved(place, core.Const(i, INT), 1)
        return place

    def each_number(self, flat: Flat, offset: core.Expr, act: Callable[[Pointer], None], span: Span) -> None:
        """Does something with the number whose position is found at run time."""
        *outer, last = unnested(offset)
        count = stride(flat.object.type, flat.element)
        if count is None or not is_made_of(flat.object.type, flat.element):
            raise self.casts.refuse_view(flat.object.name, span)
        last = self.ssa.named(cast(last, LONG), "position", span)
        size = core.Const(count, LONG)
        if not flat.object.dense:  # other members follow: the position lies within the one object
            self._each_position(flat, outer, last, None, act, span)
            return
        which: core.Expr = core.Binary(BinaryOp.REM, last, size, LONG)
        if outer[-1] != ZERO:  # there may be objects before: the position may be negative
            rest = self.ssa.named(which, "rest", span)
            before = binary(BinaryOp.LT, rest, core.Const(0, LONG), BOOL)
            which = core.Select(before, binary(BinaryOp.ADD, rest, size, LONG), rest, LONG)
            which = self.ssa.named(which, "which", span)
            last = binary(BinaryOp.SUB, last, which, LONG)
        further = self.ssa.named(core.Binary(BinaryOp.DIV, last, size, LONG), "further", span)
        which = self.ssa.named(which, "which", span)
        self._each_position(flat, outer, which, further, act, span)

    def _each_position(
        self,
        flat: Flat,
        outer: list[core.Expr],
        which: core.Expr,
        further: core.Expr | None,
        act: Callable[[Pointer], None],
        span: Span,
    ) -> None:
        count = stride(flat.object.type, flat.element)
        assert count is not None

        def from_(i: int) -> None:
            place = self._leaf(flat, outer, i, further, span)
            if i == count - 1:
                act(place)
                return
            test = binary(BinaryOp.EQ, which, core.Const(i, LONG), BOOL)
            self.ssa.branch(test, lambda: act(place), lambda: from_(i + 1), span)

        from_(0)

    def member(self, place: Pointer, field: Field, span: Span) -> Pointer:
        """What a member stands for."""
        found = self.part(place, field, span)
        if not isinstance(field.type, Reference):
            return found
        content = self.places.read(found, PointerType(field.type.referee), span, field.name)
        assert isinstance(content, Pointer)
        return content

    # ---- values of class type --------------------------------------------------------------------------------------

    def object_of(self, expr: s.Expr, name: str = "temporary") -> Pointer:
        """Where the value of an expression of class type lies: an lvalue's own place, or a new object."""
        match expr:
            case s.Call() if not is_lvalue(expr):
                return self.calls.object_of_call(expr, name)
            case s.Construct():
                return self.calls.object_of_call(expr, name)
            case s.InitList(type=type, span=span):
                made = Pointer((self.storage.local(name, type, span),), ZERO)
                self.fill(made, type, expr)
                return made
            case s.Comma(left=left, right=right) if not is_lvalue(expr):
                self.values.discard(left)
                return self.object_of(right, name)
            case s.Conditional(condition=condition, then=then, other=other, type=type, span=span) if not is_lvalue(
                expr
            ):
                made = Pointer((self.storage.local(name, type, span),), ZERO)
                self.ssa.branch(
                    self.values.rvalue(condition),
                    lambda: self.copy(self.object_of(then), made, type, span),
                    lambda: self.copy(self.object_of(other), made, type, span),
                    span,
                )
                return made
            case s.Member(base=base, field=field, span=span) if not is_lvalue(expr):
                return self.member(self.object_of(base), field, span)
            case s.Temporary(operand=operand):
                return self.new_object(operand, name)
            case _:
                return self.places.place(expr)

    def new_object(self, expr: s.Expr, name: str) -> Pointer:
        """An object of its own that holds the value of an expression."""
        source = self.object_of(expr, name)
        is_value = not is_lvalue(expr) or isinstance(expr, s.Temporary)
        if is_value and not isinstance(expr, s.Member | s.Comma):
            return source
        numbers = self.casts.numbers_of_raw(source)
        if numbers is None:
            made = Pointer((self.storage.local(name, expr.type, expr.span),), ZERO)
        else:  # the copy of memory of another type is such memory too
            element = _element(numbers[1])
            size = size_of(expr.type)
            root = self.storage.array(name, element, (), size // size_of(element), expr.span)
            made = Pointer((self.casts.raw(root, size),), ZERO)
        self.copy(source, made, expr.type, expr.span)
        return made

    def copy(self, source: Pointer, target: Pointer, type: Type, span: Span) -> None:
        """Copies an object member by member: nothing but its own scalars is written."""
        match type:
            case Struct(record=record) if record.is_union:
                if self.copy_numbers(source, target, size_of(type), span):
                    return
                first = max(record.fields, key=lambda f: size_of(f.type))
                self.copy(self.part(source, first, span), self.part(target, first, span), first.type, span)
            case Struct(record=record):
                source, target = self.values.fixed(source, span), self.values.fixed(target, span)
                if self._copy_whole(source, target, span):
                    return
                if self.copy_numbers(source, target, size_of(type), span):
                    return
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
                self.places.write(target, self.places.read(source, type, span), span)

    def detach(self, place: Pointer, type: Type, span: Span) -> None:
        """Takes the derivatives from the numbers of an object."""
        match type:
            case Struct(fields=fields):
                for field in fields:
                    if not isinstance(field.type, Reference):
                        self.detach(self.part(place, field, span), field.type, span)
            case Array():
                element = element_of(type)
                count = scalars_in(type)
                self._each(count, lambda i: self.detach(moved(place, i, 1), element, span), span)
            case Scalar() if is_floating(type):
                content = self.places.read(place, type, span)
                assert not isinstance(content, Pointer)
                self.places.write(place, core.Math(detaching(type), (content,), type), span)
            case _:
                pass

    def _copy_whole(self, source: Pointer, target: Pointer, span: Span) -> bool:
        """Copies an object that is moved as one of another class of its size, by its own numbers; false where what is
        given is none, or lies otherwise than what it is moved to."""
        one, other = _whole(source), _whole(target)
        if one is None or other is None:
            return False
        if one[1] == other[1]:
            self.copy(one[0], other[0], one[1], span)
            return True
        if not (comes_apart(one[1]) and comes_apart(other[1]) and numbers_in(one[1]) == numbers_in(other[1])):
            return False
        for member, to in zip(members_of(one[1]), members_of(other[1]), strict=True):
            place = self.place_of_number(other[0], to, span)
            self.places.write(place, self._number_of(one[0], member, span), span)
        return True

    def copy_numbers(self, source: Pointer, target: Pointer, size: int, span: Span) -> bool:
        """Copies an object that lies in arrays of numbers of other types, number by number; false where it does not."""
        one, other = self._numbers_at(source, size, span), self._numbers_at(target, size, span)
        if one is None and other is not None:
            self._carry(source, other[1])
            one = self._dynamic(source, other[1], size)
        elif one is not None and other is None:
            self._carry(target, one[1])
            other = self._dynamic(target, one[1], size)
        if one is None or other is None:
            return False
        (source_places, number), (target_places, to) = one, other
        # bytes of another sign, and truth values as bytes, are the same integers
        if number != to and not (
            is_integer(number) and is_integer(to) and to != BOOL and size_of(number) == size_of(to)
        ):
            return False
        held = [self.places.read(p, number, span) for p in source_places]
        held = [cast(c, to) if isinstance(c, core.Expr) else c for c in held]
        for place, content in zip(target_places, held, strict=True):
            self.places.write(place, content, span)
        return True

    def carry(self, source: Pointer, target: Pointer) -> None:
        """What is moved to where numbers of another type lie holds these from the start."""
        found = self.casts.numbers_of_raw(target)
        if found is not None:
            self._carry(source, _element(found[1]))

    def _carry(self, place: Pointer, element: Scalar) -> None:
        if len(place.targets) == 1 and is_floating(element):
            self.casts.carry(place.targets[0], element)

    def _dynamic(self, place: Pointer, element: Scalar, size: int) -> tuple[list[Pointer], Scalar] | None:
        found = self.casts.numbers_in_dynamic(place, element)
        return None if found is None else (_each_number(found[0], element, size), element)

    def _numbers_at(self, place: Pointer, size: int, span: Span) -> tuple[list[Pointer], Scalar] | None:
        """The places of the numbers where objects of another class, or numbers of another size, are moved."""
        found = self.casts.numbers_of_raw(place)
        if found is not None:
            return _each_number(found[0], _element(found[1]), size), _element(found[1])
        *outer, last = unnested(place.offset)
        match place.targets:
            case (core.Root(element=Scalar() as own, members=False),) if size_of(own) == size:
                return [place], own
            case (Raw(target=Object(type=type, dense=True) as object, unit=unit),) if (
                number := only_number(type)
            ) is not None and unit % size_of(type) == 0:
                last = advance(ZERO, last, unit // size_of(type), False)
                first = Pointer((object,), nested([*outer, last]))
                each = [moved(first, core.Const(i, LONG), 1) for i in range(size // size_of(type))]
                return [self.place_of_number(p, m, span) for p in each for m in members_of(type)], number
            case (Flat(object=object, element=element),) if size_of(element) == size:
                number = only_number(object.type)
                if number is None or size_of(number) == size or size % size_of(number):  # a part of one is no number
                    return None
                last = advance(ZERO, last, size // size_of(number), False)
                first = Pointer((self.casts.flat(object, number),), nested([*outer, last]))
                return _each_number(first, number, size), number
            case _:
                return None

    def numbers(self, place: Pointer, type: Struct, span: Span) -> tuple[core.Leaf, ...]:
        """What an object holds, number by number."""
        place = self.values.fixed(place, span)
        return tuple(core.Leaf(self._number_of(place, m, span), m.text, m.type) for m in members_of(type))

    def place_of_number(self, place: Pointer, member: Member, span: Span) -> Pointer:
        for field, i in member.steps:
            place = self.part(place, field, span)
            if i is not None:
                place = moved(place, core.Const(i, INT), 1)
        return place

    def _number_of(self, place: Pointer, member: Member, span: Span) -> core.Expr:
        content = self.places.read(
            self.place_of_number(place, member, span), member.type, span, member.steps[-1][0].name
        )
        assert not isinstance(content, Pointer)
        return content

    def _each(self, count: int, act: object, span: Span) -> None:
        """Does something for every index of an array."""
        assert callable(act)
        if count <= UNROLLED:
            for i in range(count):
                act(core.Const(i, INT))
            return
        index = Cell("i", INT)
        self.ssa.layers[-1][index] = core.Const(0, INT)

        def body() -> None:
            act(self.ssa.scalar(index))
            self.ssa.assign(index, core.Binary(BinaryOp.ADD, self.ssa.scalar(index), core.Const(1, INT), INT), span)

        limit = core.Const(count, INT)
        self.ssa.loop([index], lambda: binary(BinaryOp.LT, self.ssa.scalar(index), limit, BOOL), body, span)

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
            case Array():
                raise self.report.refuse("CP0213", "an array is initialised by something other than a list", span)
            case Reference():
                self.places.write(place, self.values.fixed(self.places.place(init), span), span)
            case PointerType():
                self.places.write(place, self.places.pointer(init), span)
            case _ if is_named_memory(init):
                self.values.give(lambda: place, init, span)
            case _:
                value = self.values.rvalue(init)
                if not _is_zero(value):
                    self.places.write(place, value, span)


def _whole(place: Pointer) -> tuple[Pointer, Struct] | None:
    """The object that lies where one of another class of its size is copied."""
    match place.targets:
        case (Raw(target=Object(type=type) as object, unit=unit),) if unit == size_of(type):
            return Pointer((object,), place.offset), type
        case _:
            return None


def _each_number(first: Pointer, element: Scalar, size: int) -> list[Pointer]:
    return [moved(first, core.Const(i, INT), 1) for i in range(size // size_of(element))]


def _element(root: core.Root) -> Scalar:
    assert isinstance(root.element, Scalar)
    return root.element


def _is_zero(value: core.Expr) -> bool:
    return isinstance(value, core.Const) and value.value == 0 and str(value.value)[0] != "-"


def is_named_memory(expr: s.Expr) -> bool:
    """Whether an expression is a number that lies in memory, or in a variable, found without changing anything."""
    named = isinstance(expr, s.VarRef | s.Index | s.Deref | s.Member) and is_lvalue(expr)
    return named and isinstance(expr.type, Scalar) and not any(isinstance(e, _CHANGES) for e in surface_walk.walk(expr))


_CHANGES = s.Call | s.Assign | s.CompoundAssign | s.IncDec
