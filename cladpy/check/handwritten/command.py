"""`cladpy check --against`: whether a hand-written backward is right, at searched inputs, on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cladpy.check.command import hold
from cladpy.check.handwritten.adapter import forward_of, names_of
from cladpy.check.handwritten.calls import check_calls
from cladpy.check.handwritten.inputs import Input, Inputs
from cladpy.check.handwritten.referee import Compared, Referee
from cladpy.check.handwritten.report import BackwardReport
from cladpy.check.handwritten.roles import OWN, listed_roles, matched, require
from cladpy.check.handwritten.shrink import shrunken
from cladpy.check.storage import walk
from cladpy.derivative import Derivative
from cladpy.diagnostics import UsageError
from cladpy.ir import surface
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import is_floating
from cladpy.making import made, undifferentiated, whole
from cladpy.options import Options
from cladpy.runtime.order import host_workers
from cladpy.source import Given

# Numbers that a program has are looked at from the first ones on.
_CONSTANTS = 12
Parts = Sequence["int | str"] | None


@dataclass(frozen=True, slots=True)
class Against:
    """The backward, what its parameters are, and how it is launched, if that is not as the forward is."""

    source: Given
    function: str
    roles: Mapping[str, str]
    grid: Parts = None
    block: Parts = None
    shared_mem: int | None = None
    scale: float = 1.0


def against(spelling: str, file: Given) -> tuple[Given, str]:
    """`b.cu:backward` as a file and a function; without a file it is the forward's."""
    path, colon, function = spelling.rpartition(":")
    while colon and path.endswith(":"):  # a name with namespaces
        path, colon, more = path[:-1].rpartition(":")
        function = f"{more}::{function}"
    if not function:
        raise UsageError(f"--against takes FILE:FUNCTION or a function of the same file, not {spelling!r}")
    return (path or file), function


def check_backward(
    forward: str | Callable[..., Any],
    backward: str | Callable[..., Any],
    inputs: Mapping[str, Any],
    roles: Mapping[str, str],
    outputs: Sequence[str],
    launch: Mapping[str, Any],
    scale: float,
    seed: int,
    options: Options,
) -> BackwardReport:
    """`cladpy.check_backward`. Raises UsageError for what is neither two functions nor two names of such."""
    if callable(forward) and callable(backward):
        given_too = [name for name, value in launch.items() if value]
        if given_too:
            raise UsageError(f"{given_too[0]} is for kernels: functions of Python launch theirs themselves")
        return check_calls(forward, backward, inputs, roles, outputs, scale, seed)
    if not (isinstance(forward, str) and isinstance(backward, str)):
        raise UsageError("forward and backward must be two callables, or two strings such as 'f.cu:forward'")
    source, function = against(forward, "")
    if not source:
        raise UsageError(f"forward must be 'FILE:FUNCTION', not {forward!r}")
    other, called = against(backward, source)
    texts = [f"{name}={value}" for name, value in inputs.items() if isinstance(value, str)]
    given = {name: value for name, value in inputs.items() if not isinstance(value, str)}
    texts += [
        f"{name}={value}" for name, value in given.items() if isinstance(value, int)
    ]  # by which sizes are written
    given = {name: value for name, value in given.items() if not isinstance(value, int)}
    grid, block, theirs, of_theirs = (
        _parts(name, launch[name]) for name in ("grid", "block", "against_grid", "against_block")
    )
    shared = launch["shared_mem"], launch["against_shared_mem"]
    handwritten = Against(other, called, roles, theirs, of_theirs, shared[1], scale)
    return check_against(source, function, "", grid, block, texts, seed, options, handwritten, shared[0] or 0, given)


def _parts(name: str, value: Any) -> Parts:
    """A grid or a block: a number, a size written with names, or up to three of them."""
    if value is None:
        return None
    parts = [value] if isinstance(value, int | str) else list(value)
    if not 1 <= len(parts) <= 3 or not all(isinstance(p, int | str) for p in parts):
        raise UsageError(f"{name} must be one to three numbers or sizes such as '(n+31)/32', not {value!r}")
    return parts


