"""A forward and a backward that are called from Python: functions of an extension, or of anything. Of these there is no
source, so that differences of the forward are the only witness."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, Tree, copy_of
from cladpy.check.by_element import ByElement
from cladpy.check.differences import DOUBLE as DOUBLES
from cladpy.check.differences import FLOAT as FLOATS
from cladpy.check.differences import HALF as HALVES
from cladpy.check.elements import Elements
from cladpy.check.functional import Functional
from cladpy.check.gradient_check import ELEMENTS
from cladpy.check.handwritten.adapter import Launch
from cladpy.check.handwritten.inputs import FILLS, Input
from cladpy.check.handwritten.referee import Wrong, ends_finite
from cladpy.check.handwritten.report import BackwardReport
from cladpy.check.handwritten.roles import (
    BEFORE,
    COTANGENT,
    GRADIENT,
    INOUT,
    OWN,
    RETURN,
    Forward,
    Role,
    listed_roles,
    matched,
    meant,
    require,
)
from cladpy.check.handwritten.shrink import shrunken
from cladpy.check.oracle import TangentResult
from cladpy.check.report import CheckReport, Examined
from cladpy.check.runs import Runs
from cladpy.check.sharing import Sharing
from cladpy.diagnostics import NOWHERE, BackendError, UsageError
from cladpy.ir.symbols import Role as Kind
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import DOUBLE, FLOAT, HALF, Pointer

_TYPES = {"e": HALF, "f": FLOAT, "d": DOUBLE}
_PRECISIONS = {"e": HALVES, "f": FLOATS, "d": DOUBLES}
_ONLY = "out"  # what a single output is called


class Calls(Runs):
    """Runs of a forward that is called: its inputs and its outputs are what a kernel's arguments are."""

    def __init__(
        self, forward: Callable[..., Any], inputs: Mapping[str, Any], outputs: Sequence[str], seed: int
    ) -> None:
        """`outputs` are the names of what it gives, in order; empty where it gives one thing, or a dict."""
        self._forward, self._given, self._outputs = forward, dict(inputs), outputs
        moving = {name: found for name, value in inputs.items() if (found := _numbers(value)) is not None}
        if not moving:
            raise UsageError("inputs: there is no floating-point array or number among them")
        made = self._named(self._called(moving))
        self._made = {name: value for name, value in made.items() if _numbers(value) is not None}
        both = {name for name in self._made if name in inputs}
        if both:
            raise UsageError(f"the forward gives {_listed(both)}, and takes it: call the outputs otherwise")
        started = {name: np.zeros_like(_numbers(value)) for name, value in self._made.items()}
        arrays: dict[str, Array] = {**moving, **started}
        self.saved = {name: value for name, value in made.items() if name not in self._made}
        self.types = {name: Pointer(_TYPES[array.dtype.char]) for name, array in arrays.items()}
        self.parameters = tuple(Symbol(name, type, Kind.PARAMETER, NOWHERE) for name, type in self.types.items())
        self.args = list(arrays.values())
        self.named = list(self.parameters)
        self.fresh, self.consumed = frozenset(moving), frozenset(started)
        self.variables, self.variable_types, self.constants = {}, {}, set()
        self.sharing, self.result, self.kernel, self.seed = Sharing(), None, False, seed
        self.rng = np.random.default_rng(seed)
        self.cotangents = self.random(self.types, zero=self.fresh)

    def seed_by(self, roles: Mapping[str, Role]) -> None:
        """Only what the backward is given a cotangent of has one."""
        given = {role.of for role in roles.values() if role.kind in (COTANGENT, INOUT)}
        self.fresh |= self._made.keys() - given
        for name in self.fresh:
            self.cotangents[name][...] = 0

    def _called(self, arrays: Mapping[str, Array]) -> Any:
        given = {n: _like(v, arrays[n]) if n in arrays else copy_of(v) for n, v in self._given.items()}
        try:
            with np.errstate(all="ignore"):
                return self._forward(*given.values())
        except Exception as error:
            raise BackendError(f"the forward fails: {type(error).__name__}: {error}") from error

    def _named(self, made: Any) -> dict[str, Any]:
        if isinstance(made, Mapping):
            return dict(made)
        values = list(made) if isinstance(made, list | tuple) else [made]
        names = self._outputs or ([_ONLY] if len(values) == 1 else [])
        if len(names) != len(values):
            raise UsageError(f"the forward gives {len(values)} things: say their names with outputs=[...]")
        return dict(zip(names, values, strict=True))

    def run_primal(
        self, arrays: list[Tree], variables: dict[str, Tree], *, before: bool = False, order: str = "forward"
    ) -> Any:
        """The forward, whose outputs are written into `arrays`."""
        trees = {p.name: array for p, array in zip(self.parameters, arrays, strict=True)}
        made = self._named(self._called(trees))
        for name in self._made:
            trees[name][...] = _numbers(made[name])
        return None

    def gradients(self, backward: Callable[..., Any], roles: Mapping[str, Role], scale: float) -> dict[str, Tree]:
        """What the backward gives, in the form of adjoints."""
        trees = dict(zip(self.types, self.copies(), strict=True))
        arrays = list(trees.values())
        self.run_primal(arrays, {})
        after = {**self._given, **self.saved}
        after |= {name: _like({**self._given, **self._made}[name], array) for name, array in trees.items()}
        values = []
        for role in roles.values():
            if role.kind in (COTANGENT, INOUT):
                values.append(_like(self._made[role.of], self.cotangents[role.of].astype(trees[role.of].dtype)))
            elif role.kind == GRADIENT:
                values.append(_like(self._given[role.of], np.zeros_like(trees[role.of])))
            else:
                values.append(copy_of((self._given if role.kind == BEFORE else after)[role.of]))
        try:
            with np.errstate(all="ignore"):
                made = backward(*values)
        except Exception as error:
            raise BackendError(f"the backward fails: {type(error).__name__}: {error}") from error
        filled = {r.of: v for r, v in zip(roles.values(), values, strict=True) if r.kind in (GRADIENT, INOUT)}
        adjoints = self.zeros(self.types)
        for name, gradient in {**filled, **self._of(made, filled)}.items():
            found = None if gradient is None else _numbers(gradient)
            if found is not None and found.size != adjoints[name].size:
                raise UsageError(
                    f"the backward's gradient by '{name}' has shape {found.shape}, '{name}' has {adjoints[name].shape}"
                )
            if found is not None:
                adjoints[name][...] = found.reshape(adjoints[name].shape) / scale
            else:
                self.consumed |= {name}
        return adjoints

    def _of(self, made: Any, filled: Mapping[str, Any]) -> dict[str, Any]:
        """The gradients among what the backward gives, by the inputs' names."""
        inputs = [name for name in self.types if name in self.fresh]
        if isinstance(made, Mapping):
            found = {next((m for m in (n, *meant(n)) if m in inputs), n): value for n, value in made.items()}
            unknown = found.keys() - set(inputs)
            if unknown:
                raise UsageError(f"the backward gives {_listed(unknown)}, of which no input has the name")
            return {name: found.get(name) for name in inputs if name in found or name not in filled}
        if made is None and filled:
            return {name: None for name in inputs if name not in filled}
        values = list(made) if isinstance(made, list | tuple) else [made]
        for names in (inputs, list(self._given)):
            if len(values) == len(names):
                return {name: value for name, value in zip(names, values, strict=True) if name in inputs}
        raise UsageError(
            f"the backward gives {len(values)} gradients, and the inputs that may have one are {_listed(inputs)}\n"
            "hint: let it give a dict, by their names, or None where there is none"
        )


