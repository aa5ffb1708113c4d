"""Which loops look for the largest or smallest of numbers: those whose iterations carry nothing else that is active but
a chain of choices, each of one number and of what was found before (see `extrema.py` for what comes of it)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.adjoint.extrema import FALSE, TRUE, Choice, Extremum, made_of, part_of
from cladpy.adjoint.ties import asked_sides, is_shared, taken
from cladpy.analysis.extrema import extremum as of_two
from cladpy.analysis.loops import LoopFacts
from cladpy.ir import core
from cladpy.ir.fold import unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, Type, is_floating
from cladpy.ir.walk import children, defined, map_children, statements, subexpressions, values

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

_WITHOUT_NAN = frozenset({"fmax", "fmaxf", "fmin", "fminf"})  # of a number and what is none they give the number
_ORDERS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})  # which do not hold of what is no number


def extremum(sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: Collection[core.Value]) -> Extremum | None:
    """What such a loop looks for, in numbers that are computed, also in loops of their own, read from memory that is
    the same when they are asked for again, or loaded and among what would be `kept` for each iteration; None where it
    is another kind of loop."""
    active = [c for c in loop.carried if c.value in sweep.activity.values]
    if len(active) != 1 or loop.before or loop.lanes is not None or loop not in sweep.needs.reversed:
        return None
    if sweep.needs.store_all and any(isinstance(s, core.Loop) for s in statements(loop.body)):
        return None  # these would keep frames for each iteration
    (carried,) = active
    others = [c.value for c in loop.carried if c is not carried and c.value not in facts.inductions]
    lets = {s.value: s for s in loop.body if isinstance(s, core.Let)}
    choices = tuple(_in_branch(c, loop) for c in _choices(carried, lets))
    before = {carried.value, *others}
    if not choices or any(not before.isdisjoint(made_of((c.number,), loop.body)) for c in choices):
        return None
    for s in statements(loop.body):
        match s:
            case core.Let() | core.If() | core.Loop(lanes=None):
                pass
            case core.Load(value) if value in kept or value not in sweep.needs.kept or sweep.needs.held(value, loop):
                pass
            case _:
                return None
    first_has_all = any(c.first_has_all or not before.isdisjoint(made_of((c.valid,), loop.body)) for c in choices)
    steps = INT if facts.trip_count is not None and facts.trip_count.type == INT else LONG
    last = core.Value("_last", steps)
    which = core.Value("_which", INT) if len(choices) > 1 else None
    taken_at_all = [core.primal(lets[c.value].expr) for c in choices]
    takes_nan = any(_takes_nan(e, c.number, sweep) for e, c in zip(taken_at_all, choices, strict=True))
    starts_so = _may_be_nan(carried.init, sweep)  # and may stay so
    held = [v for v in kept if v is not carried.value and v not in others]
    if not held:
        choices = tuple(replace(c, again=_again(c.number, carried.init, sweep)) for c in choices)
        counted = not first_has_all and all(_comes_out_the_same(c.number, loop, sweep) for c in choices)
        ties = core.Value("_ties", steps) if counted else None
        met = core.Value("_met", BOOL) if counted and any(c.again for c in choices) else None
        return Extremum(carried, choices, last, which, ties, met, takes_nan=takes_nan or starts_so)
    loads = {s.value: s for s in loop.body if isinstance(s, core.Load)}
    if any(v not in loads for v in held):
        return None
    choices = _holding(choices, loop, held)
    lowest: core.Value | None = None
    if not first_has_all and all(c.anew == FALSE and [core.Use(v) for v, _ in c.held] == [c.number] for c in choices):
        indices = [loads[v].index for c in choices for v, _ in c.held]
        if any(isinstance(index, core.Nested) for index in indices):
            return None
        starts = (_again(c.number, carried.init, sweep) for c in choices)
        with_index = zip(choices, indices, starts, strict=True)
        choices = tuple(replace(c, index=index, again=start) for c, index, start in with_index)
        lowest = core.Value("_lowest", indices[0].type)
    # what a library's function begins with does not stay where it is no number, and something else is one
    takes_nan |= starts_so and not all(isinstance(e, core.Math) for e in taken_at_all)
    return Extremum(carried, choices, last, which, lowest=lowest, takes_nan=takes_nan)


def _in_branch(choice: Choice, loop: core.Loop) -> Choice:
    """A choice whose number a branch makes that is taken wherever the number is: by what the branch makes it of."""
    for s in loop.body:
        if not isinstance(s, core.If) or choice.by is None:
            continue
        for m in s.merges:
            first = _is_taken(s, choice.by, True)
            if choice.number == core.Use(m.value) and (first or _is_taken(s, choice.by, False)):
                return replace(choice, number=m.then if first else m.other, inside=s)
    return choice


def _is_taken(statement: core.If, by: core.Expr, first: bool) -> bool:
    """Whether the first branch of an `if`, or the second, is seen to be taken where a condition holds."""
    if by == (statement.condition if first else unary(UnaryOp.NOT, statement.condition, BOOL)):
        return True
    return any(by == core.Use(m.value) and (m.other if first else m.then) == FALSE for m in statement.merges)


def _holding(choices: tuple[Choice, ...], loop: core.Loop, held: list[core.Value]) -> tuple[Choice, ...]:
    """The choices with variables for what each needs of what is `held`: of one type, the first of one has the place of
    the first of another."""
    variables: dict[tuple[Type, int], core.Value] = {}
    found: list[Choice] = []
    for choice in choices:
        part = {v for s in part_of(loop, choice, choice.value) for v in defined(s)}
        taken: Counter[Type] = Counter()
        own: list[tuple[core.Value, core.Value]] = []
        for value in (v for v in held if v in part):
            place = (value.type, taken[value.type])
            taken[value.type] += 1
            own.append((value, variables.setdefault(place, core.Value(value.name, value.type))))
        found.append(replace(choice, held=tuple(own)))
    return tuple(found)


def _choices(carried: core.Carried, lets: Mapping[core.Value, core.Let]) -> tuple[Choice, ...]:
    """What an iteration chooses, one after the other; none where what is carried on is made in another way."""
    if not isinstance(carried.next, core.Use):
        return ()
    found: list[Choice] = []
    before = carried.value
    while before is not carried.next.value:
        following = [choice for s in lets.values() if (choice := _choice(s, before)) is not None]
        if len(following) != 1:
            return ()
        found += following
        before = following[0].value
    return tuple(found)


def _choice(let: core.Let, before: core.Value) -> Choice | None:
    """What a value is the larger or smaller of, beside what was there before."""
    expr, value = let.expr, let.value
    sole = taken(expr)
    if sole is not None:
        larger, so_far = sole
        return Choice(before, larger, value, True) if so_far == core.Use(before) != larger else None
    match expr:
        case core.Select(condition, then, other) if other == core.Use(before) and before not in values(then):
            return Choice(before, then, value, True, by=condition)
        case core.Select(condition, then, other) if then == core.Use(before) and before not in values(other):
            return Choice(before, other, value, True, by=unary(UnaryOp.NOT, condition, BOOL))
    sides = asked_sides(expr)
    first: core.Expr
    second: core.Expr
    if isinstance(expr, core.Math) and of_two(expr) is not None:
        first, second = expr.arguments
    elif isinstance(expr, core.Linear) and len(expr.terms) == 2 and (is_shared(expr) or sides is not None):
        first, second = (of for of, _ in expr.terms)
    else:
        return None
    for found, number in ((first, second), (second, first)):
        if found == core.Use(before) and before not in values(number):
            plain = Choice(before, number, value)
            return plain if sides is None else _by_sides(plain, number is first, *sides)
    return None


def _by_sides(choice: Choice, is_first: bool, above: core.Expr, below: core.Expr) -> Choice | None:
    """`above` and `below` say whether the first of both is taken where it is larger and smaller. Whether it is the
    number that is larger or smaller that a loop looks for: one that is taken although it is not is taken anyhow."""
    if not is_first:
        above, below = (unary(UnaryOp.NOT, side, BOOL) for side in (below, above))
    for valid, anew in ((above, below), (below, above)):
        if _follows(anew, valid):
            return replace(choice, valid=valid, anew=anew)
    return None


def _may_be_nan(start: core.Expr, sweep: Sweep) -> bool:
    known = _resolved(start, sweep)
    return not isinstance(known, core.Const) or known.value != known.value


def _takes_nan(choice: core.Expr, number: core.Expr, sweep: Sweep) -> bool:
    """Whether what is no number may be taken in place of a number."""
    if isinstance(choice, core.Math):
        return choice.callee.name not in _WITHOUT_NAN
    if not isinstance(choice, core.Select) or choice.then != number:
        return True
    condition = choice.condition
    while isinstance(condition, core.Use) and condition.value in sweep.lets:
        condition = core.primal(sweep.lets[condition.value])
    return not (isinstance(condition, core.Binary) and condition.op in _ORDERS)


def _follows(narrow: core.Expr, wide: core.Expr) -> bool:
    """Whether a condition is seen to hold wherever another one does."""
    if narrow in (FALSE, wide) or wide == TRUE:
        return True
    return (
        isinstance(narrow, core.Binary)
        and narrow.op is BinaryOp.AND
        and (_follows(narrow.left, wide) or _follows(narrow.right, wide))
    )


def _again(number: core.Expr, start: core.Expr, sweep: Sweep) -> tuple[tuple[core.Expr, core.Expr], ...]:
    """How a choice is told that comes to the number which the loop begins with; nothing where that is made in another
    way than the choice's own."""
    indices: list[tuple[core.Expr, core.Expr]] = []
    work, seen = [(number, start)], set[tuple[core.Expr, core.Expr]]()
    while work:
        named = work.pop()
        if named in seen:
            continue
        if all(isinstance(e, core.Use) for e in named):
            seen.add(named)  # values are parts of many others
        here, there = (core.primal(_resolved(e, sweep)) for e in named)
        if here == there:
            continue
        loads = [sweep.index.definitions.get(e.value) if isinstance(e, core.Use) else None for e in (here, there)]
        match loads:
            case core.Load(_, root, index), core.Load(_, other, first) if root is other:
                indices += zip(_steps(index), _steps(first), strict=True)
                continue
        both = [list(children(e)) for e in (here, there)]
        blank = [map_children(e, lambda _: core.Const(0, BOOL)) for e in (here, there)]
        if not both[0] or blank[0] != blank[1]:
            return ()
        work += zip(*both, strict=True)
    return tuple(indices)


