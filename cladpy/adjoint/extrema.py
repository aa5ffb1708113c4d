"""Loops that look for the largest or smallest of numbers: only the iterations that found it are reversed.

`m = fmax(m, x)` has a derivative by the number that is taken, and none by the other; and so has whatever else chooses
the larger of both (`adjoint/ties.py`). The result's adjoint belongs to the numbers that are equal to it, in equal
parts, whatever the order in which the loop comes to them: threads that look at the same numbers, each from its own
place, say the same. So the loop keeps the first iteration that found it, and how often it was found; the reverse sweep
goes on from there until it has met as many. What the loop begins with counts as one number more, unless it is one of
those that the loop comes to: `m = x[t]` before all of `x`.

A condition may say more than which number is larger: `k == 0 || x < m` begins anew where it says so, and with
`valid && x > m` only some numbers are looked at. Where a branch decides by itself, as one that keeps an index and asks
for it, or asks for something else, the last iteration that it takes a number in has it all.

What is loaded from memory which is overwritten later, such as what the warps of a block tell each other, cannot be
looked for again: it is kept beside the iteration's number. Of equal numbers that are loaded the one with the lowest
index has it all, of such that are computed of what is loaded the first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from cladpy.adjoint.scope import Env, Out, define_inductions
from cladpy.adjoint.ties import asked_sides, is_shared, taken
from cladpy.analysis.extrema import extremum as of_two
from cladpy.analysis.loops import LoopFacts
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import binary, cast, unary, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, is_floating
from cladpy.ir.walk import children, map_children, operands, statements, subexpressions, substitute, values

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

_TRUE = core.Const(True, BOOL)
_FALSE = core.Const(False, BOOL)
_WITHOUT_NAN = frozenset({"fmax", "fmaxf", "fmin", "fminf"})  # of a number and what is none they give the number
_ORDERS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})  # which do not hold of what is no number


@dataclass(frozen=True, slots=True)
class Held:
    """What is loaded and cannot be repeated, each with the variable that has it; and where the number itself is what is
    loaded, its index, with the variable that has the lowest."""

    contents: tuple[tuple[core.Value, core.Value], ...]
    index: tuple[tuple[core.Expr, core.Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Again:
    """What tells an iteration that comes to the number which the loop begins with: the indices of what is loaded there,
    each beside that of the other. `met` is the variable that says whether one did."""

    indices: tuple[tuple[core.Expr, core.Expr], ...]
    met: core.Value

    def here(self, env: Env) -> core.Expr:
        both = ((cast(substitute(exactly(e), env), LONG) for e in pair) for pair in self.indices)
        same: list[core.Expr] = [core.Binary(BinaryOp.EQ, here, start, BOOL) for here, start in both]
        return reduce(lambda a, b: binary(BinaryOp.AND, a, b, BOOL), same)


@dataclass(frozen=True, slots=True)
class Extremum:
    """What is looked for among the values of `number`: `chosen` is what is carried on. `last` is the variable that has
    the number of the iteration, negative if there is none; `ties` that which counts those that found it. Without
    `ties`, only one is reversed: that with the lowest index of what is `held`, or the first. Where the reverse sweep
    stands in another scope, it is given all `variables`."""

    carried: core.Carried
    number: core.Expr
    chosen: core.Value
    last: core.Value
    ties: core.Value | None = None
    held: Held | None = None
    again: Again | None = None
    valid: core.Expr = _TRUE  # whether an iteration's number is looked at
    anew: core.Expr = _FALSE  # whether it is taken, whatever has been found before
    by: core.Expr | None = None  # whether it is taken, where a branch says so whatever it compares
    takes_nan: bool = True  # whether what is found may be no number

    @property
    def variables(self) -> tuple[core.Value, ...]:
        """What the loop leaves for its reverse."""
        met = None if self.again is None or self.ties is None else self.again.met
        contents = () if self.held is None else (variable for _, variable in self.held.contents)
        return (*(v for v in (self.last, self.ties, met) if v is not None), *contents)

    def declared(self) -> Out:
        """The variables, before the loop."""
        out: Out = [code.Define(self.last, core.Const(-1, self.last.type), mutable=True)]
        if self.ties is not None:
            out.append(code.Define(self.ties, core.Const(1, self.ties.type), mutable=True))
        if self.ties is not None and self.again is not None:
            out.append(code.Define(self.again.met, core.Const(False, BOOL), mutable=True))
        if self.held is not None:
            held = [variable for _, variable in (*self.held.contents, *self.held.index)]
            out += (code.Define(v, zero(v.type), mutable=True) for v in held)
        return out

    def told(self, counter: core.Value, env: Env) -> code.Statement:
        """Keeps the number of an iteration that changes the result, and counts those that find it again."""
        after = _wide(substitute(self.carried.next, env))
        before = _wide(env[self.carried.value])
        changed: core.Expr = core.Binary(BinaryOp.NE, after, before, BOOL)
        if self.takes_nan:  # what is no number differs from itself
            one, other = (core.Binary(BinaryOp.EQ, e, e, BOOL) for e in (after, before))
            changed = core.Binary(BinaryOp.AND, changed, core.Binary(BinaryOp.OR, one, other, BOOL), BOOL)
        changed = binary(BinaryOp.OR, changed, substitute(self.anew, env), BOOL)
        if self.by is not None:
            changed = substitute(self.by, env)
        again = self._found_by(env, after)
        found: Out = [code.Assign(self.last, cast(core.Use(counter), self.last.type))]
        otherwise: Out = []
        if self.ties is not None:
            first_of = core.Const(1, self.ties.type)
            found.append(code.Assign(self.ties, first_of))
            one_more = core.Binary(BinaryOp.ADD, core.Use(self.ties), first_of, first_of.type)
            counted: tuple[code.Statement, ...] = (code.Assign(self.ties, one_more),)
            if self.again is not None:
                first = binary(BinaryOp.AND, self._is_of_start(env), self.again.here(env), BOOL)
                counted = (code.Branch(first, (code.Assign(self.again.met, core.Const(True, BOOL)),), counted),)
            otherwise.append(code.Branch(again, counted, ()))
        for index, lowest in () if self.held is None else self.held.index:
            at = substitute(exactly(index), env)
            lower = binary(
                BinaryOp.AND, _is_found(env[self.last]), core.Binary(BinaryOp.LT, at, core.Use(lowest), BOOL), BOOL
            )
            if self.again is not None:
                ((_, first),) = self.again.indices
                start = cast(substitute(exactly(first), env), LONG)
                not_higher = core.Binary(BinaryOp.LE, cast(at, LONG), start, BOOL)
                of_start = core.Unary(UnaryOp.NOT, _is_found(env[self.last]), BOOL)
                lower = binary(BinaryOp.OR, lower, binary(BinaryOp.AND, of_start, not_higher, BOOL), BOOL)
            changed = core.Binary(BinaryOp.OR, changed, core.Binary(BinaryOp.AND, again, lower, BOOL), BOOL)
            found.append(code.Assign(lowest, at))
        if self.held is not None:
            found += (code.Assign(variable, env[value]) for value, variable in self.held.contents)
        return code.Branch(changed, tuple(found), tuple(otherwise))

    def reverse(self, sweep: Sweep, loop: core.Loop, facts: LoopFacts, k: core.Value, env: Env, out: Out) -> None:
        """Gives the adjoint of the result to the numbers that it was found in, and to what the loop begins with."""
        adjoint = sweep.adjoints.adjoint
        type = adjoint_value(self.carried.value.type)
        share = core.Value("_r", type)
        left, found = core.Value("_left", self.last.type), core.Value("_found", BOOL)
        local = env.new_child()
        local[self.carried.value] = core.Const(float("nan"), self.carried.value.type)  # not asked for
        if self.held is not None:
            local.update((value, env[variable]) for value, variable in self.held.contents)
        body: Out = []
        define_inductions(loop, facts, core.Use(k), env, local, body)
        for c in loop.carried:  # what else is carried is not asked for either
            local.setdefault(c.value, zero(c.value.type))
        before = 0

        def start_iteration(inner: Out) -> None:
            nonlocal before
            if self.ties is not None:
                inner.append(code.Define(found, self._found_by(local, _wide(env[self.carried.result]))))
                less = core.Binary(BinaryOp.SUB, core.Use(left), cast(core.Use(found), left.type), left.type)
                inner.append(code.Assign(left, less))
            before = len(inner)
            matters = sweep.discarded.matters(self.carried.value, self.carried.result)
            seed = core.Use(share)
            sweep.adjoints.propagate(self.carried.next, seed, local, inner, loop.span, matters=matters)

        sweep.alone[self.chosen] = self.number
        sweep.run_pass(loop.body, local, body, set(), start_iteration)
        del sweep.alone[self.chosen]
        whole = core.Use(adjoint[self.carried.result])
        last, is_of_start = env[self.last], self._is_of_start(env)
        if self.ties is None:
            out.append(code.Define(share, whole))
            out.append(code.Branch(_is_found(last), (code.Define(k, cast(last, k.type)), *body), ()))
        else:
            ties = env[self.ties]
            out.append(code.Define(share, core.Binary(BinaryOp.DIV, whole, cast(ties, type), type)))
            of_start = cast(is_of_start, left.type)
            out.append(code.Define(left, core.Binary(BinaryOp.SUB, ties, of_start, left.type), mutable=True))
            first = core.Select(_is_found(last), last, core.Const(0, last.type), last.type)
            out.append(code.Define(k, cast(first, k.type), mutable=True))
            is_left = core.Binary(BinaryOp.GT, core.Use(left), core.Const(0, left.type), BOOL)
            own = set(adjoint.values())
            declared = [s for s in body[:before] if isinstance(s, code.Define) and s.variable in own]
            first_part = [s for s in body[:before] if s not in declared]
            body = [*first_part, code.Branch(core.Use(found), (*declared, *body[before:]), ())]
            following = core.Binary(BinaryOp.ADD, core.Use(k), core.Const(1, k.type), k.type)
            out.append(code.While((), is_left, (*body, code.Assign(k, following)), loop.span))
        start = core.Value(f"_d_{self.carried.value.name}", type)
        out.append(code.Define(start, core.Select(is_of_start, core.Use(share), zero(type), type)))
        adjoint[self.carried.value] = start

    def _found_by(self, env: Env, result: core.Expr) -> core.Expr:
        """Whether an iteration's number is what has been found."""
        same = self._same(_wide(substitute(self.number, env)), result)
        return binary(BinaryOp.AND, substitute(self.valid, env), same, BOOL)

    def _same(self, number: core.Expr, result: core.Expr) -> core.Expr:
        same = core.Binary(BinaryOp.EQ, number, result, BOOL)
        if not self.takes_nan:
            return same
        first, second = (core.Binary(BinaryOp.NE, e, e, BOOL) for e in (number, result))
        return core.Binary(BinaryOp.OR, same, core.Binary(BinaryOp.AND, first, second, BOOL), BOOL)

    def _is_of_start(self, env: Env) -> core.Expr:
        """Whether what the loop begins with has a part of its own."""
        of_start = core.Unary(UnaryOp.NOT, _is_found(env[self.last]), BOOL)
        if self.ties is None or self.again is None:
            return of_start
        not_met = core.Unary(UnaryOp.NOT, env[self.again.met], BOOL)
        return core.Binary(BinaryOp.AND, of_start, not_met, BOOL)


