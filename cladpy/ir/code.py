"""The grammar of generated code: what the adjoint stage writes and `emit` prints. Variables may be assigned here.

Expressions are the core's, where a `Use` names a variable of the generated code. What is not a pure expression of
scalars appears only as a statement of its own or as the initialiser of a variable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, ClassVar

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.core import Defined, Expr, Passing, Root, Touched, Used, Value
from cladpy.ir.effects import Effects
from cladpy.ir.node import Role
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import LONG, Struct, Type


class Update(Enum):
    """How an adjoint in memory is changed."""

    PLAIN = "plain"  # this thread alone has to do with the element
    ATOMIC = "atomic"  # other threads may add to it
    REDUCED = "reduced"  # the threads of a warp mostly add to the same element: summed over the warp first
    BLOCK = "block"  # all threads of the block come here and add to the same element: summed over the block first
    EXACT = "exact"  # as integers, which other threads may add to in any order
    TEAM = "team"  # atomic among the threads of OpenMP that share a loop


Changed = Annotated[Value, Role.CHANGED]
Named = Annotated[Root, Role.NAMED]

# ---- what a variable may be initialised with, besides an expression ------------------------------------------------


@dataclass(frozen=True, slots=True)
class Element:
    """`root[index]`, or the adjoint's."""

    effects: ClassVar[Effects] = Effects.READS
    root: Touched
    index: Expr
    adjoint: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """`root + offset`, or the adjoint's; as an lvalue where it is passed by reference. `seen` is as of
    core.PointerArgument."""

    root: Touched
    offset: Expr
    adjoint: bool = False
    by_reference: bool = False
    seen: Struct | None = None


@dataclass(frozen=True, slots=True)
class ChosenAddress:
    """As core.ChosenArgument."""

    alternatives: tuple[Address, ...]
    numbers: tuple[int, ...]
    tag: Expr


@dataclass(frozen=True, slots=True)
class AddressOfVariable:
    variable: Used


@dataclass(frozen=True, slots=True)
class ObjectVariable:
    """An object, or an array, made for a call and passed to it; of an array from the element `offset` on."""

    variable: Used
    passing: Passing
    offset: Expr | None = None


@dataclass(frozen=True, slots=True)
class UserCall:
    """A call of the original function. A constructor's makes an object: it is not among the arguments."""

    effects: ClassVar[Effects] = Effects.CALLS
    callee: FunctionSymbol
    arguments: tuple[Expr | Address | ChosenAddress | ObjectVariable, ...]
    makes: Struct | None = None


@dataclass(frozen=True, slots=True)
class MemberOf:
    """A number of an object: `member` as in core.Leaf. `made` says that it was made for a call."""

    effects: ClassVar[Effects] = Effects.COMPUTES
    variable: Used
    member: str
    made: bool
    type: Type


@dataclass(frozen=True, slots=True)
class Together:
    """What a warp intrinsic gives, or a function of cladpy's that uses them: all lanes that it is about call it."""

    effects: ClassVar[Effects] = Effects.OF_WARP
    name: str
    arguments: tuple[Expr, ...]
    type: Type


LOADED = Element | UserCall | MemberOf | Together  # what is no expression
Initializer = Expr | LOADED
Passed = Expr | Address | ChosenAddress | AddressOfVariable | ObjectVariable

# What a generated function keeps things in is called: the tape of a gradient, and where stores are only logged.
TAPE = "_tape"
LOG = "_log"

# ---- the tape ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    type: Type


@dataclass(frozen=True, slots=True)
class Few:
    """The iterations of a loop, where these are few and it is reversed before it is run again."""

    steps: int
    span: Span


@dataclass(slots=True, eq=False)
class Frame:
    """What a loop keeps per iteration. Slots that nothing reads are dropped, so the list shrinks. Where iterations are
    `few`, arrays take the place of the tape (`passes/few_steps.py`). Where but `some` iterations have one, it is pushed
    in a branch, and the reverse loop counts these."""

    slots: list[Slot] = field(default_factory=list)
    few: Few | None = None
    some: bool = False


@dataclass(slots=True, eq=False)
class States(Frame):
    """What a loop keeps on chip, in a number of levels: the state before some of its steps, which are numbered in
    `steps`. `variable` is its name."""

    variable: Value = field(default_factory=lambda: Value("_states", LONG))
    levels: int = 2
    steps: Type = LONG


