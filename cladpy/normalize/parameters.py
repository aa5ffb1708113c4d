"""What parameters are bound to: values for numbers, memory for what pointers lead to, trees of places for objects."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.access import Access, Unreadable, holds_read
from cladpy.ir.beside import numbers_beside
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import ASIDE, Array, Field, Opaque, Pointer, Reference, Scalar, Struct, Type, size_of
from cladpy.normalize.decisions import Decisions
from cladpy.normalize.here import Here
from cladpy.normalize.memory import Memory
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, ZERO, Cell, Object, Row, Table
from cladpy.normalize.places import Pointer as Place
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA, Content
from cladpy.normalize.storage import LONGEST_ROW, Storage


@dataclass(frozen=True, slots=True)
class _Own:
    """A place in a member that has an adjoint of its own, `way` from the member's beginning."""

    offset: int  # of the member
    way: Access

    def member(self, field: Field) -> _Own:
        return _Own(self.offset, self.way.member(field))

    @property
    def adjoint(self) -> core.OwnAdjoint:
        return core.OwnAdjoint(self.offset, "" if self.way.text == "{b}" else self.way.text)


def _own_adjoint(type: Type, field: Field, offset: int) -> _Own | None:
    """Of a member that begins at an offset into an object passed by value."""
    known = any(b.offset == offset and b.type == field.type for b in numbers_beside(type))
    return _Own(offset, Access(field.type)) if known else None


