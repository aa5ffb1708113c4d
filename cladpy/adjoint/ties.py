"""Equal numbers share the adjoint of the larger or smaller of both, however a program chooses it.

A choice that `analysis/extrema.py` knows becomes a value whose partials are known (`core.Linear`): for each of the two
numbers its share, which is half where they are equal. The rules of `fmax` and its like say so by themselves.

Where more than the larger number is chosen by one comparison, as in a softmax that rescales its sum when it finds a
larger number, or a ReLU beside a constant, the branch that was taken is right by itself, and a mixture of both is not:
such choices stay. What else has its kink where the same two numbers are equal, as a `fmax` of them or the absolute
value beside a ReLU, takes the branch's side: then all of it is the derivative of one smooth piece.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from cladpy import derivatives
from cladpy.analysis import extrema
from cladpy.analysis.activity import Activity
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import is_floating
from cladpy.ir.walk import defined, map_children, map_operands, operands, statements, subexpressions, values

_SHARES = ("cladpy::share<T>(", "-cladpy::share<T>(", "cladpy::part<T>(")
_SIMPLE = ("cladpy::share<T>(x, y, z)", "cladpy::share<T>(!(x), z, y)")
_TURNED = ("cladpy::share<T>(y == z ? !(x) : x)", "cladpy::share<T>(y == z ? x : !(x))")
_COMPOUND = ("cladpy::share<T>(x, w, r, y, z)", "cladpy::share<T>(!(x), !(w), !(r), z, y)")


def is_share(partial: core.Expr) -> bool:
    """Whether a partial says which part a number has of the adjoint of what is chosen."""
    return isinstance(partial, core.Formula) and partial.text.startswith(_SHARES)


def is_shared(expr: core.Expr) -> bool:
    """Whether equal numbers share the adjoint of a value by halves."""
    return isinstance(expr, core.Linear) and all(
        isinstance(p, core.Formula) and p.text in _SIMPLE for _, p in expr.terms
    )


def with_ties(function: core.Function, activity: Activity) -> core.Function:
    """The function with its choices of larger and smaller numbers known; the function itself where it has none."""
    if activity.integers:
        return function
    writer = _Writer(function, activity)
    body = list(writer.region(function.body))
    results = tuple(replace(leaf, expr=writer.nested(leaf.expr, function.span, body)) for leaf in function.results)
    return replace(function, body=tuple(body), results=results) if writer.found else function


class _Writer:
    def __init__(self, function: core.Function, activity: Activity) -> None:
        self.activity = activity
        self.found = False
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        joint = list(self._joint(function.body))
        self.joint = {extrema.resolved(c, self.lets) for c in joint}
        self.sides: dict[extrema.Pair, extrema.Side] = {}
        for side in (extrema.side(c, self.lets) for c in joint):
            if side is not None and side.first != side.second:
                self.sides.setdefault(side.pair, side)

    # ---- what is chosen together -----------------------------------------------------------------------------------

    def _joint(self, region: core.Region) -> Iterator[core.Expr]:
        """The conditions by which more is chosen than the larger or smaller of two numbers."""
        for s in statements(region):
            if isinstance(s, core.If) and not self._only_chooses(s):
                yield s.condition
            for expr in operands(s):
                for e in subexpressions(core.primal(expr)):
                    if isinstance(e, core.Select) and self.activity.expr(e):
                        chosen = self._choice(e.condition, e.then, e.other)
                        if chosen is None:
                            yield e.condition

    def _only_chooses(self, statement: core.If) -> bool:
        """Whether all that has a derivative in a branch are numbers chosen by comparing them."""
        merged = [m for m in statement.merges if m.value in self.activity.values]
        if any(self._choice(statement.condition, m.then, m.other) is None for m in merged):
            return False
        inside = (s for r in (statement.then, statement.other) for s in statements(r))
        return not any(self._is_active(s) for s in inside if not isinstance(s, core.Let))

    def _is_active(self, s: core.Statement) -> bool:
        active = self.activity
        if isinstance(s, core.WRITES) and (s.root in active.roots or s.root in active.shadowed):
            return True
        if isinstance(s, core.Call) and active.positions(s):
            return True
        return not active.values.isdisjoint(defined(s))

    def _choice(self, condition: core.Expr, then: core.Expr, other: core.Expr) -> extrema.Choice | None:
        if not (self.activity.expr(then) and self.activity.expr(other)):
            return None  # beside a constant it is the branch that was taken
        return extrema.choice(condition, then, other, self.lets)

    # ---- statements ------------------------------------------------------------------------------------------------

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.If():
                    self._if(statement, out)
                case core.Loop():
                    self._loop(statement, out)
                case core.Let(value, expr) if value in self.activity.values:
                    known = self._known(expr, statement.span, out)
                    out.append(replace(statement, expr=known or self.nested(expr, statement.span, out)))
                case core.Store(expr=expr) | core.AtomicAdd(expr=expr):
                    out.append(replace(statement, expr=self.nested(expr, statement.span, out)))
                case core.Call() | core.Collective():
                    out.append(map_operands(statement, self._inside(statement.span, out)))
                case _:
                    out.append(statement)
        return tuple(out)

    def _if(self, statement: core.If, out: list[core.Statement]) -> None:
        merges: list[core.Merge] = []
        after: list[core.Statement] = []
        inner = {v for r in (statement.then, statement.other) for s in statements(r) for v in defined(s)}
        follows = self._follows(statement.condition)
        for m in statement.merges:
            then, other = (self._from_outside(arm, statement.condition, inner) for arm in (m.then, m.other))
            if follows or then is None or other is None:
                merges.append(m)
                continue
            chosen = self._choice(statement.condition, then, other)
            if chosen is None:
                merges.append(m)
                continue
            select = core.Select(statement.condition, then, other, m.value.type)
            known = self._shared(select, chosen, statement.span, after)
            if known is None:
                merges.append(m)
                continue
            after.append(core.Let(m.value, known, statement.span))
        taken, left = list(self.region(statement.then)), list(self.region(statement.other))
        joined = tuple(
            core.Merge(m.value, self.nested(m.then, statement.span, taken), self.nested(m.other, statement.span, left))
            for m in merges
        )
        if joined or any(not isinstance(s, core.Let) for s in (*taken, *left)):
            out.append(replace(statement, then=tuple(taken), other=tuple(left), merges=joined))
        out += after

    def _from_outside(self, arm: core.Expr, condition: core.Expr, inner: Collection[core.Value]) -> core.Expr | None:
        """What a branch takes by values that are known before it: itself, or the number that the condition compares, if
        it is computed alike."""
        if not any(v in inner for v in values(arm)):
            return arm
        alike = (e for e in extrema.compared(condition, self.lets) if extrema.same(e, arm, self.lets))
        return next(alike, None)

    def _loop(self, statement: core.Loop, out: list[core.Statement]) -> None:
        body = list(self.region(statement.body))
        carried = tuple(
            core.Carried(
                c.value,
                self.nested(c.init, statement.span, out),
                self.nested(c.next, statement.span, body),
                c.result,
            )
            for c in statement.carried
        )
        out.append(replace(statement, carried=carried, body=tuple(body)))

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _inside(self, span: Span, out: list[core.Statement]) -> Callable[[core.Expr], core.Expr]:
        return lambda expr: self.nested(expr, span, out)

    def nested(self, expr: core.Expr, span: Span, out: list[core.Statement]) -> core.Expr:
        """The expression with the choices in it bound to names before."""
        if isinstance(expr, core.Linear) or not self.activity.expr(expr):
            return expr
        known = self._known(expr, span, out)
        if known is not None:
            value = core.Value("chosen", expr.type)
            out.append(core.Let(value, known, span))
            return core.Use(value)
        return map_children(expr, self._inside(span, out))

    def _known(self, expr: core.Expr, span: Span, out: list[core.Statement]) -> core.Expr | None:
        if isinstance(expr, core.Select) and not self._follows(expr.condition):
            chosen = self._choice(expr.condition, expr.then, expr.other)
            return None if chosen is None else self._shared(expr, chosen, span, out)
        if self.sides and isinstance(expr, core.Math) and is_floating(expr.type):
            return self._following(expr, span, out)
        return None

    def _follows(self, condition: core.Expr) -> bool:
        return extrema.resolved(condition, self.lets) in self.joint

    def _following(self, expr: core.Math, span: Span, out: list[core.Statement]) -> core.Expr | None:
        """A function with a kink where two numbers are equal that a branch compares: it takes the branch's side."""
        rule = derivatives.lookup(expr.callee.qualified_name, len(expr.arguments))
        if rule is None or rule.sides is None:
            return None
        first = expr.arguments[0]
        second = expr.arguments[1] if len(expr.arguments) > 1 else core.Const(0.0, first.type)
        side = self.sides.get(extrema.pair(first, second, self.lets))
        if side is None:
            return None
        self.found = True
        type = adjoint_value(expr.type)
        given = tuple((n, core.Use(self._named(e, span, out))) for n, e in zip("xy", expr.arguments, strict=False))
        texts = rule.sides[0 if side.is_larger(first, self.lets) else 1]
        active = [self.activity.expr(e) for e in expr.arguments]
        terms = tuple(
            (of, core.Formula(text, given, type))
            for (_, of), text, is_active in zip(given, texts, active, strict=True)
            if is_active
        )
        return core.Linear(expr, terms, expr.type)

    def _shared(
        self, expr: core.Select, chosen: extrema.Choice, span: Span, out: list[core.Statement]
    ) -> core.Linear | None:
        """A choice with its shares; None where what is taken has all, as a branch says that compares the two."""
        own = extrema.side(expr.condition, self.lets)
        side = None if own is None else self.sides.get(own.pair)
        if own is None or side is None:
            return self._linear(expr, chosen, span, out)
        if side.is_larger(own.first, self.lets) == own.first_is_larger:
            return None
        first, second = self._named(chosen.first, span, out), self._named(chosen.second, span, out)
        numbers = (("y", own.first), ("z", own.second))
        self.found = True
        return self._shares(expr, first, second, _TURNED, (("x", expr.condition), *numbers))

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
        out.append(core.Let(value, self.nested(expr, span, out), span))
        return value
