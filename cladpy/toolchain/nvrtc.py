"""CUDA C++ to device code alone, by NVRTC: a library, which needs neither nvcc nor a compiler for the host."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.resources import include_dirs
from cladpy.source import Source
from cladpy.toolchain.build import Unit, build, mentions, user_flags
from cladpy.toolchain.complaints import complaint
from cladpy.toolchain.cuda import normalize_arch
from cladpy.toolchain.discovery import Tool, cuda_roots, pypi_roots
from cladpy.toolchain.nvrtc_headers import COPIES, PRELUDE, nvrtc_headers

NVRTC_HINT = "pip install nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-cccl (or cladpy[cuda])"
_NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
_COPIES = re.compile(r'#\s*include\s*[<"]cuda_(pipeline|awbarrier)')
_HALVES = re.compile(r'#\s*include\s*[<"](cuda_fp16|cladpy/half)')
_UNKNOWN = re.compile(r"#pragma nv_mangled_name (&\S+)")
# As the compiler says it, and as others do, which `complaint` reads.
_ERROR = re.compile(r"^(.+?)\((\d+)\): (?:catastrophic )?error: ", re.MULTILINE)


class Nvrtc:
    """The functions of the library that cladpy calls."""

    def __init__(self, path: str) -> None:
        """Raises OSError where it cannot be loaded, AttributeError where it is none."""
        for beside in sorted(Path(path).parent.glob("libnvrtc-builtins.so.*")):  # which it looks for by its name
            ctypes.CDLL(str(beside), mode=ctypes.RTLD_GLOBAL)
        self._library = ctypes.CDLL(path)
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self.tool = Tool(path, f"NVRTC, release {major.value}.{minor.value}")

    def compile(
        self, text: str, name: str, headers: Mapping[str, str], names: Sequence[str], flags: Sequence[str]
    ) -> tuple[bytes | None, dict[str, str], str]:
        """Device code, none where there are errors; what the linker calls what C++ spells so, but for variables that it
        does not know by a name; what is said."""
        code, lowered, said = self._compiled(text, name, headers, names, flags)
        unknown = set(_UNKNOWN.findall(said)) if code is None else set()
        if unknown:
            return self._compiled(text, name, headers, [n for n in names if n not in unknown], flags)
        return code, lowered, said

    def _compiled(
        self, text: str, name: str, headers: Mapping[str, str], names: Sequence[str], flags: Sequence[str]
    ) -> tuple[bytes | None, dict[str, str], str]:
        program = ctypes.c_void_p()
        encoded = text.encode("utf-8", errors="surrogateescape")
        contents, called = (_strings(part) for part in (headers.values(), headers.keys()))
        about = ctypes.byref(program), encoded, os.fsencode(name), len(headers), contents, called
        self._call("nvrtcCreateProgram", *about)
        try:
            for wanted in names:
                self._call("nvrtcAddNameExpression", program, wanted.encode())
            failed = self._library.nvrtcCompileProgram(program, len(flags), _strings(flags))
            said = self._bytes("nvrtcGetProgramLog", program).rstrip(b"\0").decode(errors="replace")
            if failed:
                return None, {}, said or self._text(failed)
            lowered = {}
            for wanted in names:
                found = ctypes.c_char_p()
                self._call("nvrtcGetLoweredName", program, wanted.encode(), ctypes.byref(found))
                lowered[wanted] = (found.value or b"").decode()
            return self._bytes("nvrtcGetCUBIN", program), lowered, said
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))

    def _bytes(self, function: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"{function}Size", program, ctypes.byref(size))
        memory = ctypes.create_string_buffer(size.value)
        self._call(function, program, memory)
        return memory.raw

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            raise ToolchainError(f"{name}: {self._text(status)}")

    def _text(self, status: int) -> str:
        return str(self._library.nvrtcGetErrorString(status).decode(errors="replace"))


def _strings(texts: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [t.encode("utf-8", errors="surrogateescape") for t in texts]
    return (ctypes.c_char_p * max(1, len(encoded)))(*encoded)


def _candidates() -> Iterator[str]:
    for root in (*cuda_roots(), *pypi_roots()):
        for folder in ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"):
            yield from (str(root / folder / name) for name in _NAMES if (root / folder / name).is_file())
    yield from _NAMES  # where the system's loader finds it, or the process has it


@cache
def _loaded() -> Nvrtc:
    for path in _candidates():
        try:
            return Nvrtc(path)
        except (OSError, AttributeError):
            continue
    raise ToolchainError(f"NVRTC, CUDA's compiler as a library, was not found\nhint: {NVRTC_HINT}")


def find_nvrtc() -> Tool:
    """NVRTC of CUDA_HOME, /usr/local/cuda, PyPI's packages, or where the loader finds it. Raises ToolchainError where
    there is none."""
    return _loaded().tool


def _toolkit_includes() -> list[str]:
    """Where headers are: beside NVRTC first, else where the runtime's are, and last those of other packages."""
    own = Path(os.path.realpath(find_nvrtc().path)).parents
    roots = [*cuda_roots(), *pypi_roots()]
    roots.sort(key=lambda root: Path(os.path.realpath(root)) not in own)
    found = [root / "include" for root in roots if (root / "include" / "cuda_runtime.h").is_file()]
    if not found:
        raise ToolchainError(f"CUDA's headers were not found, which NVRTC needs\nhint: {NVRTC_HINT}")
    places = [folder for root in (found[0].parent, *roots) for folder in (root / "include", root / "include" / "cccl")]
    return list(dict.fromkeys(str(place) for place in places if place.is_dir()))


