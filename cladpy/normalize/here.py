"""Where normalisation is: the calls that are being inlined, what names mean there, and where a result goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.normalize.exits import Exits
from cladpy.normalize.places import Cell, Pointer, Target

Binding = Target | Pointer

# Where what a function returns is put: a scalar, pointer or reference in a variable, an object at its place.
Result = Cell | Pointer | None


@dataclass(slots=True)
class Frame:
    """What the names of one function mean while its body is being normalised."""

    bindings: dict[Symbol, Binding] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Here:
    active_calls: list[FunctionSymbol]  # the function that is normalised, and those that are being inlined
    exits: Exits
    result: Result = None
    frame: Frame = field(default_factory=Frame)
    # the calls that are being inlined, and the numbers of iterations that are written out
    inlined_at: list[Span | int | str] = field(default_factory=list)
    outer_references: list[Pointer] = field(default_factory=list)
    pointer_name: str = "memory"  # of the variable that a pointer is about to be given to
    pointer_cell: Target | None = None  # that variable, where it is known

    @property
    def on_host(self) -> bool:
        """Whether the function that is normalised is the host's."""
        return self.active_calls[0].kind is FunctionKind.HOST
