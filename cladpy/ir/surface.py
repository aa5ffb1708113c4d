"""The surface grammar: C++ as the user wrote it, with types resolved and implicit conversions explicit.

The front end builds it, `normalize` takes it apart, and the oracle (`check/`) is emitted from it. Expressions may have
side effects here; the evaluation order is C++17's, left to right where C++ leaves it open. Every expression has a type
(never a reference) and every node a span.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from cladpy.diagnostics import Note, Span
from cladpy.edits import Edit
from cladpy.ir.node import Role
from cladpy.ir.symbols import FunctionSymbol, Symbol
from cladpy.ir.types import Field, Type


class UnaryOp(Enum):
    PLUS = "+"
    NEG = "-"
    NOT = "!"
    BIT_NOT = "~"


class BinaryOp(Enum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    REM = "%"
    SHL = "<<"
    SHR = ">>"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "=="
    NE = "!="
    AND = "&&"
    OR = "||"


COMPARISONS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.EQ, BinaryOp.NE})


class BuiltinVar(Enum):
    """A component of CUDA's built-in variables; the value is its spelling."""

    THREAD_X = "threadIdx.x"
    THREAD_Y = "threadIdx.y"
    THREAD_Z = "threadIdx.z"
    BLOCK_X = "blockIdx.x"
    BLOCK_Y = "blockIdx.y"
    BLOCK_Z = "blockIdx.z"
    BLOCK_DIM_X = "blockDim.x"
    BLOCK_DIM_Y = "blockDim.y"
    BLOCK_DIM_Z = "blockDim.z"
    GRID_DIM_X = "gridDim.x"
    GRID_DIM_Y = "gridDim.y"
    GRID_DIM_Z = "gridDim.z"
    WARP_SIZE = "warpSize"


# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a bool, or a null pointer (0 with a pointer type)."""

    value: int | float | bool
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class StringLiteral:
    text: str  # C++ spelling, quotes included
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class VarRef:
    """A variable as an lvalue; a reference variable stands for what it refers to."""

    symbol: Symbol
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Builtin:
    var: BuiltinVar
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Operands already have the operation's type, but for shifts and pointer arithmetic (pointer +- integer, in this
    order, pointer - pointer, comparisons of pointers). AND and OR short-circuit."""

    op: BinaryOp
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; an lvalue itself. The value already has the target's type."""

    target: Expr
    value: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class CompoundAssign:
    """`target op= value`: the target is converted to `compute_type`, the operation done there, the result converted
    back. The value already has `compute_type`, but for shifts and pointers."""

    op: BinaryOp
    target: Expr
    value: Expr
    compute_type: Type
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IncDec:
    """`++x`, `x--` and so on: `delta` is 1 or -1."""

    target: Expr
    delta: int
    prefix: bool
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : other`; an lvalue where both arms are lvalues of one type."""

    condition: Expr
    then: Expr
    other: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion of value between scalars, or between pointers that differ in constness only; array decay too."""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """`base[index]`: base is a pointer or an array lvalue."""

    base: Expr
    index: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Deref:
    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class AddressOf:
    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Configuration:
    """What stands between `<<<` and `>>>`: grid and block are objects of class dim3; no stream is the default one."""

    grid: Expr
    block: Expr
    shared_mem: Expr
    stream: Expr | None

    @property
    def expressions(self) -> tuple[Expr, ...]:
        given = (self.grid, self.block, self.shared_mem)
        return given if self.stream is None else (*given, self.stream)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function; what is passed to a reference parameter is an lvalue expression. An lvalue itself where the
    function returns a reference. A member function gets the object's address as its first argument.

    Arguments are evaluated left to right; `last_first` is set for an assignment that is written as an operator, whose
    right operand comes first (C++17). With a `launch` it is that of a kernel, by host code."""

    callee: FunctionSymbol
    arguments: tuple[Expr, ...]
    type: Type
    span: Span
    last_first: bool = False
    launch: Configuration | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """`base.field`: an lvalue where the base is one, or where the field is a reference, which stands for what it refers
    to. A conversion to a base class is the field of that base."""

    base: Expr
    field: Field
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Construct:
    """An object made by a constructor that has a body; it is called with the object's address first."""

    constructor: FunctionSymbol
    arguments: tuple[Expr, ...]  # without the object
    type: Type
    span: Span
    in_order: bool = False  # written with braces: then C++ evaluates the arguments from left to right


@dataclass(frozen=True, slots=True)
class Temporary:
    """A value that is given storage, so that it is an lvalue: what a member function of a value is called on, or what
    a reference to const is bound to."""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Comma:
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class InitList:
    """`{a, b, c}` as the value of an array or, in the order of its fields, of a class without a constructor; what is
    missing is zero. A reference field is given an lvalue."""

    elements: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Unsupported:
    """What is refused, in these words, where the program comes to it. Host code holds much that a gradient never does,
    such as what follows when an allocation fails. With `operands` it is something that has no effect but theirs, such
    as output: it is refused only where its value matters."""

    code: str
    message: str
    hint: str | None
    type: Type
    span: Span
    operands: tuple[Expr, ...] | None = None
    notes: tuple[Note, ...] = ()
    patch: tuple[Edit, ...] = ()
    directive: Span | None = None  # what it is refused on account of, and may be left out


Expr = (
    Literal
    | StringLiteral
    | VarRef
    | Builtin
    | Unary
    | Binary
    | Assign
    | CompoundAssign
    | IncDec
    | Conditional
    | Cast
    | Index
    | Deref
    | AddressOf
    | Call
    | Member
    | Construct
    | Temporary
    | Comma
    | InitList
    | Unsupported
)

# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declare:
    """One variable. A reference is initialised with an lvalue expression."""

    symbol: Symbol
    init: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Evaluate:
    expr: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Bind:
    """The reference member `field` of the object `base` is made to refer to an lvalue: in a constructor."""

    base: Expr
    field: Field
    referred: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Block
    other: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class Shared:
    """What a directive of OpenMP says of a loop: its iterations are the work of several threads, or of several lanes of
    one; of the loop over the threads themselves each is what one of them does. They are read as one after the other,
    which is right where `order.apart` finds nothing against it."""

    directive: str
    directive_span: Span
    is_parallel: bool  # threads, not lanes only
    reduced: tuple[tuple[Symbol, str], ...]  # variables with their operators
    private: tuple[Symbol, ...]  # of which each thread has one of its own
    first: tuple[Symbol, ...]  # the same, which begins as a copy
    last: tuple[Symbol, ...]  # the same, and the last iteration's stays
    counters: tuple[Symbol, ...]  # what the loop counts with, where that is declared outside of it
    alone: tuple[Span, ...]  # statements that one thread runs at a time
    waits: tuple[int, ...] | None = None  # of a loop over threads: before which statements of its body all wait
    is_bound: bool = False  # threads of a region around it, or around the function, which are there anyway, share it
    is_elsewhere: bool = False  # these threads run all of the function, whose variables are each one's own
    linear: tuple[tuple[Symbol, int], ...] = ()  # what iterations go on with by a step


@dataclass(frozen=True, slots=True)
class Region:
    """What the threads of a region do, read as one of them would do it alone: what they share out is all done, and what
    each does is done once. That is right where the value does not depend on how many there are (`order.regions`)."""

    shared: Shared
    block: Block
    barriers: tuple[Span, ...] = ()  # where all of them wait


@dataclass(frozen=True, slots=True)
class For:
    init: tuple[Stmt, ...]
    condition: Expr | None
    step: Expr | None
    body: Block
    span: Span
    shared: Shared | None = None


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class DoWhile:
    body: Block
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class SwitchSection:
    """The statements after one or more labels, up to the next label; None is `default`."""

    labels: tuple[int | None, ...]
    body: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Switch:
    """Control falls from a section into the next unless it breaks. `value` has the promoted type."""

    value: Expr
    sections: tuple[SwitchSection, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    span: Span


@dataclass(frozen=True, slots=True)
class Continue:
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Stmt, ...]
    span: Span
    is_once: bool = False  # one thread of a region runs it
    given: Annotated[tuple[Symbol, ...], Role.NAMED] = ()  # variables of which the others then have copies
    sections: Annotated[Shared | None, Role.NAMED] = None  # its blocks are run at once, each by one thread
    region: Annotated[Region | None, Role.NAMED] = None  # another reading of it


Stmt = Declare | Evaluate | Bind | If | For | While | DoWhile | Switch | Break | Continue | Return | Block

# ---- functions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Function:
    symbol: FunctionSymbol
    parameters: tuple[Symbol, ...]
    body: Block
    span: Span
    of_system: bool = False  # it stands in a header of the system's, or of cladpy's, which users never see
    has_volatile: bool = False  # whether memory that it uses is declared so: threads may talk by it


@dataclass(frozen=True, slots=True)
class Fault:
    """Why C++ chooses none of the pullbacks of a function's name: several are as good, or what the notes say."""

    ambiguous: bool
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class CustomPullback:
    """A `NAME_pullback` found in a custom_derivatives namespace: emitted code calls it by its qualified name."""

    primal_name: str
    qualified_name: str
    parameters: tuple[Type, ...]
    span: Span
    ignored: frozenset[int] = frozenset()  # positions of parameters without a name: it does not look at them
    callee: FunctionSymbol | None = None  # for which C++ has chosen it, among templates or overloads that are alike
    fault: Fault | None = None  # for which there is none to choose


@dataclass(frozen=True, slots=True)
class CustomForward:
    """A `NAME_forward` beside a `NAME_pullback`: it computes the result, and intermediate values for the pullback."""

    primal_name: str
    qualified_name: str
    result: Type
    parameters: tuple[Type, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Launch:
    """A `kernel<<<...>>>(...)` in the main file: byte offsets, so that a host compiler can be given other text.

    Where what is launched is no name, but a member, an element, what a call gives or a macro's, `kernel` is empty, and
    this is the `<<<...>>>` alone."""

    start: int
    end: int
    kernel: str
    configuration: tuple[str, ...]  # texts of grid, block, shared bytes, stream
    arguments: tuple[str, ...]
    in_macro: bool = False  # whether it stands in a macro's definition: an argument may be several, or none


@dataclass(frozen=True, slots=True)
class Omission:
    """A part of a user's file, of the main one where there is no path, without which the entry is what it is: the body
    of a function, or a declaration. Bytes are counted in the file."""

    path: str
    start: int
    end: int
    is_body: bool


@dataclass(frozen=True, slots=True)
class Closure:
    """A class written for a lambda, whose own has no name."""

    spelling: str  # what stands for it in types and names: `(lambda at 7:12)`
    before: tuple[str, ...] = ()  # C++ that lets names mean what they do in its namespace
    members: tuple[str, ...] = ()  # C++ text
    refusal: str = ""  # why there is none


@dataclass(frozen=True, slots=True)
class Program:
    """What the front end gives: the function asked for and all that it calls and that has a body."""

    entry: FunctionSymbol
    functions: dict[FunctionSymbol, Function]
    includes: tuple[str, ...]  # every file that parsing read, the main file first; absolute paths
    launches: tuple[Launch, ...]
    include_dirs: tuple[str, ...] = ()  # that it is compiled with: the user's, but for others in the place of PyTorch's
    custom_pullbacks: tuple[CustomPullback, ...] = ()
    custom_forwards: tuple[CustomForward, ...] = ()
    launches_complete: bool = True  # False: there are more, in a macro's definition, whose parts are not found
    appended: str = ""  # C++ text behind the file's, if that is where the function is: one that is cladpy's own
    counts: tuple[tuple[int, int], ...] = ()  # of its parameters: those that count the elements of others, and these
    read: tuple[tuple[str, str], ...] = ()  # the user's files but for the main one, with digests of what was read
    absent: tuple[str, ...] = ()  # where these were looked for before they were found, or other files were
    unneeded: tuple[Omission, ...] = ()  # what a compiler of one side may be spared
    left_out: tuple[Omission, ...] = ()  # what it is spared, since clang has not understood it
    missing: tuple[str, ...] = ()  # headers that were not found, and the names that none of their macros may have
    guarded: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()  # headers of cladpy's that the file needs before all else
    # Names of cladpy's declarations of CUDA that are something of its own, and what the declarations have instead.
    redefined: tuple[tuple[str, str], ...] = ()
    macros: tuple[str, ...] = ()  # that the user's files define, be it under a condition
    openmp: bool = False  # whether it is compiled for the threads of OpenMP
    has_teams: bool = False  # whether a directive in it may begin a team of several of these threads
    of_a_team: bool = False  # it means that of its caller, and is read as one thread's
    # What says outside of regions how many threads they have, or what these do; and a function that knows of it.
    untold: tuple[tuple[Unsupported, FunctionSymbol | None], ...] = ()
    is_of_host: bool = False  # device code would be another: on the host backend __CUDA_ARCH__ is not defined then
    dynamic_shared: tuple[str, ...] = ()  # the symbols of all `extern __shared__` arrays, if it is read for the host
    closures: tuple[Closure, ...] = ()  # of lambdas that kernels are given
    named: tuple[tuple[str, str], ...] = ()  # classes that the signature names, and what a header includes for each
    taken: tuple[tuple[str, Span], ...] = ()  # names that begin as the gradient's and are the user's, and where
    is_for_hip: bool = False  # it includes <hip/hip_runtime.h>, which is not among `includes` if it is cladpy's own
