"""Activity: which values and which memory both depend on an independent (varied) and influence a dependent (useful).

Memory is one thing per root. Values are precise per version, because they are in SSA. `flow` finds both sets; here they
are met, and held against what has an adjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cladpy.analysis.bits import check_bits
from cladpy.analysis.flow import Useful, Varied, differentiable, flow, seeded
from cladpy.analysis.integers import check_integers
from cladpy.diagnostics import Diagnostic, Note, Severity, Sink
from cladpy.ir import core, reach
from cladpy.ir.halves import is_pair
from cladpy.ir.host import COPY, COPY_ROWS
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import (
    Struct,
    has_floating,
    holds_pointers,
    is_half,
    numbers_of,
    runs_of,
    spell,
)
from cladpy.ir.walk import defined, statements


@dataclass(frozen=True, slots=True)
class Activity:
    """`values` and `roots` are active: they have an adjoint. That of `shadowed` roots is given by the caller."""

    values: frozenset[core.Value]
    roots: frozenset[core.Root]
    shadowed: frozenset[core.Root]
    integers: bool
    varied: frozenset[core.Value]
    stored: frozenset[core.Root]  # shadowed roots that are written
    read: frozenset[core.Root]  # shadowed roots from which something active is loaded
    scratch: frozenset[core.Root] = frozenset()  # those of shadowed that get an adjoint for the time of a call

    def expr(self, expr: core.Expr) -> bool:
        """Whether a derivative flows through this expression to an active value."""
        return any(v in self.values for v in flow(expr, self.integers))

    def statement(self, s: core.Statement) -> bool:
        """Whether a statement has an adjoint itself, those within it apart: it writes what is active, or defines it."""
        if isinstance(s, core.WRITES) and (s.root in self.roots or s.root in self.shadowed):
            return True
        if isinstance(s, core.Call) and self.positions(s):
            return True
        return not self.values.isdisjoint(defined(s))

    def argument(self, argument: core.Argument) -> bool:
        """Whether an argument of a call has an adjoint."""
        match argument:
            case core.PointerArgument(root):
                return root in self.shadowed or (root in self.roots and not root.outlives)
            case core.ChosenArgument(alternatives):
                return any(self.argument(a) for a in alternatives)
            case core.ObjectArgument(leaves=leaves):
                return any(self.expr(leaf.expr) for leaf in leaves)
            case core.ViewArgument(_, leaves, pointers):
                return any(self.expr(leaf.expr) for leaf in leaves) or any(self.argument(m) for _, m in pointers)
            case _:
                return self.expr(argument)

    def positions(self, call: core.Call) -> tuple[int, ...]:
        """The arguments of a call that have an adjoint: those to which a derivative flows, and then those that the call
        changes."""
        if not any(self.argument(a) for a in call.arguments):
            return ()
        if call.launch is not None and not any(map(self.argument, reach.memory_written(call))):
            return ()  # a kernel gives nothing but what it writes
        changed = {o.argument for o in call.outputs if differentiable(o.value.type, self.integers)}
        return tuple(i for i, a in enumerate(call.arguments) if i in changed or self.argument(a))


def _with_adjoint(parameter: core.Parameter) -> Iterator[core.Value | core.Root]:
    """What a parameter gives, less numbers in an object passed by value that holds pointers: its adjoint is such an
    object too, so that nothing could be added to them unless they have an adjoint of their own."""
    by_value = isinstance(parameter.type, Struct) and holds_pointers(parameter.type)
    return (p.content for p in parameter.parts if p.own is not None or not (by_value and p.member))


def analyse(
    function: core.Function,
    active: frozenset[int],
    globals: frozenset[core.Root],
    seeded_result: bool,
    integers: bool,
    sink: Sink,
    *,
    scratch: bool = False,
    takes_bits: Callable[[FunctionSymbol], bool],
) -> Activity:
    """`active` are the positions of the parameters that have adjoints, `globals` the variables at namespace scope that
    do; `seeded_result` says that the result has one. With `scratch`, memory that a parameter leads to and that needs an
    adjoint is given one, zero at first, that nobody looks at. `takes_bits` says of a function that is called whether it
    takes numbers for their bits.

    Reports CP0301 where a derivative would pass through memory that has no adjoint.
    """
    contents = [c for i, p in enumerate(function.parameters) if i in active for c in _with_adjoint(p)]
    shadowed = frozenset(c for c in contents if isinstance(c, core.Root) and seeded(c.element, integers))
    shadowed |= {root for root in globals if seeded(root.element, integers)}
    varied_values = {c for c in contents if isinstance(c, core.Value) and differentiable(c.type, integers)}
    varied = Varied(function, varied_values, set(shadowed), integers)
    varied.run()
    useful = Useful(function, set(shadowed), seeded_result, integers)
    useful.run()

    check_bits(function, varied, useful, takes_bits, sink)
    check_integers(varied, useful, sink)
    roots = varied.roots & useful.roots
    _join_objects(function, roots)
    if scratch:
        _join_given(function, roots)
        own = frozenset(
            r
            for r in roots
            if r.kind is core.RootKind.ARGUMENT and r not in shadowed and not (r.shape or r.through or r.by_value)
        )
        shadowed |= own
    else:
        own = frozenset()
    stored: set[core.Root] = set()
    read: set[core.Root] = set()
    for statement in statements(function.body):
        match statement:
            case core.Store(root) | core.AtomicAdd(root) | core.Atomic(root=root):
                if root in shadowed:
                    stored.add(root)
            case core.Load(value, root):
                if root in shadowed and value in useful.values:
                    read.add(root)
                if root in roots and value in useful.values and not _has_adjoint(root, shadowed):
                    _report_lost(function, root, statement, sink)
            case core.Call():
                if statement.callee in (COPY, COPY_ROWS):
                    _check_objects(statement, roots, sink)
                    _check_bytes(statement, varied.roots, sink)
                read |= shadowed.intersection(reach.touched(statement, function))
                stored |= shadowed.intersection(reach.written(statement, function))
                lost = [r for r in reach.touched(statement, function) if r in roots and not _has_adjoint(r, shadowed)]
                if lost and (statement.writes or any(o.value in useful.values for o in statement.outputs)):
                    _report_lost(function, lost[0], statement, sink)
            case _:
                pass
    return Activity(
        frozenset(v for v in varied.values & useful.values if differentiable(v.type, integers)),
        frozenset(r for r in roots if _has_adjoint(r, shadowed)),
        shadowed,
        integers,
        frozenset(varied.values),
        frozenset(stored),
        frozenset(read),
        own,
    )


def _check_bytes(copy: core.Call, varied: set[core.Root], sink: Sink) -> None:
    """Numbers with a derivative that are copied to memory of integers leave it behind."""
    to, source = (
        [a.root for a in (m.alternatives if isinstance(m, core.ChosenArgument) else (m,))]
        for m in copy.arguments
        if isinstance(m, core.MEMORY)
    )
    if any(has_floating(r.element) for r in to) or not any(r in varied and has_floating(r.element) for r in source):
        return
    sink.error(
        "CP0249",
        f"a derivative passes through a copy to memory that holds no floating-point numbers: '{to[0].name}'",
        copy.span,
        hint="give the pointer the type of the numbers that are copied",
    )


def _check_objects(copy: core.Call, roots: set[core.Root], sink: Sink) -> None:
    """The adjoints of what is copied are added up as numbers of one type. Reports CP0249 where they are not."""
    sides = [
        [a.root for a in (m.alternatives if isinstance(m, core.ChosenArgument) else (m,)) if a.root in roots]
        for m in copy.arguments
        if isinstance(m, core.MEMORY)
    ]
    if not all(sides):
        return
    elements = [root.element for side in sides for root in side]
    kinds = {numbers_of(element) for element in elements}
    halves = any(is_half(numbers_of(e) or e) and isinstance(e, Struct) and not is_pair(e) for e in elements)
    if len(kinds) == 1 and None not in kinds and not halves:
        return
    if copy.callee is COPY and len(set(elements)) == 1 and runs_of(elements[0]) is not None:
        return  # objects of one class, whose numbers are told apart
    name = spell(next((e for e in elements if isinstance(e, Struct)), elements[0]))
    sink.error(
        "CP0249",
        f"a derivative passes through a copy of memory that is not all numbers of one type, nor objects of one class "
        f"made of numbers: '{name}'",
        copy.span,
        hint="keep the numbers with a derivative in arrays or classes of their own, all of one type",
    )


def _join_objects(function: core.Function, roots: set[core.Root]) -> None:
    """Memory of objects that calls are given as a whole has an adjoint as a whole, or none."""
    for allocation in function.heap:
        if any(isinstance(r.element, Struct) for r in allocation.roots) and not roots.isdisjoint(allocation.roots):
            roots.update(r for r in allocation.roots if seeded(r.element, False))


def _join_given(function: core.Function, roots: set[core.Root]) -> None:
    """Where the memory that a call is given is chosen at run time, all of what it may be has an adjoint, or nothing.
    So it is with the memory that one object leads to, whose adjoint is an object of that class; and with objects in
    memory, which are passed on as a whole."""
    given = [
        argument
        for call in statements(function.body)
        if isinstance(call, core.Call)
        for argument in call.arguments
        if isinstance(argument, core.ViewArgument)
        or any(isinstance(memory, core.ChosenArgument) for memory in reach.memory_in(argument))
    ]
    joined = [{r for memory in reach.memory_in(a) for r in reach.reached(memory, function)} for a in given]
    joined += _objects(function)
    before = -1
    while before != len(roots):
        before = len(roots)
        for every in joined:
            if not every.isdisjoint(roots):
                roots |= {r for r in every if seeded(r.element, False)}


def _objects(function: core.Function) -> Iterator[set[core.Root]]:
    """The roots of each memory that holds objects, as a whole and by member."""
    memories = [[c for c in p.contents if isinstance(c, core.Root)] for p in function.parameters]
    memories += [list(v.roots) for v in function.heap]
    for memory in memories:
        for whole in memory:
            if isinstance(whole.element, Struct):
                yield {r for r in memory if (r.held, r.through) == (whole.held, whole.through)}


def _has_adjoint(root: core.Root, shadowed: frozenset[core.Root]) -> bool:
    return root in shadowed or not root.outlives


def _report_lost(function: core.Function, root: core.Root, load: core.Load | core.Call, sink: Sink) -> None:
    stores = [s for s in statements(function.body) if isinstance(s, core.WRITES) and s.root is root]
    notes = tuple(Note("a value that depends on the independents is stored here", s.span) for s in stores[:1])
    name = root.name.partition(".")[0]
    sink.report(
        Diagnostic(
            "CP0301",
            Severity.ERROR,
            f"a derivative passes through '{root.name}', which has no adjoint",
            load.span,
            notes,
            f"name '{name}' among the arguments too, so that it gets an adjoint",
            name if root.kind is core.RootKind.ARGUMENT else None,
        )
    )
