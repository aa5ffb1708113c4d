"""The gradient of an operator's function as the function of an operator: what it takes is what that takes, then the
cotangents of its outputs, and what it gives are the adjoints of inputs. So it has a gradient, and that one too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cladpy.diagnostics import LaunchError
from cladpy.frameworks.definition import Definition
from cladpy.ir.shared import aligned
from cladpy.runtime.functional import RETURN


@dataclass(frozen=True, slots=True)
class Results:
    """What a framework knows of a call of the gradient."""

    made: Callable[[Sequence[Any], Sequence[str]], Mapping[str, Any]]  # outputs of the function before its call
    zeros: Callable[[str, Any], Any]  # the adjoint of an input before the call, by its name and content
    given: tuple[bool, ...]  # the outputs that have cotangents
    needed: tuple[bool, ...]  # the inputs whose adjoints are asked for


def definition_of(of: Definition, backend: str, results: Results) -> Definition:
    """Its launch is that of the function. Raises as `Definition.gradient` does, and LaunchError where the function is a
    gradient of a gradient itself."""
    derivative = of.plainly(backend, results.needed, results.given)
    count = len(of.inputs)
    adjoints = {derivative.parameters[a.parameter].name: a.name for a in derivative.adjoints}
    if any(p.name in adjoints.values() for p in derivative.parameters):  # then they are called otherwise in its code
        raise LaunchError("an operator of PyTorch has first and second derivatives: the third is not supported")
    adjoints[RETURN] = "_d_return"
    cotangents = [adjoints[name] for name, g in zip(of.outputs, results.given, strict=True) if g]
    outputs: dict[str, Any] = {}
    for place, (name, needed) in enumerate(zip(of.inputs, results.needed, strict=True)):
        if needed:
            adjoint = adjoints[name]
            zeros = _zeros(results, name, place)
            outputs[adjoint] = adjoint if adjoint in cotangents else zeros

    def of_inputs(given: Any) -> Callable[..., Any]:
        return lambda *inputs: given(*inputs[:count]) if callable(given) else given

    bytes_of = of_inputs(of.shared_mem)
    grows = derivative.shared.dynamic_adjoint > 0

    def args(*inputs: Any) -> Mapping[str, Any]:
        own = of_inputs(of.args)(*inputs) or {}
        size = {"_shared_size": aligned(bytes_of(*inputs))} if grows else {}
        return {**own, **results.made(inputs[:count], of.pure_outputs), **size}

    options = dict(of.options)
    path = derivative.source.path
    if path is not None:
        options["include_dirs"] = [*(options.get("include_dirs") or ()), str(Path(path).resolve().parent)]
    grid, block = (None, None) if of.grid is None else (of_inputs(of.grid), of_inputs(of.block))
    shared_mem = lambda *inputs: derivative.shared.total(bytes_of(*inputs))  # noqa: E731
    taken = [*of.inputs, *cotangents]
    code, name = derivative.code, derivative.gradient_name
    return Definition.make(code, name, taken, outputs, args, grid, block, shared_mem, options)


def _zeros(results: Results, name: str, place: int) -> Callable[..., Any]:
    return lambda *inputs: results.zeros(name, inputs[place])
