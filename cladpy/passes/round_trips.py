"""Adjoints that a loop takes and gives back unchanged.

What a loop carries has an adjoint that each reverse iteration takes, and adds to. Where the carried value is a sum,
what is added is what was taken: `r = d; d = 0; ...; d += r`, on both sides of a branch where there is one. Such an
adjoint is the same for all iterations.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from cladpy.ir import code, core
from cladpy.ir.code_walk import inner_blocks, mentions, with_blocks
from cladpy.ir.walk import values
from cladpy.passes.dead_code import sealed
from cladpy.passes.tidy import tidy


def without_round_trips(block: code.Block) -> code.Block:
    while found := set(_round_trips(block)):
        block = tidy(sealed(_without(block, found)))
    return block


def _round_trips(block: code.Block) -> Iterator[code.Statement]:
    """The statements that take an adjoint and give it back."""
    for inner in (inner for s in block for inner in inner_blocks(s)):
        yield from _round_trips(inner)
    places = _places(block)
    for position, s in enumerate(block):
        match s:
            case code.Define(taken, core.Use(adjoint), False):
                named = places[adjoint]
                after = named[bisect_right(named, position) :][:2]
                if len(after) < 2 or not _is_zero(block[after[0]], adjoint):
                    continue
                first, second = (block[k] for k in after)
                given = _given_back(second, adjoint, taken)
                if given is not None:
                    yield from (first, *given)
            case _:
                pass


def _places(block: code.Block) -> dict[core.Value, list[int]]:
    """Where in a block the variables are named that something takes the content of."""
    taken = {s.init.value for s in block if isinstance(s, code.Define) and isinstance(s.init, core.Use)}
    places: dict[core.Value, list[int]] = {value: [] for value in taken}
    for position, s in enumerate(block if taken else ()):
        for variable in mentions(s) & taken:
            places[variable].append(position)
    return places


def _given_back(s: code.Statement, adjoint: core.Value, taken: core.Value) -> tuple[code.Statement, ...] | None:
    """What gives an adjoint back what was taken, on both sides of a branch; None where that is not all."""
    match s:
        case code.Branch(condition, then, other) if adjoint not in values(condition):
            found: list[code.Statement] = []
            for side in (then, other):
                named = [t for t in side if adjoint in mentions(t)]
                given = _given_back(named[0], adjoint, taken) if len(named) == 1 else None
                if given is None:
                    return None
                found += given
            return tuple(found)
        case _:
            given_back = isinstance(s, code.Add) and s.variable is adjoint and s.expr == core.Use(taken)
            return (s,) if given_back else None


def _without(block: code.Block, dropped: set[code.Statement]) -> code.Block:
    return tuple(with_blocks(s, lambda inner: _without(inner, dropped)) for s in block if s not in dropped)


def _is_zero(s: code.Statement, variable: core.Value) -> bool:
    return (
        isinstance(s, code.Assign) and s.variable is variable and isinstance(s.expr, core.Const) and s.expr.value == 0
    )
