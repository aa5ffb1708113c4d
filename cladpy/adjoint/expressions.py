"""The adjoint of an expression: what it adds to the adjoints of the values that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from cladpy import derivatives
from cladpy.adjoint.ties import is_share
from cladpy.adjoint.tracing import Tracing
from cladpy.analysis.activity import Activity
from cladpy.analysis.discarded import Discarded
from cladpy.analysis.flow import rule_of
from cladpy.derivatives.text import CHOSEN, OVER
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir.fold import cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.names import through_names
from cladpy.ir.products import product
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, Type, is_floating, is_half, spell
from cladpy.ir.walk import substitute

# Logarithms, by what their derivative is in 1 / x.
_LOGARITHMS = {"log": 1.0, "log2": 1.44269504088896340736, "log10": 0.43429448190325182765}
_LOGARITHMS |= {f"{name}f": scale for name, scale in _LOGARITHMS.items()}
_SCALE = re.compile(r"T\((-?[0-9.]+)\) \* ([^+?]+)")
# A constant that has a reciprocal in single precision.
_LEAST = 2.0**-126

Environment = Mapping[core.Value, core.Expr]


@dataclass(slots=True)
class Propagation:
    """Writes adjoint statements. `adjoint` has the adjoint variable of each active value that is in reach."""

    activity: Activity
    sink: Sink
    discarded: Discarded
    adjoint: dict[core.Value, core.Value] = field(default_factory=dict)
    lets: Mapping[core.Value, core.Expr] = field(default_factory=dict)
    tracing: Tracing | None = None  # where adjoints that are not finite are told
    _matters: bool = False
    _masks: dict[core.Value, bool] = field(default_factory=dict)

    def propagate(
        self,
        expr: core.Expr,
        seed: core.Expr,
        env: Environment,
        out: list[code.Statement],
        span: Span,
        result: core.Value | None = None,
        *,
        matters: bool = False,
        owner: core.Value | core.Root | None = None,
    ) -> None:
        """Adds `seed * d expr / d v` to the adjoint of every active value v. `result` holds the value of `expr`, which
        always `matters` or may be discarded. The seed is the adjoint of `owner`, or of what holds the result."""
        self._matters = matters
        if self.tracing is None or not is_floating(seed.type):
            self._propagate(expr, seed, env, out, span, result)
            return
        seed = self._bound(seed, out)
        inner: list[code.Statement] = []
        self._propagate(expr, seed, env, inner, span, result)
        out += self.tracing.watched(inner, expr, seed, owner or result, self.adjoint, env, span)

    def _propagate(
        self,
        expr: core.Expr,
        seed: core.Expr,
        env: Environment,
        out: list[code.Statement],
        span: Span,
        result: core.Value | None = None,
        but: tuple[core.Expr, ...] = (),
    ) -> None:
        """See `propagate`; factors of a product that are equal to one of `but` are left out."""
        if not self.activity.expr(expr) or expr in but:
            return
        match expr:
            case core.Use(value):
                out.append(code.Add(self.adjoint[value], _for(value.type, seed)))
            case core.Unary(UnaryOp.NEG, operand):
                self._propagate(operand, _negative(_for(operand.type, seed)), env, out, span)
            case core.Unary(_, operand) | core.Cast(operand):
                self._propagate(operand, _for(operand.type, seed), env, out, span)
            case core.Binary():
                self._binary(expr, seed, env, out, span, but)
            case core.Select(condition, then, other):
                seed = self._bound(seed, out)
                arms: list[tuple[code.Statement, ...]] = []
                for arm in (then, other):
                    inner: list[code.Statement] = []
                    with self._discarding():
                        self._propagate(arm, seed, env, inner, span)
                    arms.append(tuple(inner))
                out.append(code.Branch(substitute(condition, env), arms[0], arms[1]))
            case core.Linear(_, terms, type):
                if len(terms) > 1:
                    seed = self._bound(seed, out)
                held = adjoint_value(type)
                for of, partial in terms:
                    factor = substitute(partial, env)
                    taken = is_share(partial)
                    term = _chosen(seed, factor, held) if taken else self._times(seed, factor, held, partial)
                    self._propagate(of, _for(of.type, term), env, out, span)
            case core.Math():
                self._math(expr, seed, env, out, span, result)
            case _:
                raise AssertionError("an expression without derivative is active")

    @contextmanager
    def _discarding(self, here: bool = True) -> Iterator[None]:
        """For operands that may be discarded although the result matters."""
        matters, self._matters = self._matters, self._matters and not here
        yield
        self._matters = matters

    def _bound(self, seed: core.Expr, out: list[code.Statement]) -> core.Expr:
        """The seed as a name or a constant, so that using it twice computes it once."""
        if isinstance(seed, core.Use | core.Const):
            return seed
        variable = core.Value("_r", seed.type)
        out.append(code.Define(variable, seed))
        return core.Use(variable)

    def _many(self, times: int, seed: core.Expr, out: list[code.Statement]) -> core.Expr:
        """A multiple of a seed that is a name."""
        if times == 2:
            return core.Binary(BinaryOp.ADD, seed, seed, seed.type)
        number: float = float(times) if is_floating(seed.type) else times
        return self._bound(core.Binary(BinaryOp.MUL, seed, core.Const(number, seed.type), seed.type), out)

    def _times(self, seed: core.Expr, factor: core.Expr, type: Type, *made_of: core.Expr) -> core.Expr:
        """The seed times a partial that is made of some operands."""
        if isinstance(factor, core.Const) and factor.value == 1:
            return seed
        if any(_is_mask(e, self.lets, self._masks) for e in made_of):
            return _chosen(seed, factor, type)
        if not self._matters and any(self.discarded.may_be_infinite(e) for e in made_of):
            return _guarded(seed, factor, type)
        return product(seed, factor, type)

    def _binary(
        self,
        expr: core.Binary,
        seed: core.Expr,
        env: Environment,
        out: list[code.Statement],
        span: Span,
        but: tuple[core.Expr, ...],
    ) -> None:
        op, left, right, type = expr.op, expr.left, expr.right, expr.type
        both = self.activity.expr(left) and self.activity.expr(right)
        if both or op is BinaryOp.DIV:
            seed = self._bound(seed, out)
        match op:
            case BinaryOp.MUL:
                a, b = substitute(left, env), substitute(right, env)
                partial = isinstance(seed, core.Const)  # there is no adjoint that it is multiplied by
                if partial and left == right:
                    twice = core.Binary(BinaryOp.ADD, a, a, type)
                    self._propagate(left, self._times(seed, twice, type, left), env, out, span, but=but)
                    return
                equal = 0 if partial else 1 if left == right else _factors(left).count(right)
                if equal and right not in but:  # of x in w * x * x * x: three times w * x * x, which is there
                    seed = self._bound(seed, out)
                    many = self._many(equal + 1, seed, out)
                    self._propagate(right, self._times(many, a, type, left), env, out, span, but=but)
                    if left == right:
                        return
                    but = (*but, right)
                for factor, of, other in ((b, left, right), (a, right, left)):
                    if not _is_zero(factor):  # what is multiplied by a literal zero is not taken
                        self._propagate(of, self._times(seed, factor, type, other), env, out, span, but=but)
            case BinaryOp.DIV:
                a, b = substitute(left, env), substitute(right, env)
                if isinstance(a, core.Const) and a.value == 1:  # what the division gives is all that it takes
                    inverse = self._bound(core.Binary(BinaryOp.DIV, a, b, type), out)
                    once = _guarded(_negative(seed), inverse, type)
                    with self._discarding():
                        self._propagate(right, _guarded(once, inverse, type), env, out, span)
                    return
                quotient = _over(seed, b, type)
                if self.activity.expr(right):
                    quotient = self._bound(quotient, out)
                self._propagate(left, quotient, env, out, span)
                ratio = core.Binary(BinaryOp.DIV, a, b, type)
                with self._discarding():
                    self._propagate(right, _guarded(_negative(quotient), ratio, type), env, out, span)
            case _:
                rule = rule_of(expr)
                assert rule is not None, "an operator without derivative is active"
                for operand, sign in zip((left, right), rule.partials, strict=True):
                    self._propagate(operand, seed if sign == "T(1)" else _negative(seed), env, out, span)

    def _math(
        self,
        expr: core.Math,
        seed: core.Expr,
        env: Environment,
        out: list[code.Statement],
        span: Span,
        result: core.Value | None,
    ) -> None:
        rule = rule_of(expr)
        if rule is None:
            self._missing_rule(expr, span)
            return
        active = [
            (i, a, p)
            for i, (a, p) in enumerate(zip(expr.arguments, rule.partials, strict=True))
            if p is not None and self.activity.expr(a)
        ]
        if len(active) > 1:
            seed = self._bound(seed, out)
        if expr.callee.name in _LOGARITHMS and _is_quotient(expr.arguments[0]):
            self._logarithm_of_quotient(expr, seed, env, out, span)
            return
        operands = {n: substitute(a, env) for n, a in zip("xyzw", expr.arguments, strict=False)}
        held = result is not None and result in env
        operands["r"] = env[result] if held and result is not None else substitute(expr, env)
        operands = {n: cast(e, adjoint_value(e.type)) for n, e in operands.items()}
        type = adjoint_value(expr.type)
        for i, argument, partial in active:
            scale, partial = _scaled(partial, type)
            used = derivatives.used(partial)
            named = tuple((n, e) for n, e in operands.items() if n in used)
            factor = core.Formula(partial, named, type)
            if partial == "T(1)":
                term = seed
            elif rule.chooses:
                term = _chosen(seed, factor, type)
            elif rule.singular:
                term = _guarded(seed, factor, type)
            else:
                term = self._times(seed, factor, type, *expr.arguments)
            if scale is not None:
                term = product(term, scale, type)
            with self._discarding(rule.discards(i)):
                self._propagate(argument, _for(argument.type, term), env, out, span)

    def _logarithm_of_quotient(
        self, expr: core.Math, seed: core.Expr, env: Environment, out: list[code.Statement], span: Span
    ) -> None:
        """The derivative of `log(a / b)` is 1 / a by a, and -1 / b by b: one division in place of two."""
        quotient, type = expr.arguments[0], expr.type
        assert isinstance(quotient, core.Binary)
        a, b = substitute(quotient.left, env), substitute(quotient.right, env)
        scale = _LOGARITHMS[expr.callee.name]
        if scale != 1.0:
            seed = core.Binary(BinaryOp.MUL, seed, core.Const(scale, type), type)
        if not self.activity.expr(quotient.left):
            self._propagate(quotient.right, _negative(_over(seed, b, type)), env, out, span)
            return
        by_a = self._bound(_over(seed, a, type), out)
        self._propagate(quotient.left, by_a, env, out, span)
        if self.activity.expr(quotient.right):
            ratio = core.Binary(BinaryOp.DIV, a, b, type)
            self._propagate(quotient.right, _guarded(_negative(by_a), ratio, type), env, out, span)

    def _missing_rule(self, expr: core.Math, span: Span) -> None:
        callee = expr.callee
        arguments = ", ".join(f"{spell(t)} {n}" for t, n in zip(callee.parameters, "xyzwabcd", strict=False))
        held = (adjoint_value(t) for t in callee.parameters)
        adjoints = ", ".join(f"{spell(t)} *d_{n}" for t, n in zip(held, "xyzwabcd", strict=False))
        self.sink.error(
            "CP0401",
            f"no derivative is known for '{callee.qualified_name}', through which one passes",
            span,
            hint=f"write: namespace cladpy::custom_derivatives {{ __device__ void {callee.name}_pullback({arguments}, "
            f"{spell(adjoint_value(callee.result))} d_result, {adjoints}); }}",
        )


def _is_zero(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and not expr.value


@through_names
def _is_mask(expr: core.Expr, again: Callable[[core.Expr], bool]) -> bool:
    """Whether a factor is zero where the program chooses that: a condition as a number, or a choice of zero."""
    match expr:
        case core.Const():
            return _is_zero(expr)
        case core.Cast(operand):
            return operand.type == BOOL or again(operand)
        case core.Select(_, then, other):
            return again(then) or again(other)
        case core.Unary(UnaryOp.NEG, operand):
            return again(operand)
        case core.Binary(BinaryOp.MUL, left, right):
            return again(left) or again(right)
        case _:
            return False


def _factors(expr: core.Expr) -> list[core.Expr]:
    """What a product is made of, in its type."""
    if isinstance(expr, core.Binary) and expr.op is BinaryOp.MUL:
        return [*_factors(expr.left), *_factors(expr.right)]
    return [expr]


def _for(type: Type, seed: core.Expr) -> core.Expr:
    """The seed as the adjoint of something of a type."""
    return cast(seed, adjoint_value(type))


def _negative(expr: core.Expr) -> core.Expr:
    if isinstance(expr, core.Unary) and expr.op is UnaryOp.NEG:
        return expr.operand
    return core.Unary(UnaryOp.NEG, expr, expr.type)


def _scaled(partial: str, type: Type) -> tuple[core.Const | None, str]:
    """A partial `T(2) * f` as its constant and the rest."""
    found = _SCALE.fullmatch(partial)
    if found is None or not is_floating(type):
        return None, partial
    return core.Const(float(found[1]), type), found[2]


def _over(seed: core.Expr, divisor: core.Expr, type: Type) -> core.Expr:
    """The seed divided by what is a number, or may be zero: a zero adjoint contributes zero, whatever the partial."""
    if isinstance(divisor, core.Const) and divisor.value:
        inverse = 1.0 / divisor.value
        if _LEAST <= abs(inverse) <= 1.0 / _LEAST:
            return core.Binary(BinaryOp.MUL, seed, core.Const(inverse, type), type)
        return core.Binary(BinaryOp.DIV, seed, divisor, type)
    return core.Formula(OVER, (("x", seed), ("y", divisor)), type)


def _is_quotient(expr: core.Expr) -> bool:
    return isinstance(expr, core.Binary) and expr.op is BinaryOp.DIV and not is_half(expr.type)


def _guarded(seed: core.Expr, factor: core.Expr, type: Type) -> core.Expr:
    """The product, which is zero for a zero seed, whatever the factor."""
    return core.Formula("cladpy::times(x, y)", (("x", seed), ("y", factor)), type)


def _chosen(seed: core.Expr, share: core.Expr, type: Type) -> core.Expr:
    """The product, which is zero where the share is, whatever the seed."""
    return core.Formula(CHOSEN, (("x", seed), ("y", share)), type)
