"""What is learnt while a gradient is made, and has to be known from the start: who learns it asks for a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from cladpy.diagnostics import Span
from cladpy.ir.symbols import FunctionSymbol, Symbol
from cladpy.ir.types import Type

Made = TypeVar("Made")

# Where memory comes to be.
Site = tuple[Span | int | str, ...]
# A pointer in the memory of an argument or a variable at namespace scope: the way there, and constant indices.
PlaceOfPointer = tuple[Symbol, tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Nothing is taken back: each restart knows more than the one before."""

    inline: frozenset[FunctionSymbol] = frozenset()  # functions whose calls are inlined after all
    taped: frozenset[FunctionSymbol] = frozenset()  # recursive functions whose pullbacks keep state
    leaving: frozenset[FunctionSymbol] = frozenset()  # kernels that threads of a block leave one by one
    # Branches and loops with a barrier of the block inside of which it is not known that all its threads decide alike.
    divided: frozenset[Span] = frozenset()
    # By function, the positions of objects passed by value whose arrays are written to: each thread changes its own
    # copy, and its adjoint is its own as well.
    copied: frozenset[tuple[FunctionSymbol, int]] = frozenset()
    several: frozenset[Site] = frozenset()  # calls of which more than one allocation is there at a time
    # What memory holds that is declared as bytes, or allocated through a pointer to void.
    typed: Mapping[Site, Type] = field(default_factory=dict)
    rebound: frozenset[PlaceOfPointer] = frozenset()  # pointers in memory that a host function changes
    deepest: int = 32  # how many levels of a host function's recursion are written out

    def inlined(self, *functions: FunctionSymbol) -> Decisions:
        return replace(self, inline=self.inline.union(functions))

    def with_copies(self, function: FunctionSymbol, *positions: int) -> Decisions:
        return replace(self, copied=self.copied.union((function, p) for p in positions))


class Restart(Exception):
    """Something was learnt that what has been made so far did not know: start again, with these decisions."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions


def decided(attempt: Callable[[Decisions], Made]) -> Made:
    """What `attempt` makes once it learns nothing more. The one place where things start again."""
    decisions = Decisions()
    while True:
        try:
            return attempt(decisions)
        except Restart as restart:
            assert restart.decisions != decisions, "something was learnt"
            decisions = restart.decisions
