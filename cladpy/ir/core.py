"""The core grammar: structured static single assignment, what `normalize` gives and everything after works on.

    function  = parameters, region, result*
    region    = statement*
    statement = Let(value, expr)                       a pure expression
              | Load(value, root, index)               memory is touched by these explicit statements only
              | Store(root, index, expr)
              | AtomicAdd(root, index, expr, value?)
              | Atomic(value?, root, index, arguments) one without a derivative, on a counter or a maximum
              | Allocate(root, zeroed)                 a local array comes to life; a shared one may hold anything
              | Barrier(callee, predicate, value)      the threads of a block wait for each other
              | Call(outputs, callee, arguments)       a function that is not inlined
              | Effect(callee, arguments)              a library call kept for its effect, such as printf
              | Collective(value, mask, operands)      a shuffle, a vote: lanes of a warp, together
              | If(condition, then, other, merges)
              | Loop(carried, before, condition, body)
    expr      = Const | Use | Builtin | Unary | Binary | Select | Cast | Math | Nested | IsNull | Address | Formula
                                                       pure, total*

A `Value` is defined once and never changes. Pointers do not exist here: a pointer is a `Root` (an argument, a global, a
local array) and an element offset, so an access is always `root[index]`, and the shadow of a pointer is the same offset
in the adjoint of the same root. (*) Integer division is total only where its guard holds; no stage moves an
expression out of its region.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, ClassVar

from cladpy.diagnostics import Span
from cladpy.ir.effects import Effects
from cladpy.ir.halves import adjoint_value
from cladpy.ir.node import Role
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.symbols import FunctionSymbol, Layout, Symbol
from cladpy.ir.types import VOID, Array, Struct, Type

__all__ = ["BinaryOp", "BuiltinVar", "UnaryOp"]


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A version of a scalar. `name` is a hint for the reader, `number` says which values were made before."""

    name: str
    type: Type
    number: int = field(default_factory=itertools.count().__next__)

    def __repr__(self) -> str:
        return f"%{self.name}"


Defined = Annotated[Value, Role.DEFINED]
Inner = Annotated[Value, Role.INNER]
Used = Annotated[Value, Role.USED]


class RootKind(Enum):
    ARGUMENT = "argument"  # what a pointer parameter points to
    GLOBAL = "global"  # a variable at namespace scope, or what it points to
    LOCAL = "local"  # a local variable or array of the thread
    SHARED = "shared"  # shared memory of the block
    HEAP = "heap"  # memory that a host function allocates


@dataclass(frozen=True, slots=True)
class Held:
    """Where the pointer lies that leads to memory: the first `steps` of a path come to it, or to what holds it, and
    `text` spells it from there."""

    steps: int
    text: str = "{b}"


class Side(Enum):
    """Who may read and write memory that a host function allocates."""

    HOST = "host"
    DEVICE = "device"
    PINNED = "pinned"  # of the host, where kernels reach it too
    MANAGED = "managed"


