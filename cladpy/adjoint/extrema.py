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

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from cladpy.adjoint.scope import Env, Out, define_inductions
from cladpy.analysis.loops import LoopFacts
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import defined, operands, statements, substitute, values

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

TRUE = core.Const(True, BOOL)
FALSE = core.Const(False, BOOL)


@dataclass(frozen=True, slots=True)
class Choice:
    """What an iteration carries the larger or smaller of, beside what has been found `before`: `number`, to `value`."""

    before: core.Value
    number: core.Expr
    value: core.Value
    first_has_all: bool = False  # of equal numbers
    valid: core.Expr = TRUE  # whether the number is looked at
    anew: core.Expr = FALSE  # whether it is taken, whatever has been found before
    by: core.Expr | None = None  # whether it is taken, where a branch says so whatever it compares
    inside: core.If | None = (
        None  # the branch that an iteration has taken which takes the number, if that is made there
    )
    # What tells the number which the loop begins with: indices of what is loaded there, each beside that of another.
    again: tuple[tuple[core.Expr, core.Expr], ...] = ()
    held: tuple[tuple[core.Value, core.Value], ...] = ()  # what is loaded and cannot be repeated, with what has it then
    index: core.Expr | None = None  # that of the number, where it is what is loaded

    def changes(self, env: Env, takes_nan: bool) -> core.Expr:
        """Whether it changes what has been found."""
        if self.by is not None:
            return substitute(self.by, env)
        after, before = (wide(env[v]) for v in (self.value, self.before))
        changed: core.Expr = core.Binary(BinaryOp.NE, after, before, BOOL)
        if takes_nan:  # what is no number differs from itself
            one, other = (core.Binary(BinaryOp.EQ, e, e, BOOL) for e in (after, before))
            changed = core.Binary(BinaryOp.AND, changed, core.Binary(BinaryOp.OR, one, other, BOOL), BOOL)
        return binary(BinaryOp.OR, changed, substitute(self.anew, env), BOOL)

    def is_start(self, env: Env) -> core.Expr:
        """Whether it is the number that the loop begins with."""
        both = ((cast(substitute(exactly(e), env), LONG) for e in pair) for pair in self.again)
        same: list[core.Expr] = [core.Binary(BinaryOp.EQ, here, start, BOOL) for here, start in both]
        return reduce(lambda a, b: binary(BinaryOp.AND, a, b, BOOL), same)


