"""What the reverse sweep needs: which values, which stores of the primal for their sake, and which values must be kept.

A needed value is rebuilt where the reverse sweep wants it (recompute first). It must be *kept* instead where it was
loaded from memory that the gradient overwrites afterwards. Keeping values inside nested loops, or in loops under a
branch, switches the whole function to `store_all`: every loop is run once, forward, and keeps what its reverse needs;
otherwise a loop's iterations are recomputed one at a time, so that storage grows with the sum of the trip counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from cladpy import derivatives
from cladpy.analysis.activity import Activity, math_rule
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_floating
from cladpy.ir.walk import defined, operands, regions, statements, values


@dataclass(frozen=True, slots=True)
class Needs:
    values: frozenset[core.Value]
    stores: frozenset[core.Statement]  # the primal's stores and allocations that the gradient makes
    kept: frozenset[core.Value]  # loads that cannot be repeated
    store_all: bool
    exact: frozenset[core.Value]  # floating arithmetic that decides something: never contracted
    exact_roots: frozenset[core.Root]  # local memory that such arithmetic passes through
    reversed: frozenset[core.Statement]  # statements with something to do in the reverse sweep


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement stands: its position in program order, and the statements around it from the outside in."""

    position: int
    around: tuple[core.Statement, ...]

    def loops(self) -> tuple[core.Loop, ...]:
        return tuple(s for s in self.around if isinstance(s, core.Loop))


@dataclass(slots=True)
class _Index:
    """The structure of a function, for looking things up."""

    places: dict[core.Statement, _Place] = field(default_factory=dict)
    definitions: dict[core.Value, core.Statement] = field(default_factory=dict)
    allocations: dict[core.Root, core.Allocate] = field(default_factory=dict)
    stores: dict[core.Root, list[core.Statement]] = field(default_factory=lambda: defaultdict(list))
    loads: dict[core.Root, list[core.Load]] = field(default_factory=lambda: defaultdict(list))

    shared: core.Root | None = None  # stands for all arguments, where they may overlap

    @staticmethod
    def of(function: core.Function, may_alias: bool) -> _Index:
        index = _Index()
        if may_alias:
            roots = (c for p in function.parameters for c in p.contents if isinstance(c, core.Root))
            index.shared = next(roots, None)
        index._add(function.body, ())
        return index

    def memory(self, root: core.Root) -> core.Root:
        """The root that stands for all memory which may be this root's."""
        return self.shared if self.shared is not None and root.outlives else root.memory

    def _add(self, region: core.Region, around: tuple[core.Statement, ...]) -> None:
        for statement in region:
            self.places[statement] = _Place(len(self.places), around)
            for value in defined(statement):
                self.definitions[value] = statement
            match statement:
                case core.Store(root) | core.AtomicAdd(root):
                    self.stores[self.memory(root)].append(statement)
                case core.Load(_, root):
                    self.loads[self.memory(root)].append(statement)
                case core.Allocate(root):
                    self.allocations[root] = statement
                case core.Loop(carried):
                    for c in carried:
                        self.definitions[c.value] = statement
                case _:
                    pass
            for inner in regions(statement):
                self._add(inner, (*around, statement))

    def inside(self, statement: core.Statement, root: core.Root) -> tuple[core.Statement, ...]:
        """What is around a statement within the region where the root was allocated."""
        around = self.places[statement].around
        allocation = self.allocations.get(root)
        return around if allocation is None else around[len(self.places[allocation].around) :]

    def may_precede(self, first: core.Statement, second: core.Statement, root: core.Root) -> bool:
        """Whether `first` may be executed before `second` while the root's memory is one and the same."""
        if self.places[first].position < self.places[second].position:
            return True
        theirs = {s for s in self.inside(second, root) if isinstance(s, core.Loop)}
        return any(s in theirs for s in self.inside(first, root))


def partial_needs(expr: core.Expr, activity: Activity, name: core.Value | None = None) -> Iterator[core.Value]:
    """The values that the adjoint of an expression uses. `name` is the value that holds the expression's result."""
    if not activity.expr(expr):
        return
    match expr:
        case core.Unary(_, operand) | core.Cast(operand):
            yield from partial_needs(operand, activity)
        case core.Binary(op, left, right):
            if op is BinaryOp.MUL:
                if activity.expr(left):
                    yield from values(right)
                if activity.expr(right):
                    yield from values(left)
            elif op is BinaryOp.DIV:
                yield from values(right)
                if activity.expr(right):
                    yield from values(left)
            yield from partial_needs(left, activity)
            yield from partial_needs(right, activity)
        case core.Select(condition, then, other):
            yield from values(condition)
            yield from partial_needs(then, activity)
            yield from partial_needs(other, activity)
        case core.Math(_, arguments):
            rule = math_rule(expr)
            if rule is None:
                return
            letters = dict(zip("xyzw", arguments, strict=False))
            for argument, partial in zip(arguments, rule.partials, strict=True):
                if partial is None or not activity.expr(argument):
                    continue
                for letter in derivatives.used(partial):
                    if letter == "r":
                        if name is None:
                            yield from values(expr)
                        else:
                            yield name
                    else:
                        yield from values(letters[letter])
                yield from partial_needs(argument, activity)
        case _:
            pass


