"""Preaccumulation: a loop whose state is one or two numbers multiplies its derivatives as it runs, and is not reversed.

`for (k = 0; k < n; ++k) s = f(s, p);` gives `s_n` with `d s_n / d s_0` and `d s_n / d p` beside it: the loop carries a
tangent for each of them, and what follows uses the result with its partials known (`core.Linear`). Nothing is kept for
the iterations, however many there are. That is right where the loop depends on nothing active but its state and values
from outside, and stores nothing active: `s = f(s, x[k])` with an active `x[k]` would need a partial for each iteration.

Griewank and Walther, Evaluating Derivatives (2008), chapter 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from cladpy.adjoint.expressions import Propagation
from cladpy.analysis.activity import Activity
from cladpy.analysis.discarded import Discarded
from cladpy.analysis.flow import flow
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir.fold import cast, unary, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.never import assert_never
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import Type, is_floating
from cladpy.ir.walk import defined, statements, substitute, values, with_regions

# Carried numbers, and partials that are carried for them: more are dearer than running the loop once more.
STATES = 2
PARTIALS = 4

Tangents = dict[core.Value, core.Expr]  # of one value, by what it depends on


def preaccumulated(function: core.Function, activity: Activity, discarded: Discarded, sink: Sink) -> core.Function:
    """The function with the derivatives of its small loops known; the function itself where it has none."""
    if activity.integers:
        return function
    writer = _Writer(function, activity, discarded, sink)
    body = writer.region(function.body)
    return replace(function, body=body) if writer.found else function


@dataclass(slots=True)
class _Writer:
    function: core.Function
    activity: Activity
    discarded: Discarded
    sink: Sink
    found: bool = False

    def region(self, region: core.Region) -> core.Region:
        out: list[core.Statement] = []
        for statement in region:
            inner = with_regions(statement, self.region)
            out += self._loop(inner) if isinstance(inner, core.Loop) else [inner]
        return tuple(out)

    def _loop(self, loop: core.Loop) -> list[core.Statement]:
        states = [c for c in loop.carried if c.value in self.activity.values]
        if not 0 < len(states) <= STATES or not all(is_floating(c.value.type) for c in states):
            return [loop]
        if loop.lanes is not None or not all(
            self._is_plain(s) for r in (loop.before, loop.body) for s in statements(r)
        ):
            return [loop]
        inputs = self._inputs(loop, states)
        if sum(len(i) for i in inputs.values()) > PARTIALS:
            return [loop]
        self.found = True
        return self._with_partials(loop, states, inputs)

    def _is_plain(self, statement: core.Statement) -> bool:
        """Whether a statement passes derivatives on from value to value, or none."""
        active = self.activity
        match statement:
            case core.Let() | core.If():
                return True
            case core.Loop(carried):
                return not any(c.value in active.values for c in carried)  # not one that was left as it is
            case core.Load(value, root):
                return value not in active.values or root not in active.roots
            case core.Store(root=root) | core.AtomicAdd(root=root) | core.Atomic(root=root) | core.Allocate(root):
                return root not in active.roots and root not in active.shadowed
            case core.Call():
                return not active.positions(statement) and active.values.isdisjoint(defined(statement))
            case core.Effect():
                return True
            case core.Barrier() | core.Collective() | core.Acquire():
                return False
            case _:
                assert_never(statement)

    # ---- what the state depends on ---------------------------------------------------------------------------------

    def _inputs(self, loop: core.Loop, states: list[core.Carried]) -> dict[core.Value, tuple[core.Value, ...]]:
        """For each carried value those that it depends on: carried ones as they are at first, and ones from outside."""
        reached: dict[core.Value, dict[core.Value, None]] = {c.value: {c.value: None} for c in states}
        inner = {v for s in statements(loop.body) for v in defined(s)}

        def of(expr: core.Expr) -> dict[core.Value, None]:
            found: dict[core.Value, None] = {}
            for v in flow(expr, self.activity.integers):
                if v in self.activity.values:
                    found |= reached.get(v, {}) if v in inner or v in reached else {v: None}
            return found

        before = -1
        while before != (size := sum(len(r) for r in reached.values())):
            before = size
            for statement in statements(loop.body):
                match statement:
                    case core.Let(value, expr) if value in self.activity.values:
                        reached[value] = of(expr)
                    case core.If(merges=merges):
                        for m in merges:
                            if m.value in self.activity.values:
                                reached[m.value] = of(m.then) | of(m.other)
                    case _:
                        pass
            for c in states:
                reached[c.value] |= of(c.next)
        at_first = {c.value for c in states if not self.activity.expr(c.init)}
        return {c.value: tuple(v for v in reached[c.value] if v not in at_first) for c in states}

    # ---- the loop with its partials --------------------------------------------------------------------------------

    def _with_partials(
        self, loop: core.Loop, states: list[core.Carried], inputs: Mapping[core.Value, tuple[core.Value, ...]]
    ) -> list[core.Statement]:
        out: list[core.Statement] = []
        first: dict[core.Value, core.Use] = {}  # what a carried value is at first
        for c in states:
            if isinstance(c.init, core.Use):
                first[c.value] = c.init
            else:
                start = core.Value(c.value.name, c.value.type)
                out.append(core.Let(start, c.init, loop.span))
                first[c.value] = core.Use(start)
                active = {start} if self.activity.expr(c.init) else set()
                self.activity = replace(self.activity, values=self.activity.values | active)
        tangents = TangentWriter(self.activity, self.discarded, self.sink)
        carried: dict[tuple[core.Value, core.Value], tuple[core.Value, core.Value]] = {}
        for c in states:
            known: Tangents = {}
            for of in inputs[c.value]:
                name = _by(c.value, of)
                type = adjoint_value(c.value.type)
                carried[c.value, of] = core.Value(name, type), core.Value(name, type)
                known[of] = core.Use(carried[c.value, of][0])
            tangents.known[c.value] = known
        outside = {of for every in inputs.values() for of in every if of not in first}
        tangents.known |= {v: {v: core.Const(1.0, adjoint_value(v.type))} for v in outside}

        body = tangents.region(loop.body)
        nexts: list[core.Carried] = []
        raw: dict[core.Value, core.Value] = {}
        for c in loop.carried:
            if c.value not in first:
                nexts.append(c)
                continue
            raw[c.value] = core.Value(c.value.name, c.value.type)
            nexts.append(core.Carried(c.value, first[c.value], c.next, raw[c.value]))
            after = tangents.of(c.next, adjoint_value(c.value.type), loop.span, body)
            for of in inputs[c.value]:
                value, result = carried[c.value, of]
                start_at = core.Const(1.0 if of is c.value else 0.0, value.type)
                nexts.append(core.Carried(value, start_at, after.get(of, zero(value.type)), result))
        out.append(replace(loop, carried=tuple(nexts), body=tuple(body)))
        for c in states:
            terms: dict[core.Value, core.Expr] = {}
            for of in inputs[c.value]:
                by = first.get(of, core.Use(of))
                partial: core.Expr = core.Use(carried[c.value, of][1])
                if by.value in terms:  # two of the carried values start as one and the same
                    partial = core.Binary(BinaryOp.ADD, terms[by.value], partial, partial.type)
                terms[by.value] = partial
            known_terms = tuple((core.Use(v), p) for v, p in terms.items() if self.activity.expr(core.Use(v)))
            out.append(core.Let(c.result, core.Linear(core.Use(raw[c.value]), known_terms, c.value.type), loop.span))
        within = {v for s in statements(loop.body) for v in defined(s)} | {c.value for c in states}
        self.activity = replace(self.activity, values=self.activity.values - within)
        return out


@dataclass(slots=True)
class TangentWriter:
    """Writes a region with the tangents of its active values beside them."""

    activity: Activity
    discarded: Discarded
    sink: Sink
    known: dict[core.Value, Tangents] = field(default_factory=dict)

    def region(self, region: core.Region) -> list[core.Statement]:
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.Let(value, expr, span) if value in self.activity.values:
                    out.append(statement)
                    found = self.of(expr, adjoint_value(value.type), span, out)
                    self.known[value] = self._named(found, value, span, out)
                case core.If():
                    out.append(self._if(statement))
                case _:
                    out.append(statement)
        return out

    def _if(self, statement: core.If) -> core.If:
        merged = [m for m in statement.merges if m.value in self.activity.values]
        arms: list[tuple[list[core.Statement], list[Tangents]]] = []
        for region, chosen in ((statement.then, 0), (statement.other, 1)):
            inner = self.region(region)
            tangents = [
                self.of((m.then, m.other)[chosen], adjoint_value(m.value.type), statement.span, inner) for m in merged
            ]
            arms.append((inner, tangents))
        (then, thens), (other, others) = arms
        merges = list(statement.merges)
        for m, a, b in zip(merged, thens, others, strict=True):
            self.known[m.value] = {}
            for of in {**a, **b}:
                type = adjoint_value(m.value.type)
                tangent = core.Value(_by(m.value, of), type)
                merges.append(core.Merge(tangent, a.get(of, zero(type)), b.get(of, zero(type))))
                self.known[m.value][of] = core.Use(tangent)
        return replace(statement, then=tuple(then), other=tuple(other), merges=tuple(merges))

    def of(self, expr: core.Expr, type: Type, span: Span, out: list[core.Statement]) -> Tangents:
        """The tangents of an expression: for each value that it depends on, the partial times that one's tangent. A
        choice stands by itself, bound to a name: `_summed` knows of none in an expression."""
        if isinstance(expr, core.Select):
            return self._chosen(expr, type, span, out)
        found: Tangents = {}
        guarded = self.discarded.may_be_infinite(expr)
        for value, partial in self._partials(expr, span, out).items():
            if len(self.known[value]) > 1:
                partial = self._bound(partial, value.name, span, out)
            for of, tangent in self.known[value].items():
                term = _product(cast(partial, type), cast(tangent, type), type, guarded=guarded)
                found[of] = core.Binary(BinaryOp.ADD, found[of], term, type) if of in found else term
        return found

    def _chosen(self, expr: core.Select, type: Type, span: Span, out: list[core.Statement]) -> Tangents:
        """What is not chosen contributes nothing, whatever it is."""
        then, other = self.of(expr.then, type, span, out), self.of(expr.other, type, span, out)
        return {
            of: core.Select(expr.condition, then.get(of, zero(type)), other.get(of, zero(type)), type)
            for of in {**then, **other}
        }

    def _named(self, found: Tangents, value: core.Value, span: Span, out: list[core.Statement]) -> Tangents:
        return {of: self._bound(t, _by(value, of), span, out) for of, t in found.items()}

    @staticmethod
    def _bound(expr: core.Expr, name: str, span: Span, out: list[core.Statement]) -> core.Expr:
        if isinstance(expr, core.Use | core.Const):
            return expr
        variable = core.Value(name, expr.type)
        out.append(core.Let(variable, expr, span))
        return core.Use(variable)

    def _partials(self, expr: core.Expr, span: Span, out: list[core.Statement]) -> Tangents:
        """The partials of an expression by the active values in it: what the reverse of this one expression adds to
        their adjoints for a cotangent of one."""
        leaves = list(dict.fromkeys(v for v in values(expr) if v in self.known))
        propagation = Propagation(self.activity, self.sink, self.discarded)
        propagation.adjoint = {v: core.Value(v.name, adjoint_value(v.type)) for v in leaves}
        written: list[code.Statement] = []
        propagation.propagate(expr, core.Const(1.0, adjoint_value(expr.type)), {}, written, span)
        return _summed(written, {a: v for v, a in propagation.adjoint.items()}, span, out)


def _summed(
    written: Iterable[code.Statement],
    leaves: Mapping[core.Value, core.Value],
    span: Span,
    out: list[core.Statement],
) -> Tangents:
    """What statements of the reverse sweep of an expression add to each adjoint."""
    sums: Tangents = {}
    constants: dict[core.Value, core.Expr] = {}

    def add(value: core.Value, term: core.Expr) -> None:
        sums[value] = core.Binary(BinaryOp.ADD, sums[value], term, term.type) if value in sums else term

    for s in written:
        match s:
            case code.Define(variable, init):
                assert not isinstance(init, code.LOADED)
                bound = _simple(substitute(init, constants))
                if isinstance(bound, core.Const):
                    constants[variable] = bound
                else:
                    out.append(core.Let(variable, bound, span))
            case code.Add(variable, expr):
                add(leaves[variable], _simple(substitute(expr, constants)))
            case _:
                raise AssertionError("an expression's reverse writes nothing else")
    return sums


def _simple(expr: core.Expr) -> core.Expr:
    """Without factors of one, which the cotangent is."""
    match expr:
        case core.Binary(BinaryOp.MUL, left, right, type):
            return _product(_simple(left), _simple(right), type, guarded=False)
        case core.Formula("cladpy::times(x, y)", (("x", seed), ("y", factor)), type):
            return _product(factor, _simple(seed), type, guarded=True)
        case core.Unary(op, operand, type):
            return unary(op, _simple(operand), type)
        case core.Cast(operand, type):
            return cast(_simple(operand), type)
        case _:
            return expr


def _is(expr: core.Expr, number: float) -> bool:
    return isinstance(expr, core.Const) and expr.value == number


def _product(factor: core.Expr, tangent: core.Expr, type: Type, *, guarded: bool) -> core.Expr:
    """`factor * tangent`; guarded, it is zero where one of them is, whatever the other."""
    if _is(factor, 1):
        return tangent
    if _is(tangent, 1):
        return factor
    if _is(factor, -1):
        return unary(UnaryOp.NEG, tangent, type)
    if guarded and not (isinstance(factor, core.Const) and factor.value):
        return core.Formula("cladpy::product(x, y)", (("x", factor), ("y", tangent)), type)
    return core.Binary(BinaryOp.MUL, factor, tangent, type)


def _by(value: core.Value, of: core.Value) -> str:
    """The name of a tangent."""
    return f"{value.name.rstrip('_')}_by_{of.name}"
