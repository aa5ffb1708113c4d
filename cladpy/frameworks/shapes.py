"""Shapes of what a function gives, in terms of the shapes that it is given: found by calling it with other sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cladpy.diagnostics import CladpyError

Shapes = Sequence[Sequence[int]]


def shapes_of(call: Callable[[Shapes], Shapes], given: Shapes) -> list[list[str]] | None:
    """Each extent of each result as an expression of `x{k}.shape[i]`; None where it does not grow with sizes by a
    constant for each. Sizes that are equal stay equal; those that the function does not allow to change are constant.

    Args:
        call: the shapes of results for shapes of arguments; raises where it does not take them.
        given: shapes that it takes. Sizes that have nothing to do with each other should be different.
    """
    first = call(given)
    sizes = {n: (k, i) for k, shape in reversed(list(enumerate(given))) for i, n in reversed(list(enumerate(shape)))}
    rises: dict[int, list[list[int]]] = {}
    for size in sizes:
        one, two = (_differences(_called(call, _changed(given, {size: size + d})), first) for d in (1, 2))
        if one is None or two is None:
            continue
        if two != [[2 * d for d in row] for row in one]:
            return None
        rises[size] = one
    together = _differences(_called(call, _changed(given, {size: size + 1 for size in rises})), first)
    every = [[sum(rise[r][i] for rise in rises.values()) for i in range(len(row))] for r, row in enumerate(first)]
    if together != every:
        return None
    return [
        [_expression(n, {sizes[s]: (rise[r][i], s) for s, rise in rises.items()}) for i, n in enumerate(row)]
        for r, row in enumerate(first)
    ]


def _changed(given: Shapes, to: dict[int, int]) -> Shapes:
    return [[to.get(n, n) for n in shape] for shape in given]


def _called(call: Callable[[Shapes], Shapes], given: Shapes) -> Shapes | None:
    try:
        return call(given)
    except CladpyError:
        return None


def _differences(found: Shapes | None, first: Shapes) -> list[list[int]] | None:
    if found is None or list(map(len, found)) != list(map(len, first)):
        return None
    return [[a - b for a, b in zip(new, old, strict=True)] for new, old in zip(found, first, strict=True)]


def _expression(extent: int, rises: dict[tuple[int, int], tuple[int, int]]) -> str:
    parts = []
    for (k, i), (rise, size) in rises.items():
        extent -= rise * size
        if rise:
            parts.append(f"x{k}.shape[{i}]" if rise == 1 else f"{rise} * x{k}.shape[{i}]")
    return " + ".join([*parts, *([str(extent)] if extent or not parts else [])])
