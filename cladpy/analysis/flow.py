"""Where derivatives flow: through expressions, and from there through the statements of a function.

Both sets of values and roots, those that depend on an independent and those that influence a dependent, grow until
nothing changes, loops included.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

from cladpy import derivatives, known
from cladpy.derivatives import operators
from cladpy.diagnostics import Span
from cladpy.ir import core, reach
from cladpy.ir.never import assert_never
from cladpy.ir.types import BOOL, Struct, Type, has_floating, is_floating, is_integer
from cladpy.ir.walk import children, defined


def differentiable(type: Type, integers: bool) -> bool:
    """Floating-point types; integers other than bool too where the caller named an integer argument."""
    return is_floating(type) or (integers and is_integer(type) and type != BOOL)


def seeded(type: Type, integers: bool) -> bool:
    """Whether a result of this type has a cotangent: an object has one where it holds a floating-point number."""
    return has_floating(type) if isinstance(type, Struct) else differentiable(type, integers)


def flow(expr: core.Expr, integers: bool) -> Iterator[core.Value]:
    """The values through which a derivative of the expression may flow."""
    return (e.value for e in carrying(expr, integers) if isinstance(e, core.Use))


def carrying(expr: core.Expr, integers: bool) -> Iterator[core.Expr]:
    """The parts of an expression, itself among them, through which its derivative may flow."""
    stack = [expr]
    while stack:
        here = stack.pop()
        if differentiable(here.type, integers):
            yield here
            stack += through(here)


def through(expr: core.Expr) -> tuple[core.Expr, ...]:
    """The operands through which a derivative flows."""
    match expr:
        case core.Select(_, then, other):
            return (then, other)
        case core.Linear(_, terms):
            return tuple(of for of, _ in terms)
        case core.Unary() | core.Binary() | core.Cast() | core.Math():
            rule = rule_of(expr)
            if rule is not None:
                pairs = zip(children(expr), rule.partials, strict=False)
                return tuple(operand for operand, partial in pairs if partial is not None)
            # a function without a rule: everything flows, the adjoint then reports what is missing
            known_zero = not isinstance(expr, core.Math) or derivatives.is_inactive(expr.callee.qualified_name)
            return () if known_zero else children(expr)
        case core.Use() | core.Const() | core.Builtin() | core.Nested() | core.OfPointer() | core.Formula():
            return ()
        case _:
            assert_never(expr)


def rule_of(expr: core.Expr) -> derivatives.MathRule | None:
    """The rule of an operator, a conversion or a library call; operators on the bits of integers have none."""
    match expr:
        case core.Math(callee, arguments):
            return derivatives.lookup(callee.qualified_name, len(arguments))
        case core.Binary(op):
            return operators.BINARY.get(op)
        case core.Unary(op):
            return operators.UNARY.get(op)
        case core.Cast():
            return operators.CONVERSION
        case _:
            return None


class Fixpoint(ABC):
    """A set of values and roots that grows."""

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


class Varied(Fixpoint):
    """What depends on `values` and `roots`."""

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
                    if value is not None and known.collective(callee.name).passes_numbers and self.expr(given[0]):
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


class Useful(Fixpoint):
    """What influences `roots`, and the function's result if it is `seeded`."""

    def __init__(self, function: core.Function, roots: set[core.Root], seeded: bool, integers: bool) -> None:
        super().__init__(function, roots, integers)
        self.seeded = seeded
        self.marked: dict[core.Expr, Span] = {}  # what has an adjoint, where that is of integers too
        self._span = function.span

    def run(self) -> None:
        if self.seeded:
            for leaf in self.function.results:
                self.mark(leaf.expr)
        super().run()

    def mark(self, expr: core.Expr) -> None:
        if self.integers:
            self.marked.setdefault(expr, self._span)
        for value in flow(expr, self.integers):
            self.add(value)

    def region(self, region: core.Region) -> None:
        for statement in reversed(region):
            self._span = statement.span
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
                    if value in self.values and known.collective(callee.name).passes_numbers:
                        self.mark(given[0])
                case core.Allocate() | core.Acquire() | core.Barrier() | core.Effect():
                    pass
                case _:
                    assert_never(statement)

    def _argument(self, argument: core.Argument) -> None:
        match argument:
            case core.PointerArgument() | core.ChosenArgument():
                for root in reach.reached(argument, self.function):
                    if seeded(root.element, self.integers):  # what integers tell a call has no derivative
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
