"""How many slots a thread's tape needs at most, where the host can tell from what it launches with: the parameters that
are integers, and the extents of the launch. Then nothing has to be counted on the device.

The loops of a region need

    the trip count * the slots of a frame + what the loops of one iteration need     (which is there once at a time)
    the trip count * (the slots of a frame + what the loops of one iteration need)   where everything is stored

and of two branches the one that is taken, or the larger one. What the host computes is what each thread would, in the
same types. What differs between threads is nowhere in it, but for loops that count upwards: such a loop runs longest
from zero, and up to what its limit does not exceed (`launch_bounds.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.adjoint.frames import slots_of
from cladpy.adjoint.launch_bounds import Bounds
from cladpy.analysis.affine import VARYING
from cladpy.analysis.loops import loop_facts, trip_bound
from cladpy.analysis.shifts import is_positive
from cladpy.ir import code, core
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, LONG, is_integer, is_signed
from cladpy.ir.walk import map_children, statements, subexpressions
from cladpy.passes.dead_code import without_dead_code

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep

# A loop that runs no more often than this, but may well be left early, is taken to run as often.
_FEW = 64
_ZERO = core.Const(0, LONG)
_MIRRORED = {BinaryOp.LT: BinaryOp.GT, BinaryOp.LE: BinaryOp.GE, BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE}


def known_at_launch(sweep: Sweep) -> tuple[code.Block, core.Expr] | None:
    """What the host computes, and in terms of that the slots that a thread needs at most; None where it cannot know."""
    counts = _Counts(sweep)
    total = counts.region(sweep.function.body)
    if total is None:
        return None
    slots = core.Value("_slots", LONG)
    result = core.Use(slots)
    return without_dead_code([*counts.definitions, code.Define(slots, total)], (result,)), result


class _Counts:
    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.spans = {s.value: s.span for s in statements(sweep.function.body) if isinstance(s, core.Let)}
        self.definitions: list[code.Statement] = []
        self.bounds = Bounds(sweep, self.known)
        self.names: dict[core.Value, core.Expr | None] = {
            c: core.Use(c)
            for p in sweep.function.parameters
            for c in p.contents
            if isinstance(c, core.Value) and is_integer(c.type)
        }

    # ---- slots -----------------------------------------------------------------------------------------------------

    def region(self, region: core.Region) -> core.Expr | None:
        """The slots that the loops of a region need at most."""
        total: core.Expr = _ZERO
        for statement in region:
            match statement:
                case core.Loop():
                    own = self._loop(statement)
                case core.If():
                    own = self._branch(statement)
                case _:
                    continue
            if own is None:
                return None
            total = _sum(total, own)
        return total

    def _branch(self, statement: core.If) -> core.Expr | None:
        then, other = self.region(statement.then), self.region(statement.other)
        if then is None or other is None or then == other:
            return then if other is not None else None
        condition = self.known(statement.condition)
        if condition is not None:
            return core.Select(condition, then, other, LONG)
        if _ZERO in (then, other):
            return then if other == _ZERO else other
        return core.Select(core.Binary(BinaryOp.GT, then, other, BOOL), then, other, LONG)

    def _loop(self, loop: core.Loop) -> core.Expr | None:
        frame, inner = slots_of(self.sweep, loop), self.region(loop.body)
        if inner is None or (frame == 0 and inner == _ZERO):
            return inner
        if frame == 0 and not self.sweep.needs.store_all:
            return inner
        trips = self._trips(loop)
        if trips is None:
            return None
        slots: core.Expr = core.Const(frame, LONG)
        if self.sweep.needs.store_all and inner != _ZERO:
            slots, inner = _sum(slots, inner), _ZERO
        total = trips if slots == core.Const(1, LONG) else binary(BinaryOp.MUL, slots, trips, LONG)
        return _sum(total, inner)

    # ---- trip counts -----------------------------------------------------------------------------------------------

    def _trips(self, loop: core.Loop) -> core.Expr | None:
        tape = self.sweep.tapes[loop]
        condition = loop.condition
        if not (isinstance(condition, core.Binary) and condition.op is BinaryOp.NE):
            # where a guard keeps threads from one that asks for `!=`, it would go on for ever
            for longest in self._longest(loop):
                count = loop_facts(longest, self.sweep.lets).trip_count
                found = None if count is None else self.known(count)
                if found is not None:
                    return cast(found, LONG)
        most = trip_bound(loop, tape.facts, self.sweep.lets)
        return None if most is None or most > _FEW else core.Const(most, LONG)

    def _longest(self, loop: core.Loop) -> Iterator[core.Loop]:
        """The loop, as one that runs at least as often in any thread; the more of it is known, the later."""
        loop = self._from_zero(loop)
        yield loop
        match loop.condition:
            case core.Binary(op, counter, limit) if op in (BinaryOp.LT, BinaryOp.LE):
                pass
            case core.Binary(above, limit, counter) if above in (BinaryOp.GT, BinaryOp.GE):
                op = _MIRRORED[above]
            case _:
                return
        if isinstance(counter, core.Cast):
            counter = counter.operand
        most = self.bounds.above(limit) if isinstance(counter, core.Use) and is_signed(counter.type) else None
        if most is not None:
            name = core.Value("_most", LONG)
            self.definitions.append(code.Define(name, most, span=loop.span))
            self.names[name] = core.Use(name)
            yield replace(loop, condition=core.Binary(op, cast(counter, LONG), core.Use(name), BOOL))

    def _from_zero(self, loop: core.Loop) -> core.Loop:
        """The loop with upward counters that begin at zero wherever threads begin at numbers of their own."""
        condition = loop.condition
        if not isinstance(condition, core.Binary) or condition.op not in _MIRRORED:
            return loop
        found = self.sweep.tapes[loop].facts.inductions
        carried = []
        for c in loop.carried:
            steps = found.get(c.value)
            upwards = steps is not None and steps.op is BinaryOp.ADD and is_positive(steps.step, self.sweep.lets)
            if upwards and self.known(c.init) is None and self.bounds.is_not_negative(c.init):
                c = replace(c, init=core.Const(0, c.value.type))
            carried.append(c)
        return replace(loop, carried=tuple(carried))

    # ---- what is known ---------------------------------------------------------------------------------------------

    def known(self, expr: core.Expr) -> core.Expr | None:
        """An expression in terms of what the host knows; values of the kernel that it is made of are defined."""
        if not all(map(self._is_known, subexpressions(expr))):
            return None

        def named(e: core.Expr) -> core.Expr:
            if isinstance(e, core.Use):
                name = self.names[e.value]
                assert name is not None
                return name
            return map_children(e, named)

        return named(expr)

    def _is_known(self, expr: core.Expr) -> bool:
        if not is_integer(expr.type):
            return False  # another machine's floating-point arithmetic
        match expr:
            case core.Const() | core.Unary() | core.Cast() | core.Select():
                return True
            case core.Builtin(var):
                return var not in VARYING and var is not BuiltinVar.WARP_SIZE
            case core.Use(value):
                return self._name(value) is not None
            case core.Binary(op, _, right):
                match op:
                    case BinaryOp.DIV | BinaryOp.REM:  # the host comes to it wherever threads may not
                        return is_positive(right, self.sweep.lets)
                    case BinaryOp.SHL | BinaryOp.SHR:
                        return isinstance(right, core.Const)
                    case _:
                        return True
            case core.Math(callee):
                return callee.kind is FunctionKind.HOST_DEVICE and callee.qualified_name.startswith("cladpy::")
            case _:
                return False

    def _name(self, value: core.Value) -> core.Expr | None:
        """What a value is called on the host; None where only a thread knows it."""
        if value not in self.names:
            self.names[value] = None  # it is not made of itself
            init = self.known(self.sweep.lets[value]) if value in self.sweep.lets else None
            if init is not None:
                variable = core.Value(value.name, value.type)
                self.definitions.append(code.Define(variable, init, span=self.spans[value]))
                self.names[value] = core.Use(variable)
        return self.names[value]


def _sum(left: core.Expr, right: core.Expr) -> core.Expr:
    if _ZERO in (left, right):
        return right if left == _ZERO else left
    return binary(BinaryOp.ADD, left, right, LONG)
