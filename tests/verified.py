"""The verifiers between the stages, for all that a test differentiates."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

from cladpy import pipeline
from cladpy.adjoint.gradient import Gradient
from cladpy.emit.unit import Unit, emit
from cladpy.ir import code_verify, core_verify


def faults_of(gradient: Gradient) -> list[str]:
    """What is wrong with a gradient, and with those of the kernels that it launches, by the grammars of its primals and
    of generated code."""
    kernels = [fault for kernel in gradient.kernels for fault in faults_of(kernel)]
    every = list(gradient.functions)
    every += [step.kernel for variant in gradient.variants for step in variant.steps]
    every += [kernel for form in gradient.asked for kernel in form.kernels]
    faults = code_verify.verify(every, {root for g in gradient.globals for root in g.roots})
    for primal in {f.primal: None for f in every}:
        faults += core_verify.verify(primal, partials=True)
    return [*faults, *kernels]


@contextlib.contextmanager
def verified() -> Iterator[None]:
    """While this is open, a gradient with faults is not emitted."""

    def checked(gradient: Gradient, *args: Any, **how: Any) -> Unit:
        faults = faults_of(gradient)
        assert not faults, "\n".join(faults)
        return emit(gradient, *args, **how)

    with mock.patch.object(pipeline, "emit", checked):
        yield