# ---- statements ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Define:
    variable: Defined
    init: Initializer
    mutable: bool = False
    span: Span | None = None

    @property
    def effects(self) -> Effects:
        return self.init.effects if isinstance(self.init, LOADED) else Effects.COMPUTES


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    effects: ClassVar[Effects] = Effects.COMPUTES
    variable: Changed
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Add:
    """`variable += expr`."""

    effects: ClassVar[Effects] = Effects.COMPUTES
    variable: Changed
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class DeclareArray:
    """`offset` is where it begins in the shared memory that the launch gives, for what lies there: arrays of the block
    that are too large to be declared, and dynamic shared memory behind them. In the adjoint of that, of twice the size
    where there are halves, elements may be `stride` of them apart. Of one that is zeroed no elements are used but those
    below one of these limits, if there are any."""

    effects: ClassVar[Effects] = Effects.BEGINS
    root: Named
    adjoint: bool
    zeroed: bool
    offset: int | None = None
    stride: int = 1
    below: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class DeclareObject:
    """Makes an object, or an array, for a call; what is not among `leaves` is zero."""

    effects: ClassVar[Effects] = Effects.READS
    variable: Defined
    leaves: tuple[core.Leaf, ...]
    span: Span | None = None
    pointers: tuple[tuple[str, Address | ChosenAddress], ...] = ()  # by member


@dataclass(frozen=True, slots=True, eq=False)
class Invoke:
    """Calls the original function, which changes the objects `outputs` that it is given."""

    effects: ClassVar[Effects] = Effects.CALLS
    call: UserCall
    outputs: tuple[Changed, ...]
    result: Defined | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WriteElement:
    effects: ClassVar[Effects] = Effects.WRITES
    adjoint: ClassVar[bool] = False
    root: Touched
    index: Expr
    expr: Expr
    span: Span | None = None
    saved: bool = False  # the old content goes to the undo log first; the function is left where that is full


@dataclass(frozen=True, slots=True, eq=False)
class AddElement:
    """Adds to an element of an adjoint; of the memory itself where the primal did so with an atomic. `origin` is what
    of the primal it is the adjoint of. Up to a depth of loops, `once`, nothing is done before to an element that begins
    at zero: there it is `assigned`. `alone` says that no other thread has to do with the element, and this one nowhere
    else. A sum that is `optional` is added only where it is not zero, since the element may lie outside of its array
    where nothing was summed. What is `privatised` goes to a sum of the block's. `together` is what `once` would be if
    other loops, which add to the same elements, added here. With a `row`, a local array, its elements are added to the
    one here and those behind it, in place of `expr`; `along` says that the lanes of a warp begin one behind the other,
    and not all at the same element. To what is `meeting` other lanes of a warp may well add at the same time. So many
    statements behind it as are `beside` add to the elements behind this one, and may be made with it."""

    effects: ClassVar[Effects] = Effects.UPDATES
    root: Touched
    index: Expr
    expr: Expr
    update: Update
    adjoint: bool = True
    origin: Span | None = None
    once: int | None = None
    assigned: bool = False
    optional: bool = False
    privatised: bool = False
    together: int | None = None
    load: Annotated[core.Load, Role.NAMED] | None = None  # the load that it is the adjoint of, if it is one's
    alone: bool = False
    row: Named | None = None
    along: bool = False
    meeting: bool = False
    beside: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class UpdateElement:
    """An atomic of the primal's on shared memory, other than an addition, which leaves the same there in whichever
    order the threads come."""

    effects: ClassVar[Effects] = Effects.UPDATES
    adjoint: ClassVar[bool] = False
    root: Touched
    index: Expr
    arguments: tuple[Expr, ...]
    callee: FunctionSymbol


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """`variable = adjoint[index]; adjoint[index] = 0`, in one step where other threads may do the same. Where the zero
    may come `late`, it does so after all that has nothing to do with this adjoint: a GPU that is told to write what it
    is still fetching takes several times as long."""

    effects: ClassVar[Effects] = Effects.UPDATES
    adjoint: ClassVar[bool] = True
    variable: Defined
    root: Touched
    index: Expr
    update: Update
    zero: bool = True
    origin: Span | None = None  # as of AddElement
    late: bool = False
    alone: bool = False  # as of AddElement


