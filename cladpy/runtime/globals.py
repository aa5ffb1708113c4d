"""Variables at namespace scope that a gradient is taken by: what they and their adjoints hold, as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative, GlobalVariable, variables_called
from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.types import Array, Scalar, Type, scalar_of
from cladpy.runtime.executor import Executor
from cladpy.runtime.scalars import dtype_of


class Globals:
    """Copies to and from where the compiled code has them. They stay there between calls."""

    def __init__(self, derivative: Derivative, executor: Executor) -> None:
        self._variables = derivative.globals
        self._function = derivative.function_name
        self._executor = executor

    def read(self, name: str, *, adjoint: bool) -> NDArray[Any]:
        """A copy. Raises LaunchError for a name that was not among the arguments."""
        position, variable = self._find(name)
        content = np.empty(shape_of(variable.type), _dtype(variable))
        self._executor.copy_global(position, content, adjoint=adjoint, write=False)
        return content

    def write(self, name: str, value: object, *, adjoint: bool) -> None:
        """Sets all elements, to those of an array of the same shape or to one number. Raises LaunchError for a name or
        a shape that does not fit, ArgumentTypeError for what is no number."""
        position, variable = self._find(name)
        if variable.const and not adjoint:
            raise LaunchError(f"{variable.name} is const: it cannot be set")
        shape, dtype = shape_of(variable.type), _dtype(variable)
        given = np.asarray(value)
        if given.dtype.kind not in "iufb" or not np.can_cast(given.dtype, dtype, "same_kind"):
            raise ArgumentTypeError(f"{variable.name}: expected numbers of {dtype.name}, got {given.dtype}")
        if given.shape not in ((), shape) and (given.ndim != 1 or given.size != np.prod(shape, dtype=int)):
            raise LaunchError(f"{variable.name}: expected an array of shape {shape}, or a number, got {given.shape}")
        content = np.empty(shape, dtype)
        content[...] = given if given.ndim == 0 else given.reshape(shape)
        self._executor.copy_global(position, content, adjoint=adjoint, write=True)

    def _find(self, name: str) -> tuple[int, GlobalVariable]:
        found = variables_called(name, self._variables)
        if len(found) != 1:
            known = ", ".join(v.name for v in self._variables) or "none"
            raise LaunchError(
                f"'{name}' is not one of the variables that the gradient of {self._function} is taken by: {known}"
            )
        return self._variables.index(found[0]), found[0]


def shape_of(type: Type) -> tuple[int, ...]:
    """The extents of an array; none for a number."""
    return (type.length, *shape_of(type.element)) if isinstance(type, Array) else ()


def _dtype(variable: GlobalVariable) -> np.dtype[Any]:
    element = scalar_of(variable.type)
    assert isinstance(element, Scalar)
    return dtype_of(element)
