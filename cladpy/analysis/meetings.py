"""Whether two threads can make accesses to one element with nothing between them that orders the two.

For any two accesses there are these proofs. Each stands beside a store of the primal at its index, and these two stores
are in one barrier interval: they would race. Or, in shared memory, both are made by one and the same thread; or their
indices are the thread's index, times a factor, plus what is the same for the block: then threads meet only where the
difference of the two is one of indices, which `if (tid < k) s[tid] += s[tid + k];` rules out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import cached_property

from cladpy.analysis.affine import Affine, affine
from cladpy.analysis.intervals import Intervals
from cladpy.analysis.reasons import Access, owners
from cladpy.analysis.uniform import Varying, varying_in_block
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import UINT, is_integer, is_signed
from cladpy.ir.walk import defined, statements, subexpressions, values

INDEX = core.Builtin(BuiltinVar.THREAD_X, UINT)
THREAD = Affine.of({(INDEX,): 1})
ZERO = Affine.of({})
Guards = list[tuple[core.Statement, int]]  # branches and loops, each with the number of its region


def would_race(a: Access, b: Access, made: list[Access], intervals: Intervals, *, in_block: bool) -> bool:
    """Whether threads that meet in these accesses would also have stored to one element, with nothing between the
    stores; `made` are the stores to one buffer. For the threads of one block, where `in_block`, a barrier between the
    accesses is enough: those of other blocks do not wait there."""
    of_a, of_b = owners(a, made), owners(b, made)
    if not in_block and not (of_a and of_b):
        return False
    return are_beside(a, b, of_a, of_b, intervals)


def are_beside(a: Access, b: Access, of_a: list[Access], of_b: list[Access], intervals: Intervals) -> bool:
    """The same, of the stores that stand beside the one and the other."""
    if not intervals.may_meet(a.segment, b.segment):
        return True
    return any(_are_made_together(a, b, s, t, intervals) for s in of_a for t in of_b)


def _are_made_together(a: Access, b: Access, s: Access, t: Access, intervals: Intervals) -> bool:
    """Where accesses a and b are made in one barrier interval, stores s and t are too, at the same indices: either in
    the intervals of the accesses, or in another one of the same iteration, or at indices that are the same in every
    iteration."""
    if s.segment != t.segment:
        return False
    if a.segment == s.segment == b.segment:
        return True
    assert s.index is not None
    assert t.index is not None
    symbols = s.index.symbols() | t.index.symbols()
    return all(
        not intervals.changes(symbols, loop) or not intervals.may_meet_across(a.segment, b.segment, loop)
        for loop in intervals.loops(s.segment)
    )


class Meetings:
    """In shared memory, of the threads of a block that has one dimension."""

    def __init__(self, function: core.Function, intervals: Intervals) -> None:
        self.function = function
        self.intervals = intervals
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}

    @cached_property
    def varying(self) -> Varying:
        return varying_in_block(self.function)

    def never(self, accesses: list[Access], stores: Mapping[core.Root, list[Access]]) -> bool:
        """Whether no two threads meet in any of the accesses."""
        return next(self._pairs(accesses, stores), None) is None

    def parted(
        self, accesses: list[Access], stores: Mapping[core.Root, list[Access]]
    ) -> frozenset[core.Statement] | None:
        """Loads before whose reverse the block has to wait, for no two threads to meet in any of the accesses; None
        where that does not help. Threads meet in two loads of one region then, to which all of the block come; or in
        two of one branch in such a region, whose reverse may come after that of the branch."""
        loads: dict[core.Statement, Access] = {}
        for a, b in self._pairs(accesses, stores):
            if a is b or a.around != b.around or not self._for_all(a, b):
                return None
            for access in (a, b):
                if not isinstance(access.statement, core.Load):
                    return None
                loads[access.statement] = access
        order = [s for s in statements(self.function.body) if s in loads]
        return frozenset(order[:-1])  # the last is the first in reverse

    def divided(self, waits: set[core.Statement]) -> frozenset[core.Statement]:
        """The branches with such loads that not all threads of the block take."""
        if not waits:
            return frozenset()
        return frozenset(
            s
            for s in statements(self.function.body)
            if isinstance(s, core.If) and self.varying.expr(s.condition) and not waits.isdisjoint((*s.then, *s.other))
        )

    def _pairs(
        self, accesses: list[Access], stores: Mapping[core.Root, list[Access]]
    ) -> Iterator[tuple[Access, Access]]:
        """Those in which threads may meet."""
        for a, b in itertools.combinations_with_replacement(accesses, 2):
            if not any(
                would_race(a, b, made, self.intervals, in_block=True) for made in stores.values()
            ) and not self.apart(a, b):
                yield a, b

    def _for_all(self, a: Access, b: Access) -> bool:
        """Whether all threads of a block come to two accesses of one region, once between other barriers, or to the
        branch that they stand in."""
        around = a.around
        if around and isinstance(around[-1][0], core.If) and self.varying.expr(around[-1][0].condition):
            if not all(self._may_come_later(access, around[-1][0]) for access in (a, b)):
                return False
            around = around[:-1]
        for s, _ in around:
            assert isinstance(s, core.If | core.Loop)
            if self.varying.expr(s.condition):
                return False
            if isinstance(s, core.Loop) and (
                not self.intervals.orders(s) or self.intervals.may_meet_across(a.segment, b.segment, s)
            ):
                return False
        return True

    def _may_come_later(self, access: Access, branch: core.If) -> bool:
        """Whether what is read in a branch may be added to after the reverse of the whole branch: the index is known
        there, and nothing else in the branch has to do with the memory but loads."""
        load = access.statement
        if not isinstance(load, core.Load):
            return False
        inside = list(statements((branch,)))
        if not {v for s in inside for v in defined(s)}.isdisjoint(values(load.index)):
            return False
        return not any(
            s.effects.calls
            or s.effects.begins
            or s.effects.waits.somebody
            or (isinstance(s, core.WRITES) and s.root.memory is load.root.memory)
            for s in inside
        )

    def apart(self, a: Access, b: Access) -> bool:
        """Whether no two threads meet in these two, whatever the primal stores."""
        common = [here for here, there in zip(a.around, b.around, strict=False) if here == there]
        together = self.intervals.may_meet(a.segment, b.segment)
        if not together or any(self._is_one_thread(*guard) for guard in common):
            return True
        if a.index is None or b.index is None:
            return False
        mine, other = self._offset(a.index), self._offset(b.index)
        if mine is None or other is None or mine[0] != other[0] or self._moves(a, b):
            return False
        difference = other[1].plus(mine[1], -1)
        if difference == ZERO:
            return True
        return any(self._is_beyond(difference, mine[0], *guard, common) for guard in common)

    def _offset(self, index: Affine) -> tuple[int, Affine] | None:
        """An index as a factor of the thread's index and a rest that is the same for the threads of a block."""
        factor = dict(index.terms).get((INDEX,), 0)
        rest = index.plus(THREAD, -factor)
        if factor == 0 or any(self.varying.expr(atom) for monomial, _ in rest.terms for atom in monomial):
            return None
        return factor, rest

    def _moves(self, a: Access, b: Access) -> bool:
        """Whether the indices may be others in another iteration that is in the same interval."""
        assert a.index is not None
        assert b.index is not None
        symbols = a.index.symbols() | b.index.symbols()
        return any(
            self.intervals.changes(symbols, loop)
            and (not self.intervals.orders(loop) or self.intervals.may_meet_across(a.segment, b.segment, loop))
            for loop in {s for s, _ in (*a.around, *b.around) if isinstance(s, core.Loop)}
        )

    # ---- what a branch says ----------------------------------------------------------------------------------------

    def _comparison(self, statement: core.Statement, region: int) -> core.Binary | None:
        """What holds in the first region of a branch, if that is a comparison of integers."""
        if not isinstance(statement, core.If) or region != 0:
            return None
        condition = statement.condition
        while isinstance(condition, core.Use) and condition.value in self.lets:
            condition = self.lets[condition.value]
        compared = isinstance(condition, core.Binary) and is_integer(condition.left.type)
        return condition if compared and isinstance(condition, core.Binary) else None

    def _is_one_thread(self, statement: core.Statement, region: int) -> bool:
        """Whether only one thread of the block comes here, in each interval."""
        test = self._comparison(statement, region)
        if test is None or test.op is not BinaryOp.EQ:
            return False
        sides = affine(test.left, self.lets), affine(test.right, self.lets)
        numbers = [s for s in sides if not s.without_constant().terms]
        return THREAD in sides and len(numbers) == 1

    def _is_beyond(
        self, difference: Affine, factor: int, statement: core.Statement, region: int, around: Guards
    ) -> bool:
        """Whether the difference is that of a thread's index and one that is too large here: `threadIdx.x < k`."""
        test = self._comparison(statement, region)
        if test is None or test.op is not BinaryOp.LT or affine(test.left, self.lets) != THREAD:
            return False
        if not is_signed(test.right.type) and any(
            isinstance(e, core.Cast) and is_signed(e.operand.type) and not self._is_positive(e.operand, around)
            for e in self._expanded(test.right)
        ):
            return False  # a negative number would be a large one
        limit = affine(test.right, self.lets)  # if that varies, it is no such difference
        return any(difference == ZERO.plus(limit, sign * factor) for sign in (1, -1))

    def _is_positive(self, expr: core.Expr, around: Guards) -> bool:
        """Whether a loop around goes on only while a number is greater than zero."""
        for loop, region in around:
            match loop:
                case core.Loop(condition=core.Binary(BinaryOp.GT, left, core.Const(0))) if region == 1 and left == expr:
                    return True
        return False

    def _expanded(self, expr: core.Expr) -> list[core.Expr]:
        found: list[core.Expr] = []
        waiting = [expr]
        while waiting:
            for e in subexpressions(waiting.pop()):
                found.append(e)
                if isinstance(e, core.Use) and e.value in self.lets:
                    waiting.append(self.lets[e.value])
        return found
