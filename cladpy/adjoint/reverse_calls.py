"""Calls in the reverse sweep: pullbacks of functions and launches, and what is left to do of other steps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cladpy.adjoint import steps
from cladpy.adjoint.arguments import address, argument
from cladpy.adjoint.forward_calls import exact_arguments
from cladpy.adjoint.plan import PullbackReference
from cladpy.adjoint.scope import Env, Out
from cladpy.ir import code, core
from cladpy.ir.customs import adjoint_type
from cladpy.ir.fold import zero
from cladpy.ir.halves import FLOAT2, adjoint_value
from cladpy.ir.types import VOID, Array, Pointer, Scalar, Struct, Type, scalar_of
from cladpy.ir.walk import substitute

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep


def reverse_step(sweep: Sweep, call: core.Call, env: Env, out: Out) -> None:
    """What a step overwrote is there again when its pullback runs."""
    if call in sweep.needs.stores and call.writes:
        out.append(code.Act(code.Verb.RESTORE))
    if steps.is_launch(call):
        reverse_call(sweep, call, env, out)
        return
    act, contributions = steps.reverse_step(call, sweep.activity, sweep.adjoints.adjoint, env, out)
    if act is not None:
        out.append(act)
    for expr, variable in contributions:
        sweep.adjoints.propagate(expr, core.Use(variable), env, out, call.span)


def reverse_call(sweep: Sweep, statement: core.Call, env: Env, out: Out) -> None:
    """Calls the pullback of a function that was not inlined. It finds memory as the function did."""
    put_back(sweep, statement, out)
    active = sweep.activity.positions(statement)
    if not active:
        return
    pullback = sweep.plan.pullback(statement, active)
    first = len(statement.callee.parameters) if steps.is_launch(statement) else len(statement.arguments)
    arguments: list[code.Passed] = [argument(a, env, out) for a in exact_arguments(sweep, statement)[:first]]
    arguments += [env[v] for v in statement.states]
    if isinstance(statement.callee.result, Struct):
        cotangent = adjoint_object(sweep, statement, None, adjoint_value(statement.callee.result), out)
        arguments.append(code.ObjectVariable(cotangent, core.Passing.VALUE))
    else:
        for o in statement.returned if pullback.seeded else ():
            adjoint = sweep.adjoints.adjoint.get(o.value)
            arguments.append(zero(adjoint_value(o.value.type)) if adjoint is None else core.Use(adjoint))
    outputs: list[tuple[core.Expr, core.Value]] = []
    objects: list[tuple[core.ObjectArgument, core.Value]] = []
    written: list[core.Value] = []
    for i in (i for i in pullback.adjoints if i < first):
        a = statement.arguments[i]
        numbers = isinstance(a, core.ObjectArgument) and isinstance(a.type, Array)
        null = isinstance(a, core.Const) and isinstance(a.type, Pointer)
        if null or (numbers and statement.custom and i not in active):  # as memory that nobody asks for
            arguments.append(core.Const(0, adjoint_type(statement.callee.parameters[i])))
            continue
        if isinstance(a, core.ObjectArgument):
            object = adjoint_object(sweep, statement, i, adjoint_value(a.type), out)
            objects.append((a, object))
            written.append(object)
            at = None if a.offset is None else substitute(a.offset, env)
            arguments.append(code.ObjectVariable(object, core.Passing.POINTER, at))
            continue
        if isinstance(a, core.ViewArgument):
            arguments.append(adjoint_view(sweep, a, env, out))
            continue
        if isinstance(a, core.MEMORY):
            if sweep.activity.argument(a):
                arguments.append(address(a, env, adjoint=True))
            else:  # a custom derivative that has an adjoint for every argument
                root = a.alternatives[0].root if isinstance(a, core.ChosenArgument) else a.root
                arguments.append(core.Const(0, Pointer(root.adjoint_cell)))
            continue
        variable = core.Value("_r", adjoint_value(a.type))
        out.append(code.Define(variable, zero(variable.type), mutable=True))
        outputs.append((a, variable))
        written.append(variable)
        arguments.append(code.AddressOfVariable(variable))
    objects += besides(sweep, statement, pullback, arguments, outputs, written, out)
    for i in (i for i in pullback.adjoints if i >= first):  # variables that a kernel names
        passed = statement.arguments[i]
        assert isinstance(passed, core.MEMORY)
        arguments.append(address(passed, env, adjoint=True))
    storage = sweep.storage if pullback.storage else ""
    given = tuple(arguments)
    if steps.is_launch(statement):
        in_two = sweep.plan.kept_values(statement, active)
        act = steps.pullback_of_launch(statement, pullback, given, tuple(written), in_two, env)
        renewing = sweep.plan.renewing(statement, active)
        if renewing is None:
            out.append(act)
        else:
            out += steps.renewing_pullback(statement, act, active, renewing, in_two, env)
    else:
        out += steps.distinct(statement, env) if statement.custom else []
        out.append(code.CallPullback(pullback.name, given, tuple(written), storage, origin=statement.span))
        if sweep.adjoints.tracing is not None:
            out += sweep.adjoints.tracing.called(statement, outputs, sweep.adjoints.adjoint, env)
    for a, object in objects:
        for leaf in a.leaves:
            if sweep.activity.expr(leaf.expr):
                variable = core.Value("_r", adjoint_value(leaf.expr.type))
                memory = _adjoint_memory(object.type, leaf.memory)
                out.append(code.Define(variable, code.MemberOf(object, leaf.member, True, memory)))
                outputs.append((leaf.expr, variable))
    for expr, variable in outputs:
        sweep.adjoints.propagate(expr, core.Use(variable), env, out, statement.span)


def put_back(sweep: Sweep, call: core.Call, out: Out) -> None:
    """What a call has overwritten."""
    if call in sweep.logged:
        out.append(code.Undo(sweep.logged[call]))
    if call.custom and call.writes and call in sweep.needs.stores:
        out.append(code.Act(code.Verb.RESTORE))


def adjoint_view(sweep: Sweep, argument: core.ViewArgument, env: Env, out: Out) -> code.ObjectVariable:
    """An object of the same class, whose pointers lead to adjoints, or nowhere."""
    variable = core.Value("_d_object", argument.type)
    led = tuple(
        (text, address(memory, env, adjoint=True))
        for text, memory in argument.pointers
        if sweep.activity.argument(memory)
    )
    out.append(code.DeclareObject(variable, (), pointers=led))
    return code.ObjectVariable(variable, core.Passing.VALUE)


def check_view(sweep: Sweep, call: core.Call, view: core.ViewArgument, covered: set[str]) -> None:
    """Every number beside pointers that matters has an adjoint parameter."""
    active = [leaf for leaf in view.leaves if sweep.activity.expr(leaf.expr)]
    lost = [leaf for leaf in active if not any(_is_in(leaf.member, member) for member in covered)]
    if lost:
        sweep.adjoints.sink.error(
            "CP0248",
            f"a derivative passes through '{lost[0].member.removeprefix('{b}.')}', beside pointers in an object, "
            "which has no adjoint of its own",
            call.span,
            hint="pass the number by itself",
        )


def _is_in(leaf: str, member: str) -> bool:
    """Whether a number is a member, or in it."""
    return leaf == member or (bool(member) and leaf.startswith((f"{member}.", f"{member}[")))


def besides(
    sweep: Sweep,
    call: core.Call,
    pullback: PullbackReference,
    arguments: list[code.Passed],
    outputs: list[tuple[core.Expr, core.Value]],
    written: list[core.Value],
    out: Out,
) -> list[tuple[core.ObjectArgument, core.Value]]:
    """The adjoints of what lies beside pointers have parameters of their own. Gives the arrays and objects among them,
    with the variables that hold their adjoints."""
    for position in pullback.adjoints:
        view = call.arguments[position]
        if isinstance(view, core.ViewArgument):
            check_view(sweep, call, view, {m for p, m, _ in pullback.besides if p == position})
    objects: list[tuple[core.ObjectArgument, core.Value]] = []
    for position, member, type in pullback.besides:
        view = call.arguments[position]
        assert isinstance(view, core.ViewArgument)
        inside = [leaf for leaf in view.leaves if _is_in(leaf.member, member) and sweep.activity.expr(leaf.expr)]
        if isinstance(type, Scalar) or not inside:
            beside(inside, arguments, outputs, written, out)
            continue
        assert isinstance(type, Struct | Array)
        object = core.Value("_d_object", adjoint_value(type))
        out.append(code.DeclareObject(object, ()))
        written.append(object)
        arguments.append(code.ObjectVariable(object, core.Passing.POINTER))
        within = tuple(replace(leaf, member=leaf.member.replace(member, "{b}", 1)) for leaf in inside)
        objects.append((core.ObjectArgument(type, within, core.Passing.POINTER), object))
    return objects


def beside(
    inside: list[core.Leaf],
    arguments: list[code.Passed],
    outputs: list[tuple[core.Expr, core.Value]],
    written: list[core.Value],
    out: Out,
) -> None:
    """The adjoint of a number beside pointers has a parameter of its own; it is null where nobody asks."""
    if not inside:
        arguments.append(core.Const(0, Pointer(VOID)))
        return
    variable = core.Value("_r", adjoint_value(inside[0].expr.type))
    out.append(code.Define(variable, zero(variable.type), mutable=True))
    outputs.append((inside[0].expr, variable))
    written.append(variable)
    arguments.append(code.AddressOfVariable(variable))


def adjoint_object(sweep: Sweep, call: core.Call, argument: int | None, type: Type, out: Out) -> core.Value:
    """The adjoint of what a call returns, or of an object that it is given: it holds what is known of it after the
    call."""
    adjoint = sweep.adjoints.adjoint
    leaves = tuple(
        core.Leaf(core.Use(adjoint[o.value]), o.member, _adjoint_memory(type, o.value.type))
        for o in call.outputs
        if o.argument == argument and o.value in adjoint
    )
    variable = core.Value("_d_object", type)
    out.append(code.DeclareObject(variable, leaves))
    return variable


def _adjoint_memory(whole: Type, member: Type) -> Type:
    """The type of a number in the adjoint of an object or an array: a class of the user's has it as it is."""
    return member if isinstance(scalar_of(whole), Struct) and scalar_of(whole) != FLOAT2 else adjoint_value(member)
