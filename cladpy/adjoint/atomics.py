"""What of atomics has no gradient: all that depends on the order in which threads come.

The gradient runs after the primal, in an order of its own, and makes no atomic of it. So nothing that matters to it may
depend on what an atomic gives, on memory that one of them changes, or on threads that wait for each other.
"""

from __future__ import annotations

from cladpy import known
from cladpy.analysis.activity import Activity
from cladpy.analysis.to_be_recorded import Needs
from cladpy.diagnostics import Note, Sink
from cladpy.ir import core
from cladpy.ir.types import is_integer
from cladpy.ir.walk import defined, operands, statements, values


def check_atomics(function: core.Function, activity: Activity, needs: Needs, sink: Sink) -> None:
    """Reports CP0225, CP0226, CP0271 and CP0501."""
    every = list(statements(function.body))
    atomics = [s for s in every if isinstance(s, core.AtomicAdd | core.Atomic)]
    if not atomics:
        return
    for statement in atomics:
        _check_active(statement, activity, sink)
    if sink.errors or not _matters(function, activity, every):
        return
    if any(s.value is not None for s in atomics):
        _Order(function, activity, needs, sink).check()
    _check_readers(every, needs, sink)


def _matters(function: core.Function, activity: Activity, every: list[core.Statement]) -> bool:
    """Whether a function does anything that has a derivative. One that only sorts, counts or looks up with integers has
    an empty gradient, whatever its threads wait for."""
    results = any(activity.expr(leaf.expr) for leaf in function.results)
    return results or any(isinstance(s, core.Call | core.Effect) or activity.statement(s) for s in every)


def _check_active(statement: core.AtomicAdd | core.Atomic, activity: Activity, sink: Sink) -> None:
    """Only additions, and exchanges whose element is one thread's own, have an adjoint."""
    if not isinstance(statement, core.Atomic):
        return
    root, name = statement.root, statement.callee.name
    if root in activity.shadowed or root in activity.roots:
        hint = (
            f"name the arguments to differentiate by, without '{root.name}': then a kernel may find which number it "
            "is, and another read that number by its index"
        )
        if known.operation(name) is known.Operation.EXCHANGE:
            hint = "where each thread has an element of its own, store it; where several meet, let one of them store"
        sink.error(
            "CP0225",
            f"'{name}' changes '{root.name}', which has an adjoint: what stays there depends on all threads",
            statement.span,
            hint=hint,
        )


def _check_readers(every: list[core.Statement], needs: Needs, sink: Sink) -> None:
    """Memory that the atomics of a launch change holds other things when the gradient reads it."""
    read = {s.root.memory: s for s in every if isinstance(s, core.Load) and s.value in needs.values}
    for statement in every:
        # what may be other memory is read under another name
        made = statement in needs.stores
        if (isinstance(statement, core.AtomicAdd) and made and statement.root.outlives) or (
            isinstance(statement, core.Atomic)
            and (made or statement.root.memory in read)
            and not _is_made_again(statement, every)
        ):
            reader = read.get(statement.root.memory)
            sink.error(
                "CP0501",
                f"'{statement.root.name}' is read after atomics of this launch may have changed it",
                statement.span,
                notes=() if reader is None else (Note("the gradient needs what is read here", reader.span),),
                hint="split the kernel, so that one launch adds and a later one reads; in one launch, integers that a "
                "block shares may be read after atomics that leave the same in any order, such as atomicMax and "
                "atomicOr, or that all put the same constant there",
            )


def _is_made_again(statement: core.Atomic, every: list[core.Statement]) -> bool:
    """Whether the gradient may make an atomic of the primal: on integers that the block shares, which it leaves the
    same in whichever order the threads come."""
    row, root = known.of(statement.callee.name), statement.root
    assert isinstance(row, known.Atomic)
    plain = all(e.type == root.element for e in statement.arguments) and is_integer(root.element)
    return plain and not root.outlives and (not row.last_wins or _all_give_one_number(root, every))


def _all_give_one_number(root: core.Root, every: list[core.Statement]) -> bool:
    """Whether all atomics of this memory put one and the same constant there: it does not matter who is the last."""
    given: set[object] = set()
    for statement in every:
        if isinstance(statement, core.AtomicAdd | core.Atomic) and statement.root.memory == root.memory:
            match statement:
                case core.Atomic(callee=callee, arguments=(core.Const(value=value),)) if (
                    known.operation(callee.name) is known.Operation.EXCHANGE
                ):
                    given.add(value)
                case _:
                    return False
    return len(given) == 1


