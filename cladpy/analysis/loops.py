"""Loops: which carried values are arithmetic progressions, and how often a loop runs where that has a closed form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from cladpy.analysis.extents import at_most
from cladpy.analysis.shifts import conjuncts, is_not_negative, is_positive, shift_beside, shifted_loop
from cladpy.ir import core
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, Scalar, is_integer, is_signed, size_of
from cladpy.ir.walk import defined, statements, values

_MIRRORED = {BinaryOp.LT: BinaryOp.GT, BinaryOp.LE: BinaryOp.GE, BinaryOp.GT: BinaryOp.LT, BinaryOp.GE: BinaryOp.LE}


@dataclass(frozen=True, slots=True)
class Induction:
    """In iteration k the value is `init + k * step`, in the arithmetic of its type. `step` does not change. With
    another operator, a shift, it is `init >> k * step`."""

    init: core.Expr
    step: core.Expr
    op: BinaryOp = BinaryOp.ADD

    @property
    def is_linear(self) -> bool:
        """Whether the values are numbers `init + k * step`: those of narrow types come again, where they wrap."""
        return self.op is BinaryOp.ADD and size_of(self.init.type) >= size_of(INT)

    def at(self, k: core.Expr, init: core.Expr, step: core.Expr) -> core.Expr:
        """The value in iteration `k`; `init` and `step` are given as they are called where it is computed."""
        type = self.init.type
        if self.op is not BinaryOp.ADD:
            steps: core.Expr = cast(k, INT)
            if step != core.Const(1, step.type):
                steps = core.Binary(BinaryOp.MUL, steps, cast(step, INT), INT)
            return core.Binary(self.op, init, steps, type)
        steps = cast(k, type)
        if step != core.Const(1, type):
            steps = core.Binary(BinaryOp.MUL, steps, step, type)
        if isinstance(init, core.Const) and init.value == 0:
            return steps
        return core.Binary(BinaryOp.ADD, init, steps, type)


@dataclass(frozen=True, slots=True)
class LoopFacts:
    inductions: dict[core.Value, Induction]
    trip_count: core.Expr | None  # of type int where that holds it, else long; in terms of values from outside the loop
    most: int | None = None  # the loop never runs more often, where a shift bounds it


def loop_facts(loop: core.Loop, outer: Mapping[core.Value, core.Expr]) -> LoopFacts:
    """`outer` has the expressions of the values that are bound by a Let anywhere in the function."""
    inner: set[core.Value] = {c.value for c in loop.carried}
    lets: dict[core.Value, core.Statement] = {}
    for region in (loop.before, loop.body):
        for statement in statements(region):
            inner.update(defined(statement))
            if isinstance(statement, core.Loop):
                inner.update(c.value for c in statement.carried)
    for statement in loop.body:
        for value in defined(statement):
            lets[value] = statement

    def invariant(expr: core.Expr) -> bool:
        return not any(v in inner for v in values(expr))

    inductions: dict[core.Value, Induction] = {}
    count: core.Expr | None = None
    most: int | None = None
    beside: list[tuple[core.Carried, core.Binary]] = []
    for c in loop.carried:
        if is_integer(c.value.type) and c.value.type != BOOL:
            after = _after(loop, c.value, c.next, lets)
            step = None if after is None else _step(c.value, after)
            if step is not None and invariant(step):
                inductions[c.value] = Induction(c.init, step)
                continue
            shifted = None if after is None else shifted_loop(loop, c, after, invariant, outer)
            if shifted is not None:
                inductions[c.value] = Induction(c.init, core.Const(shifted.amount, INT), shifted.op)
                most = shifted.most
                count = shifted.count
            elif after is not None:
                beside.append((c, after))
    for c, after in beside:
        by = None if most is None else shift_beside(c.value, after, most)
        if by is not None:
            inductions[c.value] = Induction(c.init, core.Const(by[1], INT), by[0])
    if count is None:
        count = None if loop.before else trip_count(loop.condition, inductions, invariant, outer)
    return LoopFacts(inductions, count, most)


def _after(
    loop: core.Loop, value: core.Value, expr: core.Expr, lets: dict[core.Value, core.Statement]
) -> core.Binary | None:
    """What a carried value is in the next iteration, where one follows and that is made by one operator."""
    if isinstance(expr, core.Use):
        match lets.get(expr.value):
            case core.Let(_, inner):
                return _after(loop, value, inner, lets)
            case core.If(condition, then, _, merges) if goes_on(loop, condition):
                # the step of a loop that may have been left: skipped only where no iteration follows
                for m in merges:
                    if m.value is expr.value and m.other == core.Use(value):
                        lets = dict(lets)
                        lets.update((s.value, s) for s in then if isinstance(s, core.Let))
                        return _after(loop, value, m.then, lets)
            case _:
                pass
        return None
    if isinstance(expr, core.Select) and goes_on(loop, expr.condition) and expr.other == core.Use(value):
        return _after(loop, value, expr.then, lets)
    if isinstance(expr, core.Cast) and expr.type == value.type:
        return _narrowed(expr.operand, value)
    return expr if isinstance(expr, core.Binary) and expr.type == value.type else None


def _narrowed(expr: core.Expr, value: core.Value) -> core.Binary | None:
    """`(int)((unsigned)i + step)` as `i + (int)step`: sums and differences are the same in the bits that are left."""
    if not isinstance(expr, core.Binary) or expr.op not in (BinaryOp.ADD, BinaryOp.SUB):
        return None
    if not is_integer(expr.type) or size_of(expr.type) < size_of(value.type):
        return None
    itself = core.Use(value)
    sides = [e.operand if isinstance(e, core.Cast) and e.operand == itself else e for e in (expr.left, expr.right)]
    if itself not in sides:
        return None
    left, right = (e if e == itself else cast(e, value.type) for e in sides)
    return core.Binary(expr.op, left, right, value.type)


def _step(value: core.Value, after: core.Binary) -> core.Expr | None:
    """What each iteration adds to a carried value, or None."""
    if after.op is BinaryOp.ADD and after.left == core.Use(value):
        return after.right
    if after.op is BinaryOp.ADD and after.right == core.Use(value):
        return after.left
    if after.op is BinaryOp.SUB and after.left == core.Use(value):
        return unary(UnaryOp.NEG, after.right, after.type)
    return None


def goes_on(loop: core.Loop, condition: core.Expr) -> bool:
    """Whether another iteration can follow only if `condition` held in this one: it says that no flag is up, and the
    loop's own condition asks for the same flags to be down; or what the loop asks next is false where it does not
    hold."""
    asked = _flags(first_condition(loop))
    raised = _flags(condition)
    down = {c.next for c in loop.carried if c.value.type == BOOL and core.Use(c.value) in asked}
    if raised and raised <= down:
        return True
    wanted = conjuncts(loop.condition)
    for c in loop.carried:
        if core.Use(c.value) not in wanted:
            continue
        if condition in conjuncts(c.next):
            return True
        for statement in loop.body:
            if isinstance(statement, core.If) and statement.condition == condition:
                for m in statement.merges:
                    if c.next == core.Use(m.value) and m.other == core.Const(False, BOOL):
                        return True
    return False


def first_condition(loop: core.Loop) -> core.Expr:
    """What a loop's condition evaluates first, where the rest is evaluated only if that holds."""
    if isinstance(loop.condition, core.Use):
        for statement in loop.before:
            if isinstance(statement, core.If):
                for m in statement.merges:
                    if m.value is loop.condition.value and m.other == core.Const(False, BOOL):
                        return statement.condition
    return loop.condition