@dataclass(frozen=True, slots=True, eq=False)
class AddParameter:
    """Adds to what the adjoint parameter of a scalar argument points to, or to a member (`{b}.x`) of it. Where it is
    `assigned` it is replaced: so a function gives its result."""

    effects: ClassVar[Effects] = Effects.ELSEWHERE
    name: str
    type: Type
    expr: Expr
    update: Update
    member: str = ""
    assigned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Synchronize:
    """All threads of the block wait for each other; `variable` is what `callee` makes of their predicates."""

    effects: ClassVar[Effects] = Effects.OF_BLOCK
    callee: FunctionSymbol
    predicate: Expr | None = None
    variable: Defined | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    effects: ClassVar[Effects] = Effects.COMPUTES
    condition: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while (before; condition) body`. Of `fetched` statements, as in CountDown, the last sets what the condition
    depends on to what it is in the next iteration. `team` is as of core.Loop."""

    effects: ClassVar[Effects] = Effects.COMPUTES
    before: tuple[Statement, ...]
    condition: Expr
    body: tuple[Statement, ...]
    span: Span | None = None
    fetched: int = 0
    batch: int = 1
    team: core.Team | None = None


class Rows(Enum):
    """What the iterations of a loop that threads run at once do with what each of them has on the tape."""

    FILLED = "filled"
    READ = "read"


@dataclass(frozen=True, slots=True)
class AtOnce:
    """How threads run the iterations of a loop at once: the variables whose sums are put together in the end, and what
    each iteration has of the tape: so many slots that are there after the loop, or before it, and whether it has a tape
    of its own besides."""

    sums: tuple[Annotated[Value, Role.NAMED], ...] = ()
    rows: Rows | None = None
    slots: int = 0
    own_tape: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CountDown:
    """`for (variable = count - 1; variable >= 0; --variable) body`. Where there is a `mask`, its lanes count in step,
    from the largest count of all, and each runs the body where its own count is reached. `in_step` the threads of a
    warp that are there together do the same, and nothing depends on it. The first so many statements of the body are
    `fetched` for a `batch` of iterations before the others are run for these: definitions of loads and of what their
    indices are made of. A loop that is `unrolled` has a constant count. Where `soon` holds, the slot on top of the tape
    is fetched before the loop, whose first iteration pops it. A `team` is as of core.Loop; where its threads run the
    iterations `at_once`, these come in any order."""

    variable: Defined
    count: Expr
    body: tuple[Statement, ...]
    mask: Expr | None = None
    origin: Span | None = None  # the loop that it reverses
    in_step: bool = False
    fetched: int = 0
    batch: int = 1
    unrolled: bool = False
    soon: Expr | None = None
    team: core.Team | None = None
    at_once: AtOnce | None = None

    @property
    def operands(self) -> tuple[Expr, ...]:
        return tuple(e for e in (self.count, self.mask, self.soon) if e is not None)

    @property
    def effects(self) -> Effects:
        return Effects.COMPUTES if self.mask is None else Effects.OF_WARP


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """Puts a frame on the tape. Where `only` does not hold, its slots are passed over, and so does the Pop, which asks
    the same: there the variables are zero. Of `few` iterations it is that of this `step`."""

    effects: ClassVar[Effects] = Effects.KEEPS
    frame: Frame
    values: tuple[tuple[Slot, Expr], ...]
    only: Expr | None = None
    step: Expr | None = None

    @property
    def operands(self) -> tuple[Expr, ...]:
        return tuple(e for e in (self.only, self.step) if e is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Pop:
    """Takes a frame from the tape. Where there is `next`, its only slot has been fetched before, and the slot below is
    fetched where that holds: it will be popped next, and has been used."""

    effects: ClassVar[Effects] = Effects.KEEPS
    frame: Frame
    variables: tuple[tuple[Slot, Defined], ...]
    only: Expr | None = None
    next: Expr | None = None

    @property
    def operands(self) -> tuple[Expr, ...]:
        return tuple(e for e in (self.only, self.next) if e is not None)


@dataclass(frozen=True, slots=True, eq=False)
class DeclareStates:
    effects: ClassVar[Effects] = Effects.KEEPS
    states: Annotated[States, Role.DEFINED]


@dataclass(frozen=True, slots=True, eq=False)
class Keep:
    """Tells the state before a step, the first or the one after that which was told last."""

    effects: ClassVar[Effects] = Effects.KEEPS
    states: Annotated[States, Role.CHANGED]
    step: Expr
    values: tuple[tuple[Slot, Expr], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rewind:
    """Sets `variables` to the state before `step`. The body, in which `clock` is the number of a step that is not kept,
    makes of the state before that step the one after it."""

    effects: ClassVar[Effects] = Effects.KEEPS
    states: Annotated[States, Role.CHANGED]
    step: Expr
    variables: tuple[tuple[Slot, Annotated[Value, Role.USED | Role.CHANGED]], ...]
    clock: Defined
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CallPullback:
    """A call of a generated function, or of a user's pullback or forward half. `storage` is what it is given to keep
    things in: the tape of the gradient, or a log of stores. `undone` pairs a call that changes memory with its Undo.
    What a logged call does to the objects `copies`, which are gone by then, is not undone; where it is `dropped`
    nothing is."""

    name: str
    arguments: tuple[Passed, ...]
    outputs: tuple[Changed, ...]  # variables and objects whose address is passed
    storage: str = ""
    undone: Frame | None = None
    copies: tuple[Annotated[Value, Role.NAMED], ...] = ()
    dropped: bool = False
    origin: Span | None = None  # the call that it is the pullback of

    @property
    def effects(self) -> Effects:
        return Effects.CALLS_AND_KEEPS if self.storage or self.undone is not None else Effects.CALLS


@dataclass(frozen=True, slots=True, eq=False)
class Undo:
    """Puts back what the call that `undone` stands for has overwritten; it is the last that has not been undone."""

    effects: ClassVar[Effects] = Effects.CALLS_AND_KEEPS
    undone: Frame


@dataclass(frozen=True, slots=True, eq=False)
class Reserve:
    """Says how many slots of tape the pullback of this function may need, beside those of the functions that it
    calls."""

    effects: ClassVar[Effects] = Effects.KEEPS
    slots: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Perform:
    """A library call kept for its effect."""

    callee: FunctionSymbol
    arguments: tuple[Expr | core.Text, ...]

    @property
    def effects(self) -> Effects:
        return Effects.OF_WARP if self.callee.name == "__syncwarp" else Effects.SHOWS


class Verb(Enum):
    """What a step of a host program does; the values are names of member functions of `cladpy::program`."""

    ACQUIRE = "acquire"  # memory, for a pointer
    LOCATE = "locate"  # a variable of the device's, for a pointer; `name` is the variable's
    ADJOINT = "adjoint"  # memory for the adjoint of what a pointer leads to, zero at first
    RELEASE = "release"  # both
    KEEP = "keep"  # a pointer, until the iteration of a loop that made it is reversed
    RECALL = "recall"  # the pointer that was kept last
    WILL_READ = "will_read"  # a pullback will want to find what memory holds now
    MAY_KEEP = "may_keep"  # the same, or it computes with what the kernel `name` keeps of that
    BY_HOST = "by_host"  # the next step is given memory that host code stores to, and no kernel sees
    STORED = "stored"  # host code has stored to memory that kernels see
    STEP = "step"  # a copy and the like; what it overwrites is saved
    LAUNCH = "launch"  # a kernel of the original; what it may overwrite is saved
    CALL = "call"  # a host function with a derivative of the user's; what it may overwrite is saved
    DISTINCT = "distinct"  # such a function must not be given one place twice, where it writes it
    RESTORE = "restore"  # what was saved last
    REVERSE = "reverse"  # the pullback of a step
    PULLBACK = "pullback"  # that of a launch
    # whether the next pullback of a launch may leave cotangents and replace adjoints; of the arguments the variable for
    # the answer comes first, then what it depends on, and `written` numbers that tell elements; `saved` has the
    # adjoints that are replaced, and those that are left; `name` zeroes these. Where it has `kept` types, only a
    # pullback that computes with none of them may
    RENEW = "renews"
    SETTLE = "settle_adjoints"  # what has been left is zeroed


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """A step of a host program. `name` is the kernel, or the step that is made or reversed; `pointer` the allocation
    whose pointer is meant, of its adjoint where that is so. Steps are made in the order in which they are written."""

    effects: ClassVar[Effects] = Effects.STEP
    verb: Verb
    name: str = ""
    pointer: Touched | None = None
    adjoint: bool = False
    element: Type | None = None  # what the adjoint of a parameter's memory is made of
    zeroed: bool = False
    arguments: tuple[Passed, ...] = ()
    outputs: tuple[Changed, ...] = ()  # variables whose address is passed
    saved: tuple[Passed, ...] = ()  # the memory that a call may overwrite; of a pullback, what must be apart
    written: int = 0  # of these, the first so many are written
    counted: tuple[tuple[int, Type], ...] = ()  # the arguments of which a pullback is told how many numbers there are
    kept: tuple[tuple[Type, int], ...] = ()  # how many numbers of each type are kept per thread
    from_kept: str = ""  # the kernel that computes with these
    gathers: str = ""  # of a pullback that renews: the gradient whose launch function gathers
    again: bool = False  # whether a launch may be made again, where there is no room to keep what it overwrites
    launch: core.Configuration | None = None
    callee: FunctionSymbol | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """`cut` is where the split form parts the forward sweep from the reverse sweep."""

    effects: ClassVar[Effects] = Effects.COMPUTES
    text: str
    cut: bool = False


Simple = (  # without blocks, on a line of its own
    Define
    | Assign
    | Add
    | DeclareArray
    | DeclareObject
    | Invoke
    | WriteElement
    | AddElement
    | UpdateElement
    | Take
    | AddParameter
    | Synchronize
    | Push
    | Pop
    | DeclareStates
    | Keep
    | CallPullback
    | Undo
    | Reserve
    | Perform
    | Comment
)
Statement = Simple | Act | Branch | While | CountDown | Rewind
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a generated function: `type` as the primal has it, or that of an adjoint pointer."""

    name: str
    type: Type
    parts: tuple[core.Part, ...] = ()  # what in the body it stands for
    adjoint: bool = False
    optional: bool = False  # null where the caller does not ask for this adjoint
    of_launch: bool = False  # whether the launch function gives it, under this name


class FunctionRole(Enum):
    KERNEL = "kernel"
    PULLBACK = "pullback"
    FORWARD = "forward"  # does what the original does, exactly, and keeps what undoes it
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Split:
    """The body of a gradient in two. `variables` and `arrays` (each with whether it is the adjoint's) are made in the
    first part and used in the second; `stand_ins` are the parameters whose memory is the gradient's own."""

    forward: Block
    reverse: Block
    variables: tuple[Value, ...]
    arrays: tuple[DeclareArray, ...]
    stand_ins: tuple[int, ...]  # positions


@dataclass(frozen=True, slots=True)
class Privatised:
    """Memory whose adjoint has sums of the block's own in shared memory: no index is as large as the largest of
    `extents`, which are known at the launch. `by_lanes` says that the lanes of a warp add to neighbouring elements, so
    that sums of the warp's own may be added to plainly."""

    root: Root
    extents: tuple[Expr, ...]
    by_lanes: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """What became of a loop of a team's. `reason` says why one iteration comes after the other; it is empty where
    threads run them at once."""

    team: core.Team
    reverse: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    role: FunctionRole
    parameters: tuple[Parameter, ...]
    body: Block
    primal: core.Function
    tape_slots: int | None = 0  # of a tape in local memory; None: in the workspace
    count: Block = ()  # what the counting launch runs, where there is a workspace
    count_result: Expr | None = None
    count_at_launch: bool = False  # whether the host does so in its place, by what it launches with
    whole_grid: bool = False  # whether a kernel with a workspace must run on the grid of the original
    storage: str = ""  # what a pullback or a forward function is given to keep things in, by this name
    guarded: bool = False  # whether it may need more tape than was counted: which lanes are together may differ
    heap: tuple[Root, ...] = ()  # a root of each allocation: there is a pointer to it, and one to its adjoint
    scratch: tuple[Root, ...] = ()  # the caller's memory whose adjoint is the function's own
    waits: bool = False  # whether its host code works on memory that kernels are given
    logs: bool = False  # whether functions that are called keep stores, or frames, in the tape
    split: Split | None = None  # where the two sweeps are apart
    kept: tuple[int, ...] | None = None  # of a kernel in the split form: the parameters whose memory a tape keeps
    budget: int = 0  # of the copies that a host program keeps, in bytes; 0: as many as there are
    cells: bool = False  # whether it is run for cells rather than threads; `gridDim` is the original's all the same
    # of a kernel whose blocks run several of the original: so many statements at the beginning, and at the end, are
    # not for each of these
    standing: int = 0
    privatised: tuple[Privatised, ...] = ()
    teams: tuple[Shared, ...] = ()
    overlaps: bool = False  # whether what its arguments point to may be one memory, and their adjoints another
    plain: Block = ()  # of a kernel: the body before it was decided how blocks run it

    @property
    def stands(self) -> bool:
        """Whether blocks may run several of the original."""
        return self.standing > 0 or bool(self.privatised)