@dataclass(frozen=True, slots=True)
class Extremum:
    """What is looked for: each iteration makes one choice after the other, and the last is `carried` on. `last` is the
    variable that has the number of the iteration, negative if there is none, and `which` has that of its choice where
    there are several; `ties` that which counts those that found it, and `met` whether one was the number that the loop
    begins with. Without `ties`, only one is reversed: that with the lowest index, if `lowest` is a variable for it, or
    the first. Where the reverse sweep stands in another scope, it is given all `variables`."""

    carried: core.Carried
    choices: tuple[Choice, ...]
    last: core.Value
    which: core.Value | None = None
    ties: core.Value | None = None
    met: core.Value | None = None
    lowest: core.Value | None = None
    takes_nan: bool = True  # whether what is found may be no number

    @property
    def variables(self) -> tuple[core.Value, ...]:
        """What the loop leaves for its reverse."""
        return (*(v for v in (self.last, self.which, self.ties, self.met) if v is not None), *self._holders)

    @property
    def _holders(self) -> tuple[core.Value, ...]:
        """The variables of what is held, which choices share."""
        return tuple(dict.fromkeys(variable for choice in self.choices for _, variable in choice.held))

    def declared(self) -> Out:
        """The variables, before the loop."""
        out: Out = [code.Define(self.last, core.Const(-1, self.last.type), mutable=True)]
        if self.which is not None:
            out.append(code.Define(self.which, zero(self.which.type), mutable=True))
        if self.ties is not None:
            out.append(code.Define(self.ties, core.Const(1, self.ties.type), mutable=True))
        if self.met is not None:
            out.append(code.Define(self.met, core.Const(False, BOOL), mutable=True))
        lowest = () if self.lowest is None else (self.lowest,)
        out += (code.Define(v, zero(v.type), mutable=True) for v in (*self._holders, *lowest))
        return out

    def told(self, counter: core.Value, env: Env) -> Out:
        """Keeps the number of an iteration that changes the result, and counts those that find it again."""
        return [self._told(which, choice, counter, env) for which, choice in enumerate(self.choices)]

    def _told(self, which: int, choice: Choice, counter: core.Value, env: Env) -> code.Statement:
        changed = choice.changes(env, self.takes_nan)
        again = self._found_by(choice, env, wide(env[choice.value]))
        found: Out = [code.Assign(self.last, cast(core.Use(counter), self.last.type))]
        otherwise: Out = []
        if self.which is not None:
            found.append(code.Assign(self.which, core.Const(which, self.which.type)))
        if self.ties is not None:
            first_of = core.Const(1, self.ties.type)
            found.append(code.Assign(self.ties, first_of))
            one_more = core.Binary(BinaryOp.ADD, core.Use(self.ties), first_of, first_of.type)
            counted: tuple[code.Statement, ...] = (code.Assign(self.ties, one_more),)
            if self.met is not None and choice.again:
                first = binary(BinaryOp.AND, self._is_of_start(env), choice.is_start(env), BOOL)
                counted = (code.Branch(first, (code.Assign(self.met, core.Const(True, BOOL)),), counted),)
            otherwise.append(code.Branch(again, counted, ()))
        if self.lowest is not None and choice.index is not None:
            at = substitute(exactly(choice.index), env)
            below = core.Binary(BinaryOp.LT, at, core.Use(self.lowest), BOOL)
            lower = binary(BinaryOp.AND, _is_found(env[self.last]), below, BOOL)
            if choice.again:
                ((_, first),) = choice.again
                start = cast(substitute(exactly(first), env), LONG)
                not_higher = core.Binary(BinaryOp.LE, cast(at, LONG), start, BOOL)
                of_start = core.Unary(UnaryOp.NOT, _is_found(env[self.last]), BOOL)
                lower = binary(BinaryOp.OR, lower, binary(BinaryOp.AND, of_start, not_higher, BOOL), BOOL)
            changed = core.Binary(BinaryOp.OR, changed, core.Binary(BinaryOp.AND, again, lower, BOOL), BOOL)
            found.append(code.Assign(self.lowest, at))
        found += (code.Assign(variable, env[value]) for value, variable in choice.held)
        return code.Branch(changed, tuple(found), tuple(otherwise))

    def reverse(self, sweep: Sweep, loop: core.Loop, facts: LoopFacts, k: core.Value, env: Env, out: Out) -> None:
        """Gives the adjoint of the result to the numbers that it was found in, and to what the loop begins with."""
        adjoint = sweep.adjoints.adjoint
        type = adjoint_value(self.carried.value.type)
        share = core.Value("_r", type)
        left = core.Value("_left", self.last.type)
        local = env.new_child()
        local[self.carried.value] = core.Const(float("nan"), self.carried.value.type)  # not asked for
        body: Out = []
        define_inductions(loop, facts, core.Use(k), env, local, body)
        for c in loop.carried:  # what else is carried is not asked for either
            local.setdefault(c.value, zero(c.value.type))
        reversed_ = [self._reversed(which, sweep, loop, k, share, left, local) for which in range(len(self.choices))]
        whole = core.Use(adjoint[self.carried.result])
        last, is_of_start = env[self.last], self._is_of_start(env)
        if self.ties is None:
            out.append(code.Define(share, whole))
            *others, chosen = enumerate(reversed_)
            taken = chosen[1]
            for which, other in reversed(others):
                assert self.which is not None
                number = core.Const(which, self.which.type)
                taken = [
                    code.Branch(core.Binary(BinaryOp.EQ, env[self.which], number, BOOL), tuple(other), tuple(taken))
                ]
            out.append(code.Branch(_is_found(last), (code.Define(k, cast(last, k.type)), *body, *taken), ()))
        else:
            ties = env[self.ties]
            out.append(code.Define(share, core.Binary(BinaryOp.DIV, whole, cast(ties, type), type)))
            of_start = cast(is_of_start, left.type)
            out.append(code.Define(left, core.Binary(BinaryOp.SUB, ties, of_start, left.type), mutable=True))
            first = core.Select(_is_found(last), last, core.Const(0, last.type), last.type)
            out.append(code.Define(k, cast(first, k.type), mutable=True))
            is_left = core.Binary(BinaryOp.GT, core.Use(left), core.Const(0, left.type), BOOL)
            following = core.Binary(BinaryOp.ADD, core.Use(k), core.Const(1, k.type), k.type)
            each = [s for statements_ in reversed_ for s in statements_]
            out.append(code.While((), is_left, (*body, *each, code.Assign(k, following)), loop.span))
        start = core.Value(f"_d_{self.carried.value.name}", type)
        out.append(code.Define(start, core.Select(is_of_start, core.Use(share), zero(type), type)))
        adjoint[self.carried.value] = start

    def _reversed(
        self, which: int, sweep: Sweep, loop: core.Loop, k: core.Value, share: core.Value, left: core.Value, env: Env
    ) -> Out:
        """Gives a choice's number its `share`; with `ties`, where it is what has been found, if some are `left`."""
        choice, found = self.choices[which], core.Value("_found", BOOL)
        local = env.new_child()
        local.update((value, env[variable]) for value, variable in choice.held)
        local.update((c.value, env[self.carried.value]) for c in self.choices[:-1])  # not asked for either
        body: Out = []
        before = 0

        def start_iteration(inner: Out) -> None:
            nonlocal before
            if self.ties is not None:
                is_found = self._found_by(choice, local, wide(env[self.carried.result]))
                if self.which is not None and any(c.anew != FALSE for c in self.choices[which + 1 :]):
                    later = core.Binary(BinaryOp.NE, core.Use(k), cast(env[self.last], k.type), BOOL)
                    since = core.Binary(BinaryOp.LE, env[self.which], core.Const(which, self.which.type), BOOL)
                    counts = core.Binary(BinaryOp.OR, later, since, BOOL)  # what was before it began anew does not
                    is_found = core.Binary(BinaryOp.AND, counts, is_found, BOOL)
                inner.append(code.Define(found, is_found))
                less = core.Binary(BinaryOp.SUB, core.Use(left), cast(core.Use(found), left.type), left.type)
                inner.append(code.Assign(left, less))
            before = len(inner)
            matters = sweep.discarded.matters(self.carried.value, self.carried.result)
            seed = core.Use(share)
            sweep.adjoints.propagate(self.carried.next, seed, local, inner, loop.span, matters=matters)

        last = self.choices[-1].value
        sweep.alone[last] = choice.number
        sweep.run_pass(part_of(loop, choice, last), local, body, set(), start_iteration)
        del sweep.alone[last]
        if self.ties is None:
            return body
        own = set(sweep.adjoints.adjoint.values())
        declared = [s for s in body[:before] if isinstance(s, code.Define) and s.variable in own]
        first_part = [s for s in body[:before] if s not in declared]
        return [*first_part, code.Branch(core.Use(found), (*declared, *body[before:]), ())]

    def _found_by(self, choice: Choice, env: Env, result: core.Expr) -> core.Expr:
        """Whether a choice's number is what has been found."""
        same = self._same(wide(substitute(choice.number, env)), result)
        return binary(BinaryOp.AND, substitute(choice.valid, env), same, BOOL)

    def _same(self, number: core.Expr, result: core.Expr) -> core.Expr:
        same = core.Binary(BinaryOp.EQ, number, result, BOOL)
        if not self.takes_nan:
            return same
        first, second = (core.Binary(BinaryOp.NE, e, e, BOOL) for e in (number, result))
        return core.Binary(BinaryOp.OR, same, core.Binary(BinaryOp.AND, first, second, BOOL), BOOL)

    def _is_of_start(self, env: Env) -> core.Expr:
        """Whether what the loop begins with has a part of its own."""
        of_start = core.Unary(UnaryOp.NOT, _is_found(env[self.last]), BOOL)
        if self.met is None:
            return of_start
        return core.Binary(BinaryOp.AND, of_start, core.Unary(UnaryOp.NOT, env[self.met], BOOL), BOOL)


