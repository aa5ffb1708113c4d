"""The gradient of an operator's function as the function of an operator: what it takes is what that takes, then the
cotangents of its outputs, then these, and what it gives are the adjoints of inputs. So it has a gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cladpy.diagnostics import LaunchError
from cladpy.frameworks.definition import Definition
from cladpy.ir.shared import aligned
from cladpy.runtime.functional import RETURN


def definition_of(
    of: Definition, backend: str, needed: Sequence[bool], given: Sequence[bool], zeros: Callable[[str, Any], Any]
) -> Definition:
    """The gradient by the inputs that are `needed`, of the outputs that are `given` cotangents. `zeros` makes the
    adjoint of an input, of its name and what it is. The launch is that of the function.

    Raises as `Definition.gradient` does, and LaunchError where the function is a gradient of a gradient itself."""
    derivative = of.plainly(backend, needed, given)
    count = len(of.inputs)
    adjoints = {derivative.parameters[a.parameter].name: a.name for a in derivative.adjoints}
    if any(p.name in adjoints.values() for p in derivative.parameters):  # then they are called otherwise in its code
        raise LaunchError("an operator has first and second derivatives: the third is not supported")
    adjoints[RETURN] = "_d_return"
    cotangents = [adjoints[name] for name, g in zip(of.outputs, given, strict=True) if g]
    outputs: dict[str, Any] = {}
    for place, name in enumerate(of.inputs):
        if needed[place]:
            adjoint = adjoints[name]
            outputs[adjoint] = adjoint if adjoint in cotangents else _made(zeros, name, place)

    def of_inputs(given: Any) -> Callable[..., Any]:
        return lambda *inputs: given(*inputs[:count]) if callable(given) else given

    bytes_of = of_inputs(of.shared_mem)
    grows = derivative.shared.dynamic_adjoint > 0

    def args(*inputs: Any) -> Mapping[str, Any]:
        own = of_inputs(of.args)(*inputs) or {}
        return {**own, "_shared_size": aligned(bytes_of(*inputs))} if grows else own

    options = dict(of.options)
    path = derivative.source.path
    if path is not None:
        options["include_dirs"] = [*(options.get("include_dirs") or ()), str(Path(path).resolve().parent)]
    grid, block = (None, None) if of.grid is None else (of_inputs(of.grid), of_inputs(of.block))
    shared_mem = lambda *inputs: derivative.shared.total(bytes_of(*inputs))  # noqa: E731
    taken = [*of.inputs, *cotangents, *of.pure_outputs]
    code, name = derivative.code, derivative.gradient_name
    return Definition.make(code, name, taken, outputs, args, grid, block, shared_mem, options)


def _made(zeros: Callable[[str, Any], Any], name: str, place: int) -> Callable[..., Any]:
    return lambda *inputs: zeros(name, inputs[place])
