"""Which CUDA headers a file is parsed with.

Three routes lead to the same surface program: cladpy's own declarations, which are quick and need no CUDA; the headers
of a CUDA toolkit; and those of PyPI's CUDA packages. The declarations come first, then together with the C library's
headers, which nvcc brings into every file; what needs more is parsed with the real headers where there are any.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cladpy.diagnostics import UsageError
from cladpy.frontend import again
from cladpy.frontend.native import native_folder
from cladpy.resources import (
    cuda_shim_dir,
    custom_derivatives_dir,
    groups_dir,
    library_shim_dir,
    thrust_host_dir,
    thrust_shim_dir,
)

ROUTES = ("declarations", "toolkit", "packages")
_FORCED_BY = "CLADPY_CUDA_HEADERS"
_POWER_OF_INTEGER = re.compile(rb"(?m)^__DEVICE__ \w+ pow\(\w+( \w+)?, int( \w+)?\)( \{\s[^}]*\}|;)\n")
_OWN = ("cuda_fp16.h", "cuda_bf16.h", "cuComplex.h")
_LIBRARY = ("cmath", "cstdlib", "cstdio", "cstring", "climits", "cfloat", "math.h", "stdlib.h")
_HEADERS = Path(__file__).parent / "headers"
_OUR_FOLDERS = (groups_dir(), thrust_shim_dir(), cuda_shim_dir())  # in the place of CUDA's and of HIP's
_GRADIENTS = ("-isystem", str(again.FOLDER))  # what emitted code includes, before cladpy's header library
_LIBRARIES = ("-isystem", str(library_shim_dir()), "-isystem", str(thrust_host_dir()))
_COMPILERS = ("-idirafter", str(_HEADERS / "compiler"))  # what libclang lacks that compilers bring
_OURS = (*(part for folder in _OUR_FOLDERS for part in ("-isystem", str(folder))), *_COMPILERS)


@dataclass(frozen=True, slots=True)
class Headers:
    """What clang is given for CUDA: arguments, and files whose contents are replaced."""

    route: str
    arguments: tuple[str, ...]
    replaced: tuple[tuple[str, bytes], ...] = ()
    has_library: bool = False  # the C library's headers are included
    include: Path | None = None  # where CUDA's own are, for a route that reads those
    has_own_libraries: bool = True  # CUB, Thrust and cuBLAS are cladpy's


def routes(forced: str | None = None) -> list[Headers]:
    """The headers to try, in order. `forced`, or the environment's CLADPY_CUDA_HEADERS, leaves one of ROUTES.

    Raises UsageError for an unknown route, or one that this machine does not have.
    """
    forced = forced or os.environ.get(_FORCED_BY) or None
    if forced is not None and forced not in ROUTES:
        raise UsageError(f"{_FORCED_BY} must be one of {', '.join(ROUTES)}, not {forced!r}")
    found = []
    if forced in (None, "declarations"):
        found += [_declarations(), _with_library(_declarations())]
    for route, include in (("toolkit", toolkit_include()), ("packages", packages_include())):
        if include is not None and (forced == route or (forced is None and len(found) < 3)):
            found.append(_real(route, include, libraries=True))
    if found and found[-1].route == forced and forced != "declarations":  # whoever asks may want the libraries' own
        assert found[-1].include is not None
        found.append(_real(found[-1].route, found[-1].include, libraries=False))
    if not found:
        raise UsageError(f"{_FORCED_BY} is {forced!r}, but there are no such headers on this machine")
    return found


def _declarations() -> Headers:
    arguments = ("-isystem", str(_HEADERS), *_LIBRARIES, *_OURS, *_GRADIENTS)
    arguments += ("-isystem", str(custom_derivatives_dir()))
    return Headers("declarations", (*arguments, "-include", "cladpy_cuda_declarations.h"))


def _with_library(headers: Headers) -> Headers:
    """The same, with what nvcc includes without being asked."""
    library = [part for name in _LIBRARY for part in ("-include", name)]
    return replace(headers, arguments=(*library, *headers.arguments), has_library=True)


def with_own_library(headers: Headers) -> Headers:
    """The same, with cladpy's own version of classes of the C++ library in front, and of Thrust, which does not
    compile with them otherwise: for host code."""
    folders = (_HEADERS / "library", thrust_host_dir())
    own = tuple(part for folder in folders for part in ("-isystem", str(folder)))
    return replace(headers, arguments=(*own, *headers.arguments))


def _real(route: str, include: Path, *, libraries: bool) -> Headers:
    """`libraries` says that CUB, Thrust and cuBLAS are cladpy's own all the same."""
    resource = native_folder() / "resource" / "include"
    own = (*_LIBRARIES, *_OURS) if libraries else _OURS
    arguments = ["-isystem", str(_HEADERS / "toolkit"), *own, "-isystem", str(resource / "cuda_wrappers")]
    arguments += ["-isystem", str(include), *_GRADIENTS, "-isystem", str(custom_derivatives_dir())]
    if (include / "cccl").is_dir():
        arguments += ["-isystem", str(include / "cccl")]
    arguments += ["-include", "__clang_cuda_runtime_wrapper.h", "-include", "cladpy_launches.h"]
    # What cladpy reads in place of CUDA's: other headers of the toolkit include these from beside them.
    replaced = [(str(include / name), (_HEADERS / name).read_bytes()) for name in _OWN]
    variables = (_HEADERS / "toolkit" / "builtin_vars.h").read_bytes()
    replaced.append((str(resource / "__clang_cuda_builtin_vars.h"), variables))
    # clang's wrapper computes pow(float, int) in float, CUDA with the C++ library in double.
    for name in ("__clang_cuda_cmath.h", "__clang_cuda_math_forward_declares.h"):
        text = (resource / name).read_bytes()
        corrected = _POWER_OF_INTEGER.sub(b"", text)
        if corrected != text:
            replaced.append((str(resource / name), corrected))
    return Headers(route, tuple(arguments), tuple(replaced), True, include, libraries)


@cache
def toolkit_include() -> Path | None:
    """The include folder of an installed CUDA toolkit."""
    roots = []
    nvcc = shutil.which("nvcc")
    if nvcc is not None:
        roots.append(Path(nvcc).resolve().parent.parent)
    roots += [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    roots.append(Path("/usr/local/cuda"))
    for root in roots:
        if (root / "include" / "cuda_runtime.h").is_file() and "nvidia" not in root.parts:
            return root / "include"
    return None


@cache
def packages_include() -> Path | None:
    """The include folder of PyPI's CUDA packages: nvidia-cuda-runtime, and for crt/ nvidia-cuda-nvcc or -crt, without
    which the first, as PyTorch brings it, cannot be read."""
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for header in sorted(Path(place).glob("*/include/crt/host_defines.h"), reverse=True):
            if (header.parents[1] / "cuda_runtime.h").is_file():
                return header.parents[1]
    return None
