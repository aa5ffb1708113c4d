"""The findings about a gradient."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cladpy.analysis.reasons import Reason
from cladpy.diagnostics import Span
from cladpy.ir.code import FunctionRole
from cladpy.ir.shared import SharedMemory


class Kind(Enum):
    """How an adjoint is changed."""

    REGISTER = "register"  # a variable of the thread
    LOCAL = "local"  # an array of the thread
    PLAIN = "plain"
    ASSIGNED = "assigned"  # without being read
    ATOMIC = "atomic"
    REDUCED = "reduced"
    BLOCK = "block"
    TEAM = "team"  # atomic among OpenMP's threads
    EXCHANGE = "exchange"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Update:
    """`target` is the adjoint as the generated code spells it; `span` is what of the primal it is the adjoint of."""

    kind: Kind
    target: str
    reason: Reason
    span: Span | None
    takes: bool = False  # whether it takes a cotangent rather than adding


@dataclass(frozen=True, slots=True)
class Passed:
    """An adjoint that a pullback is given, which adds to it in that manner."""

    pullback: str
    kind: Kind
    target: str
    reason: Reason
    span: Span | None


@dataclass(frozen=True, slots=True)
class LoopStorage:
    """What a loop keeps on the tape: `values` in each of `iterations` iterations."""

    span: Span | None
    values: tuple[str, ...]
    bytes: int
    iterations: str


@dataclass(frozen=True, slots=True)
class ArrayStorage:
    """An array in the thread's local memory, or in the block's shared memory; of the size that the launch gives where
    `bytes` is None."""

    name: str
    bytes: int | None
    shared: bool


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What each iteration of a reverse loop does again: `reads` are loads from memory, with their lines."""

    span: Span | None
    reads: tuple[tuple[str, Span | None], ...]
    calls: tuple[tuple[str, Span | None], ...]
    computes: tuple[Span, ...]
    loops: tuple[Span, ...]


class StoreFate(Enum):
    """What becomes of a store of the primal."""

    LEFT_OUT = "left out"  # nothing reads it afterwards
    MADE = "made"  # the memory ends with the block
    UNDONE = "made and undone"


@dataclass(frozen=True, slots=True)
class Stored:
    name: str
    fate: StoreFate
    span: Span


@dataclass(frozen=True, slots=True)
class SharedLoop:
    """A loop under a directive of OpenMP's. `reason` says why its iterations are run one after the other; it is empty
    where threads share them."""

    reverse: bool
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """Of one generated function. `tape` is "none", "local" or "workspace"; `tape_bytes` are those of a thread, None
    where they depend on the run; `formula` has their terms."""

    name: str
    role: FunctionRole
    updates: tuple[Update, ...]
    passed: tuple[Passed, ...]
    tape: str
    tape_bytes: int | None
    formula: tuple[str, ...]
    loops: tuple[LoopStorage, ...]
    arrays: tuple[ArrayStorage, ...]
    shared: SharedMemory
    recomputed: tuple[Recomputed, ...]
    stores: tuple[Stored, ...]
    teams: tuple[SharedLoop, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """`premises` is what the launch must be like; `plan` are its steps."""

    function: str
    gradient: str
    request: tuple[str, ...]
    functions: tuple[FunctionReport, ...]  # the gradient first, then what it calls and launches
    plan: tuple[str, ...]
    premises: tuple[str, ...]
