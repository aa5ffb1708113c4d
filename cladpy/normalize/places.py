"""Where an lvalue lies, and what a pointer points to, while a function is being normalised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import CHAR, INT, LONG, Array, Field, Opaque, Scalar, Struct, Type, is_floating, size_of
from cladpy.ir.types import Pointer as PointerType


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One instance of a scalar or pointer variable; an inlined function gets fresh ones. Its content is in the
    environment, as a version, never in memory."""

    name: str
    type: Type


# What a null pointer points to; nothing is ever read or written there.
NULL = core.Root("null", INT, core.RootKind.GLOBAL, NOWHERE)


def letters(text: s.StringLiteral) -> core.Root:
    """What a string literal leads to: it may be printed, and nothing is read there."""
    return core.Root(text.text, CHAR, core.RootKind.GLOBAL, text.span, writable=False)


def text_of(pointer: Pointer) -> str | None:
    """The literal that a pointer leads to the beginning of."""
    target = pointer.targets[0]
    if len(pointer.targets) > 1 or pointer.offset != ZERO or not isinstance(target, core.Root):
        return None
    return target.name if is_text(target) else None


def is_text(target: core.Root) -> bool:
    return target.name.endswith('"')


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """One object of class type, or all elements of an array of them: a place for each field. Those in memory are made
    when they are asked for, since a class may lead to itself."""

    name: str
    type: Struct
    make: Callable[[Field], Target]
    steps: int = 1  # of an offset into it
    dense: bool = False  # nothing lies between two of them
    parts: dict[Field, Target] = field(default_factory=dict)
    whole: Callable[[], core.Root] | None = None  # what is no local memory, to be passed on as it is
    held: core.Held | None = None  # as of a root

    def part(self, of: Field) -> Target:
        """The place of a field."""
        if of not in self.parts:
            self.parts[of] = self.make(of)
        return self.parts[of]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Pointers in memory, which the function does not change: they lead to one place, by an index more."""

    name: str
    make: Callable[[], Target]
    steps: int
    pointers: int  # how many pointers in memory lead here, these included
    type: PointerType
    way: tuple[Symbol, tuple[str, ...]]  # from where, and how
    held: core.Held | None = None  # the pointer to the first of them
    of_vector: bool = False  # whether they are those of vectors to their elements
    made: list[Target] = field(default_factory=list)

    def target(self) -> Target:
        if not self.made:
            self.made.append(self.make())
        return self.made[0]


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Pointers in memory that a host function has allocated. Each is kept as numbers: which of the `known` targets it
    leads to, and the indices of the element there."""

    name: str
    numbers: core.Root
    lengths: tuple[int, ...]  # of the arrays around a pointer, from the second step on
    known: list[Target]
    numbered: bool  # whether the first step is the allocation's number


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A local array of pointers: a variable for each. Of as many handles as the program counts, all are null: those
    that it makes there, streams and events, the gradient does without, and one variable stands for all."""

    name: str
    cells: tuple[Cell, ...]
    all_null: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """The numbers of one type in objects, by their position: what a pointer to a member leads to, and what a pointer to
    an object does that is converted to one to numbers. The last step of an offset counts numbers."""

    object: Object
    element: Scalar


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """An array of numbers as objects made of such numbers. The last step of an offset counts numbers."""

    root: core.Root
    type: Struct

    @property
    def count(self) -> int:
        assert isinstance(self.root.element, Scalar)
        return size_of(self.type) // size_of(self.root.element)


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Memory behind a pointer to something of another size, such as bytes, or to objects of a class that is not made of
    such numbers. The last step of an offset counts units of that size. Objects are moved from there and to there as a
    whole; a number of another size than those in memory is made of several, or a part of one."""

    target: Target
    unit: int


