"""What threads load, as polynomials of where they are in the launch, through the tiles that others have filled.

An element of shared memory is what a thread of the block has put there: where the index of the store, as a function of
that thread, is one to one, and that of the load is one of its values, the index in global memory follows. What only a
launch knows, such as that a block has as many threads as a tile has columns, is a condition of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cladpy.analysis.affine import Affine, Atom, affine
from cladpy.analysis.dimensions import BLOCKS, INDICES, THREADS
from cladpy.analysis.loops import loop_facts
from cladpy.analysis.polynomials import NOTHING, ONE, coefficient, constant, expression, of, replaced, uniform
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.names import parts
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG, UINT, is_floating, is_signed, size_of
from cladpy.ir.walk import regions, statements

AXES = tuple(zip(THREADS.items(), BLOCKS.items(), strict=True))


class Unfit(Exception):
    """Why a kernel is no contraction."""


@dataclass(frozen=True, slots=True)
class Place:
    """The statements around one, from outside, with the branch of an If that it is in."""

    around: tuple[tuple[core.Statement, bool], ...]

    @property
    def loops(self) -> tuple[core.Loop, ...]:
        return tuple(s for s, _ in self.around if isinstance(s, core.Loop))

    @property
    def branches(self) -> tuple[tuple[core.If, bool], ...]:
        return tuple((s, then) for s, then in self.around if isinstance(s, core.If))


@dataclass(frozen=True, slots=True)
class Turn:
    """How often a loop has run; what it carries besides, in terms of that."""

    atom: core.Use
    count: core.Expr


@dataclass(frozen=True, slots=True)
class Read:
    """An element of global memory, and the polynomials that must be below zero where it is one: else it counts as
    zero."""

    root: core.Root
    index: Affine
    below: tuple[Affine, ...]


@dataclass(slots=True)
class Accesses:
    function: core.Function
    lets: dict[core.Value, core.Expr] = field(default_factory=dict)
    made: dict[core.Value, core.Statement] = field(default_factory=dict)
    places: dict[core.Statement, Place] = field(default_factory=dict)
    turns: dict[core.Loop, Turn] = field(default_factory=dict)
    carried: dict[core.Value, Affine] = field(default_factory=dict)
    conditions: dict[core.Expr, None] = field(default_factory=dict)

    def place(self, region: core.Region, around: tuple[tuple[core.Statement, bool], ...]) -> None:
        for s in region:
            self.places[s] = Place(around)
            for number, inner in enumerate(regions(s)):
                self.place(inner, (*around, (s, isinstance(s, core.If) and number == 0)))

    def written(self, expr: core.Expr) -> core.Expr:
        while isinstance(expr, core.Use) and expr.value in self.lets:
            expr = self.lets[expr.value]
        return expr

    def element(self, expr: core.Expr) -> core.Load | None:
        """What is loaded where an expression is not zero."""
        expr = self.written(expr)
        made = self.made.get(expr.value) if isinstance(expr, core.Use) else None
        if isinstance(made, core.Load):
            return made
        if isinstance(made, core.If):
            sides = next((m.then, m.other) for m in made.merges if core.Use(m.value) == expr)
            loaded = [side for side in sides if not _is_zero(self.written(side))]
            return self.element(loaded[0]) if len(loaded) == 1 else None
        return None

    def count(self, loop: core.Loop) -> None:
        """Counts the turns of a loop, and learns what the carried counters are."""
        if loop in self.turns:
            return
        facts = loop_facts(loop, self.lets)
        count = None if facts.trip_count is None else uniform(facts.trip_count, self.lets, self._given)
        if count is None:
            raise Unfit("how often a loop runs is not the same for all threads, or not known before")
        turn = core.Use(core.Value(f"_turn_{len(self.turns)}", LONG))
        self.turns[loop] = Turn(turn, cast(count, LONG))
        for value, step in facts.inductions.items():
            if step.is_linear:
                first, each = self.polynomial(step.init), self.polynomial(step.step)
                self.carried[value] = first.plus(each.times(of(turn)))

    @property
    def _given(self) -> frozenset[core.Value]:
        contents = (c for p in self.function.parameters for c in p.contents)
        return frozenset(c for c in contents if isinstance(c, core.Value))

    def polynomial(self, expr: core.Expr) -> Affine:
        return replaced(affine(expr, self.lets), {core.Use(v): p for v, p in self.carried.items()})

    def read(self, expr: core.Expr, loop: core.Loop) -> Read:
        load = self.element(expr)
        assert load is not None
        if load.root.kind is not core.RootKind.SHARED:
            return Read(load.root, self.polynomial(load.index), self.inside(load, loop))
        return self._staged(load, loop)

    def inside(self, s: core.Statement, loop: core.Loop) -> tuple[Affine, ...]:
        """The conditions in the loop under which a statement is run."""
        outside = self.places[loop].branches
        branches = (b for b in self.places[s].branches if b not in outside)
        return tuple(p for branch, then in branches for p in self.below(branch.condition, then))

    def below(self, condition: core.Expr, holds: bool) -> Iterator[Affine]:
        """What is below zero where a condition holds, or does not."""
        for part, so in parts(condition, holds, self.lets):
            if not isinstance(part, core.Binary) or part.op not in _ORDERED or is_floating(part.left.type):
                raise Unfit("a condition is no bound")
            less, strict = _ORDERED[part.op]
            low, high = (self.polynomial(e) for e in (part.left, part.right)[:: 1 if less is so else -1])
            if not is_signed(part.left.type):  # numbers below zero are large ones
                counts = all(factor > 0 and all(map(self._is_count, m)) for m, factor in low.terms)
                if not counts or self.by_dimension(high)[0]:
                    raise Unfit("a condition is no bound")
                self.require(BinaryOp.LE, core.Const(0, LONG), expression(self.by_dimension(high)[1]))
            at = low.plus(high, -1)
            yield at if strict is so else at.plus(ONE, -1)

    def _is_count(self, atom: Atom) -> bool:
        return isinstance(atom, core.Builtin) or any(atom == t.atom for t in self.turns.values())

    def _staged(self, load: core.Load, loop: core.Loop) -> Read:
        """An element of shared memory as that of global memory which a thread has stored there."""
        stores = [s for s in self.places if isinstance(s, core.Store) and s.root is load.root]
        filled = [s for s in stores if self.element(s.expr) is not None]
        if len(filled) != 1 or not all(s in filled or _is_zero(s.expr) for s in stores):
            raise Unfit("a tile is not filled by one statement")
        (store,) = filled
        self._check_order(store, load, loop)
        self._check_filled(store, stores, loop)
        source = self.element(store.expr)
        assert source is not None
        if source.root.kind is core.RootKind.SHARED or self.inside(load, loop):
            raise Unfit("a tile is filled from a tile, or read under a condition")
        for around in self.places[store].loops:
            self.count(around)
        index, *below = (self.polynomial(source.index), *self.inside(store, loop), *self.inside(source, loop))
        who = self._who(store, load, (index, *below))
        own = {self.turns[around].atom for around in self.places[store].loops if around not in self.places[load].loops}
        atoms = {a for p in (index, *below) for monomial, _ in p.terms for a in monomial}
        if any(a not in who for a in atoms if _is_thread(a) or a in own):
            raise Unfit("threads store different elements at one place of a tile")
        return Read(source.root, replaced(index, who), tuple(replaced(p, who) for p in below))

    def _check_order(self, store: core.Store, load: core.Load, loop: core.Loop) -> None:
        """That threads wait between a store and a load, and again before the next store."""
        at = {s: n for n, top in enumerate(loop.body) for s in (top, *(i for r in regions(top) for i in statements(r)))}
        if store not in at or load not in at:
            raise Unfit("a tile is filled outside of the loop")
        waits = [n for n, top in enumerate(loop.body) if isinstance(top, core.Barrier)]
        if not any(at[store] < n < at[load] for n in waits) or not any(n < at[store] or n > at[load] for n in waits):
            raise Unfit("threads do not wait before and behind a tile is read")

    def _check_filled(self, store: core.Store, stores: Sequence[core.Store], loop: core.Loop) -> None:
        """That each element of a tile has something, if a zero."""
        outside = self.places[loop].branches
        branches = [b for b in self.places[store].branches if b not in outside]
        others = [[b for b in self.places[s].branches if b not in outside] for s in stores if s is not store]
        if not branches and not others:
            return
        same = all(self.polynomial(s.index) == self.polynomial(store.index) for s in stores)
        if not same or len(branches) != 1 or others != [[(branch, not then)] for branch, then in branches]:
            raise Unfit("a tile is not filled in all cases")

    def _who(self, store: core.Store, load: core.Load, sources: Sequence[Affine]) -> Mapping[Atom, Affine]:
        """Which thread, in which turn of its loop, has stored what is loaded: by what is the same in both indices.
        Where the `sources` are the same for a turn more and so many threads further, these two count as one."""
        stored, loaded = self.polynomial(store.index), self.polynomial(load.index)
        outer = set(self.places[load].loops)
        own = {self.turns[around].atom for around in self.places[store].loops if around not in outer}
        counted: dict[int, tuple[Atom, core.Expr]] = {}  # by stride, each with how many there are
        who: dict[Atom, Affine] = {}
        read = {monomial: stride for monomial, stride in loaded.terms if monomial}
        for monomial, stride in sorted(stored.without_constant().terms, key=lambda term: term[1]):
            (atom, *more) = monomial
            if more or not (_is_thread(atom) or atom in own) or stride in counted or stride < 1:
                raise Unfit("the index of a tile is not one of its threads alone")
            below = max(counted, default=stride)
            times = stride // below
            first, count = counted.get(below, (atom, core.Const(1, LONG)))
            one = below * times == stride and stride not in read.values() and times > 1
            if one and all(coefficient(p, atom) == coefficient(p, first).times(constant(times)) for p in sources):
                self.require(BinaryOp.EQ, count, core.Const(times, LONG))
                size = core.Binary(BinaryOp.MUL, core.Const(times, LONG), cast(self.extent(atom), LONG), LONG)
                counted[below], who[atom] = (first, size), NOTHING
            else:
                counted[stride] = atom, self.extent(atom)
        for monomial, stride in read.items():
            if len(monomial) != 1 or stride not in counted or counted[stride][0] in who:
                raise Unfit("a tile is not read as it is filled")
            atom, count = counted[stride]
            who[atom] = of(monomial[0])
            if atom != monomial[0]:
                self.require(BinaryOp.LE, self.extent(monomial[0]), count)
        if any(atom not in who for atom, _ in counted.values()) or stored.constant() != loaded.constant():
            raise Unfit("a tile is not read as it is filled")
        self._require_apart(counted)
        return who

    def _require_apart(self, counted: Mapping[int, tuple[Atom, core.Expr]]) -> None:
        """That no two combinations of what counts come to one place."""
        span: core.Expr = core.Const(0, LONG)
        for stride, (_, count) in sorted(counted.items(), key=lambda item: item[0]):
            self.require(BinaryOp.LT, span, core.Const(stride, LONG))
            last = core.Binary(BinaryOp.SUB, cast(count, LONG), core.Const(1, LONG), LONG)
            reach = binary(BinaryOp.MUL, last, core.Const(stride, LONG), LONG) if stride > 1 else last
            span = reach if isinstance(span, core.Const) else core.Binary(BinaryOp.ADD, span, reach, LONG)

    def extent(self, atom: Atom) -> core.Expr:
        if isinstance(atom, core.Builtin):
            return core.Builtin(INDICES[atom.var], UINT)
        return next(t.count for t in self.turns.values() if t.atom == atom)

    def require(self, op: BinaryOp, left: core.Expr, right: core.Expr) -> None:
        condition = core.Binary(op, cast(left, LONG), cast(right, LONG), BOOL)
        if isinstance(left, core.Const) and (isinstance(right, core.Const) or (_is_zero(left) and _is_count(right))):
            return
        self.conditions[condition] = None

    def by_dimension(self, index: Affine) -> tuple[dict[int | Atom, Affine], Affine]:
        """The strides by axes and turns, and what is the same for all."""
        strides: dict[Atom, dict[tuple[Atom, ...], int]] = {}
        base: dict[tuple[Atom, ...], int] = {}
        turns = {t.atom for t in self.turns.values()}
        for monomial, factor in index.terms:
            varying = [a for a in monomial if a in turns or _is_place(a)]
            others = tuple(uniform(a, self.lets, self._given) for a in monomial if a not in varying)
            if len(varying) > 1 or None in others:
                raise Unfit("an index is not linear in where a thread is")
            where = strides.setdefault(varying[0], {}) if varying else base
            same = tuple(a for a in others if a is not None)
            where[same] = where.get(same, 0) + factor
        found: dict[int | Atom, Affine] = {}
        for atom, terms in strides.items():
            if atom in turns:
                found[atom] = Affine.of(terms)
        for axis, ((thread, threads), (block, blocks)) in enumerate(AXES):
            each = Affine.of(strides.get(core.Builtin(thread, UINT), {}))
            of_blocks = Affine.of(strides.get(core.Builtin(block, UINT), {}))
            if each.terms and of_blocks.terms:
                self._require_whole(each, of_blocks, core.Builtin(threads, UINT))
            elif each.terms:
                self.require(BinaryOp.EQ, core.Builtin(blocks, UINT), core.Const(1, LONG))
            elif of_blocks.terms:
                self.require(BinaryOp.EQ, core.Builtin(threads, UINT), core.Const(1, LONG))
            if each.terms or of_blocks.terms:
                found[axis] = each if each.terms else of_blocks
        return found, Affine.of(base)

    def _require_whole(self, each: Affine, of_blocks: Affine, size: core.Builtin) -> None:
        """That a block begins where the one before ends."""
        if each.times(of(size)) == of_blocks:
            return
        monomial, factor = each.terms[0]
        times = dict(of_blocks.terms).get(monomial, 0) // factor
        if each.times(constant(times)) != of_blocks:
            raise Unfit("blocks do not lie one behind the other")
        self.require(BinaryOp.EQ, size, core.Const(times, LONG))


_ORDERED = {  # whether the left side is the smaller one, and whether the two differ
    BinaryOp.LT: (True, True),
    BinaryOp.LE: (True, False),
    BinaryOp.GT: (False, True),
    BinaryOp.GE: (False, False),
}


def _is_zero(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and expr.value == 0


def _is_count(expr: core.Expr) -> bool:
    """Whether it is never below zero, by its type."""
    operand = expr.operand if isinstance(expr, core.Cast) else expr
    return size_of(operand.type) < size_of(LONG) and not is_signed(operand.type)


def _is_thread(atom: Atom) -> bool:
    return isinstance(atom, core.Builtin) and atom.var in THREADS


def _is_place(atom: Atom) -> bool:
    return isinstance(atom, core.Builtin) and atom.var in INDICES
