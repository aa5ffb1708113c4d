"""Which macros are defined where a program's own text begins: asked of the compiler that will compile it.

A compiler defines some thousand by itself and by what it includes without being asked (nvcc: cuda_runtime.h), and so do
the headers that emitted code includes before the program. Compilers are asked once, with nothing of the user's; their
answers stay in the compile cache. Where there is no compiler, the macros of nvcc 13.0 with g++ 12 stand for it, or
those of hipcc 5.2, which are shipped.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cladpy.diagnostics import ToolchainError, UsageError
from cladpy.resources import custom_derivatives_dir, include_dirs
from cladpy.targets import TARGETS
from cladpy.toolchain import cache
from cladpy.toolchain.build import VARIABLES
from cladpy.toolchain.cuda import DEFAULT_ARCH, normalize_arch, nvcc_flags
from cladpy.toolchain.discovery import Place, hipcc_place, host_compiler_place, nvcc_place
from cladpy.toolchain.hip import DEFAULT_ARCH as DEFAULT_GFX
from cladpy.toolchain.hip import hipcc_flags
from cladpy.toolchain.host import FIBERS, WORKERS, host_flags

_DEFINITION = re.compile(r"#define (\w+)(\([^)]*\))?(?: (.*))?")
_ARCH = "__CUDA_ARCH__"
# What nvcc tells only the pass that reads device code.
_DEVICE_ONLY = re.compile(r"__CUDA_ARCH(?!_LIST)\w*|CUDA_DOUBLE_MATH_FUNCTIONS")
# What of the shipped macros of hipcc is another for other devices than the one that they are for.
_OF_AMD_DEVICE = re.compile(r"__(?:gfx|GFX|amdgcn|AMDGCN|AMDGPU|HIP_ARCH)|FP_FAST")
_SHIPPED = Path(__file__).parent / "predefined_macros"
_SECONDS = 60
# What every emitted unit includes before the program.
_BEFORE = "#include <cladpy/support.h>\n#include <cladpy/math.h>\n"

Definitions = Mapping[str, tuple[str, str]]
"""By name: the parameters with their parentheses, empty for none, and what the macro stands for."""

# Behind it emitted code has the body of a kernel again, for a whole block: its gradient is one of what is for a thread.
_PHASES = "CLADPY_PHASES"


@dataclass(frozen=True, slots=True)
class Macros:
    """What device code sees defined, and what host code does. The host backend compiles a program once: there `host`
    is for programs that run no kernel, and all of a program that does is as `device`."""

    device: Definitions
    host: Definitions
    tool: Place | None = None  # that has been asked
    flags: tuple[str, ...] = ()
    suffix: str = ""  # of files that it compiles
    unsettled: frozenset[str] = frozenset()  # names that are not the same in all ways to compile a program

    def answers(self, questions: Sequence[str]) -> list[int] | None:
        """The values of expressions that only the compiler's preprocessor knows, such as `__has_builtin(x)`; None
        where there is no compiler, or one of them is no value."""
        if self.tool is None:
            return None
        key = (*_identity(self.tool), *self.flags, "", *questions)
        if key not in _answered:
            _answered[key] = _answers(self.tool, self.flags, self.suffix, questions)
        return _answered[key]


_answered: dict[tuple[str, ...], list[int] | None] = {}


def macros_of(target: str, std: str, arch: str | None, more: tuple[str, ...] = ()) -> Macros:
    """The macros of the compiler for a target ("cuda", "hip", "host" or "kokkos"), which is given `more` flags."""
    environment = tuple(os.environ.get(name, "") for name in (*VARIABLES, *_ASKED, "PATH"))
    return _macros_of(target, std, arch, more, environment)


_ASKED = ("CXX", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "CLADPY_HOST_FLAGS", "CLADPY_NVCC_FLAGS", "CLADPY_HIPCC_FLAGS")


@lru_cache(maxsize=32)
def _macros_of(target: str, std: str, arch: str | None, more: tuple[str, ...], environment: tuple[str, ...]) -> Macros:
    compiler = _compiler(target)
    try:
        places = [part for folder in include_dirs(target) for part in ("-I", folder)]
        return compiler.macros(compiler.place(), std, arch, [*more, *places, *_extra(compiler.flags)])
    except (ToolchainError, UsageError, ValueError):
        return compiler.shipped(arch)


@dataclass(frozen=True, slots=True)
class _Compiler:
    """Who compiles for a target. `macros` asks it, by standard, architecture and more flags; `shipped` stands for one
    that is not here; `flags` is the variable with the user's flags."""

    place: Callable[[], Place]
    macros: Callable[[Place, str, str | None, list[str]], Macros]
    shipped: Callable[[str | None], Macros]
    flags: str