def compile_nvrtc(
    text: str,
    names: Sequence[str],
    *,
    source: Source | None = None,
    dependencies: Sequence[str | Path] = (),
    std: str = "c++17",
    include_directories: Sequence[str | Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    arch: str | None = None,
) -> Path:
    """Compiles `text`, which has nothing of the host's, to device code for `arch` (sm_90 if None): a file that `load`
    reads. `names` spell the kernels and variables that are asked for; the rest is as for `compile_cuda`.
    CLADPY_NVRTC_FLAGS adds flags. Raises ToolchainError where there is no NVRTC, or where it fails."""
    compiler = _loaded()
    flags = [
        f"-std={std}",
        f"-arch={normalize_arch(arch)}",
        "-default-device",  # what says nothing of where it runs is for kernels, as constants are
        "-w",  # of the user's code it is not asked what is odd
        f"--pre-include={PRELUDE}",
        *([] if mentions(_HALVES, text, source, dependencies) else ["-DCUDA_NO_HALF"]),  # CCCL includes their header
        *([f"--pre-include={COPIES}"] if mentions(_COPIES, text, source, dependencies) else []),
        *_joined(user_flags(include_directories, defines)),
        *(f"-I{folder}" for folder in (*include_dirs("cuda"), *_toolkit_includes())),
        *shlex.split(os.environ.get("CLADPY_NVRTC_FLAGS", "")),
    ]

    def compile_in(folder: Path) -> Path:
        places = [f"-I{folder / name}" for name in ("source", "beside")]
        unit = str(folder / "unit.cu")
        code, lowered, said = compiler.compile(text, unit, nvrtc_headers(), names, [*places, *flags])
        if code is None:
            said = _ERROR.sub(r"\1:\2:1: error: ", said.replace(f"{folder}{os.sep}", ""))
            error = complaint(said, "NVRTC", text, source, dependencies, _HINT) if source is not None else None
            raise error or ToolchainError(f"NVRTC failed:\n{said.strip()}")
        (folder / "unit.so").write_bytes(json.dumps(lowered).encode() + b"\n" + code)
        return folder / "unit.so"

    headers = [f"{name}: {content}" for name, content in nvrtc_headers().items()]
    return build(Unit(text, source, dependencies), compiler.tool, ".cu", [*flags, *names, *headers], compile_in)


_HINT = (
    "NVRTC compiles code for devices alone: install nvcc and a C++ compiler, which take whole programs, or move what "
    "the kernel does not need to another file"
)


def load(path: Path) -> tuple[dict[str, str], bytes]:
    """What `compile_nvrtc` has made: what the linker calls what was asked for, and the code."""
    first, _, code = path.read_bytes().partition(b"\n")
    return json.loads(first), code


def _joined(flags: Sequence[str]) -> list[str]:
    """With each folder behind its -I, as NVRTC takes it."""
    return [f"-I{flags[i + 1]}" if f == "-I" else f for i, f in enumerate(flags) if i == 0 or flags[i - 1] != "-I"]