def keep_overwritten(
    function: core.Function, activity: Activity, *, may_alias: bool = False
) -> tuple[core.Function, Needs]:
    """The needs of a function; in the function given back every store that has to be undone loads the old content.

    Distinct arguments are distinct memory, unless `may_alias`.
    """
    needs = _Analysis(function, activity, may_alias).run()
    undone = [s for s in needs.stores if isinstance(s, core.Store) and s.root.outlives]
    if not undone:
        return function, needs
    function = replace(function, body=_with_old(function.body, set(undone)))
    return function, _Analysis(function, activity, may_alias).run()


def _with_old(region: core.Region, undone: set[core.Store]) -> core.Region:
    out: list[core.Statement] = []
    for statement in region:
        match statement:
            case core.Store(root, index, _, span) if statement in undone:
                old = core.Value(f"{root.name}_old", root.element)
                out.append(core.Load(old, root, index, span))
                out.append(replace(statement, old=old))
            case core.If(then=then, other=other):
                out.append(replace(statement, then=_with_old(then, undone), other=_with_old(other, undone)))
            case core.Loop(body=body):
                out.append(replace(statement, body=_with_old(body, undone)))
            case _:
                out.append(statement)
    return tuple(out)


class _Analysis:
    def __init__(self, function: core.Function, activity: Activity, may_alias: bool) -> None:
        self.function = function
        self.activity = activity
        self.index = _Index.of(function, may_alias)
        self.values: set[core.Value] = set()
        self.executed: set[core.Statement] = set()  # stores made
        self.made: dict[core.Root, list[core.Statement]] = defaultdict(list)  # the same by root
        self.reversed: set[core.Statement] = set()
        self.controlled: set[core.Statement] = set()
        self.work: list[core.Value] = []

    def run(self) -> Needs:
        for statement in statements(self.function.body):
            self._reverse_needs(statement)
        for leaf in self.function.results:
            self.need(partial_needs(leaf.expr, self.activity))
        while self.work:
            self._define(self.work.pop())
        for statement, place in self.index.places.items():  # what lies between barriers is reversed between barriers
            if isinstance(statement, core.Barrier) and self.reversed.issuperset(place.around):
                self.reversed.add(statement)
        kept, store_all = self._kept()
        exact, exact_roots = _exact(self.function, self.index)
        return Needs(
            frozenset(self.values),
            frozenset(self.executed),
            frozenset(kept),
            store_all,
            exact,
            exact_roots,
            frozenset(self.reversed),
        )

    def need(self, found: Iterator[core.Value]) -> None:
        for value in found:
            if value not in self.values:
                self.values.add(value)
                self.work.append(value)

    # ---- what the reverse sweep does at a statement ------------------------------------------------------------------

    def _reverse_needs(self, statement: core.Statement) -> None:
        active = self.activity
        match statement:
            case core.Let(value, expr) if value in active.values:
                self._is_reversed(statement)
                self.need(partial_needs(expr, active, value))
            case core.Load(value, root, index) if value in active.values and root in active.roots:
                self._is_reversed(statement)
                self.need(values(index))
            case core.Store(root, index, expr) if root in active.shadowed or root in active.roots:
                self._is_reversed(statement)
                self.need(values(index))
                self.need(partial_needs(expr, active))
            case core.Store(old=old) if old is not None:
                self._is_reversed(statement)
            case core.AtomicAdd(root, index, expr) if active.expr(expr) and (
                root in active.shadowed or root in active.roots
            ):
                self._is_reversed(statement)
                self.need(values(index))
                self.need(partial_needs(expr, active))
            case core.Call(outputs, states=states) if statement.has_effect or any(
                o.value in active.values for o in outputs
            ):
                self._is_reversed(statement)
                self.need(iter(states))
                for expr in operands(statement):
                    self.need(values(expr))
            case core.If(_, _, _, merges):
                for m in merges:
                    if m.value in active.values:
                        self._is_reversed(statement)
                        self.need(values(statement.condition))
                        self.need(partial_needs(m.then, active))
                        self.need(partial_needs(m.other, active))
            case core.Loop(carried):
                for c in carried:
                    if c.value in active.values:
                        self._is_reversed(statement)
                        self._run_loop(statement)
                        self.need(partial_needs(c.next, active))
                        self.need(partial_needs(c.init, active))
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
            elif isinstance(outer, core.Loop):
                self._run_loop(outer)

    def _run_loop(self, loop: core.Loop) -> None:
        self.controlled.add(loop)
        self.need(values(loop.condition))

    # ---- what a needed value is made of ------------------------------------------------------------------------------

    def _define(self, value: core.Value) -> None:
        statement = self.index.definitions.get(value)
        if statement is None:  # a parameter
            return
        self._control(statement)
        match statement:
            case core.Let(_, expr):
                self.need(values(expr))
            case core.Load(_, root, index):
                self.need(values(index))
                self._execute_stores_before(statement, root)
            case core.Call() | core.Barrier():
                for expr in operands(statement):
                    self.need(values(expr))
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

    def _execute_stores_before(self, load: core.Load, root: core.Root) -> None:
        root = self.index.memory(root)
        waiting = self.index.stores[root]
        before = [s for s in waiting if self.index.may_precede(s, load, root)]
        if before:
            made = set(before)
            self.index.stores[root] = [s for s in waiting if s not in made]
            self.made[root].extend(before)
        for store in before:
            self.executed.add(store)
            self._control(store)
            for expr in operands(store):
                self.need(values(expr))
            if isinstance(store, core.Store) and store.old is not None:
                self.need(iter((store.old,)))
        if root in self.index.allocations:
            self.executed.add(self.index.allocations[root])

    # ---- what must be kept -------------------------------------------------------------------------------------------

    def _kept(self) -> tuple[set[core.Value], bool]:
        overwritten: set[core.Value] = set()
        trouble = False
        every: set[core.Value] = set()
        for root, loads in self.index.loads.items():
            made = self.made[root]
            if not made:
                continue
            for load in loads:
                if load.value not in self.values:
                    continue
                every.add(load.value)
                around = self.index.inside(load, root)
                if not around:
                    continue
                if not root.outlives and not any(self.index.may_precede(load, s, root) for s in made):
                    continue
                overwritten.add(load.value)
                loops = [s for s in around if isinstance(s, core.Loop)]
                if loops and (len(loops) > 1 or around[0] is not loops[0]):
                    trouble = True
        for statement, place in self.index.places.items():
            # what a user's forward half gives is not computed again
            found = self.values.intersection(defined(statement)) if isinstance(statement, core.Call) else set()
            if not found or not isinstance(statement, core.Call) or statement.forward is None:
                continue
            every |= found
            if place.around:
                overwritten |= found
                trouble |= bool(place.loops()) and (len(place.loops()) > 1 or place.around[0] is not place.loops()[0])
        return (every, True) if trouble else (overwritten, False)


