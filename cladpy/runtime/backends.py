"""Which backends work here, and how to get the others."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cladpy.diagnostics import BackendError, CladpyError, ToolchainError, UsageError
from cladpy.options import BACKENDS
from cladpy.runtime.bindings_api import BINDINGS_HINT, BindingsApi, bindings_device_names, bindings_version
from cladpy.runtime.device_api import DeviceApi
from cladpy.runtime.devices import PYCUDA_HINT, device_names, pycuda_version
from cladpy.runtime.hip_api import HipApi, hip_device_names
from cladpy.targets import TARGETS
from cladpy.toolchain import compile_cuda, compile_hip
from cladpy.toolchain.discovery import Tool, find_hipcc, find_host_compiler, find_nvcc
from cladpy.toolchain.nvrtc import find_nvrtc


class Availability(NamedTuple):
    """One line of `cladpy doctor`: what, whether it is there, what was found, and how to get it if it is not."""

    name: str
    ok: bool
    detail: str
    remedy: str


def select_backend(requested: str) -> str:
    """The backend that runs: "cuda", "hip" or "host". "auto" takes the first that has a device, a compiler and what
    drives the device.

    Raises UsageError for a word that is no backend, BackendError for a backend that is not available.
    """
    if requested not in BACKENDS:
        raise UsageError(f"backend must be one of {', '.join(BACKENDS)}, not {requested!r}")
    if requested in TARGETS and not TARGETS[requested].runs_on_device:
        return requested
    if requested == "auto":
        return next((backend for backend in on_devices() if not _missing(backend)), "host")
    missing = _missing(requested)
    if missing:
        raise BackendError(f"the {requested} backend is not available here: " + "\n".join(missing))
    return requested


def _missing(backend: str) -> list[str]:
    missing = []
    for find in on_devices()[backend].needs:
        try:
            find()
        except CladpyError as error:
            missing.append(str(error))
    return missing


def _chosen(variable: str, known: tuple[str, str]) -> str | None:
    """What an environment variable says. Raises UsageError for what is none of the known."""
    asked = os.environ.get(variable) or None
    if asked is not None and asked not in known:
        raise UsageError(f"{variable} must be {' or '.join(known)}, not {asked!r}")
    return asked


def cuda_runtime() -> str:
    """What goes between Python and CUDA's driver: "pycuda" or "bindings", as CLADPY_CUDA_RUNTIME says, else the first
    that is installed. Raises BackendError where there is none."""
    asked = _chosen("CLADPY_CUDA_RUNTIME", ("pycuda", "bindings"))
    found = {"pycuda": pycuda_version(), "bindings": bindings_version()}
    wanted = [asked] if asked else list(found)
    for name in wanted:
        if found[name] is not None:
            return name
    name = {"pycuda": "PyCUDA", "bindings": "cuda-bindings"}.get(asked or "", "neither PyCUDA nor cuda-bindings")
    hint = PYCUDA_HINT if asked == "pycuda" else BINDINGS_HINT
    raise BackendError(f"{name} is {'not ' if asked else ''}installed\nhint: {hint}")


def cuda_compiler() -> str:
    """What compiles for CUDA: "nvcc" or "nvrtc", as CLADPY_CUDA_COMPILER says, else nvcc where it is, with a C++
    compiler, which it needs. Raises ToolchainError where there is none."""
    asked = _chosen("CLADPY_CUDA_COMPILER", ("nvcc", "nvrtc"))
    if asked != "nvrtc":
        try:
            find_nvcc()
            find_host_compiler()
            return "nvcc"
        except ToolchainError:
            if asked:
                raise
    try:
        find_nvrtc()
    except ToolchainError:
        if not asked:
            find_nvcc()  # whose error says how to get it
            find_host_compiler()
        raise
    return "nvrtc"


def _device_names() -> list[str]:
    return device_names() if cuda_runtime() == "pycuda" else bindings_device_names()


def _need_device() -> None:
    if not _device_names():
        raise BackendError("no CUDA device was found")


def _need_hip_device() -> None:
    if not hip_device_names():
        raise BackendError(
            "no AMD GPU was found\nhint: gradients can be emitted here with `cladpy gradient --target hip`, and "
            "compiled with hipcc for a machine that has one"
        )


def _cuda_api() -> DeviceApi:
    if cuda_runtime() == "bindings":
        return BindingsApi()
    from cladpy.runtime.cuda_api import CudaApi  # which imports PyCUDA

    return CudaApi()


@dataclass(frozen=True, slots=True)
class Backend:
    """What runs on a device: what it cannot do without, its compiler, and its runtime."""

    needs: tuple[Callable[[], object], ...]
    compile: Callable[..., Path]
    api: Callable[[], DeviceApi]
    alone: Callable[[], bool] = lambda: False  # whether code for devices alone is compiled, in `compile`'s place


def on_devices() -> dict[str, Backend]:
    """The backends of targets that run on devices, the first first where none is asked for."""
    return {
        "cuda": Backend((_need_device, cuda_compiler), compile_cuda, _cuda_api, lambda: cuda_compiler() == "nvrtc"),
        "hip": Backend((_need_hip_device, find_hipcc), compile_hip, HipApi),
    }


def availability() -> list[Availability]:
    """Everything that cladpy can use, in order of need."""
    compilers = (("host C++ compiler", find_host_compiler), ("nvcc", find_nvcc), ("NVRTC", find_nvrtc))
    lines = [_compiler(name, find) for name, find in compilers]
    for name, version, hint in (
        ("PyCUDA", pycuda_version(), PYCUDA_HINT),
        ("cuda-bindings", bindings_version(), BINDINGS_HINT),
    ):
        lines.append(Availability(name, version is not None, version or "not installed", hint))
    lines += [_of_cuda(), _cuda_devices()]
    lines.append(_compiler("hipcc", find_hipcc))
    try:
        names = hip_device_names()
        detail, remedy = ", ".join(names) or "none found", "a machine with an AMD GPU and its driver"
    except BackendError as error:
        names, (detail, _, remedy) = [], str(error).partition("\nhint: ")
    lines.append(Availability("HIP device", bool(names), detail, remedy))
    return lines


def _of_cuda() -> Availability:
    """What gradients for CUDA are compiled by and run through."""
    try:
        by = {"nvcc": "nvcc", "nvrtc": "NVRTC: kernels and device functions"}[cuda_compiler()]
        through = {"pycuda": "PyCUDA", "bindings": "cuda-bindings"}[cuda_runtime()]
    except CladpyError as error:
        return Availability("CUDA is used by", False, str(error).splitlines()[0], "pip install 'cladpy[cuda]'")
    return Availability("CUDA is used by", True, f"{through}, compiled by {by}", "")


def _cuda_devices() -> Availability:
    names: list[str] = []
    try:
        names = _device_names()
        detail = ", ".join(names) or "none found"
    except CladpyError as error:
        detail = f"unknown: {str(error).splitlines()[0]}"
    remedy = "a machine with an NVIDIA GPU and its driver; without one gradients run on the host backend"
    return Availability("CUDA device", bool(names), detail, remedy)


def _compiler(name: str, find: Callable[[], Tool]) -> Availability:
    try:
        tool = find()
    except ToolchainError as error:
        first, _, hint = str(error).partition("\nhint: ")
        return Availability(name, False, first, hint)
    return Availability(name, True, f"{tool.release or 'unknown version'} at {tool.path}", "")