def _is_found(last: core.Expr) -> core.Expr:
    return core.Binary(BinaryOp.GE, last, core.Const(0, last.type), BOOL)


def made_of(exprs: Iterable[core.Expr], region: core.Region) -> set[core.Value]:
    """The values that expressions depend on, by way of what a region computes: of a branch, by what it leaves there."""
    made_by = {v: s for s in statements(region) for v in defined(s)}
    work, found = list(exprs), set[core.Value]()
    while work:
        for value in set(values(work.pop())) - found:
            found.add(value)
            match made_by.get(value):
                case None:
                    pass
                case core.If(condition, _, _, merges):
                    work += (e for m in merges if m.value is value for e in (condition, m.then, m.other))
                case statement:
                    work += (e for s in statements((statement,)) for e in operands(s))
    return found


def part_of(loop: core.Loop, choice: Choice, last: core.Value) -> core.Region:
    """The statements of a loop's body that a choice's number is made of, and the last choice."""
    needed = {last, *made_of((choice.number, choice.valid), loop.body)}
    around = choice.inside
    inside = () if around is None else (*around.then, *around.other)  # of which the other one makes nothing of it
    body = (part for s in loop.body for part in (inside if s is around else (s,)))
    return tuple(s for s in body if not needed.isdisjoint(defined(s)))


def wide(number: core.Expr) -> core.Expr:
    """A number as one that can be compared: core has no operators of halves."""
    return cast(number, adjoint_value(number.type))