def _compiler(target: str) -> _Compiler:
    compilers = {
        "cuda": _Compiler(nvcc_place, _of_nvcc, _shipped_nvcc, "CLADPY_NVCC_FLAGS"),
        "hip": _Compiler(hipcc_place, _of_hipcc, _shipped_hipcc, "CLADPY_HIPCC_FLAGS"),
        "host": _Compiler(host_compiler_place, _of_host, _shipped_host, "CLADPY_HOST_FLAGS"),
    }
    return compilers["host" if TARGETS[target].is_portable else target]


def place_of(target: str) -> Place:
    """The compiler for a target. Raises ToolchainError where there is none."""
    return _compiler(target).place()


def _sm(arch: str | None) -> str | None:
    try:
        return normalize_arch(arch)
    except UsageError:  # of another target
        return None


def _extra(variable: str) -> list[str]:
    return shlex.split(os.environ.get(variable, ""))


def _of_nvcc(tool: Place, std: str, arch: str | None, more: list[str]) -> Macros:
    flags = [*nvcc_flags(std, _sm(arch)), *more]
    asked = [*flags, "-E", "-Xcompiler", "-dM"]
    device = _ask(tool, asked, ".cu")
    only = [part for name in device if _DEVICE_ONLY.fullmatch(name) for part in ("-Xcompiler", f"-U{name}")]
    return Macros(device, _ask(tool, [*asked, *only], ".cu"), tool, (*flags, "-E"), ".cu")


def _of_hipcc(tool: Place, std: str, arch: str | None, more: list[str]) -> Macros:
    flags = [*hipcc_flags(std, arch if arch is not None and arch.startswith("gfx") else None)]
    flags += ["-include", "cuda_runtime.h", *more]
    device, host = (_ask(tool, [*flags, f"--cuda-{side}-only", "-dM", "-E"], ".hip") for side in ("device", "host"))
    return Macros(device, host, tool, (*flags, "--cuda-device-only", "-E"), ".hip")


def _of_host(tool: Place, std: str, arch: str | None, more: list[str]) -> Macros:
    """Kernels are run by workers or by fibers, which is chosen at the call."""
    flags = [*host_flags(std), "-ffp-contract=off", "-fPIC", "-pthread", *more, "-include", "cladpy/host.h"]
    device, other = (_ask(tool, [*flags, *way, "-dM", "-E"], ".cpp") for way in (WORKERS, FIBERS))
    unsettled = frozenset(n for n in {*device, *other} if device.get(n) != other.get(n) and n != _PHASES)
    return Macros(device, _without_arch(device), tool, (*flags, "-E"), ".cpp", unsettled)


def _without_arch(definitions: Definitions) -> Definitions:
    return {name: given for name, given in definitions.items() if name != _ARCH}


def _shipped_nvcc(arch: str | None) -> Macros:
    number = re.match(r"sm_(\d+)", _sm(arch) or DEFAULT_ARCH)
    virtual = f"{number[1]}0" if number is not None else "900"
    host = parsed((_SHIPPED / "nvcc.txt").read_text(encoding="utf-8"))
    more = parsed((_SHIPPED / "nvcc_device.txt").read_text(encoding="utf-8"))
    return Macros({**host, **more, _ARCH: ("", virtual)}, host)


def _shipped_hipcc(arch: str | None) -> Macros:
    host = parsed((_SHIPPED / "hipcc.txt").read_text(encoding="utf-8"))
    device = {**host, **parsed((_SHIPPED / "hipcc_device.txt").read_text(encoding="utf-8"))}
    unsettled: set[str] = set()
    if arch is not None and arch.startswith("gfx") and arch != DEFAULT_GFX:
        unsettled = {*filter(_OF_AMD_DEVICE.match, device), f"__{arch}__", *(f"__GFX{n}__" for n in range(6, 13))}
    return Macros(device, host, unsettled=frozenset(unsettled))


