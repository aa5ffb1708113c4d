"""The memory that a parameter, or a variable at namespace scope, leads to: a root for each scalar member of the objects
in it, and how C++ spells its elements, in the primal and in the adjoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from cladpy.ir import core
from cladpy.ir.access import NOWHERE, Access, Unreadable, through_pointer
from cladpy.ir.halves import adjoint_value, is_pair, is_wider
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import (
    ASIDE,
    CHAR,
    Array,
    Field,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
    Void,
    holds_pointers,
    spell,
)
from cladpy.normalize.decisions import Site
from cladpy.normalize.places import Object, Table, Target, element_of, scalars_in


@dataclass(frozen=True, slots=True)
class _Way:
    """How an element is reached: its text step by step, as in Root, and what is known on the way. `inside` is the way
    from the element of the last step to a member of it, where that is an object."""

    name: str
    path: tuple[str, ...]
    adjoint: tuple[str, ...]
    shape: tuple[int | None, ...] = ()
    writable: bool = True
    pointers: int = 0
    held: core.Held | None = None
    through: tuple[str, ...] = ()
    inside: Access | None = None
    in_class: bool = False  # whether the adjoint's type is that of a member, and so the primal's
    adjoint_in_class: bool = False  # whether an object on the way is of a class that is its own adjoint's
    given: bool = True  # whether objects are of the compiler's making
    of_vector: bool = False  # whether this is what a vector says of its elements
    untyped: Site | None = None  # where the last step is behind a pointer to void, as in Root

    @property
    def is_dense(self) -> bool:
        """Whether one element follows the other: no member of an array's objects."""
        return self.inside is None and self.path[-1].endswith("[{i}]")

    @property
    def full_name(self) -> str:
        """For the reader, with the members on the way."""
        return self.name + (self.inside.name if self.inside else "")

    def member(self, owner: Struct, field: Field) -> _Way:
        """Raises Unreadable."""
        if field.reader == NOWHERE:
            name = self.inside.name if self.inside else ""
            what = f"memory holds {owner.spelling.partition('<')[0]} otherwise than it is read"
            raise Unreadable(name, what, "make it a local variable, or a member of one")
        inside = (self.inside or Access(owner, given=self.given)).member(field)
        return replace(self, inside=inside, in_class=True, adjoint_in_class=self.adjoint_in_class or not is_pair(owner))

    def whole(self) -> _Way:
        """The same with the way to the member in the text."""
        if self.inside is None:
            return self
        text = self.inside.text
        return replace(
            self,
            name=self.full_name,
            path=(*self.path[:-1], text.replace("{b}", self.path[-1])),
            adjoint=(*self.adjoint[:-1], text.replace("{b}", self.adjoint[-1])),
            inside=None,
        )

    def array(self, type: Array) -> _Way:
        step = subscript(type)
        return replace(
            self,
            path=(*self.path, step),
            adjoint=(*self.adjoint, step),
            shape=(*self.shape, scalars_in(type)),
        )

    def behind(self, type: Pointer) -> _Way:
        """Where a pointer leads. The adjoint of a class is of the same class, whose pointers may be to const."""
        adjoint = self.adjoint
        wider = is_wider(type.pointee) and not self.of_vector
        if self.in_class:
            adjoint = (*adjoint[:-1], adjoint_pointer(adjoint[-1], type.pointee, type.const, wider))
        step = "{b}[{i}]"
        if isinstance(type.pointee, Array):
            step = "(&(*{b})" + "[0]" * dimensions(type.pointee) + ")[{i}]"
        return replace(
            self,
            path=(*self.path, step),
            adjoint=(*adjoint, step),
            shape=(*self.shape, None),
            writable=not type.const,
            of_vector=False,
            untyped=None,
            pointers=self.pointers + 1,
            held=core.Held(len(self.path)),
            through=(*self.through, self.name),
            adjoint_in_class=self.adjoint_in_class and not wider,
        )


def adjoint_pointer(text: str, pointee: Type, const: bool, wider: bool) -> str:
    """A pointer in the adjoint of an object: it has the type of the primal's, but what it leads to may be written, and
    is `wider`, as adjoints are."""
    if wider:
        return f"(({spell(Pointer(adjoint_value(pointee)))})({text}))"
    return f"const_cast<{spell(Pointer(pointee))}>({text})" if const else text


class NotLookedInto(Exception):
    """Memory that a parameter or a variable leads to, of which no places are made."""

    def __init__(self, symbol: Symbol, code: str, message: str, hint: str) -> None:
        super().__init__(symbol, message)
        self.symbol, self.code, self.message, self.hint = symbol, code, message, hint


