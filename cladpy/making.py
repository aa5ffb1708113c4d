"""A gradient as an object that runs: differentiated, or from the cache where nothing that was read has changed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import replace

from cladpy import pipeline
from cladpy.callers import level_of_caller
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyWarning, UsageError
from cladpy.frontend.custom import header_files
from cladpy.frontend.kokkos import is_for_kokkos
from cladpy.options import Options
from cladpy.remembered import Files, derivatives, find_kept, keep, surroundings
from cladpy.runtime import Gradient, select_backend
from cladpy.runtime.backends import on_devices
from cladpy.runtime.carried import bare
from cladpy.source import Given, Source
from cladpy.toolchain.entry import takes_host_code

_KEEP = "CLADPY_KEEP_DERIVATIVES"  # 0 is for those who want to see how a program is differentiated


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
        derivative = _kept(pipeline.differentiate, loaded, function, args, options, chosen)
        if not derivative.program.missing:  # which may be there by the next time
            derivatives.keep(question, Files.of(derivative), derivative)
    if backend == "auto" and chosen in on_devices() and on_devices()[chosen].alone() and takes_host_code(derivative):
        return made(source, function, args, "host", options)  # which runs it, where that compiler does not
    for diagnostic in derivative.warnings:
        warnings.warn(diagnostic.render({loaded.name: loaded.text}), CladpyWarning, stacklevel=level_of_caller())
    return Gradient(derivative, chosen)


def undifferentiated(source: Given, function: str, options: Options, backend: str = "host") -> Gradient:
    """A function by itself on a backend: of what it gives, `primal` alone can be run."""
    return Gradient(_kept(pipeline.undifferentiated, Source.load(source), function, "", options, backend), backend)


def whole(gradient: Gradient) -> Gradient:
    """The same with the functions of its program, which one from the compile cache or from another process has not."""
    old = gradient.derivative
    if old.program.functions:
        return gradient
    make = pipeline.differentiate if old.gradient_name else pipeline.undifferentiated
    new = make(old.source, *old.requested, old.options, old.target)
    return Gradient(replace(old, program=new.program), gradient.backend)


def _kept(
    make: Callable[..., Derivative], source: Source, function: str, args: str, options: Options, target: str
) -> Derivative:
    """What an earlier process has made, from the compile cache, without the functions of the program; else what is
    made now. By then folders of custom derivatives may have other headers, and those that are missing may be there."""
    if options.custom_derivatives or os.environ.get(_KEEP) == "0":
        return make(source, function, args, options, target)
    question = [make.__name__, source.name, str(source.path), source.text, function, args, repr(options)]
    found: Derivative | None = find_kept(question, target)
    if found is None:
        found = make(source, function, args, options, target)
        if not found.program.missing:
            keep(question, target, Files.of(found), bare(found))
    return found
