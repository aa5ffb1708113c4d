"""Gradients on their way to other processes, and their copies: source, options and code, without what was compiled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cladpy.derivative import Derivative
from cladpy.ir.surface import Program

if TYPE_CHECKING:
    from cladpy.runtime.gradient import Gradient


def carried(derivative: Derivative, backend: str) -> tuple[Any, ...]:
    """What `__reduce__` gives. Of the program only what compiling and calling asks for is taken along."""
    from cladpy import __version__

    program = derivative.program
    bare = replace(program, functions={}) if isinstance(program, Program) else program
    return arrived, (__version__, replace(derivative, program=bare), backend)


def arrived(version: str, derivative: Derivative, backend: str) -> Gradient:
    """The gradient, where it has come to. One of another version of cladpy is made again from the source.

    Raises BackendError where its backend is not to be had, and as `cladpy.gradient` does where it is made again.
    """
    from cladpy import __version__
    from cladpy.pipeline import differentiate
    from cladpy.runtime.backends import select_backend
    from cladpy.runtime.gradient import Gradient

    select_backend(backend)
    if version != __version__:
        derivative = differentiate(derivative.source, *derivative.requested, derivative.options, derivative.target)
    return Gradient(derivative, backend)