@dataclass(slots=True)
class Memory:
    """Makes the targets that the parameter `symbol` leads to, and notes the roots among its `parts`. A variable at
    namespace scope has no position."""

    symbol: Symbol
    position: int | None
    parts: list[core.Part]
    member: str = ""  # of an object passed by value, where the memory is part of that
    own: core.OwnAdjoint | None = None  # of that member
    side: core.Side | None = None  # of what a host function allocates; the symbol is the pointer that it gets
    numbered: bool = False  # whether the first index says which of several allocations is meant
    links: Callable[[str, tuple[int, ...]], Target] | None = None  # makes place for pointers there
    typed: Mapping[Site, Type] | None = None  # what pointers to void lead to, as far as it is known; None if never

    def behind_pointer(self, pointee: Type, const: bool) -> Target:
        step = "{b}[{i}]"
        if isinstance(pointee, Array):
            step = "(&(*{b})" + "[0]" * dimensions(pointee) + ")[{i}]"
        held = core.Held(0) if self.side is None else None
        way = _Way(self.symbol.name, (step,), (step,), writable=not const, held=held, given=self.side is None)
        if self.numbered:
            way = replace(way, path=("{b}[{i}]", step), adjoint=("{b}[{i}]", step), shape=(None,))
        return self._target(element_of(pointee), way)

    def behind_reference(self, referee: Type, const: bool) -> Target:
        """The adjoint of a reference is a pointer."""
        adjoint = "{b}[{i}]"
        match referee:
            case Struct():
                path = "{b}"
            case _:
                path = "(&{b}" + "[0]" * dimensions(referee) + ")[{i}]"
        way = _Way(self.symbol.name, (path,), (adjoint,), writable=not const)
        length = None if isinstance(referee, Struct) else scalars_in(referee)
        return self._target(element_of(referee), way, length)

    def variable(self) -> Target:
        """A variable at namespace scope. Its adjoint is an array without dimensions, of the same type but for const."""
        type = self.symbol.type
        match type:
            case Struct() | Pointer():
                path = "{b}"
            case Array():
                path = subscript(type)
            case _:
                path = "(&{b})[{i}]"
        way = _Way(self.symbol.name, (path,), ("{b}[{i}]",))
        return self._target(element_of(type), way)

    def behind_member(self, pointee: Type, const: bool, member: Access) -> Target:
        """Where a pointer leads that is a member of an object passed by value: the adjoint's has the same type."""
        wider = is_wider(pointee) and not member.text.endswith(
            "()"
        )  # as a vector is asked, whose elements are no others
        adjoint = adjoint_pointer(member.text, pointee, const, wider)
        name = f"{self.symbol.name}{member.name}"
        paths = (f"{member.text}[{{i}}]",), (f"{adjoint}[{{i}}]",)
        held = core.Held(0, member.text)
        way = _Way(
            name,
            *paths,
            writable=not const,
            held=held,
            through=(name,),
            in_class=True,
            adjoint_in_class=not wider,
        )
        return self._target(element_of(pointee), way)

    def member_array(self, type: Array, member: Access) -> Target:
        """An array in an object passed by value; the adjoint is passed by pointer, unless the object holds pointers."""
        path = subscript(type).replace("{b}", member.text)
        if self.own is not None:
            inner = self.own.member
            adjoint = subscript(type).replace("{b}", through_pointer(inner, "{b}")) if inner else "{b}[{i}]"
        elif holds_pointers(self.symbol.type):
            adjoint = path
        else:
            adjoint = subscript(type).replace("{b}", through_pointer(member.text, "{b}"))
        name = f"{self.symbol.name}{member.name}"
        way = _Way(name, (path,), (adjoint,), writable=False, in_class=True, adjoint_in_class=True)
        return self._target(element_of(type), way)

    def leaf(self, target: Target) -> None:
        """Makes a root of a table that nothing may ask for."""
        while isinstance(target, Table):
            target = target.target()

    def _target(self, type: Type, way: _Way, length: int | None = None) -> Target:
        """What an element of a type is, reached in some way; in memory, objects are looked into when they are used."""
        if not isinstance(type, Struct):
            way = way.whole()
        match type:
            case Scalar() | Opaque() if type != ASIDE:
                root = self._root(type, way, length)
                # what a pointer in the object leads to is no part of it
                self.parts.append(core.Part(root) if way.pointers else core.Part(root, self.member, self.own))
                return root
            case Struct() if type.record.is_union:
                return self._union(type, way)
            case Struct():
                whole = self._whole(type, way)
                members = self._members(type, way)
                return Object(
                    way.full_name, type, members, len(way.path), dense=way.is_dense, whole=whole, held=way.held
                )
            case Pointer() if self.links is not None:
                return self.links(way.full_name, tuple(n for n in way.shape if n is not None))
            case Pointer(pointee=pointee):
                behind = way.behind(type)
                return Table(
                    way.name,
                    lambda: self._target(element_of(pointee), behind),
                    len(way.path),
                    behind.pointers,
                    type,
                    (self.symbol, way.path),
                    way.held,
                    way.of_vector,
                )
            case Void():
                return self._behind_void(way, length)
            case _:
                message = f"'{self.symbol.name}' leads to text, of which differentiated code knows nothing"
                hint = "pass the text by itself, or do not name it in what is differentiated"
                raise NotLookedInto(self.symbol, "CP0214", message, hint)

    def _behind_void(self, way: _Way, length: int | None) -> Target:
        """What it holds its use says, by a decision. Bytes until then, which can be passed on."""
        site = (self.symbol.span, way.name)
        held = (self.typed or {}).get(site)
        pointer = Pointer(held or CHAR, not way.writable or held is None)
        step, adjoint = (
            f"(({spell(to)}){text[-1].removesuffix('[{i}]')})[{{i}}]"
            for to, text in ((pointer, way.path), (replace(pointer, const=held is None), way.adjoint))
        )
        way = replace(way, path=(*way.path[:-1], step), adjoint=(*way.adjoint[:-1], adjoint))
        if held is None:
            way = replace(way, writable=False, untyped=() if self.typed is None else site)
        return self._target(held or CHAR, way, length)

    def _whole(self, type: Struct, way: _Way) -> Callable[[], core.Root]:
        """A root whose elements are the objects themselves, made when it is asked for."""
        made: list[core.Root] = []

        def make() -> core.Root:
            if not made:
                made.append(self._root(type, way.whole(), None))
                self.parts.append(core.Part(made[0], self.member, self.own))
            return made[0]

        return make

    def _root(self, type: Scalar | Struct | Opaque, way: _Way, length: int | None) -> core.Root:
        kind = core.RootKind.GLOBAL if self.position is None else core.RootKind.ARGUMENT
        if self.side is not None:
            kind = core.RootKind.HEAP
        return core.Root(
            way.name,
            type,
            kind,
            self.symbol.span,
            length=length,
            shape=way.shape,
            path=way.path,
            adjoint_path=way.adjoint if way.adjoint != way.path else None,
            writable=way.writable,
            position=self.position,
            by_value=bool(self.member) and not way.pointers,
            adjoint_in_class=way.adjoint_in_class,
            members=not way.is_dense,
            held=way.held,
            through=way.through,
            allocation=None if self.side is None else self.symbol,
            side=self.side or core.Side.HOST,
            untyped=way.untyped,
        )

    def _union(self, type: Struct, way: _Way) -> Object:
        """A union of numbers of one size, or of arrays: its first member, read as another; others lead nowhere."""
        first = type.fields[0]
        shared: list[Target] = []

        def make(_: Field) -> Target:
            if not shared:
                inner = way.member(type, first)
                inner = inner.whole().array(first.type) if isinstance(first.type, Array) else inner
                shared.append(self._target(element_of(first.type), inner))
            return shared[0]

        return Object(way.full_name, type, make, len(way.path), dense=way.is_dense, held=way.held)

    def _members(self, type: Struct, way: _Way) -> Callable[[Field], Target]:
        def make(field: Field) -> Target:
            try:
                inner = way.member(type, field)
            except Unreadable as found:
                place = self.symbol.name + found.name
                message = f"'{place}' cannot be asked for by what is emitted: {found.what}"
                raise NotLookedInto(self.symbol, "CP0133", message, found.instead) from None
            if field.reader and way.given:
                inner = replace(inner, of_vector=True, writable=False)
            if isinstance(field.type, Array):
                return self._target(element_of(field.type), inner.whole().array(field.type))
            return self._target(field.type, inner)

        return make


@dataclass(slots=True)
class Variables:
    """The variables at namespace scope that a program's functions name: one place and its roots for each, in all of
    them."""

    _known: dict[Symbol, tuple[Target, list[core.Part]]] = field(default_factory=dict)

    def target(self, symbol: Symbol) -> Target:
        """Where a variable lies."""
        if symbol not in self._known:
            parts: list[core.Part] = []
            self._known[symbol] = Memory(symbol, None, parts).variable(), parts
        return self._known[symbol][0]

    def roots(self, symbol: Symbol) -> tuple[core.Root, ...]:
        """What has been asked for so far of a variable, and of the memory that it leads to."""
        _, parts = self._known.get(symbol, (None, []))
        return tuple(p.content for p in parts if isinstance(p.content, core.Root))

    def all(self) -> tuple[core.Variable, ...]:
        return tuple(core.Variable(symbol, self.roots(symbol)) for symbol in self._known)


def subscript(type: Array) -> str:
    """The text of an element of an array, flat where it has several dimensions."""
    count = dimensions(type)
    return "{b}[{i}]" if count == 1 else "(&{b}" + "[0]" * count + ")[{i}]"


def dimensions(type: Type) -> int:
    return 1 + dimensions(type.element) if isinstance(type, Array) else 0