def check_calls(
    forward: Callable[..., Any],
    backward: Callable[..., Any],
    inputs: Mapping[str, Any],
    roles: Mapping[str, str],
    outputs: Sequence[str],
    scale: float,
    seed: int,
) -> BackwardReport:
    """Compares what `backward` gives with differences of `forward`, at the inputs and at others of their shapes."""
    runs = Calls(forward, inputs, outputs, seed)
    moving, made = sorted(runs.fresh, key=list(runs.types).index), sorted(runs.consumed, key=list(runs.types).index)
    names = Forward(_called(forward), [*inputs, *made, *runs.saved], [*moving, *made], set(made))
    known = _matched(names, backward, roles)
    made_here = any(role.kind in (GRADIENT, INOUT) for role in known.values())
    returned = {} if made_here else {RETURN: Role(GRADIENT, moving[0])}
    require(names, _called(backward), known | returned, (), called=True)
    compared = 0
    conventions: dict[str, Examined] = {}

    def looked_at(at: Input) -> tuple[CheckReport | None, Wrong | None]:
        nonlocal compared
        own = Calls(forward, dict(zip(inputs, at.arguments, strict=True)), outputs, seed)
        own.seed_by(known)
        try:
            if not ends_finite(own):
                return None, None
        except BackendError:
            return None, None
        compared += 1
        try:
            adjoints = own.gradients(backward, known, scale)
        except BackendError as error:
            return None, Wrong(at, str(error))
        judges = _judges(own, adjoints)
        report = CheckReport(names.name, tuple(judges.findings(ELEMENTS)), examined=tuple(judges.examined()))
        conventions.update({e.name: e for e in report.examined if e.verdict in ("kink", "jump")})
        wrong = tuple(e for e in report.examined if e.verdict == "wrong")
        cotangents = [(name, own.cotangents[name]) for name in made if name not in own.fresh]
        return report, None if report.ok else Wrong(at, "", wrong, tuple(cotangents))

    base = Input({}, "as given", list(inputs.values()), {}, {}, Launch(None, None), Launch(None, None))
    with np.errstate(all="ignore"):
        report, wrong = looked_at(base)
        if not compared:
            raise UsageError("the forward does not end in finite numbers at these inputs: there is nothing to compare")
        others = (looked_at(at)[1] for at in _others(base, seed))
        wrong = wrong or next((found for found in others if found is not None), None)
        if wrong is not None:
            wrong = shrunken(wrong, lambda at: looked_at(at)[1])
    return BackwardReport(
        names.name,
        _called(backward),
        listed_roles(known),
        compared,
        wrong,
        tuple(inputs),
        report if wrong is None else None,
        conventions=tuple(conventions.values()),
        notes=("differences of the forward are the only witness: there is no source of it",),
    )


