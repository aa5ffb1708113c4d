"""Shapes of what a function gives, in terms of the shapes that it is given: found by calling it with other sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cladpy.diagnostics import CladpyError

Shapes = Sequence[Sequence[int]]
_FAR = (61, 131)  # by which blocks of threads become more


def shapes_of(call: Callable[[Shapes], Shapes], given: Shapes) -> list[list[str]] | None:
    """Each extent of each result as an expression of `x{k}.shape[i]`; None where it does not grow with sizes by a
    constant for each. Sizes that are equal stay equal; those that the function does not allow to change, not even to
    multiples, are constant.

    Args:
        call: the shapes of results for shapes of arguments; raises where it does not take them.
        given: shapes that it takes. Sizes that have nothing to do with each other should be different.
    """
    first = call(given)
    sizes = {n: (k, i) for k, shape in reversed(list(enumerate(given))) for i, n in reversed(list(enumerate(shape)))}
    rises: dict[int, list[list[int]]] = {}
    taken: dict[int, int] = {}  # how much more of each the function takes
    for size in sizes:
        for more in dict.fromkeys((1, 2, size, 2 * size, *_FAR)):
            found = _differences(_called(call, _changed(given, {size: size + more})), first)
            if found is None:
                continue
            rise = rises.setdefault(size, [[d // more for d in row] for row in found])
            taken.setdefault(size, more)
            if found != [[d * more for d in row] for row in rise]:
                return None
    together = _differences(_called(call, _changed(given, {size: size + more for size, more in taken.items()})), first)
    every = [
        [sum(rise[r][i] * taken[size] for size, rise in rises.items()) for i in range(len(row))]
        for r, row in enumerate(first)
    ]
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