def read_map(texts: Sequence[str]) -> dict[str, str]:
    """`--map dx=gradient:x` by the parameter's name. Raises UsageError for what is none."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, what = (part.strip() for part in text.partition("="))
        if not (name and equals and what):
            raise UsageError(f"--map takes PARAM=WHAT such as dx=gradient:x, not {text!r}")
        if name in found:
            raise UsageError(f"--map {name}: given twice")
        found[name] = what
    return found


def check_against(
    source: Given,
    function: str,
    args: str,
    grid: Parts,
    block: Parts,
    settings: Sequence[str],
    seed: int,
    options: Options,
    other: Against,
    shared_mem: int = 0,
    given: Mapping[str, Any] | None = None,
) -> BackwardReport:
    """Compares a backward with our gradient and with the gradient check's witnesses. `given` are values of arguments
    beside the `settings`.

    Raises UsageError for names that do not match and values that do not fit, and what `cladpy.gradient` raises for
    either function.
    """
    options = replace(options, split=False, trace_nonfinite=False, fresh=(), consumed=())
    forward = whole(made(source, function, args, "host", options))
    backward = whole(undifferentiated(other.source, other.function, options))
    of, theirs = forward.derivative, backward.derivative
    for option, kind, where in (("", of.kind, (grid, block)), ("against-", theirs.kind, (other.grid, other.block))):
        _check_launch(option, kind, where, function if not option else other.function, (grid, block))
    names = forward_of(of)
    roles = matched(names, names_of(theirs), other.roles)
    own = _symbols(theirs, [name for name, role in roles.items() if role.kind == OWN])
    set_names = {s.partition("=")[0].strip().partition(".")[0] for s in settings} | set(given or {})
    require(names, other.function, roles, set_names)
    kernel = theirs.kind is FunctionKind.KERNEL
    inputs = Inputs(
        _symbols(of, [p.name for p in of.parameters if p.counts is None]),
        of.globals,
        own,
        settings,
        given or {},
        {
            "--grid": grid,
            "--block": block,
            "--against-grid": (other.grid or grid) if kernel else None,
            "--against-block": (other.block or block) if kernel else None,
        },
        (shared_mem, shared_mem if other.shared_mem is None else other.shared_mem),
        list(dict.fromkeys((*_constants(of), *_constants(theirs))))[:_CONSTANTS],
        seed,
    )
    base = inputs.base()
    referee = Referee(forward, backward, roles, seed, other.scale, hold(forward, base.variables))
    told = BackwardReport(of.function_name, theirs.function_name, listed_roles(roles), 0)
    with host_workers(False), np.errstate(invalid="ignore", over="ignore"):
        return _searched(
            referee, base, inputs, replace(told, names=tuple(p.name for p in of.parameters if p.counts is None))
        )


def _searched(referee: Referee, base: Input, inputs: Inputs, told: BackwardReport) -> BackwardReport:
    runs = referee.runs(base)
    for before in (False, True):  # what is wrong with the forward is not the backward's fault
        runs.run_primal(runs.copies(), {**runs.variables}, before=before)
    found = referee.compare(base)
    notes: list[str] = []
    if found is None:
        raise UsageError(
            f"'{told.forward}' has no finite values and derivatives at what is set: there is nothing to compare with"
        )
    if isinstance(found, Compared):
        factor = found.factor()
        if found.suspects and factor is not None and factor != 1:
            if found.arrays() > 1:  # all of several: the cotangent is counted in other units
                referee.scale *= factor
                found = referee.compare(base)
            else:
                notes.append(f"it is {factor:.6g} times the derivative: where that is meant, say --scale {factor:.6g}")
    wrong = next(filter(None, map(referee.wrong, inputs.all())), None) or referee.wrong(base)
    if wrong is not None:
        wrong = shrunken(wrong, referee.wrong)
    told = replace(told, wrong=wrong, inputs=referee.compared, conventions=tuple(referee.conventions.values()))
    told = replace(told, factor=referee.scale)
    if isinstance(found, Compared):
        order, bits = referee.depends_on_order(base, found)
        race, unknown = referee.races(base, found)
        notes += [f"races were not looked for: {unknown}"] if unknown else []
        notes += ["the last bits depend on the order of threads"] if bits and not order else []
        notes += [] if wrong else referee.writes(base, found)
        check = None if wrong is not None or order else referee.check(base, found)
        told = replace(told, order=order, race=race, check=check)
    return replace(told, notes=tuple(notes))


def _check_launch(
    option: str, kind: FunctionKind, at: tuple[Parts, Parts], name: str, known: tuple[Parts, Parts]
) -> None:
    kernel = kind is FunctionKind.KERNEL
    there = [mine or (forward if option else None) for mine, forward in zip(at, known, strict=True)]
    if kernel and None in there:
        raise UsageError(f"'{name}' is a kernel: give --{option}grid and --{option}block")
    if not kernel and any(at):
        raise UsageError(f"'{name}' is not a kernel: --{option}grid and --{option}block make no sense for it")


def _symbols(derivative: Derivative, names: Sequence[str]) -> list[Symbol]:
    function = derivative.program.functions[derivative.program.entry]
    return [p for p in function.parameters if p.name in names]


def _constants(derivative: Derivative) -> Iterable[float]:
    """The floating-point numbers in a program's text."""
    for function in derivative.program.functions.values():
        for node in walk(function.body):
            if isinstance(node, surface.Literal) and is_floating(node.type) and 1e-4 < abs(node.value) < 1e3:
                yield abs(float(node.value))