Target = core.Root | Cell | Object | Table | Links | Row | Flat | View | Raw


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of element `offset` of one of `targets`; `tag` says which, where there are several. An offset of
    several steps is a Nested index, whose lengths are those of the root that it comes to in the end."""

    targets: tuple[Target, ...]
    offset: core.Expr
    tag: core.Expr | None = None


ZERO = core.Const(0, INT)


def to_cell(cell: Cell) -> Pointer:
    return Pointer((cell,), ZERO)


def scalars_in(type: Type) -> int:
    """How many scalars, or objects of class type, an object holds: what a step of one moves a pointer to it."""
    return type.length * scalars_in(type.element) if isinstance(type, Array) else 1


def element_of(type: Type) -> Type:
    """What is left of a type without array dimensions."""
    while isinstance(type, Array):
        type = type.element
    return type


# ---- offsets ---------------------------------------------------------------------------------------------------------


def steps_of(target: Target) -> int:
    """How many indices an offset into a target has."""
    match target:
        case core.Root():
            return len(target.shape) + 1
        case Object(steps=steps) | Table(steps=steps):
            return steps
        case Links(lengths=lengths, numbered=numbered):
            return 1 + len(lengths) + numbered
        case Flat(object=object):
            return object.steps + 1
        case View(root=root):
            return len(root.shape) + 1
        case Raw(target=inner):
            return steps_of(inner)
        case _:
            return 1


def held_by(target: Target) -> core.Held | None:
    """By which pointer a target is reached; None where none is, so that its address is never null."""
    match target:
        case core.Root(held=held) | Object(held=held) | Table(held=held):
            return held
        case Flat(object=object):
            return object.held
        case View(root=root):
            return root.held
        case Raw(target=inner):
            return held_by(inner)
        case _:
            return None


def root_in(target: Target) -> core.Root:
    """A root that is reached by the pointer by which a target is."""
    match target:
        case core.Root():
            return target
        case View(root=root):
            return root
        case Object(whole=whole) if whole is not None:
            return whole()
        case Object(type=type):  # a union
            return root_in(target.part(type.fields[0]))
        case Flat(object=object):
            return root_in(object)
        case Raw(target=inner):
            return root_in(inner)
        case Table():
            return root_in(target.target())
        case _:
            raise AssertionError("local memory is reached by no pointer")


def unnested(offset: core.Expr) -> list[core.Expr]:
    """The indices of an offset, the outermost first."""
    found: list[core.Expr] = []
    while isinstance(offset, core.Nested):
        found.append(offset.inner)
        offset = offset.outer
    return [offset, *reversed(found)]


def nested(indices: Sequence[core.Expr]) -> core.Expr:
    offset = indices[0]
    for inner in indices[1:]:
        offset = core.Nested(offset, inner, None)
    return offset


def padded(offset: core.Expr, steps: int) -> list[core.Expr]:
    """The last `steps` indices of an offset, with zeros before where it has fewer: what it leads to is single there."""
    found = unnested(offset)[-steps:]
    return [ZERO] * (steps - len(found)) + found


def fitted(offset: core.Expr, root: core.Root) -> core.Expr:
    """An offset as an index of a root: with its lengths, and flat for local memory."""
    indices = padded(offset, len(root.shape) + 1)
    index = indices[0]
    for inner, length in zip(indices[1:], root.shape, strict=True):
        if root.kind in (core.RootKind.LOCAL, core.RootKind.SHARED):
            assert length is not None
            index = advance(advance(ZERO, index, length, True), inner, 1, True)
        else:
            index = core.Nested(index, inner, length)
    return index


def moved(pointer: Pointer, index: core.Expr, scale: int) -> Pointer:
    """The pointer `index * scale` elements on, within its last step."""
    narrow = all(is_small(t) for t in pointer.targets)
    view = next((t for t in pointer.targets if isinstance(t, View)), None)
    if view is not None:
        scale *= view.count
    *outer, last = unnested(pointer.offset)
    return Pointer(pointer.targets, nested([*outer, advance(last, index, scale, narrow)]), pointer.tag)


def advance(offset: core.Expr, index: core.Expr, scale: int, narrow: bool) -> core.Expr:
    """`offset + index * scale`, in int where the root is known to be small (`narrow`), else in 64 bits."""
    if isinstance(index, core.Const):
        index = core.Const(int(index.value) * scale, LONG)
        scale = 1
    if isinstance(index, core.Const) and isinstance(offset, core.Const):
        return core.Const(int(index.value) + int(offset.value), INT if narrow else LONG)
    if isinstance(index, core.Const) and index.value == 0:
        return offset
    if scale == 1 and isinstance(offset, core.Const) and offset.value == 0:
        return index
    type = INT if narrow and index.type in (INT, LONG) and offset.type in (INT, LONG) else LONG
    index = converted(index, type)
    if scale != 1:
        index = core.Binary(core.BinaryOp.MUL, index, core.Const(scale, type), type)
    if isinstance(offset, core.Const) and offset.value == 0:
        return index
    if (
        isinstance(index, core.Const)
        and isinstance(offset, core.Binary)
        and offset.op is core.BinaryOp.ADD
        and isinstance(offset.right, core.Const)
        and offset.type == type
    ):
        total = int(offset.right.value) + int(index.value)
        if total == 0:
            return offset.left
        return core.Binary(core.BinaryOp.ADD, offset.left, core.Const(total, type), type)
    return core.Binary(core.BinaryOp.ADD, converted(offset, type), index, type)


def converted(expr: core.Expr, type: Type) -> core.Expr:
    """An integer expression converted to another integer type."""
    if expr.type == type:
        return expr
    if isinstance(expr, core.Const):
        return core.Const(int(expr.value), type)
    return core.Cast(expr, type)


def is_small(target: Target) -> bool:
    """Whether every valid index of the target fits an int."""
    match target:
        case core.Root(length=length):
            return length is not None and length < 2**31
        case Object() | Table() | Links() | Flat() | Raw():
            return False
        case View(root=root):
            return is_small(root)
        case _:
            return True


def zero_of(type: Type) -> core.Const:
    assert isinstance(type, Scalar | Opaque)
    return core.Const(0.0 if is_floating(type) else 0, type)


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
        case Flat(object=object):
            yield from cells_in(object)
        case Raw(target=inner):
            yield from cells_in(inner)
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
        case Flat(object=object):
            return is_local(object)
        case View(root=root):
            return is_local(root)
        case Raw(target=inner):
            return is_local(inner)
        case _:
            return False
