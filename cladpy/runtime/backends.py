"""Which backends work here, and how to get the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cladpy.diagnostics import BackendError, CladpyError, ToolchainError, UsageError
from cladpy.options import BACKENDS
from cladpy.runtime.device_api import DeviceApi
from cladpy.runtime.devices import PYCUDA_HINT, device_names, pycuda_version
from cladpy.runtime.hip_api import HipApi, hip_device_names
from cladpy.targets import TARGETS
from cladpy.toolchain import compile_cuda, compile_hip
from cladpy.toolchain.discovery import Tool, find_hipcc, find_host_compiler, find_nvcc


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


def _need_device() -> None:
    if pycuda_version() is None:
        raise BackendError(f"PyCUDA is not installed\nhint: {PYCUDA_HINT}")
    if not device_names():
        raise BackendError("no CUDA device was found")


def _need_hip_device() -> None:
    if not hip_device_names():
        raise BackendError(
            "no AMD GPU was found\nhint: gradients can be emitted here with `cladpy gradient --target hip`, and "
            "compiled with hipcc for a machine that has one"
        )


def _cuda_api() -> DeviceApi:
    from cladpy.runtime.cuda_api import CudaApi  # which imports PyCUDA

    return CudaApi()


@dataclass(frozen=True, slots=True)
class Backend:
    """What runs on a device: what it cannot do without, its compiler, and its runtime."""

    needs: tuple[Callable[[], object], ...]
    compile: Callable[..., Path]
    api: Callable[[], DeviceApi]


def on_devices() -> dict[str, Backend]:
    """The backends of targets that run on devices, the first first where none is asked for."""
    return {
        "cuda": Backend((_need_device, find_nvcc), compile_cuda, _cuda_api),
        "hip": Backend((_need_hip_device, find_hipcc), compile_hip, HipApi),
    }


def availability() -> list[Availability]:
    """Everything that cladpy can use, in order of need."""
    lines = [_compiler("host C++ compiler", find_host_compiler), _compiler("nvcc", find_nvcc)]
    version = pycuda_version()
    lines.append(Availability("PyCUDA", version is not None, version or "not installed", PYCUDA_HINT))
    try:
        names = device_names() if version is not None else []
        detail = ", ".join(names) or ("none found" if version is not None else "unknown without PyCUDA")
    except BackendError as error:
        names, detail = [], str(error).splitlines()[0]
    remedy = "a machine with an NVIDIA GPU and its driver; without one gradients run on the host backend"
    lines.append(Availability("CUDA device", bool(names), detail, remedy))
    lines.append(_compiler("hipcc", find_hipcc))
    try:
        names = hip_device_names()
        detail, remedy = ", ".join(names) or "none found", "a machine with an AMD GPU and its driver"
    except BackendError as error:
        names, (detail, _, remedy) = [], str(error).partition("\nhint: ")
    lines.append(Availability("HIP device", bool(names), detail, remedy))
    return lines


def _compiler(name: str, find: Callable[[], Tool]) -> Availability:
    try:
        tool = find()
    except ToolchainError as error:
        first, _, hint = str(error).partition("\nhint: ")
        return Availability(name, False, first, hint)
    return Availability(name, True, f"{tool.release or 'unknown version'} at {tool.path}", "")