class _Order:
    """What depends on the order of the threads, through what atomics give."""

    def __init__(self, function: core.Function, activity: Activity, needs: Needs, sink: Sink) -> None:
        self.function = function
        self.activity = activity
        self.needs = needs
        self.sink = sink
        self.sources: dict[core.Value, core.AtomicAdd | core.Atomic] = {}  # what a value depends on

    def check(self) -> None:
        before = -1
        while before != len(self.sources):
            before = len(self.sources)
            self._spread(self.function.body, None)
        found: dict[core.AtomicAdd | core.Atomic, None] = {}
        for value, source in self.sources.items():
            if value in self.needs.values or value in self.activity.values:
                found.setdefault(source)
        for leaf in self.function.results:
            self._add(found, self._source(leaf.expr))
        self._uses(self.function.body, None, found)
        if not self.sink.errors:  # what waits depends on the order in other ways too
            for source in found:
                self._refuse(source)

    def _add(
        self, found: dict[core.AtomicAdd | core.Atomic, None], source: core.AtomicAdd | core.Atomic | None
    ) -> None:
        if source is not None:
            found.setdefault(source)

    def _refuse(self, source: core.AtomicAdd | core.Atomic) -> None:
        self.sink.error(
            "CP0226",
            f"the value that '{source.callee.name}' returns depends on the order of the threads",
            source.span,
            hint="split the kernel: one that counts, and stores what it was given; one that uses that",
        )

    def _source(self, expr: core.Expr) -> core.AtomicAdd | core.Atomic | None:
        return next((self.sources[v] for v in values(expr) if v in self.sources), None)

    def _mark(self, found: core.AtomicAdd | core.Atomic | None, *given: core.Value) -> None:
        if found is not None:
            for value in given:
                self.sources.setdefault(value, found)

    def _spread(self, region: core.Region, control: core.AtomicAdd | core.Atomic | None) -> None:
        for statement in region:
            match statement:
                case core.AtomicAdd(value=value) | core.Atomic(value=value):
                    if value is not None:
                        self._mark(statement, value)
                case core.If(condition, then, other, merges):
                    inner = control or self._source(condition)
                    self._spread(then, inner)
                    self._spread(other, inner)
                    for m in merges:
                        self._mark(inner or self._source(m.then) or self._source(m.other), m.value)
                case core.Loop(carried, first, condition, body):
                    inner = control or self._source(condition)
                    self._spread(first, inner)
                    self._spread(body, inner)
                    for c in carried:
                        here = self._source(c.init) or self._source(c.next)
                        self._mark(here, c.value)
                        self._mark(here or inner, c.result)
                case _:
                    for expr in operands(statement):
                        self._mark(self._source(expr), *defined(statement))

    def _uses(
        self,
        region: core.Region,
        control: core.AtomicAdd | core.Atomic | None,
        found: dict[core.AtomicAdd | core.Atomic, None],
    ) -> None:
        """Effects, and what is stored where derivatives pass through, whether or not it has one itself."""
        for statement in region:
            here = next((s for s in map(self._source, operands(statement)) if s is not None), control)
            match statement:
                case core.Effect():
                    self._add(found, here)
                case core.Store(root) | core.AtomicAdd(root) | core.Atomic(root=root):
                    if root in self.activity.shadowed or root in self.activity.roots:
                        self._add(found, here)
                case core.Call() if statement.has_effect:
                    self._add(found, here)
                case core.If(condition, then, other):
                    inner = control or self._source(condition)
                    self._uses(then, inner, found)
                    self._uses(other, inner, found)
                case core.Loop(_, first, condition, body):
                    waits = self._source(condition)
                    if waits is not None:
                        self._refuse_waiting(statement, waits)
                    self._uses(first, control, found)
                    self._uses(body, control, found)
                case _:
                    pass

    def _refuse_waiting(self, loop: core.Loop, source: core.AtomicAdd | core.Atomic) -> None:
        self.sink.error(
            "CP0271",
            f"how often this loop runs depends on what '{source.callee.name}' returns: threads wait for each other, or "
            "share work among them",
            loop.span,
            notes=(Note(f"'{source.callee.name}' is called here", source.span),),
            hint="split the kernel where threads wait; let each thread find its work by its own index",
        )