def _matched(forward: Forward, backward: Callable[..., Any], roles: Mapping[str, str]) -> dict[str, Role]:
    try:
        parameters = inspect.signature(backward).parameters.values()
    except (TypeError, ValueError):
        parameters = []  # type: ignore[assignment]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not names or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise UsageError(
            "the parameters of the backward have no names\n"
            "hint: give them some: lambda grad_out, x: extension.backward(grad_out, x)"
        )
    found = matched(forward, names, roles)
    return {n: r for n, r in found.items() if r.kind != OWN or _required(backward, n)}


def _required(function: Callable[..., Any], name: str) -> bool:
    return inspect.signature(function).parameters[name].default is inspect.Parameter.empty


def _judges(runs: Calls, adjoints: Mapping[str, Tree]) -> ByElement:
    elements = Elements(runs)
    precision = _PRECISIONS[min((array.dtype for array in runs.args), key=lambda dtype: dtype.itemsize).char]

    def tangent(direction: Array) -> tuple[float, float, TangentResult]:
        nothing = runs.zeros(runs.types)  # no other witness says how much steps may have lost
        return 0.0, 0.0, TangentResult({}, nothing, nothing, None, 0.0, 0.0, False)

    return ByElement(Functional(runs, elements), elements, elements.vector(adjoints), tangent, precision, runs.seed)


def _others(base: Input, seed: int) -> Iterator[Input]:
    """The same shapes with other numbers."""
    rng = np.random.default_rng(seed)
    for kind, fill in FILLS.items():
        arguments = [
            value if (held := _numbers(value)) is None else _like(value, fill(rng, (), held.size).reshape(held.shape))
            for value in base.arguments
        ]
        yield Input({}, kind, arguments, {}, {}, base.forward, base.backward)


def _numbers(value: Any) -> Array | None:
    """A copy of the floating-point numbers of a value, or None where there are none."""
    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu().numpy()
    if isinstance(value, float | np.ndarray | np.floating) and np.asarray(value).dtype.char in _TYPES:
        return np.atleast_1d(np.array(value))
    return None


def _like(template: Any, array: Array) -> Any:
    """Numbers in the form of a value: an array, a tensor where it lies, a number."""
    if hasattr(template, "detach"):
        torch = sys.modules["torch"]
        return torch.as_tensor(array.reshape(tuple(template.shape))).to(template.device, template.dtype)
    if isinstance(template, np.ndarray):
        return array.astype(template.dtype).reshape(template.shape)
    return type(template)(array.reshape(-1)[0])


def _called(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "the function" if name == "<lambda>" else str(name)


def _listed(names: Any) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))
