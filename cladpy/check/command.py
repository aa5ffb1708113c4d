"""`cladpy check`: the gradient of a function against the oracle, on the CPU, at values from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cladpy.check.gradient_check import check, oracle_of
from cladpy.check.settings import read_settings, sizes_in
from cladpy.check.sizes import launch_extent
from cladpy.diagnostics import LaunchError, UsageError
from cladpy.frontend.kokkos import is_for_kokkos
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import holds_pointers
from cladpy.making import made, whole
from cladpy.options import Options
from cladpy.runtime import Gradient
from cladpy.source import Given, Source


def run_check(
    source: Given,
    function: str,
    args: str,
    grid: Sequence[int | str] | None,
    block: Sequence[int | str] | None,
    settings: Sequence[str],
    seed: int,
    options: Options,
    shared_mem: int = 0,
    elements: int | None = None,
) -> tuple[bool, str]:
    """Whether the gradient is right, and a report to print.

    Raises UsageError for a value that is missing or does not fit, and what `cladpy.gradient` and the check raise.
    """
    options = replace(options, split=False, trace_nonfinite=False)  # forms of the gradient, not other numbers
    target = "kokkos" if is_for_kokkos(Source.load(source)) else "host"
    gradient = whole(made(source, function, args, target, options))
    kernel = gradient.derivative.kind is FunctionKind.KERNEL
    if kernel and (grid is None or block is None):
        raise UsageError(f"'{function}' is a kernel: give --grid and --block")
    if not kernel and (grid is not None or block is not None):
        raise UsageError(f"'{function}' is not a kernel: --grid and --block make no sense for it")
    if shared_mem and not kernel:
        raise UsageError(f"'{function}' is not a kernel: --shared-mem makes no sense for it")
    oracle = oracle_of(gradient)
    derivative = gradient.derivative
    both = zip(oracle.function.parameters, derivative.parameters, strict=True)
    own = [symbol for symbol, parameter in both if parameter.counts is None]
    values = read_settings(own, derivative.globals, settings, np.random.default_rng(seed))
    sizes = sizes_in(own, settings)
    held = hold(gradient, values.variables)
    report = check(
        gradient,
        launch_extent("--grid", grid, sizes),
        launch_extent("--block", block, sizes),
        values.arguments,
        seed=seed,
        shared_mem=shared_mem,
        elements=elements,
        races=True,
        oracle=oracle,
        variables=held,
    )
    return report.ok, report.text(verbose=True)


def hold(gradient: Gradient, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Sets variables at namespace scope; gives those with pointers, of which each run has copies."""
    types = {v.name: v.type for v in gradient.derivative.globals}
    held = {name: value for name, value in variables.items() if holds_pointers(types[name])}
    for name in variables.keys() - held.keys():
        try:
            gradient.primal.set_value(f"::{name}", variables[name])
        except LaunchError as error:
            raise UsageError(f"--set {error}") from None
    return held
