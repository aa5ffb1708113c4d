"""Programs some of whose headers are not found: what a function needs nothing of is in no way, and what may change it
is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import CladpyWarning
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.toolchain.discovery import find_host_compiler
from tests.frontend.reading import read, refusal

SQUARE = "__global__ void k(real *y, const real *x) { y[threadIdx.x] = scale(x[threadIdx.x]) * x[threadIdx.x]; }\n"
MISSING = "#include <absent/plans.h>\n"
SCALE = "typedef double real;\n__device__ inline real scale(real x) { return x * FACTOR; }\n"
FACTOR = "#define FACTOR 1.5\n"

# What may stand behind the missing header, where the kernel needs nothing of it.
APART = {
    "an object of its class": "absent_plan plan;\n",
    "a member of its class": "struct Solver { absent_plan plan; double *x; void run(); };\n",
    "a function of its types": "absent_status run(absent_plan plan, double *x) { return absent_run(plan, x); }\n",
    "a template": "template <class T> struct Holds { absent_vector<T> x; };\n",
    "a condition in a function": "int main() {\n#ifdef ABSENT_VERSION\n  return 1;\n#endif\n  return 0;\n}\n",
    "a function under a condition": "#ifdef ABSENT_VERSION\nvoid other(double *x, double *y) { *y = *x; }\n#endif\n",
    "a macro under a condition": "#ifndef LOG\n#define LOG(x) ((void)0)\n#endif\n",
    "what is defined by then": "#define WIDE 1\n#if WIDE\n#define LANES 4\n#endif\n",
    "a call of its macro": "ABSENT_REGISTER(first);\n",
    "variables of one statement": "absent_plan one, *two;\n",
}


@pytest.mark.parametrize("name", APART)
def test_what_is_apart_is_in_no_way(name: str) -> None:
    program = read(MISSING + APART[name] + FACTOR + SCALE + SQUARE)
    assert program.missing == ("absent/plans.h",) and "scale" in program.guarded
    assert not {"FACTOR", "operator", "return"} & set(program.guarded)


# What the header may decide of the kernel; and what is said.
DECIDED = {
    "a type": ("#ifdef ABSENT_WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n", "'ABSENT_WIDE'"),
    "a value": ("#ifndef FACTOR\n#define FACTOR 2.0\n#endif\n" + SCALE, "'FACTOR'"),
    "an overload": ("#if PLANS_FAST > 1\n__device__ float scale(float x);\n#endif\n", "'PLANS_FAST'"),
    "its own name": ("#if _WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n", "'_WIDE'"),
    "an overload's error": ("__device__ float scale(absent_number x);\n", "unknown type name 'absent_number'"),
    "a member's error": ("struct real { absent_number x; };\n", "unknown type name 'absent_number'"),
    "a macro before it": ("ABSENT_API\n", "unknown type name 'ABSENT_API'"),
    "a namespace": ("#ifdef ABSENT_WIDE\nusing namespace wide;\n#endif\n", "'ABSENT_WIDE'"),
    "how classes are packed": ("#ifdef absent_DENSE\n#pragma pack(1)\n#endif\n", "'absent_DENSE'"),
}


@pytest.mark.parametrize("name", DECIDED)
def test_what_the_header_may_decide_is_refused(name: str) -> None:
    before, said = DECIDED[name]
    rest = (FACTOR if "FACTOR" not in before else "") + (SCALE if "scale(real" not in before else "")
    if "real;" in before and "typedef" in before and "scale" not in before:
        rest = rest.replace("typedef double real;\n", "")
    if name == "a member's error":
        rest = FACTOR + "__device__ inline double scale(double x) { return x; }\n__device__ real held;\n"
        kernel = "__global__ void k(double *y, const double *x) { y[0] = scale(x[0]); held = real(); }\n"
    else:
        kernel = SQUARE
    text = refusal(MISSING + before + rest + kernel)
    assert "error: 'absent/plans.h' file not found [CP0001]" in text and said in text
    if said.startswith("'"):
        assert "what is compiled here may depend on" in text


def test_a_condition_in_the_function_is_refused_and_one_before_the_header_is_not() -> None:
    condition = "#ifdef ABSENT_WIDE\n#define FACTOR 2.0\n#else\n#define FACTOR 1.5\n#endif\n"
    assert read(condition + MISSING + SCALE + SQUARE).missing
    inside = SQUARE.replace("{ y", "{\n#ifdef ABSENT_WIDE\n  return;\n#endif\n  y")
    assert "'ABSENT_WIDE', which is not defined without it" in refusal(MISSING + FACTOR + SCALE + inside)
    assert read(MISSING + FACTOR + SCALE + inside, defines={"ABSENT_WIDE": "1"}).missing


def test_other_names_the_compiler_is_asked_for() -> None:
    """A library's header defines names that begin as it is called; of the user's own nothing is known."""
    condition = "#ifdef WIDE\n#define FACTOR 2.0\n#else\n#define FACTOR 1.5\n#endif\n"
    program = read(MISSING + condition + SCALE + SQUARE)
    assert "WIDE" in program.guarded and "FACTOR" not in program.guarded
    own = MISSING.replace("<", '"').replace(">", '"')
    assert "'WIDE', which is not defined without it" in refusal(own + condition + SCALE + SQUARE)
    later = MISSING + condition + SCALE + SQUARE + "#define WIDE\n"
    assert "'WIDE', which is not defined without it" in refusal(later)


def test_a_template_without_its_arguments_is_named_first() -> None:
    template = "template <class T> __global__ void k(T *y, const T *x) { y[0] = x[0]; }\nabsent_plan plan;\n"
    text = refusal(MISSING + template)
    assert "'k' is a template [CP0004]" in text and "CP0001" not in text


def test_the_host_compiles_what_is_needed(tmp_path: Path) -> None:
    """Also where the headers of the user's lead to the missing one, and a function launches."""
    (tmp_path / "common.h").write_text(
        "#pragma once\n" + MISSING + "struct Plan { absent_plan plan; int n; };\n"
        "inline int made(Plan *p) { return p->n; }\n" + FACTOR + SCALE
    )
    path = tmp_path / "launches.cu"
    path.write_text(
        '#include "common.h"\nabsent_plan plan;\nstatic Plan *other;\n' + SQUARE + "absent_status run(Plan *p) {\n"
        "#ifdef ABSENT_VERSION\n  return absent_run(plan);\n#endif\n}\n"
        "void h(real *y, const real *x) { k<<<1, 4>>>(y, x); }\nint main() { return made(other) + run(other); }\n"
    )
    with pytest.warns(CladpyWarning, match=r"is read without 'absent/plans.h', which is not found \[CP0015\]"):
        gradient = cladpy.gradient(path, "h", backend="host")
    x, y, d_x, d_y = np.arange(4.0), np.zeros(4), np.zeros(4), np.ones(4)
    gradient.execute(y, x, d_y, d_x)
    np.testing.assert_array_equal(d_x, 3 * x)
    # once it is there, it is found
    (tmp_path / "absent").mkdir()
    header = tmp_path / "absent" / "plans.h"
    header.write_text("typedef int absent_plan, absent_status;\ninline int absent_run(int) { return 1; }\n")
    found = cladpy.gradient(path, "h", backend="host", include_dirs=[tmp_path])
    assert found.derivative.program.missing == ()


