"""cladpy differentiates CUDA C++: source in, the source of the gradient out, and an object that runs it.

grad = cladpy.gradient("add.cu", "kernel", "out, in")
print(grad.code)
grad.execute_kernel(grid, block, out, in_, n, d_out, d_in)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cladpy.diagnostics import (
    ArgumentTypeError,
    BackendError,
    CladpyError,
    CladpyWarning,
    DifferentiationError,
    LaunchError,
    Nonfinite,
    NonfiniteError,
    TapeError,
    ToolchainError,
    UsageError,
    ZeroTimesNonfinite,
)
from cladpy.version import __version__

if TYPE_CHECKING:
    from cladpy.check.handwritten.report import BackwardReport
    from cladpy.runtime.gradient import Gradient


__all__ = [
    "ArgumentTypeError",
    "BackendError",
    "CladpyError",
    "CladpyWarning",
    "DifferentiationError",
    "LaunchError",
    "Nonfinite",
    "NonfiniteError",
    "TapeError",
    "ToolchainError",
    "UsageError",
    "ZeroTimesNonfinite",
    "__version__",
    "check_backward",
    "cmake_dir",
    "gradient",
    "include_dirs",
]


def gradient(
    source: str | Path | Sequence[str | Path],
    function: str,
    args: str = "",
    *,
    backend: str = "auto",
    std: str = "c++17",
    include_dirs: Sequence[str | Path] = (),
    defines: Mapping[str, str | int | float | None] | None = None,
    custom_derivatives: Sequence[str | Path] = (),
    arch: str | None = None,
    openmp: str = "auto",
    accumulate: str = "auto",
    fresh: str = "",
    consumed: str = "",
    may_alias: bool = False,
    checkpoint: str = "auto",
    checked: bool = False,
    trace_nonfinite: bool = False,
    namespace: str = "",
    inline: bool = False,
    header: bool = False,
    kokkos: str | Path | None = None,
) -> Gradient:
    """Differentiates `function` in reverse mode and returns an object that holds and runs the gradient.

    Args:
        source: path of a CUDA C++ or HIP file, or its text; or paths of several files, which are read one after the
            other, where functions of one call those of another.
        function: its name; a template with its arguments (`"k<double, 3>"`), an overload with its parameter types
            (`"f(double*, int)"`).
        args: names of the arguments that get adjoints, independent and dependent ones alike, comma-separated; without
            any, every floating-point argument.
        backend: "cuda", "hip", "host" or "auto" (CUDA, or else HIP, if a device and a compiler are there, else
            host).
        std, include_dirs, defines, arch: as a compiler takes them.
        custom_derivatives: headers, or folders of them, with `f_pullback` functions.
        openmp: "off" for a program that is compiled without -fopenmp: its directives mean nothing then.
        accumulate: "auto" proves where plain adds suffice, "atomic" makes every update of shared memory atomic,
            "deterministic" gives the same bits on every run.
        fresh: arguments whose adjoint buffers hold zero; consumed: arguments whose cotangent is not looked at after.
        may_alias: pointer arguments may overlap. Where they are written, the adjoints of those that do overlap in the
            same way: calls in which they do not are refused.
        checkpoint: what to keep of what host programs overwrite: "all", or "binomial:BYTES" (such as "binomial:512M"),
            where the rest is computed again.
        checked: run on the host with bounds checks: an access beyond an array ends the call with BackendError, which
            names array, element, thread and source line, before anything that was passed is changed.
        trace_nonfinite: a call of the gradient ends with NonfiniteError at the first adjoint that is infinite or no
            number, which says kernel, source line, thread, operands and cotangent. It waits for the device. Where a
            zero adjoint meets an infinite partial, which gives zero, there is a warning, ZeroTimesNonfinite.
        namespace, inline, header: how `.code` is built into a program. The namespace that the gradient is called in;
            whether several files may include it, if they may the original; whether it is a file that is compiled
            alone, with `.header` for those that call it.
        kokkos: where the Kokkos is installed that programs for it run with, on the host; else the environment variable
            Kokkos_ROOT says so.

    Warnings about the request are given as Python warnings (CladpyWarning). Raises DifferentiationError with the
    diagnostics where the program cannot be differentiated, UsageError for a wrong option or a missing file, and
    BackendError where the backend is not to be had.
    """
    values = locals()  # what was given, by name
    from cladpy import given
    from cladpy.making import made
    from cladpy.options import BACKENDS, Options

    backend = given.choice("backend", backend, BACKENDS)
    function = given.text("function", function, "the name of a function, such as 'kernel' or 'ns::kernel<double, 3>'")
    args = given.names("args", args)
    return made(source, function, args, backend, Options.among(values))


def __getattr__(name: str) -> object:
    """What needs a framework is imported when it is asked for."""
    if name in ("torch", "jax"):
        import importlib

        return importlib.import_module(f"cladpy.{name}")
    raise AttributeError(f"module 'cladpy' has no attribute {name!r}")


def load_ipython_extension(shell: object) -> None:
    """What IPython calls for `%load_ext cladpy`: cells that begin with `%%cladpy` hold a program from then on."""
    from cladpy.notebook import load

    load(shell)


def check_backward(
    forward: str | Callable[..., Any],
    backward: str | Callable[..., Any],
    inputs: Mapping[str, Any],
    *,
    map: Mapping[str, str] | None = None,
    outputs: Sequence[str] = (),
    grid: int | str | Sequence[int | str] | None = None,
    block: int | str | Sequence[int | str] | None = None,
    shared_mem: int = 0,
    against_grid: int | str | Sequence[int | str] | None = None,
    against_block: int | str | Sequence[int | str] | None = None,
    against_shared_mem: int | None = None,
    scale: float = 1.0,
    seed: int = 0,
    std: str = "c++17",
    include_dirs: Sequence[str | Path] = (),
    defines: Mapping[str, str | int | float | None] | None = None,
) -> BackwardReport:
    """Whether a backward that is written by hand is right: a report with `.ok` and `.text()`.

    Args:
        forward, backward: functions of CUDA C++ as "f.cu:forward" and "b.cu:backward" (or "backward" of the same file),
            which run on the CPU; or two callables, such as functions of an extension. A forward that is called takes
            the inputs by place, and gives outputs; the backward's parameters are matched by their names, and it gives
            gradients in the inputs' order, or a dict of them.
        inputs: a value for every argument of the forward, by name, and for what is the backward's own. For functions of
            CUDA C++ a string is as `--set` of the command line has it, such as "random:NxC".
        map: what a parameter of the backward is, where its name does not tell: {"g": "gradient:x"}.
        outputs: names of what a forward that is called gives, where that are several things and no dict.
        grid, block, shared_mem: the forward's launch; sizes may have names, as "(n+31)/32".
        against_grid, against_block, against_shared_mem: the backward's launch, where that is another.
        scale: the backward's gradients are meant to be so many times the derivative.
        std, include_dirs, defines: as a compiler takes them.

    Raises UsageError for names that do not match, and what `gradient` raises for functions of CUDA C++.
    """
    from cladpy.check.handwritten.command import check_backward as checked
    from cladpy.options import Options

    options = Options.make(std=std, include_dirs=include_dirs, defines=defines)
    launch = {
        "grid": grid,
        "block": block,
        "shared_mem": shared_mem,
        "against_grid": against_grid,
        "against_block": against_block,
        "against_shared_mem": against_shared_mem,
    }
    return checked(forward, backward, inputs, map or {}, tuple(outputs), launch, scale, seed, options)


def include_dirs(target: str = "cuda") -> list[str]:
    """The directories that code emitted for "cuda", "hip" or "host" includes from: give them to your compiler with -I,
    in this order."""
    from cladpy.resources import include_dirs as found

    return found(target)


def cmake_dir() -> str:
    """The folder of CladpyGradient.cmake, which builds gradients into programs."""
    from cladpy.resources import cmake_dir as found

    return str(found())
