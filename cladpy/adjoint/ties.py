"""Equal numbers share the adjoint of the larger or smaller of both, however a program chooses it.

A choice that `analysis/extrema.py` knows becomes a value whose partials are known (`core.Linear`): for each of the two
numbers its share, which is half where they are equal. The rules of `fmax` and its like say so by themselves.

Where more than the larger number is chosen by one comparison, as in a softmax that rescales its sum when it finds a
larger number, or a ReLU beside a constant, the branch that was taken is right by itself, and a mixture of both is not:
such choices stay. What else has its kink where the same two numbers are equal, as a `fmax` of them or the absolute
value beside a ReLU, takes the branch's side: then all of it is the derivative of one smooth piece. So does another
branch, on the other side, as far as it only chooses of numbers that are known before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from cladpy import derivatives
from cladpy.analysis import extrema
from cladpy.analysis.activity import Activity
from cladpy.analysis.alike import alike
from cladpy.analysis.flow import flow
from cladpy.analysis.steering import steering
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.fold import cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, is_floating
from cladpy.ir.walk import defined, statements, values

_SHARES = ("cladpy::share<T>(", "-cladpy::share<T>(", "cladpy::part<T>(")
_SIMPLE = ("cladpy::share<T>(x, y, z)", "cladpy::share<T>(!(x), z, y)")
_TAKEN = ("cladpy::share<T>(x)", "cladpy::share<T>(!(x))")
_SIDED = ("cladpy::share<T>(y == z ? w : x)", "cladpy::share<T>(y == z ? !(w) : !(x))")
_FIRST = ("cladpy::share<T>(y == z || x)", "cladpy::share<T>(!(y == z || x))")  # it is taken where they are equal
_SECOND = ("cladpy::share<T>(y != z && x)", "cladpy::share<T>(!(y != z && x))")
_COMPOUND = ("cladpy::share<T>(x, w, r, y, z)", "cladpy::share<T>(!(x), !(w), !(r), z, y)")
_DEPTH = 2  # of differences that a branch computes


def is_share(partial: core.Expr) -> bool:
    """Whether a partial says which part a number has of the adjoint of what is chosen."""
    return isinstance(partial, core.Formula) and partial.text.startswith(_SHARES)


def is_shared(expr: core.Expr) -> bool:
    """Whether equal numbers share the adjoint of a value by halves."""
    return isinstance(expr, core.Linear) and all(
        isinstance(p, core.Formula) and p.text in _SIMPLE for _, p in expr.terms
    )


def asked_sides(expr: core.Expr) -> tuple[core.Expr, core.Expr] | None:
    """Of a choice whose condition says more than which number is larger: whether the first is taken where it is larger,
    and where it is smaller."""
    if not isinstance(expr, core.Linear):
        return None
    for _, partial in expr.terms:
        if isinstance(partial, core.Formula) and partial.text == _COMPOUND[0]:
            given = dict(partial.operands)
            return given["w"], given["r"]
    return None


def taken(expr: core.Expr) -> tuple[core.Use, core.Use] | None:
    """The two numbers of which one has all of a value's adjoint: the second one where they are equal."""
    if not isinstance(expr, core.Linear) or {getattr(p, "text", "") for _, p in expr.terms} != set(_TAKEN):
        return None
    (first, _), (second, _) = expr.terms
    return first, second


def with_ties(function: core.Function, activity: Activity, *, may_alias: bool = False) -> core.Function:
    """The function with its choices of larger and smaller numbers known; the function itself where it has none."""
    if activity.integers:
        return function
    writer = _Writer(function, activity, may_alias)
    body = writer.region(function.body)
    return replace(function, body=body) if writer.found else function


