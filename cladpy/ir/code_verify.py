"""Checks generated functions against what their grammar promises; run between stages in tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from cladpy.deep import run_deep
from cladpy.ir import code, core
from cladpy.ir.expression_verify import Scopes
from cladpy.ir.halves import FLOAT2, adjoint_value
from cladpy.ir.never import assert_never
from cladpy.ir.tape_verify import check_log, check_tape
from cladpy.ir.types import (
    BOOL,
    LONG,
    UINT,
    Pointer,
    Reference,
    Struct,
    Type,
    is_integer,
    scalar_of,
    spell,
    strip_reference,
    taken,
)

Place = tuple[core.Root, bool]  # memory, or its adjoint


def verify(functions: Sequence[code.Function], adjoint_globals: Collection[core.Root] = ()) -> list[str]:
    """What is wrong with functions that are defined in this order; empty where all is well.

    A pullback that is called may be one of them, or a user's. `adjoint_globals` are the variables at namespace scope
    that have an adjoint.
    """
    faults: list[str] = []
    known: dict[str, code.Function] = {}
    for function in functions:
        if function.name in known:
            faults.append(f"{function.name}: defined twice")
        known[function.name] = function  # recursion is allowed
        for block, result in ((function.body, None), (function.count, function.count_result)):
            verifier = _Verifier(function, known, adjoint_globals)
            run_deep(lambda: verifier.run(block, result))  # noqa: B023
            faults += verifier.faults
    return faults


class _Verifier(Scopes):
    """Checks one body."""

    def __init__(
        self, function: code.Function, known: dict[str, code.Function], adjoint_globals: Collection[core.Root]
    ) -> None:
        super().__init__(formulas=True)
        self._function = function
        self._known = known
        self._adjoint_globals = adjoint_globals
        self._mutable: set[core.Value] = set()
        self._places: set[Place] = set()
        self._adjoints: dict[str, Type] = {}  # parameters that point to the adjoint of a scalar

    def run(self, block: code.Block, result: core.Expr | None) -> None:
        names = [p.name for p in self._function.parameters]
        self._require(len(set(names)) == len(names), "two parameters have one name")
        for parameter in self._function.parameters:
            self._parameter(parameter)
        for privatised in self._function.privatised:
            for extent in privatised.extents:
                self._expr(extent, LONG, f"the extent of {privatised.root}")
        self._require(2 * self._function.standing <= len(self._function.body), "there are fewer statements than stand")
        self._block(block)
        if result is not None:
            self._expr(result)
            self._require(is_integer(result.type), "what is counted is no integer")
        # what the counting launch and a forward function write, the log undoes as a whole
        logged = block is self._function.body and self._function.role is not code.FunctionRole.FORWARD
        for fault in [*check_tape(block), *(check_log(block) if logged else [])]:
            self._fault(fault)

    # ---- what all checks use -----------------------------------------------------------------------------------------

    def _where(self) -> str:
        return self._function.name

    def _define(self, value: core.Value, mutable: bool = False) -> None:
        super()._define(value)
        if mutable:
            self._mutable.add(value)

    def _changed(self, variable: core.Value) -> None:
        self._require(variable in self._visible, f"{variable} is changed out of its scope")
        self._require(variable in self._mutable, f"{variable} is changed, and constant")

    def _place(self, root: core.Root, adjoint: bool) -> None:
        if root.kind is core.RootKind.GLOBAL and (
            not adjoint or root in self._adjoint_globals or (root, adjoint) in self._places
        ):
            return
        if root.kind is core.RootKind.HEAP:
            known = {r.allocation for r in self._function.heap}
            self._require(root.allocation in known, f"{root} has no pointer")
            return
        if adjoint and root in self._function.scratch:
            return
        root = root.storage
        what = "the adjoint of " if adjoint else ""
        self._require((root, adjoint) in self._places, f"{what}{root} is not declared here")

    def _element(self, root: core.Root, index: core.Expr, adjoint: bool) -> None:
        self._place(root, adjoint)
        self._expr(index)
        self._require(is_integer(index.type), f"an index of {root} is no integer")

    def _scope(self, act: Callable[[], None]) -> None:
        """What is declared in `act` is gone after it."""
        visible, places = set(self._visible), set(self._places)
        act()
        self._visible, self._places = visible, places

    def _parameter(self, parameter: code.Parameter) -> None:
        of_class = isinstance(scalar_of(parameter.type), Struct)
        for part in parameter.parts:
            match part.content:
                case core.Root() as root:
                    pointer = of_class or isinstance(parameter.type, Pointer | Reference)
                    self._require(pointer, f"{parameter.name} is memory, but no pointer or reference")
                    element = root.adjoint_cell if parameter.adjoint else root.element
                    same = of_class or element == scalar_of(parameter.type)
                    self._require(same, f"{parameter.name} has elements of another type")
                    self._places.add((root, parameter.adjoint))
                case core.Value() as value if parameter.adjoint:
                    pointer = of_class or parameter.type == Pointer(adjoint_value(value.type))
                    self._require(pointer, f"{parameter.name} is no pointer to an adjoint")
                    by_class = of_class and scalar_of(parameter.type) != FLOAT2
                    own = value.type if by_class else adjoint_value(value.type)
                    self._adjoints[parameter.name + part.member] = own
                case core.Value() as value:
                    self._require(of_class or value.type == taken(parameter.type), f"{parameter.name} has another type")
                    self._define(value)
                case _:
                    assert_never(part.content)

    # ---- statements --------------------------------------------------------------------------------------------------

    def _block(self, block: code.Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: code.Statement) -> None:
        match statement:
            case code.Define(variable, init, mutable):
                self._initializer(init, variable)
                self._define(variable, mutable)
            case code.Assign(variable, expr) | code.Add(variable, expr):
                self._changed(variable)
                self._expr(expr, variable.type, f"what {variable} is changed by")
            case code.DeclareArray(root, adjoint, below=below):
                for limit in below:
                    self._expr(limit, LONG, f"what is zeroed of {root}")
                self._require(not root.outlives, f"{root} is declared, and neither local nor shared")
                self._require(root.dynamic or (root.length or 0) > 0, f"{root} has no length")
                self._require((root, adjoint) not in self._places, f"{root} is declared twice in one scope")
                self._places.add((root, adjoint))
            case code.WriteElement() | code.AddElement() | code.UpdateElement() | code.Take():
                self._memory(statement)
            case code.Reserve(slots):
                self._expr(slots)
            case code.AddParameter(
                name, type, expr, _, member, assigned=True
            ):  # to the primal's result, of a split form
                self._expr(expr, type, f"what {name}{member} becomes")
            case code.AddParameter(name, type, expr, _, member):
                self._require(self._adjoints.get(name + member) == type, f"{name} is no adjoint of type {spell(type)}")
                self._expr(expr, adjoint_value(type), f"what is added to {name}")
            case code.Branch(condition, then, other):
                self._expr(condition, BOOL, "the condition")
                self._scope(lambda: self._block(then))
                self._scope(lambda: self._block(other))
            case code.While(before, condition, body):
                if statement.fetched:
                    self._require(not before, "a loop that fetches has a test of several statements")
                    self._require(isinstance(body[statement.fetched - 1], code.Assign), "a loop fetches the same again")
                    self._fetched(body[: statement.fetched - 1])
                self._scope(lambda: self._test(before, condition))
                self._scope(lambda: self._block(body))
            case code.CountDown():
                self._loop(statement)
            case code.Push() | code.Pop():
                self._taped(statement)
            case code.DeclareStates() | code.Keep() | code.Rewind():
                self._states(statement)
            case code.CallPullback():
                self._pullback(statement)
            case code.DeclareObject() | code.Invoke():
                self._object(statement)
            case code.Synchronize() | code.Perform():
                self._effect(statement)
            case code.Act():
                self._act(statement)
            case code.Undo() | code.Comment():
                pass
            case _:
                assert_never(statement)

    def _taped(self, statement: code.Push | code.Pop) -> None:
        if statement.only is not None:
            self._expr(statement.only, BOOL, "what says that slots are used")
        match statement:
            case code.Push(_, kept):
                for slot, expr in kept:
                    self._expr(expr, slot.type, "what is pushed")
            case code.Pop(_, variables, _, following):
                if following is not None:
                    self._expr(following, BOOL, "what is asked of the next slot")
                for slot, variable in variables:
                    self._require(slot.type == variable.type, f"{variable} is popped from a slot of another type")
                    self._define(variable)
            case _:
                assert_never(statement)

    def _states(self, statement: code.DeclareStates | code.Keep | code.Rewind) -> None:
        states = statement.states
        if isinstance(statement, code.DeclareStates):
            self._require(states.levels > 1, "states are kept in one level")
            self._define(states.variable)
            return
        self._require(states.variable in self._visible, f"{states.variable} is not declared")
        self._expr(statement.step)
        self._require(is_integer(statement.step.type), "a step that is no integer")
        match statement:
            case code.Keep(_, _, kept):
                self._require([slot for slot, _ in kept] == states.slots, "what is kept is not what the states hold")
                for slot, expr in kept:
                    self._expr(expr, slot.type, "what is kept")
            case code.Rewind(_, _, variables, clock, body):
                self._require(
                    [slot for slot, _ in variables] == states.slots, "what is set is not what the states hold"
                )
                for slot, variable in variables:
                    self._changed(variable)
                    self._require(slot.type == variable.type, f"{variable} is set to a state of another type")
                self._scope(lambda: self._counted(clock, body))
            case _:
                assert_never(statement)

    def _act(self, act: code.Act) -> None:
        if act.pointer is not None:
            self._place(act.pointer, act.adjoint)
        for variable in act.outputs:
            self._changed(variable)
        for expr in () if act.launch is None else act.launch.expressions:
            self._expr(expr)
        for argument in act.arguments:
            self._argument(argument, None, act.name)
        for memory in act.saved:
            self._argument(memory, None, act.name)

    def _effect(self, statement: code.Synchronize | code.Perform) -> None:
        match statement:
            case code.Synchronize(_, predicate, result):
                self._require((predicate is None) == (result is None), "a barrier gives what nothing is made of")
                if predicate is not None:
                    self._expr(predicate)
                if result is not None:
                    self._define(result)
            case code.Perform(_, arguments):
                for argument in arguments:
                    if not isinstance(argument, core.Text):
                        self._expr(argument)
            case _:
                assert_never(statement)

    def _memory(self, statement: code.WriteElement | code.AddElement | code.UpdateElement | code.Take) -> None:
        match statement:
            case code.WriteElement(root, index, expr, _, saved):
                self._element(root, index, False)
                self._require(not saved or root.outlives, f"{root} is local, and saved")
                self._require(root.writable, f"{root} is written to, and may not be")
                self._expr(expr, root.element, f"what is written to {root}")
            case code.AddElement(root, index, expr, update, adjoint):
                self._element(root, index, adjoint)
                local = root.kind is core.RootKind.LOCAL
                self._require(not local or update is code.Update.PLAIN, f"{root} is local, and shared in its update")
                known = any(privatised.root is root for privatised in self._function.privatised)
                atomic = update in (code.Update.ATOMIC, code.Update.REDUCED) and adjoint
                self._require(not statement.privatised or (known and atomic), f"{root} has no sums of the block's own")
                added = adjoint_value(root.element) if adjoint else root.element
                row = statement.row
                fits = row is None or (row.kind is core.RootKind.LOCAL and row.element == added and atomic)
                self._require(fits, f"{row} is no row of what is added to {root}")
                self._expr(expr, added, f"what is added to {'the adjoint of ' if adjoint else ''}{root}")
            case code.UpdateElement(root, index, arguments, callee):
                self._element(root, index, False)
                self._require(root.kind is core.RootKind.SHARED, f"{root} is no shared memory")
                for expr in arguments:
                    self._expr(expr, root.element, f"what {callee.name} is given")
            case code.Take(variable, root, index, update):
                self._element(root, index, True)
                local = root.kind is core.RootKind.LOCAL
                self._require(not local or update is code.Update.PLAIN, f"{root} is local, and shared in its update")
                self._require(update in (code.Update.PLAIN, code.Update.ATOMIC), f"a reduced reading of {root}")
                same = variable.type == adjoint_value(root.element)
                self._require(same, f"{variable} has another type than the elements of {root}")
                self._define(variable)
            case _:
                assert_never(statement)

    def _object(self, statement: code.DeclareObject | code.Invoke) -> None:
        match statement:
            case code.DeclareObject(variable, leaves, pointers=pointers):
                for leaf in leaves:
                    self._expr(leaf.expr)
                for _, address in pointers:
                    self._argument(address, None, variable.name)
                self._define(variable, mutable=True)
            case code.Invoke(call, outputs, result):
                for variable in outputs:
                    self._changed(variable)
                self._user_call(call)
                if result is not None:
                    self._define(result)
            case _:
                assert_never(statement)

    def _test(self, before: code.Block, condition: core.Expr) -> None:
        self._block(before)
        self._expr(condition, BOOL, "the loop's condition")

    def _loop(self, loop: code.CountDown) -> None:
        self._expr(loop.count)
        if loop.mask is not None:
            self._expr(loop.mask, UINT, "the mask of a loop in step")
        if loop.soon is not None:
            self._expr(loop.soon, BOOL, "what is asked of the slot on top")
        self._require(is_integer(loop.count.type), "a loop counts what is no integer")
        self._require(not loop.fetched or loop.mask is None, "a loop in step fetches")
        self._fetched(loop.body[: loop.fetched])
        self._scope(lambda: self._counted(loop.variable, loop.body))

    def _counted(self, variable: core.Value, body: code.Block) -> None:
        self._define(variable)
        self._block(body)

    def _fetched(self, block: code.Block) -> None:
        plain = all(isinstance(s, code.Define) and not s.mutable for s in block)
        self._require(plain, "what a loop fetches is more than definitions")

    def _initializer(self, init: code.Initializer, variable: core.Value) -> None:
        match init:
            case code.Element(root, index, adjoint):
                self._element(root, index, adjoint)
                element = adjoint_value(root.element) if adjoint else root.element
                self._require(element == variable.type, f"{variable} has another type than the elements of {root}")
            case code.UserCall(callee):
                given = init.makes or callee.result
                self._require(given == variable.type, f"{variable} has another type than {callee.name} gives")
                self._user_call(init)
            case code.MemberOf(whole):
                self._require(whole in self._visible, f"{whole} is used out of its scope")
            case code.Together(name, given, type):
                for argument in given:
                    self._expr(argument)
                self._require(type == variable.type, f"{variable} has another type than {name} gives")
            case _:
                self._expr(init, variable.type, f"what {variable} is defined as")

    def _user_call(self, call: code.UserCall) -> None:
        callee = call.callee
        parameters = callee.parameters[call.makes is not None :]
        self._require(len(call.arguments) == len(parameters), f"{callee.name} is given other arguments")
        for argument, parameter in zip(call.arguments, parameters, strict=False):
            self._argument(argument, parameter, callee.name)

    # ---- calls -------------------------------------------------------------------------------------------------------

    def _pullback(self, call: code.CallPullback) -> None:
        for variable in call.outputs:
            self._changed(variable)
        passed = [a.variable for a in call.arguments if isinstance(a, code.AddressOfVariable | code.ObjectVariable)]
        written = [v for v in passed if v in call.outputs]
        simple = {a.variable for a in call.arguments if isinstance(a, code.AddressOfVariable)}
        complete = written == list(call.outputs) and simple <= set(written)
        self._require(complete, f"the outputs of {call.name} are not those passed")
        callee = self._known.get(call.name)
        if callee is None:  # a user's: its signature was compared when it was chosen
            for argument in call.arguments:
                self._argument(argument, None, call.name)
            return
        self._require(bool(callee.storage) == bool(call.storage), f"{call.name} is given another storage")
        self._require(len(call.arguments) == len(callee.parameters), f"{call.name} is given other arguments")
        for argument, parameter in zip(call.arguments, callee.parameters, strict=False):
            self._argument(argument, parameter.type, call.name)
            adjoint = (
                isinstance(argument, code.AddressOfVariable)
                or (isinstance(argument, code.Address) and argument.adjoint)
                or (isinstance(argument, code.ObjectVariable) and argument.variable in call.outputs)
            )
            changed = callee.role is code.FunctionRole.FORWARD and isinstance(argument, code.ObjectVariable)
            right = adjoint == parameter.adjoint or changed
            self._require(right, f"{call.name}: {parameter.name} is given something else")

    def _argument(self, argument: code.Passed, parameter: Type | None, name: str) -> None:
        """An argument for a parameter of a type, where that is known."""
        match argument:
            case code.Address(root, offset, adjoint, _, seen):
                self._element(root, offset, adjoint)
                element: Type | None = root.adjoint_cell if adjoint else root.element
                if seen is not None:
                    element = adjoint_value(seen) if adjoint else seen
            case code.ChosenAddress(alternatives, _, tag):
                self._expr(tag)
                for alternative in alternatives:
                    self._argument(alternative, parameter, name)
                return
            case code.AddressOfVariable(variable):
                self._require(variable in self._visible, f"{variable} is passed out of its scope")
                element = variable.type
            case code.ObjectVariable(variable, _, offset):
                self._require(variable in self._visible, f"{variable} is passed out of its scope")
                if offset is not None:
                    self._expr(offset)
                same = parameter is None or scalar_of(parameter) == scalar_of(variable.type)
                self._require(same, f"{name} is given an object of another type")
                return
            case _:
                self._expr(argument, None if parameter is None else strip_reference(parameter), f"what {name} is given")
                return
        if parameter is not None:
            pointer = isinstance(parameter, Pointer | Reference)
            self._require(pointer and scalar_of(parameter) == element, f"{name} is given an address of another type")
