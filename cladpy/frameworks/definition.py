"""What an operator is made of, whatever the framework: a function, what it takes and gives, and its gradients."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

import cladpy
from cladpy import given
from cladpy.derivative import Derivative
from cladpy.diagnostics import Diagnostic, DifferentiationError, LaunchError, UsageError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Type, scalar_of
from cladpy.runtime.arguments import Slot, slots_of
from cladpy.runtime.buffers import pointee_of
from cladpy.runtime.functional import RETURN, seed_of
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.signature import in_order
from cladpy.runtime.structs import uniform_scalar
from cladpy.source import Source
from cladpy.targets import TARGETS

Shaped: TypeAlias = str | Callable[..., Any]  # an output: like an input, or a callable of the inputs that makes it


class Launch(NamedTuple):
    """One call of the function: what it is given besides inputs and outputs. Kernels alone have extents."""

    args: Mapping[str, Any]
    extents: tuple[Any, ...]  # grid and block
    shared_mem: int

    @property
    def is_empty(self) -> bool:
        """Whether no thread runs, as for arrays without elements: then there is nothing to launch."""
        return any(extent == 0 or (isinstance(extent, tuple) and 0 in extent) for extent in self.extents)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A gradient, and what operators ask of it in each call."""

    gradient: Gradient
    kept: tuple[bool, ...]  # the inputs whose content the gradient needs: numbers, and what it reads as it was
    written: frozenset[str]  # the arguments whose memory the function writes
    writable: frozenset[str]  # those whose types say that it may
    found: frozenset[str]  # those whose memory the gradient reads as it was before the call
    changed: frozenset[str]  # those whose adjoints the gradient changes
    numbers: Mapping[str, Scalar]  # the arguments that are numbers
    adjoints: tuple[str, ...]  # the arguments that have adjoints, in order
    slots: tuple[Slot, ...]  # of the function
    names: tuple[str, ...]  # theirs

    @staticmethod
    def of(gradient: Gradient, inputs: Sequence[str]) -> Prepared:
        derivative = gradient.derivative
        parameters = derivative.parameters
        numbers = {p.name: p.type for p in parameters if isinstance(p.type, Scalar)}
        found = frozenset(p.name for p in parameters if _is_among(derivative.found, p.name))
        return Prepared(
            gradient,
            tuple(name in found or name in numbers for name in inputs),
            frozenset(p.name for p in parameters if _is_among(derivative.written, p.name)),
            frozenset(p.name for p in parameters if isinstance(p.type, Pointer) and not p.type.const),
            found,
            frozenset(p.name for p in parameters if _is_among(derivative.changed, p.name)),
            numbers,
            tuple(parameters[a.parameter].name for a in derivative.adjoints),
            slots := slots_of(derivative, gradient=False),
            tuple(slot.name for slot in slots),
        )

    @property
    def is_kernel(self) -> bool:
        return self.gradient.derivative.kind is FunctionKind.KERNEL

    def ordered(self, values: Mapping[str, Any]) -> list[Any]:
        """The arguments of the function, by their places. Raises LaunchError for names that are unknown or missing."""
        if len(values) == len(self.names):
            try:
                return [values[name] for name in self.names]
            except KeyError:
                pass
        call = f"the operator of {self.gradient.derivative.function_name}"
        return list(in_order(call, self.slots, (), values))

    def run(self, launch: Launch, values: Mapping[str, Any], stream: object = None) -> Any:
        """Calls the function, and gives its value."""
        primal, ordered = self.gradient.primal, self.ordered(values)
        if not launch.extents:
            return primal.execute(*ordered)
        if not launch.is_empty:
            primal.execute_kernel(*launch.extents, *ordered, shared_mem=launch.shared_mem, stream=stream)
        return None

    def reverse(
        self,
        launch: Launch,
        values: Mapping[str, Any],
        adjoints: Mapping[str, Any],
        cotangent: float | None,
        stream: object = None,
    ) -> None:
        """Calls the gradient, which adds to the adjoints; `cotangent` is that of the function's value."""
        ordered = (*self.ordered(values), *(adjoints[name] for name in self.adjoints))
        if not launch.extents:
            seed = seed_of(self.gradient.derivative, adjoints if cotangent is None else {RETURN: cotangent})
            self.gradient.execute(*ordered, **seed)
        elif not launch.is_empty:
            self.gradient.execute_kernel(*launch.extents, *ordered, shared_mem=launch.shared_mem, stream=stream)

    def number(self, name: str, x: Any) -> Any:
        """An array of one element as the number that the argument is. Raises LaunchError for another."""
        if math.prod(x.shape) != 1:
            raise LaunchError(f"{name}: a number is an array of one element, got one of shape {tuple(x.shape)}")
        return x.item()

    def returned(self, value: Any) -> Any:
        """What the function has returned. Raises LaunchError where that is no number."""
        if not isinstance(value, int | float):
            function = self.gradient.derivative.function_name
            raise LaunchError(f"outputs: {function} returns no number that 'return' could be")
        return value

    def own(self, args: Mapping[str, Any], copied: Callable[[Any], Any]) -> dict[str, Any]:
        """What `args` gives, and a copy of what the function writes of it: it may be given again."""
        return {name: copied(value) if name in self.written else value for name, value in args.items()}


