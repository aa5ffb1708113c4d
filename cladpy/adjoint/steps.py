"""Steps of a host program in generated code: what is allocated, copied, filled and launched, forward and in reverse."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from cladpy.adjoint.arguments import Environment, address, argument, beginning
from cladpy.adjoint.overlaps import Overlap, overlap
from cladpy.adjoint.plan import LaunchInTwo, PullbackReference, RenewingLaunch
from cladpy.adjoint.renewal import of_launch
from cladpy.analysis.activity import Activity
from cladpy.ir import code, core, host
from cladpy.ir.code import Verb
from cladpy.ir.fold import binary, cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.reach import memory_in, memory_written
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, LONG, ULONG, Struct, Type, numbers_of, runs_of, size_of, spell
from cladpy.ir.walk import map_operands, substitute

Out = list[code.Statement]
_NOT_NUMBERS = code.Address | code.ChosenAddress | code.AddressOfVariable | code.ObjectVariable
_NO_NUMBERS = core.MEMORY | core.ObjectArgument | core.ViewArgument


def is_launch(call: core.Call) -> bool:
    return call.callee.kind is FunctionKind.KERNEL


def is_step(call: core.Call) -> bool:
    """Whether a call is made by a host program's run-time state."""
    return is_launch(call) or call.callee in host.STEPS


def acquire(statement: core.Acquire, root: core.Root, env: Environment) -> code.Act:
    size = substitute(statement.bytes, env)
    if statement.variable is not None:
        return code.Act(Verb.LOCATE, statement.variable.name, pointer=root, arguments=(size,), span=statement.span)
    return code.Act(Verb.ACQUIRE, pointer=root, zeroed=statement.zeroed, arguments=(size,), span=statement.span)


def forward_step(
    call: core.Call, env: Environment, out: Out, result: core.Value | None = None, *, again: bool = False
) -> code.Act:
    """What the original does; `result` is the variable for a number that is fetched, `again` says that a launch may be
    made once more."""
    taken = call.arguments[: len(call.callee.parameters)] if is_launch(call) else call.arguments  # without variables
    given: tuple[code.Passed, ...] = tuple(argument(a, env, out) for a in taken)
    outputs = () if result is None else (result,)
    if result is not None:
        given = (code.AddressOfVariable(result), *given)
    return code.Act(
        Verb.LAUNCH if is_launch(call) else Verb.STEP,
        call.callee.name,
        arguments=given,
        outputs=outputs,
        saved=tuple(beginning(m, env) for m in memory_written(call)),
        again=again,
        launch=_configuration(call, env),
        callee=call.callee,
        span=call.span,
    )


def may_keep(call: core.Call, in_two: LaunchInTwo, env: Environment, out: Out) -> code.Act:
    """Says how a launch's pullback can do without what memory holds now."""
    given = tuple(argument(a, env, out) for a in call.arguments[: len(call.callee.parameters)])
    return code.Act(
        Verb.MAY_KEEP,
        in_two.keep,
        arguments=given,
        saved=tuple(beginning(m, env) for i in sorted(in_two.unread) for m in memory_in(call.arguments[i])),
        kept=in_two.types,
        launch=_configuration(call, env),
        callee=call.callee,
        span=call.span,
    )


def custom_step(
    call: core.Call,
    given: tuple[code.Passed, ...],
    results: list[core.Value],
    objects: list[core.Value],
    env: Environment,
) -> code.Act:
    """A function of the user's that writes memory; `results` has the variable for what it returns, `objects` those that
    it changes."""
    return code.Act(
        Verb.CALL,
        call.callee.name,
        arguments=(*(code.AddressOfVariable(v) for v in results), *given),
        outputs=(*results, *objects),
        saved=tuple(beginning(m, env) for m in memory_written(call)),
        callee=call.callee,
        span=call.span,
    )


def distinct(call: core.Call, env: Environment) -> list[code.Statement]:
    """The pullback of a user's function counts on it that what the function writes is not given to it twice. Where that
    is told by offsets, or chosen, it is looked at when the program runs."""
    given = sorted(
        ((i in call.writes, memory) for i, a in enumerate(call.arguments) for memory in memory_in(a)),
        key=lambda pair: not pair[0],
    )
    roots = [{a.root.memory for a in _alternatives(memory)} for _, memory in given]
    written = sum(writes for writes, _ in given)
    if all(roots[i].isdisjoint(roots[j]) for i in range(written) for j in range(i + 1, len(roots))):
        return []
    pointers = tuple(address(memory, env) for _, memory in given)
    return [code.Act(Verb.DISTINCT, call.callee.name, arguments=pointers, written=written, span=call.span)]


