"""Functions that give results through pointers, or take a vector through one, in terms of plain functions.

The normaliser lowers them: `sincos(a, &s, &c)` becomes `s = sin(a); c = cos(a);`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.derivatives.table import spellings


@dataclass(frozen=True, slots=True)
class MultiOutput:
    """A function with output pointers.

    The first `inputs` arguments are values. `outputs` has, by the position of an output argument, the function of the
    inputs whose value it receives; `result` is the function whose value is returned (None: void).
    """

    name: str
    inputs: int
    outputs: tuple[tuple[int, str], ...]
    result: str | None = None


@dataclass(frozen=True, slots=True)
class VectorNorm:
    """A function `name(int count, const T *p)` of `count` elements.

    `partial` is the derivative by an element, in terms of the element `x` and the result `r`, as in a MathRule.
    """

    name: str
    partial: str
    singular: bool


_MULTI_OUTPUTS: tuple[MultiOutput, ...] = (
    MultiOutput("sincos", 1, ((1, "sin"), (2, "cos"))),
    MultiOutput("sincosf", 1, ((1, "sinf"), (2, "cosf"))),
    MultiOutput("__sincosf", 1, ((1, "__sinf"), (2, "__cosf"))),
    MultiOutput("sincospi", 1, ((1, "sinpi"), (2, "cospi"))),
    MultiOutput("sincospif", 1, ((1, "sinpif"), (2, "cospif"))),
    MultiOutput("modf", 1, ((1, "trunc"),), "cladpy::modf_fraction"),
    MultiOutput("modff", 1, ((1, "truncf"),), "cladpy::modf_fraction"),
    MultiOutput("frexp", 1, ((1, "cladpy::frexp_exponent"),), "cladpy::frexp_fraction"),
    MultiOutput("frexpf", 1, ((1, "cladpy::frexp_exponent"),), "cladpy::frexp_fraction"),
    MultiOutput("remquo", 2, ((2, "cladpy::remquo_quotient"),), "remainder"),
    MultiOutput("remquof", 2, ((2, "cladpy::remquo_quotient"),), "remainderf"),
)


def _choices() -> Iterator[MultiOutput]:
    """`__vibmax_s32(a, b, &first)` and its like: a maximum or minimum, and whether the first operand is what it is."""
    for choice, comparison in (("max", "at_least"), ("min", "at_most")):
        for word in ("s32", "u32"):
            yield MultiOutput(f"__vib{choice}_{word}", 2, ((2, f"cladpy::{comparison}"),), choice)
        for element in "su":
            halves = tuple(
                (position, f"cladpy::{half}_{element}16_{comparison}") for position, half in ((2, "high"), (3, "low"))
            )
            yield MultiOutput(f"__vib{choice}_{element}16x2", 2, halves, f"__v{choice}{element}2")


_VECTOR_NORMS: tuple[VectorNorm, ...] = (
    VectorNorm("norm", "cladpy::norm_dx<T>(x, r)", False),
    VectorNorm("normf", "cladpy::norm_dx<T>(x, r)", False),
    VectorNorm("rnorm", "cladpy::rnorm_dx<T>(x, r)", True),
    VectorNorm("rnormf", "cladpy::rnorm_dx<T>(x, r)", True),
)

MULTI_OUTPUTS: dict[str, MultiOutput] = {f.name: f for f in (*_MULTI_OUTPUTS, *_choices())}
VECTOR_NORMS: dict[str, VectorNorm] = {f.name: f for f in _VECTOR_NORMS}


def multi_output(name: str) -> MultiOutput | None:
    """The description of a function with output pointers, by plain or `std::` name."""
    return next((MULTI_OUTPUTS[s] for s in spellings(name) if s in MULTI_OUTPUTS), None)


def vector_norm(name: str) -> VectorNorm | None:
    """The description of CUDA's `norm` and its kin, by plain name (`std::norm` is another function)."""
    return VECTOR_NORMS.get(name.removeprefix("::"))
