"""What differentiation gives: the emitted source, and what the runtime has to know to compile and call it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cladpy.diagnostics import Diagnostic
from cladpy.ir import surface
from cladpy.ir.launching import Launching
from cladpy.ir.shared import NO_SHARED, SharedMemory
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Pointer, Struct, Type
from cladpy.options import Options
from cladpy.source import Source


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the primal, in order."""

    name: str
    type: Type
    counts: int | None = None  # position of the parameter whose elements it counts: callers from Python leave it out


@dataclass(frozen=True, slots=True)
class Adjoint:
    """An adjoint parameter of the gradient, in order: `_d_<name>`, a pointer to what it accumulates into, or a class
    that holds such pointers."""

    name: str
    parameter: int  # position of the primal parameter
    type: Pointer | Struct
    followed: frozenset[str] = frozenset()  # pointers in it that are used, as `.rows.x`: members, without subscripts


@dataclass(frozen=True, slots=True)
class MemberAdjoint:
    """An adjoint parameter for a member beside the pointers of an argument, after all others: it points to `count`
    elements, and is null where it is not asked for."""

    name: str
    parameter: int  # position of the primal parameter
    path: tuple[str, ...]  # the member; empty where others of the same name hide it
    type: Pointer
    count: int


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A variable at namespace scope that the program names, and the variable of the emitted code that holds its
    adjoint, as an array without dimensions; none where it is not differentiated by."""

    name: str  # qualified
    type: Type
    adjoint: str
    const: bool
    followed: frozenset[str] = frozenset()  # as of an Adjoint; empty is the variable itself
    on_device: bool = True  # whether device code names it, on a target that has a device


def variables_called(name: str, variables: Sequence[GlobalVariable]) -> list[GlobalVariable]:
    """Those that a name may mean: the whole qualified name, with or without `::` before it, else the end of one."""
    whole = [v for v in variables if v.name == name.removeprefix("::")]
    return whole or [v for v in variables if v.name.endswith(f"::{name}")]


@dataclass(frozen=True, slots=True)
class Derivative:
    """The gradient of one function for one target.

    The emitted code defines the function `gradient_name` and, for kernels, the host function `launch_name` with the
    parameters `(dim3 grid, dim3 block, size_t shared_mem, cudaStream_t stream, primal..., adjoints...)`, which returns
    cudaError_t and only enqueues on the stream (unless it has to count first).
    """

    source: Source
    options: Options
    program: surface.Program
    target: str  # "cuda", "hip" or "host"
    kind: FunctionKind
    function_name: str  # as C++ must spell it to call the primal: qualified, with template arguments
    parameters: tuple[Parameter, ...]
    result: Type
    adjoints: tuple[Adjoint, ...]
    globals: tuple[GlobalVariable, ...]  # those with an adjoint, and others that a caller may set
    gradient_name: str  # with its namespace; empty where there is only the primal, to be called
    launch_name: str
    code: str  # with the include of the original
    fragment: str  # without it
    single: tuple[str, ...]  # the extents of a launch, as CUDA names them, that must be 1 for the gradient to be right
    warnings: tuple[Diagnostic, ...]
    member_adjoints: tuple[MemberAdjoint, ...] = ()
    shared: SharedMemory = NO_SHARED  # what a block of the gradient's takes
    is_program: bool = False  # a host function that launches, or handles memory by calls
    given_to_kernels: frozenset[str] = frozenset()  # what it passes to kernels: parameters, and pointers in objects
    written: frozenset[str] = frozenset()  # the caller's memory that the primal writes, by the pointers that lead there
    found: frozenset[str] = frozenset()  # that which the gradient must find as the primal finds it
    changed: frozenset[str] = frozenset()  # that whose adjoint the gradient changes
    split: bool = False  # whether the code has a class with its two halves in place of the gradient
    header: str = ""  # declarations of what the code defines, where that is asked for
    requested: tuple[str, str] = ("", "")  # the function and the arguments, as they were asked for
    lengths: tuple[str, ...] = ()  # adjoints whose counts of numbers the launch function takes, after all else
    straight: bool = False  # whether there are kernels for the host, that compute in loops over threads alone
    apart: tuple[str, ...] = ()  # parts of the code that are the host's, where the rest is for a device
    launching: Launching | None = None  # what these do for the gradient of a kernel
    keeps_types: bool = False  # whether memory is used as what it was written as alone
