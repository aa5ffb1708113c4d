"""What threads of a region share out and do not wait for (`nowait`): whether what follows uses what others do there.

    #pragma omp for nowait
    for (int i = 0; i < n; ++i) y[i] = x[i];
    #pragma omp for
    for (int i = 0; i < n; ++i) z[i] = y[i] * y[n - 1 - i];      another thread may not have come there yet

Two loops with one number of iterations, and no schedule but a static one, have each thread run the same iterations of
both: what both come to by the same subscripts is that thread's own. All else that one of them writes and the other uses
is said against the region, whichever way it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Symbol
from cladpy.order.effects import Within
from cladpy.order.places import Effects, in_turn, key, meet
from cladpy.order.reductions import CODE, Finding
from cladpy.order.shared import holds

_NOWAIT = re.compile(r"\bnowait\b")
_SCHEDULE = re.compile(r"\bschedule\s*\(([^)]*)\)")
_COLLAPSE = re.compile(r"\b(?:collapse|ordered)\b")
_HINT = "leave 'nowait' out, or put '#pragma omp barrier' between the two"


def unawaited(region: s.Region, within: Within) -> Iterator[Finding]:
    """What is said against a region for a lack of barriers."""
    own = {d.symbol for d in surface_walk.declarations(region.block)}
    own |= {*region.shared.private, *region.shared.first, *(x for x, _ in region.shared.reduced)}
    before: list[s.For] = []
    for here in _in_turn(region.block, region):
        if here is None:
            before.clear()
            continue
        for first in before:
            yield from _met(first, here, own, within)
        if _NOWAIT.search(here.shared.directive if here.shared else ""):
            before.append(here)
        else:
            before.clear()


def _in_turn(statement: s.Stmt, region: s.Region) -> Iterator[s.For | None]:
    """The loops that are shared out, as threads come to them, and None where all wait; loops around them run twice."""
    match statement:
        case s.For(shared=shared) if shared is not None and shared.is_bound:
            yield statement
        case s.Block(is_once=is_once, sections=sections) if is_once or sections is not None:
            yield None
        case s.For() | s.While() | s.DoWhile():
            yield from [*_in_turn(statement.body, region)] * 2
        case s.Block(statements=statements):
            last = statement.span.line
            for inner in statements:
                if any(last <= b.line <= inner.span.line and holds(statement.span, b) for b in region.barriers):
                    yield None
                yield from _in_turn(inner, region)
                last = inner.span.end_line
        case _:
            for inner in surface_walk.inner_statements(statement):
                yield from _in_turn(inner, region)


def _met(first: s.For, second: s.For, own: set[Symbol], within: Within) -> Iterator[Finding]:
    """Where one of two loops writes what the other uses, in iterations that another thread may run."""
    done = [_effects(loop, own, within) for loop in (first, second)]
    same = _shares_alike(first, second)
    for writes, uses in ((done[0].writes, done[1].reads | done[1].writes), (done[1].writes, done[0].reads)):
        for place in in_turn(writes):
            if not any(meet(place, used, within.exposed) for used in uses):
                continue
            if same and place.symbol is not None and _by_the_same(first, second, place.symbol, within):
                continue
            name = "memory" if place.symbol is None else f"'{place.symbol.name}'"
            what = f"what {name} leads to" if place.behind else name
            message = f"{what} is used in two loops, the second of which does not wait for the first"
            yield Finding(CODE, message, _HINT, second.span)
            return


def _effects(loop: s.For, own: set[Symbol], within: Within) -> Effects:
    shared = loop.shared
    assert shared is not None
    spared = own | {d.symbol for d in surface_walk.declarations(loop)} | {*shared.private, *shared.first}
    spared |= {*shared.counters}
    done = Effects()
    for expr in surface_walk.expressions(loop.body):
        done |= within.value(expr)
    return Effects(
        *(frozenset(p for p in ps if p.behind or p.symbol not in spared) for ps in (done.reads, done.writes))
    )


def _shares_alike(first: s.For, second: s.For) -> bool:
    """Whether each thread runs the same iterations of both."""
    kinds = []
    for loop in (first, second):
        said = loop.shared.directive if loop.shared else ""
        schedule = _SCHEDULE.search(said)
        kind = schedule[1].replace(" ", "") if schedule else "static"
        if not kind.startswith("static") or _COLLAPSE.search(said):
            return False
        kinds.append((kind, _head(loop)))
    return None not in kinds[0] and kinds[0] == kinds[1]


def _head(loop: s.For) -> object:
    """How a loop counts; None where that is not told."""
    match loop.init:
        case (s.Declare(symbol=counter, init=begin),) | (
            s.Evaluate(expr=s.Assign(target=s.VarRef(symbol=counter), value=begin)),
        ):
            pass
        case _:
            return None
    match loop.step:
        case s.IncDec(delta=step):
            by: object = step
        case s.CompoundAssign(op=op, value=value):
            by = (op, key(value))
        case _:
            return None
    if begin is None or loop.condition is None:
        return None
    return _spelled((key(begin), key(loop.condition), by), {counter: "turn"})


def _by_the_same(first: s.For, second: s.For, array: Symbol, within: Within) -> bool:
    """Whether both loops come to an array by the same subscripts, which tell iterations apart."""
    found = {subscript for loop in (first, second) for subscript in _subscripts(loop, array, within)}
    return len(found) == 1 and None not in found


def _subscripts(loop: s.For, array: Symbol, within: Within) -> Iterator[object]:
    """What stands in brackets behind an array's name; None where the loop comes to it in another way."""
    inner = [here for here in surface_walk.statements(loop.body) if isinstance(here, s.For)]
    turn, turns = _stepped(loop, within), {x for here in inner for x in _stepped(here, within)}
    names = {**dict.fromkeys(turns, "inner"), **dict.fromkeys(turn, "turn")}
    begins = [e for here in inner for first in here.init for e in surface_walk.expressions(first)]
    apart = not any(isinstance(x, s.VarRef) and x.symbol in turn for e in begins for x in surface_walk.walk(e))
    bare = 0
    for expr in (e for inner in surface_walk.expressions(loop.body) for e in surface_walk.walk(inner)):
        if isinstance(expr, s.VarRef) and expr.symbol is array:
            bare += 1
        if isinstance(expr, s.Index | s.Deref) and any(p.symbol is array for p in within.place(expr)):
            if isinstance(expr, s.Index) and isinstance(expr.base, s.VarRef) and expr.base.symbol is array:
                bare -= 1
                said = _spelled(key(expr.index), names)
                yield said if apart and "turn" in _atoms(said) else None
            elif not isinstance(expr, s.Index) or not isinstance(expr.base, s.Index):
                yield None
    if bare:
        yield None


def _stepped(loop: s.For, within: Within) -> set[Symbol]:
    written = within.value(loop.step).writes if loop.step is not None else ()
    return {place.symbol for place in written if place.symbol is not None}


def _spelled(said: object, names: Mapping[Symbol, str]) -> object:
    if isinstance(said, tuple):
        return tuple(_spelled(part, names) for part in said)
    return names.get(said, said) if isinstance(said, Symbol) else said


def _atoms(said: object) -> Iterator[object]:
    if isinstance(said, tuple):
        for part in said:
            yield from _atoms(part)
    else:
        yield said