@pytest.mark.parametrize("macro", ["", "#define scale(x) 2.0\n"])
def test_the_compiler_is_asked_for_macros(macro: str, tmp_path: Path) -> None:
    """The header, which is there where the gradient is compiled, may define what the kernel uses."""
    code = differentiate(Source("k.cu", MISSING + FACTOR + SCALE + SQUARE, None), "k", "", Options.make(), "cuda").code
    begin = code.index("// Made without absent/plans.h")
    asked = code[begin : code.index("#endif", begin) + len("#endif")]
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "plans.h").write_text("int plans;\n")
    (tmp_path / "k.cpp").write_text(f"{MISSING}{macro}{asked}\n")
    compiler = str(find_host_compiler().path)
    done = subprocess.run(
        [compiler, "-fsyntax-only", f"-I{tmp_path}", tmp_path / "k.cpp"], capture_output=True, text=True
    )
    assert (done.returncode != 0) == bool(macro)
    assert ("made without a header" in done.stderr) == bool(macro)


def test_texture_references_are_in_no_way_of_others() -> None:
    """Older versions of CUDA have them."""
    text = (
        "texture<float4, 2> image;\n__global__ void looked_up(float4 *y) { *y = tex2D(image, 0.5f, 0.5f); }\n"
        "void run(float4 *y) { looked_up<<<1, 1>>>(y); }\n"
    )
    gradient = cladpy.gradient(text + FACTOR + SCALE + SQUARE, "k", backend="host")
    x, y, d_x, d_y = np.arange(4.0), np.zeros(4), np.zeros(4), np.ones(4)
    gradient.execute_kernel(1, 4, y, x, d_y, d_x)
    np.testing.assert_array_equal(d_x, 3 * x)


def test_a_file_that_stands_in_a_body(tmp_path: Path) -> None:
    (tmp_path / "part.cu").write_text("absent_plan plan;\nabsent_run(plan);\n")
    path = tmp_path / "whole.cu"
    path.write_text(MISSING + FACTOR + SCALE + SQUARE + 'int main() {\n#include "part.cu"\n}\n')
    assert read(path).missing
    path.write_text(
        MISSING + '#include "part.cu"\n' + FACTOR + SCALE + SQUARE + 'int main() {\n#include "part.cu"\n}\n'
    )
    assert read(path).missing
