"""Pointers converted to lead to another type: memory seen as objects, objects as numbers, and both as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Any

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import (
    CHAR,
    INT,
    LONG,
    Field,
    Opaque,
    Scalar,
    Struct,
    Type,
    Void,
    is_floating,
    is_integer,
    is_signed,
    size_of,
    spell,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.decisions import Decisions, Restart, Site
from cladpy.normalize.layout import comes_apart, is_made_of, members_of, number_at, only_number, unit_of_bytes
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Flat,
    Links,
    Object,
    Pointer,
    Raw,
    Row,
    Table,
    Target,
    View,
    advance,
    converted,
    element_of,
    nested,
    unnested,
)
from cladpy.normalize.report import Abandon, Report


@dataclass(frozen=True, slots=True)
class _Step:
    """How many bytes the last index of an offset counts before and after a conversion, and how many indices more the
    offset has then: one where an object is seen as numbers, one less on the way back."""

    before: int
    after: int
    deeper: int = 0

    @property
    def is_same(self) -> bool:
        return self.before == self.after and not self.deeper


_SAME = _Step(1, 1)


@dataclass(slots=True, eq=False)
class Casts:
    report: Report
    decisions: Decisions
    untyped: dict[Symbol, Site] = field(default_factory=dict)  # allocations of which it is not known what they hold
    bytes: dict[core.Root, Site] = field(default_factory=dict)  # shared memory that is declared as bytes
    made_of_bytes: dict[Object, Site] = field(default_factory=dict)  # objects in such memory
    packs: dict[Target, Site] = field(default_factory=dict)  # local memory, where it is declared
    views: dict[tuple[core.Root, Struct], View] = field(default_factory=dict)
    flats: dict[tuple[Object, Scalar], Flat] = field(default_factory=dict)
    raws: dict[tuple[Target, int], Raw] = field(default_factory=dict)
    shared: list[core.Statement] = field(default_factory=list)  # shared memory comes to life before all else
    dynamic: dict[Scalar, core.Root] = field(default_factory=dict)  # dynamic shared memory, as elements of each type
    owners: dict[Object, Object] = field(default_factory=dict)  # of a base class's part, the object that it belongs to

    def as_type(self, pointer: Pointer, type: Type, span: Span) -> Pointer:
        """A pointer converted to one that leads to another type. Where what its offset counts has another size then,
        the offset is counted anew."""
        pointee = element_of(type)
        if isinstance(pointee, Void | Opaque):
            return pointer
        found = [self._step(target, pointee, span) for target in pointer.targets]
        steps = {_SAME if step.is_same else step for _, step in found if step is not None}
        if len(steps) > 1:
            raise self.refuse_view("memory", span)
        offset = self._counted(pointer.offset, steps.pop(), pointee) if steps else pointer.offset
        if offset is None:
            raise self.refuse_view(next(name_of(t) for t in pointer.targets if t is not NULL), span)
        return Pointer(tuple(target for target, _ in found), offset, pointer.tag)

    def _step(self, target: Target, pointee: Type, span: Span) -> tuple[Target, _Step | None]:
        """Where a pointer to `pointee` leads instead, and how its offset changes."""
        if (number := _number_in(pointee)) is not None:
            self.carry(target, number)
        if target is NULL or isinstance(target, Cell):
            return target, None
        if isinstance(target, Table | Row | Links):
            if not isinstance(pointee, PointerType):
                raise self.refuse_view(target.name, span)
            return target, _SAME
        if isinstance(target, Object) and (derived := self._derived(target, pointee)) is not None:
            return derived, None
        if isinstance(target, core.Root) and target.allocation in self.untyped and not _is_byte(pointee):
            raise self._typed(self.untyped[target.allocation], pointee)
        if isinstance(target, core.Root) and target.untyped and not _is_byte(pointee):
            raise self._typed(target.untyped, pointee)
        if isinstance(target, Raw) and target.unit == unit_of_bytes(pointee):
            return target, _SAME
        inner, before = (target.target, target.unit) if isinstance(target, Raw) else (target, step_size(target))
        if isinstance(inner, core.Root) and inner in self.bytes and unit_of_bytes(pointee) is None:
            raise self._typed(self.bytes[inner], pointee)
        found = self._seen_as(inner, pointee)
        deeper = isinstance(found, Flat) - isinstance(inner, Flat)
        after = step_size(found)
        if (deeper > 0 and before != step_size(inner)) or (before != after and not deeper and not is_dense(inner)):
            if isinstance(inner, Object) and inner in self.made_of_bytes and (one := only_number(inner.type)):
                raise self._typed(self.made_of_bytes[inner], one)
            raise self.refuse_view(name_of(target), span)
        return found, _Step(before, after, deeper)

    def carry(self, target: Target, number: Scalar) -> None:
        """Numbers are read from local memory of integers, or of numbers of another size, or stored there: it is memory
        of these from the start."""
        inner = target.target if isinstance(target, Raw) else target
        pack = inner.object if isinstance(inner, Flat) else inner  # by its address, or by that of a member
        if pack in self.packs and _carries(pack, number):
            raise self._typed(self.packs[pack], number)

    def _typed(self, site: tuple[Any, ...], element: Type) -> Restart:
        """Bytes, or memory of no type, are used as memory of a type: it is memory of that type from the start."""
        return Restart(replace(self.decisions, typed={**self.decisions.typed, site: element}))

    def _derived(self, object: Object, type: Type) -> Object | None:
        """The object of a derived class that an object is the base of."""
        found = self.owners.get(object)
        while found is not None and found.type != type:
            found = self.owners.get(found)
        return found

    def _seen_as(self, target: Target, pointee: Type) -> Target:
        """Memory as a pointer to `pointee` leads to it: plainly, or raw where that is of another size."""
        size = 8 if isinstance(pointee, PointerType) else size_of(pointee)
        if isinstance(target, Object):
            if isinstance(pointee, Scalar):
                return self.flat(target, pointee)
            other = isinstance(pointee, Struct) and pointee != target.type
            return self.raw(target, size) if other or size != size_of(target.type) else target
        if isinstance(target, Flat):
            if isinstance(pointee, Scalar):
                return target if size == size_of(target.element) else self.flat(target.object, pointee)
            return target.object if pointee == target.object.type else self.raw(target, size)
        root = target.root if isinstance(target, View) else target
        assert isinstance(root, core.Root) and isinstance(root.element, Scalar)
        if root.dynamic and isinstance(pointee, Scalar):
            return self.dynamic_part(root.name, pointee, root.span)
        if root.dynamic and isinstance(pointee, Struct) and comes_apart(pointee) and not _moves(pointee, root.element):
            return self.view_of_dynamic(root.name, pointee, root.span)
        if isinstance(pointee, Struct) and not root.members and is_made_of(pointee, root.element):
            return self.view(root, pointee)
        return root if size == size_of(root.element) else self.raw(root, size)

    def dynamic_part(self, name: str, element: Scalar, span: Span) -> core.Root:
        """The dynamic shared memory as elements of a type. Integers of one size are read as each other; of all else
        what is stored as one type is read as that type (`several_types.py`)."""
        if is_integer(element):
            alike = (held for held in self.dynamic if is_integer(held) and size_of(held) == size_of(element))
            element = next(alike, element)
        if element not in self.dynamic:
            first = next(iter(self.dynamic.values()), None)
            root = core.Root(name, element, core.RootKind.SHARED, span, part_of=first)
            self.dynamic[element] = root
            self.shared.append(core.Allocate(root, False, span))
        return self.dynamic[element]

    def view_of_dynamic(self, name: str, type: Struct, span: Span) -> Target:
        """The dynamic shared memory as objects, whose numbers may be of several types: an offset counts the smallest of
        them, and each is in the part of its type."""
        least = min((m.type for m in members_of(type)), key=size_of, default=CHAR)
        return self.view(self.dynamic_part(name, least, span), type)

    def number_of_view(self, root: core.Root, offset: core.Expr, element: Scalar) -> tuple[core.Root, core.Expr]:
        """A number of an object in such memory, whose place `offset` gives in the numbers of `root`."""
        if element == root.element or not root.dynamic:
            return root, offset
        assert isinstance(root.element, Scalar)
        index = rescaled(offset, size_of(root.element), size_of(element), is_aligned=True)
        assert index is not None, "a number is aligned to its size"
        return self.dynamic_part(root.name, element, root.span), index

    def _counted(self, offset: core.Expr, step: _Step, pointee: Type) -> core.Expr | None:
        """The offset with its last index in other units. None where that may leave a rest."""
        if step.deeper > 0:
            return core.Nested(offset, ZERO, None)
        if step.before == step.after:
            return offset
        *outer, last = unnested(offset)
        # An address that is read or written through a pointer is a multiple of what that leads to is aligned to.
        scaled = rescaled(last, step.before, step.after, is_aligned=alignment_of(pointee) % step.after == 0)
        if scaled is None:
            return None
        if step.deeper == 0:
            return nested([*outer, scaled])
        *before, index = outer
        return nested([*before, advance(index, scaled, 1, False)])

    def part_of_raw(self, place: Pointer, raw: Raw, field: Field, span: Span) -> Pointer:
        """A member of an object of another class that memory is used as: memory of the member's size."""
        of = element_of(field.type)
        unit = 8 if isinstance(of, PointerType) else size_of(of)
        if field.bits is not None or raw.unit % unit or field.offset % unit:
            raise self.refuse_raw(raw, span)
        *outer, last = unnested(place.offset)
        last = advance(ZERO, last, raw.unit // unit, False)
        last = advance(last, core.Const(field.offset // unit, INT), 1, False)
        if isinstance(raw.target, core.Root) and raw.target.dynamic and isinstance(of, Scalar):
            return Pointer((self.dynamic_part(raw.target.name, of, span),), nested([*outer, last]))
        return Pointer((self.raw(raw.target, unit),), nested([*outer, last]))

    def numbers_of_raw(self, place: Pointer) -> tuple[Pointer, core.Root] | None:
        """The first number, and the memory that it is in, where objects of another class lie in an array of numbers."""
        live = [t for t in place.targets if t is not NULL]
        match live:
            case [Raw(target=core.Root(element=Scalar() as element) as root, unit=unit), *_]:
                roots = [t.target for t in live if isinstance(t, Raw) and t.unit == unit]
                alike = [r for r in roots if isinstance(r, core.Root) and r.element == element and not r.members]
                if len(alike) != len(live) or unit % size_of(element):
                    return None
                *outer, last = unnested(place.offset)
                last = advance(ZERO, last, unit // size_of(element), False)
                targets = tuple(t.target if isinstance(t, Raw) else t for t in place.targets)
                return Pointer(targets, nested([*outer, last]), place.tag), root
            case _:
                return None

    def number_in_objects(self, raw: Raw, offset: core.Expr, span: Span) -> Pointer:
        """A number of an object that is reached through objects of another class."""
        object, unit = raw.target, raw.unit
        assert isinstance(object, Object)
        count, rest = divmod(size_of(object.type), unit)
        *outer, last = unnested(offset)
        whole, position = parts_of(last, count) if not rest else (None, last)
        place = int(position.value) * unit if isinstance(position, core.Const) else 0
        number = number_at(object.type, place)
        if rest or number is None or size_of(number) != unit:
            raise self.refuse_raw(raw, span)
        return Pointer((self.flat(object, number),), nested([*outer, whole or ZERO, position]))

    def numbers_in_dynamic(self, place: Pointer, element: Scalar) -> tuple[Pointer, core.Root] | None:
        """The same for an object in the dynamic shared memory that is given, or takes, numbers of a type."""
        match place.targets:
            case (View(root=core.Root(dynamic=True, element=Scalar() as counted) as root, type=type),):
                if not _moves(type, element):
                    return None
                part = self.dynamic_part(root.name, element, root.span)
                index = rescaled(place.offset, size_of(counted), size_of(element), is_aligned=True)
                assert index is not None, "an object is aligned to its numbers"
                return Pointer((part,), index), part
            case _:
                return None

    def raw(self, target: Target, unit: int) -> Raw:
        return self.raws.setdefault((target, unit), Raw(target, unit))

    def view(self, root: core.Root, type: Struct) -> View:
        """A root of numbers as objects; one and the same for the same class."""
        return self.views.setdefault((root, type), View(root, type))

    def flat(self, object: Object, element: Scalar) -> Flat:
        """An object as numbers."""
        return self.flats.setdefault((object, element), Flat(object, element))

    def refuse_view(self, name: str, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0232",
            f"'{name}' is used as memory of another type",
            span,
            "declare the pointer with the type of what it points to",
        )

    def refuse_raw(self, raw: Raw | View, span: Span) -> Abandon:
        root = raw.target if isinstance(raw, Raw) else raw.root
        if not isinstance(root, core.Root) or root.allocation is None:
            return self.refuse_view(name_of(raw), span)
        return self.report.refuse(
            "CP0232",
            f"'{root.name}' is allocated for elements of type '{spell(root.element)}', and used as memory of another",
            span,
            "allocate memory for each type by a call of its own",
        )

    def refuse_mixed(self, targets: Sequence[Target], span: Span) -> Abandon:
        """Where a pointer may lead to memory that it was converted for, and to other memory."""
        first, second, *_ = (name_of(t) for t in targets)
        return self.report.refuse(
            "CP0232",
            f"a pointer may lead to '{first}' or to '{second}', and not both are memory of its type",
            span,
            "give each a pointer of its own, and choose between the numbers that are read",
        )


def _number_in(type: Type) -> Scalar | None:
    """The floating-point numbers that a type is made of, if it is made of nothing else."""
    first = next((m.type for m in members_of(type)), None) if isinstance(type, Struct) else type
    return first if isinstance(first, Scalar) and is_floating(first) and is_made_of(type, first) else None


def _moves(type: Struct, number: Scalar) -> bool:
    """Whether objects of a class of integers move the bits of floating-point numbers."""
    integers = comes_apart(type) and all(is_integer(m.type) for m in members_of(type))
    return is_floating(number) and integers and size_of(type) % size_of(number) == 0


def _carries(pack: Target, number: Scalar) -> bool:
    """Whether local memory may move the bits of floating-point numbers: of integers, or of numbers that are of another
    size. A single number of the same size is one of these bits, and may be both."""
    match pack:
        case Object(type=type):
            parts: list[Type] = [m.type for m in members_of(type)] if comes_apart(type) else []
            size = size_of(type)
        case Cell(type=Scalar() as type):
            parts, size = [type], size_of(type)
            if size == size_of(number):
                return False
        case core.Root(element=Scalar() as element):
            parts, size = [element], size_of(element)
        case _:
            return False
    integers = all(is_integer(p) for p in parts)
    others = all(is_floating(p) and size_of(p) != size_of(number) for p in parts)
    return bool(parts) and is_floating(number) and (integers or others) and size % size_of(number) == 0


def _is_byte(type: Type) -> bool:
    return isinstance(type, Scalar) and size_of(type) == 1


def step_size(target: Target) -> int:
    """What the last index of an offset into memory counts, in bytes."""
    match target:
        case core.Root(element=element) | View(root=core.Root(element=element)) | Flat(element=element):
            return size_of(element)
        case Object(type=type):
            return size_of(type)
        case Raw(unit=unit):
            return unit
        case _:
            raise AssertionError(f"no memory of numbers: {target}")


def is_dense(target: Target) -> bool:
    """Whether what an index counts lies one after the other."""
    match target:
        case core.Root(members=members) | View(root=core.Root(members=members)):
            return not members
        case Object(dense=dense) | Flat(object=Object(dense=dense)):
            return dense
        case _:
            raise AssertionError(f"no memory of numbers: {target}")


def name_of(target: Target) -> str:
    match target:
        case View(root=core.Root(name=name)) | Flat(object=Object(name=name)):
            return name
        case Raw(target=inner):
            return name_of(inner)
        case _:
            return target.name


def alignment_of(type: Type) -> int:
    if isinstance(type, Struct):
        return type.record.alignment
    return 8 if isinstance(type, PointerType) else size_of(type)


# ---- counting in other units -----------------------------------------------------------------------------------------


def rescaled(index: core.Expr, before: int, after: int, *, is_aligned: bool) -> core.Expr | None:
    """An index that counts units of `before` bytes, in units of `after` bytes. None where that may leave a rest, unless
    the address `is_aligned` to such a unit."""
    common = gcd(before, after)
    index = advance(ZERO, index, before // common, False)
    return index if after == common else _divided(converted(index, LONG), after // common, is_aligned)


def _divided(index: core.Expr, count: int, is_multiple: bool) -> core.Expr | None:
    """The exact quotient. Factors are looked for, so that indices stay comparable; None where none is found and nothing
    says that the index `is_multiple`."""
    found: core.Expr | None = None
    match index:
        case core.Const(value=value):
            return core.Const(int(value) // count, LONG) if int(value) % count == 0 else None
        case core.Binary(op=BinaryOp.ADD | BinaryOp.SUB as op, left=left, right=right, type=type) if is_signed(type):
            one, other = _divided(left, count, False), _divided(right, count, False)
            if is_multiple and one is not None and other is None:
                other = _divided(right, count, True)
            elif is_multiple and other is not None and one is None:
                one = _divided(left, count, True)
            if one is not None and other is not None:
                found = core.Binary(op, converted(one, type), converted(other, type), type)
        case core.Binary(op=BinaryOp.MUL, left=left, right=right, type=type) if is_signed(type):
            for factor, rest in ((right, left), (left, right)):
                if isinstance(factor, core.Const) and int(factor.value) % count == 0:
                    found = advance(ZERO, rest, int(factor.value) // count, False)
        case core.Unary(op=UnaryOp.NEG, operand=operand, type=type) if is_signed(type):
            inner = _divided(operand, count, is_multiple)
            found = core.Unary(UnaryOp.NEG, converted(inner, type), type) if inner is not None else None
        case core.Cast(operand=operand, type=type) if _widens(operand.type, type):
            found = _divided(operand, count, is_multiple)
    if found is not None or not is_multiple:
        return converted(found, LONG) if found is not None else None
    return core.Binary(BinaryOp.DIV, converted(index, LONG), core.Const(count, LONG), LONG)


def parts_of(index: core.Expr, count: int) -> tuple[core.Expr | None, core.Expr]:
    """Of an index that counts numbers, the object of `count` of them, and the number within; None and the index where
    only the run shows it."""
    match index:
        case core.Const(value=value):
            whole, rest = divmod(int(value), count)
            return core.Const(whole, LONG), core.Const(rest, LONG)
        case core.Binary(op=BinaryOp.ADD, left=left, right=core.Const(value=value)):
            found, (whole, rest) = _divided(left, count, False), divmod(int(value), count)
            return (found and advance(found, core.Const(whole, LONG), 1, False)), (
                index if found is None else core.Const(rest, LONG)
            )
        case _:
            found = _divided(index, count, False)
            return found, index if found is None else core.Const(0, LONG)


def _widens(type: Type, to: Type) -> bool:
    """Whether a conversion of signed integers leaves the number as it is: a narrower type would wrap it."""
    return is_integer(type) and is_signed(type) and size_of(to) >= size_of(type)
