"""What programs that are compiled with CLADPY_CHECKED are told of where adjoints lie, and others are not."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.emitted.units import compile_for_host, derivative_of_options

PROGRAM = """
struct Opaque;
struct Scaled { float *at; float by; };
__global__ void scale(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * x[i];
}
__global__ void by(Scaled s, float *y) { y[threadIdx.x] = s.at[threadIdx.x] * s.by; }
double total(const double *x, double (&z)[3], const double *w, Opaque *, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * z[i] * w[0];
  return sum;
}
"""
MAIN = """
#include <cstdio>

namespace {
float x[2] = {1, 2}, y[2], d_x[4], d_y[4] = {1, 1}, d_a;
double v[3] = {1, 2, 3}, z[3] = {1, 1, 1}, w[1] = {1}, d_v[3], d_z[3], d_w[1];

void launched(cudaError_t error) {
  if (error == cudaSuccess)
    std::printf("done\\n");
  else
    std::printf("%d %s\\n", error == cudaErrorInvalidValue, cladpy_test_refusal());
}
void called(double *d_x, double *d_z, const double *v = ::v) {
  try {
    total_grad(v, z, w, nullptr, v ? 3 : 0, d_x, d_z, d_w);
    std::printf("done\\n");
  } catch (const std::exception &thrown) {
    std::printf("%s\\n", thrown.what());
  }
}
}

int main() {
  launched(scale_grad_launch(1, 2, 0, nullptr, x, y, 3, 2, d_x, d_y, &d_a));
  launched(scale_grad_launch(1, 2, 0, nullptr, x, y, 3, 2, d_x, d_x, &d_a));
  launched(scale_grad_launch(1, 2, 0, nullptr, x, y, 3, 2, x, d_y, &d_a));
  launched(scale_grad_0_1_launch(1, 2, 0, nullptr, x, y, 3, 2, y, d_y));
  launched(exact::scale_grad_launch(1, 2, 0, nullptr, x, y, 3, 2, d_x, d_y, d_y));
  launched(overlapping::scale_grad_launch(1, 2, 0, nullptr, y, y, 3, 2, d_y, d_y, &d_a));
  launched(by_grad_launch(1, 2, 0, nullptr, {x, 2}, y, {d_x, 0}, d_y, nullptr));
  launched(by_grad_launch(1, 2, 0, nullptr, {x, 2}, y, {d_x, 0}, d_y, d_y));
  called(d_v, d_z);
  called(d_v, d_v);
  called(z + 1, d_z);  // in an array of known size
  called(d_v, nullptr);
  called(nullptr, d_z, nullptr);  // there are no elements
  halves::total_grad_tape tape(v, z, w, nullptr, 3);
  tape.forward();
  try {
    tape.reverse(d_v, d_v, d_w);
  } catch (const cladpy_test_error &thrown) {
    std::printf("%s\\n", thrown.what());
  }
  return d_v[1] != 1 || d_x[1] != 12 || d_a != 5;  // what is right has been computed
}
"""
CHECKED = "#define cladpy_test_refusal cladpy::last_refusal\n#define cladpy_test_error cladpy::program_error\n"
SAID = """
done
1 scale_grad: _d_x and _d_y share memory; an adjoint needs its own
1 scale_grad: x and _d_x share memory; an adjoint needs its own
1 scale_grad_0_1: y and _d_x share memory; an adjoint needs its own
1 scale_grad: _d_y and _d_a share memory; an adjoint needs its own
done
done
1 by_grad: _d_y and _d_s_by share memory; an adjoint needs its own
done
total_grad: _d_x and _d_z share memory; an adjoint needs its own
total_grad: z and _d_x share memory; an adjoint needs its own
total_grad: _d_z is null; the gradient adds to it
done
total_grad: _d_x and _d_z share memory; an adjoint needs its own
"""

UNCHECKED = """
float x[2] = {1, 2}, y[2], shared[2] = {1, 1}, d_a;
int main() { return scale_grad_launch(1, 2, 0, nullptr, x, y, 3, 2, shared, shared, &d_a); }
"""


def unit() -> str:
    own = [("scale", "", {}), ("scale", "x, y", {}), ("by", "", {}), ("total", "", {})]
    others = [
        ("exact", "scale", {"accumulate": "deterministic"}),
        ("overlapping", "scale", {"may_alias": True}),
        ("halves", "total", {"split": True}),
    ]
    first, *rest = (derivative_of_options(PROGRAM, f, "host", args=args, **how) for f, args, how in own)
    parts = [*(f"#include <cladpy/{h}.h>" for h in ("support", "program", "tape", "exact")), first.code]
    parts += [d.fragment for d in rest]
    for space, function, how in others:
        parts.append(f"namespace {space} {{\n{derivative_of_options(PROGRAM, function, 'host', **how).fragment}\n}}")
    return "\n".join(["#include <cladpy/host.h>", *parts, CHECKED, MAIN])


def test_adjoints_that_share_memory_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "unit.cpp"
    path.write_text(unit())
    result = compile_for_host(path, "c++17", "-O0", "-DCLADPY_CHECKED")
    assert result, result.output
    done = subprocess.run([str(path.with_suffix(".linked"))], capture_output=True, text=True, check=True)
    assert done.stdout == SAID.lstrip()


def test_without_the_macro_nothing_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "unit.cpp"
    path.write_text(derivative_of_options(PROGRAM, "scale", "host").code + UNCHECKED)
    result = compile_for_host(path, "c++17", "-O0")
    assert result, result.output
    subprocess.run([str(path.with_suffix(".linked"))], check=True)
