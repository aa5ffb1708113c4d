"""The check finds what is wrong at single elements, where the sums along directions do not show it, and tells it from
what is a convention. Gradients are wrong by derivatives of the user's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import ELEMENTS, check
from cladpy.check.report import CheckReport
from cladpy.runtime import Gradient

# `which` says of which function the kernel is made; each has a derivative of its own.
PROGRAM = """
namespace user {
__device__ inline real relu(real x) { return x > 0 ? x : 0; }
__device__ inline real beyond(real x) { return x > 0 ? x : 0; }
__device__ inline real square(real x) { return x == 3 ? 9 : x * x; }
__device__ inline real parted(real x) { return x == 3 ? 9 : x * x; }
__device__ inline real small(real x, real w) { return w * x * x; }
__device__ inline real jump(real x) { return x >= 1 ? 2 * x + 5 : x; }
__device__ inline real other_side(real x) { return x >= 1 ? 2 * x + 5 : x; }
__device__ inline real corner(real x, real w) { return fmax(fmin(x, w), real(0)); }
__device__ inline real no_corner(real x, real w) { return fmax(fmin(x, w), real(0)); }
__device__ inline real nothing(real x) { return x * x; }
}
namespace cladpy { namespace custom_derivatives { namespace user {
__device__ inline void relu_pullback(real x, real d, real *d_x) { *d_x += x > 0 ? d : x < 0 ? 0 : d / 4; }
__device__ inline void beyond_pullback(real x, real d, real *d_x) { *d_x += x > 0 ? d : x < 0 ? 0 : d * 3 / 2; }
__device__ inline void square_pullback(real x, real d, real *d_x) { *d_x += 2 * x * d; }
__device__ inline void parted_pullback(real x, real d, real *d_x) { *d_x += x == 3 ? 0 : 2 * x * d; }
__device__ inline void small_pullback(real x, real w, real d, real *d_x, real *d_w) {
  *d_x += d * (w < 1 ? 4 : 2) * w * x;
  *d_w += d * x * x;
}
__device__ inline void jump_pullback(real x, real d, real *d_x) { *d_x += x >= 1 ? 2 * d : d; }
__device__ inline void other_side_pullback(real x, real d, real *d_x) { *d_x += x > 1 ? 2 * d : d; }
__device__ inline void corner_pullback(real x, real w, real d, real *d_x, real *d_w) { *d_x += d / 4, *d_w += d / 4; }
__device__ inline void no_corner_pullback(real x, real w, real d, real *d_x, real *d_w) {
  *d_x -= d / 4, *d_w += d / 4;
}
__device__ inline void nothing_pullback(real x, real d, real *d_x) { *d_x += x == 3 ? NAN : 2 * x * d; }
} } }
__global__ void k(const real *x, const real *w, real *y, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  switch (which) {
    case 0: y[i] = user::relu(x[i]); break;
    case 1: y[i] = user::beyond(x[i]); break;
    case 2: y[i] = user::square(x[i]); break;
    case 3: y[i] = user::parted(x[i]); break;
    case 4: y[i] = user::small(x[i], w[i]); break;
    case 5: y[i] = user::jump(x[i]); break;
    case 6: y[i] = user::other_side(x[i]); break;
    case 7: y[i] = user::corner(x[i], w[i]); break;
    case 8: y[i] = user::no_corner(x[i], w[i]); break;
    case 9: y[i] = user::nothing(x[i]); break;
    case 10: y[i] = w[i] + real(1e-3) * x[i]; break;
  }
}
"""
WHICH = {
    "relu": 0, "beyond": 1, "square": 2, "parted": 3, "small": 4, "jump": 5, "other_side": 6, "corner": 7,
    "no_corner": 8, "nothing": 9, "lost": 10,
}  # fmt: skip
DTYPES: dict[str, Any] = {"double": np.float64, "float": np.float32}


@pytest.fixture(scope="module", params=["double", "float"])
def made(request: pytest.FixtureRequest) -> tuple[Gradient, Any]:
    text = f"using real = {request.param};\n{PROGRAM}"
    return cladpy.gradient(text, "k", "x, w, y", backend="host"), DTYPES[request.param]


def checked(made: tuple[Gradient, Any], which: str, x: Any, w: Any = 2.0, **how: Any) -> CheckReport:
    gradient, dtype = made
    x = np.asarray(x, dtype)
    w = np.broadcast_to(np.asarray(w, dtype), x.shape)
    blocks = -(-len(x) // 32)
    return check(gradient, blocks, 32, [x, w, np.zeros(len(x), dtype), len(x), WHICH[which]], **how)


def told(report: CheckReport, verdict: str) -> list[str]:
    return [e.name for e in report.examined if e.verdict == verdict]


def failed(report: CheckReport) -> list[str]:
    """The comparisons with differences that fail."""
    return [f.what for f in report.findings if not f.ok and "against differences" in f.what]


def test_a_convention_at_a_kink_is_none_of_the_gradients_faults(made: tuple[Gradient, Any]) -> None:
    report = checked(made, "relu", [-1.0, 0.0, 2.0, 0.0])
    assert report.ok, report.text()
    assert report.verdict == "the gradient agrees with the oracle, but for conventions"
    assert told(report, "kink") == ["x[1]", "x[3]"]
    assert "only conventions differ at x[1], x[3]: there is a kink" in report.text()
    assert "the oracle has another convention at x[1], x[3]" in report.text()
    assert any("without conventions" in f.what for f in report.findings)


def test_a_convention_is_seen_in_either_direction() -> None:
    """The oracle's derivative at a kink is that of the side that a direction leads to: one of the two goes the other
    way."""
    text = "__global__ void k(const double *x, const double *t, double *y) { double d = *x - *t; *y = d > 0 ? d : 0; }"
    report = check(cladpy.gradient(text, "k", backend="host"), 1, 1, [np.zeros(1) for _ in range(3)])
    assert report.verdict == "the gradient agrees with the oracle, but for conventions", report.text()
    assert "the oracle has another convention at x[0], t[0]" in report.text()


def test_what_lies_beyond_both_sides_of_a_kink_is_wrong(made: tuple[Gradient, Any]) -> None:
    report = checked(made, "beyond", [-1.0, 0.0, 2.0])
    assert not report.ok and report.verdict == "the gradient is wrong"
    assert told(report, "wrong") == ["x[1]"]
    assert failed(report) == ["3 of 3 elements of x against differences, worst x[1]"]
    assert "x[1]: the gradient has " in report.text()


def test_where_the_function_is_smooth_the_oracle_may_be_wrong(made: tuple[Gradient, Any]) -> None:
    """It takes the branch that the value takes."""
    report = checked(made, "square", [1.0, 3.0, 2.0])
    assert report.ok, report.text()
    assert "only conventions differ at x[1]: the function is smooth, and the gradient its derivative" in report.text()


def test_where_the_function_is_smooth_the_gradient_must_be_its_derivative(made: tuple[Gradient, Any]) -> None:
    """Though the oracle agrees with it."""
    report = checked(made, "parted", [1.0, 3.0, 2.0])
    assert not report.ok and report.verdict == "the gradient is wrong"
    assert told(report, "wrong") == ["x[1]"]
    assert [f.what for f in report.findings if not f.ok] == failed(report)


@pytest.mark.parametrize("place", [0, 417, 999])
def test_one_of_many_is_found_though_it_is_not_among_those_looked_at(made: tuple[Gradient, Any], place: int) -> None:
    x = np.linspace(4.0, 5.0, 1000)
    x[place] = 3.0
    report = checked(made, "parted", x, w=np.linspace(1.0, 2.0, 1000), elements=8)
    assert told(report, "wrong") == [f"x[{place}]"], report.text()
    assert not report.ok and any(f"worst x[{place}]" in what for what in failed(report))


def test_a_small_element_beside_huge_ones(made: tuple[Gradient, Any]) -> None:
    """It is wrong by 100 per cent, which is nothing in the sum."""
    report = checked(made, "small", [1.0, 0.9, 0.7, 0.6], [1e9, 3e8, 0.3, 2e8])
    assert told(report, "wrong") == ["x[2]"]
    assert failed(report) == ["4 of 4 elements of x against differences, worst x[2]"]
    assert made[1] == np.float64 or [f.what for f in report.findings if not f.ok] == failed(report)


def test_at_a_jump_the_gradient_is_that_of_the_values_side(made: tuple[Gradient, Any]) -> None:
    report = checked(made, "jump", [0.5, 1.0, 2.0])
    assert report.ok, report.text()
    assert told(report, "jump") == ["x[1]"]
    assert "only conventions differ at x[1]: the function jumps" in report.text()
    report = checked(made, "other_side", [0.5, 1.0, 2.0])
    assert not report.ok and told(report, "wrong") == ["x[1]"]


def test_a_kink_that_no_single_element_shows(made: tuple[Gradient, Any]) -> None:
    """max(min(x, w), 0) is zero along each of both where they are zero, and is not smooth there."""
    report = checked(made, "corner", [0.0, 0.0], [0.0, 0.0])
    assert report.ok, report.text()
    assert told(report, "kink") == ["x[0]", "x[1]", "w[0]", "w[1]"]
    report = checked(made, "no_corner", [0.0, 0.0], [0.0, 0.0])
    assert not report.ok
    assert told(report, "wrong") == ["x[0]", "x[1]"] and told(report, "kink") == ["w[0]", "w[1]"]


def test_no_number_where_there_is_a_derivative_is_wrong(made: tuple[Gradient, Any]) -> None:
    report = checked(made, "nothing", [1.0, 3.0, 2.0])
    assert not report.ok and report.verdict == "the gradient is wrong"
    assert told(report, "wrong") == ["x[1]"]


def test_what_noise_hides_is_counted_and_not_called_wrong(made: tuple[Gradient, Any]) -> None:
    large = 1e9 if made[1] == np.float32 else 1e18
    report = checked(made, "lost", [0.5, 1.0, 2.0], large)
    assert report.ok, report.text()
    assert told(report, "undecided") == ["x[0]", "x[1]", "x[2]"]
    assert "3 of 3 elements of x against differences, 3 of them undecided" in report.text(verbose=True)
    assert "undecided by differences, for noise or jumps: x[0], x[1], x[2]" in report.text(verbose=True)


LOST = """
namespace user {
inline double lost(double x) { return (1.0 + x * 1e-46) - 1.0; }
inline double made_up(double x) { return (1.0 + (x > 1e3) * 1e-46) - 1.0; }
inline double missing(double x) { return x * 1e-46; }
}
namespace cladpy { namespace custom_derivatives { namespace user {
inline void made_up_pullback(double, double d, double *d_x) { *d_x += d * 1e-46; }
inline void missing_pullback(double, double, double *) {}
} } }
void f(double *x, int which) {
  for (int i = 0; i < 3; i++) {
    double v = x[i];
    x[i] = which == 0 ? user::lost(v) : which == 1 ? user::made_up(v) : user::missing(v);
  }
}
"""


@pytest.mark.parametrize(("which", "verdict"), [(0, "undecided"), (1, "wrong"), (2, "wrong")])
def test_what_is_lost_on_the_way_to_a_number_is_not_called_wrong(which: int, verdict: str) -> None:
    gradient = cladpy.gradient(LOST, "f", backend="host")
    report = check(gradient, None, None, [np.array([0.5, 1.0, 2.0]), which])
    assert told(report, verdict) == ["x[0]", "x[1]", "x[2]"], report.text()
    assert report.ok == (verdict == "undecided")


def test_those_that_are_special_are_looked_at_first(made: tuple[Gradient, Any]) -> None:
    x = np.linspace(-4.0, 4.0, 400)
    x[[123, 321]] = 0.0
    report = checked(made, "relu", x, w=np.linspace(1.0, 2.0, 400))
    assert report.ok, report.text()
    assert told(report, "kink") == ["x[123]", "x[321]"]
    assert f"{ELEMENTS} of 400 elements of x" in report.text(verbose=True)
    every = checked(made, "relu", x[100:200], elements=100)
    assert "100 of 100 elements of x" in every.text(verbose=True)
