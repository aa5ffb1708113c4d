"""How many slots a thread's tape needs: known beforehand, or counted by running the forward sweep once without keeping
anything."""

from __future__ import annotations

from typing import TypeGuard

from cladpy.adjoint.cleanup import all_statements, mentions
from cladpy.adjoint.sweep import Env, Keeping, Out, Sweep
from cladpy.analysis.loops import conjuncts, first_condition, goes_on, trip_bound
from cladpy.analysis.overwritten import unknown_values
from cladpy.ir import code, core
from cladpy.ir.fold import binary, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import regions, statements, substitute, values


def constant_capacity(sweep: Sweep, region: core.Region | None = None) -> int | None:
    """The slots that the loops of a region need at most, None where that depends on the run."""
    total = 0
    for loop in _loops(sweep.function.body if region is None else region):
        frame = _weight(sweep, loop)
        inner = constant_capacity(sweep, loop.body)
        if inner == 0 and frame == 0:
            continue
        n = trip_bound(loop, sweep.tapes[loop].facts, sweep.lets) if loop in sweep.tapes else None
        if inner is None or n is None:
            return None
        total += n * (frame + inner) if sweep.needs.store_all else n * frame + inner
    return total


def _loops(region: core.Region) -> list[core.Loop]:
    """The loops of a region that are not inside of another."""
    found: list[core.Loop] = []
    for statement in region:
        if isinstance(statement, core.Loop):
            found.append(statement)
        else:
            for inner in regions(statement):
                found += _loops(inner)
    return found


def _weight(sweep: Sweep, loop: core.Loop) -> int:
    return len(sweep.tapes[loop].frame.slots) if loop in sweep.tapes else 0


def _is_let(expr: core.Expr, lets: dict[core.Value, core.Expr]) -> TypeGuard[core.Use]:
    return isinstance(expr, core.Use) and expr.value in lets


_ORDERINGS = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})


