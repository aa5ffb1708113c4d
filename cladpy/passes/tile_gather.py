"""Adjoints of tiles that threads read around their own place, gathered in place of being scattered.

Where a thread reads `tile[y][x + j]` for all j, its neighbours add to one element of the tile's adjoint: atomics in
shared memory, which take turns. Each thread tells the others what its additions are made of, and sums for a place, and
for those of the halo as far as they are its share, what all threads have for it:

    for j: atomic d_tile[y][x + j] += f(j, own)       kept[thread] = own; barrier
                                                      for places p = x, x + blockDim.x, ... up to the halo's end:
                                                          for j, where p - j is a thread: sum += f(j, kept[p - j])
                                                          d_tile[y][p] += sum
                                                      barrier

It is about what is done between two barriers, all of it: several loops, branches and single additions make one sum.
What decides whether a thread adds is asked for that thread. The gradient asks whether the block is small enough for
what it keeps and for places to be different elements (`shifted.py`), and adds by atomics where it is not.

What a thread has taken from the adjoint of another tile, as in the rows and columns of a separable filter, need not be
told: it stays there until all have read it, and is zeroed behind the next barrier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, changed, defined, with_blocks
from cladpy.ir.fold import binary, cast, unary, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.symbols import SYNCTHREADS
from cladpy.ir.types import BOOL, INT, UINT
from cladpy.ir.walk import map_children, substitute, values
from cladpy.passes.shared_gather import room_in
from cladpy.passes.shifted import SIZES, THREADS, Hull
from cladpy.passes.tile_additions import Addition, Kernel, Plan

_LARGEST_BLOCK = 1024


def with_gathered_tiles(block: code.Block) -> code.Block:
    """The body of a kernel, before its shared memory is declared. Arguments do not overlap."""
    kernel = Kernel(block)
    plans = {id(p.barrier): p for p in kernel.plans(block)}
    room = room_in(block)
    while plans:
        most = max(plans.values(), key=lambda p: p.bytes)
        bound = min(_LARGEST_BLOCK, max(p.bound for p in plans.values() if p.bytes or not most.bytes))
        threads = min(bound, room // most.bytes if most.bytes else bound)
        if threads >= min(bound, 256):
            return _Writing(plans, threads).block(block)
        del plans[id(most.barrier)]
    return block


@dataclass(slots=True)
class _Writing:
    """The body with the sums, for blocks of up to so many threads."""

    plans: Mapping[int, Plan]
    threads: int
    kept: dict[tuple[object, int], core.Root] = field(default_factory=dict)  # by type; one segment after the other

    def block(self, block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            plan = self.plans.get(id(s))
            if plan is not None:
                gathered = _Gathered(plan, self)
                out[len(out) - len(plan.segment.block) :] = [*gathered.run(), s, *gathered.behind()]
                continue
            out.append(with_blocks(s, self.block))
        return tuple(out)

    def places_of(self, plan: Plan) -> dict[core.Value, core.Root]:
        span = next(iter(plan.hulls)).span
        used: dict[object, int] = {}
        found: dict[core.Value, core.Root] = {}
        for v in plan.told:
            number = used[v.type] = used.get(v.type, -1) + 1
            if (v.type, number) not in self.kept:
                name, shared = f"_told{v.name}", core.RootKind.SHARED
                self.kept[v.type, number] = core.Root(name, v.type, shared, span, self.threads)
            found[v] = self.kept[v.type, number]
        return found


class _Gathered:
    """A segment, in which threads tell what they have, and the sums behind it."""

    def __init__(self, plan: Plan, writing: _Writing) -> None:
        self.plan, self.segment = plan, plan.segment
        self.fits = core.Value("_fits", BOOL)
        self.places = writing.places_of(plan)
        self.moved: set[code.Statement] = {a.statement for a in plan.additions}
        self.reread = plan.reread
        self.condition = self._condition(writing.threads)
        self.coordinates = next(iter(plan.hulls.values())).coordinates
        self.own: dict[BuiltinVar, core.Expr] = {t: core.Builtin(t, UINT) for t in THREADS}

    def run(self) -> list[code.Statement]:
        hulls: dict[tuple[object, ...], list[core.Root]] = {}
        for root, hull in self.plan.hulls.items():
            hulls.setdefault((hull.coordinates, hull.more), []).append(root)
        sums = tuple(s for roots in hulls.values() for s in self._sums(roots))
        return [
            code.Define(self.fits, self.condition),
            *self._left(self.segment.block),
            code.Synchronize(SYNCTHREADS),
            code.Branch(core.Use(self.fits), sums, ()),
        ]

    def _condition(self, threads: int) -> core.Expr:
        """Whether a block is as the sums take it to be."""
        hulls = self.plan.hulls.values()
        limits: dict[BuiltinVar, int] = {}
        every = [pair for hull in hulls for pair in hull.limits()]
        every += [pair for s in self.reread for pair in self.segment.taken[s.root.storage].items()]
        for t, limit in every:
            limits[t] = min(limit, limits.get(t, limit))
        absent = {t for hull in hulls for t in THREADS if t not in hull.coordinates}
        all_of: core.Expr = core.Const(True, BOOL)
        number: core.Expr = core.Const(1, UINT)
        for t in THREADS:
            if t in absent:
                test = binary(BinaryOp.EQ, SIZES[t], core.Const(1, UINT), BOOL)
            elif t in limits:
                test = binary(BinaryOp.LE, SIZES[t], core.Const(limits[t], UINT), BOOL)
            else:
                test = core.Const(True, BOOL)
            all_of = binary(BinaryOp.AND, all_of, test, BOOL)
            if t not in absent:
                number = SIZES[t] if isinstance(number, core.Const) else binary(BinaryOp.MUL, number, SIZES[t], UINT)
        few = binary(BinaryOp.LE, number, core.Const(threads, UINT), BOOL)
        return all_of if threads >= _LARGEST_BLOCK or not self.places else binary(BinaryOp.AND, all_of, few, BOOL)

    # ---- what is left ------------------------------------------------------------------------------------------------

    def _left(self, block: code.Block) -> code.Block:
        """The statements, with what is gathered only where the block does not fit, and what is told at their end."""
        out: list[code.Statement] = []
        for s in block:
            inside = list(all_statements((s,)))
            if isinstance(s, code.Take) and s in self.reread:
                out += self._seen(s)
            elif not any(t in self.moved or t in self.reread for t in inside):
                out.append(s)
            elif s in self.moved or self._only_adds(s, inside):
                last = out[-1] if out else None
                if isinstance(last, code.Branch) and not last.then and last.condition == core.Use(self.fits):
                    out[-1] = replace(last, other=(*last.other, s))
                else:
                    out.append(code.Branch(core.Use(self.fits), (), (s,)))
            else:
                out.append(with_blocks(s, self._left))
        told = [v for v, owner in self.plan.told.items() if owner is block]
        if told:
            index = self._number(self.own)
            tells = tuple(code.WriteElement(self.places[v], index, core.Use(v)) for v in told)
            out.append(code.Branch(core.Use(self.fits), tells, ()))
        return tuple(out)

    def _seen(self, s: code.Take) -> list[code.Statement]:
        """What is taken is left there for the others, where they read it."""
        seen, taken = core.Value(s.variable.name, s.variable.type), core.Value(s.variable.name, s.variable.type)
        there = code.Define(seen, code.Element(s.root, s.index, adjoint=True))
        left = (there, code.Assign(s.variable, core.Use(seen)))
        apart = (replace(s, variable=taken), code.Assign(s.variable, core.Use(taken)))
        first = code.Define(s.variable, zero(s.variable.type), mutable=True)
        return [first, code.Branch(core.Use(self.fits), left, apart)]

    def behind(self) -> list[code.Statement]:
        """What was left is zeroed when all have read it."""
        if not self.reread:
            return []
        zeros = self._zeros(self.segment.block)
        return [code.Branch(core.Use(self.fits), zeros, ()), code.Synchronize(SYNCTHREADS)]

    def _zeros(self, block: code.Block, names: Mapping[core.Value, core.Expr] = {}) -> code.Block:
        out: list[code.Statement] = []

        def here(expr: core.Expr) -> core.Expr:
            whole = self.segment.written_out(expr, names)
            assert whole is not None
            return substitute(whole, names)

        for s in block:
            if not any(t in self.reread for t in all_statements((s,))):
                continue
            match s:
                case code.Take(root=root, index=index):
                    nothing = zero(adjoint_value(root.element))
                    out.append(code.AddElement(root, here(index), nothing, Update.PLAIN, assigned=True))
                case code.Branch(condition, then, other):
                    out.append(code.Branch(here(condition), self._zeros(then, names), self._zeros(other, names)))
                case code.CountDown(variable=v, count=count, body=body):
                    copy = core.Value(v.name, v.type)
                    out.append(code.CountDown(copy, here(count), self._zeros(body, {**names, v: core.Use(copy)})))
        return tuple(out)

    def _only_adds(self, loop: code.Statement, inside: list[code.Statement]) -> bool:
        own = {v for t in inside for v in defined(t)}
        return isinstance(loop, code.CountDown) and all(
            (t in self.moved or t.effects.only_computes) and own.issuperset(changed(t)) for t in inside
        )

    def _number(self, at: Mapping[BuiltinVar, core.Expr]) -> core.Expr:
        """The number of a thread in its block."""
        total: core.Expr | None = None
        for t in reversed([t for t in THREADS if t in self.coordinates]):
            if total is None:
                total = at[t]
            else:
                total = binary(BinaryOp.ADD, binary(BinaryOp.MUL, total, SIZES[t], UINT), at[t], UINT)
        assert total is not None
        return total

    # ---- the sums ----------------------------------------------------------------------------------------------------

    def _sums(self, roots: list[core.Root]) -> list[code.Statement]:
        """The sums of adjoints whose places are alike."""
        hull = self.plan.hulls[roots[0]]
        additions = [a for a in self.plan.additions if a.statement.root.storage in roots]
        sums: dict[tuple[core.Root, int], core.Value] = {}
        nests: dict[tuple[object, ...], list[Addition]] = {}
        for a in additions:
            root = a.statement.root.storage
            sums.setdefault((root, a.place.residue), core.Value("_sum", adjoint_value(root.element)))
            pairs = zip(a.place.shifts, self.plan.hulls[root].first, strict=True)
            firsts = tuple(replace(s, constant=s.constant - first) for s, first in pairs)
            nests.setdefault((a.key[0], firsts), []).append(a)
        at: dict[BuiltinVar, core.Expr] = {}
        walked: list[tuple[BuiltinVar, core.Value]] = []
        for t, more in zip(hull.coordinates, hull.more, strict=True):
            if more:
                walked.append((t, core.Value(f"_at_{t.value[-1]}", INT)))
            at[t] = core.Use(walked[-1][1]) if more else cast(self.own[t], INT)
        body: list[code.Statement] = [code.Define(v, zero(v.type), mutable=True) for v in sums.values()]
        for same in nests.values():
            body += _Nest(self, same, hull, at, sums).run()
        for (root, residue), total in sums.items():
            index = self.plan.hulls[root].element(at, residue)
            origin = next(a.statement for a in additions if a.statement.root.storage is root)
            added = code.AddElement(origin.root, index, core.Use(total), Update.PLAIN, origin=origin.origin)
            inside = binary(BinaryOp.LT, cast(index, UINT), core.Const(root.length or 0, UINT), BOOL)
            body.append(code.Branch(inside, (added,), ()))
        for t, v in walked:
            size = cast(SIZES[t], INT)
            more = hull.more[hull.coordinates.index(t)]
            within = binary(BinaryOp.LT, core.Use(v), binary(BinaryOp.ADD, size, core.Const(more, INT), INT), BOOL)
            body = [
                code.Define(v, cast(self.own[t], INT), mutable=True),
                code.While((), within, (*body, code.Add(v, size))),
            ]
        return body


class _Nest:
    """The part of sums that is made by additions at one place of the program, and of the threads."""

    def __init__(
        self,
        gathered: _Gathered,
        additions: list[Addition],
        hull: Hull,
        at: Mapping[BuiltinVar, core.Expr],
        sums: Mapping[tuple[core.Root, int], core.Value],
    ) -> None:
        self.gathered, self.additions, self.hull, self.at, self.sums = gathered, additions, hull, at, sums
        self.names: dict[core.Value, core.Expr] = {}
        self.theirs = dict(gathered.own)
        self.again = {s for a in additions for s in a.again}
        self.loops = {v for a in additions for v in a.counts}

    def run(self) -> list[code.Statement]:
        first = self.additions[0]
        loops = [s for block, k in first.path[:-1] if isinstance(s := block[k], code.CountDown)]
        for loop in loops:
            self.names[loop.variable] = core.Use(core.Value(loop.variable.name, loop.variable.type))
        self.loops = {loop.variable for loop in loops}
        counters = [v for loop in loops for v in values(self.names[loop.variable])]
        hull = self.gathered.plan.hulls[first.statement.root.storage]
        found: list[list[code.Define]] = [[] for _ in (None, *loops)]  # outside of all loops, and in each of them
        tests: list[core.Expr] = [core.Const(True, BOOL) for _ in found]
        for t, shift, start, more in zip(hull.coordinates, first.place.shifts, hull.first, hull.more, strict=True):
            if not more:
                continue
            thread, number = core.Value(f"_from_{t.value[-1]}", INT), shift.back(self.at[t], self.names, start)
            self.theirs[t] = cast(core.Use(thread), UINT)
            depth = max((k for k, v in enumerate(counters, 1) if v in values(number)), default=0)
            found[depth].append(code.Define(thread, number))
            is_there = binary(BinaryOp.LT, self.theirs[t], SIZES[t], BOOL)
            tests[depth] = binary(BinaryOp.AND, tests[depth], is_there, BOOL)
        body = self._level(0)
        for depth in range(len(loops), -1, -1):
            if found[depth]:
                body = [*found[depth], code.Branch(tests[depth], tuple(body), ())]
            if depth:
                around = loops[depth - 1]
                count = self._count(around)
                body = [code.CountDown(counters[depth - 1], count, tuple(body), unrolled=around.unrolled)]
        return body

    def _count(self, loop: code.CountDown) -> core.Expr:
        first = self.additions[0]
        if loop.variable in first.lengths:
            return core.Const(first.counts[loop.variable], loop.count.type)
        whole = self.gathered.segment.written_out(loop.count, {})
        return loop.count if whole is None else whole

    def _level(self, level: int) -> list[code.Statement]:
        """What the additions need of a block on their way, and what of it holds them."""
        block, position = self.additions[0].path[level]
        last = level == len(self.additions[0].path) - 1
        here = {a.path[level][1]: a for a in self.additions} if last else {}
        out: list[code.Statement] = []
        for s in self.gathered.segment.before if level == 0 else ():
            if s in self.again:
                out += self._copy(s)
        for k, s in enumerate(block):
            if k in here:
                total = self.sums[here[k].statement.root.storage, here[k].place.residue]
                expr = self._moved(here[k].statement.expr, out)
                out.append(code.Add(total, expr))
            elif s in self.again:
                out += self._copy(s)
            elif not last and k == position:
                if isinstance(s, code.Branch):
                    condition = self._moved(s.condition, out)
                    taken = s.then is self.additions[0].path[level + 1][0]
                    inner = tuple(self._level(level + 1))
                    out.append(code.Branch(condition if taken else unary(UnaryOp.NOT, condition, BOOL), inner, ()))
                elif isinstance(s, code.CountDown) and s.variable in self.additions[0].lengths:
                    length = self._moved(self.additions[0].lengths[s.variable], out)
                    within = binary(BinaryOp.LT, self.names[s.variable], cast(length, s.variable.type), BOOL)
                    out.append(code.Branch(within, tuple(self._level(level + 1)), ()))
                else:
                    out += self._level(level + 1)
                break
        return out

    def _copy(self, s: code.Statement) -> list[code.Statement]:
        out: list[code.Statement] = []
        if isinstance(s, code.Branch):
            condition = self._moved(s.condition, out)
            out.append(code.Branch(condition, self._copies(s.then), self._copies(s.other)))
        elif isinstance(s, code.Define):
            init = s.init
            if isinstance(init, code.Element):
                moved: code.Initializer = replace(init, index=self._moved(init.index, out))
            else:
                assert not isinstance(init, code.LOADED)
                moved = self._moved(init, out)
            copy = core.Value(s.variable.name, s.variable.type)
            self.names[s.variable] = core.Use(copy)
            out.append(replace(s, variable=copy, init=moved))
        elif isinstance(s, code.Take):
            copy = core.Value(s.variable.name, s.variable.type)
            self.names[s.variable] = core.Use(copy)
            out.append(code.Define(copy, code.Element(s.root, self._moved(s.index, out), adjoint=True)))
        elif isinstance(s, code.Assign | code.Add):
            expr = self._moved(s.expr, out)
            mine = self.names[s.variable]
            assert isinstance(mine, core.Use)
            out.append(replace(s, variable=mine.value, expr=expr))
        return out

    def _copies(self, block: code.Block) -> code.Block:
        """What is run again of a branch; names in it are its own."""
        outside = dict(self.names)
        out = tuple(c for s in block if s in self.again for c in self._copy(s))
        self.names = outside
        return out

    def _moved(self, expr: core.Expr, out: list[code.Statement]) -> core.Expr:
        """An expression as the other thread has it; what that has told is read in front of it."""
        if isinstance(expr, core.Builtin):
            return self.theirs.get(expr.var, expr)
        if isinstance(expr, core.Cast) and isinstance(expr.operand, core.Builtin):
            theirs = self.theirs.get(expr.operand.var, expr.operand)
            same = isinstance(theirs, core.Cast) and theirs.operand.type == expr.type
            return theirs.operand if isinstance(theirs, core.Cast) and same else cast(theirs, expr.type)
        if isinstance(expr, core.Use):
            value = expr.value
            if value in self.names:
                return self.names[value]
            segment = self.gathered.segment
            if segment.is_there(value):
                return expr
            if value in self.gathered.places and any(value in a.told for a in self.additions):
                copy = core.Value(value.name, value.type)
                number = self.gathered._number(self.theirs)
                out.append(code.Define(copy, code.Element(self.gathered.places[value], number)))
                self.names[value] = core.Use(copy)
                return core.Use(copy)
            whole = segment.written_out(expr, dict.fromkeys(self.loops))
            assert whole is not None
            return self._moved(whole, out)
        return map_children(expr, lambda e: self._moved(e, out))