class _Writer:
    def __init__(self, function: core.Function, activity: Activity, may_alias: bool) -> None:
        self.activity = activity
        self.found = False
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        self.names = extrema.Names(self.lets, alike(function, may_alias=may_alias), _flags(function))
        self.steering = steering(function, activity)
        self.exchanged = {s.value for s in statements(function.body) if isinstance(s, core.Collective)}
        self.steered: set[core.Statement] = set()  # branches that choose a number, and what steers
        joint = list(self._joint(function.body))
        self.joint = {extrema.resolved(c, self.lets) for c in joint}
        self.sides: dict[frozenset[core.Expr], extrema.Side] = {}
        for condition in joint:
            for side in extrema.sides(condition, self.names):
                self.sides.setdefault(side.pair, side)

    # ---- what is chosen together -----------------------------------------------------------------------------------

    def _joint(self, region: core.Region) -> Iterator[core.Expr]:
        """The conditions by which more is chosen than the larger or smaller of two numbers."""
        for s in statements(region):
            match s:
                case core.If(condition, _, _, merges):
                    if not self._only_chooses(s):
                        yield condition
                    elif self._steers(condition, [m.value for m in merges]):
                        self.steered.add(s)
                        yield condition
                case core.Let(value, core.Select(condition, then, other) as chosen):
                    alone = self.activity.expr(chosen) and self._choice(condition, then, other) is None
                    if alone or self._steers(condition, [value]):
                        yield condition
                case _:
                    pass

    def _only_chooses(self, statement: core.If, of_two: bool = True) -> bool:
        """Whether all that has a derivative in a branch are numbers that it chooses of those before it: `of_two`, the
        larger or smaller of them."""
        for m in statement.merges:
            if m.value in self.activity.values:
                chosen = self._merged(statement, m)
                if chosen is None:
                    return False
                if of_two and self._choice(chosen.condition, chosen.then, chosen.other) is None:
                    return False
        inside = (s for r in (statement.then, statement.other) for s in statements(r))
        return not any(self.activity.statement(s) for s in inside if not isinstance(s, core.Let))

    def _steers(self, condition: core.Expr, chosen: Collection[core.Value]) -> bool:
        """Whether what is chosen beside the larger number says where derivatives flow, as the index of it. Where lanes
        ask each other, each may have another index of equal numbers: the number is shared all the same, unless the
        condition says what happens to equal ones."""
        if self.steering.isdisjoint(chosen):
            return False
        compared = (extrema.plain(e, self.names) for e in extrema.compared(condition, self.names))
        asked = any(not self.exchanged.isdisjoint(values(e)) for e in compared)
        return not asked or not any(extrema.sides(condition, self.names))

    def _choice(self, condition: core.Expr, then: core.Expr, other: core.Expr) -> extrema.Choice | None:
        if then == other or not (self._varies(then) and self._varies(other)):
            return None  # beside a constant it is the branch that was taken
        return extrema.choice(condition, then, other, self.names)

    def _varies(self, arm: core.Expr) -> bool:
        """Whether what is chosen has a derivative: it may be a number that is compared only, and so is not active until
        the choice is known."""
        return not self.activity.varied.isdisjoint(flow(arm, self.activity.integers))

    # ---- statements ------------------------------------------------------------------------------------------------

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.If():
                    self._if(statement, out)
                case core.Loop():
                    out.append(replace(statement, body=self.region(statement.body)))
                case core.Let(value, expr) if value in self.activity.values:
                    known = self._known(expr, statement.span, out)
                    out.append(statement if known is None else replace(statement, expr=known))
                case _:
                    out.append(statement)
        return tuple(out)

    def _if(self, statement: core.If, out: list[core.Statement]) -> None:
        merges: list[core.Merge] = []
        after: list[core.Statement] = []
        follows = self._follows(statement.condition)
        turned = follows and statement not in self.steered and self._only_chooses(statement, of_two=False)
        for m in statement.merges:
            known: core.Linear | None = None
            select = self._merged(statement, m) if not follows or statement in self.steered or turned else None
            if select is not None and turned:
                known = self._turned(select, statement.span, after)
            elif select is not None:
                known = self._chosen(select, follows, statement.span, after)
            if known is None:
                merges.append(m)
            else:
                after.append(core.Let(m.value, known, statement.span))
        taken, left = self.region(statement.then), self.region(statement.other)
        if merges or any(not isinstance(s, core.Let) for s in (*taken, *left)):
            out.append(replace(statement, then=taken, other=left, merges=tuple(merges)))
        out += after

    def _merged(self, statement: core.If, merge: core.Merge) -> core.Select | None:
        """What a branch leaves in a value, by values that are known before it."""
        inner = {v: s for r in (statement.then, statement.other) for s in statements(r) for v in defined(s)}

        def from_outside(arm: core.Expr, depth: int = _DEPTH) -> core.Expr | None:
            """Itself, or the number that the condition compares, if it is computed alike, or a difference of such."""
            if not any(v in inner for v in values(arm)):
                return arm
            for e in extrema.compared(statement.condition, self.names):
                if extrema.same(e, arm, self.names):
                    return e
            match self.lets.get(arm.value) if isinstance(arm, core.Use) else arm:
                case core.Unary(UnaryOp.NEG, operand, type) if depth:
                    opposite = from_outside(operand, depth - 1)
                    return None if opposite is None else core.Unary(UnaryOp.NEG, opposite, type)
                case core.Binary(BinaryOp.SUB, left, right, type) if depth:
                    first, second = from_outside(left, depth - 1), from_outside(right, depth - 1)
                    return None if first is None or second is None else core.Binary(BinaryOp.SUB, first, second, type)
                case _:
                    return None

        then, other = from_outside(merge.then), from_outside(merge.other)
        return (
            None if then is None or other is None else core.Select(statement.condition, then, other, merge.value.type)
        )

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _known(self, expr: core.Expr, span: Span, out: list[core.Statement]) -> core.Expr | None:
        if isinstance(expr, core.Select):
            follows = self._follows(expr.condition)
            return self._turned(expr, span, out) if follows else self._chosen(expr, False, span, out)
        if self.sides and isinstance(expr, core.Math) and is_floating(expr.type):
            return self._following(expr, span, out)
        return None

    def _follows(self, condition: core.Expr) -> bool:
        return extrema.resolved(condition, self.lets) in self.joint

    def _following(self, expr: core.Math, span: Span, out: list[core.Statement]) -> core.Expr | None:
        """A function with a kink where two numbers are equal that a branch compares: it takes the branch's side."""
        rule = derivatives.lookup(expr.callee.qualified_name, len(expr.arguments))
        if rule is None or not rule.kinks:
            return None
        taken = [self._on_side(kink, expr) for kink in rule.kinks]
        if not any(taken):
            return None
        self.found = True
        type = adjoint_value(expr.type)
        numbers = [core.Use(self._named(e, span, out)) for e in expr.arguments]
        given = tuple((n, cast(e, adjoint_value(e.type))) for n, e in zip("xy", numbers, strict=False))
        active = [self.activity.expr(e) for e in expr.arguments]
        factors = [texts or kink.between for texts, kink in zip(taken, rule.kinks, strict=True)]
        terms = tuple(
            (number, core.Formula(" * ".join(texts), given, type))
            for number, is_active, *texts in zip(numbers, active, *factors, strict=True)
            if is_active and all(texts)
        )
        return core.Linear(expr, terms, expr.type)

    def _on_side(self, kink: derivatives.Kink, expr: core.Math) -> tuple[str, ...]:
        """The partials on the side that a branch takes at a kink; none where no branch does."""
        first = expr.arguments[0]
        second = expr.arguments[1] if kink.at is None else core.Const(kink.at, first.type)
        numbers = extrema.ordered(first, second, self.names)
        side = self.sides.get(frozenset(numbers))
        if side is None:
            return ()
        return kink.larger if side.is_larger(numbers) else kink.smaller

    def _chosen(self, expr: core.Select, follows: bool, span: Span, out: list[core.Statement]) -> core.Linear | None:
        chosen = self._choice(expr.condition, expr.then, expr.other)
        if chosen is None:
            return None
        return self._taken(expr, chosen, span, out) if follows else self._shared(expr, chosen, span, out)

    def _turned(self, expr: core.Select, span: Span, out: list[core.Statement]) -> core.Linear | None:
        """What a branch takes, on the side of the first that compares the same numbers; None where that is its own."""
        compared = extrema.comparison(extrema.resolved(expr.condition, self.lets))
        own = next(extrema.sides(expr.condition, self.names), None)
        if compared is None or own is None or expr.then == expr.other:
            return None
        side = self.sides[own.pair]
        if side.is_larger(own.numbers) == own.first_is_larger:
            return None
        left, _, right = compared
        is_larger = side.is_larger(extrema.ordered(left, right, self.names))
        is_then = extrema.outcome(expr.condition, left, right, is_larger, self.names)
        self.found = True
        type = adjoint_value(expr.type)
        numbers = (("y", cast(left, adjoint_value(left.type))), ("z", cast(right, adjoint_value(right.type))))
        texts = _FIRST if is_then == core.Const(True, BOOL) else _SECOND
        terms = tuple(
            (core.Use(self._named(arm, span, out)), core.Formula(text, (("x", expr.condition), *numbers), type))
            for arm, text in zip((expr.then, expr.other), texts, strict=True)
            if self._varies(arm)
        )
        return core.Linear(expr, terms, expr.type)

    def _taken(
        self, expr: core.Select, chosen: extrema.Choice, span: Span, out: list[core.Statement]
    ) -> core.Linear | None:
        """A choice of which what is taken has all; None where the condition says more than which number is larger."""
        numbers = extrema.ordered(chosen.first, chosen.second, self.names)
        own = {side.pair: side for side in extrema.sides(expr.condition, self.names)}.get(frozenset(numbers))
        if own is None or not chosen.is_simple:
            return None
        self.found = True
        first, second = self._named(chosen.first, span, out), self._named(chosen.second, span, out)
        known = self._shares(expr, first, second, _TAKEN, (("x", expr.condition),))
        of_equal = chosen.above if own.is_larger(numbers) else chosen.below
        return replace(known, terms=known.terms[::-1]) if of_equal == core.Const(True, BOOL) else known

    def _shared(
        self, expr: core.Select, chosen: extrema.Choice, span: Span, out: list[core.Statement]
    ) -> core.Linear | None:
        """A choice with its shares; None where what is taken has all, as a branch says that compares the two."""
        numbers = extrema.ordered(chosen.first, chosen.second, self.names)
        side = self.sides.get(frozenset(numbers))
        if side is None:
            return self._linear(expr, chosen, span, out)
        is_first = chosen.above if side.is_larger(numbers) else chosen.below
        if side in extrema.sides(expr.condition, self.names) and isinstance(is_first, core.Const):
            return None
        first, second = self._named(chosen.first, span, out), self._named(chosen.second, span, out)
        compared = (("x", expr.condition), ("y", core.Use(first)), ("z", core.Use(second)))
        self.found = True
        match is_first:
            case core.Const(True):
                return self._shares(expr, first, second, _FIRST, compared)
            case core.Const():
                return self._shares(expr, first, second, _SECOND, compared)
            case _:
                return self._shares(expr, first, second, _SIDED, (*compared, ("w", is_first)))

    def _linear(self, expr: core.Select, chosen: extrema.Choice, span: Span, out: list[core.Statement]) -> core.Linear:
        self.found = True
        first, second = self._named(chosen.first, span, out), self._named(chosen.second, span, out)
        numbers = (("y", core.Use(first)), ("z", core.Use(second)))
        condition: tuple[tuple[str, core.Expr], ...] = (("x", chosen.condition),)
        if chosen.is_simple:
            return self._shares(expr, first, second, _SIMPLE, (*condition, *numbers))
        sides = (("w", chosen.above), ("r", chosen.below))
        return self._shares(expr, first, second, _COMPOUND, (*condition, *sides, *numbers))

    def _shares(
        self,
        expr: core.Expr,
        first: core.Value,
        second: core.Value,
        texts: tuple[str, str],
        given: tuple[tuple[str, core.Expr], ...],
    ) -> core.Linear:
        type = adjoint_value(expr.type)
        terms = tuple(
            (core.Use(of), core.Formula(text, given, type)) for of, text in zip((first, second), texts, strict=True)
        )
        return core.Linear(expr, terms, expr.type)

    def _named(self, expr: core.Expr, span: Span, out: list[core.Statement]) -> core.Value:
        if isinstance(expr, core.Use):
            return expr.value
        value = core.Value("number", expr.type)
        out.append(core.Let(value, expr, span))
        return value


def _flags(function: core.Function) -> dict[core.Value, core.Expr]:
    """What branches leave in conditions, as `both` of `i < n && x[i] > 0`, where `x[i]` is loaded in a branch."""
    return {
        m.value: core.Select(s.condition, m.then, m.other, m.value.type)
        for s in statements(function.body)
        if isinstance(s, core.If)
        for m in s.merges
        if not is_floating(m.value.type)
    }