def _flags(condition: core.Expr) -> set[core.Expr]:
    """The flags that must be down for a condition to hold."""
    if isinstance(condition, core.Binary) and condition.op is BinaryOp.AND:
        return _flags(condition.left) | _flags(condition.right)
    if isinstance(condition, core.Unary) and condition.op is UnaryOp.NOT:
        return _alternatives(condition.operand)
    return set()


def _alternatives(expr: core.Expr) -> set[core.Expr]:
    if isinstance(expr, core.Binary) and expr.op is BinaryOp.OR:
        return _alternatives(expr.left) | _alternatives(expr.right)
    return {expr}


def trip_count(
    condition: core.Expr,
    inductions: Mapping[core.Value, Induction],
    invariant: Callable[[core.Expr], bool],
    outer: Mapping[core.Value, core.Expr],
) -> core.Expr | None:
    """For `i < bound` and the like. Left alone: unsigned steps other than one, which may wrap around the bound."""
    if not isinstance(condition, core.Binary):
        return None
    op, left, right = condition.op, condition.left, condition.right
    induction = _progressing(left, inductions, invariant)
    if induction is None:
        op, left, right = _MIRRORED.get(op, op), right, left
        induction = _progressing(left, inductions, invariant)
    if induction is None or not invariant(right):
        return None
    type = induction.init.type
    if induction.op is not BinaryOp.ADD:
        return None
    if left.type != type:  # compared as another type: the same where it never is below zero
        rises = op in (BinaryOp.LT, BinaryOp.LE) and is_positive(induction.step, outer)
        if not rises or not is_signed(type) or not is_not_negative(induction.init, outer):
            return None
        induction = replace(induction, init=cast(induction.init, left.type))
    step = induction.step
    constant = int(step.value) if isinstance(step, core.Const) else None
    if not is_signed(type) and constant not in (1, -1) and constant != 2 ** (8 * size_of(type)) - 1:
        return None
    if not is_signed(type) and constant is not None and constant > 1:
        constant = -1
    low, high, magnitude = induction.init, right, step
    if op in (BinaryOp.GT, BinaryOp.GE):
        low, high = right, induction.init
        if constant is None or constant >= 0:
            return None
        magnitude = core.Const(-constant, type)
    elif op in (BinaryOp.LT, BinaryOp.LE):
        if not is_positive(step, outer) or (constant is not None and constant < 0):
            return None
    elif op is BinaryOp.NE and constant in (1, -1):
        if constant == -1:
            low, high = right, induction.init
        if is_signed(type):
            return binary(BinaryOp.SUB, cast(high, LONG), cast(low, LONG), LONG)
        # an unsigned counter may pass zero on its way: the difference is one of its own type
        return cast(binary(BinaryOp.SUB, cast(high, type), cast(low, type), type), LONG)
    else:
        return None
    strict = op in (BinaryOp.LT, BinaryOp.GT)
    leaves = strict or op is BinaryOp.LE or _is_one_less(high, outer)
    kind = INT if _fits_int(low, high, leaves, outer) else LONG
    one = core.Const(1, kind)
    difference = cast(high, kind)
    if not isinstance(low, core.Const) or low.value:
        difference = binary(BinaryOp.SUB, difference, cast(low, kind), kind)
    count: core.Expr
    if magnitude == core.Const(1, type):
        count = difference if strict else binary(BinaryOp.ADD, difference, one, kind)
    else:
        if strict:
            difference = binary(BinaryOp.SUB, difference, one, kind)
        count = binary(BinaryOp.ADD, _divide(difference, cast(magnitude, kind), kind), one, kind)
    runs = binary(BinaryOp.LT if strict else BinaryOp.LE, low, high, BOOL)
    if isinstance(runs, core.Const):
        return count if runs.value else core.Const(0, kind)
    return core.Select(runs, count, core.Const(0, kind), kind)