def _is_found(last: core.Expr) -> core.Expr:
    return core.Binary(BinaryOp.GE, last, core.Const(0, last.type), BOOL)


def extremum(sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: Collection[core.Value]) -> Extremum | None:
    """What such a loop looks for, in numbers that are computed, also in loops of their own, read from memory that is
    the same when they are asked for again, or loaded and among what would be `kept` for each iteration; None where it
    is another kind of loop."""
    active = [c for c in loop.carried if c.value in sweep.activity.values]
    if len(active) != 1 or loop.lanes is not None or loop not in sweep.needs.reversed:
        return None
    if sweep.needs.store_all and any(isinstance(s, core.Loop) for s in statements(loop.body)):
        return None  # these would keep frames for each iteration
    (carried,) = active
    others = [c.value for c in loop.carried if c is not carried and c.value not in facts.inductions]
    lets = {s.value: s for s in loop.body if isinstance(s, core.Let)}
    if loop.before or not isinstance(carried.next, core.Use) or carried.next.value not in lets:
        return None
    chosen = carried.next.value  # computed once for both uses
    looked_at = _looked_at(lets[chosen].expr, carried.value)
    if looked_at is None or _is_made_of(looked_at.number, [carried.value, *others], loop, sweep):
        return None
    number, valid, anew, by = looked_at.number, looked_at.valid, looked_at.anew, looked_at.by
    first_has_all = looked_at.first_has_all or _is_made_of(valid, [carried.value, *others], loop, sweep)
    for s in statements(loop.body):
        match s:
            case core.Let() | core.If() | core.Loop(lanes=None):
                pass
            case core.Load(value) if value in kept or value not in sweep.needs.kept:
                pass
            case _:
                return None
    steps = INT if facts.trip_count is not None and facts.trip_count.type == INT else LONG
    last = core.Value("_last", steps)
    choice = core.primal(lets[chosen].expr)
    takes_nan = _takes_nan(choice, number, sweep)
    starts_so = _may_be_nan(carried.init, sweep)  # and may stay so
    held = [v for v in kept if v is not carried.value and v not in others]
    if not held:
        counted = not first_has_all and _comes_out_the_same(number, lets, sweep)
        ties = core.Value("_ties", steps) if counted else None
        again = _again(number, carried.init, sweep)
        return Extremum(carried, number, chosen, last, ties, None, again, valid, anew, by, takes_nan or starts_so)
    loads = {s.value: s for s in loop.body if isinstance(s, core.Load)}
    if any(v not in loads for v in held):
        return None
    contents = tuple((v, core.Value(v.name, v.type)) for v in held)
    start: Again | None = None
    at: tuple[tuple[core.Expr, core.Value], ...] = ()
    if isinstance(number, core.Use) and held == [number.value] and not first_has_all and anew == _FALSE:
        index = loads[number.value].index
        if isinstance(index, core.Nested):
            return None
        start, at = _again(number, carried.init, sweep), ((index, core.Value("_lowest", index.type)),)
    takes_nan |= starts_so and not isinstance(choice, core.Math)  # which stays so where nothing is a number
    return Extremum(carried, number, chosen, last, None, Held(contents, at), start, valid, anew, by, takes_nan)


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What a loop carries the larger or smaller of, beside what it has found so far; and whether of equal numbers the
    first has all. `valid`, `anew` and `by` are as in `Extremum`."""

    number: core.Expr
    first_has_all: bool = False
    valid: core.Expr = _TRUE
    anew: core.Expr = _FALSE
    by: core.Expr | None = None


def _looked_at(expr: core.Expr, value: core.Value) -> _LookedAt | None:
    sole = taken(expr)
    if sole is not None:
        larger, so_far = sole
        return _LookedAt(larger, True) if so_far == core.Use(value) != larger else None
    match expr:
        case core.Select(condition, then, other) if other == core.Use(value) and value not in values(then):
            return _LookedAt(then, True, by=condition)
        case core.Select(condition, then, other) if then == core.Use(value) and value not in values(other):
            return _LookedAt(other, True, by=unary(UnaryOp.NOT, condition, BOOL))
    sides = asked_sides(expr)
    first: core.Expr
    second: core.Expr
    if isinstance(expr, core.Math) and of_two(expr) is not None:
        first, second = expr.arguments
    elif isinstance(expr, core.Linear) and (is_shared(expr) or sides is not None):
        first, second = (of for of, _ in expr.terms)
    else:
        return None
    for found, number in ((first, second), (second, first)):
        if found == core.Use(value) and value not in values(number):
            return _LookedAt(number) if sides is None else _by_sides(number, number is first, *sides)
    return None


def _by_sides(number: core.Expr, is_first: bool, above: core.Expr, below: core.Expr) -> _LookedAt | None:
    """`above` and `below` say whether the first of both is taken where it is larger and smaller. Whether it is the
    number that is larger or smaller that a loop looks for: one that is taken although it is not is taken anyhow."""
    if not is_first:
        above, below = (unary(UnaryOp.NOT, side, BOOL) for side in (below, above))
    for valid, anew in ((above, below), (below, above)):
        if _follows(anew, valid):
            return _LookedAt(number, False, valid, anew)
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
    if narrow in (_FALSE, wide) or wide == _TRUE:
        return True
    return (
        isinstance(narrow, core.Binary)
        and narrow.op is BinaryOp.AND
        and (_follows(narrow.left, wide) or _follows(narrow.right, wide))
    )


def _again(number: core.Expr, start: core.Expr, sweep: Sweep) -> Again | None:
    """How an iteration is told that comes to the number which the loop begins with; None where that is made in another
    way than those of the loop."""
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
            return None
        work += zip(*both, strict=True)
    return Again(tuple(indices), core.Value("_met", BOOL)) if indices else None


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


def _is_made_of(number: core.Expr, given: list[core.Value], loop: core.Loop, sweep: Sweep) -> bool:
    """Whether a number depends on one of some values, by way of what the loop's body computes."""
    inside = set(statements(loop.body))
    work, seen = [number], set[core.Value]()
    while work:
        for value in set(values(work.pop())) - seen:
            seen.add(value)
            definition = sweep.index.definitions.get(value)
            if definition in inside:
                assert definition is not None
                work += (e for s in statements((definition,)) for e in operands(s))
    return not seen.isdisjoint(given)


def _comes_out_the_same(number: core.Expr, lets: Mapping[core.Value, core.Let], sweep: Sweep) -> bool:
    """Whether a number is the same, to the last digit, when it is computed again: no compiler makes a multiply-add of
    it in one place and none in the other."""
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
            elif definition is not None and not isinstance(definition, core.Load | core.Let):
                return False
    return True


def _wide(number: core.Expr) -> core.Expr:
    """A number as one that can be compared: core has no operators of halves."""
    return cast(number, adjoint_value(number.type))