@dataclass(frozen=True, slots=True)
class Definition:
    """Gradients are made when they are first asked for, one for each choice of arguments that get adjoints."""

    source: str | Path
    function: str
    inputs: tuple[str, ...]
    outputs: Mapping[str, Shaped]
    args: Any
    grid: Any
    block: Any
    shared_mem: Any
    options: Mapping[str, Any]
    pure_outputs: tuple[str, ...]  # those that are no inputs, and no value that the function returns
    _gradients: dict[tuple[object, ...], Prepared] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @staticmethod
    def make(
        source: str | Path,
        function: str,
        inputs: str | Sequence[str],
        outputs: Mapping[str, Shaped],
        args: Any,
        grid: Any,
        block: Any,
        shared_mem: Any,
        options: Mapping[str, Any],
    ) -> Definition:
        """Raises UsageError for what makes no sense, before anything is differentiated."""
        Source.load(source)  # which says what is wrong with it
        function = given.text("function", function, "the name of a function, such as 'kernel'")
        taken = _names("inputs", inputs)
        if not isinstance(outputs, Mapping) or not outputs:
            raise UsageError(f"outputs must map names to inputs or callables, not {given.shown(outputs)}")
        for name, shaped in outputs.items():
            if not isinstance(name, str) or not (callable(shaped) or shaped in taken):
                raise UsageError(
                    f"outputs[{name!r}] must be the name of an input, whose shape and type it has, or a callable of "
                    f"the inputs, not {given.shown(shaped)}\nhint: inputs are: {', '.join(taken)}"
                )
            if name in taken and shaped != name:
                raise UsageError(
                    f"outputs: {name!r} is an input too, so that it begins as a copy of that: give {name!r}"
                )
        if (grid is None) != (block is None):
            raise UsageError("a kernel needs grid and block, and any other function neither")
        if not (args is None or callable(args) or isinstance(args, Mapping)):
            raise UsageError(f"args must be a dict, or a callable that gives one, not {given.shown(args)}")
        reserved = {"args", "backend", "fresh", "consumed", "checked"} & set(options)
        if reserved:
            raise UsageError(f"{min(reserved)} is no option of an operator, which chooses it for each call")
        pure = tuple(name for name in outputs if name not in taken and name != RETURN)
        return Definition(source, function, taken, dict(outputs), args, grid, block, shared_mem, dict(options), pure)

    def launch(self, inputs: Sequence[Any]) -> Launch:
        """What the callables give for these inputs. Raises LaunchError where that is not of their kind."""
        args = self.args(*inputs) if callable(self.args) else self.args
        args = {} if args is None else args
        if type(args) is not dict and not isinstance(args, Mapping):
            raise LaunchError(f"args must give a dict, not {given.shown(args)}")
        for name in args:
            if name in self.inputs or name in self.outputs:
                raise LaunchError(f"args: {name!r} is an input or an output already")
        extents = () if self.grid is None else (_extent(self.grid, inputs), _extent(self.block, inputs))
        shared_mem = self.shared_mem(*inputs) if callable(self.shared_mem) else self.shared_mem
        return Launch(dict(args), extents, shared_mem)

    def gradient(self, backend: str, names: Sequence[str], *, deterministic: bool = False) -> Prepared:
        """The gradient by these inputs and outputs. Adjoints of inputs are zero before each call of it, and nobody
        looks at cotangents after. Raises as `cladpy.gradient` does, and UsageError where the launch is not that of the
        function."""
        asked = tuple(name for name in names if name != RETURN)
        key = (backend, asked, deterministic)
        with self._lock:
            if key not in self._gradients:
                self._gradients[key] = self._made(backend, asked, deterministic)
            return self._gradients[key]

    def plainly(self, backend: str, needed: Sequence[bool], given: Sequence[bool]) -> Derivative:
        """The gradient as a program that takes whatever adjoints there are: by the inputs that are `needed`, of the
        outputs that are `given` cotangents. Raises as `cladpy.gradient` does."""
        outputs = [name for name, g in zip(self.outputs, given, strict=True) if g]
        names = [name for name, n in zip(self.inputs, needed, strict=True) if n and name not in outputs]
        asked = ", ".join(name for name in (*names, *outputs) if name != RETURN)
        return cladpy.gradient(self.source, self.function, asked, backend=backend, **dict(self.options)).derivative

    def _made(self, backend: str, names: tuple[str, ...], deterministic: bool) -> Prepared:
        options: dict[str, Any] = {"consumed": ", ".join(n for n in names if n in self.pure_outputs)}
        if deterministic:
            options["accumulate"] = "deterministic"

        def gradient(fresh: Sequence[str] = ()) -> Gradient:
            promised = {"fresh": ", ".join(fresh)} | options | dict(self.options)
            return cladpy.gradient(self.source, self.function, ", ".join(names), backend=backend, **promised)

        # zero before each call, which on the host would be looked at
        fresh = [n for n in names if n not in self.outputs] if TARGETS[backend].runs_on_device else []
        try:
            try:
                made = gradient(fresh)
            except DifferentiationError as error:
                if not any(found.code == "CP0311" for found in error.diagnostics):
                    raise
                # the adjoint of what the function stores to holds a cotangent, be it that of no output
                written = Prepared.of(gradient(), self.inputs).written
                made = gradient([n for n in fresh if n not in written])
        except DifferentiationError as error:
            found = tuple(map(_as_of_operator, error.diagnostics))
            if found == error.diagnostics:
                raise
            raise DifferentiationError(found, error.texts, error.read) from None
        is_kernel = made.derivative.kind is FunctionKind.KERNEL
        if is_kernel and self.grid is None:
            raise UsageError(f"{self.function} is a kernel: an operator of it needs grid and block")
        if not is_kernel and self.grid is not None:
            raise UsageError(f"{self.function} is not __global__: it has no launch, and takes no grid and block")
        return Prepared.of(made, self.inputs)


