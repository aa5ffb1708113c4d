"""What the reverse sweep needs: which values, which stores of the primal for their sake, and which values must be kept.

A needed value is rebuilt where the reverse sweep wants it (recompute first). It must be *kept* instead where it was
loaded from memory that the gradient overwrites afterwards. Keeping values inside nested loops, or in loops under a
branch, switches the whole function to `store_all`: every loop is run once, forward, and keeps what its reverse needs;
otherwise a loop's iterations are recomputed one at a time, so that storage grows with the sum of the trip counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cladpy import known
from cladpy.analysis.activity import Activity
from cladpy.analysis.exactness import everything, exact_values
from cladpy.analysis.made_again import made_again
from cladpy.analysis.old_contents import with_old_contents
from cladpy.analysis.partials import partial_needs, values_once
from cladpy.analysis.put_back import put_back
from cladpy.analysis.steady import steady_in
from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.host import STEPS
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.walk import defined, operands, statements, values


@dataclass(frozen=True, slots=True)
class Needs:
    values: frozenset[core.Value]
    stores: frozenset[core.Statement]  # the primal's stores and allocations that the gradient makes
    kept: frozenset[core.Value]  # loads that cannot be repeated
    store_all: bool
    exact: frozenset[core.Value]  # floating arithmetic that decides something: never contracted
    exact_roots: frozenset[core.Root]  # local memory that such arithmetic passes through
    reversed: frozenset[core.Statement]  # statements with something to do in the reverse sweep
    again: frozenset[core.Value] = frozenset()  # what is wanted after the first pass
    repeated: frozenset[core.Load] = frozenset()  # what a branch loads again from memory that has been put back
    steady: Mapping[core.Value, frozenset[core.Loop]] = field(
        default_factory=dict
    )  # loops with one value for all turns
    remade: frozenset[core.Root] = frozenset()  # where all is stored: arrays that reverse passes fill again

    def held(self, value: core.Value, loop: core.Loop) -> bool:
        """Whether what is kept is the same for all iterations of a loop."""
        return loop in self.steady.get(value, ())


Reads = Callable[[core.Call, tuple[int, ...]], frozenset[int] | None]


def keep_overwritten(
    function: core.Function,
    activity: Activity,
    reads: Reads,
    *,
    may_alias: bool = False,
    exactly: bool = False,
    results: bool = False,
    operands: bool = False,
    unread: frozenset[BuiltinVar] = frozenset(),
) -> tuple[core.Function, Needs]:
    """The needs of a function; in the function given back every store that has to be undone loads the old content.

    Distinct arguments are distinct memory, unless `may_alias`. With `exactly`, all arithmetic is exact. `reads` gives
    the arguments of a launch, or of a call of a user's function, by whose memory its pullback, for adjoints of some
    arguments, computes. With `results` the forward sweep does all that the function does: its stores to the caller's
    memory are made, and what it returns is there. Where memory is put back that threads share (`Needs.repeated`), the
    extents of a launch that are `unread` must be 1. With `operands` the reverse sweep has all that the expressions are
    made of whose adjoints it makes.
    """

    def needs_of(function: core.Function, repeated: frozenset[core.Load] = frozenset()) -> Needs:
        asked = _Asked(activity, reads, may_alias, exactly, results, operands)
        return _needs(function, asked, repeated)

    needs = needs_of(function)
    undone = {s for s in needs.stores if isinstance(s, core.Store) and s.root.is_undone}
    index = Index.of(function, may_alias)
    if not needs.store_all:
        shared = put_back(function, index, needs.kept, needs.again, needs.stores, unread)
        if shared.loads:
            undoing = with_old_contents(function, index, undone | shared.stores, needs.again)
            found = needs_of(undoing, shared.loads)
            if not found.store_all:
                return undoing, found
    if not undone:
        return function, needs
    function = with_old_contents(function, index, undone, needs.again)
    return function, needs_of(function)


@dataclass(frozen=True, slots=True)
class _Asked:
    """As the arguments of `keep_overwritten`."""

    activity: Activity
    reads: Reads
    may_alias: bool
    exactly: bool
    results: bool
    operands: bool


def _needs(function: core.Function, asked: _Asked, repeated: frozenset[core.Load]) -> Needs:
    first = _Analysis(function, asked, repeated)
    first.find()
    again = _Again(function, asked)
    stores = (s for s in statements(function.body) if isinstance(s, core.Store) and s.old is not None)
    again.find(s for s in stores if s in first.executed)
    return first.found(frozenset(again.values))


class _Analysis:
    def __init__(self, function: core.Function, asked: _Asked, repeated: frozenset[core.Load] = frozenset()) -> None:
        self.repeated = repeated  # what is loaded again although it is overwritten: that is put back before
        self.reads = asked.reads
        self.exactly = asked.exactly
        self.results = asked.results
        self.operands = asked.operands
        self.function = function
        self.activity = asked.activity
        self.index = Index.of(function, asked.may_alias)
        self.values: set[core.Value] = set()
        self.executed: set[core.Statement] = set()  # stores made
        self.made: dict[core.Root, list[core.Statement]] = defaultdict(list)  # the same by root
        self.reversed: set[core.Statement] = set()
        self.controlled: set[core.Statement] = set()
        self.work: list[core.Value] = []
        self.readers: list[tuple[core.Statement, core.Root]] = []  # what reads memory, and must find its content
        self.passes: set[core.Statement] = set()  # see `_first_passes`
        self.steady: dict[core.Value, frozenset[core.Loop]] = {}
        self.remade: frozenset[core.Root] = frozenset()
        self.lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}

    def find(self, undone: Iterable[core.Store] = ()) -> None:
        """`undone` are stores that are made in any case."""
        for statement in statements(self.function.body):
            self._reverse_needs(statement)
        for store in undone:
            self._execute(store)
        for leaf in self.function.results:
            self.need(self._used(leaf.expr))
        if not self.results:
            self.passes = set(self._first_passes(self.function.body))
        if self.results:
            self._give_results()
        while self.work or self.readers:
            if self.work:
                self._define(self.work.pop())
            else:
                self._execute_stores_before(*self.readers.pop())

    def found(self, again: frozenset[core.Value]) -> Needs:
        """The needs; what is loaded is kept only if it is among what is wanted `again`."""
        for statement, place in self.index.places.items():  # what lies between barriers is reversed between barriers
            barrier = isinstance(statement, core.Barrier) or (
                isinstance(statement, core.Collective) and statement.is_barrier
            )
            if barrier and self.reversed.issuperset(place.around):
                self.reversed.add(statement)
        if self.exactly:
            exact, exact_roots = everything(self.function)
        else:
            exact, exact_roots = exact_values(self.function, self.index)
        kept, store_all = self._kept(exact, again)
        return Needs(
            frozenset(self.values),
            frozenset(self.executed),
            frozenset(kept),
            store_all,
            exact,
            exact_roots,
            frozenset(self.reversed),
            again,
            self.repeated,
            {v: loops for v, loops in self.steady.items() if v in kept},
            self.remade if store_all else frozenset(),
        )

    def _first_passes(self, region: core.Region) -> Iterator[core.If]:
        """The branches that are reversed where they stand, such as what follows a guard: nothing in them is run again
        that would not be, did it stand outside."""
        last = region[-1] if region else None
        if isinstance(last, core.If) and last in self.reversed and not last.merges:
            yield last
            yield from self._first_passes(last.then)
            yield from self._first_passes(last.other)

    def _around(self, around: tuple[core.Statement, ...]) -> tuple[core.Statement, ...]:
        """What is around a statement in its pass."""
        return tuple(s for s in around if s not in self.passes)

    def need(self, found: Iterator[core.Value]) -> None:
        for value in found:
            if value not in self.values:
                self.values.add(value)
                self.work.append(value)

    def _used(self, expr: core.Expr, name: core.Value | None = None) -> Iterator[core.Value]:
        """What the adjoint of an expression uses; all that it is made of, where that is told."""
        yield from partial_needs(expr, self.activity, name)
        if self.operands and self.activity.expr(expr):
            yield from values_once(core.primal(expr), set())

    # ---- what the reverse sweep does at a statement ------------------------------------------------------------------

    def _reverse_needs(self, statement: core.Statement) -> None:
        active = self.activity
        match statement:
            case core.Let(value, expr) if value in active.values:
                self._is_reversed(statement)
                self.need(self._used(expr, value))
            case core.Load(value, root, index) if value in active.values and root in active.roots:
                self._is_reversed(statement)
                self.need(values(index))
            case core.Store(root, index, expr) if root in active.shadowed or root in active.roots:
                self._is_reversed(statement)
                self.need(values(index))
                self.need(self._used(expr))
            case core.Store(old=old) if old is not None:
                self._is_reversed(statement)
            case core.AtomicAdd(root, index, expr) if active.expr(expr) and (
                root in active.shadowed or root in active.roots
            ):
                self._is_reversed(statement)
                self.need(values(index))
                self.need(self._used(expr))
            case core.Call(outputs, states=states) if (statement.has_effect and not statement.writes) or (
                any(o.value in active.values for o in outputs) or (statement.writes and active.positions(statement))
            ):
                self._is_reversed(statement)
                self.need(iter(states))
                self._call(statement, reversed=True)
            case core.Collective(value, _, mask, (given, *asked)) if value in active.values:
                self._is_reversed(statement)
                self.need(self._used(given))
                for expr in (*asked, *(() if mask is None else (mask,))):
                    self.need(values(expr))
            case core.Acquire(bytes=bytes):
                self._is_reversed(statement)
                self.need(values(bytes))
            case core.Effect():
                self._effect(statement)
            case core.If(_, _, _, merges):
                for m in merges:
                    if m.value in active.values:
                        self._is_reversed(statement)
                        self.need(values(statement.condition))
                        self.need(self._used(m.then))
                        self.need(self._used(m.other))
            case core.Loop(carried):
                for c in carried:
                    if c.value in active.values:
                        self._is_reversed(statement)
                        self._run_loop(statement)
                        self.need(self._used(c.next))
                        self.need(self._used(c.init))
            case _:
                pass

    def _is_reversed(self, statement: core.Statement) -> None:
        self.reversed.add(statement)
        self._control(statement)
        for outer in self.index.places[statement].around:
            self.reversed.add(outer)

    def _control(self, statement: core.Statement) -> None:
        """The statement is executed or reversed: whatever decides about it is needed."""
        for outer in self.index.places[statement].around:
            if outer in self.controlled:
                continue
            self.controlled.add(outer)
            if isinstance(outer, core.If):
                self.need(values(outer.condition))
            else:
                assert isinstance(outer, core.Loop)
                self._run_loop(outer)

    def _run_loop(self, loop: core.Loop) -> None:
        self.controlled.add(loop)
        self.need(values(loop.condition))
        if loop.lanes is not None:
            self.need(values(loop.lanes))

    # ---- what a needed value is made of ------------------------------------------------------------------------------

    def _define(self, value: core.Value) -> None:
        statement = self.index.definitions.get(value)
        if statement is None:  # a parameter
            return
        self._control(statement)
        match statement:
            case core.Let(_, expr):
                self.need(values(core.primal(expr)))
            case core.Load(_, root, index):
                self.need(values(index))
                self.readers.append((statement, root))
            case core.Barrier() | core.Collective():
                for expr in operands(statement):
                    self.need(values(expr))
            case core.Call(writes=writes):
                self._call(statement)
                if writes:
                    self._execute(statement)
            case core.AtomicAdd() | core.Atomic():
                pass  # refused: nobody knows the order of the threads
            case core.If(condition, _, _, merges):
                self.need(values(condition))
                for m in merges:
                    if m.value is value:
                        self.need(values(m.then))
                        self.need(values(m.other))
            case core.Loop(carried):
                self._run_loop(statement)
                for c in carried:
                    if value in (c.value, c.result):
                        self.need(values(c.init))
                        self.need(values(c.next))
            case _:
                raise AssertionError("a statement that defines nothing")

    def _call(self, call: core.Call, *, reversed: bool = False) -> None:
        """A function or its pullback is called: it is given its arguments, and finds memory as it was. The pullbacks of
        copies and the like read nothing, those of kernels what is known of them."""
        for expr in operands(call):
            self.need(values(expr))
        if not reversed or call.callee not in STEPS:
            asked = reversed and (call.launch is not None or call.custom)
            known = self.reads(call, self.activity.positions(call)) if asked else None
            self.readers += [(call, root) for root in self.index.touched(call, known)]

    def _execute_stores_before(self, reader: core.Statement, root: core.Root) -> None:
        root = self.index.memory(root)
        waiting = self.index.stores[root]
        before = [s for s in waiting if self.index.may_precede(s, reader, root)]
        if before:
            made = set(before)
            self.index.stores[root] = [s for s in waiting if s not in made]
        for store in before:
            self._execute(store)
        if root in self.index.allocations:
            self.executed.add(self.index.allocations[root])

    def _effect(self, effect: core.Effect) -> None:
        """It happens in the first pass, with what it is given there."""
        self._control(effect)
        for expr in operands(effect):
            self.need(values(expr))

    def _give_results(self) -> None:
        """What the caller finds after the function is there after the forward sweep."""
        for leaf in self.function.results:
            self.need(values(leaf.expr))
        self._execute_outliving()

    def _execute_outliving(self) -> None:
        for statement in self.index.places:
            if any(root.outlives for root in self.index.written(statement)):
                self._execute(statement)

    def _execute(self, store: core.Statement) -> None:
        """What writes memory is made in the gradient, and undone if it is not local."""
        if store in self.executed:
            return
        self.executed.add(store)
        for root in self.index.written(store):
            self.made[root].append(store)
        self._control(store)
        if isinstance(store, core.Call):
            self._is_reversed(store)
            self._call(store)
            return
        for expr in operands(store):
            self.need(values(expr))
        if isinstance(store, core.Store) and store.old is not None:
            self._put_back(store)

    def _put_back(self, store: core.Store) -> None:
        """What the reverse sweep needs to undo a store."""
        self.need(v for v in (store.old, store.first) if v is not None)

    # ---- what must be kept -------------------------------------------------------------------------------------------

    def _kept(self, exact: frozenset[core.Value], again: frozenset[core.Value]) -> tuple[set[core.Value], bool]:
        overwritten: set[core.Value] = set()
        trouble = False
        every: set[core.Value] = set()
        self.remade = frozenset() if self.results else made_again(self.index, self.made, self.passes)
        for root, loads in self.index.loads.items():
            made = self.made[root]
            if not made:
                continue
            for load in loads:
                if load.value not in self.values or load in self.repeated:
                    continue
                self.steady[load.value] = steady = steady_in(load, self.index, self.lets)
                if root not in self.remade and not self._stays(load, root, made):
                    every.add(load.value)
                if load.value not in again:
                    continue
                around = self._around(self.index.inside(load, root))
                if not around:
                    continue
                if not root.outlives and not any(self.index.may_precede(load, s, root) for s in made):
                    continue
                overwritten.add(load.value)
                loops = [s for s in around if isinstance(s, core.Loop) and s not in steady]
                if loops and (len(loops) > 1 or around[0] is not loops[0]):
                    trouble = True
        for statement, place in self.index.places.items():
            found = self.values.intersection(defined(statement)) if self._happens_once(statement, exact) else set()
            if not found:
                continue
            every |= found
            around = self._around(place.around)
            if around:
                overwritten |= found
                trouble |= bool(place.loops()) and (len(place.loops()) > 1 or around[0] is not place.loops()[0])
        return (every, True) if trouble else (overwritten, False)

    def _stays(self, load: core.Load, root: core.Root, made: list[core.Statement]) -> bool:
        """Whether what is loaded from an array of the thread's own is there to the end: it is declared for the whole
        pass, in which all loops run once, and nothing is stored to it afterwards."""
        allocation = self.index.allocations.get(root)
        if self.results or root.kind is not core.RootKind.LOCAL or not isinstance(allocation, core.Allocate):
            return False
        if self._around(self.index.places[allocation].around):
            return False
        return not any(self.index.may_precede(load, s, root) for s in made)

    def _happens_once(self, statement: core.Statement, exact: frozenset[core.Value]) -> bool:
        """Whether what a statement gives is not asked for again. A call: the user's forward half; what depends on
        memory that the gradient overwrites; what decides something, where a compiler may contract two calls
        differently. Lanes: what depends on which of them happen to be together."""
        match statement:
            case core.Call() as call:
                if call.forward is not None or call.writes or any(self.made[root] for root in self.index.touched(call)):
                    return True
                return not exact.isdisjoint(o.value for o in call.outputs)
            case core.Collective(callee=callee):
                return not known.collective(callee.name).repeatable
            case _:
                return False


class _Again(_Analysis):
    """What is wanted after the first pass: by the reverse sweep, which also puts back what the first pass has stored to
    memory that is not local; and where a part of the function is run again for the sweep's sake. A store is made again
    only with the memory that it goes to: in the branch or loop where that is allocated."""

    def _effect(self, effect: core.Effect) -> None:
        pass

    def _give_results(self) -> None:
        self._execute_outliving()

    def _execute(self, store: core.Statement) -> None:
        if not isinstance(store, core.Store) or self._is_made_again(store):
            super()._execute(store)
        elif store not in self.executed:
            self.executed.add(store)
            if store.old is not None:  # the reverse sweep puts it back
                self._control(store)
                self.need(values(store.index))
                self._put_back(store)

    def _is_made_again(self, store: core.Store) -> bool:
        allocation = self.index.allocations.get(store.root)
        return isinstance(allocation, core.Allocate) and bool(self._around(self.index.places[allocation].around))