def pullback_of_launch(
    call: core.Call,
    pullback: PullbackReference,
    given: tuple[code.Passed, ...],
    outputs: tuple[core.Value, ...],
    in_two: LaunchInTwo | None,
    env: Environment,
) -> code.Act:
    return code.Act(
        Verb.PULLBACK,
        pullback.name,
        kept=() if in_two is None else in_two.types,
        from_kept="" if in_two is None else in_two.reverse,
        arguments=given,
        outputs=outputs,
        saved=_chosen_apart(call, pullback.adjoints, env),
        written=len(_apart_from_all(call, pullback.adjoints)),
        counted=pullback.counted,
        launch=_configuration(call, env),
        callee=call.callee,
        span=call.span,
    )


def renewing_pullback(
    call: core.Call,
    ordinary: code.Act,
    active: tuple[int, ...],
    launch: RenewingLaunch,
    in_two: LaunchInTwo | None,
    env: Environment,
) -> list[code.Statement]:
    """The pullback of a launch, which may find cotangents that the one before has left, and leave them itself."""
    assert ordinary.launch is not None
    given = ordinary.arguments
    numbers = {v: e for v, i in launch.values.items() if not isinstance(e := given[i], _NOT_NUMBERS)}
    condition = core.Const(True, BOOL) if launch.condition is None else launch.condition
    told = (numbers[v] for v, i in launch.values.items() if i in launch.key)
    key = (*ordinary.launch.grid, *ordinary.launch.block, *told)
    read, stored = ([call.arguments[i] for i in side] for side in zip(*launch.pairs, strict=True))
    renews = core.Value("_renews", BOOL)
    asked = code.Act(
        Verb.RENEW,
        launch.clear,
        arguments=(
            code.AddressOfVariable(renews),
            of_launch(condition, numbers, ordinary.launch),
            *(cast(k, LONG) for k in key),
            *given,
        ),
        outputs=(renews,),
        saved=tuple(address(m, env, adjoint=True) for m in (*read, *stored) if isinstance(m, core.MEMORY)),
        written=len(key),
        kept=ordinary.kept if in_two is not None and not in_two.renewing else (),
        gathers=ordinary.name if launch.gathers else "",
        launch=ordinary.launch,
        callee=call.callee,
        span=call.span,
    )
    other = replace(
        ordinary,
        name=launch.name or ordinary.name,
        gathers=ordinary.name if launch.gathers else "",
        from_kept="" if in_two is None else in_two.renewing,
    )
    define = code.Define(renews, core.Const(False, BOOL), mutable=True, span=call.span)
    return [define, asked, code.Branch(core.Use(renews), (other,), (ordinary,))]


def _apart_from_all(call: core.Call, active: Collection[int]) -> list[core.MEMORY]:
    """The memory that a kernel must not be given twice: what it writes, and what has an adjoint, unless its gradient
    knows that it is."""
    writes = list(memory_written(call))
    known = overlap(call, active)
    if known is Overlap.WRITTEN:
        return []
    reads = (m for i in sorted(active) for m in memory_in(call.arguments[i])) if known is Overlap.NONE else ()
    return [*writes, *(m for m in reads if all(m is not w for w in writes))]


def _chosen_apart(call: core.Call, active: Collection[int], env: Environment) -> tuple[code.Passed, ...]:
    """What a kernel is given, that which must be apart first, if it is chosen at run time whether that is memory given
    twice."""
    every = [memory for a in call.arguments for memory in memory_in(a)]
    first = _apart_from_all(call, active)
    if not any(isinstance(memory, core.ChosenArgument) for memory in every):
        return ()
    ordered = [*first, *(m for m in every if all(m is not f for f in first))]
    roots = [{a.root for a in _alternatives(memory)} for memory in ordered]
    may_meet = any(roots[i] & roots[j] for i in range(len(first)) for j in range(len(roots)) if i != j)
    return tuple(beginning(memory, env) for memory in ordered) if may_meet else ()


