"""What derivatives are where there is none: at kinks, jumps and singular points, beside what PyTorch and JAX give.

The columns of the two were found by running them, PyTorch 2.13 and JAX 0.10 in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Convention:
    """`instead` says what to write to get another number."""

    where: str
    here: str
    pytorch: str
    jax: str
    instead: str = ""


KINKS: tuple[Convention, ...] = (
    Convention(
        "`fmax`, `fmin`, `max`, `min`, `std::max`, `std::min` with equal operands, one of them a constant too",
        "half for each",
        "half (`maximum`); the first (`fmax`)",
        "half (`maximum`)",
        "`x > y ? x : y` with a constant `y`: the branch that is taken",
    ),
    Convention(
        "`a > b ? a : b`, `if (b > a) a = b;` and their like, of two numbers that both have derivatives, equal",
        "half for each",
        "by `where`: the one that is taken",
        "by `where`: the one that is taken",
        "`cladpy::nondifferentiable(b)` for one",
    ),
    Convention(
        "a loop that looks for the largest of n numbers, k of which are equal to it",
        "1/k for each, in any order",
        "1/k (`amax`); the first (`max(dim)`)",
        "1/k (`max`)",
        "look for the index, and read the number there",
    ),
    Convention(
        "`x > 0 ? x : 0`, the ReLU, at 0", "0", "0 (`relu`)", "0 (`relu`)", "`x >= 0 ? x : 0`: 1; `fmax(x, 0)`: 0.5"
    ),
    Convention("`x > 0 ? x : a * x`, the leaky ReLU, at 0", "a", "a", "1", "`x >= 0 ? x : a * x`: 1"),
    Convention(
        "`fmin(fmax(x, 0), 1)`, `__saturatef(x)` at 0 and at 1",
        "0.5",
        "1 (`clamp`)",
        "0.5 (`clip`)",
        "`x < 0 ? 0 : x > 1 ? 1 : x`: 1",
    ),
    Convention(
        "`sqrt(fmax(x, 0))` below 0, and what else comes from a clamp that did not take the number",
        "0",
        "0",
        "NaN",
    ),
    Convention(
        "`sqrt(fmax(x, 0))`, `sqrt(fmax(0, x))` at 0", "infinite", "infinite", "infinite", "`x > 0 ? sqrt(x) : 0`: 0"
    ),
    Convention("`fabs`, `abs` at 0; `x < 0 ? -x : x` there", "0", "0", "1", "`x < 0 ? -1 * x : x`: 1"),
    Convention(
        "`fabs(x)`, `fmax(x, 0)`, `__saturatef(x)`, `copysign(x, y)`, `x < 0 ? -x : x` and their like at 0 beside a"
        " branch that compares the same two numbers, whatever else it asks for: `x > 0 ? x : 0`, `if (valid && x > 0)`,"
        " `x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x))`, also in a function that is called with the number",
        "that of the branch's side, the first such branch's",
        "as without the branch",
        "as without the branch",
        "the comparison the other way: `x >= 0` for `x > 0`",
    ),
    Convention(
        "`if (x[i] > m) { m = x[i]; at = i; }`, with `at` in an index or a condition that a derivative depends on",
        "the branch that is taken, for `m` too: what `at` names has it all",
        "",
        "",
    ),
    Convention(
        "the same among the lanes of a warp, `if (other > m)` with the number and the index of another lane",
        "half for each, in `m`; all in `x[at]`: `m - x[at]` is not 0 there",
        "no such function",
        "no such function",
        "a condition by which the lower index wins where both are equal, so that all lanes agree: the branch that is"
        " taken",
    ),
    Convention(
        "a running maximum of which every step is stored, in a thread (`m = fmax(m, x[i]); y[i] = m;`) or among the"
        " lanes of a warp (`m = fmax(m, __shfl_up_sync(mask, m, k))`)",
        "half for each at every step, so that of equal numbers the later have more",
        "the last of equals (`cummax`)",
        "half for each at every step (`cummax`)",
    ),
    Convention(
        "a largest number among numbers that are chosen themselves (`fmax` over lanes of `fmin(x[i], x[j])`), equal at "
        "both choices",
        "each choice by itself, also where the whole is smooth",
        "the same",
        "the same",
    ),
    Convention("`fdim(x, y)` with `x == y`", "0.5 and -0.5", "no such function", "no such function"),
    Convention("`copysign(x, y)` at `x = 0`", "0", "0", "the sign of `y`"),
    Convention(
        "`hypot`, `norm3d`, `norm4d`, `norm`, `atan2` at the origin",
        "0",
        "NaN (`hypot`), 0 (`norm`, `atan2`)",
        "0.5 (`hypot`), NaN (`norm`, `arctan2`)",
    ),
    Convention("`norm(0, p)`, and with a count below", "that of `fabs(*p)`, as CUDA computes it; 0 with HIP", "", ""),
    Convention("`sqrt(x * x + y * y)` at the origin", "NaN", "NaN", "NaN", "`hypot(x, y)`: 0; add a small constant"),
)

NUMBERS: tuple[Convention, ...] = (
    Convention("`fmax`, `fmin`, `max`, `min` with one NaN", "the other operand gets all", "so (`fmax`)", "so (`fmax`)"),
    Convention("`std::max`, `std::min` with a NaN", "the operand that is returned gets all", "", ""),
    Convention("`pow(x, 0)` by `x`", "0, at `x = 0` too", "0", "NaN at `x = 0`"),
    Convention("`pow(0, y)` by `y`", "0 for `y >= 0`", "0", "0"),
    Convention("`pow(x, y)` by `y` with `x < 0`", "NaN: there is no real derivative", "NaN", "NaN"),
    Convention("`fmod(x, y)`, `remainder(x, y)` by `y`", "minus the multiple of `y` that was taken off", "so", "so"),
    Convention("`floor`, `ceil`, `trunc`, `round`, `rint`, `nearbyint`, `logb`", "0, at the jumps too", "0", "0"),
    Convention(
        "`sqrt`, `cbrt`, `log` at 0, `acos` at 1, and the like",
        "infinite, but for a zero adjoint",
        "infinite",
        "infinite",
    ),
    Convention(
        "`sqrt(x) * sqrt(x)` at 0: a zero adjoint, and an infinite partial",
        "0 (the limit is 1)",
        "NaN",
        "NaN",
        "[`trace_nonfinite`](nonfinite.md) tells where",
    ),
    Convention("`sqrt(x * x)` at 0: an infinite adjoint, and a zero partial", "NaN", "NaN", "NaN"),
    Convention(
        "`sqrt(0 * x)` with a literal zero, and products with masks: `sqrt((x > 0) * x)`",
        "0: what is multiplied by a zero that the program chooses is not taken",
        "NaN",
        "NaN",
    ),
    Convention(
        "fast and rounding-mode forms (`__sinf`, `__fmul_rz`)",
        "that of the exact function, in fast form where there is one",
        "",
        "",
    ),
)


_HEAD = "| Where | cladpy | PyTorch | JAX | To get another |\n| --- | --- | --- | --- | --- |\n"

_ABOUT = """\
## Conventions

