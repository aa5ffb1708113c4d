"""Calls in the forward sweep: functions, steps of a host program, and forward halves of custom derivatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cladpy.adjoint import steps
from cladpy.adjoint.arguments import address, argument, beginning
from cladpy.adjoint.plan import ForwardReference
from cladpy.adjoint.scope import Env, Out
from cladpy.ir import code, core
from cladpy.ir.exact import exactly
from cladpy.ir.fold import zero
from cladpy.ir.reach import memory_in
from cladpy.ir.types import Struct
from cladpy.ir.walk import defined, map_operands

if TYPE_CHECKING:
    from cladpy.adjoint.sweep import Sweep


def forward_any_call(sweep: Sweep, call: core.Call, env: Env, out: Out, fresh: set[core.Root] | None) -> None:
    if call.custom and fresh is None:
        announce(sweep, call, env, out)
    if call.forward is not None:
        forward_half(sweep, call, call.forward, env, out)
    elif steps.is_step(call):
        forward_step(sweep, call, env, out, fresh)
    elif call.custom and call.writes:
        if sweep.is_made(call, env, fresh):
            forward_custom(sweep, call, env, out)
    elif sweep.is_made(call, env, fresh):
        forward_call(sweep, call, env, out)
        tell_stored(sweep, call, out)


def forward_step(sweep: Sweep, call: core.Call, env: Env, out: Out, fresh: set[core.Root] | None) -> None:
    """A launch, a copy and the like: made in the first pass, if anything depends on it."""
    if call.outputs:
        if sweep.is_made(call, env, fresh):
            value = call.outputs[0].value
            variable = core.Value(value.name, value.type)
            out.append(code.Define(variable, zero(value.type), mutable=True, span=call.span))
            out.append(steps.forward_step(call, env, out, variable))
            sweep.name_output(value, variable, env, out)
        return
    if fresh is not None:
        return
    if call.launch is not None and steps.is_launch(call):
        announce(sweep, call, env, out)
    if call in sweep.needs.stores:
        replays = sweep.plan.replays
        if replays is not None:
            kept = (a for a in call.arguments if not steps.is_launch(call) and replays.by_host(a, sweep.function))
            given = tuple(address(m, env) for a in kept for m in memory_in(a))
            if given:
                out.append(code.Act(code.Verb.BY_HOST, arguments=given, span=call.span))
        again = replays is not None and steps.is_launch(call) and sweep.plan.repeatable(call)
        out.append(steps.forward_step(call, env, out, again=again))


def tell_stored(sweep: Sweep, statement: core.Store | core.Call, out: Out) -> None:
    """Steps before and after what host code stores to the memory of kernels are not made again together."""
    replays = sweep.plan.replays
    if replays is not None and replays.is_seen(statement, sweep.function):
        out.append(code.Act(code.Verb.STORED, span=statement.span))


def announce(sweep: Sweep, call: core.Call, env: Env, out: Out) -> None:
    """Says what memory the pullback will compute with, before anything overwrites that."""
    active = sweep.activity.positions(call)
    reads = sweep.plan.pullback(call, active).reads if active else frozenset()
    in_two = sweep.plan.kept_values(call, active) if active and steps.is_launch(call) else None
    unread = frozenset() if in_two is None else in_two.unread
    given = tuple(beginning(m, env) for i in sorted(reads - unread) for m in memory_in(call.arguments[i]))
    if given:
        out.append(code.Act(code.Verb.WILL_READ, arguments=given, span=call.span))
    if in_two is not None:
        out.append(steps.may_keep(call, in_two, env, out))


def forward_custom(sweep: Sweep, call: core.Call, env: Env, out: Out) -> None:
    """A host function of the user's that writes memory; what it leaves in numbers and objects is taken apart."""
    returned = [o for o in call.returned if o.value in sweep.needs.values]
    results = [core.Value(o.value.name, o.value.type) for o in returned]
    out += [code.Define(v, zero(v.type), mutable=True, span=call.span) for v in results]
    given = [argument(a, env, out) for a in call.arguments]
    changed = {o.argument for o in call.outputs if o.argument is not None}
    objects = [g.variable for i, g in enumerate(given) if i in changed and isinstance(g, code.ObjectVariable)]
    out.append(steps.custom_step(call, tuple(given), results, objects, env))
    _take_apart(sweep, call, zip(returned, results, strict=True), given, env, out)


