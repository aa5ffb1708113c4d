"""Symbols: what a name in the program stands for. They compare by identity; a name is only a hint for the reader."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from cladpy.diagnostics import NOWHERE, Span
from cladpy.ir.types import CHAR, INT, LONG, UINT, ULONG, VOID, Array, Pointer, Type


class Space(Enum):
    """Where the storage of a variable lies, as a GPU sees it."""

    LOCAL = "local"
    SHARED = "shared"
    GLOBAL = "global"
    CONSTANT = "constant"


class Role(Enum):
    PARAMETER = "parameter"
    VARIABLE = "variable"  # declared in a function
    GLOBAL = "global"  # declared at namespace scope, or static


@dataclass(frozen=True, slots=True)
class Layout:
    """What a parameter is to one of the views that a kernel is given, which `view` numbers: the pointer to its memory,
    or a stride, by which its subscripts are multiplied and nothing else. Different subscripts are different elements.
    """

    view: int
    is_one: bool = False  # a stride that is known


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A variable. `space` is where the variable itself lies; what a pointer points to is found by analysis."""

    name: str
    type: Type
    role: Role
    span: Span
    space: Space = Space.LOCAL
    const: bool = False
    nondifferentiable: bool = False  # marked: no derivative passes through what is read from it
    defined: bool = True  # here, so that the end of the file can name it: no member of a class or template
    initial: float | None = None  # of one that lasts: what it holds where the program begins, if that is known
    layout: Layout | None = None  # of a parameter that is made of a view

    def __repr__(self) -> str:
        return f"Symbol({self.name})"


def gradient_of(function: str) -> str:
    """What the gradient of a function of this name is called, but for what follows."""
    return f"{function}_grad"


def is_dynamic_shared(symbol: Symbol) -> bool:
    """Whether a variable is `extern __shared__`: an array whose size the launch gives."""
    return symbol.space is Space.SHARED and isinstance(symbol.type, Array) and symbol.type.length == 0


class FunctionKind(Enum):
    KERNEL = "__global__"
    DEVICE = "__device__"
    HOST = "__host__"
    HOST_DEVICE = "__host__ __device__"


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSymbol:
    """A function, with or without a body that cladpy can see."""

    name: str  # unqualified: "sin", "device_fn"
    qualified_name: str  # "std::sin", "my::device_fn", with template arguments where there are any
    result: Type
    parameters: tuple[Type, ...]
    kind: FunctionKind
    span: Span
    in_system_header: bool = False
    is_method: bool = False  # a member function or constructor: the first parameter points to the object
    nondifferentiable: bool = False  # marked: no derivative passes through a call
    volatile: tuple[str, ...] = ()  # where a parameter leads to volatile memory: of each its type in C++, else ""
    unnamed: bool = False  # made of a part of a function, or for functions that it is given: C++ cannot call it

    def __repr__(self) -> str:
        return f"FunctionSymbol({self.qualified_name})"


# Barriers of a block, and of a warp, that are made of our own accord.
SYNCTHREADS_OR = FunctionSymbol("__syncthreads_or", "__syncthreads_or", INT, (INT,), FunctionKind.DEVICE, NOWHERE, True)
SYNCWARP = FunctionSymbol("__syncwarp", "__syncwarp", VOID, (UINT,), FunctionKind.DEVICE, NOWHERE, True)
SYNCTHREADS = FunctionSymbol("__syncthreads", "__syncthreads", VOID, (), FunctionKind.DEVICE, NOWHERE, True)

# What host code does where it throws, exits or aborts, and what the clocks of the C++ library show: see
# <cladpy/host_code.h>.
FAIL = FunctionSymbol(
    "cladpy::fail", "cladpy::fail", VOID, (Pointer(CHAR, const=True),), FunctionKind.HOST, NOWHERE, True
)
NANOSECONDS = FunctionSymbol("cladpy::nanoseconds", "cladpy::nanoseconds", LONG, (), FunctionKind.HOST, NOWHERE, True)
EARLIER = replace(NANOSECONDS)  # in place of what they have shown an earlier call

# How many threads of OpenMP run a region that asks for so many, or, with zero, for none in particular.
TEAM = FunctionSymbol("cladpy::team", "cladpy::team", INT, (INT,), FunctionKind.HOST, NOWHERE, True)

# A property of a device by its number (<cladpy/host_code.h>); it stays the same while a program runs.
DEVICE_ATTRIBUTE = FunctionSymbol(
    "cladpy::device_attribute", "cladpy::device_attribute", INT, (INT, INT), FunctionKind.HOST, NOWHERE, True
)
# The memory of the device, in bytes; what is free is another number each time.
FREE_MEMORY = FunctionSymbol("cladpy::free_memory", "cladpy::free_memory", ULONG, (), FunctionKind.HOST, NOWHERE, True)
TOTAL_MEMORY = FunctionSymbol(
    "cladpy::total_memory", "cladpy::total_memory", ULONG, (), FunctionKind.HOST, NOWHERE, True
)
