"""Loops that look for the largest or smallest of numbers: only the iterations that found it are reversed.

`m = fmax(m, x)` has a derivative by the number that is taken, and none by the other; and so has whatever else chooses
the larger of both (`adjoint/ties.py`). The result's adjoint belongs to the numbers that are equal to it, in equal
parts, whatever the order in which the loop comes to them: threads that look at the same numbers, each from its own
place, say the same. So the loop keeps the first iteration that found it, and how often it was found; the reverse sweep
goes on from there until it has met as many. What the loop begins with counts as one number more, unless it is one of
those that the loop comes to: `m = x[t]` before all of `x`.

A number that is loaded from memory which is overwritten later, such as what the warps of a block tell each other,
cannot be looked for again: it is kept beside the iteration's number, and of equal ones that with the lowest index has
it all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from cladpy.adjoint.scope import Env, Out, define_inductions
from cladpy.adjoint.ties import is_shared, taken
from cladpy.analysis.extrema import extremum as of_two
from cladpy.analysis.loops import LoopFacts
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, LONG, is_floating
from cladpy.ir.walk import children, map_children, operands, statements, subexpressions, substitute, values

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

_ONE = core.Const(1, LONG)


@dataclass(frozen=True, slots=True)
class Held:
    """A load that cannot be repeated, and the variables that have what it gave and its index."""

    load: core.Load
    content: core.Value
    at: core.Value


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
    `ties`, only one is reversed: that with the lowest index of what is `held`, or the first."""

    carried: core.Carried
    number: core.Expr
    chosen: core.Value
    last: core.Value
    ties: core.Value | None = None
    held: Held | None = None
    again: Again | None = None

    def declared(self) -> Out:
        """The variables, before the loop."""
        out: Out = [code.Define(self.last, core.Const(-1, LONG), mutable=True)]
        if self.ties is not None:
            out.append(code.Define(self.ties, _ONE, mutable=True))
        if self.ties is not None and self.again is not None:
            out.append(code.Define(self.again.met, core.Const(False, BOOL), mutable=True))
        if self.held is not None:
            out += (code.Define(v, zero(v.type), mutable=True) for v in (self.held.content, self.held.at))
        return out

    def told(self, counter: core.Value, env: Env) -> code.Statement:
        """Keeps the number of an iteration that changes the result, and counts those that find it again."""
        after = _wide(substitute(self.carried.next, env))
        changed: core.Expr = core.Binary(BinaryOp.NE, after, _wide(env[self.carried.value]), BOOL)
        again = core.Binary(BinaryOp.EQ, _wide(substitute(self.number, env)), after, BOOL)
        found: Out = [code.Assign(self.last, cast(core.Use(counter), LONG))]
        otherwise: Out = []
        if self.ties is not None:
            found.append(code.Assign(self.ties, _ONE))
            one_more = core.Binary(BinaryOp.ADD, core.Use(self.ties), _ONE, LONG)
            counted: tuple[code.Statement, ...] = (code.Assign(self.ties, one_more),)
            if self.again is not None:
                first = binary(BinaryOp.AND, self._is_of_start(), self.again.here(env), BOOL)
                counted = (code.Branch(first, (code.Assign(self.again.met, core.Const(True, BOOL)),), counted),)
            otherwise.append(code.Branch(again, counted, ()))
        if self.held is not None:
            at = substitute(exactly(self.held.load.index), env)
            lower = binary(
                BinaryOp.AND, self._is_found(), core.Binary(BinaryOp.LT, at, core.Use(self.held.at), BOOL), BOOL
            )
            if self.again is not None:
                ((_, first),) = self.again.indices
                start = cast(substitute(exactly(first), env), LONG)
                not_higher = core.Binary(BinaryOp.LE, cast(at, LONG), start, BOOL)
                of_start = core.Unary(UnaryOp.NOT, self._is_found(), BOOL)
                lower = binary(BinaryOp.OR, lower, binary(BinaryOp.AND, of_start, not_higher, BOOL), BOOL)
            changed = core.Binary(BinaryOp.OR, changed, core.Binary(BinaryOp.AND, again, lower, BOOL), BOOL)
            found += (code.Assign(self.held.content, env[self.held.load.value]), code.Assign(self.held.at, at))
        return code.Branch(changed, tuple(found), tuple(otherwise))

    def reverse(self, sweep: Sweep, loop: core.Loop, facts: LoopFacts, k: core.Value, env: Env, out: Out) -> None:
        """Gives the adjoint of the result to the numbers that it was found in, and to what the loop begins with."""
        adjoint = sweep.adjoints.adjoint
        type = adjoint_value(self.carried.value.type)
        share = core.Value("_r", type)
        left, found = core.Value("_left", LONG), core.Value("_found", BOOL)
        local = env.new_child()
        local[self.carried.value] = core.Const(float("nan"), self.carried.value.type)  # not asked for
        if self.held is not None:
            local[self.held.load.value] = core.Use(self.held.content)
        body: Out = []
        define_inductions(loop, facts, core.Use(k), env, local, body)
        for c in loop.carried:  # what else is carried is not asked for either
            local.setdefault(c.value, zero(c.value.type))
        before = 0

        def start_iteration(inner: Out) -> None:
            nonlocal before
            if self.ties is not None:
                result = _wide(env[self.carried.result])
                inner.append(
                    code.Define(found, core.Binary(BinaryOp.EQ, _wide(substitute(self.number, local)), result, BOOL))
                )
                less = core.Binary(BinaryOp.SUB, core.Use(left), cast(core.Use(found), LONG), LONG)
                inner.append(code.Assign(left, less))
            before = len(inner)
            matters = sweep.discarded.matters(self.carried.value, self.carried.result)
            seed = core.Use(share)
            sweep.adjoints.propagate(self.carried.next, seed, local, inner, loop.span, matters=matters)

        sweep.alone[self.chosen] = self.number
        sweep.run_pass(loop.body, local, body, set(), start_iteration)
        del sweep.alone[self.chosen]
        whole = core.Use(adjoint[self.carried.result])
        if self.ties is None:
            out.append(code.Define(share, whole))
            out.append(code.Branch(self._is_found(), (code.Define(k, cast(core.Use(self.last), k.type)), *body), ()))
        else:
            out.append(code.Define(share, core.Binary(BinaryOp.DIV, whole, cast(core.Use(self.ties), type), type)))
            of_start = cast(self._is_of_start(), LONG)
            out.append(code.Define(left, core.Binary(BinaryOp.SUB, core.Use(self.ties), of_start, LONG), mutable=True))
            first = core.Select(self._is_found(), core.Use(self.last), core.Const(0, LONG), LONG)
            out.append(code.Define(k, cast(first, k.type), mutable=True))
            is_left = core.Binary(BinaryOp.GT, core.Use(left), core.Const(0, LONG), BOOL)
            own = set(adjoint.values())
            declared = [s for s in body[:before] if isinstance(s, code.Define) and s.variable in own]
            first_part = [s for s in body[:before] if s not in declared]
            body = [*first_part, code.Branch(core.Use(found), (*declared, *body[before:]), ())]
            following = core.Binary(BinaryOp.ADD, core.Use(k), core.Const(1, k.type), k.type)
            out.append(code.While((), is_left, (*body, code.Assign(k, following)), loop.span))
        start = core.Value(f"_d_{self.carried.value.name}", type)
        out.append(code.Define(start, core.Select(self._is_of_start(), core.Use(share), zero(type), type)))
        adjoint[self.carried.value] = start

    def _is_of_start(self) -> core.Expr:
        """Whether what the loop begins with has a part of its own."""
        of_start = core.Unary(UnaryOp.NOT, self._is_found(), BOOL)
        if self.ties is None or self.again is None:
            return of_start
        not_met = core.Unary(UnaryOp.NOT, core.Use(self.again.met), BOOL)
        return core.Binary(BinaryOp.AND, of_start, not_met, BOOL)

    def _is_found(self) -> core.Expr:
        return core.Binary(BinaryOp.GE, core.Use(self.last), core.Const(0, LONG), BOOL)


