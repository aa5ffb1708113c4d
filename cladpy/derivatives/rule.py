"""What a derivative rule is: the form that the tables of this package are written in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cladpy.derivatives.text import OPERANDS


class Extremum(Enum):
    LARGER = "larger"
    SMALLER = "smaller"


@dataclass(frozen=True, slots=True)
class Kink:
    """Where a function's first operand is equal to the second, or to the number `at`: its partials, for programs that
    take a side there, where the first operand is taken for the larger, and for the smaller. Of a function with several
    kinks these are factors, and `between` is what stands in the place of one where no side is taken."""

    at: float | None
    larger: tuple[str, ...]
    smaller: tuple[str, ...]
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MathRule:
    """A function of scalars without side effects, with its partial derivatives.

    A partial is C++ text over the operands `x`, `y`, `z`, `w`, the result `r`, and the type `T` of the result (float
    or double; write constants as `T(2)`), such as `"cos(x)"` or `"T(0.5) / r"`. It may call any function that has a
    float and a double overload in CUDA C++ and in <cmath>, or one of `cladpy::` that `custom_derivatives/` defines.
    None says that the partial is zero everywhere (or that the operand is an integer).

    `singular` says that a partial can be infinite or NaN at finite arguments where the value is finite: then a zero
    adjoint contributes zero (SEMANTICS 14). `chooses` says that a partial is zero where the operand is not taken, as
    that of a maximum: then the operand's adjoint gets nothing, whatever the result's is, infinite or NaN (SEMANTICS
    20). `extremum` says that the result is the larger or smaller of its two operands: equal ones share its adjoint.
    `kinks` says what the partials are where a program takes a side, where two numbers are equal.
    `flattens` has the operands of which the result can be finite where they are infinite: there the partial vanishes,
    and what came to the operand is discarded. `domain` has an interval per operand from which tests sample."""

    name: str
    partials: tuple[str | None, ...]
    domain: tuple[tuple[float, float], ...]
    singular: bool = False
    chooses: bool = False
    flattens: str = ""
    extremum: Extremum | None = None
    kinks: tuple[Kink, ...] = ()

    @property
    def arity(self) -> int:
        return len(self.partials)

    def discards(self, operand: int) -> bool:
        """Whether what comes to an operand may be discarded although the result matters."""
        return self.chooses or OPERANDS[operand] in self.flattens
