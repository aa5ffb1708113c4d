"""The split forms of gradients compile, without a warning, and do in C++ what they say."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.emitted.units import HIP, compile_for_host, compiled, derivative_of_options, unit_of
from tests.programs.cases import CASES

MAIN = """
#include <cstdio>

template <class Call>
static const char *said(Call call) {
  try {
    call();
  } catch (const std::exception &thrown) {
    static char text[200];
    snprintf(text, sizeof text, "%s", thrown.what());
    return text;
  }
  return "nothing";
}

int main() {
  double x[3] = {1, 2, 3}, d_x[3] = {0, 0, 0};
  {
    fragment_0::in_place_grad_tape unused(x, 3);
    std::printf("%s\\n", said([&] { unused.reverse(d_x); }));
    std::printf("%s\\n", said([&] { unused.forward(); }));  // nobody has said how large x is
  }
  cladpy::declare_range(x, sizeof x);
  fragment_0::in_place_grad_tape tape(x, 3), another(x, 2);
  const double value = tape.forward();
  std::printf("%g: %g %g %g\\n", value, x[0], x[1], x[2]);
  another.forward();  // from where the first has come to, and used by nobody
  for (double &one : x) one = 0;
  tape.reverse(d_x, 2);
  std::printf("%g %g %g, %g\\n", d_x[0], d_x[1], d_x[2], x[0]);
  std::printf("%s\\n", said([&] { tape.reverse(d_x); }));
  std::printf("%s\\n", said([&] { tape.forward(); }));
}
"""
IN_PLACE = """
double in_place(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = x[i] * x[i];
    sum += x[i] * x[i];
  }
  return sum;
}
"""


KERNEL = """
__global__ void in_place(double *x, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i] * w[i];
}
"""
KERNELS = (
    KERNEL
    + """
__global__ void scaled(const float4 *x, float s, float4 *y) { y[threadIdx.x].x = x[threadIdx.x].y * s; }
__global__ void recurrence(double *x, const int *steps) {
  double value = x[threadIdx.x];
  for (int k = 0; k < steps[threadIdx.x]; ++k) value = value * value - x[k];
  x[threadIdx.x] = value;
}
__global__ void summed(double *x, double *sum) {
  extern __shared__ double tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  atomicAdd(sum, tile[threadIdx.x] * x[threadIdx.x]);
  x[threadIdx.x] = 0;
}
enum class Kind { square, cube };
__global__ void told_apart(double *x, Kind kind) { x[threadIdx.x] *= kind == Kind::square ? x[threadIdx.x] : 1; }
__global__ void told_apart(double *x, int) { x[threadIdx.x] = 0; }
__global__ void told_apart(volatile double *x, double y) { x[threadIdx.x] *= y; }
__global__ void told_apart(const void *x, void *y) {
  ((float *)y)[threadIdx.x] = sinf(((const float *)x)[threadIdx.x]);
}
__global__ void rows(const volatile double *const *x, volatile double **y, double *volatile *z) {
  y[0][threadIdx.x] = x[0][threadIdx.x] * x[1][threadIdx.x];
  z[0][threadIdx.x] = x[1][threadIdx.x];
}
"""
)
KERNEL_MAIN = """
#include <cstdio>

