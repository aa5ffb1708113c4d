"""Everything that is emitted for the kernels of the table, and for random ones, compiles without a warning."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.emitted.units import (
    FIRST_INCLUDE,
    HIP,
    HIP_DEVICES,
    NOT_ASSEMBLED,
    compile_with_hipcc,
    compile_with_nvcc,
    compiled,
    derivative_of,
    derivative_of_options,
    unit_of,
    unit_of_cases,
)
from tests.generator import generate
from tests.kernels.cases import GRADIENTS
from tests.programs.cases import CASES as PROGRAMS
from tests.sampling import one_in

FILES = sorted({case.file for case in GRADIENTS})
# What versions of HIP before 6 lack, with what is said then.
_PAIR = "the pair of halves needs ROCm 6 or newer: before, its members are integers"
LACKING_IN_HIP = {"half_pairs": _PAIR, "half_shared": _PAIR, "half_pair_shuffles": _PAIR}
LACKING_IN_HIP["cub_blocks"] = "cub/cub.cuh"  # which is CUDA's
LACKING_IN_HIP["cub_beside_thrust"] = LACKING_IN_HIP["tied_reductions"] = "cub/cub.cuh"
LACKING_IN_HIP["inline_assembly"] = "invalid output constraint"  # PTX is NVIDIA's
LACKING_IN_HIP["wmma"] = "'mma.h' file not found"  # the header is CUDA's
# In a program of one's own; from Python the host's compiler is given PTX and launches as C++.
ONLY_FOR_NVCC = {"inline_assembly", "cub_beside_thrust"}
ONLY_FOR_NVCC |= {case.file for case in GRADIENTS if case.grid is None and b"<<<" in case.path.read_bytes()}
RANDOM_KERNELS = 3
_LANES = re.compile(r"shfl|ballot|warp|__match|__any|__all|__activemask|cooperative_groups|cub/")


# With CLADPY_TEST_ALL in the environment every file is compiled for every target; else for CUDA, and some for others.
ALL = bool(os.environ.get("CLADPY_TEST_ALL"))
LANES = [file for file in FILES if _LANES.search(next(c for c in GRADIENTS if c.file == file).path.read_text())]
FOR_HIP = [
    file for file in FILES if ALL or file in LACKING_IN_HIP or one_in(12, file) or (file in LANES and one_in(2, file))
]
TARGETS = [(file, "cuda") for file in FILES] + [(file, "host") for file in FILES if ALL or one_in(4, file)]
TARGETS = [(file, target) for file, target in TARGETS if target == "cuda" or file not in ONLY_FOR_NVCC]


@pytest.mark.parametrize(("file", "target"), TARGETS)
def test_kernels_of_the_table(file: str, target: str, tmp_path: Path) -> None:
    unit = unit_of_cases([c for c in GRADIENTS if c.file == file], target, tmp_path)
    # the launch functions are much alike: of two in three only what runs on a GPU, which takes a third of the time
    device_only = target == "cuda" and not ALL and not one_in(3, file)
    result = compile_with_nvcc(unit, "c++17", "-ptx", arch=NOT_ASSEMBLED) if device_only else compiled(unit, target)
    assert result, result.output


@pytest.mark.parametrize("target", [HIP])
@pytest.mark.parametrize("file", FOR_HIP)
def test_kernels_of_the_table_in_hip(file: str, target: str, tmp_path: Path) -> None:
    cases = [c for c in GRADIENTS if c.file == file]
    # both where wavefronts matter, else one of them; of all that matter one in three
    both = file in LANES and (ALL or one_in(6, file))
    devices = HIP_DEVICES if both else (HIP_DEVICES[one_in(2, f"{file} for wavefronts")],)
    # what the host does is the same for all kernels, and compiled by other tests
    result = compile_with_hipcc(unit_of_cases(cases, target, tmp_path), "c++17", "--cuda-device-only", devices=devices)
    if not result and file in LACKING_IN_HIP:
        assert LACKING_IN_HIP[file] in result.output
    else:
        assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP])
@pytest.mark.parametrize("file", ["checked", "streams", "kept_values"])
def test_host_programs(file: str, target: str, tmp_path: Path) -> None:
    """Those that ask the runtime for most, other than memory and launches."""
    cases = [case for case in PROGRAMS if case.file == file and not case.refused]
    result = compiled(unit_of_cases(cases, target, tmp_path), target)
    assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_random_kernels(target: str, tmp_path: Path) -> None:
    """In one unit: each program in a namespace of its own, before its gradient."""
    parts: list[str] = []
    for seed in range(RANDOM_KERNELS):
        program = generate(seed)
        derivative = derivative_of(program.text, program.function, program.args, target)
        source = tmp_path / f"source_{seed}.cu"
        source.write_text(f"#pragma GCC system_header\nnamespace program_{seed} {{\n{program.text}\n}}\n")
        parts.append(
            f'#include "{source.name}"\n'
            f"namespace program_{seed} {{\n{derivative.fragment}\n"
            f"void *used = reinterpret_cast<void *>(&{derivative.launch_name});\n}}\n"
        )
    headers = f"{FIRST_INCLUDE[target]}\n#include <cladpy/support.h>\n#include <cladpy/math.h>\n"
    headers += "" if target == "host" else "#include <cladpy/launch.h>\n"
    unit = tmp_path / ("unit.cpp" if target == "host" else "unit.cu")
    unit.write_text(headers + "\n".join(parts))
    # a random program compares things with themselves, and its gradient makes the same decisions
    more = [*(["-Xcompiler"] if target == "cuda" else []), "-Wno-tautological-compare"]
    result = compiled(unit, target, "c++17", *more)
    assert result, result.output


@pytest.mark.parametrize("std", ["c++17", "c++20"])
@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_standards(std: str, target: str, tmp_path: Path) -> None:
    chosen = [c for c in GRADIENTS if c.file in ("talk",)]
    result = compiled(unit_of_cases(chosen, target, tmp_path, std), target, std)
    assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_a_warning_would_be_found(target: str, tmp_path: Path) -> None:
    """The compilers are run so that they do report what is wrong in a fragment."""
    case = next(c for c in GRADIENTS if c.id == "operators-arithmetic")
    derivative = derivative_of(str(case.path), case.function, case.args, target)
    unit = unit_of(case.file, case.path.read_text(), [derivative], tmp_path)
    text = unit.read_text()
    marked = text.replace(f"void {derivative.gradient_name}(", f"void {derivative.gradient_name}(int not_used, ", 1)
    marked = marked.replace("// Runs the gradient", "static void never_called() {}\n// Runs the gradient", 1)
    unit.write_text(marked)
    assert marked != text and not compiled(unit, target)


def test_a_warning_in_the_users_source_is_not_ours(tmp_path: Path) -> None:
    text = "__global__ void k(const double *x, double *y) { int unused = 3; y[threadIdx.x] = x[threadIdx.x]; }\n"
    for target in ("cuda", "host"):
        unit = unit_of("own", text, [derivative_of(text, "k", "x, y", target)], tmp_path)
        result = compiled(unit, target)
        assert result, result.output


@pytest.mark.parametrize("target", ["cuda", HIP])
def test_host_programs_under_a_budget(target: str, tmp_path: Path) -> None:
    cases = {c.function: c for c in PROGRAMS if c.file == "budgets"}
    functions = ("managed", "by_symbol", "by_list")
    path = cases["managed"].path
    derivatives = [derivative_of_options(str(path), f, target, checkpoint="binomial:1G") for f in functions]
    result = compiled(unit_of("budgets", path.read_text(), derivatives, tmp_path), target)
    assert result, result.output


_INSTANTIATED = """template <class T>
__global__ void decayed(T *y, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T a = x[i];
  while (a > T(0.5)) a *= a * T(0.9);
  y[i] = a * x[i];
}
"""


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_instantiations_in_one_unit(target: str, tmp_path: Path) -> None:
    """Their gradients have one name, and are told apart by what they are given."""
    made = [derivative_of(_INSTANTIATED, f"decayed<{type}>", "y, x", target) for type in ("float", "double")]
    assert made[0].launch_name == made[1].launch_name
    unit = unit_of("decayed", _INSTANTIATED, made[:1], tmp_path)
    head = unit.read_text().partition("namespace fragment_0")[0]
    unit.write_text(head + "\n".join(derivative.fragment for derivative in made))
    result = compiled(unit, target)
    assert result, result.output
