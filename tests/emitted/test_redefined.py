"""Plain C++ programs that have something of their own by a name of CUDA's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import check
from cladpy.toolchain.discovery import find_host_compiler

_PLAIN = """
#include <cmath>
struct float3 { double x, y, z; float3 operator+(const float3 &o) const { return {x + o.x, y + o.y, z + o.z}; } };
typedef struct { double re, im; } double2;
enum dim3 { ONE = 1, TWO };
inline float3 make_float3(double x, double y, double z) { return {x, y, z}; }
float3 centre = {0.5, 0.25, 0.125};
void f(const double *p, double2 *z, int n) {
  for (int i = 0; i < n; i++) {
    const float3 c = make_float3(p[i], p[i] * p[i], 1) + centre;
    z[i].re = c.x * std::sin(c.y) * TWO;
    z[i].im += c.z * c.z * p[i];
  }
}
"""
_MAIN = """
#include "unit.h"
int main() {
  double p[] = {2}, d_p[] = {0};
  double2 z[1] = {}, d_z[] = {{0, 1}};
  f_grad(p, z, 1, d_p, d_z);
  return d_p[0] != 1.125 * 1.125;
}
"""


def test_the_gradient_is_that_of_the_programs_own() -> None:
    gradient = cladpy.gradient(_PLAIN, "f", backend="host")
    z = np.zeros(3, [("re", "f8"), ("im", "f8")])
    report = check(gradient, None, None, [np.array([0.5, 1.0, 2.0]), z, 3])
    assert report.ok, report.text()


def test_what_is_emitted_compiles_with_them(tmp_path: Path) -> None:
    (tmp_path / "plain.cpp").write_text(_PLAIN)
    gradient = cladpy.gradient(tmp_path / "plain.cpp", "f", backend="host")
    (tmp_path / "unit.h").write_text(gradient.code)
    (tmp_path / "main.cpp").write_text(_MAIN)
    folders = [flag for folder in cladpy.include_dirs("host") for flag in ("-I", str(folder))]
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", *folders]
    subprocess.run([find_host_compiler().path, "main.cpp", "-o", "main", *flags], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


def test_programs_for_cuda_have_none() -> None:
    with pytest.raises(cladpy.DifferentiationError, match="redefinition of 'float3'"):
        cladpy.gradient("__device__ double g;\nstruct float3 { double x; };\ndouble f(float3 v) { return v.x; }", "f")