int main() {
  double x[3] = {1, 2, 3}, w[3] = {1, 2, 3}, d_x[3] = {1, 1, 1}, d_w[3] = {0, 0, 0};
  double *on_device;
  cudaMalloc(&on_device, sizeof x);
  cudaMemcpy(on_device, x, sizeof x, cudaMemcpyHostToDevice);
  {
    fragment_0::in_place_grad_tape tape(dim3(1), dim3(4), 0, nullptr, on_device, w, 3, 3);
    fragment_0::in_place_grad_tape unused(dim3(1), dim3(4), 0, nullptr, x, w, 3, 3);
    std::printf("%d %d\\n", tape.forward(), unused.forward());
    cudaMemcpy(x, on_device, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemset(on_device, 0, sizeof x);
    std::printf("%g %g %g\\n", x[0], x[1], x[2]);
    std::printf("%d\\n", tape.reverse(nullptr, d_x, d_w));
  }
  std::printf("%g %g %g, %g %g %g\\n", d_x[0], d_x[1], d_x[2], d_w[0], d_w[1], d_w[2]);
  cudaFree(on_device);
  std::printf("%d bytes are left\\n", static_cast<int>(cladpy_host_allocated()));
}
"""


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_kernels(target: str, tmp_path: Path) -> None:
    """With and without a workspace, classes, dynamic shared memory, exact sums."""
    derivatives = [
        derivative_of_options(KERNELS, name, target, split=True, accumulate=accumulate)
        for name, accumulate in (
            ("in_place", "auto"),
            ("scaled", "auto"),
            ("recurrence", "auto"),
            ("summed", "auto"),
            ("in_place", "deterministic"),
            ("told_apart(double *, Kind)", "auto"),
            ("told_apart(volatile double *, double)", "auto"),
            ("told_apart(const void *, void *)", "auto"),
            ("rows", "auto"),
        )
    ]
    result = compiled(unit_of("own", KERNELS, derivatives, tmp_path), target)
    assert result, result.output


def test_a_kernel_in_a_program(tmp_path: Path) -> None:
    unit = unit_of("own", KERNEL, [derivative_of_options(KERNEL, "in_place", "host", split=True)], tmp_path)
    unit.write_text(unit.read_text() + KERNEL_MAIN)
    result = compile_for_host(unit)
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(unit.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert said == ["0 0", "1 8 27", "0", "2 8 18, 1 4 9", "0 bytes are left"]


@pytest.mark.parametrize("target", ["cuda", HIP])
def test_host_programs(target: str, tmp_path: Path) -> None:
    """Arrays of the host's, references, allocations in loops, and objects among what lies between the halves."""
    cases = [c for c in CASES if c.file in ("time_loops", "kinds") and not c.refused]
    for file in ("time_loops", "kinds"):
        chosen = [c for c in cases if c.file == file]
        text = chosen[0].path.read_text()
        derivatives = [derivative_of_options(text, c.function, target, args=c.args, split=True) for c in chosen]
        result = compiled(unit_of(file, text, derivatives, tmp_path / file), target)
        assert result, result.output


def test_a_program_that_uses_it(tmp_path: Path) -> None:
    unit = unit_of(
        "own", IN_PLACE, [derivative_of_options(IN_PLACE, "in_place", "host", args="x", split=True)], tmp_path
    )
    unit.write_text(unit.read_text() + MAIN)
    result = compile_for_host(unit, "c++17", "-rdynamic")
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(unit.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert said == [
        "reverse() is called before forward()",
        "memory is written of which the size is not known: tell it with cladpy::declare_range(pointer, bytes)",
        "98: 1 4 9",
        "8 64 216, 0",
        "reverse() has been called: a tape is used once",
        "forward() has been called: a tape is used once",
    ]


ENUMERATION = """
enum class Outcome { DONE = 3, EMPTY = 7 };
Outcome halved(double *x, int n) {
  if (n == 0) return Outcome::EMPTY;
  for (int i = 0; i < n; ++i) x[i] *= x[i];
  return Outcome::DONE;
}
"""
ENUMERATION_MAIN = """
#include <cstdio>
int main() {
  double x[2] = {1, 2}, d_x[2] = {1, 1};
  cladpy::declare_range(x, sizeof x);
  fragment_0::halved_grad_tape tape(x, 2), of_none(x, 0);
  const Outcome outcome = tape.forward(), other = of_none.forward();
  tape.reverse(d_x);
  std::printf("%d %d, %g %g\\n", outcome == Outcome::DONE, other == Outcome::EMPTY, d_x[0], d_x[1]);
}
"""


def test_an_enumeration_is_returned(tmp_path: Path) -> None:
    derivative = derivative_of_options(ENUMERATION, "halved", "host", args="x", split=True)
    unit = unit_of("outcome", ENUMERATION, [derivative], tmp_path)
    unit.write_text(unit.read_text() + ENUMERATION_MAIN)
    result = compile_for_host(unit, "c++17", "-rdynamic")
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(unit.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    assert subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout == "1 1, 2 4\n"
