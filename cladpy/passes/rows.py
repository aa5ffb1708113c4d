"""What short loops add to a run of neighbouring elements is kept in registers and added once, by the lanes together.

    for c: reduce d_w[b + c] += f(c)        for c: row[c] = f(c)
                                            add row to d_w[b ...]

Where all lanes of a warp add to the same run, as where each multiplies the same key with a query of its own, they fold
their rows onto each other: with half as many elements left to each of two lanes in every step, thirty-one exchanges sum
thirty-two elements, which are then added by one instruction. One by one that takes five exchanges for each. Where the
run of each lane begins one element behind that of the lane before, as in a convolution, lanes add up what is theirs.

Which of the two it is, lanes find when they come there (`cladpy::add_row`); what is neither is added as it was. So no
proof depends on addresses, but that the elements are neighbours: the index is the counter, and what does not change in
the loop. The additions may wait until after the loop if nobody looks at the adjoint in it (`accumulators`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from cladpy.analysis.affine import Affine, affine
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, inner_blocks, with_blocks
from cladpy.ir.flow import constants, from_outside, written_in
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import LONG, is_floating, is_half, is_integer, is_signed, size_of
from cladpy.ir.walk import map_children, subexpressions, values
from cladpy.passes.accumulators import may_wait, observed
from cladpy.passes.tidy import without_unused

# Iterations that are unrolled, and elements of the rows of one loop, which are in registers.
MOST = 64
# Statements that a loop is unrolled to.
LARGEST = 1024
LANES = 32

Nest = tuple[code.CountDown, ...]
Lets = Mapping[core.Value, core.Expr]


def with_rows(block: code.Block) -> code.Block:
    """The body of a kernel whose arguments do not overlap."""
    if not any(isinstance(s, code.AddElement) and _is_shared(s) for s in all_statements(block)):
        return block
    lets = constants(all_statements(block))
    asked = set(observed(all_statements(block)))
    return without_unused(_Rows(lets, asked).block(block))


@dataclass(frozen=True, slots=True)
class _Row:
    """A statement that adds to a run of elements: the first one's index, where in the run it adds, and how."""

    first: core.Expr
    offset: core.Expr
    length: int
    whole: bool  # whether each element is written once
    along: bool


