"""The builder of rule tables: one row for a function and its `f`-suffixed float form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cladpy.derivatives.rule import Extremum, Kink, MathRule
from cladpy.derivatives.text import OPERANDS

Interval = tuple[float, float]


def function(
    name: str,
    *partials: str | None,
    on: Interval | tuple[Interval, ...],
    singular: bool = False,
    chooses: bool = False,
    flattens: bool | str = False,
    kinks: tuple[Kink, ...] = (),
) -> MathRule:
    """A row: name, a partial per operand, and `on`, the interval (or one per operand) that tests sample;
    `flattens` names operands, or is True for all of them.

    Raises ValueError where the number of intervals does not fit the number of partials.
    """
    intervals = tuple(i for i in on if isinstance(i, tuple))
    if not intervals:
        intervals = ((float(on[0]), float(on[1])),) * len(partials)  # type: ignore[arg-type]
    if len(intervals) != len(partials):
        raise ValueError(f"{name}: {len(partials)} partials but {len(intervals)} intervals")
    flat = flattens if isinstance(flattens, str) else "".join(OPERANDS[: len(partials)]) if flattens else ""
    return MathRule(name, partials, intervals, singular, chooses, flat, kinks=kinks)


def larger(name: str, share: str = "cladpy::fmax_dx<T>(x, y)", *, on: Interval) -> MathRule:
    """A row of a maximum of two; `share` is what the first operand gets of its adjoint."""
    kinks = (Kink(None, _taken("x >= y || y != y"), _taken("x > y || y != y")),)
    return MathRule(name, (share, f"T(1) - {share}"), (on, on), chooses=True, extremum=Extremum.LARGER, kinks=kinks)


def smaller(name: str, share: str = "cladpy::fmin_dx<T>(x, y)", *, on: Interval) -> MathRule:
    """A row of a minimum of two; see `larger`."""
    kinks = (Kink(None, _taken("x < y || y != y"), _taken("x <= y || y != y")),)
    return MathRule(name, (share, f"T(1) - {share}"), (on, on), chooses=True, extremum=Extremum.SMALLER, kinks=kinks)


def _taken(first: str) -> tuple[str, str]:
    """The partials of one of two operands."""
    return f"cladpy::share<T>({first})", f"cladpy::share<T>(!({first}))"


def with_float_forms(rows: tuple[MathRule, ...]) -> Iterator[MathRule]:
    """Each row, and the same under the name of the float function: `sin` gives `sin` and `sinf`."""
    for row in rows:
        yield row
        yield replace(row, name=f"{row.name}f")
