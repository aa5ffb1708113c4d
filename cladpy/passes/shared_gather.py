"""Sums over the threads of a block, gathered in place of being scattered.

In a tiled product every thread reads `tile[j][threadIdx.x]` for all j, so that in reverse sixteen threads add to each
element of the tile's adjoint, in every turn of the loop: atomics in shared memory, which take turns. The same sums are
made without them if the threads that read the same elements divide these among themselves: each goes over all of them
for the elements that are its own, with what is theirs in shared memory, and adds the sum once.

    for j: atomic d_tile[j][x] += f(j, own)        kept[thread] = own; barrier
                                                   for j in those of this thread:
                                                       for all threads t with this x: sum += f(j, kept[t])
                                                       atomic d_tile[j][x] += sum
                                                   barrier

Where what a thread adds is the same in every turn, and to elements that do not depend on the thread, as in the sum of
what the warps of a block tell each other, all elements are given the same number: the sum over the block, which is made
once.

A barrier stands beside such a loop, so that all threads come there together, and its bounds are the same for all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, changed, defined, expressions, map_statement, touched_roots, with_blocks
from cladpy.ir.effects import Waits
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.names import written_out
from cladpy.ir.shared import STATIC_LIMIT, array_bytes
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import SYNCTHREADS
from cladpy.ir.types import BOOL, INT, LONG, UINT, Scalar, is_half, is_integer, size_of
from cladpy.ir.walk import map_children, subexpressions, substitute, values
from cladpy.passes.tidy import without_idle_loops, without_unused
from cladpy.passes.warp_rounds import SharedSum, in_rounds

_THREADS = (BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z)
_SIZES = (BuiltinVar.BLOCK_DIM_X, BuiltinVar.BLOCK_DIM_Y, BuiltinVar.BLOCK_DIM_Z)
# What the threads of a block tell each other, at most; and how many threads that may be.
_MOST_BYTES = 32 * 1024
_LARGEST_BLOCK = 1024

_OWN: Mapping[BuiltinVar, core.Expr] = {t: core.Builtin(t, UINT) for t in _THREADS}

Builtins = Mapping[BuiltinVar, core.Expr]
# What changes a variable in straight-line code.
_STRAIGHT = code.Define | code.Assign | code.Add


def with_gathered_sums(block: code.Block, function: core.Function) -> code.Block:
    """The body of a kernel, before its shared memory is declared."""
    asked = frozenset(e.var for s in all_statements(block) for e in _builtins(s))
    if not any(s.effects.waits is Waits.BLOCK for s in all_statements(block)):
        return block
    counts = {s.variable: s.count for s in all_statements(block) if isinstance(s, code.CountDown) and s.mask is None}
    gathered = _Gathering(function, _defined(block), counts, asked, room_in(block)).block(block)
    return gathered if gathered == block else without_idle_loops(without_unused(gathered))


def room_in(block: code.Block) -> int:
    """Bytes of shared memory that are left without asking for more."""
    used = {(root.storage, adjoint) for s in all_statements(block) for root, adjoint in touched_roots(s)}
    shared = [(root, adjoint) for root, adjoint in used if root.kind is core.RootKind.SHARED]
    if any(root.dynamic for root, _ in shared):
        return 0
    taken = sum(array_bytes(code.DeclareArray(root, adjoint, adjoint)) for root, adjoint in shared)
    return min(_MOST_BYTES, STATIC_LIMIT - 1024 - taken)


@dataclass(slots=True)
class _Gathering:
    function: core.Function
    defined: Mapping[core.Value, core.Expr | None]  # what constants are made of; None for what changes or is loaded
    counts: Mapping[core.Value, core.Expr]  # by the variables of loops
    asked: frozenset[BuiltinVar]  # what the kernel asks for
    room: int
    uniform: dict[core.Value, bool] = field(default_factory=dict)  # what is known of constants

    def block(self, block: code.Block) -> code.Block:
        """A barrier says that all threads come to what stands beside it."""
        together = any(s.effects.waits is Waits.BLOCK for s in block)
        out: list[code.Statement] = []
        for s in block:
            gathered = self._gathered(s) if together and isinstance(s, code.CountDown) else None
            if gathered is not None:
                out += gathered
                continue
            out.append(with_blocks(s, self.block))
        return tuple(out)

    def _gathered(self, loop: code.CountDown) -> list[code.Statement] | None:
        if loop.mask is not None or not self._is_uniform(loop.count):
            return None
        inside = list(all_statements(loop.body))
        if any(s.effects.waits.somebody or s.effects.calls or s.effects.shows for s in inside):
            return None
        if any(isinstance(s, code.WriteElement) and s.root.kind is core.RootKind.SHARED for s in inside):
            return None
        sums = [
            s
            for s in loop.body
            if isinstance(s, code.AddElement) and not s.root.dynamic and self._may_gather(s, inside)
        ]
        groups: dict[frozenset[BuiltinVar], list[_Sum]] = {}
        steady: list[_Sum] = []
        for s in sums:
            found = self._sum(s, loop)
            if found is not None and found.steady:
                steady.append(found)
            elif found is not None:
                groups.setdefault(found.others, []).append(found)
        rounds = self._rounds(loop, inside)
        if rounds is not None:
            return rounds
        out: list[code.Statement] = []
        after: list[code.Statement] = []
        done: set[code.Statement] = {m.statement for m in steady}
        totals = {m: core.Value("_sum", adjoint_value(m.statement.root.element)) for m in steady}
        out += (
            code.Define(v, code.Together("cladpy::block_sum", (m.statement.expr,), v.type)) for m, v in totals.items()
        )
        places: dict[core.Value, core.Root] = {}
        for others, members in groups.items():
            told = [v for v in dict.fromkeys(v for m in members for v in m.told) if v not in places]
            bytes = sum(size_of(v.type) * _LARGEST_BLOCK for v in told)
            if bytes > self.room:
                continue
            self.room -= bytes
            for v in told:
                places[v] = core.Root(
                    f"_told{v.name}", v.type, core.RootKind.SHARED, self.function.span, _LARGEST_BLOCK
                )
                out.append(code.WriteElement(places[v], _linear(_OWN, _THREADS), core.Use(v)))
            after += self._loop(loop, others, members, places)
            done |= {m.statement for m in members}
        if not done:
            return None
        if steady:
            after += self._turns(loop, _THREADS, core.Value("_turn", LONG), [], totals)
        left = replace(loop, body=tuple(s for s in loop.body if s not in done))
        barrier = code.Synchronize(SYNCTHREADS)
        kept = [left] if any(changed(s) or not s.effects.only_computes for s in all_statements(left.body)) else []
        return [*out, barrier, *kept, *after, barrier]

    def _rounds(self, loop: code.CountDown, inside: list[code.Statement]) -> list[code.Statement] | None:
        """The loop in rounds of warps, where in each turn all threads add to one element, and each to its own sums."""
        sums: list[SharedSum] = []
        for s in loop.body:
            if isinstance(s, code.AddElement):
                if not self._may_gather(s, inside):
                    return None
                made = _made_before(loop, s)
                index = self._expanded(s.index, made, loop.variable)
                if index is None or loop.variable not in values(index) or _asks_for_threads(index):
                    return None
                sums.append(SharedSum(s, index))
        return in_rounds(loop, sums) if sums else None

    # ---- what can be gathered ----------------------------------------------------------------------------------------

    @staticmethod
    def _may_gather(s: code.AddElement, inside: list[code.Statement]) -> bool:
        shared = s.root.kind is core.RootKind.SHARED and s.adjoint
        alone = all(
            isinstance(t, code.AddElement) or (s.root.memory, True) not in {(r.memory, a) for r, a in touched_roots(t)}
            for t in inside
        )
        number = isinstance(adjoint_value(s.root.element), Scalar) and not is_half(s.root.adjoint_cell)
        return shared and alone and number and s.update in (Update.ATOMIC, Update.REDUCED) and not s.optional

    def _sum(self, s: code.AddElement, loop: code.CountDown) -> _Sum | None:
        """The contribution to an element as statements in which nothing of the thread's own is left but what it tells
        the others; None where there is more to it."""
        before = loop.body[: loop.body.index(s)]
        writes = {v: [t for t in before if isinstance(t, _STRAIGHT) and t.variable is v] for v in _defined(loop.body)}
        elsewhere = _defined(tuple(t for t in loop.body if not isinstance(t, _STRAIGHT)))
        carried = {t.variable for t in loop.body if isinstance(t, code.Assign | code.Add)} - {
            t.variable for t in before if isinstance(t, code.Define)
        }
        needed: dict[code.Statement, None] = {}
        told: list[core.Value] = []

        def visit(expr: core.Expr) -> bool:
            for v in values(expr):
                if v is loop.variable or v in told:
                    continue
                if v in elsewhere or v in carried:
                    return False
                if writes.get(v):
                    if not all(t in needed or take(t) for t in writes[v]):
                        return False
                elif not self._is_uniform(core.Use(v)):
                    if is_integer(v.type) and self._expanded(core.Use(v)) is not None:
                        continue
                    if not isinstance(v.type, Scalar) or is_half(v.type):
                        return False
                    told.append(v)
            return True

        def take(t: code.Define | code.Assign | code.Add) -> bool:
            needed[t] = None
            if not isinstance(t, code.Define):
                return visit(t.expr)
            match t.init:
                case code.Element(root, index, adjoint):
                    return not adjoint and root.kind is core.RootKind.SHARED and visit(index)
                case code.UserCall() | code.MemberOf() | code.Together():
                    return False
                case init:
                    return visit(init)

        if not visit(s.expr):
            return None
        steady = not needed and loop.variable not in values(s.expr)
        if not visit(s.index):
            return None
        index = self._expanded(s.index, _made_before(loop, s), loop.variable)
        if index is None:
            return None
        digits = {e.var for e in subexpressions(index) if isinstance(e, core.Builtin)} & set(_THREADS)
        others = frozenset(_THREADS) - digits
        if digits and others.isdisjoint(self.asked):
            return None  # there may be others, but the kernel does not know of them
        return _Sum(s, frozenset(needed), tuple(told), others, index, steady and not digits)

    def _is_uniform(self, expr: core.Expr) -> bool:
        """Whether it is the same for all threads of the block, and does not change."""
        for e in subexpressions(expr):
            if isinstance(e, core.Builtin) and e.var in _THREADS:
                return False
            if isinstance(e, core.Use) and e.value in self.defined and not self._is_made_uniformly(e.value):
                return False
        return True

    def _is_made_uniformly(self, value: core.Value) -> bool:
        if value not in self.uniform:
            init = self.counts.get(value, self.defined[value])
            self.uniform[value] = init is not None and self._is_uniform(init)
        return self.uniform[value]

    def _expanded(
        self,
        expr: core.Expr,
        known: Mapping[core.Value, code.Initializer] = {},
        variable: core.Value | None = None,
    ) -> core.Expr | None:
        """An integer as an expression of the thread's coordinates, what is the same for the block, and `variable`."""
        whole = written_out(expr, lambda v: self._made_of(v, known, variable))
        if whole is None:
            return None
        fits = (self._is_left(e, known, variable) for e in subexpressions(whole))
        return whole if all(fits) else None

    def _made_of(
        self, value: core.Value, known: Mapping[core.Value, code.Initializer], variable: core.Value | None
    ) -> core.Expr | None:
        if self._is_left(core.Use(value), known, variable):
            return None
        init = known.get(value, self.defined.get(value))
        return None if isinstance(init, code.LOADED) else init

    def _is_left(
        self, expr: core.Expr, known: Mapping[core.Value, code.Initializer], variable: core.Value | None
    ) -> bool:
        """Whether an expression stays as it is, but for its operands."""
        if isinstance(expr, core.Use):
            return expr.value is variable or (expr.value not in known and self._is_uniform(expr))
        return is_integer(expr.type)

    # ---- what is written instead -------------------------------------------------------------------------------------

    def _loop(
        self,
        loop: code.CountDown,
        others: frozenset[BuiltinVar],
        members: list[_Sum],
        places: Mapping[core.Value, core.Root],
    ) -> list[code.Statement]:
        dimensions = [t for t in _THREADS if t in others]
        turn = core.Value("_turn", LONG)
        sums = {m: core.Value("_sum", adjoint_value(m.statement.root.element)) for m in members}
        counters = {t: core.Value(f"_{t.value[-1]}", INT) for t in dimensions}
        theirs = dict(_OWN)
        body: list[code.Statement] = []
        rotated = self._coordinates_of(members)
        for dimension in dimensions:  # each begins with itself: neighbours are at different banks of shared memory
            if dimension not in rotated:  # but what they tell is read by all at once
                theirs[dimension] = cast(core.Use(counters[dimension]), UINT)
                continue
            at, size = core.Value(f"_at_{dimension.value[-1]}", UINT), _size(dimension)
            moved_on = binary(BinaryOp.ADD, cast(core.Use(counters[dimension]), UINT), _OWN[dimension], UINT)
            back = binary(BinaryOp.SUB, moved_on, size, UINT)
            inside = binary(BinaryOp.LT, moved_on, size, BOOL)
            body.append(code.Define(at, core.Select(inside, moved_on, back, UINT)))
            theirs[dimension] = core.Use(at)
        renamed: dict[core.Value, core.Expr] = {loop.variable: cast(core.Use(turn), loop.variable.type)}
        for v in dict.fromkeys(v for m in members for v in m.told):
            copy = core.Value(v.name, v.type)
            body.append(code.Define(copy, code.Element(places[v], _linear(theirs, _THREADS))))
            renamed[v] = core.Use(copy)

        def moved(expr: core.Expr) -> core.Expr:
            expr = substitute(self._coordinates(expr), renamed)
            return _with_builtins(expr, theirs)

        needed = {t for m in members for t in m.needed}
        by_statement = {m.statement: m for m in members}
        for t in loop.body:
            if isinstance(t, code.AddElement) and t in by_statement:
                body.append(code.Add(sums[by_statement[t]], moved(t.expr)))
            elif isinstance(t, _STRAIGHT) and t in needed:
                done = map_statement(t, moved)
                assert isinstance(done, _STRAIGHT)
                if isinstance(t, code.Define):
                    renamed[t.variable] = core.Use(core.Value(t.variable.name, t.variable.type))
                mine = renamed[t.variable]
                assert isinstance(mine, core.Use)
                body.append(replace(done, variable=mine.value))
        for dimension in dimensions:
            body = [code.CountDown(counters[dimension], cast(_size(dimension), INT), tuple(body))]
        first = [code.Define(v, zero(v.type), mutable=True) for v in sums.values()]
        return self._turns(loop, dimensions, turn, [*first, *body], sums)

    def _turns(
        self,
        loop: code.CountDown,
        dimensions: Collection[BuiltinVar],
        turn: core.Value,
        body: list[code.Statement],
        sums: Mapping[_Sum, core.Value],
    ) -> list[code.Statement]:
        """The turns of the loop divided among the threads that differ in some coordinates: in each the body, and
        additions of the sums."""
        each = list(body)
        for m, total in sums.items():
            index = substitute(m.index, {loop.variable: cast(core.Use(turn), loop.variable.type)})
            added = replace(m.statement, index=index, expr=core.Use(total), update=Update.ATOMIC, once=None)
            each.append(added)
        each.append(code.Add(turn, cast(_product(dimensions), LONG)))
        count = core.Value("_turns", LONG)
        condition = binary(BinaryOp.LT, core.Use(turn), core.Use(count), BOOL)
        return [
            code.Define(count, cast(loop.count, LONG)),
            code.Define(turn, cast(_linear(_OWN, dimensions), LONG), mutable=True),
            code.While((), condition, tuple(each)),
        ]

    def _coordinates_of(self, members: list[_Sum]) -> frozenset[BuiltinVar]:
        """The coordinates that contributions are made of, beside what is told."""
        made_of = (e for m in members for e in (m.statement.expr, *(e for t in m.needed for e in expressions(t))))
        parts = (e for expr in made_of for e in subexpressions(self._coordinates(expr)))
        return frozenset(e.var for e in parts if isinstance(e, core.Builtin))

    def _coordinates(self, expr: core.Expr) -> core.Expr:
        """With the thread's coordinates in place of integers that were made of them before the loop."""
        if isinstance(expr, core.Use) and is_integer(expr.value.type) and not self._is_uniform(expr):
            found = self._expanded(expr)
            return expr if found is None else found
        return map_children(expr, self._coordinates)


