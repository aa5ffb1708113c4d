"""Activity: which values and which memory both depend on an independent (varied) and influence a dependent (useful).

Memory is one thing per root. Values are precise per version, because they are in SSA. Both sets grow monotonically
until nothing changes, loops included.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cladpy import derivatives
from cladpy.diagnostics import Note, Sink
from cladpy.ir import core, reach
from cladpy.ir.halves import is_pair
from cladpy.ir.host import COPY, COPY_ROWS
from cladpy.ir.never import assert_never
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import (
    BOOL,
    Struct,
    Type,
    has_floating,
    holds_pointers,
    is_floating,
    is_half,
    is_integer,
    numbers_of,
    runs_of,
    spell,
)
from cladpy.ir.walk import defined, operands, statements, subexpressions

ARITHMETIC = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV})


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
        changed = {o.argument for o in call.outputs if differentiable(o.value.type, self.integers)}
        return tuple(i for i, a in enumerate(call.arguments) if i in changed or self.argument(a))


def differentiable(type: Type, integers: bool) -> bool:
    """Floating-point types; integers other than bool too where the caller named an integer argument."""
    return is_floating(type) or (integers and is_integer(type) and type != BOOL)


def seeded(type: Type, integers: bool) -> bool:
    """Whether a result of this type has a cotangent: an object has one where it holds a floating-point number."""
    return has_floating(type) if isinstance(type, Struct) else differentiable(type, integers)


def flow(expr: core.Expr, integers: bool) -> Iterator[core.Value]:
    """The values through which a derivative of the expression may flow."""
    stack = [expr]
    while stack:
        here = stack.pop()
        if not differentiable(here.type, integers):
            continue
        match here:
            case core.Use(value):
                yield value
            case core.Unary(op, operand):
                if op in (UnaryOp.NEG, UnaryOp.PLUS):
                    stack.append(operand)
            case core.Cast(operand):
                stack.append(operand)
            case core.Binary(op, left, right):
                if op in ARITHMETIC:
                    stack += [left, right]
            case core.Select(_, then, other):
                stack += [then, other]
            case core.Math(callee, arguments):
                rule = math_rule(here)
                for i, argument in enumerate(arguments):
                    # without a rule everything flows: the adjoint then reports what is missing
                    if rule is None or (i < rule.arity and rule.partials[i] is not None):
                        if rule is None and derivatives.is_inactive(callee.qualified_name):
                            continue
                        stack.append(argument)
            case core.Linear(_, terms):
                stack += [of for of, _ in terms]
            case core.Const() | core.Builtin() | core.Nested() | core.IsNull() | core.Formula():
                pass


def math_rule(call: core.Math) -> derivatives.MathRule | None:
    """The rule of a library call."""
    return derivatives.lookup(call.callee.qualified_name, len(call.arguments))


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
) -> Activity:
    """`active` are the positions of the parameters that have adjoints, `globals` the variables at namespace scope that
    do; `seeded_result` says that the result has one. With `scratch`, memory that a parameter leads to and that needs an
    adjoint is given one, zero at first, that nobody looks at.

    Reports CP0301 where a derivative would pass through memory that has no adjoint.
    """
    contents = [c for i, p in enumerate(function.parameters) if i in active for c in _with_adjoint(p)]
    shadowed = frozenset(c for c in contents if isinstance(c, core.Root) and seeded(c.element, integers))
    shadowed |= {root for root in globals if seeded(root.element, integers)}
    varied_values = {c for c in contents if isinstance(c, core.Value) and differentiable(c.type, integers)}
    varied = _Varied(function, varied_values, set(shadowed), integers)
    varied.run()
    useful = _Useful(function, set(shadowed), seeded_result, integers)
    useful.run()

    _check_bits(function, varied, useful, sink)
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


def _check_bits(function: core.Function, varied: _Varied, useful: _Useful, sink: Sink) -> None:
    """A number's bits taken as an integer carry its value on where no rule follows them. Reports CP0310 where a result
    depends on such an integer that has become a floating-point number again."""
    every = list(statements(function.body))
    casts = [
        (e, s)
        for s in every
        for expr in operands(s)
        for e in subexpressions(expr)
        if isinstance(e, core.Math) and derivatives.is_bit_cast(e.callee.qualified_name)
    ]
    if not any(varied.expr(a) for e, _ in casts for a in e.arguments):
        return
    tainted: set[core.Value] = set()
    memory: set[core.Root] = set()

    def carries(expr: core.Expr) -> bool:
        return any(
            (isinstance(e, core.Use) and e.value in tainted)
            or (
                isinstance(e, core.Math)
                and derivatives.is_bit_cast(e.callee.qualified_name)
                and any(varied.expr(a) for a in e.arguments)
            )
            for e in subexpressions(expr)
        )

    before = -1
    while before != len(tainted) + len(memory):
        before = len(tainted) + len(memory)
        for s in every:
            match s:
                case core.Load(value, root) if root in memory:
                    tainted.add(value)
                case core.Store(root, _, expr) if carries(expr):
                    memory.add(root)
                case core.Atomic(_, root, _, given) if any(carries(a) for a in given):
                    memory.add(root)
                case core.If(_, _, _, merges):
                    tainted |= {m.value for m in merges if carries(m.then) or carries(m.other)}
                case core.Loop(carried):
                    for c in carried:
                        if carries(c.init) or carries(c.next):
                            tainted |= {c.value, c.result}
                case core.Let(value, expr) if carries(expr):
                    tainted.add(value)
                case core.Call(outputs) if any(carries(e) for e in operands(s)):
                    tainted |= {o.value for o in outputs}
                case _:
                    pass
    for s in every:
        reached = any(v in tainted and v in useful.values and is_floating(v.type) for v in defined(s))
        reached |= isinstance(s, core.Store) and s.root in useful.roots and is_floating(s.expr.type) and carries(s.expr)
        if reached:
            sink.error(
                "CP0310",
                "a result depends on the bits of a floating-point number taken as an integer",
                s.span,
                notes=tuple(Note("the bits are taken here", c.span) for _, c in casts[:1]),
                hint="compute with the number itself, or give the function a custom derivative",
            )
            return


def _has_adjoint(root: core.Root, shadowed: frozenset[core.Root]) -> bool:
    return root in shadowed or not root.outlives


def _report_lost(function: core.Function, root: core.Root, load: core.Load | core.Call, sink: Sink) -> None:
    stores = [s for s in statements(function.body) if isinstance(s, core.WRITES) and s.root is root]
    notes = tuple(Note("a value that depends on the independents is stored here", s.span) for s in stores[:1])
    hint = f"name '{root.name.partition('.')[0]}' among the arguments too, so that it gets an adjoint"
    sink.error(
        "CP0301", f"a derivative passes through '{root.name}', which has no adjoint", load.span, notes=notes, hint=hint
    )


class _Fixpoint(ABC):
    def __init__(self, function: core.Function, roots: set[core.Root], integers: bool) -> None:
        self.function = function
        self.roots = roots
        self.values: set[core.Value] = set()
        self.integers = integers
        self.changed = False

    def add(self, value: core.Value) -> None:
        if value not in self.values:
            self.values.add(value)
            self.changed = True

    def add_root(self, root: core.Root) -> None:
        if root not in self.roots:
            self.roots.add(root)
            self.changed = True

    def run(self) -> None:
        self.changed = True
        while self.changed:
            self.changed = False
            self.region(self.function.body)

    @abstractmethod
    def region(self, region: core.Region) -> None:
        """Adds what follows from the statements of a region."""

    def repeat(self, act: Callable[[], None]) -> None:
        """Until nothing changes: what a loop needs. Leaves `changed` set if anything ever did."""
        before, ever = self.changed, False
        while True:
            self.changed = False
            act()
            if not self.changed:
                break
            ever = True
        self.changed = before or ever


class _Varied(_Fixpoint):
    def __init__(self, function: core.Function, values: set[core.Value], roots: set[core.Root], integers: bool) -> None:
        super().__init__(function, roots, integers)
        self.values = values

    def expr(self, expr: core.Expr) -> bool:
        return any(v in self.values for v in flow(expr, self.integers))

    def region(self, region: core.Region) -> None:
        for statement in region:
            match statement:
                case core.Let(value, expr):
                    if self.expr(expr):
                        self.add(value)
                case core.Load(value, root):
                    if root in self.roots and differentiable(value.type, self.integers):
                        self.add(value)
                case core.Store(root, _, expr) | core.AtomicAdd(root, _, expr):
                    if self.expr(expr):
                        self.add_root(root)
                    self._atomic_value(statement)
                case core.Atomic(_, root, _, given):
                    if any(self.expr(a) for a in given):
                        self.add_root(root)
                    self._atomic_value(statement)
                case core.Call():
                    self._call(statement)
                case core.If(_, then, other, merges):
                    self.region(then)
                    self.region(other)
                    for m in merges:
                        if self.expr(m.then) or self.expr(m.other):
                            self.add(m.value)
                case core.Loop():
                    self.repeat(lambda: self._loop(statement))  # noqa: B023
                case core.Collective(value, callee, _, given):
                    if value is not None and derivatives.passes_numbers(callee.name) and self.expr(given[0]):
                        self.add(value)
                case core.Allocate() | core.Acquire() | core.Barrier() | core.Effect():
                    pass
                case _:
                    assert_never(statement)

    def _call(self, call: core.Call) -> None:
        if not any(self._argument(a) for a in call.arguments):
            return
        for o in call.outputs:
            if differentiable(o.value.type, self.integers):
                self.add(o.value)
        for root in reach.written(call, self.function):
            if seeded(root.element, self.integers):
                self.add_root(root)

    def _atomic_value(self, statement: core.Store | core.AtomicAdd | core.Atomic) -> None:
        """What an atomic gives is what the memory held."""
        for value in defined(statement):
            if statement.root in self.roots and differentiable(value.type, self.integers):
                self.add(value)

    def _argument(self, argument: core.Argument) -> bool:
        match argument:
            case core.PointerArgument() | core.ChosenArgument():
                return any(root in self.roots for root in reach.reached(argument, self.function))
            case core.ObjectArgument(leaves=leaves):
                return any(self.expr(leaf.expr) for leaf in leaves)
            case core.ViewArgument(_, leaves, pointers):
                return any(self.expr(leaf.expr) for leaf in leaves) or any(self._argument(m) for _, m in pointers)
            case _:
                return self.expr(argument)

    def _loop(self, loop: core.Loop) -> None:
        for c in loop.carried:
            if self.expr(c.init) or self.expr(c.next):
                self.add(c.value)
                self.add(c.result)
        self.region(loop.before)
        self.region(loop.body)


class _Useful(_Fixpoint):
    def __init__(self, function: core.Function, roots: set[core.Root], seeded: bool, integers: bool) -> None:
        super().__init__(function, roots, integers)
        self.seeded = seeded

    def run(self) -> None:
        if self.seeded:
            for leaf in self.function.results:
                self.mark(leaf.expr)
        super().run()

    def mark(self, expr: core.Expr) -> None:
        for value in flow(expr, self.integers):
            self.add(value)

    def region(self, region: core.Region) -> None:
        for statement in reversed(region):
            match statement:
                case core.Let(value, expr):
                    if value in self.values:
                        self.mark(expr)
                case core.Load(value, root):
                    if value in self.values:
                        self.add_root(root)
                case core.Store(root, _, expr) | core.AtomicAdd(root, _, expr):
                    if root in self.roots:
                        self.mark(expr)
                case core.Atomic(_, root, _, given):
                    for operand in given if root in self.roots else ():
                        self.mark(operand)
                case core.Call(outputs, _, arguments):
                    writes = any(root in self.roots for root in reach.written(statement, self.function))
                    effect = statement.has_effect and not statement.writes  # of the user's nothing is known
                    if writes or effect or any(o.value in self.values for o in outputs):
                        for a in arguments:
                            self._argument(a)
                case core.If(_, then, other, merges):
                    for m in merges:
                        if m.value in self.values:
                            self.mark(m.then)
                            self.mark(m.other)
                    self.region(then)
                    self.region(other)
                case core.Loop():
                    self.repeat(lambda: self._loop(statement))  # noqa: B023
                case core.Collective(value, callee, _, given):
                    if value in self.values and derivatives.passes_numbers(callee.name):
                        self.mark(given[0])
                case core.Allocate() | core.Acquire() | core.Barrier() | core.Effect():
                    pass
                case _:
                    assert_never(statement)

    def _argument(self, argument: core.Argument) -> None:
        match argument:
            case core.PointerArgument() | core.ChosenArgument():
                for root in reach.reached(argument, self.function):
                    self.add_root(root)
            case core.ObjectArgument(leaves=leaves):
                for leaf in leaves:
                    self.mark(leaf.expr)
            case core.ViewArgument(_, leaves, pointers):
                for leaf in leaves:
                    self.mark(leaf.expr)
                for _, memory in pointers:
                    self._argument(memory)
            case _:
                self.mark(argument)

    def _loop(self, loop: core.Loop) -> None:
        for c in loop.carried:
            if c.value in self.values or c.result in self.values:
                self.mark(c.next)
                self.mark(c.init)
                self.add(c.value)
                self.add(c.result)
        self.region(loop.body)
        self.region(loop.before)