def _deciding(statement: core.Statement) -> tuple[core.Expr, ...]:
    """The expressions of a statement that must come out the same whenever they are evaluated."""
    match statement:
        case core.If(condition) | core.Loop(_, _, condition):
            return (condition,)
        case core.Let(value, expr) if not is_floating(value.type):
            return (expr,)
        case core.Load(_, _, at) | core.Store(_, at):
            return (at,)
        case core.Barrier(predicate=predicate) if predicate is not None:
            return (predicate,)
        case _:
            return ()


def _exact(function: core.Function, index: _Index) -> tuple[frozenset[core.Value], frozenset[core.Root]]:
    """The floating values whose arithmetic feeds a decision or an index that may be evaluated more than once.

    A function without loops, at its top level, evaluates everything once.
    """
    found: set[core.Value] = set()
    roots: set[core.Root] = set()
    work: list[core.Value] = []
    loops = any(isinstance(s, core.Loop) for s in statements(function.body))

    def feed(expr: core.Expr) -> None:
        for value in values(expr):
            if value not in found:
                found.add(value)
                work.append(value)

    for statement in statements(function.body):
        if loops or index.places[statement].around:
            for expr in _deciding(statement):
                feed(expr)
    while work:
        value = work.pop()
        match index.definitions.get(value):
            case core.Let(_, expr):
                feed(expr)
            case core.Load(_, root) if root in index.allocations and root not in roots:
                roots.add(root)
                for store in statements(function.body):
                    if isinstance(store, core.Store) and store.root is root:
                        feed(store.expr)
            case core.If(merges=merges):
                for m in merges:
                    if m.value is value:
                        feed(m.then)
                        feed(m.other)
            case core.Loop(carried):
                for c in carried:
                    if value in (c.value, c.result):
                        feed(c.init)
                        feed(c.next)
            case _:
                pass
    return frozenset(found), frozenset(roots)
