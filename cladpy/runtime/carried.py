"""Gradients on their way to other processes, and their copies: source, options and code, without what was compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from cladpy.derivative import Derivative
from cladpy.ir.surface import Program
from cladpy.version import __version__

T = TypeVar("T")


def carried(made: Callable[[Derivative, str], T], derivative: Derivative, backend: str) -> tuple[Any, ...]:
    """What `__reduce__` gives for what is `made` of these."""
    return arrived, (made, __version__, bare(derivative), backend)


def bare(derivative: Derivative) -> Derivative:
    """A derivative that has of the program only what compiling and calling asks for."""
    program = derivative.program
    return replace(derivative, program=replace(program, functions={})) if isinstance(program, Program) else derivative


def arrived(made: Callable[[Derivative, str], T], version: str, derivative: Derivative, backend: str) -> T:
    """The gradient, where it has come to. One of another version of cladpy is made again from the source.

    Raises BackendError where its backend is not to be had, and as `cladpy.gradient` does where it is made again.
    """
    from cladpy.pipeline import differentiate
    from cladpy.runtime.backends import select_backend

    select_backend(backend)
    if version != __version__:
        derivative = differentiate(derivative.source, *derivative.requested, derivative.options, derivative.target)
    return made(derivative, backend)