def _as_of_operator(found: Diagnostic) -> Diagnostic:
    """Of an operator inputs and outputs alone have adjoints, and nobody names arguments."""
    if found.lacking is None:
        return found
    return replace(found, hint=f"make '{found.lacking}' an output of the operator, so that it gets an adjoint")


def _names(what: str, names: str | Sequence[str]) -> tuple[str, ...]:
    parts = names.split(",") if isinstance(names, str) else names
    if not isinstance(parts, list | tuple) or not parts or not all(isinstance(n, str) and n.strip() for n in parts):
        raise UsageError(f"{what} must be names of arguments, not {given.shown(names)}")
    found = tuple(n.strip() for n in parts)
    if len(set(found)) != len(found):
        raise UsageError(f"{what}: {next(n for n in found if found.count(n) > 1)!r} is named twice")
    return found


def _extent(extent: Any, inputs: Sequence[Any]) -> Any:
    found = extent(*inputs) if callable(extent) else extent
    return tuple(found) if isinstance(found, list) else found


def copied(value: Any) -> Any:
    """A copy of an array of NumPy's."""
    return value.copy() if isinstance(value, np.ndarray) else value


def number_type(type: Type) -> Scalar | None:
    """The type of the numbers that an argument is, or that its pointer leads to; None where they are not all alike."""
    element = pointee_of(type) if isinstance(type, Pointer | Reference) else type
    core = scalar_of(element) if isinstance(element, Array) else element
    if isinstance(core, Scalar):
        return core
    uniform = uniform_scalar(core)
    return uniform[0] if uniform else None


def _is_among(places: frozenset[str], name: str) -> bool:
    """Whether one of the places, such as `x->rows` or `x[].y`, is reached through the argument."""
    return any(place == name or (place.startswith(name) and place[len(name)] in ".[-") for place in places)