@dataclass(slots=True, eq=False)
class Parameters:
    function: s.Function
    report: Report
    here: Here
    ssa: SSA
    storage: Storage
    objects: Objects
    decisions: Decisions
    parts: list[list[core.Part]] = dataclasses.field(default_factory=list)  # of each

    def bind(self, symbol: Symbol, position: int) -> core.Parameter:
        """Binds a parameter. Those of class type get more parts as the function asks for them."""
        parts: list[core.Part] = []
        self.parts.append(parts)
        match symbol.type:
            case Scalar() as type:
                self._bind_value(symbol, type, parts)
            # a stream, a library's handle: what the function makes of one by reference stays its own
            case (Opaque() as type) | Reference(Opaque() as type) if self.here.on_host and type != ASIDE:
                self._bind_value(symbol, type, parts)
            case Pointer(pointee, const):
                memory = Memory(symbol, position, parts, typed=self.decisions.typed)
                target = memory.behind_pointer(pointee, const)
                self._bind_cell(symbol, Place((target,), ZERO))
                if isinstance(target, Table):  # the adjoint has a parameter whether or not it is used
                    memory.leaf(target)
            case Reference(referee, const):
                memory = Memory(symbol, position, parts, typed=self.decisions.typed)
                self.here.frame.bindings[symbol] = memory.behind_reference(referee, const)
            case Struct() as type:
                self.here.frame.bindings[symbol] = self._object(symbol, position, parts, type)
            case _:
                raise self.report.refuse(
                    "CP0214",
                    f"parameter '{symbol.name}' has a type that is not supported",
                    symbol.span,
                    "numbers, classes, and pointers and references to them, are",
                )
        return core.Parameter(self._name(symbol), symbol.type, (), symbol.layout)

    def _name(self, symbol: Symbol) -> str:
        """What a parameter is called: the object of a method has no name that C++ would take."""
        if symbol.name != "this":
            return symbol.name
        return "_self" if any(p.name == "self" for p in self.function.parameters) else "self"

    def _bind_value(self, symbol: Symbol, type: Scalar | Opaque, parts: list[core.Part]) -> None:
        value = core.Value(symbol.name, type)
        cell = Cell(symbol.name, type)
        self.here.frame.bindings[symbol] = cell
        self.ssa.layers[-1][cell] = core.Use(value)
        parts.append(core.Part(value))

    def _bind_cell(self, symbol: Symbol, content: Content) -> None:
        cell = Cell(symbol.name, symbol.type)
        self.here.frame.bindings[symbol] = cell
        self.ssa.layers[-1][cell] = content

    def _object(
        self,
        symbol: Symbol,
        position: int,
        parts: list[core.Part],
        type: Struct,
        way: Access | None = None,
        start: int = 0,
        own: _Own | None = None,
    ) -> Object:
        """An object passed by value, or in one, `way` and `start` bytes from its beginning: its scalars are values, its
        pointers lead to memory. `own` says where it lies in a member that has an adjoint of its own."""
        made = Object(symbol.name, type, lambda _: NULL, dense=True)
        fields = type.fields
        if type.record.is_union:
            self.storage.union_of(type, symbol.span)
            fields = (max(fields, key=lambda f: size_of(f.type)),)
        whole = way or Access(type, given=holds_read(type, "Kokkos::"))
        for field in fields:
            here = self._member(symbol, whole, field)
            name = f"{symbol.name}{here.name}"
            offset = start + field.offset
            inside = _own_adjoint(symbol.type, field, offset) if own is None else own.member(field)
            adjoint = None if inside is None else inside.adjoint
            match field.type:
                case Scalar() as scalar:
                    value = core.Value(name, scalar)
                    parts.append(core.Part(value, here.text, adjoint))
                    cell = Cell(name, scalar)
                    self.ssa.layers[-1][cell] = core.Use(value)
                    made.parts[field] = cell
                case Pointer() as pointer:
                    made.parts[field] = self._pointer_member(symbol, position, parts, pointer, here)
                case Array(element=Pointer() as pointer, length=length) if length <= LONGEST_ROW:
                    each = [Access(pointer, f"{here.text}[{i}]", 0, f"{here.name}[{i}]") for i in range(length)]
                    cells = [self._pointer_member(symbol, position, parts, pointer, one) for one in each]
                    made.parts[field] = Row(name, tuple(cells))
                case Struct() as inner:
                    made.parts[field] = self._object(symbol, position, parts, inner, here, offset, inside)
                case Array():
                    memory = Memory(symbol, position, parts, here.text, adjoint)
                    array = memory.member_array(field.type, here)
                    if (self.function.symbol, position) in self.decisions.copied:
                        local = self.storage.local(name, field.type, symbol.span)
                        places = [Place((target,), core.Nested(ZERO, ZERO, None)) for target in (array, local)]
                        self.objects.copy(places[0], places[1], field.type, symbol.span)
                        array = local
                    made.parts[field] = array
                case _:
                    raise self.report.refuse(
                        "CP0214",
                        f"the member '{field.name}' of parameter '{symbol.name}' has a type that is not supported",
                        symbol.span,
                        "numbers, classes, and pointers to them, are",
                    )
        if not type.record.is_union:
            return made
        local = self.storage.local(symbol.name, type, symbol.span)  # numbers that can be read as any of its members
        assert isinstance(local, Object)
        begins = core.Nested(ZERO, ZERO, None) if isinstance(fields[0].type, Array) else ZERO
        source = Place((made.parts[fields[0]],), begins)
        self.objects.copy(source, Place((local.parts[fields[0]],), ZERO), fields[0].type, symbol.span)
        return local

    def _member(self, symbol: Symbol, whole: Access, field: Field) -> Access:
        try:
            return whole.member(field)
        except Unreadable as found:
            message = f"'{symbol.name}{found.name}' cannot be asked for by what is emitted: {found.what}"
            raise self.report.refuse("CP0133", message, symbol.span, found.instead) from None

    def _pointer_member(
        self, symbol: Symbol, position: int, parts: list[core.Part], type: Pointer, member: Access
    ) -> Cell:
        cell = Cell(f"{symbol.name}{member.name}", type)
        memory = Memory(symbol, position, parts, typed=self.decisions.typed)
        target = memory.behind_member(type.pointee, type.const, member)
        self.ssa.layers[-1][cell] = Place((target,), ZERO)
        return cell