class Counting(Sweep):
    """Writes the counting launch: the forward sweep, with a sum in place of the tape.

    Where iterations are recomputed one at a time, the tape holds a loop's frames and, above them, what one iteration's
    inner loops keep; where everything is stored it holds all frames at once. The count is an upper bound: branches
    that exclude each other are summed, and what depends on memory that the kernel overwrites, which this launch leaves
    alone, is decided for more: both branches of an `if`, a loop without the conditions that cannot be known.
    """

    def count(self) -> tuple[Out, core.Expr]:
        out: Out = []
        env = Env({})
        for parameter in self.function.parameters:
            if isinstance(parameter.content, core.Value):
                env[parameter.content] = core.Use(parameter.content)
        total = core.Value("_slots", LONG)
        out.append(code.Define(total, core.Const(0, LONG), mutable=True))
        self.totals = [total]
        self.sums: list[tuple[core.Value, core.Value]] = []
        self.unknown = unknown_values(self.function, self.needs.stores)
        self.doubtful: set[core.Value] = set()  # variables of the generated code with unknown values
        self.risky: set[core.Value] = set()  # loads that the kernel itself might not make
        self.in_doubt = 0
        self.loops: list[core.Loop] = []
        self._forward(self.function.body, env, out, None, Keeping(branches=False, loops=False))
        return out, core.Use(total)

    def trouble(self, block: code.Block) -> code.Statement | None:
        """A statement of the finished count that cannot stand there: it stores to memory, uses what is unknown, or
        loads where the kernel might not."""
        for statement in all_statements(block):
            if isinstance(statement, code.WriteElement) and statement.root.kind is not core.RootKind.LOCAL:
                return statement
            if isinstance(statement, code.Define) and statement.variable in self.risky:
                return statement
            simple = not isinstance(statement, code.Branch | code.While | code.CountDown)
            if simple and any(v in self.doubtful for v in mentions(statement)):
                return statement
            if isinstance(statement, code.Branch | code.While) and any(
                v in self.doubtful for v in values(statement.condition)
            ):
                return statement
        return None

    def _is_unknown(self, expr: core.Expr) -> bool:
        return any(v in self.unknown for v in values(expr))

    def _variable(self, value: core.Value) -> core.Value:
        variable = super()._variable(value)
        if value in self.unknown:
            self.doubtful.add(variable)
        return variable

    def _define(self, value: core.Value, init: code.Initializer, env: Env, out: Out, statement: core.Statement) -> None:
        super()._define(value, init, env, out, statement)
        if self.in_doubt and isinstance(init, code.Element | code.UserCall):
            defined = out[-1]
            assert isinstance(defined, code.Define)
            self.risky.add(defined.variable)

    def _forward_if(
        self, statement: core.If, env: Env, out: Out, fresh: set[core.Root] | None, keeping: Keeping
    ) -> None:
        if not self._is_unknown(statement.condition):
            super()._forward_if(statement, env, out, fresh, keeping)
            return
        self.in_doubt += 1
        goes = bool(self.loops) and goes_on(self.loops[-1], statement.condition)
        then_env, other_env = env.new_child(), env.new_child()
        self._forward(statement.then, then_env, out, fresh, keeping)
        if not goes:
            self._forward(statement.other, other_env, out, fresh, keeping)
        self.in_doubt -= 1
        for m in statement.merges:
            variable = self._variable(m.value)
            out.append(code.Define(variable, substitute(m.then, then_env)))
            env[m.value] = core.Use(variable)

    def _loop_condition(self, loop: core.Loop) -> core.Expr:
        if not self._is_unknown(loop.condition):
            return loop.condition
        known = self._known_part(first_condition(loop))
        return known if known is not None and self._comes_to_an_end(loop, known) else loop.condition

    def _comes_to_an_end(self, loop: core.Loop, condition: core.Expr) -> bool:
        """Whether a condition alone ends the loop: it compares what every iteration moves on."""
        inductions = self._tape(loop).facts.inductions
        return any(
            isinstance(test, core.Binary)
            and test.op in _ORDERINGS
            and any(isinstance(side, core.Use) and side.value in inductions for side in (test.left, test.right))
            for named in conjuncts(condition)
            for test in (conjuncts(self.lets[named.value]) if _is_let(named, self.lets) else [named])
        )

    def _known_part(self, condition: core.Expr) -> core.Expr | None:
        """What is known of a condition; where that does not hold the condition does not either."""
        if not self._is_unknown(condition):
            return condition
        match condition:
            case core.Binary(BinaryOp.AND, left, right):
                a, b = self._known_part(left), self._known_part(right)
                return a if b is None else b if a is None else binary(BinaryOp.AND, a, b, BOOL)
            case core.Unary(UnaryOp.NOT, core.Binary(BinaryOp.OR, left, right)):
                return self._known_part(
                    binary(BinaryOp.AND, unary(UnaryOp.NOT, left, BOOL), unary(UnaryOp.NOT, right, BOOL), BOOL)
                )
            case _:
                return None

    def _keeps_frames(self, loop: core.Loop, keeping: Keeping) -> bool:
        return False

    def _counts(self, loop: core.Loop) -> bool:
        inner = [s for s in statements(loop.body) if isinstance(s, core.Loop)]
        return any(_weight(self, here) for here in (loop, *inner))

    def _begin_iteration(self, loop: core.Loop, out: Out, body: Out) -> None:
        self.loops.append(loop)
        self.in_doubt += self._is_unknown(loop.condition)
        if not self._counts(loop):
            return
        frames, most = core.Value("_frames", LONG), core.Value("_most", LONG)
        out.append(code.Define(frames, core.Const(0, LONG), mutable=True))
        out.append(code.Define(most, core.Const(0, LONG), mutable=True))
        inner = core.Value("_inner", LONG)
        body.append(code.Define(inner, core.Const(0, LONG), mutable=True))
        self.totals.append(inner)
        self.sums.append((frames, most))

    def _end_iteration(self, loop: core.Loop, body: Out) -> None:
        self.loops.pop()
        self.in_doubt -= self._is_unknown(loop.condition)
        if not self._counts(loop):
            return
        inner = core.Use(self.totals.pop())
        frames, most = self.sums[-1]
        body.append(code.Add(frames, core.Const(_weight(self, loop), LONG)))
        if self.needs.store_all:
            body.append(code.Add(frames, inner))
        else:
            larger = core.Binary(BinaryOp.GT, inner, core.Use(most), BOOL)
            body.append(code.Assign(most, core.Select(larger, inner, core.Use(most), LONG)))

    def _end_loop(self, loop: core.Loop, out: Out) -> None:
        if not self._counts(loop):
            return
        frames, most = self.sums.pop()
        out.append(code.Add(self.totals[-1], core.Use(frames)))
        out.append(code.Add(self.totals[-1], core.Use(most)))
