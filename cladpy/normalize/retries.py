"""Loops that try a compare-and-swap until it succeeds, as one atomic operation.

`do { assumed = old; old = atomicCAS(cell, assumed, g(assumed)); } while (old != assumed);` is `cell = g(cell)` in one
step: the loop is left only when the cell held what was compared, and whatever it began with. Where `g` adds, that is an
atomic addition. Of what else is found, such as a maximum, this only says that it is one step. A loop that compares with
something else than what it has seen, such as a lock's, is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy import known
from cladpy.ir import core
from cladpy.ir.fold import unary
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, is_integer, size_of
from cladpy.ir.walk import defined, operands, statements, substitute, values, with_regions
from cladpy.known import Operation
from cladpy.normalize.bits import reinterpreted


def join_retries(function: core.Function) -> core.Function:
    """The function with such loops replaced."""
    return replace(function, body=_region(function.body))


def _region(region: core.Region) -> core.Region:
    out: list[core.Statement] = []
    for statement in region:
        found = _Retry.of(statement) if isinstance(statement, core.Loop) else None
        out += [with_regions(statement, _region)] if found is None else found.joined()
    return tuple(out)


class _Retry:
    """A loop around a compare-and-swap, which gives `given`. `names` has what the names of its body stand for, in terms
    of what it carries, loads and swaps; `held` stands for the content of the cell before."""

    def __init__(self, loop: core.Loop, swap: core.Atomic, given: core.Value) -> None:
        self.loop = loop
        self.swap = swap
        self.given = given
        self.names = {s.value: s.expr for s in statements(loop.body) if isinstance(s, core.Let)}
        for s in statements(loop.body):  # merges as they are where the swap is made
            if isinstance(s, core.If) and swap in (*statements(s.then), *statements(s.other)):
                self.names |= {m.value: m.then if swap in statements(s.then) else m.other for m in s.merges}
        self.held = core.Value(f"{swap.root.name}_held", swap.root.element)

    @staticmethod
    def of(loop: core.Loop) -> _Retry | None:
        """The loop, if it is one: nothing but the swap has an effect, which compares with what the loop has seen."""
        every = [*statements(loop.before), *statements(loop.body)]
        swaps = [s for s in every if isinstance(s, core.Atomic) and known.operation(s.callee.name) is Operation.SWAP]
        if len(swaps) != 1 or swaps[0].value is None:
            return None
        swap = swaps[0]
        others = core.Let | core.Load | core.If
        inner = {v for s in every for v in defined(s)} | {c.value for c in loop.carried}
        if any(not isinstance(s, others) for s in every if s is not swap) or any(
            v in inner for v in values(swap.index)
        ):
            return None
        retry = _Retry(loop, swap, swaps[0].value)
        return retry if retry._compares_with_what_it_saw() and retry._leaves_on_success() else None

    # ---- what it is --------------------------------------------------------------------------------------------------

    def _compares_with_what_it_saw(self) -> bool:
        seen = _bits_of(self._expanded(self.swap.arguments[0]))
        return seen in self._loads() or any(c.value is seen and self._takes_given(c) for c in self.loop.carried)

    def _loads(self) -> set[core.Value]:
        """The loads of the cell in the body."""
        return {
            s.value
            for s in self.loop.body
            if isinstance(s, core.Load) and s.root is self.swap.root and s.index == self.swap.index
        }

    def _takes_given(self, carried: core.Carried) -> bool:
        """Whether a carried value is what the swap gives, or stays as it is where none was made."""
        if _without_casts(self._expanded(carried.next)) != core.Use(self.given):
            return False
        every = list(statements(self.loop.body))
        merged = {m.value: (m.then, m.other) for s in every if isinstance(s, core.If) for m in s.merges}
        lets = {s.value: s.expr for s in every if isinstance(s, core.Let)}
        stack = [carried.next]
        while stack:
            expr = _without_casts(_through(stack.pop(), lets))
            if isinstance(expr, core.Use) and expr.value in merged:
                stack += merged[expr.value]
            elif expr not in (core.Use(self.given), core.Use(carried.value)):
                return False
        return True

    def _leaves_on_success(self) -> bool:
        """Whether no further iteration follows a swap that was made: it gave what it was compared with."""
        compared = self._expanded(self.swap.arguments[0])
        nexts = {c.value: self._expanded(c.next) for c in self.loop.carried}
        known: dict[core.Expr, core.Expr] = {}
        for equal, swapped in ((BinaryOp.EQ, False), (BinaryOp.NE, False), (BinaryOp.EQ, True), (BinaryOp.NE, True)):
            sides = (core.Use(self.given), compared)
            left, right = sides[::-1] if swapped else sides
            known[core.Binary(equal, left, right, BOOL)] = core.Const(equal is BinaryOp.EQ, BOOL)
        again = self._condition(nexts)
        return _decided(again, known) is False

    def _condition(self, nexts: Mapping[core.Value, core.Expr]) -> core.Expr:
        """What the loop asks before the next iteration, of what that begins with; of a condition that is evaluated in
        parts, the first."""
        asked = self.loop.condition
        for s in self.loop.before:
            if isinstance(s, core.If) and isinstance(asked, core.Use):
                first = {m.value: s.condition for m in s.merges if m.other == core.Const(False, BOOL)}
                asked = first.get(asked.value, asked)
        return substitute(
            _through(asked, {s.value: s.expr for s in self.loop.before if isinstance(s, core.Let)}), nexts
        )

    def _expanded(self, expr: core.Expr) -> core.Expr:
        return _through(expr, self.names)

    # ---- what becomes of it ------------------------------------------------------------------------------------------

    def joined(self) -> list[core.Statement]:
        added = self._added()
        root, index, callee, span = self.swap.root, self.swap.index, self.swap.callee, self.swap.span
        step: core.Statement
        before: list[core.Statement] = []
        if added is not None:
            step = core.AtomicAdd(root, index, added, callee, span, self.held)
            used = set(values(added))
            before += [s for s in self._steady() if s.value in used]
        else:
            step = core.Atomic(self.given, root, index, self._inputs(), callee, span)
        results = (core.Let(c.result, self._result(c, added is not None), span) for c in self.loop.carried)
        return [*before, step, *results]

    def _result(self, carried: core.Carried, adds: bool) -> core.Expr:
        """What is carried out of the loop depends on what the cell held. It is refused where that matters, so that it
        need only say that it does."""
        held = core.Use(self.held if adds else self.given)
        same = reinterpreted(held, carried.result.type)
        return same if same is not None else core.Cast(held, carried.result.type)

    def _inputs(self) -> tuple[core.Expr, ...]:
        """What from outside goes into the new content."""
        every = [*statements(self.loop.before), *statements(self.loop.body)]
        inner = {v for s in every for v in defined(s)} | {c.value for c in self.loop.carried}
        used = {v: None for s in every for e in operands(s) for v in values(e) if v not in inner}
        return tuple(core.Use(v) for v in used)

    def _added(self) -> core.Expr | None:
        """What a swap that is made in each iteration adds to the content of the cell."""
        if self.loop.before or self.swap not in self.loop.body or any(isinstance(s, core.If) for s in self.loop.body):
            return None
        first = substitute(self.loop.condition, {c.value: c.init for c in self.loop.carried})
        compared = self._expanded(self.swap.arguments[0])
        again = self._condition({c.value: self._expanded(c.next) for c in self.loop.carried})
        if _decided(first, {}) is not True or not _asks_for_failure(again, self.given, compared):
            return None
        new = self._content(self._expanded(self.swap.arguments[1]))
        match new:
            case core.Binary(BinaryOp.ADD, core.Use(value), added) if value is self.held:
                pass
            case core.Binary(BinaryOp.ADD, added, core.Use(value)) if value is self.held:
                pass
            case core.Binary(BinaryOp.SUB, core.Use(value), taken) if value is self.held:
                added = unary(UnaryOp.NEG, taken, taken.type)
            case _:
                return None
        inner = {v for s in self.loop.body for v in defined(s)} | {c.value for c in self.loop.carried} | {self.held}
        inner -= {s.value for s in self._steady()}
        return None if any(v in inner for v in values(added)) or added.type != self.swap.root.element else added

    def _steady(self) -> list[core.Load]:
        """The loads of the body that give the same in each iteration, and may be made before the loop."""
        inner = {v for s in self.loop.body for v in defined(s)} | {c.value for c in self.loop.carried}
        loads = [s for s in self.loop.body if isinstance(s, core.Load) and s.root.memory is not self.swap.root.memory]
        expanded = [replace(s, index=self._expanded(s.index)) for s in loads]
        return [s for s in expanded if not any(v in inner for v in values(s.index))]

    def _content(self, bits: core.Expr) -> core.Expr | None:
        """The new content as the memory has it, in terms of the old."""
        expr = _without_casts(bits)
        element = self.swap.root.element
        if is_integer(element):
            return self._in_terms_of_held(expr)
        if isinstance(expr, core.Math) and _takes_bits(expr, True) and expr.arguments[0].type == element:
            return self._in_terms_of_held(expr.arguments[0])
        return None

    def _in_terms_of_held(self, expr: core.Expr) -> core.Expr:
        compared = _bits_of(self._expanded(self.swap.arguments[0]))
        if expr.type == self.held.type and compared is not None and _bits_of(expr) is compared:
            return core.Use(self.held)
        match expr:
            case core.Binary(op, left, right, type):
                return core.Binary(op, self._in_terms_of_held(left), self._in_terms_of_held(right), type)
            case _:
                return expr


def _takes_bits(call: core.Math, to_integer: bool) -> bool:
    """Whether this gives all bits of a number of 32 or 64 bits as an integer, or the other way."""
    row = known.of(call.callee.name)
    return isinstance(row, known.Bits) and row.to_integer is to_integer and row.whole and not row.is_half


def _bits_of(expr: core.Expr) -> core.Value | None:
    """The value whose bits an expression has."""
    match _without_casts(expr):
        case core.Math(_, (inner,)) as call if _takes_bits(call, True) or _takes_bits(call, False):
            return _bits_of(inner)
        case core.Use(value):
            return value
        case _:
            return None


def _through(expr: core.Expr, names: Mapping[core.Value, core.Expr]) -> core.Expr:
    """The expression with names replaced by what they stand for, until none is left; a long one as it is."""
    return written_out(expr, names.get) or expr


def _without_casts(expr: core.Expr) -> core.Expr:
    """Without conversions between integers of one size."""
    while (
        isinstance(expr, core.Cast)
        and is_integer(expr.type)
        and is_integer(expr.operand.type)
        and size_of(expr.type) == size_of(expr.operand.type)
    ):
        expr = expr.operand
    return expr


def _decided(expr: core.Expr, known: Mapping[core.Expr, core.Expr]) -> bool | None:
    """The truth of a condition, given that of parts of it; None where that does not say."""
    expr = known.get(expr, expr)
    match expr:
        case core.Const(value):
            return bool(value)
        case core.Unary(UnaryOp.NOT, operand):
            inner = _decided(operand, known)
            return None if inner is None else not inner
        case core.Binary(BinaryOp.AND, left, right):
            both = (_decided(left, known), _decided(right, known))
            return False if False in both else True if both == (True, True) else None
        case core.Binary(BinaryOp.OR, left, right):
            either = (_decided(left, known), _decided(right, known))
            return True if True in either else False if either == (False, False) else None
        case _:
            return None


def _asks_for_failure(condition: core.Expr, given: core.Value, compared: core.Expr) -> bool:
    """Whether a condition says that the swap was not made, and nothing else."""
    match condition:
        case core.Unary(UnaryOp.NOT, core.Binary(BinaryOp.EQ, left, right)) | core.Binary(BinaryOp.NE, left, right):
            return {left, right} == {core.Use(given), compared}
        case _:
            return False