def _alternatives(memory: core.MEMORY) -> tuple[core.PointerArgument, ...]:
    return memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,)


def reverse_step(
    call: core.Call,
    activity: Activity,
    adjoints: Mapping[core.Value, core.Value],
    env: Environment,
    out: Out,
) -> tuple[code.Act | None, list[tuple[core.Expr, core.Value]]]:
    """The pullback of a step, and what it contributes to the adjoints of numbers."""
    memory = call.arguments[0]
    assert isinstance(memory, core.MEMORY)
    if not activity.argument(memory):
        return None, []
    to = address(memory, env, adjoint=True)
    rest = tuple(substitute(a, env) for a in call.arguments if not isinstance(a, _NO_NUMBERS))
    if call.callee is host.FETCH:
        adjoint = adjoints.get(call.outputs[0].value)
        given: tuple[code.Passed, ...] = () if adjoint is None else (to, core.Use(adjoint))
        return (_reverse("add", given, call, env) if given else None), []
    if call.callee is host.PUT:
        taken = core.Value("_r", adjoint_value(_element(memory)))
        out.append(code.Define(taken, core.Const(0.0, taken.type), mutable=True, span=call.span))
        act = _reverse("take", (code.AddressOfVariable(taken), to), call, env, (taken,))
        number = call.arguments[1]
        assert not isinstance(number, _NO_NUMBERS)
        return act, [(number, taken)]
    element = _element(memory)
    size = core.Const(size_of(element), ULONG)
    name = spell(adjoint_value(element))

    def numbers(bytes: core.Expr) -> core.Expr:
        return binary(BinaryOp.DIV, bytes, size, ULONG)

    source = call.arguments[1]
    if call.callee is host.COPY_ROWS:
        source = call.arguments[2]
    back = address(source, env, adjoint=True) if isinstance(source, core.MEMORY) and activity.argument(source) else None
    sizes: tuple[code.Passed, ...]
    match call.callee:
        case host.COPY if back is not None:
            if isinstance(element, Struct):
                return _reverse(f"copy_objects_pullback<{_numbers_in(element)}>", (to, back, rest[0]), call, env), []
            return _reverse(f"copy_pullback<{name}>", (to, back, numbers(rest[0])), call, env), []
        case host.COPY_ROWS if back is not None:
            sizes = (numbers(rest[0]), back, numbers(rest[1]), numbers(rest[2]), rest[3])
            return _reverse(f"copy_rows_pullback<{name}>", (to, *sizes), call, env), []
        case host.COPY:
            return _reverse(f"clear<{name}>", (to, numbers(rest[0])), call, env), []
        case host.FILL:
            return _reverse(f"clear<{name}>", (to, numbers(rest[1])), call, env), []
        case host.COPY_ROWS:
            sizes = (numbers(rest[0]), numbers(rest[2]), rest[3])
            return _reverse(f"clear_rows<{name}>", (to, *sizes), call, env), []
        case _:
            sizes = (numbers(rest[0]), numbers(rest[2]), rest[3])
            return _reverse(f"clear_rows<{name}>", (to, *sizes), call, env), []


def _reverse(
    name: str,
    given: tuple[code.Passed, ...],
    call: core.Call,
    env: Environment,
    outputs: tuple[core.Value, ...] = (),
) -> code.Act:
    launch = _configuration(call, env)
    return code.Act(Verb.REVERSE, name, arguments=given, outputs=outputs, launch=launch, span=call.span)


def _configuration(call: core.Call, env: Environment) -> core.Configuration | None:
    return None if call.launch is None else map_operands(call.launch, lambda e: substitute(e, env))


def _numbers_in(type: Struct) -> str:
    """A class of `<cladpy/program.h>` whose objects are added number by number."""
    runs = runs_of(type)
    assert runs is not None
    parts = (f"cladpy::numbers<{spell(r.type)}, {r.offset}, {r.count}>" for r in runs)
    return f"cladpy::numbers_of<{', '.join([spell(type), *parts])}>"


def _element(memory: core.MEMORY) -> Type:
    """The numbers that memory is made of; of objects, those of all members, where these have one type."""
    root = memory.root if isinstance(memory, core.PointerArgument) else memory.alternatives[0].root
    return numbers_of(root.element) or root.element
