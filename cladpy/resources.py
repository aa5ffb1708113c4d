"""Where cladpy's templates, headers and pages lie: in a checkout, or in `_resources` of an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cladpy.diagnostics import CladpyError, UsageError
from cladpy.targets import TARGETS

_PACKAGE = Path(__file__).resolve().parent


@cache
def _folder(name: str) -> Path:
    for parent in (_PACKAGE / "_resources", _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise CladpyError(f"cladpy's folder {name!r} is missing: the installation is damaged")


def templates_dir() -> Path:
    """The folder of the Jinja templates."""
    return _folder("templates")


def custom_derivatives_dir() -> Path:
    """The folder of the header library: `#include <cladpy/support.h>` is relative to it."""
    return _folder("custom_derivatives")


def errors_dir() -> Path:
    """The folder with the pages of the diagnostics."""
    return _folder("docs/errors")


def host_shim_dir() -> Path:
    """Headers named as CUDA's, which give the host executor instead: first on the include path of the host backend."""
    return custom_derivatives_dir() / "host_shim"


def groups_dir() -> Path:
    """Cooperative groups in terms of barriers and warp intrinsics, for the front end and the host backend."""
    return custom_derivatives_dir() / "groups"


def thrust_shim_dir() -> Path:
    """thrust::complex in terms of real functions, for the front end and the host backend."""
    return custom_derivatives_dir() / "thrust_shim"


def thrust_host_dir() -> Path:
    """Thrust's vectors and algorithms on the runtime's memory, for the front end and the host backend."""
    return custom_derivatives_dir() / "thrust_host"


def library_shim_dir() -> Path:
    """CUB and cuBLAS in terms of what cladpy differentiates, for the front end and the host backend."""
    return custom_derivatives_dir() / "library_shim"


def torch_shim_dir() -> Path:
    """PyTorch's headers in terms of CUDA's runtime, for the front end and for what cladpy runs itself."""
    return custom_derivatives_dir() / "torch_shim"


def kokkos_shim_dir() -> Path:
    """Kokkos' headers in terms of kernels and memory, for the front end."""
    return custom_derivatives_dir() / "kokkos"


def cuda_shim_dir() -> Path:
    """Headers named as HIP's in terms of CUDA's, for the front end, the host backend and nvcc."""
    return custom_derivatives_dir() / "cuda_shim"


def cmake_dir() -> Path:
    """The folder of the CMake modules."""
    return _folder("cmake")


def include_dirs(target: str = "cuda") -> list[str]:
    """The directories that emitted code for a target, and the program in it, include from, in order."""
    if target not in TARGETS:
        raise UsageError(f"target must be one of {', '.join(TARGETS)}, not {target!r}")
    return [str(custom_derivatives_dir() / folder) for folder in TARGETS[target].folders]
