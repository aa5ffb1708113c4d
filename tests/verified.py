"""The verifiers between the stages, for all that a test differentiates."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

from cladpy import pipeline
from cladpy.adjoint.gradient import Gradient
from cladpy.emit.unit import Unit, emit
from cladpy.ir import code, code_verify, core_verify
from cladpy.variants.gather import Gather


def faults_of(gradient: Gradient) -> list[str]:
    """What is wrong with a gradient, and with those of the kernels that it launches, by the grammars of its primals and
    of generated code."""
    kernels = [fault for kernel in gradient.kernels for fault in faults_of(kernel)]
    every = list(gradient.functions)
    gather = gradient.gather
    if gradient.columns is not None:
        every += [gradient.columns.columns, *_if_any(gradient.columns.rest)]
    for kept in gradient.kept_values:
        every += [kept.keep, kept.reverse, *_if_any(kept.renewing)]
    if gradient.renewing is not None:
        every.append(gradient.renewing.clear)
        if isinstance(gradient.renewing.reverse, Gather):
            gather = gradient.renewing.reverse  # takes the other's place
        else:
            every.append(gradient.renewing.reverse)
    if gather is not None:
        every += [gather.cells, *_if_any(gather.rest), *_if_any(gather.renewing)]
    faults = code_verify.verify(every, {root for g in gradient.globals for root in g.roots})
    for primal in {f.primal: None for f in every}:
        faults += core_verify.verify(primal, partials=True)
    return [*faults, *kernels]


def _if_any(function: code.Function | None) -> tuple[code.Function, ...]:
    return () if function is None else (function,)


@contextlib.contextmanager
def verified() -> Iterator[None]:
    """While this is open, a gradient with faults is not emitted."""

    def checked(gradient: Gradient, *args: Any, **how: Any) -> Unit:
        faults = faults_of(gradient)
        assert not faults, "\n".join(faults)
        return emit(gradient, *args, **how)

    with mock.patch.object(pipeline, "emit", checked):
        yield
