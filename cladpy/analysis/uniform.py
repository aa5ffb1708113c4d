"""Which values are the same for all threads of a launch, or of a block, and which vary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cladpy.analysis.affine import VARYING
from cladpy.ir import core
from cladpy.ir.reach import stored
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.walk import children, defined, operands, regions, statements, values

Control = core.If | core.Loop
IN_BLOCK = frozenset({BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z})


# Gives the mask of the lanes that a warp has, the same in all of them.
LANES = "cladpy::warp_lanes"


@dataclass(slots=True)
class Varying:
    """`agreed` says of an operator whose operands may vary that its result does not."""

    values: set[core.Value] = field(default_factory=set)
    sources: frozenset[BuiltinVar] = VARYING
    agreed: Callable[[core.Binary], bool] = lambda _: False

    def expr(self, expr: core.Expr) -> bool:
        match expr:
            case core.Builtin(var):
                return var in self.sources
            case core.Use(value):
                return value in self.values
            case core.Binary() if self.agreed(expr):
                return False
            case core.Math(callee) if callee.qualified_name == LANES and self.sources != VARYING:
                return False
            case _:
                return any(self.expr(e) for e in children(expr))


def varying_values(function: core.Function) -> Varying:
    """What may differ between threads: whatever depends on a thread's or block's index, directly, through memory that
    the kernel writes, through control flow, or through a call."""
    return fixpoint(function, Varying(), set(stored(function)), lambda _: False)


def varying_in_block(function: core.Function) -> Varying:
    """What may differ between the threads of a block. What they load from one address is the same for all: were it
    written in between, the kernel would race."""
    return fixpoint(
        function, Varying(sources=IN_BLOCK), written_locally(function), lambda s: isinstance(s, core.Barrier)
    )


def written_locally(function: core.Function) -> set[core.Root]:
    """What each thread has of its own, and writes."""
    return {r for r in stored(function) if r.kind is core.RootKind.LOCAL}


def fixpoint(
    function: core.Function,
    varying: Varying,
    written: set[core.Root],
    agree: Callable[[core.Statement], bool],
) -> Varying:
    """`varying` with all that follows from it. What is loaded from `written` memory may vary; `agree` says of which
    statements the result does not."""
    while True:
        before = len(varying.values)
        for statement in statements(function.body):
            if not agree(statement):
                varying.values |= _varying_of(statement, varying, written)
        if len(varying.values) == before:
            return varying


def _varying_of(statement: core.Statement, varying: Varying, written: set[core.Root]) -> set[core.Value]:
    """What a statement defines that may vary."""
    match statement:
        case core.Let(value, expr):
            return {value} if varying.expr(expr) else set()
        case core.Load(value, root, index):
            return {value} if root in written or varying.expr(index) else set()
        case core.If(condition, _, _, merges):
            return {m.value for m in merges if varying.expr(condition) or varying.expr(m.then) or varying.expr(m.other)}
        case core.Loop(carried, _, condition):
            through = {v for c in carried if varying.expr(c.init) or varying.expr(c.next) for v in (c.value, c.result)}
            return through | ({c.result for c in carried} if varying.expr(condition) else set())
        case _:  # a call may ask for the thread's index itself
            return set(defined(statement))


def divergent_barriers(function: core.Function) -> Iterator[tuple[core.Barrier, Control]]:
    """The barriers that threads of a block may come to in different numbers, with the control flow that is to blame."""
    if not any(isinstance(s, core.Barrier) for s in statements(function.body)):
        return
    varying = varying_in_block(function)

    def visit(region: core.Region, around: Control | None) -> Iterator[tuple[core.Barrier, Control]]:
        for statement in region:
            if isinstance(statement, core.Barrier) and around is not None:
                yield statement, around
            here = around
            if isinstance(statement, core.If | core.Loop) and here is None and varying.expr(statement.condition):
                here = statement
            for inner in regions(statement):
                yield from visit(inner, here)

    yield from visit(function.body, None)


def calls_deciding(control: Control, function: core.Function) -> set[FunctionSymbol]:
    """The functions whose results have a say in which way a branch or a loop goes."""
    made = {value: s for s in statements(function.body) for value in defined(s)}
    waiting, seen, found = list(values(control.condition)), set[core.Value](), set[FunctionSymbol]()
    while waiting:
        value = waiting.pop()
        statement = made.get(value)
        if statement is None or value in seen:
            continue
        seen.add(value)
        if isinstance(statement, core.Call):
            found.add(statement.callee)
        waiting += (v for expr in operands(statement) for v in values(expr))
    return found


def is_by_thread_alone(control: Control, function: core.Function) -> bool:
    """Whether a branch is decided by the thread's index and by constants: no memory, argument or launch has a say."""
    if not isinstance(control, core.If):
        return False
    lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}

    def alone(expr: core.Expr) -> bool:
        match expr:
            case core.Builtin(var):
                return var in IN_BLOCK
            case core.Use(value):
                return value in lets and alone(lets[value])
            case _:
                return all(map(alone, children(expr)))

    return alone(control.condition)