@dataclass(slots=True)
class _Rows:
    lets: Lets  # what constants are made of
    asked: set[core.Root]  # whose adjoints are looked at

    def block(self, block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            out += self._loop(s) if isinstance(s, code.CountDown) else (with_blocks(s, self.block),)
        return tuple(out)

    def _loop(self, loop: code.CountDown) -> list[code.Statement]:
        found: dict[code.AddElement, tuple[_Row, Nest]] = {}
        if _times(loop) is not None and _size((loop,)) <= LARGEST:
            inside = list(all_statements(loop.body))
            changed = {loop.variable, *written_in(loop.body)}
            looked_at, ordered = set(observed(inside)), any(s.effects.waits.somebody for s in inside)
            room = MOST
            for added, nest, always in _added((loop,), loop.body, always=True):
                if not _is_shared(added) or not may_wait(added, looked_at, self.asked, ordered=ordered):
                    continue
                row = self._row(added, nest, changed, always)
                if row is not None and row.length <= room:
                    found[added] = row, nest
                    room -= row.length
        before: list[code.Statement] = []
        after: list[code.Statement] = []
        instead: dict[code.Statement, code.Statement] = {}
        for s, (row, _) in found.items():
            type = adjoint_value(s.root.element)
            array = core.Root(f"_d_{s.root.name}_row", type, core.RootKind.LOCAL, s.root.span, row.length)
            before.append(code.DeclareArray(array, adjoint=False, zeroed=not row.whole))
            if row.whole:
                instead[s] = code.WriteElement(array, row.offset, s.expr)
            else:
                instead[s] = code.AddElement(array, row.offset, s.expr, Update.PLAIN, adjoint=False)
            after.append(replace(s, index=row.first, expr=zero(type), load=None, row=array, along=row.along))
        unrolled = {here for _, nest in found.values() for here in nest}
        (changed_loop,) = _rewritten((loop,), instead, unrolled)
        return [*before, with_blocks(changed_loop, self.block), *after]

    def _row(self, s: code.AddElement, nest: Nest, changed: set[core.Value], always: bool) -> _Row | None:
        """How a statement adds to a run of elements, if it does in the iterations of the loops around it."""
        counters = {loop.variable: n for loop in nest if (n := _times(loop)) is not None}
        index = from_outside(s.index, self.lets, changed - set(counters))
        if index is None or prod(counters.values()) > MOST:
            return None
        if not always and not all(map(_keeps_order, _made_of(index, set(counters)))):
            return None  # the first element may be none of the array, and a subscript before it would be a large one
        steps = _steps(affine(index, self.lets), counters, changed)
        if steps is None:
            return None
        length, offset = 1, core.Const(0, LONG)
        summed: core.Expr = offset
        for counter, step in sorted(steps.items(), key=lambda item: item[1]):
            if step != length:
                return None
            part = binary(BinaryOp.MUL, cast(core.Use(counter), LONG), core.Const(step, LONG), LONG)
            part = cast(core.Use(counter), LONG) if step == 1 else part
            summed = part if summed is offset else binary(BinaryOp.ADD, part, summed, LONG)
            length *= counters[counter]
        along = s.update is Update.ATOMIC
        if length < 2 or (along and (length > LANES or not _is_along(affine(index, self.lets)))):
            return None
        first = _at_zero(index, set(counters))
        return _Row(first, summed, length, always and len(steps) == len(counters), along)


def _is_shared(s: code.AddElement) -> bool:
    """Whether it adds to an element that threads meet at, of an array whose elements are neighbours."""
    root = s.root
    plain = s.adjoint and not s.assigned and not s.privatised and s.row is None
    number = is_floating(adjoint_value(root.element)) and not is_half(root.adjoint_cell) and not is_half(root.element)
    path = root.path if root.adjoint_path is None else root.adjoint_path
    flat = len(path) == 1 and path[0].endswith("[{i}]") and not root.members
    return plain and s.update in (Update.ATOMIC, Update.REDUCED) and root.outlives and number and flat


def _times(loop: code.CountDown) -> int | None:
    """How often a loop runs, if that is a constant."""
    constant = isinstance(loop.count, core.Const) and loop.mask is None
    return int(loop.count.value) if constant and isinstance(loop.count, core.Const) else None


def _size(block: code.Block) -> int:
    """The statements of a block when its loops are unrolled."""
    total = 0
    for s in block:
        times = _times(s) if isinstance(s, code.CountDown) else None
        total += 1 + sum(map(_size, inner_blocks(s))) * (1 if times is None else times)
    return total


def _added(nest: Nest, block: code.Block, *, always: bool) -> Iterator[tuple[code.AddElement, Nest, bool]]:
    """What is added in a block, with the loops around it, all of which run a constant number of times, and whether it
    is in each of their iterations."""
    for s in block:
        match s:
            case code.AddElement():
                yield s, nest, always
            case code.Branch(_, then, other):
                yield from _added(nest, then, always=False)
                yield from _added(nest, other, always=False)
            case code.CountDown(body=body) if _times(s) is not None:
                yield from _added((*nest, s), body, always=always)
            case _:
                pass


def _steps(index: Affine, counters: Mapping[core.Value, int], changed: set[core.Value]) -> dict[core.Value, int] | None:
    """By how many elements each counter that matters moves an index; None where that is no constant."""
    steps: dict[core.Value, int] = {}
    for monomial, coefficient in index.terms:
        inside = [atom for atom in monomial if not changed.isdisjoint(values(atom))]
        if not inside:
            continue
        atom = monomial[0]
        if len(monomial) > 1 or not isinstance(atom, core.Use) or atom.value not in counters:
            return None
        steps[atom.value] = coefficient
    return steps


def _is_along(index: Affine) -> bool:
    """Whether an index is one more in the next lane."""
    lanes = {m: c for m, c in index.terms if any(_is_lane(e) for atom in m for e in subexpressions(atom))}
    return len(lanes) == 1 and all(len(m) == 1 and _is_lane(m[0]) and c == 1 for m, c in lanes.items())


def _is_lane(expr: core.Expr) -> bool:
    return isinstance(expr, core.Builtin) and expr.var is BuiltinVar.THREAD_X


def _made_of(index: core.Expr, counters: set[core.Value]) -> list[core.Expr]:
    return [e for e in subexpressions(index) if not counters.isdisjoint(values(e))]


def _keeps_order(expr: core.Expr) -> bool:
    """Whether numbers below zero are what they are, or come out right when an address is made of them."""
    return is_integer(expr.type) and (is_signed(expr.type) or size_of(expr.type) == size_of(LONG))


def _at_zero(index: core.Expr, counters: set[core.Value]) -> core.Expr:
    """An index where all counters are zero."""

    def at(expr: core.Expr) -> core.Expr:
        expr = map_children(expr, at)
        match expr:
            case core.Use(value) if value in counters:
                return core.Const(0, value.type)
            case core.Cast(operand, type):
                return cast(operand, type)
            case core.Binary(BinaryOp.ADD, left, right, type) if _is_zero(right) and left.type == type:
                return left
            case core.Binary(BinaryOp.ADD, left, right, type) if _is_zero(left) and right.type == type:
                return right
            case core.Binary(op, left, right, type):
                return binary(op, left, right, type)
            case _:
                return expr

    return at(index)


def _is_zero(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and expr.value == 0


def _rewritten(
    block: code.Block, written: Mapping[code.Statement, code.Statement], unrolled: set[code.CountDown]
) -> code.Block:
    out: list[code.Statement] = []
    for s in block:
        if s in written:
            out.append(written[s])
            continue
        after = with_blocks(s, lambda inner: _rewritten(inner, written, unrolled))
        out.append(replace(after, unrolled=True) if isinstance(after, code.CountDown) and s in unrolled else after)
    return tuple(out)
