"""Loops that count by what all threads of a block know.

    for (int h = blockDim.x / 2; h > 0; h >>= 1) { if (t < h) sum[t] += sum[t + h]; __syncthreads(); }

Threads that have left may count along: they come to the barriers in the loop as often as the others, and nobody need
be asked whether to go on. It ends for them too, since each turn brings the counter nearer to a bound that stays.

    for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += gridDim.x * blockDim.y) ...

Threads that begin at different numbers leave such a loop one by one. All of the block go on as long as one would that
began at a number that is `least` of all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import INT, Scalar, Type, is_integer, is_signed, size_of
from cladpy.order import scan
from cladpy.order.scan import Assigned, Jump

THREADS = frozenset({BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z})
EXTENTS = frozenset(v for v in BuiltinVar if v.value.startswith(("blockDim", "gridDim")))
Parts = tuple[core.Expr, ...] | None
_DEEPEST = 8  # names within names of what threads begin with: each may stand there twice


@dataclass(frozen=True, slots=True)
class Counter:
    """The variable by which a loop ends, how it goes on, and whether it does so by adding to it."""

    symbol: Symbol
    step: s.Expr
    adds: bool
    has_sign: bool  # whether it is compared with the sign that it has


@dataclass(frozen=True, slots=True)
class Known:
    """What is the same for all threads of a block: constants, the launch, the kernel's parameters (`given`), and what
    is made of these. `content` is what a variable has been assigned last, `lets` what names stand for."""

    lets: dict[core.Value, core.Expr]
    given: frozenset[core.Value]
    content: Callable[[Symbol], core.Expr | None]

    def value(self, expr: core.Expr) -> bool:
        def parts(e: core.Expr) -> Parts:
            match e:
                case core.Use(value) if value in self.given:
                    return ()
                case core.Const():
                    return ()
                case core.Builtin(var):
                    return None if var in THREADS else ()
                case core.Unary(_, operand) | core.Cast(operand):
                    return (operand,)
                case core.Binary(_, left, right):
                    return left, right
                case _:
                    return None

        return self._holds(expr, parts)

    def positive(self, expr: core.Expr | None) -> bool:
        """Whether a number is greater than zero."""

        def parts(e: core.Expr) -> Parts:
            match e:
                case core.Const(number):
                    return () if number > 0 else None
                case core.Builtin(var):
                    return () if var in EXTENTS else None
                case core.Cast(operand, type):
                    return (operand,) if _is_wide(type) else None
                case core.Binary(BinaryOp.MUL, left, right):
                    return left, right
                case _:
                    return None

        return expr is not None and self._holds(expr, parts)

    def not_negative(self, expr: core.Expr) -> bool:
        def parts(e: core.Expr) -> Parts:
            match e:
                case core.Const(number):
                    return () if number >= 0 else None
                case core.Builtin():
                    return ()
                case core.Cast(operand, type):
                    return (operand,) if _is_wide(type) else None
                case core.Binary(BinaryOp.ADD | BinaryOp.MUL | BinaryOp.DIV | BinaryOp.SHR, left, right):
                    return left, right
                case _:
                    return None

        return self._holds(expr, parts)

    def _holds(self, expr: core.Expr, parts: Callable[[core.Expr], Parts]) -> bool:
        """Whether something holds of a number, as it does where it holds of the `parts` that matter, none for one of
        which it does not. What names stand for is looked at once: values are parts of many others."""
        work, seen = [expr], set[core.Value]()
        while work:
            e = work.pop()
            found = parts(e)
            if found is None and isinstance(e, core.Use) and e.value in self.lets:
                found = () if e.value in seen else (self.lets[e.value],)
                seen.add(e.value)
            if found is None:
                return False
            work += found
        return True

    def least(self, expr: core.Expr, deepest: int = _DEEPEST) -> core.Expr | None:
        """What no thread of the block has less of, and all know; None where that is not seen."""
        if self.value(expr):
            return expr
        match expr:
            case core.Builtin(_, type):
                return core.Const(0, type)
            case core.Use(value) if value in self.lets and deepest:
                return self.least(self.lets[value], deepest - 1)
            case core.Cast(operand, type) if self._stays(expr, operand):
                least = self.least(operand, deepest)
                return None if least is None else cast(least, type)
            case core.Binary(BinaryOp.ADD, left, right, type) if self._stays(expr, left, right):
                first, second = self.least(left, deepest), self.least(right, deepest)
                return None if first is None or second is None else binary(BinaryOp.ADD, first, second, type)
            case core.Binary(BinaryOp.MUL | BinaryOp.DIV | BinaryOp.SHR as op, left, right, type) if (
                self._stays(expr, left) and self.value(right) and self.not_negative(right)
            ):
                least = self.least(left, deepest)
                return None if least is None else binary(op, least, right, type)
            case core.Binary(BinaryOp.MUL, left, right, type) if self.value(left) and not self.value(right):
                return self.least(core.Binary(BinaryOp.MUL, right, left, type), deepest)
            case core.Binary(BinaryOp.REM | BinaryOp.BIT_AND, left, right, type) if self.not_negative(
                left
            ) and self.not_negative(right):
                return core.Const(0, type)
            case _:
                return None

    def _stays(self, expr: core.Expr, *operands: core.Expr) -> bool:
        """Whether what is less remains so: nothing that is negative becomes a large number without a sign."""
        return _is_wide(expr.type) and (is_signed(expr.type) or all(map(self.not_negative, operands)))

    def told(self, expr: s.Expr) -> bool:
        """Whether all threads may evaluate an expression, and come to the same."""

        def is_one(e: s.Expr) -> bool:
            match e:
                case s.VarRef(symbol=symbol):
                    content = self.content(symbol)
                    return content is not None and self.value(content)
                case s.Builtin(var=var):
                    return var not in THREADS
                case _:
                    return True

        return self.is_harmless(expr) and all(map(is_one, surface_walk.walk(expr)))

    def is_harmless(self, expr: s.Expr, but: Collection[Symbol] = ()) -> bool:
        """Whether an expression is arithmetic of integers that cannot fail, whoever evaluates it, made of numbers and
        variables `but` for some."""
        for e in surface_walk.walk(expr):
            match e:
                case s.Literal() | s.Builtin() | s.Unary() | s.Cast():
                    pass
                case s.VarRef(symbol=symbol) if symbol not in but and self.content(symbol) is not None:
                    pass
                case s.Binary(op=op, right=right) if op not in (BinaryOp.DIV, BinaryOp.REM) or _is_at_least(right, 1):
                    pass
                case _:
                    return False
            if not is_integer(e.type):
                return False
        return True

    # ---- loops -----------------------------------------------------------------------------------------------------

    def counter(self, condition: s.Expr | None, step: s.Expr | None, body: s.Block) -> Counter | None:
        """By what a loop counts that ends whoever counts, and that nobody leaves in another way: all threads know by
        what it goes on, and up to what. Where it begins is not looked at."""
        if condition is None or step is None or not scan.jumps(body) <= {Jump.CONTINUE}:
            return None
        found = [_Step.of(e) for e in _parts(step)]
        steps = [at for at in found if at is not None and self.content(at.symbol) is not None]
        assigned = Assigned()
        assigned.add_statement(body)
        changed = {*assigned.symbols, *(at.symbol for at in steps)}
        if len(steps) < len(found) or not all(
            at.symbol not in assigned.symbols and self.is_harmless(at.by) for at in steps
        ):
            return None
        for left, op, bound in _compared(condition):
            for at in steps:
                read = {e.symbol for part in (at.by, bound) for e in surface_walk.walk(part) if isinstance(e, s.VarRef)}
                if at.symbol is _variable(left) and read.isdisjoint(changed) and self._ends(left, op, bound, at):
                    has_sign = is_signed(left.type) or not is_signed(at.symbol.type)
                    return Counter(at.symbol, at.expr, self._adds(at), has_sign)
        return None

    def steps_apart(self, step: s.Expr, own: frozenset[Symbol]) -> bool:
        """Whether a loop's step is arithmetic on variables that are the loop's `own`, and that all threads may do."""
        steps = [_Step.of(e) for e in _parts(step)]
        return all(at is not None and at.symbol in own and self.is_harmless(at.by) for at in steps)

    def _adds(self, step: _Step) -> bool:
        return step.op is BinaryOp.ADD and self._is_positive(step.by)

    def _is_positive(self, expr: s.Expr) -> bool:
        match expr:
            case s.Literal(value=number):
                return number > 0
            case s.Builtin(var=var):
                return var in EXTENTS
            case s.VarRef(symbol=symbol):
                return self.positive(self.content(symbol))
            case s.Cast(operand=operand, type=type):
                return _is_wide(type) and self._is_positive(operand)
            case s.Binary(op=BinaryOp.MUL, left=left, right=right):
                return self._is_positive(left) and self._is_positive(right)
            case _:
                return False

    def _ends(self, left: s.Expr, op: BinaryOp, bound: s.Expr, step: _Step) -> bool:
        """Whether steps come to a bound, whatever the counter begins with."""
        if not self.told(bound) or not self.told(step.by) or not _is_wide(step.symbol.type):
            return False
        least = {BinaryOp.GT: 0, BinaryOp.GE: 1}.get(op)  # the bound of a counter that does not become negative
        match step.op:
            case BinaryOp.ADD:
                return self._adds(step) and (op is BinaryOp.LT or (op is BinaryOp.LE and _is_small(bound)))
            case BinaryOp.SHL | BinaryOp.MUL:
                by = 1 if step.op is BinaryOp.SHL else 2
                grows = _is_at_least(step.by, by) and self.positive(self.content(step.symbol))
                return grows and op in (BinaryOp.LT, BinaryOp.LE) and _is_small(bound)
            case BinaryOp.SHR | BinaryOp.DIV:
                if not _is_at_least(step.by, 1 if step.op is BinaryOp.SHR else 2):
                    return False
                if op is BinaryOp.NE:
                    return _is_zero(bound) and (step.op is BinaryOp.DIV or not is_signed(step.symbol.type))
                return least is not None and _is_at_least(bound, least)
            case BinaryOp.SUB if least is not None and isinstance(_bare(bound), s.Literal):
                if is_signed(step.symbol.type) and is_signed(left.type):
                    return _is_at_least(step.by, 1)
                return _is_one(step.by) and _is_at_least(bound, least)
            case _:
                return False


@dataclass(frozen=True, slots=True)
class _Step:
    """How a variable goes on: `symbol op= by`."""

    symbol: Symbol
    op: BinaryOp
    by: s.Expr
    expr: s.Expr

    @staticmethod
    def of(expr: s.Expr) -> _Step | None:
        match expr:
            case s.IncDec(target=target, delta=delta, span=span) if (symbol := _variable(target)) is not None:
                op = BinaryOp.ADD if delta > 0 else BinaryOp.SUB
                return _Step(symbol, op, s.Literal(1, INT, span), expr)
            case s.CompoundAssign(op=op, target=target, value=by) if (symbol := _variable(target)) is not None:
                return _Step(symbol, op, by, expr)
            case s.Assign(target=target, value=value) if (symbol := _variable(target)) is not None:
                match _bare(value):
                    case s.Binary(op=op, left=left, right=by) if _variable(left) is symbol:
                        return _Step(symbol, op, by, expr)
        return None


def _parts(expr: s.Expr) -> Iterator[s.Expr]:
    """The steps of `++i, j /= 2`."""
    if isinstance(expr, s.Comma):
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def _compared(condition: s.Expr) -> Iterator[tuple[s.Expr, BinaryOp, s.Expr]]:
    """A comparison, from either side; a number by itself is compared with zero."""
    match condition:
        case s.Binary(op=op, left=left, right=right) if op in _MIRRORED:
            yield left, op, right
            yield right, _MIRRORED[op], left
        case s.Cast(operand=operand) if is_integer(operand.type):
            yield operand, BinaryOp.NE, s.Literal(0, INT, condition.span)


_MIRRORED = {
    BinaryOp.LT: BinaryOp.GT,
    BinaryOp.GT: BinaryOp.LT,
    BinaryOp.LE: BinaryOp.GE,
    BinaryOp.GE: BinaryOp.LE,
    BinaryOp.NE: BinaryOp.NE,
}


def _is_small(bound: s.Expr) -> bool:
    """Whether a bound is far from where numbers of 32 bits end."""
    match bound:
        case s.Literal(value=number):
            return number < 1 << 29
        case s.Builtin(var=var):
            return var.value.startswith("blockDim") or var is BuiltinVar.WARP_SIZE
        case s.Cast(operand=operand, type=type):
            return _is_wide(type) and _is_small(operand)
        case s.Binary(op=BinaryOp.DIV | BinaryOp.SHR, left=left):
            return _is_small(left)
        case _:
            return False


def _bare(expr: s.Expr) -> s.Expr:
    """An expression without conversions between integers that can hold its value."""
    while isinstance(expr, s.Cast) and _is_wide(expr.type) and is_integer(expr.operand.type):
        expr = expr.operand
    return expr


def _variable(expr: s.Expr) -> Symbol | None:
    bare = _bare(expr)
    return bare.symbol if isinstance(bare, s.VarRef) and isinstance(bare.symbol.type, Scalar) else None


def _is_wide(type: Type) -> bool:
    return is_integer(type) and size_of(type) >= size_of(INT)


def _is_at_least(expr: s.Expr, least: int) -> bool:
    bare = _bare(expr)
    return isinstance(bare, s.Literal) and bare.value >= least


def _is_one(expr: s.Expr) -> bool:
    bare = _bare(expr)
    return isinstance(bare, s.Literal) and bare.value == 1


def _is_zero(expr: s.Expr) -> bool:
    bare = _bare(expr)
    return isinstance(bare, s.Literal) and bare.value == 0