@dataclass(frozen=True, slots=True)
class InVectors:
    """One number of each vector in an array of vectors: `field` of the elements of `array`."""

    array: Symbol
    type: Struct
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """Memory with elements of one scalar type: a block that is indexed flat, or one member of all objects of a class
    that an argument or a variable leads to. One whose elements are objects is passed on as a whole, and never loaded or
    stored.

    `path` is the C++ text of an element, a step per index: `{b}` stands for the text so far (at first the name), `{i}`
    for the index. `x[3]` has one step, `cells[3].weight[2]` has two; local memory is flat whatever its shape.
    `adjoint_path` is that of the adjoint, where it differs.
    """

    name: str
    element: Type
    kind: RootKind
    span: Span
    length: int | None = None  # of a local or shared array
    shape: tuple[int | None, ...] = ()  # the lengths of the steps after the first, None behind a pointer
    path: tuple[str, ...] = ("{b}[{i}]",)
    adjoint_path: tuple[str, ...] | None = None
    writable: bool = True
    position: int | None = None  # of an argument
    by_value: bool = False  # whether it is part of an object that is passed by value
    adjoint_in_class: bool = False  # whether the adjoint lies as the primal does, in a class
    members: bool = False  # whether its elements belong to different objects: no pointer moves from one to the next
    held: Held | None = None  # by which pointer it is reached; None for what is no pointer's, and never null
    through: tuple[str, ...] = ()  # the names of the pointers in objects and in memory on the way
    same_as: Root | None = None  # the memory whose contents in one pass of the gradient this stands for
    part_of: Root | None = None  # the dynamic shared memory of which this is the part with elements of its type
    allocation: Symbol | None = None  # of memory on the heap: the pointer variable that stands for it
    side: Side = Side.HOST
    in_vectors: InVectors | None = None  # of shared memory that the user declares as an array of vectors
    untyped: tuple[object, ...] | None = (
        None  # where a pointer to void leads: by what to learn what it holds, if at all
    )

    @property
    def storage(self) -> Root:
        """The memory itself."""
        return self if self.same_as is None else self.same_as

    @property
    def memory(self) -> Root:
        """What stands for all that may lie at the same addresses."""
        return self.storage if self.storage.part_of is None else self.storage.part_of

    @property
    def dynamic(self) -> bool:
        """Whether it is shared memory whose size the launch gives."""
        return self.kind is RootKind.SHARED and self.length is None

    @property
    def numbered(self) -> bool:
        """Whether it stands for all that one call allocates, which is told apart by the first index."""
        return self.allocation is not None and self.shape[:1] == (None,)

    @property
    def is_undone(self) -> bool:
        """Whether what a gradient stores there is undone: others than its own host code may read it."""
        return self.outlives or (self.kind is RootKind.HEAP and self.side is not Side.HOST)

    @property
    def outlives(self) -> bool:
        """Whether it is there before the function runs, and after it."""
        return self.kind in (RootKind.ARGUMENT, RootKind.GLOBAL)

    @property
    def adjoint_cell(self) -> Type:
        """The type that an element has in the adjoint's memory. In computations it is `adjoint_value(element)`."""
        return self.element if self.adjoint_in_class else adjoint_value(self.element)

    def __repr__(self) -> str:
        return f"@{self.name}"


Touched = Annotated[Root, Role.TOUCHED]

# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: int | float | bool
    type: Type


@dataclass(frozen=True, slots=True)
class Use:
    value: Value

    @property
    def type(self) -> Type:
        return self.value.type


@dataclass(frozen=True, slots=True)
class Builtin:
    var: BuiltinVar
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """Operands have one type, but for shifts. AND and OR evaluate both sides: both are pure."""

    op: BinaryOp
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Select:
    condition: Expr
    then: Expr
    other: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cast:
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Math:
    """A call of a library function without side effects, spelled as the user did."""

    callee: FunctionSymbol
    arguments: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Nested:
    """An index of several steps: element `inner` of the array, of `length` elements, in element `outer` of the steps
    before. Without a length the array is what a pointer in memory points to. Occurs in subscripts only."""

    outer: Expr
    inner: Expr
    length: int | None

    @property
    def type(self) -> Type:
        return self.inner.type


@dataclass(frozen=True, slots=True)
class OfPointer:
    """What is asked of the pointer by which `root` is reached. One in memory is read: `index` says where it lies."""

    root: Root
    type: Type
    held: Held
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class IsNull(OfPointer):
    """Whether it is null."""


@dataclass(frozen=True, slots=True)
class Address(OfPointer):
    """The address that it holds, as a number."""


