"""Pullbacks that users write: found by name, namespace and signature, called in place of the derivative by rule."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

import cladpy
from tests.oracle import assert_gradient

PROGRAM = """
__device__ double soft(double x, double k) { return tanh(k * x); }
__device__ double pull(const double *p, int i) { return p[i] * p[i] * p[i]; }
namespace my { __device__ double g(double x) { return x * x; } }
__global__ void kernel(const double *x, double *y, double w, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = soft(x[i], w) * pull(x, (i + 1) % n) + my::g(x[i] * w);
}
"""
PULLBACKS = """#pragma once
namespace cladpy { namespace custom_derivatives {
__device__ inline void soft_pullback(double x, double k, double d_result, double *d_x, double *d_k) {
  double t = tanh(k * x);
  *d_x += FACTOR * d_result * k * (1 - t * t);
  *d_k += FACTOR * d_result * x * (1 - t * t);
}
__device__ inline void pull_pullback(const double *p, int i, double d_result, double *d_p) {
  atomicAdd(&d_p[i], 3 * d_result * p[i] * p[i]);
}
namespace my { __device__ inline void g_pullback(double x, double d_result, double *d_x) { *d_x += d_result * 2 * x; } }
} }
"""


def headers(folder: Path, text: str, factor: str = "1.0") -> str:
    path = folder / "mine.cuh"
    path.write_text(text.replace("FACTOR", factor))
    return str(path)


def arguments() -> list[object]:
    rng = np.random.default_rng(3)
    return [rng.uniform(0.2, 1.0, 4), np.zeros(4), 0.7, 4]


@pytest.mark.parametrize("spelling", ["cladpy", "clad"])
def test_right_pullbacks_give_the_right_gradient(tmp_path: Path, spelling: str) -> None:
    header = headers(tmp_path, PULLBACKS.replace("namespace cladpy", f"namespace {spelling}"))
    assert_gradient(PROGRAM, "kernel", "x, y, w", 1, 4, arguments(), options={"custom_derivatives": [header]})


def test_the_users_pullback_is_what_runs(tmp_path: Path) -> None:
    results = []
    for factor in ("1.0", "2.0"):
        header = headers(tmp_path, PULLBACKS, factor)
        gradient = cladpy.gradient(PROGRAM, "kernel", "w, y", backend="host", custom_derivatives=header)
        assert "cladpy::custom_derivatives::soft_pullback(" in gradient.code
        d_y, d_w = np.ones(4), np.zeros(1)
        gradient.execute_kernel(1, 4, *arguments(), d_y, d_w)
        results.append(d_w[0])
    x = arguments()[0]
    assert isinstance(x, np.ndarray)
    by_soft = (np.roll(x, -1) ** 3 * x / np.cosh(0.7 * x) ** 2).sum()
    assert results[1] - results[0] == pytest.approx(by_soft, rel=1e-12)


def test_a_folder_of_headers(tmp_path: Path) -> None:
    headers(tmp_path, PULLBACKS)
    gradient = cladpy.gradient(PROGRAM, "kernel", "x, y", backend="host", custom_derivatives=tmp_path)
    assert "cladpy::custom_derivatives::pull_pullback(x," in gradient.code


def test_a_wrong_signature_is_an_error_that_shows_the_right_one(tmp_path: Path) -> None:
    header = headers(
        tmp_path,
        "namespace cladpy { namespace custom_derivatives {\n"
        "__device__ inline void soft_pullback(float x, double *d_x) { *d_x += x; } } }\n",
    )
    with pytest.raises(cladpy.DifferentiationError) as caught:
        cladpy.gradient(PROGRAM, "kernel", "x, y", backend="host", custom_derivatives=header)
    assert [d.code for d in caught.value.diagnostics] == ["CP0402"]
    assert "(double, double, double, double *, double *)" in str(caught.value)


def test_what_a_function_must_not_write_its_pullback_must_not() -> None:
    """In C++ it could not be called with what is const."""
    text = """
    namespace cladpy { namespace custom_derivatives {
    inline void total_pullback(QUALIFIED double *x, int n, double d, double *d_x, int *) { d_x[0] += n * d; }
    } }
    double total(const double *x, int n) { return n * x[0]; }
    double twice(const double *x, int n) { return 2 * total(x, n); }
    """
    with pytest.raises(cladpy.DifferentiationError) as caught:
        cladpy.gradient(text.replace("QUALIFIED", ""), "twice", "x", backend="host")
    assert [d.code for d in caught.value.diagnostics] == ["CP0402"]
    assert "(const double *, int, double, double *, int *)" in str(caught.value)
    gradient = cladpy.gradient(text.replace("QUALIFIED", "const"), "twice", "x", backend="host")
    assert gradient(np.ones(1), 3)["x"] == [6.0]


METHODS = """
struct Vec { double x, y; __device__ double along(double p) const { return x * p + y; } };
struct Other { double x; __device__ double along(double p) const { return x * p; } };
namespace cladpy { namespace custom_derivatives {
__device__ inline void along_pullback(const Vec *self, double d_result, Vec *d_self) { d_self->x += d_result; }
} }
__global__ void kernel(const Vec *v, const Other *o, double *y) { y[threadIdx.x] = OBJECT[threadIdx.x].along(2.0); }
"""


def test_a_wrong_signature_for_a_method_is_an_error_that_shows_the_right_one() -> None:
    with pytest.raises(cladpy.DifferentiationError) as caught:
        cladpy.gradient(METHODS.replace("OBJECT", "v"), "kernel", "v, y", backend="host")
    assert [d.code for d in caught.value.diagnostics] == ["CP0402"]
    assert "(const Vec *, double, double, Vec *, double *)" in str(caught.value)


def test_a_pullback_of_a_method_is_that_of_its_class_alone() -> None:
    gradient = cladpy.gradient(METHODS.replace("OBJECT", "o"), "kernel", "o, y", backend="host")
    assert "along_pullback(" not in gradient.code.partition("kernel_grad(")[2]


def test_a_function_without_a_body_is_an_error_that_shows_what_to_write() -> None:
    program = """