Where a function is smooth although a maximum in it is not, as a softmax, a stable log-sum-exp or an ELU that is written
with `fmax` and `fmin`, its gradient is the smooth one. A number that is not taken gets nothing, whatever the adjoint is
that comes in.

Numbers are the same two where they are computed alike: by a name, a difference (`x - y` and 0 are `x` and `y`), a
sign, a conversion to more digits (not to fewer: a branch on a double has no part in what is made of its float), or
loads of one element that nobody writes. Of branches on different sides, as
`x > 0 ? x : 0` beside `x < 0 ? x : 0`, all take that of the first; but one that computes what it gives, as
`x < 0 ? sin(x) : 0`, has its own derivative. Recursive functions and those with a derivative of the user's take no side
of their caller's, and `__hadd_sat` and the like and `__hfma_relu` no side at all.

Where lanes keep a largest number `m` and its index `at` without a rule for equals, each lane has an `at` of its own,
and two things cannot both be had: that a sum of the lanes' `m` with weights that cancel, as in a softmax, has no
gradient wants one rule for all lanes; that `m - x[at]` has none wants each lane to follow its own `at`. The first is
kept.

### At kinks

"""


def tables() -> str:
    """The text for docs/math.md."""
    return f"{_ABOUT}{_HEAD}{_rows(KINKS)}\n### At singular points\n\n{_HEAD}{_rows(NUMBERS)}"


def _rows(conventions: tuple[Convention, ...]) -> str:
    cells = ((c.where, c.here, c.pytorch, c.jax, c.instead) for c in conventions)
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)
