"""Sizes that are written with the names of integers: `random:NxC`, `zeros:n+1`, `--grid (n+31)/32`."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from cladpy.diagnostics import UsageError

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
}


def size(text: str, known: Mapping[str, int]) -> int:
    """The value of sums, products and whole quotients of numbers and names. Raises ValueError for anything else."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, known)
    except (SyntaxError, KeyError, ZeroDivisionError, RecursionError):
        raise ValueError(text) from None


def _value(node: ast.expr, known: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(int() as value) if not isinstance(value, bool):
            return value
        case ast.Name(name):
            return known[name]
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, known), _value(right, known))
        case _:
            raise ValueError


def extents(text: str, known: Mapping[str, int]) -> tuple[int, ...]:
    """`4x8` or `BxTxC`. An x between two sizes is a sign, unless a name of those that are known has it. Raises
    ValueError for anything else."""
    names = "|".join(re.escape(name) for name in sorted(known, key=lambda n: -len(n)))
    token = re.compile(rf"\s*(?:(?P<size>{names + '|' if names else ''}\d+)|(?P<by>x)|(?P<sign>[-+*/()]))\s*")
    parts, at = [""], 0
    while at < len(text):
        found = token.match(text, at)
        if found is None:
            raise ValueError(text)
        if found["by"]:
            parts.append("")
        else:
            parts[-1] += found["size"] or found["sign"]
        at = found.end()
    return tuple(size(part, known) for part in parts)


def names_in(text: str, known: Mapping[str, int]) -> Iterator[str]:
    """The known names that sizes are written with."""
    for name in known:
        others = {n: 1 for n in known if n != name}
        try:
            extents(text, others)
        except ValueError:
            try:
                extents(text, known)
            except ValueError:
                continue
            yield name


def launch_extent(option: str, parts: Sequence[int | str] | None, known: Mapping[str, int]) -> tuple[int, ...] | None:
    """A grid or a block, of which parts may be written with names. Raises UsageError for what is none."""
    if parts is None:
        return None
    try:
        found = tuple(part if isinstance(part, int) else size(part, known) for part in parts)
    except ValueError:
        found = (0,)
    if min(found) < 1:
        text = ",".join(map(str, parts))
        raise UsageError(
            f"{option} takes one to three positive numbers such as 2,1,1, or sizes such as (n+31)/32 of integers that "
            f"--set gives, not {text!r}"
        )
    return found