def extremum(sweep: Sweep, loop: core.Loop, facts: LoopFacts, kept: Collection[core.Value]) -> Extremum | None:
    """What such a loop looks for, in numbers that are computed, also in loops of their own, read from memory that is
    the same when they are asked for again, or loaded and among what would be `kept` for each iteration; None where it
    is another kind of loop."""
    active = [c for c in loop.carried if c.value in sweep.activity.values]
    if len(active) != 1 or sweep.needs.store_all or loop.lanes is not None or loop not in sweep.needs.reversed:
        return None
    (carried,) = active
    others = [c.value for c in loop.carried if c is not carried and c.value not in facts.inductions]
    lets = {s.value: s for s in loop.body if isinstance(s, core.Let)}
    if loop.before or not isinstance(carried.next, core.Use) or carried.next.value not in lets:
        return None
    chosen = carried.next.value  # computed once for both uses
    number, first_has_all = _number(lets[chosen].expr, carried.value)
    if number is None or _is_made_of(number, [carried.value, *others], loop, sweep):
        return None
    for s in statements(loop.body):
        match s:
            case core.Let() | core.If() | core.Loop(lanes=None):
                pass
            case core.Load(value) if value in kept or value not in sweep.needs.kept:
                pass
            case _:
                return None
    last = core.Value("_last", LONG)
    held = [v for v in kept if v is not carried.value and v not in others]
    if not held:
        counted = not first_has_all and _comes_out_the_same(number, lets, sweep)
        ties = core.Value("_ties", LONG) if counted else None
        return Extremum(carried, number, chosen, last, ties, again=_again(number, carried.init, sweep))
    loads = {s.value: s for s in loop.body if isinstance(s, core.Load)}
    if first_has_all or not (isinstance(number, core.Use) and held == [number.value] and number.value in loads):
        return None
    load = loads[number.value]
    if isinstance(load.index, core.Nested):
        return None
    kept_here = Held(load, core.Value(number.value.name, number.type), core.Value("_lowest", load.index.type))
    return Extremum(carried, number, chosen, last, None, kept_here, _again(number, carried.init, sweep))


def _number(expr: core.Expr, value: core.Value) -> tuple[core.Expr | None, bool]:
    """What a loop carries the larger or smaller of, beside what it has found so far; and whether of equal numbers the
    first has all."""
    sole = taken(expr)
    if sole is not None:
        other, so_far = sole
        return (other, True) if so_far == core.Use(value) != other else (None, True)
    first: core.Expr
    second: core.Expr
    if isinstance(expr, core.Math) and of_two(expr) is not None:
        first, second = expr.arguments
    elif isinstance(expr, core.Linear) and is_shared(expr):
        first, second = (of for of, _ in expr.terms)
    else:
        return None, False
    for found, number in ((first, second), (second, first)):
        if found == core.Use(value) and value not in values(number):
            return number, False
    return None, False


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
