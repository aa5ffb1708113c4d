"""Storage for local variables and for those in shared memory: objects are taken apart into a variable, or an array, for
each of their members."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import BOOL, CHAR, Array, Field, Opaque, Reference, Scalar, Struct, Type, size_of
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.casts import Casts
from cladpy.normalize.decisions import Decisions
from cladpy.normalize.layout import comes_apart, is_made_of, is_vector, numbers_in, unit_of_bytes
from cladpy.normalize.places import NULL, ZERO, Cell, Object, Pointer, Row, Target, element_of, scalars_in, zero_of
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA

# Local arrays of pointers have a variable for each; arrays of more are refused.
LONGEST_ROW = 16


@dataclass(slots=True, eq=False)
class Storage:
    report: Report
    ssa: SSA
    casts: Casts
    decisions: Decisions
    shared_places: dict[Symbol, Target] = dataclasses.field(default_factory=dict)
    sharing: bool = False  # whether what is being made lies in shared memory

    def local(self, name: str, type: Type, span: Span, count: int | None = None, members: bool = False) -> Target:
        """Storage for a local variable, or for `count` of them one after the other; zero until it is written.
        `members` says that they belong to different objects."""
        if isinstance(type, Array) and count is None:
            return self.local(name, element_of(type), span, scalars_in(type))
        if self.sharing or (members and count is not None):
            return self._local(name, type, span, count, members)
        return self.own(
            name, type, span, 1 if count is None else count, lambda: self._local(name, type, span, count, members)
        )

    def own(self, name: str, type: Type, span: Span, count: int, plain: Callable[[], Target]) -> Target:
        """Local memory: what `plain` makes, or, where the program uses it as numbers of another type, an array of these
        (Casts.carry)."""
        site = (span, name)
        held = self.decisions.typed.get(site)
        if isinstance(held, Scalar):
            root = self.array(name, held, (), count * size_of(type) // size_of(held), span)
            return self.casts.raw(root, size_of(type))
        made = plain()
        self.casts.packs[made] = site
        return made

    def _local(self, name: str, type: Type, span: Span, count: int | None, members: bool) -> Target:
        match type:
            case Scalar() | Opaque() if count is None:
                cell = Cell(name, type)
                self.ssa.layers[-1][cell] = zero_of(type)
                return cell
            case PointerType() | Reference() if count is None:
                cell = Cell(name, PointerType(type.referee) if isinstance(type, Reference) else type)
                self.ssa.layers[-1][cell] = Pointer((NULL,), ZERO)
                return cell
            case Scalar():
                return self.array(name, type, (), count or 1, span, members)
            case PointerType() | Opaque() if count is not None and count <= LONGEST_ROW:
                return Row(name, tuple(self._cell(f"{name}_{i}", type, span) for i in range(count)))
            case Struct() if type.record.is_union:
                element = self.union_of(type, span)
                length = size_of(type) // size_of(element)
                if length == 1 and not any(_is_the_whole(f, type) for f in type.fields):
                    shared = self.local(name, element, span, count, members=count is not None)
                    return Object(
                        name, type, lambda _: NULL, dense=not members, parts=dict.fromkeys(type.fields, shared)
                    )
                if count is not None:
                    raise self.refuse_union(type, span)
                root = self.array(name, element, (), length, span)
                members_of = {f: self._member_of_union(root, f) for f in type.fields}
                return Object(name, type, lambda _: NULL, dense=not members, parts=members_of)
            case Struct():
                made = Object(name, type, lambda _: NULL, dense=not members)
                for field in type.fields:
                    made.parts[field] = self._part(f"{name}_{field.name or 'base'}", field.type, span, count)
                return made
            case _:
                raise self.report.refuse(
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
            return self.local(name, type, span, count, members=count is not None or isinstance(type, Struct))
        element, length = element_of(type), scalars_in(type)
        if isinstance(element, Scalar):
            return self.array(name, element, (length,), count * length, span)
        raise self.report.refuse(
            "CP0212",
            f"a local array of objects that hold arrays of objects ('{name}') is not supported",
            span,
            "use an array of each member",
        )

    def array(
        self, name: str, element: Scalar, shape: tuple[int, ...], length: int, span: Span, members: bool = False
    ) -> core.Root:
        if self.sharing:
            root = core.Root(name, element, core.RootKind.SHARED, span, length or None, shape, members=members)
            return self._share(root)
        root = core.Root(name, element, core.RootKind.LOCAL, span, length, shape, members=members)
        self.ssa.out.append(core.Allocate(root, True, span))
        return root

    def _share(self, root: core.Root) -> core.Root:
        self.casts.shared.append(core.Allocate(root, False, root.span))
        return root

    def _vectors(self, symbol: Symbol, type: Struct, span: Span) -> Object:
        """An array of vectors in shared memory: an array for each of their numbers, as of other objects, which knows
        where it comes from, so that it can be declared as it was."""
        made = Object(symbol.name, type, lambda _: NULL, dense=True)
        for field in type.fields:
            assert isinstance(field.type, Scalar)
            made.parts[field] = self._share(
                core.Root(
                    f"{symbol.name}_{field.name}", field.type, core.RootKind.SHARED, span, scalars_in(symbol.type),
                    members=True, in_vectors=core.InVectors(symbol, type, field.name),
                )
            )  # fmt: skip
        return made

    def block_memory(self, symbol: Symbol, span: Span) -> Target:
        """A variable in shared memory: one for the block, however often the function that declares it is inlined. Its
        scalars are memory too, since all threads see them."""
        if symbol not in self.shared_places:
            type = symbol.type
            element = element_of(type)
            unit = unit_of_bytes(element)
            if unit is not None and scalars_in(type) > 0:
                self.shared_places[symbol] = self._bytes(symbol, unit, span)
                return self.shared_places[symbol]
            if isinstance(element, Struct) and not comes_apart(element):
                raise self.report.refuse(
                    "CP0205",
                    f"the shared variable '{symbol.name}' has a type that is not supported",
                    span,
                    "numbers, classes of numbers, and arrays of these are",
                )
            if scalars_in(type) == 0:
                self.shared_places[symbol] = self._dynamic(symbol, element, span)
                return self.shared_places[symbol]
            if isinstance(element, Struct) and isinstance(type, Array) and is_vector(element):
                self.shared_places[symbol] = self._vectors(symbol, element, span)
                return self.shared_places[symbol]
            self.sharing = True
            try:
                if isinstance(element, Scalar):
                    length = scalars_in(type)
                    self.shared_places[symbol] = self.array(symbol.name, element, (), length, span)
                else:
                    self.shared_places[symbol] = self.local(symbol.name, element, span, scalars_in(type))
            finally:
                self.sharing = False
        return self.shared_places[symbol]

    def _bytes(self, symbol: Symbol, unit: int, span: Span) -> Target:
        """Bytes in shared memory, declared as so many of `unit` bytes: memory of the type that a pointer to them is
        converted to, if one is."""
        size = scalars_in(symbol.type) * unit
        site = (symbol.span, symbol.name)
        held = self.decisions.typed.get(site)
        if held is None:
            root = self._share(core.Root(symbol.name, _byte_of(symbol.type), core.RootKind.SHARED, span, size))
            self.casts.bytes[root] = site
            return root if unit == 1 else self.casts.raw(root, unit)
        if not comes_apart(held):
            raise self.report.refuse(
                "CP0205",
                f"the shared variable '{symbol.name}' holds objects of a type that is not supported",
                span,
                "numbers, classes of numbers, and arrays of these are",
            )
        self.sharing = True
        try:
            made = self.local(symbol.name, held, span, size // size_of(held))
        finally:
            self.sharing = False
        if isinstance(made, Object):
            self.casts.made_of_bytes[made] = site
        return self.casts.raw(made, unit)

    def _dynamic(self, symbol: Symbol, element: Type, span: Span) -> Target:
        """`extern __shared__` memory: all arrays of this kind are one and the same."""
        if isinstance(element, Struct):
            return self.casts.view_of_dynamic(symbol.name, element, span)
        if not isinstance(element, Scalar):
            raise self.report.refuse(
                "CP0205",
                f"the dynamic shared memory '{symbol.name}' is declared as pointers",
                span,
                f"declare it as what is kept there, or as bytes: extern __shared__ char {symbol.name}[];",
            )
        return self.casts.dynamic_part(symbol.name, element, span)

    def union_of(self, type: Struct, span: Span) -> Scalar:
        """The type of the numbers that a union holds: its members are numbers of one size, read as each other, or
        arrays and objects made of numbers of one type. The others are refused."""
        sizes = {size_of(f.type) for f in type.fields if isinstance(f.type, Scalar) and f.type != BOOL}
        if all(isinstance(f.type, Scalar) for f in type.fields) and sizes == {size_of(type)}:
            found = type.fields[0].type
            assert isinstance(found, Scalar)
            return found
        others = [f for f in type.fields if not _is_the_whole(f, type)]
        for field in others:
            element = element_of(field.type)
            if isinstance(element, Struct):
                element = next((of for _, of in numbers_in(element)), element)
            if isinstance(element, Scalar) and all(is_made_of(element_of(f.type), element) for f in others):
                return element
        raise self.refuse_union(type, span)

    def refuse_union(self, type: Struct, span: Span) -> Abandon:
        of_library = type.spelling.startswith("std::")
        whose = (
            "what holds one of several types, as std::variant does," if of_library else f"the union '{type.spelling}'"
        )
        return self.report.refuse(
            "CP0230",
            f"the members of {whose} are not made of the same numbers, nor numbers of one size",
            span,
            "use a member for each type, or a class",
        )

    def _member_of_union(self, root: core.Root, field: Field) -> Target:
        of = element_of(field.type)
        if not isinstance(of, Struct):
            return root
        unit = unit_of_bytes(of)
        return self.casts.view(root, of) if unit is None else self.casts.raw(root, unit)


def _is_the_whole(field: Field, union: Struct) -> bool:
    """Whether a member, std::aligned_storage, is nothing but a name for all of a union, by which it is moved."""
    return isinstance(field.type, Struct) and unit_of_bytes(field.type) == size_of(union)


def _byte_of(type: Type) -> Scalar:
    element = element_of(type)
    return element if isinstance(element, Scalar) else CHAR