__device__ double outside(double x);
__global__ void kernel(const double *x, double *y) { y[threadIdx.x] = outside(x[threadIdx.x]); }
"""
    with pytest.raises(cladpy.DifferentiationError) as caught:
        cladpy.gradient(program, "kernel", "x, y", backend="host")
    assert [d.code for d in caught.value.diagnostics] == ["CP0224"]
    assert "void outside_pullback(" in str(caught.value)


HALVES = """
__device__ double soft(double x, double k) { return tanh(k * x) * exp(-x); }
namespace cladpy { namespace custom_derivatives {
__device__ inline void soft_forward(double x, double k, double *result, double *t, double *e) {
  EFFECT *t = tanh(k * x);
  *e = exp(-x);
  *result = *t * *e;
}
__device__ inline void soft_pullback(double x, double k, double t, double e, double d_result, double *d_x,
                                     double *d_k) {
  *d_x += d_result * e * (k * (1 - t * t) - t);
  *d_k += d_result * e * x * (1 - t * t);
} } }
"""
KERNELS = """__global__ void straight(const double *x, double *y, double w) {
  int i = threadIdx.x;
  double r = soft(x[i], w);
  y[i] = r * r + soft(x[i] * x[i], r);
}
__global__ void branch(const double *x, double *y, double w) {
  int i = threadIdx.x;
  double r = x[i];
  if (x[i] > 0.5) r = soft(x[i], w) * x[i]; else { r = soft(r, r); }
  y[i] = r * r;
}
__global__ void loop(const double *x, double *y, double w, int n) {
  int i = threadIdx.x;
  double r = x[i];
  for (int k = 0; k < n; ++k) r = soft(r, w) + x[i] * r;
  y[i] = r * r;
}
__global__ void nested(const double *x, double *y, double w, int n) {
  int i = threadIdx.x;
  double r = x[i];
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      if (r > 0.3) r = soft(r, w) + x[i] * r;
      y[i] += soft(r, x[i]);
    }
  }
  y[i] *= r;
}
__device__ double helper(double a, double b) { return soft(a, b) * a; }
__global__ void kept(const double *x, double *y, double w, int n) {
  int i = threadIdx.x;
  double r = 0;
  for (int k = 0; k < n; ++k) r += helper(x[i], w * k);
  y[i] = r;
}
"""


@pytest.mark.parametrize(
    ("kernel", "more"), [("straight", ()), ("branch", ()), ("loop", (5,)), ("nested", (4,)), ("kept", (3,))]
)
def test_the_pullback_is_given_what_the_forward_half_kept(kernel: str, more: tuple[int, ...]) -> None:
    program = HALVES.replace("EFFECT", "") + KERNELS
    values = [np.linspace(0.2, 1, 8), np.ones(8), 1.5, *more]
    assert_gradient(program, kernel, "x, y, w", 1, 8, values)


@pytest.mark.parametrize(("kernel", "more", "calls"), [("straight", (), 2), ("branch", (), 1), ("loop", (5,), 5)])
def test_the_forward_half_runs_once_for_each_call(kernel: str, more: tuple[int, ...], calls: int) -> None:
    """What it gives is kept, in variables and on the tape, not computed again."""
    counted = "__device__ double cladpy_count;\n" + HALVES.replace("EFFECT", "cladpy_count += 1;") + KERNELS
    gradient = cladpy.gradient(counted, kernel, "x, y, w", backend="host")
    body = gradient.code[gradient.code.rindex("__global__ void " + kernel) :]
    assert not [line for line in body.split("\n") if " soft(" in line and "//" not in line]
    assert body.count("soft_forward(") == {"straight": 2, "branch": 2, "loop": 1}[kernel]
    x = np.array([0.7])
    gradient.execute_kernel(1, 1, x, np.ones(1), 1.5, *more, np.zeros(1), np.ones(1), np.zeros(1))
    assert _content_of_count(gradient) == calls


def _content_of_count(gradient: cladpy.runtime.Gradient) -> float:  # type: ignore[name-defined]
    """The variable `cladpy_count` in the memory of the compiled gradient."""
    handle = gradient._executor._loaded().handle
    return float(ctypes.c_double.in_dll(handle, "cladpy_count").value)


TEMPLATES = """
template <class T> struct Pair { T a, b; __device__ T along(T p) const { return a * p + b; } };
struct Other { double a; __device__ double along(double p) const { return a * p; } };
template <class T> __device__ T soft(T x, T k) { return tanh(k * x); }
__device__ double cube(double x, int n) { return x * x * x * n; }
namespace cladpy { namespace custom_derivatives { PULLBACKS } }
__global__ void kernel(const double *x, double *y, const float *u, float *v, Pair<double> p, Other o) {
  int i = threadIdx.x;
  y[i] = soft(x[i], 2.0) + cube(x[i], 3) + p.along(x[i]) + o.along(x[i]);
  v[i] = soft(u[i], 2.0f);
}
"""
SOFT = "void soft_pullback(T x, T k, T d, T *d_x, T *d_k) { T t = tanh(k * x); T s = d * (1 - t * t); *d_x += s * k; }"
ALONG = """template <class T> __device__ void along_pullback(const Pair<T> *self, T p, T d, Pair<T> *d_self, T *d_p) {
  *d_p += d * self->a; d_self->a += d * p; d_self->b += d; }
