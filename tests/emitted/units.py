"""Units to compile: several emitted fragments after the one source that they differentiate, and the compilers' runs.

The user's source is a system header, so that every warning is cladpy's own. Each fragment has a namespace of its own,
since fragments of one source may define the same pullbacks, and a reference to its launch function, without which the
kernel template would not be compiled for any block size.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cladpy.derivative import Derivative
from cladpy.emit.names import words
from cladpy.emit.unit import uses_halves
from cladpy.ir.declared import parameter_types
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import decay
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.resources import include_dirs, thrust_shim_dir
from cladpy.source import Source
from cladpy.toolchain.discovery import Tool, find_hipcc, find_host_compiler, find_nvcc
from tests.kernels.case import Case

# What is asked is whether it compiles, and without warnings: optimising takes as long again, and so does the assembler.
NVCC_EFFORT = ("-Xcicc", "-O1", "-Xptxas", "-O0")
ASSEMBLED = "-arch=sm_90"
NOT_ASSEMBLED = "-arch=compute_90"
HIPCC_EFFORT = ("-O1",)
LONGEST_SECONDS = 600
HOST_WARNINGS = ("-Wall", "-Wextra", "-Werror")

FIRST_INCLUDE = {
    "cuda": "#include <cuda_runtime.h>",
    "hip": "#include <hip/hip_runtime.h>",
    "host": "#include <cladpy/host.h>",
}

# hipcc does not come from PyPI. Where CLADPY_TEST_HIP says that it must be there, these tests run in any case.
_LANES = "#define warpSize 32\n"  # as a file that is emitted whole says to the original in it
# The compiler for HIP makes code for a device whose wavefronts have 64 lanes, and for one with 32.
HIP_DEVICES = ("gfx90a", "gfx1030")
HIP_MISSING = shutil.which("hipcc") is None and not os.environ.get("CLADPY_TEST_HIP")
HIP = pytest.param("hip", marks=pytest.mark.skipif(HIP_MISSING, reason="no hipcc (Debian: apt install hipcc)"))


@dataclass(frozen=True)
class Compiled:
    status: int
    output: str

    def __bool__(self) -> bool:
        return self.status == 0


def derivative_of(source: str, function: str, args: str, target: str, std: str = "c++17") -> Derivative:
    return differentiate(Source.load(source), function, args, Options.make(std=std), target)


def derivative_of_options(source: str, function: str, target: str, *, args: str = "", **options: Any) -> Derivative:
    return differentiate(Source.load(source), function, args, Options.make(**options), target)


def reserved(derivative: Derivative) -> set[str]:
    """Names of ours that C++ reserves: with two underscores, or one and a capital. What begins with two is a
    compiler's, and `_d__x` is made of a name of the user's."""
    own = words(derivative.source.text)
    said = (word for word in words(derivative.fragment) - own if not word.startswith("__"))
    ours = (word for word in said if not any(o[0] == "_" and word.endswith(f"_{o}") for o in own))
    return {word for word in ours if "__" in word or re.match(r"_[A-Z](?!TH)", word)}


def fragments(derivatives: Iterable[Derivative]) -> str:
    """The derivatives after each other, to stand behind what they differentiate."""
    parts = []
    for k, derivative in enumerate(derivatives):
        assert not reserved(derivative)
        parts.append(f"namespace fragment_{k} {{\n{derivative.fragment}\n")
        if derivative.target == "host" and derivative.kind is FunctionKind.HOST and not derivative.options.split:
            parts.append(f"void *used = reinterpret_cast<void *>(&{derivative.gradient_name});\n")  # or it is left out
        if derivative.kind is FunctionKind.KERNEL:
            parts.append(f"void *used = reinterpret_cast<void *>(&{derivative.launch_name});\n")
            # the runtime tells the original from others of its name
            types = parameter_types(derivative.program.entry, [decay(p.type) for p in derivative.parameters])
            parts.append(f"using original = decltype(static_cast<void (*)({types})>({derivative.function_name}));\n")
        parts.append("}\n")
    return "\n".join(parts)


def unit_of(name: str, text: str, derivatives: list[Derivative], folder: Path) -> Path:
    """Writes the source as a system header, and the unit that includes it; the unit's path."""
    (folder / "source").mkdir(parents=True, exist_ok=True)
    (folder / "source" / f"{name}.cu").write_text(f"#pragma GCC system_header\n{text}\n")
    target = derivatives[0].target
    unit = folder / f"{name}.{'cpp' if target == 'host' else 'cu'}"
    # the headers that the units name before the source; support for halves comes after it, as in them
    named = re.compile(r"(?m)^#include <cladpy/(?!half/).*>$")
    headers = "\n".join(dict.fromkeys(line for d in derivatives for line in named.findall(d.code)))
    halves = "#include <cladpy/half/support.h>\n" if any(uses_halves(d.code) for d in derivatives) else ""
    lanes = _LANES if target == "hip" else ""
    source = f'{lanes}#include "source/{name}.cu"\n{halves}'
    unit.write_text(f"{FIRST_INCLUDE[target]}\n{headers}\n{source}\n{fragments(derivatives)}")
    return unit


