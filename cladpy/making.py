"""A gradient as an object that runs: differentiated, or from the cache where nothing that was read has changed."""

from __future__ import annotations

import warnings

from cladpy import pipeline
from cladpy.callers import level_of_caller
from cladpy.diagnostics import CladpyWarning, UsageError
from cladpy.frontend.custom import header_files
from cladpy.frontend.kokkos import is_for_kokkos
from cladpy.options import Options
from cladpy.remembered import Files, derivatives, surroundings
from cladpy.runtime import Gradient, select_backend
from cladpy.source import Given, Source


def made(source: Given, function: str, args: str, backend: str, options: Options) -> Gradient:
    """The gradient on a backend. Warnings are of the line that has called the caller."""
    if options.checked and backend not in ("auto", "host"):
        raise UsageError(f"checked runs gradients on the host: backend must be 'host' or 'auto', not {backend!r}")
    loaded = Source.load(source)
    of_kokkos = backend == "auto" and is_for_kokkos(loaded)
    chosen = "host" if options.checked else select_backend("kokkos" if of_kokkos else backend)
    question = (loaded, function, args, options, chosen, *header_files(options.custom_derivatives), *surroundings())
    derivative = derivatives.find(question)
    if derivative is None:
        derivative = pipeline.differentiate(loaded, function, args, options, chosen)
        if not derivative.program.missing:  # which may be there by the next time
            derivatives.keep(question, Files.of(derivative), derivative)
    for diagnostic in derivative.warnings:
        warnings.warn(diagnostic.render({loaded.name: loaded.text}), CladpyWarning, stacklevel=level_of_caller())
    return Gradient(derivative, chosen)


def undifferentiated(source: Given, function: str, options: Options, backend: str = "host") -> Gradient:
    """A function by itself on a backend: of what it gives, `primal` alone can be run."""
    return Gradient(pipeline.undifferentiated(Source.load(source), function, options, backend), backend)