def _steps(index: core.Expr) -> Iterator[core.Expr]:
    """What an index is made of, a number for each array on the way."""
    if isinstance(index, core.Nested):
        yield from _steps(index.outer)
        yield index.inner
    else:
        yield index


def _resolved(expr: core.Expr, sweep: Sweep) -> core.Expr:
    """A number by what it is computed of."""
    while isinstance(expr, core.Use):
        definition = sweep.index.definitions.get(expr.value)
        if not isinstance(definition, core.Let):
            break
        expr = core.primal(definition.expr)
    return expr


def _comes_out_the_same(number: core.Expr, loop: core.Loop, sweep: Sweep) -> bool:
    """Whether a number is the same, to the last digit, when it is computed again: no compiler makes a multiply-add of
    it in one place and none in the other."""
    lets = {s.value: s for s in statements(loop.body) if isinstance(s, core.Let)}
    work, seen = [number], set[core.Value]()
    while work:
        for e in subexpressions(core.primal(work.pop())):
            if isinstance(e, core.Binary) and e.op in (BinaryOp.ADD, BinaryOp.SUB) and is_floating(e.type):
                return False
            if not isinstance(e, core.Use) or e.value in sweep.needs.exact or not is_floating(e.value.type):
                continue
            definition = sweep.index.definitions.get(e.value)
            if e.value in seen:
                continue
            seen.add(e.value)
            if e.value in lets:
                work.append(lets[e.value].expr)
            elif isinstance(definition, core.If):
                work += (arm for m in definition.merges if m.value is e.value for arm in (m.then, m.other))
            elif definition is not None and not isinstance(definition, core.Load | core.Let):
                return False
    return True