def _fits_int(low: core.Expr, high: core.Expr, leaves: bool, outer: Mapping[core.Value, core.Expr]) -> bool:
    """Whether an int holds how often a loop runs that goes through the numbers between two: both are ints, and the
    lower one is not negative. `leaves` says that it leaves out the largest int: it does not reach the upper end, or
    that is not the largest, since a step beyond would overflow, or it was made by a subtraction."""
    ends = (low, high)
    if not all(is_signed(e.type) and size_of(e.type) <= size_of(INT) for e in ends):
        return False
    if not is_not_negative(low, outer) and not _is_part(low, outer):
        return False
    return leaves or (isinstance(low, core.Const) and low.value >= 1)


def _is_part(expr: core.Expr, outer: Mapping[core.Value, core.Expr]) -> bool:
    """Whether an integer is below half of what its unsigned type holds, and not negative: the thread's place in its
    block, what is left by a division of something unsigned, or such a quotient."""
    match expr:
        case core.Use(value):
            return value in outer and _is_part(outer[value], outer)
        case core.Builtin(var):
            return var in (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
        case core.Cast(operand, type):
            wide_enough = is_integer(operand.type) and is_integer(type) and type != BOOL
            return wide_enough and size_of(type) >= size_of(operand.type) and _is_part(operand, outer)
        case core.Binary(BinaryOp.REM | BinaryOp.DIV as op, left, core.Const(int(by)), type):
            signed = is_signed(type)
            if op is BinaryOp.REM and not signed:
                return 0 < by < 1 << (8 * size_of(type) - 1)
            return by >= 2 and (not signed or _is_part(left, outer))
        case _:
            return False


def _is_one_less(expr: core.Expr, outer: Mapping[core.Value, core.Expr]) -> bool:
    """Whether something is subtracted from a signed number."""
    if isinstance(expr, core.Use) and expr.value in outer:
        return _is_one_less(outer[expr.value], outer)
    match expr:
        case core.Binary(BinaryOp.SUB, _, core.Const(int(by))):
            return by >= 1
        case _:
            return False


def _progression(expr: core.Expr, inductions: Mapping[core.Value, Induction]) -> core.Value | None:
    """The progression that an expression is, in a type that holds all its values if they are not negative."""
    if isinstance(expr, core.Cast) and is_integer(expr.type) and size_of(expr.type) >= size_of(expr.operand.type):
        expr = expr.operand
    return expr.value if isinstance(expr, core.Use) and expr.value in inductions else None


def _progressing(
    expr: core.Expr, inductions: Mapping[core.Value, Induction], invariant: Callable[[core.Expr], bool]
) -> Induction | None:
    """The same with what begins it, and the steps. So is what has something added to it that does not change, or is
    multiplied by a number: the loop itself computes all of it."""
    value = _progression(expr, inductions)
    if value is not None:
        return inductions[value]
    match expr:
        case core.Binary(op, core.Use(value), other, type) if value in inductions and value.type == type:
            induction = inductions[value]
        case core.Binary(BinaryOp.ADD | BinaryOp.MUL as op, other, core.Use(value), type) if (
            value in inductions and value.type == type
        ):
            induction = inductions[value]
        case _:
            return None
    if induction.op is not BinaryOp.ADD or not is_signed(type) or not invariant(other):
        return None
    if op in (BinaryOp.ADD, BinaryOp.SUB):
        return replace(induction, init=binary(op, induction.init, other, type))
    if op is BinaryOp.MUL and isinstance(other, core.Const) and other.value > 0:
        by = cast(other, type)
        init, step = (binary(op, cast(e, type), by, type) for e in (induction.init, induction.step))
        return replace(induction, init=init, step=step)
    return None


def _rises_from_zero(induction: Induction) -> bool:
    ends = (induction.init, induction.step)
    return induction.op is BinaryOp.ADD and all(isinstance(e, core.Const) and e.value >= 0 for e in ends)


def _divide(left: core.Expr, right: core.Expr, kind: Scalar) -> core.Expr:
    if isinstance(left, core.Const) and isinstance(right, core.Const):
        return core.Const(int(left.value) // int(right.value), kind)
    return core.Binary(BinaryOp.DIV, left, right, kind)


def trip_bound(loop: core.Loop, facts: LoopFacts, outer: Mapping[core.Value, core.Expr]) -> int | None:
    """A constant that a loop's trip count never exceeds, where its condition asks, among other things, a progression
    between constants to stay on one side of a constant."""
    if isinstance(facts.trip_count, core.Const):
        return max(0, int(facts.trip_count.value))
    bounds = [b for test, late in _tests(loop, outer) if (b := _bound(test, facts, outer, late)) is not None]
    if facts.most is not None:
        bounds.append(facts.most)
    return min(bounds, default=None)


def _tests(loop: core.Loop, outer: Mapping[core.Value, core.Expr]) -> list[tuple[core.Expr, bool]]:
    """What must hold for an iteration to begin, and for another one to follow (then with True)."""
    merges = {
        m.value: (s.condition, m)
        for region in (loop.before, loop.body)
        for s in statements(region)
        if isinstance(s, core.If)
        for m in s.merges
    }

    def split(expr: core.Expr, seen: set[core.Value]) -> list[core.Expr]:
        match expr:
            case core.Binary(BinaryOp.AND, left, right):
                return [*split(left, seen), *split(right, seen)]
            case core.Use(value) if value in seen:
                return []  # a part of another one that was split
            case core.Use(value) if value in outer:
                seen.add(value)
                return split(outer[value], seen)
            case core.Use(value) if value in merges:
                seen.add(value)
                condition, merge = merges[value]
                if merge.other != core.Const(False, BOOL):
                    return []
                return [*split(condition, seen), *split(merge.then, seen)]
            case _:
                return [expr]

    found = [(test, False) for test in split(loop.condition, set())]
    for c in loop.carried:
        if core.Use(c.value) in (test for test, _ in found):
            found += [(test, True) for test in split(c.next, set())]
    return found


def _bound(test: core.Expr, facts: LoopFacts, outer: Mapping[core.Value, core.Expr], late: bool) -> int | None:
    """The most iterations that one condition allows. A late one is evaluated at the end of an iteration."""
    if not isinstance(test, core.Binary) or test.op not in _MIRRORED:
        return None
    op, left, right = test.op, test.left, test.right
    if isinstance(left, core.Const):
        op, left, right = _MIRRORED[op], right, left
    value = _progression(left, facts.inductions)
    if isinstance(left, core.Cast) and value is not None and _rises_from_zero(facts.inductions[value]):
        left = core.Use(value)
    limit = int(right.value) if isinstance(right, core.Const) else None
    if limit is None and op in (BinaryOp.LT, BinaryOp.LE):
        limit = at_most(right, outer)
    if limit is None or not is_integer(left.type) or not is_signed(left.type):
        return None
    shift = 0
    while not (isinstance(left, core.Use) and left.value in facts.inductions):
        match left:
            case core.Use(value) if value in outer:
                left = outer[value]
            case core.Binary(BinaryOp.ADD, inner, core.Const(constant)):
                left, shift = inner, shift + int(constant)
            case core.Binary(BinaryOp.SUB, inner, core.Const(constant)):
                left, shift = inner, shift - int(constant)
            case _:
                return None
    induction = facts.inductions[left.value]
    if induction.op is not BinaryOp.ADD:
        return None
    if not isinstance(induction.init, core.Const) or not isinstance(induction.step, core.Const):
        return None
    first, step = int(induction.init.value) + shift, int(induction.step.value)
    if op in (BinaryOp.GT, BinaryOp.GE):
        first, step, limit = -first, -step, -limit
    if op in (BinaryOp.LT, BinaryOp.GT):
        limit -= 1
    if step <= 0:
        return None
    passes = max(0, (limit - first) // step + 1)  # how often the condition can hold
    return passes + 1 if late else passes
