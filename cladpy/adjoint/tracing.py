"""Adjoints that are infinite or no numbers: where a traced gradient looks for them, and what it then tells.

After what the reverse of a statement adds to adjoints, all of these are looked at. The statement that is told is the
first that makes such an adjoint of a finite cotangent, with its line, the cotangent, and the values that it reads.

Where a value's adjoint may be discarded, as that of `m = fmaxf(v, 0)` is where zero was taken, an infinite one does no
harm yet: `sqrt(m)` has a finite gradient then. It *waits* until the reverse of what makes that value, which passes it
on, or does not. So does that of a value which is made of such ones alone, and of what comes out of a local array.

That a zero adjoint times an infinite partial is zero (SEMANTICS 14) is told as well; the gradient goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cladpy import derivatives
from cladpy.analysis.activity import Activity
from cladpy.derivatives.text import OVER
from cladpy.diagnostics import Span, line_of
from cladpy.ir import code, core
from cladpy.ir.code_walk import expressions, with_blocks
from cladpy.ir.fold import cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.tracing import CHECK, MOST_OPERANDS, ZERO, traced_call
from cladpy.ir.types import BOOL, INT, Scalar, is_floating
from cladpy.ir.walk import statements, subexpressions, values
from cladpy.quoting import literal

_TIMES = "cladpy::times(x, y)"
_LONGEST_NAME = 60
_NO_NUMBERS = core.MEMORY | core.ObjectArgument | core.ViewArgument


@dataclass(frozen=True, slots=True)
class Tracing:
    """`known` are the values that the reverse sweep has; `names` what the program calls values; `waiting` has a number
    for those whose adjoint may be discarded, and for local memory."""

    activity: Activity
    known: Collection[core.Value]
    names: Mapping[core.Value, str]
    waiting: Mapping[core.Value | core.Root, int]

    def watched(
        self,
        made: list[code.Statement],
        expr: core.Expr,
        seed: core.Expr,
        owner: core.Value | core.Root | None,
        adjoint: Mapping[core.Value, core.Value],
        env: Mapping[core.Value, core.Expr],
        span: Span,
    ) -> list[code.Statement]:
        """What the reverse of an expression has `made` of the seed, which is the adjoint of `owner`, with what looks
        at it."""
        used = _in_order(expr)
        operands = self._operands(_in_order(core.primal(expr)), env)
        active = (v for v in used if v in adjoint and v in self.activity.values)
        found = [(self._name(v), core.Use(adjoint[v]), self._number(v)) for v in active]
        of = 0 if owner is None else self._number(owner)
        of = -of if isinstance(owner, core.Root) else of  # another element may be what waits
        out = list(self._with_zeros(made, operands, span))
        if found or of:
            out.append(self._check(span, seed, found, of, operands))
        return out

    def called(
        self,
        call: core.Call,
        outputs: Iterable[tuple[core.Expr, core.Value]],
        adjoint: Mapping[core.Value, core.Value],
        env: Mapping[core.Value, core.Expr],
    ) -> list[code.Statement]:
        """Looks at the numbers that a pullback has given."""
        seeds = [adjoint[o.value] for o in call.returned if o.value in adjoint]
        found = [(self._spelled(e), core.Use(v), 0) for e, v in outputs if is_floating(v.type)]
        if len(seeds) != 1 or not found or not is_floating(seeds[0].type):
            return []
        given = dict.fromkeys(v for a in call.arguments if not isinstance(a, _NO_NUMBERS) for v in _in_order(a))
        return [self._check(call.span, core.Use(seeds[0]), found, 0, self._operands(given, env))]

    def _check(
        self,
        span: Span,
        seed: core.Expr,
        found: list[tuple[str, core.Use, int]],
        of: int,
        operands: list[tuple[str, core.Expr]],
    ) -> code.Perform:
        names = ";".join([*(name for name, _, _ in found), *(name for name, _ in operands)])
        return traced_call(
            CHECK,
            core.Text(literal(span.file)),
            _int(span.line),
            core.Text(literal(names)),
            _int(len(found)),
            _int(of),
            seed,
            *(use for _, use, _ in found),
            *(_int(number) for _, _, number in found),
            *(expr for _, expr in operands),
        )

    def _with_zeros(
        self, made: Iterable[code.Statement], operands: list[tuple[str, core.Expr]], span: Span
    ) -> Iterator[code.Statement]:
        """The statements, each after what tells of its products of zero adjoints by partials that are not finite."""
        for s in made:
            products = dict.fromkeys(
                e
                for whole in expressions(s)
                for e in subexpressions(whole)
                if isinstance(e, core.Formula) and e.text in (_TIMES, OVER)
            )
            for product in products:
                (_, seed), (_, factor) = product.operands
                yield traced_call(
                    ZERO,
                    core.Text(literal(span.file)),
                    _int(span.line),
                    core.Text(literal(";".join(name for name, _ in operands))),
                    _int(product.text == OVER),
                    seed,
                    factor,
                    *(expr for _, expr in operands),
                )
            yield with_blocks(s, lambda block: tuple(self._with_zeros(block, operands, span)))

    def _operands(self, read: Iterable[core.Value], env: Mapping[core.Value, core.Expr]) -> list[tuple[str, core.Expr]]:
        """The numbers that a statement reads, as far as the reverse sweep has them."""
        there = [v for v in read if v in self.known and v in env and isinstance(v.type, Scalar)]
        return [
            (self._name(v) if is_floating(v.type) else f"#{self._name(v)}", cast(env[v], adjoint_value(v.type)))
            for v in there[:MOST_OPERANDS]
        ]

    def _spelled(self, expr: core.Expr) -> str:
        return self._name(expr.value) if isinstance(expr, core.Use) else "an argument"

    def _name(self, value: core.Value) -> str:
        return self.names.get(value) or value.name.rstrip("_") or value.name

    def _number(self, of: core.Value | core.Root) -> int:
        return self.waiting.get(of, 0)


def tracing_of(
    function: core.Function, activity: Activity, needed: Collection[core.Value], texts: dict[str, str]
) -> Tracing:
    """For a function of whose values the reverse sweep has those that are `needed`; `texts` are the sources."""
    known = {*needed, *(c for p in function.parameters for c in p.contents if isinstance(c, core.Value))}
    names: dict[core.Value, str] = {}
    waiting: dict[core.Value | core.Root, int] = {}
    for s in statements(function.body):
        match s:
            case core.Load(value, root):
                names[value] = _text_of(s.span, texts)
                if root.kind is core.RootKind.LOCAL:
                    waiting[value] = waiting.setdefault(root, len(waiting) + 1)
            case core.Call(outputs) if len(outputs) == 1:
                names[outputs[0].value] = _text_of(s.span, texts)
            case core.Let(value, expr):
                passes_to = [v for v in values(expr) if v in activity.values]
                if _discards(expr) or (passes_to and all(v in waiting for v in passes_to)):
                    waiting[value] = len(waiting) + 1
            case core.If(merges=merges):
                for m in merges:
                    waiting[m.value] = len(waiting) + 1
            case core.Loop(carried):
                for c in carried:
                    waiting[c.value] = waiting[c.result] = len(waiting) + 1
            case _:
                pass
    return Tracing(activity, known, names, waiting)


def _discards(expr: core.Expr) -> bool:
    """Whether an infinite adjoint of the expression may leave finite ones to what it is made of: it chooses, or is a
    product with a mask."""
    match expr:
        case core.Select() | core.Linear():
            return True
        case core.Math(callee, arguments):
            rule = derivatives.lookup(callee.qualified_name, len(arguments))
            return rule is not None and (rule.chooses or bool(rule.flattens))
        case core.Cast(operand):
            return operand.type == BOOL
        case core.Binary(_, left, right):
            return _discards(left) or _discards(right)
        case _:
            return False


def _in_order(expr: core.Expr) -> list[core.Value]:
    """The values that an expression uses, each once, from left to right."""
    return list(dict.fromkeys(reversed(list(values(expr)))))


def _text_of(span: Span, texts: dict[str, str]) -> str:
    """What stands in the source there; nothing where that is more than a line, or long."""
    line = line_of(span, texts) if span.line and span.line == span.end_line else None
    if line is None:
        return ""
    text = " ".join(line[span.column - 1 : span.end_column - 1].decode(errors="replace").split())
    return text if 0 < len(text) <= _LONGEST_NAME and ";" not in text else ""


def _int(number: int) -> core.Const:
    return core.Const(int(number), INT)
