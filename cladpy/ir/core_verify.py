"""Checks a core function against what the grammar promises; run between stages in tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cladpy.deep import run_deep
from cladpy.ir import core
from cladpy.ir.expression_verify import Scopes
from cladpy.ir.never import assert_never
from cladpy.ir.reach import memory_in
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import (
    BOOL,
    UINT,
    VOID,
    Pointer,
    Reference,
    Scalar,
    Struct,
    is_integer,
    scalar_of,
    spell,
    strip_reference,
    taken,
)
from cladpy.ir.walk import argument_operands, defined, statements


def verify(function: core.Function, *, partials: bool = False) -> list[str]:
    """What is wrong, one line each with its place; empty where all is well. `partials` says that derivative rules may
    occur, as they do after preaccumulation."""
    verifier = _Verifier(function, partials)
    run_deep(verifier.run)
    return verifier.faults


class _Verifier(Scopes):
    def __init__(self, function: core.Function, partials: bool) -> None:
        super().__init__(formulas=partials)
        self._function = function
        self._loaded: dict[core.Value, tuple[core.Root, core.Expr]] = {}
        self._roots: set[core.Root] = set()  # arguments, and the local arrays that are alive here
        # allocations, and those beside them that hold pointers: of several, what is used may be acquired later
        self._acquired = {s.allocation for s in statements(function.body) if isinstance(s, core.Acquire)}
        self._allocated: set[core.Root] = set()
        self._span = function.span

    def run(self) -> None:
        function = self._function
        for position, parameter in enumerate(function.parameters):
            self._parameter(position, parameter)
        self._region(function.body)
        self._span = function.span
        of_class = isinstance(function.symbol.result, Struct)
        for leaf in function.results:
            self._require(bool(leaf.member) == of_class, "the result is taken apart in another way than its type says")
            self._expr(leaf.expr, None if of_class else function.symbol.result, "the result")
        if not of_class:
            expected = int(function.symbol.result != VOID)
            self._require(len(function.results) == expected, "the result is missing, or there are several")

    # ---- what all checks use -----------------------------------------------------------------------------------------

    def _where(self) -> str:
        return f"{self._span}: {self._function.symbol.qualified_name}"

    def _root(self, root: core.Root) -> None:
        if root.kind is not core.RootKind.GLOBAL:
            alive = root in self._roots or (root.allocation is not None and root.allocation in self._acquired)
            self._require(alive, f"{root} is not alive here")

    def _element(self, root: core.Root, index: core.Expr) -> None:
        self._root(root)
        self._expr(index)
        self._require(is_integer(index.type), f"an index of {root} is no integer")
        steps = 1
        while isinstance(index, core.Nested):
            index, steps = index.outer, steps + 1
        self._require(steps == len(root.path), f"an index of {root} has another number of steps")

    def _scope(self, act: Callable[[], None]) -> None:
        """What becomes visible in `act` is gone after it."""
        visible, roots = set(self._visible), set(self._roots)
        act()
        # what has been acquired stays, by a variable of the function
        self._visible, self._roots = visible, roots | {r for r in self._roots if r.kind is core.RootKind.HEAP}

    def _parameter(self, position: int, parameter: core.Parameter) -> None:
        of_class = isinstance(scalar_of(parameter.type), Struct)
        self._require(of_class or len(parameter.parts) == 1, f"parameter {parameter.name} has several parts")
        for content in parameter.contents:
            match content:
                case core.Value() as value:
                    self._require(
                        of_class or value.type == taken(parameter.type),
                        f"the value of {parameter.name} has another type",
                    )
                    self._define(value)
                case core.Root() as root:
                    memory = of_class or isinstance(parameter.type, Pointer | Reference)
                    self._require(memory, f"parameter {parameter.name} is memory, but no pointer or reference")
                    self._require(root.kind is core.RootKind.ARGUMENT, f"{root} is a parameter, and of another kind")
                    self._require(root.position == position, f"{root} is at another position")
                    same = of_class or root.element == scalar_of(parameter.type)
                    self._require(same, f"{root} has elements of another type")
                    self._roots.add(root)
                case _:
                    assert_never(content)

    # ---- statements --------------------------------------------------------------------------------------------------

    def _region(self, region: core.Region) -> None:
        for statement in region:
            self._span = statement.span
            self._statement(statement)

    def _statement(self, statement: core.Statement) -> None:
        match statement:
            case core.Let(value, expr):
                self._expr(expr, value.type, f"what {value} is bound to")
                self._define(value)
            case core.Load(value, root, index):
                self._element(root, index)
                self._require(value.type == root.element, f"{value} has another type than the elements of {root}")
                self._define(value)
                self._loaded[value] = root, index
            case core.Store(root, index, expr):
                self._element(root, index)
                self._require(root.writable, f"{root} is stored to, and may not be")
                self._expr(expr, root.element, f"what is stored to {root}")
                self._old(statement)
            case core.AtomicAdd(root, index, expr):
                self._element(root, index)
                self._require(root.writable, f"{root} is added to, and may not be")
                self._require(root.kind is not core.RootKind.LOCAL, f"{root} is local, and added to atomically")
                self._expr(expr, root.element, f"what is added to {root}")
                self._given(statement)
            case core.Atomic(_, root, index, arguments):
                self._element(root, index)
                self._require(root.writable, f"{root} is changed atomically, and may not be")
                self._require(root.kind is not core.RootKind.LOCAL, f"{root} is local, and changed atomically")
                for a in arguments:
                    self._expr(a, a.type, f"what changes {root}")
                self._given(statement)
            case core.Allocate(root):
                self._require(not root.outlives, f"{root} is allocated, and neither local nor shared")
                self._require(root.dynamic or (root.length or 0) > 0, f"{root} has no length")
                self._require(root not in self._allocated, f"{root} is allocated twice")
                self._allocated.add(root)
                self._roots.add(root)
            case core.Acquire(allocation, bytes=bytes):
                self._expr(bytes)
                self._roots.update(r for v in self._function.heap if v.symbol is allocation for r in v.roots)
            case core.Barrier():
                self._barrier(statement)
            case core.Call():
                self._call(statement)
            case core.Effect(_, arguments):
                for argument in arguments:
                    if not isinstance(argument, core.Text):
                        self._expr(argument)
            case core.Collective(value, callee):
                given = len(statement.arguments)
                self._require(given == len(callee.parameters), f"{callee.name} is given other arguments")
                for argument, parameter in zip(statement.arguments, callee.parameters, strict=False):
                    self._expr(argument, parameter, f"an argument of {callee.name}")
                gives = VOID if value is None else value.type
                self._require(gives == callee.result, f"{value} is not of the type that {callee.name} gives")
                if value is not None:
                    self._define(value)
            case core.If():
                self._if(statement)
            case core.Loop():
                self._loop(statement)
            case _:
                assert_never(statement)

    def _barrier(self, barrier: core.Barrier) -> None:
        predicate, result = barrier.predicate, barrier.value
        self._require((predicate is None) == (result is None), "a barrier gives what nothing is made of")
        if predicate is not None:
            self._expr(predicate)
        if result is not None:
            self._define(result)

    def _given(self, statement: core.AtomicAdd | core.Atomic) -> None:
        if statement.value is not None:
            self._define(statement.value)

    def _old(self, store: core.Store) -> None:
        """What is put back is what a load of the same element has found."""
        if store.old is not None:
            self._expr(core.Use(store.old))
            loaded = self._loaded.get(store.old) == (store.root, store.index)
            self._require(loaded, f"{store.old} is not what the store overwrites")
        if store.first is not None:
            self._require(store.old is not None, f"{store.first} has nothing that is put back")
            self._expr(core.Use(store.first), BOOL)

    def _call(self, call: core.Call) -> None:
        callee = call.callee
        if isinstance(callee.result, Scalar):
            self._require(bool(call.returned), f"the result of {callee.name} has no name")
            for o in call.returned:
                same = o.value.type == callee.result and not o.member
                self._require(same, f"{o.value} is not of the type that {callee.name} gives")
        for o in call.outputs:
            at = o.argument
            changed = at is None or (at < len(call.arguments) and isinstance(call.arguments[at], core.ObjectArgument))
            self._require(changed, f"{o.value} is of an argument that is no object")
        taken = len(callee.parameters)
        memory = all(isinstance(a, core.PointerArgument) for a in call.arguments[taken:])
        more = callee.kind is FunctionKind.KERNEL and memory  # variables that it names
        self._require(len(call.arguments) == taken or more, f"{callee.name} is given other arguments")
        for part in () if call.launch is None else call.launch.expressions:
            self._expr(part)
        given = (
            (a, p)
            for argument, p in zip(call.arguments, callee.parameters, strict=False)
            for a in (argument.alternatives if isinstance(argument, core.ChosenArgument) else (argument,))
        )
        for argument, parameter in given:
            if isinstance(argument, core.PointerArgument):
                self._element(argument.root, argument.offset)
                memory = isinstance(parameter, Pointer | Reference)
                self._require(memory, f"{callee.name} is given memory for {spell(parameter)}")
                by_reference = isinstance(parameter, Reference)
                self._require(argument.by_reference == by_reference, f"{argument.root} is passed in another way")
                same = scalar_of(parameter) in (argument.seen or argument.root.element, VOID)
                self._require(same, f"{callee.name} is given memory of another type")
            elif isinstance(argument, core.ViewArgument):
                for part in argument_operands(argument):
                    self._expr(part)
                for led in memory_in(argument):
                    for one in led.alternatives if isinstance(led, core.ChosenArgument) else (led,):
                        self._element(one.root, one.offset)
                self._require(parameter == argument.type, f"{callee.name} is given an object of another type")
            elif isinstance(argument, core.ObjectArgument):
                for leaf in argument.leaves:
                    self._expr(leaf.expr)
                if argument.offset is not None:
                    self._expr(argument.offset)
                same = scalar_of(parameter) == scalar_of(argument.type)
                self._require(same, f"{callee.name} is given an object of another type")
            elif parameter == VOID:  # a number of any type
                self._expr(argument)
            else:
                self._expr(argument, strip_reference(parameter), f"an argument of {callee.name}")
        for i in call.writes:
            written = call.arguments[i] if i < len(call.arguments) else None
            memory = written is not None and bool(memory_in(written))
            self._require(memory, f"{callee.name} writes an argument that is no memory")
        halves = call.forward is not None or not call.states
        self._require(halves, f"{callee.name} keeps values, without a forward half")
        for value in defined(call):
            self._define(value)

    def _if(self, statement: core.If) -> None:
        self._expr(statement.condition, BOOL, "the condition")
        for region, arms in (
            (statement.then, [m.then for m in statement.merges]),
            (statement.other, [m.other for m in statement.merges]),
        ):
            self._scope(lambda: self._arm(region, statement, arms))  # noqa: B023
        for m in statement.merges:
            self._define(m.value)

    def _arm(self, region: core.Region, statement: core.If, arms: Iterable[core.Expr]) -> None:
        self._region(region)
        self._span = statement.span
        for m, arm in zip(statement.merges, arms, strict=True):
            self._expr(arm, m.value.type, f"an arm of {m.value}")

    def _loop(self, loop: core.Loop) -> None:
        for c in loop.carried:
            self._expr(c.init, c.value.type, f"the first {c.value}")
            self._require(c.result.type == c.value.type, f"{c.value} ends with another type")
        if loop.lanes is not None:
            self._expr(loop.lanes, UINT, "the lanes of a loop")
        self._scope(lambda: self._iteration(loop))
        for c in loop.carried:
            self._define(c.result)

    def _iteration(self, loop: core.Loop) -> None:
        for c in loop.carried:
            self._define(c.value)
        self._scope(lambda: self._test(loop))
        self._region(loop.body)
        self._span = loop.span
        for c in loop.carried:
            self._expr(c.next, c.value.type, f"the next {c.value}")

    def _test(self, loop: core.Loop) -> None:
        self._region(loop.before)
        self._span = loop.span
        self._expr(loop.condition, BOOL, "the loop's condition")