"""
CUBE = "void cube_pullback(const T &x, N n, T d, T *d_x) { *d_x += d * 3 * x * x * n; }"


def with_templates(pullbacks: str, args: str = "x, y, u, v") -> cladpy.runtime.Gradient:  # type: ignore[name-defined]
    return cladpy.gradient(TEMPLATES.replace("PULLBACKS", pullbacks), "kernel", args, backend="host")


def test_templates_are_used_where_an_instance_fits() -> None:
    every = f"template <class T> __device__ {SOFT}\ntemplate <class T, class N> __device__ {CUBE}\n{ALONG}"
    text = TEMPLATES.replace("PULLBACKS", every)
    rng = np.random.default_rng(3)
    objects = [{"a": 0.3, "b": 0.4}, {"a": 0.5}]
    values = [rng.uniform(0.2, 1, 4), np.zeros(4), rng.uniform(0.2, 1, 4).astype("f"), np.zeros(4, "f"), *objects]
    assert_gradient(text, "kernel", "x, y, u, v, p, o", 1, 4, values)
    used = with_templates(every).code.partition("void kernel_grad")[2]
    for call in (
        "soft_pullback<float>(",
        "soft_pullback<double>(",
        "cube_pullback<double, int>(",
        "along_pullback<double>(",
    ):
        assert f"custom_derivatives::{call}" in used
    assert used.count("along_pullback") == 1  # the other class has none


def test_a_plain_pullback_is_used_for_its_instance_and_others_are_told() -> None:
    with pytest.warns(cladpy.CladpyWarning, match="is not used for 'soft<float>'"):
        gradient = with_templates("__device__ inline " + SOFT.replace("T x", "double x").replace("T ", "double "))
    assert gradient.code.partition("void kernel_grad")[2].count("::custom_derivatives::soft_pullback(") == 1


@pytest.mark.parametrize(
    ("pullbacks", "said"),
    [
        ("template <class T> __device__ void cube_pullback(T x, T d, T *d_x) {}", "requires 3 arguments, but 4 were"),
        ("template <class T> __device__ void cube_pullback(T x, int n, T d, double **d_x) {}", "no known conversion"),
        ("template <class T> __device__ void cube_pullback(T x, T n, T d, T *d_x) {}", "deduced conflicting types"),
        ("template <class T> __device__ void cube_pullback(T x, int n, float d, T *d_x) {}", "with conversions"),
        (f"template <class T, class N> __device__ {CUBE.replace('* n', '* n.none')}", "is not a structure or union"),
        ("template <class T> __device__ void along_pullback(const Pair<T> *p, T d, Pair<T> *d_p) {}", "3 arguments"),
    ],
)
def test_a_template_that_does_not_fit_is_an_error_that_says_why(pullbacks: str, said: str) -> None:
    with pytest.raises(cladpy.DifferentiationError, match=said) as caught:
        with_templates(pullbacks, "x, y, u, v, p, o")
    assert [d.code for d in caught.value.diagnostics] == ["CP0402"]


def test_a_template_for_any_class_that_does_not_fit_is_told() -> None:
    with pytest.warns(cladpy.CladpyWarning, match="is not used for '.*::along'"):
        with_templates("template <class C> __device__ void along_pullback(const C *c, float d, C *d_c) {}", "x, y")


_PLAIN = "inline __device__ void cube_pullback(double x, int n, double d, double *d_x{}) {{}}\n"
_HALVES = "template <class T> __device__ void cube_pullback({}, int n, {}, double *d_x) {{}}\n"


@pytest.mark.parametrize(
    "pullbacks",
    [
        _HALVES.format("T x", "double d") + _HALVES.format("double x", "T d"),
        _PLAIN.format("") + _PLAIN.format(", int more = 0"),
        _PLAIN.format("") + _PLAIN.format("").replace("double x", "const double &x"),
        _PLAIN.format("") + "}} namespace clad { namespace custom_derivatives {" + _PLAIN.format(""),
    ],
)
def test_ambiguous_pullbacks_are_refused_with_their_places(pullbacks: str) -> None:
    with pytest.raises(cladpy.DifferentiationError) as caught:
        with_templates(pullbacks)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "CP0407"
    assert len({note.span for note in diagnostic.notes}) == 2


def test_of_a_template_and_a_function_the_function_is_chosen() -> None:
    both = f"template <class T, class N> __device__ {CUBE}\n" + _PLAIN.format("")
    assert "custom_derivatives::cube_pullback(" in with_templates(both).code.partition("void kernel_grad")[2]