@dataclass(frozen=True, slots=True, eq=False)
class _Sum:
    """`others` are the coordinates by which the threads differ that add to the same elements."""

    statement: code.AddElement
    needed: frozenset[code.Statement]  # of the loop's body, in whose order they are run
    told: tuple[core.Value, ...]
    others: frozenset[BuiltinVar]
    index: core.Expr
    steady: bool  # whether every thread adds the same number in all turns, each to an element that all threads add to


def _made_before(loop: code.CountDown, s: code.Statement) -> dict[core.Value, code.Initializer]:
    """What constants are made of that a turn computes before a statement, but for what it loads."""
    loaded = code.LOADED
    before = (t for t in loop.body[: loop.body.index(s)] if isinstance(t, code.Define) and not t.mutable)
    return {t.variable: t.init for t in before if not isinstance(t.init, loaded)}


def _asks_for_threads(expr: core.Expr) -> bool:
    return any(isinstance(e, core.Builtin) and e.var in _THREADS for e in subexpressions(expr))


def _builtins(s: code.Statement) -> Iterator[core.Builtin]:
    return (e for expr in expressions(s) for e in subexpressions(expr) if isinstance(e, core.Builtin))


def _defined(block: code.Block) -> dict[core.Value, core.Expr | None]:
    """What every variable of the body is made of, where that is one expression."""
    found: dict[core.Value, core.Expr | None] = {}  # in the order in which they are: names are given in it
    later: dict[core.Value, None] = {}
    for s in all_statements(block):
        found |= dict.fromkeys(defined(s))
        later |= dict.fromkeys(changed(s))
        if isinstance(s, code.Define) and not s.mutable and not isinstance(s.init, code.LOADED):
            found[s.variable] = s.init
    return found | later


def _with_builtins(expr: core.Expr, given: Builtins) -> core.Expr:
    if isinstance(expr, core.Builtin):
        return given.get(expr.var, expr)
    return map_children(expr, lambda e: _with_builtins(e, given))


def _size(dimension: BuiltinVar) -> core.Builtin:
    return core.Builtin(_SIZES[_THREADS.index(dimension)], UINT)


def _linear(at: Builtins, dimensions: Collection[BuiltinVar]) -> core.Expr:
    """The number of a thread among those that differ in some coordinates."""
    total: core.Expr | None = None
    for t in reversed([t for t in _THREADS if t in dimensions]):
        if total is None:
            total = at[t]
        else:
            total = binary(BinaryOp.ADD, binary(BinaryOp.MUL, total, _size(t), UINT), at[t], UINT)
    assert total is not None
    return total


def _product(dimensions: Collection[BuiltinVar]) -> core.Expr:
    total: core.Expr = core.Const(1, UINT)
    for t in dimensions:
        total = _size(t) if isinstance(total, core.Const) else binary(BinaryOp.MUL, total, _size(t), UINT)
    return total