def unit_of_cases(cases: Iterable[Case], target: str, folder: Path, std: str = "c++17") -> Path:
    """One unit for cases of one file."""
    chosen = list(cases)
    derivatives = [derivative_of(str(c.path), c.function, c.args, target, std) for c in chosen]
    return unit_of(chosen[0].file, chosen[0].path.read_text(), [_of_one_size(d) for d in derivatives], folder)


def _of_one_size(derivative: Derivative) -> Derivative:
    """Kernels that want many registers are compiled for each of four sizes of blocks, which takes four times as long:
    here for the largest only, in other tests for all."""
    largest = r",\s+\d+(?:,\s+\d+)*,\s+1024>\{\{(\w+)<\d+>,[^}]*\}\}"
    fragment = re.sub(largest, r", 1024>{{\1<1024>}}", derivative.fragment)
    return replace(derivative, fragment=fragment)


def compile_with_nvcc(unit: Path, std: str = "c++17", *more: str, arch: str = ASSEMBLED) -> Compiled:
    """Compiles; any warning, of nvcc, ptxas or the host's compiler, is an error."""
    tool = find_nvcc()
    places = [part for folder in include_dirs() for part in ("-I", folder)]
    # the library's constexpr functions are called from device code, as where cladpy compiles itself
    language = ["--expt-relaxed-constexpr", "--extended-lambda"]
    warnings = ["-Werror", "all-warnings", "-Xcompiler", ",".join(HOST_WARNINGS)]
    command = [tool.path, *tool.flags, f"-std={std}", arch, *NVCC_EFFORT, *language, *warnings, *places, *more]
    return _run([*command, "-c", str(unit), "-o", str(unit.with_suffix(".o"))], dict(tool.environment))


def compile_with_hipcc(unit: Path, std: str = "c++17", *more: str, devices: tuple[str, ...] = HIP_DEVICES) -> Compiled:
    """Compiles for AMD GPUs of both kinds; any warning is an error."""
    tool = find_hipcc()
    places = [part for folder in include_dirs("hip") for part in ("-I", folder)]
    places += ["-idirafter", str(thrust_shim_dir())]
    target = ["-x", "hip", *(f"--offload-arch={device}" for device in devices)]
    command = [tool.path, *tool.flags, *target, f"-std={std}", *HIPCC_EFFORT, *HOST_WARNINGS, *places, *more]
    return _run([*command, "-c", str(unit), "-o", str(unit.with_suffix(".o"))], dict(tool.environment))


def compiled(unit: Path, target: str, std: str = "c++17", *more: str) -> Compiled:
    """Compiles a unit of a target as that asks for."""
    compilers = {"cuda": compile_with_nvcc, "hip": compile_with_hipcc, "host": compile_for_host}
    return compilers[target](unit, std, *more)


def compile_for_host(unit: Path, std: str = "c++17", *more: str) -> Compiled:
    """Compiles with the host executor's headers, and links what comes of it, if it is more than looked at; any warning
    is an error."""
    tool = find_host_compiler()
    folders = include_dirs("host")
    places = [part for folder in folders for part in ("-I", folder)]
    command = [tool.path, *tool.flags, f"-std={std}", "-O1", "-pthread", *HOST_WARNINGS, *places, *more]
    command += ["-x", "c++"]  # whatever it is called
    if "-fsyntax-only" in more:
        return _run([*command, str(unit)], {})
    made = unit.with_suffix(".o")
    return _run([*command, "-c", str(unit), "-o", str(made)], {}) and _linked(tool, made, unit.read_text())


def _linked(tool: Tool, made: Path, text: str) -> Compiled:
    """Whether a program of one's own could have this object in it."""
    main = [] if re.search(r"\bint main\(", text) else ["-Wl,--defsym=main=0"]
    return _run([tool.path, *tool.flags, str(made), "-pthread", *main, "-o", str(made.with_suffix(".linked"))], {})


def _limited() -> None:
    """A process of a compiler that takes longer than this, of the processor's time, is one that does not end."""
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_SECONDS, LONGEST_SECONDS))


def _run(command: list[str], environment: dict[str, str]) -> Compiled:
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", **environment},
        preexec_fn=_limited,  # no thread runs besides, and the compiler's own processes inherit it
    )
    return Compiled(done.returncode, done.stdout)