def forward_call(sweep: Sweep, call: core.Call, env: Env, out: Out) -> None:
    """Calls the original function, or one that does the same and can be undone, and takes apart what it gives."""
    exact = sweep.plan.forward(call)
    if exact is not None:
        forward_exactly(sweep, call, exact, env, out)
        return
    given = [argument(a, env, out) for a in call.arguments]
    constructs = [a.type for a in call.arguments if isinstance(a, core.ObjectArgument) and _makes(a)]
    passed = tuple(g for g, a in zip(given, call.arguments, strict=True) if not _makes(a))
    makes = constructs[0] if constructs and isinstance(constructs[0], Struct) else None
    user = code.UserCall(call.callee, passed, makes)
    changed = {o.argument for o in call.outputs if o.argument is not None and makes is None}
    returned = call.outputs if makes is not None else call.returned
    whole: core.Value | None = None
    if makes is not None or isinstance(call.callee.result, Struct):
        whole = core.Value(call.callee.name + "_", makes or call.callee.result)
    elif call.returned and not changed:
        sweep.define(call.returned[0].value, user, env, out, call)
        return
    elif call.returned:
        whole = core.Value(call.callee.name + "_", call.callee.result)
    if changed:
        objects = [g for i, g in enumerate(given) if i in changed]
        variables = tuple(g.variable for g in objects if isinstance(g, code.ObjectVariable))
        out.append(code.Invoke(user, variables, whole))
    else:
        assert whole is not None  # a call that gives nothing is not made
        out.append(code.Define(whole, user, span=call.span))
    for o in call.outputs:
        if o in returned and whole is not None:
            init: code.Initializer = core.Use(whole)
            if o.member:
                init = code.MemberOf(whole, o.member, False, o.value.type)
        else:
            object = given[o.argument or 0]
            assert isinstance(object, code.ObjectVariable)
            init = code.MemberOf(object.variable, o.member, True, o.value.type)
        sweep.define(o.value, init, env, out, call)


def forward_exactly(sweep: Sweep, call: core.Call, function: ForwardReference, env: Env, out: Out) -> None:
    """Calls a generated function instead of the original."""
    results = [core.Value(o.value.name, o.value.type) for o in call.returned]
    out += [code.Define(v, zero(v.type), mutable=True, span=call.span) for v in results]
    given = [argument(a, env, out) for a in exact_arguments(sweep, call)]
    changed = {o.argument for o in call.outputs if o.argument is not None}
    objects = [g.variable for i, g in enumerate(given) if i in changed and isinstance(g, code.ObjectVariable)]
    undone: code.Frame | None = None
    if call.writes and sweep.storage == code.TAPE:
        undone = sweep.logged[call] = code.Frame()
    arguments = (*given, *(code.AddressOfVariable(v) for v in results))
    storage = sweep.storage if function.storage else ""
    outputs = (*objects, *results)
    dropped = bool(storage) and not call.writes
    copies = tuple(objects) if storage and call.writes else ()
    out.append(code.CallPullback(function.name, arguments, outputs, storage, undone, copies, dropped))
    _take_apart(sweep, call, zip(call.returned, results, strict=True), given, env, out)


def _take_apart(
    sweep: Sweep,
    call: core.Call,
    results: Iterable[tuple[core.Output, core.Value]],
    given: Sequence[code.Passed],
    env: Env,
    out: Out,
) -> None:
    """Names what a call has left in variables, and in members of objects that it was given."""
    for o, result in results:
        sweep.name_output(o.value, result, env, out)
    for o in call.outputs:
        if o.argument is not None:
            object = given[o.argument]
            assert isinstance(object, code.ObjectVariable)
            sweep.define(o.value, code.MemberOf(object.variable, o.member, True, o.value.type), env, out, call)


def exact_arguments(sweep: Sweep, call: core.Call) -> tuple[core.Argument, ...]:
    """The arguments of a call; those of a function that must do the same again are exact."""
    again = sweep.plan.forward(call) is not None
    exact = map_operands(call, exactly) if again else call
    assert isinstance(exact, core.Call)
    return exact.arguments


def forward_half(sweep: Sweep, call: core.Call, name: str, env: Env, out: Out) -> None:
    """Calls the user's function that computes a result with what the pullback needs of it, unless that was kept."""
    needed = [v for v in defined(call) if v in sweep.needs.values]
    if needed and all(v in env for v in needed):
        return
    variables = [core.Value(v.name, v.type) for v in defined(call)]
    out += [code.Define(v, zero(v.type), mutable=True, span=call.span) for v in variables]
    given = [argument(a, env, out) for a in call.arguments]
    places = [code.AddressOfVariable(v) for v in variables]
    out.append(code.CallPullback(name, (*given, *places), tuple(variables)))
    for value, variable in zip(defined(call), variables, strict=True):
        sweep.name_output(value, variable, env, out)


def _makes(argument: core.Argument) -> bool:
    return isinstance(argument, core.ObjectArgument) and argument.passing is core.Passing.MADE