@dataclass(frozen=True, slots=True)
class Formula:
    """C++ text over named operands: a derivative rule's partial. Only the adjoint makes these."""

    text: str
    operands: tuple[tuple[str, Expr], ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Linear:
    """`value`, whose derivative is known: `terms` are the values that it depends on, with the partials by them. A Let
    binds it; preaccumulation makes it."""

    value: Expr
    terms: tuple[tuple[Use, Expr], ...]
    type: Type


Expr = Const | Use | Builtin | Unary | Binary | Select | Cast | Math | Nested | IsNull | Address | Formula | Linear


def primal(expr: Expr) -> Expr:
    """What an expression computes, without what is known of its derivative."""
    return expr.value if isinstance(expr, Linear) else expr


# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    effects: ClassVar[Effects] = Effects.COMPUTES
    value: Defined
    expr: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    effects: ClassVar[Effects] = Effects.READS
    value: Defined
    root: Touched
    index: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """`old`, where present, is what a Load of the element has found, which the reverse sweep puts back; where there is
    a `first`, only if that says that it differs from what is stored: other threads may have stored the same before."""

    effects: ClassVar[Effects] = Effects.WRITES
    root: Touched
    index: Expr
    expr: Expr
    span: Span
    old: Used | None = None
    first: Used | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AtomicAdd:
    """`value` is what it gives, where that is used: it depends on the order of the threads, and nothing that matters to
    the gradient may depend on it."""

    effects: ClassVar[Effects] = Effects.UPDATES
    root: Touched
    index: Expr
    expr: Expr
    callee: FunctionSymbol
    span: Span
    value: Defined | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Atomic:
    """An atomic operation that has no derivative. The gradient makes it on shared memory only. `value` is as of
    AtomicAdd; the memory may be of another type than the operation, of the same size."""

    effects: ClassVar[Effects] = Effects.UPDATES
    value: Defined | None
    root: Touched
    index: Expr
    arguments: tuple[Expr, ...]
    callee: FunctionSymbol
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Allocate:
    effects: ClassVar[Effects] = Effects.BEGINS
    root: Annotated[Root, Role.DEFINED]
    zeroed: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Barrier:
    """All threads of the block come here: `__syncthreads()`, or a form of it that gives all of them one `value` made of
    the `predicate` of each."""

    effects: ClassVar[Effects] = Effects.OF_BLOCK
    callee: FunctionSymbol
    span: Span
    predicate: Expr | None = None
    value: Defined | None = None


@dataclass(frozen=True, slots=True)
class PointerArgument:
    """What is passed to a pointer or reference parameter: the address of `root[offset]`; `seen` is the class of objects
    that the parameter takes an array of numbers for."""

    root: Touched
    offset: Expr
    by_reference: bool = False
    seen: Struct | None = None


@dataclass(frozen=True, slots=True)
class ChosenArgument:
    """An address that is chosen at run time: that of the alternative whose number `tag` is."""

    alternatives: tuple[PointerArgument, ...]
    numbers: tuple[int, ...]
    tag: Expr


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number, and which of an object's it is: `member` is the C++ text, such as `{b}.mass`. Of no object: empty."""

    expr: Expr
    member: str = ""
    memory_type: Type | None = None  # of the member, where the value's does not say it: of an enumeration

    @property
    def memory(self) -> Type:
        return self.memory_type or self.expr.type


class Passing(Enum):
    VALUE = "value"
    REFERENCE = "reference"
    POINTER = "pointer"
    MADE = "made"  # by the constructor that is called


@dataclass(frozen=True, slots=True)
class ObjectArgument:
    """What is passed where a function takes an object, or memory, and is given the caller's own: a copy that is made of
    `leaves` for the call. Of an array it is the address of the element `offset`."""

    type: Struct | Array
    leaves: tuple[Leaf, ...]
    passing: Passing
    offset: Expr | None = None


MEMORY = PointerArgument | ChosenArgument


@dataclass(frozen=True, slots=True)
class ViewArgument:
    """An object with pointers, by value: its numbers, and what its pointers lead to, with the members' C++ text. A
    pointer that is not among these is null. Nothing is written through the members `unwritten`, where something is
    through others."""

    type: Struct
    leaves: tuple[Leaf, ...]
    pointers: tuple[tuple[str, MEMORY], ...]
    unwritten: frozenset[str] = frozenset()


Argument = Expr | PointerArgument | ChosenArgument | ObjectArgument | ViewArgument


@dataclass(frozen=True, slots=True)
class Configuration:
    """The grid and block of a launch, three sizes each, its dynamic shared memory in bytes, and its stream; no stream
    is the default one."""

    grid: tuple[Expr, Expr, Expr]
    block: tuple[Expr, Expr, Expr]
    shared_mem: Expr
    stream: Expr | None = None

    @property
    def expressions(self) -> tuple[Expr, ...]:
        given = (*self.grid, *self.block, self.shared_mem)
        return given if self.stream is None else (*given, self.stream)


@dataclass(frozen=True, slots=True)
class Output:
    """A number that a call gives: what it returns, or the member of an object that it returns; or of the object that it
    is given at position `argument`, and changes."""

    value: Defined
    member: str = ""
    argument: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Acquire:
    """A host function allocates memory of so many bytes, for elements of a type. It is released by the gradient. With a
    `variable` it is the memory of that one, which lies on the device."""

    effects: ClassVar[Effects] = Effects.BEGINS
    allocation: Symbol
    side: Side
    element: Type
    bytes: Expr
    zeroed: bool
    span: Span
    variable: Symbol | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    effects: ClassVar[Effects] = Effects.CALLS
    outputs: tuple[Output, ...]
    callee: FunctionSymbol
    arguments: tuple[Argument, ...]
    span: Span
    forward: str | None = None  # the user's function that computes the value, and `states` for the user's pullback
    states: tuple[Defined, ...] = ()
    writes: frozenset[int] = frozenset()  # positions of the memory that it is given and writes; empty for those in
    # kernels that have a derivative of the user's
    launch: Configuration | None = None  # of a kernel, by a host function
    custom: bool = False  # a host function with a derivative of the user's, which is given memory of a host program

    @property
    def has_effect(self) -> bool:
        """Whether it is made for what it does to memory."""
        return (
            not self.outputs
            or bool(self.writes)
            or (self.callee.result == VOID and any(isinstance(a, MEMORY) for a in self.arguments))
        )

    @property
    def returned(self) -> tuple[Output, ...]:
        return tuple(o for o in self.outputs if o.argument is None)


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal among the arguments of an Effect."""

    spelling: str


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    effects: ClassVar[Effects] = Effects.SHOWS
    callee: FunctionSymbol
    arguments: tuple[Expr | Text, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Collective:
    """`value` comes of the operands of all lanes of a warp that `mask` names. They run the statement together, and run
    it again, where the gradient does that, together too."""

    effects: ClassVar[Effects] = Effects.OF_WARP
    value: Defined | None
    callee: FunctionSymbol
    mask: Expr | None  # None for what names no lanes itself, such as __activemask
    operands: tuple[Expr, ...]
    span: Span

    @property
    def arguments(self) -> tuple[Expr, ...]:
        return self.operands if self.mask is None else (self.mask, *self.operands)

    @property
    def is_barrier(self) -> bool:
        """Whether the lanes only wait for each other, and see what the others stored to memory."""
        return self.value is None


@dataclass(frozen=True, slots=True, eq=False)
class Merge:
    """`value` is `then` or `other`, after the branch that was taken."""

    value: Defined
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If:
    effects: ClassVar[Effects] = Effects.COMPUTES
    condition: Expr
    then: Region
    other: Region
    merges: tuple[Merge, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """`value` holds `init` in the first iteration and `next` of the one before in the others; `result` is what it
    would hold in the iteration that the condition refuses."""

    value: Inner
    init: Expr
    next: Expr
    result: Defined


@dataclass(frozen=True, slots=True, eq=False)
class Team:
    """The threads of OpenMP's whose work the iterations of a loop are. `unshared` says what of the program speaks
    against running them at once, as it stands in the gradient; it is empty where nothing does. An element that an
    iteration stores to is its own where stores are `apart`."""

    directive: str
    span: Span
    apart: bool
    unshared: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """`while (before; condition) body`. The values of `before` are seen by `condition` only. `lanes` are the lanes of
    the warp that enter it, where some may leave it before others and they meet in it. A `team` may share it."""

    effects: ClassVar[Effects] = Effects.COMPUTES
    carried: tuple[Carried, ...]
    before: Region
    condition: Expr
    body: Region
    span: Span
    lanes: Expr | None = None
    team: Team | None = None


WRITES = Store | AtomicAdd | Atomic  # what changes the memory of a root
Statement = Let | Load | WRITES | Allocate | Acquire | Barrier | Call | Effect | Collective | If | Loop
Region = tuple[Statement, ...]

# ---- functions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnAdjoint:
    """The adjoint parameter of a member beside pointers, by where that lies in the object, and `member` in it: `{b}` is
    the object that the adjoint points to; none where it is a number."""

    offset: int
    member: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a parameter gives: the value of a scalar, or memory. `member` is the C++ text, such as `{b}.mass`, of what
    the object `{b}` that is passed by value holds itself."""

    content: Value | Root
    member: str = ""
    own: OwnAdjoint | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter in order. A scalar, and a pointer or reference to scalars, has one part; one of class type has those
    that the function uses."""

    name: str
    type: Type
    parts: tuple[Part, ...]
    layout: Layout | None = None  # of one that a view is made of

    @property
    def contents(self) -> tuple[Value | Root, ...]:
        return tuple(p.content for p in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable at namespace scope, and the memory that is reached by it, as far as functions have asked for it."""

    symbol: Symbol
    roots: tuple[Root, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    symbol: FunctionSymbol
    parameters: tuple[Parameter, ...]
    body: Region
    results: tuple[Leaf, ...]  # what is returned: a number, or the numbers of an object
    span: Span
    variables: tuple[Variable, ...] = ()
    heap: tuple[Variable, ...] = ()  # what it allocates
