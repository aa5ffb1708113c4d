"""Which compilers are here: a C++ compiler for the host, nvcc, hipcc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from cladpy.diagnostics import ToolchainError

HOST_COMPILERS = ("g++", "clang++", "c++")

HOST_HINT = "install a C++ compiler, such as g++ (Debian: apt install g++), or name one in the environment variable CXX"
NVCC_HINT = (
    "install the CUDA toolkit and put nvcc on PATH or set CUDA_HOME, or install PyPI's packages: "
    "pip install nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-cccl nvidia-nvvm nvidia-cuda-crt"
)
HIPCC_HINT = "install ROCm's compiler (Debian: apt install hipcc)"


@dataclass(frozen=True, slots=True)
class Tool:
    """A compiler: its path, the first lines of `--version`, and the flags it always needs here."""

    path: str
    version: str
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_clang(self) -> bool:
        return "clang" in self.version

    @property
    def release(self) -> str:
        """The version number alone, such as `12.2.0`, or the empty string."""
        found = re.search(r"release (\d+\.\d+)", self.version) or re.search(r"\b(\d+\.\d+(?:\.\d+)?)\b", self.version)
        return found[1] if found else ""


@lru_cache(maxsize=32)
def _version(path: str, modified: int, environment: tuple[tuple[str, str], ...]) -> str:
    """What `path --version` prints; `modified` makes a replaced compiler a new one."""
    try:
        done = subprocess.run(  # noqa: S603
            [path, "--version"],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, "LC_ALL": "C", **dict(environment)},
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolchainError(f"{path} does not run: {error}") from None
    return done.stdout.strip()


def _tool(path: str, flags: tuple[str, ...] = (), environment: Mapping[str, str] | None = None) -> Tool:
    real = os.path.realpath(path)
    variables = tuple(sorted((environment or {}).items()))
    return Tool(path, _version(path, os.stat(real).st_mtime_ns, variables), flags, environment or {})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a compiler is, of which nothing else is known yet."""

    path: str
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def tool(self) -> Tool:
        """Raises ToolchainError where it does not say what it is."""
        return _tool(self.path, self.flags, self.environment)


def find_host_compiler() -> Tool:
    """CXX, else g++, clang++ or c++ of PATH. Raises ToolchainError where there is none."""
    return host_compiler_place().tool()


def host_compiler_place() -> Place:
    """See `find_host_compiler`, which asks the compiler for its version too."""
    wanted = os.environ.get("CXX", "").split()
    if wanted:
        path = shutil.which(wanted[0])
        if path is None:
            raise ToolchainError(f"the C++ compiler that CXX names, {wanted[0]!r}, is not there\nhint: {HOST_HINT}")
        return Place(path, tuple(wanted[1:]))
    for name in HOST_COMPILERS:
        path = shutil.which(name)
        if path is not None:
            return Place(path)
    raise ToolchainError(f"no C++ compiler was found (looked for {', '.join(HOST_COMPILERS)})\nhint: {HOST_HINT}")


def pypi_roots() -> Iterator[Path]:
    """CUDA roots that PyPI's nvidia packages make: `nvidia/cu13` has bin, nvvm and include of all of them."""
    for entry in sys.path:
        folder = Path(entry or ".") / "nvidia"
        if folder.is_dir():
            yield from sorted(folder.glob("cu[0-9]*"), reverse=True)
            yield from sorted(folder.glob("cu[a-z]*"))  # of CUDA 12, each for itself


def cuda_roots() -> Iterator[Path]:
    """Where a toolkit is said to be, or usually is."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    yield Path("/usr/local/cuda")


def nvcc_candidates() -> Iterator[Path]:
    """The places where nvcc may be, best first."""
    on_path = shutil.which("nvcc")
    if on_path:
        yield Path(on_path)
    for root in (*cuda_roots(), *pypi_roots()):
        yield root / "bin" / "nvcc"


def find_nvcc() -> Tool:
    """nvcc of PATH, CUDA_HOME, /usr/local/cuda or PyPI's packages. Raises ToolchainError where there is none."""
    return nvcc_place().tool()


def nvcc_place() -> Place:
    """See `find_nvcc`, which asks the compiler for its version too."""
    for path in nvcc_candidates():
        if not path.is_file():
            continue
        if not os.access(path, os.X_OK):
            # a wheel unpacked by a tool that drops permissions
            raise ToolchainError(f"{path} is not executable\nhint: chmod +x {path.parent}/*")
        root = path.resolve().parent.parent
        if any(root == pypi.resolve() for pypi in pypi_roots()):
            return Place(str(path), _pypi_flags(root))
        return Place(str(path))
    raise ToolchainError(f"nvcc, CUDA's compiler, was not found\nhint: {NVCC_HINT}")


def _pypi_flags(root: Path) -> tuple[str, ...]:
    """The wheels keep libraries in `lib`, where nvcc of a toolkit looks in `lib64`."""
    flags = [f"-I{folder}" for folder in (root / "include", root / "include" / "cccl") if folder.is_dir()]
    flags += [f"-L{folder}" for folder in (root / "lib", root / "lib64") if folder.is_dir()]
    return tuple(flags)


def find_hipcc() -> Tool:
    """hipcc of PATH or of ROCM_PATH. Raises ToolchainError where there is none."""
    return hipcc_place().tool()


def hipcc_place() -> Place:
    """See `find_hipcc`, which asks the compiler for its version too."""
    path = shutil.which("hipcc")
    if path is None and os.environ.get("ROCM_PATH"):
        path = shutil.which(str(Path(os.environ["ROCM_PATH"]) / "bin" / "hipcc"))
    if path is None:
        raise ToolchainError(f"hipcc was not found\nhint: {HIPCC_HINT}")
    # where nvcc is there too, hipcc would take it for the compiler that is meant
    return Place(path, environment={"HIP_PLATFORM": "amd"})