def _shipped_host(arch: str | None) -> Macros:
    keywords = (custom_derivatives_dir() / "cladpy" / "host" / "keywords.h").read_text(encoding="utf-8")
    own = parsed("\n".join(line for line in keywords.splitlines() if line.startswith("#define ")))
    device = {**parsed((_SHIPPED / "gxx.txt").read_text(encoding="utf-8")), **own}
    return Macros(device, _without_arch(device))


def parsed(text: str) -> Definitions:
    """The definitions that a compiler prints with -dM."""
    found = (_DEFINITION.fullmatch(line) for line in text.splitlines())
    return {m[1]: (m[2] or "", (m[3] or "").strip()) for m in found if m is not None}


def _ask(tool: Place, arguments: Sequence[str], suffix: str) -> Definitions:
    """What the compiler prints, from the cache where it has been asked before. Raises ToolchainError."""
    headers = list(cache.digest_of_tree(custom_derivatives_dir()))
    environment = [f"{name}={os.environ.get(name, '')}" for name in VARIABLES]
    key = cache.digest_of(["macros", *_identity(tool), *arguments, suffix, *environment, *headers])
    try:
        kept = cache.look_up(key)
        if kept is not None:
            return parsed(kept.read_text(encoding="utf-8", errors="replace"))
    except (ToolchainError, OSError):
        kept = None
    text = _preprocessed(tool, arguments, suffix, _BEFORE)
    try:
        with cache.building() as folder:
            (folder / "macros").write_text(text, encoding="utf-8")
            cache.store(key, folder / "macros")
    except (ToolchainError, OSError):
        return parsed(text)  # and it is asked again next time
    return parsed(text)


def identity_of(target: str) -> list[str]:
    """What tells the compiler for a target from another; empty where there is none."""
    try:
        return _identity(place_of(target))
    except ToolchainError:
        return []


def _identity(tool: Place) -> list[str]:
    """What tells a compiler from another, and from one that took its place; nvcc is also the g++ that it calls."""
    found = [*tool.flags]
    for path in (tool.path, shutil.which("g++") or "", shutil.which("gcc") or ""):
        real = os.path.realpath(path)
        try:
            status = os.stat(real)
            found += [path, real, str(status.st_mtime_ns), str(status.st_size)]
        except OSError:
            found += [path, real, "absent"]
    return found


def _preprocessed(tool: Place, arguments: Sequence[str], suffix: str, text: str) -> str:
    """What the compiler's preprocessor makes of a text. Raises ToolchainError where it fails."""
    with tempfile.TemporaryDirectory(prefix="cladpy-") as folder:
        (Path(folder) / f"asked{suffix}").write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603
                [tool.path, *tool.flags, *arguments, f"asked{suffix}"],
                cwd=folder,
                env={**os.environ, "LC_ALL": "C", **tool.environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise ToolchainError(f"{tool.path} does not say which macros it defines: {error}") from None
    return done.stdout.decode("utf-8", errors="replace")


# The values that `__has_cpp_attribute` and its like have: 0, 1, and when something came into the standard.
_VALUES = (0, 1, 200809, 201309, 201411, 201603, 201803, 201806, 201907, 202002, 202106, 202110, 202202, 202207, 202306)
_ANSWER = re.compile(r"^cladpy_answer (\d+) (\d+)$", re.MULTILINE)


def _answers(tool: Place, flags: Sequence[str], suffix: str, questions: Sequence[str]) -> list[int] | None:
    lines = []
    for k, question in enumerate(questions):
        for n, value in enumerate(_VALUES):
            lines += [f"#{'el' if n else ''}if ({question}) == {value}", f"cladpy_answer {k} {value}"]
        lines.append("#endif")
    try:
        text = _preprocessed(tool, flags, suffix, "\n".join(lines) + "\n")
    except ToolchainError:
        return None
    found = {int(k): int(value) for k, value in _ANSWER.findall(text)}
    return [found[k] for k in range(len(questions))] if len(found) == len(questions) else None
