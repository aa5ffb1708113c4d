"""The rules of docs/semantics.md that show in the form of a gradient, and in what a call leaves behind."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.analysis.dimensions import PLANES
from cladpy.diagnostics import CladpyError, DifferentiationError
from cladpy.ir.code_text import format_code
from tests.ir.stages import gradient_of


def text(kernel: str, args: str = "", *, growable: bool = False) -> str:
    """The gradient's functions as text, for a GPU unless it is `growable`."""
    return "\n".join(format_code(f) for f in gradient_of(kernel, args=args, growable=growable).functions)


def body(statements: str, parameters: str = "double *x, double *y, int n") -> str:
    return f"""__global__ void k({parameters}) {{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  {statements}
}}
"""


# ---- memory ---------------------------------------------------------------------------------------------------------


def test_memory_that_nothing_writes_is_read_again() -> None:
    """Reloading: what is kept is the state, and not what was loaded."""
    found = text(body("double v = x[i]; for (int j = 0; j < n; ++j) v = sin(v) * x[j]; y[i] = v;"))
    reverse = found.split("// reverse sweep")[1].split("} count {")[0]
    assert "keep #0 before %_n (#0.0 = %v)" in found and "push" not in found
    assert "= @x[%j" in reverse


def test_what_is_overwritten_is_kept_and_put_back() -> None:
    found = text(body("x[i] = x[i] * x[i];", "double *x"))
    assert "let %x_old: double = @x[%i]" not in found, "nothing needs the new content, so it is not stored at all"
    found = text(body("x[i] = y[i] * y[i]; x[i] = sin(x[i]);", "double *x, const double *y"))
    lines = [line.strip() for line in found.splitlines()]
    assert lines.index("let %x_old: double = @x[%i]") < lines.index("@x[%i] = %x_old")
    found = text(body("x[i] = x[i] * x[i]; x[i] = sin(x[i]);", "double *x"))
    lines = [line.strip() for line in found.splitlines()]
    assert lines.index("let %x_i: double = @x[%i]") < lines.index("@x[%i] = %x_i"), "it has been loaded once already"


def test_stores_that_nothing_needs_are_not_made() -> None:
    assert "\n  @y[" not in text(body("y[i] = x[i] * x[i];"))


def test_a_store_takes_the_adjoint_and_zeroes_it() -> None:
    """Also where what is stored has no derivative; what is taken and given back stays there."""
    found = text(body("y[i] = 0; y[i] += x[i];"))
    assert found.count(" = read plain d@y[%i]") == 1
    assert found.count(" = take plain d@y[%i]") == 1


def test_one_element_for_all_threads_is_exchanged() -> None:
    assert "take atomic d@y[0]" in text(body("y[0] = x[0];"))


def test_addition_leaves_the_cotangent() -> None:
    found = text(body("atomicAdd(&y[0], x[i] * x[i]);"))
    assert "take" not in found
    assert "= d@y[0]" in found


# ---- who may meet ---------------------------------------------------------------------------------------------------


def test_a_store_of_the_primal_is_a_proof() -> None:
    assert "plain d@x[%i]" in text(body("y[i] = x[i] * x[i];"))
    assert "plain d@x[%p]" in text(body("int p = n * i; y[p] = x[p] * x[p];"))


def test_a_store_under_another_condition_is_none() -> None:
    assert "atomic d@x[(%i / 2)]" in text(body("y[i] = x[i / 2] * 2;"))
    found = text(body("if (x[n] > 0) y[i % 7] = 1; y[n + i] = x[i % 7];"))
    assert "atomic d@x[(%i % 7)]" in found


def test_one_access_without_proof_makes_all_atomic() -> None:
    found = text(body("y[i] = x[i] * x[i + 1];"))
    assert "plain d@x" not in found
    assert found.count("atomic d@x") == 2


def test_a_thread_index_is_a_proof_in_one_dimension_only() -> None:
    gradient = gradient_of(body("atomicAdd(y, x[2 * i] * x[2 * i + 1]);"), growable=False)
    assert gradient.single == PLANES
    assert "plain d@x" in format_code(gradient.main)
    gradient = gradient_of(body("atomicAdd(y, x[2 * i] * x[2 * i + 2]);"), growable=False)
    assert not gradient.single
    assert "atomic d@x" in format_code(gradient.main)


def test_a_thread_index_is_no_proof_where_the_kernel_has_rows() -> None:
    """A kernel that asks for y is launched with rows, and threads of one column share what is indexed by x alone."""
    for row in ("blockIdx.y", "row()"):
        text = f"""__device__ int row() {{ return blockIdx.y * blockDim.y + threadIdx.y; }}
{body(f"y[{row} * n + i] = x[i];")}"""
        gradient = gradient_of(text, growable=False)
        assert not gradient.single
        assert "atomic d@x" in format_code(gradient.main)


def test_arguments_that_may_overlap_have_no_proofs() -> None:
    kernel = body("y[i] = x[i] * x[i];")
    assert "cladpy::atomic_add" in cladpy.gradient(kernel, "k", "x, y", backend="host", may_alias=True).code
    assert "cladpy::atomic_add" not in cladpy.gradient(kernel, "k", "x, y", backend="host").code


# ---- numbers --------------------------------------------------------------------------------------------------------


def test_decisions_are_computed_exactly() -> None:
    """Where a decision depends on floating-point arithmetic that is computed more than once, it is not contracted."""
    loop = "double v = x[i]; for (int j = 0; v * v + 1 < n; ++j) v = v * 2 + 1; y[i] = v * v;"
    found = text(body(loop), growable=True)
    assert "[cladpy::mul_rn(x, y)]" in found
    assert "[cladpy::add_rn(x, y)]" in found
    plain = "double v = x[i]; for (int j = 0; j < n; ++j) v = v * v + 1; y[i] = v * v;"
    assert "_rn(" not in text(body(plain), growable=True)


def test_a_decision_is_made_once() -> None:
    found = text(body("if (x[i] * x[i] > 0.5) y[i] = x[i] * x[i];"))
    assert found.count("> 0.5") == 1


CUSTOM = """__device__ double f(double x) { return x * x + 0.1; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void f_pullback(double x, double d, double *d_x) { *d_x += 2 * x * d; }
} }
"""


def test_a_custom_function_that_decides_is_called_once() -> None:
    loop = (
        "double v = x[i]; for (int j = 0; j < n; ++j) { if (f(v * v) > 0.5) v = 0.7 * v + 0.1; v = sin(v); } y[i] = v;"
    )
    found = text(CUSTOM + body(loop), growable=True)
    assert found.count("call f(") == 1
    assert found.split("// reverse sweep")[1].count("%taken") > 0


def test_what_is_given_to_recursion_that_writes_is_exact() -> None:
    """It runs in the forward function, and again in the pullback."""
    recursion = """__device__ void f(double *y, double x, int n) {
  if (n == 0 || y[0] > x) return;
  y[0] += x * y[1];
  f(y, x * x + 0.1, n - 1);
}
"""
    loop = "for (int j = 0; j < n; ++j) f(y + i, x[i] * x[j] + y[j], 3);"
    found = text(recursion + body(loop), growable=True)
    calls = [line for line in found.splitlines() if line.strip().startswith(("f_forward(", "f_pullback"))]
    assert len(calls) == 4
    assert all("add_rn" in line for line in calls), "contracted differently, a branch may be another one"


def test_zero_times_an_infinite_partial_is_zero() -> None:
    kernel = body("double v = sqrt(x[i]) + x[i] / x[i + 4]; if (n > 0) v = x[i]; y[i] = v;")
    x, y, dx, dy = np.zeros(8), np.zeros(4), np.zeros(8), np.ones(4)
    cladpy.gradient(kernel, "k", "x, y", backend="host").execute_kernel(1, 4, x, y, 1, dx, dy)
    assert dx.tolist() == [1.0] * 4 + [0.0] * 4


# ---- effects --------------------------------------------------------------------------------------------------------


def test_effects_happen_once() -> None:
    kernel = body('double v = x[i]; for (int j = 0; j < n; ++j) { printf("%d\\n", j); v = v * v; } y[i] = v;')
    assert text(kernel).split("} count {")[0].count("effect printf") == 1


def test_what_depends_on_the_order_of_threads_is_refused() -> None:
    for statement, code in (
        ("y[atomicAdd(c, 1)] = x[i];", "CP0226"),
        ("atomicAdd(&y[0], x[i]); y[i + 1] = y[0] * y[0];", "CP0501"),
    ):
        with pytest.raises(DifferentiationError) as caught:
            text(body(statement, "double *x, double *y, int *c"), "x, y")
        assert {d.code for d in caught.value.diagnostics} == {code}


# ---- what a call leaves behind --------------------------------------------------------------------------------------


def test_primal_arguments_hold_the_same_afterwards() -> None:
    kernel = body("for (int j = 0; j < n; ++j) x[i] = sin(x[i]) * x[i]; y[i] = x[i] * x[i];")
    gradient = cladpy.gradient(kernel, "k", "x, y", backend="host")
    x, y = np.linspace(0.3, 0.9, 4), np.full(4, 7.0)
    before = x.copy()
    gradient.execute_kernel(1, 4, x, y, 3, np.zeros(4), np.ones(4))
    assert x.tolist() == before.tolist()
    assert y.tolist() == [7.0] * 4


def test_gradients_add_and_overwritten_cotangents_end_at_zero() -> None:
    gradient = cladpy.gradient(body("y[i] = 3 * x[i];"), "k", "x, y", backend="host")
    x, y, dx = np.ones(4), np.zeros(4), np.zeros(4)
    for _ in range(2):
        dy = np.ones(4)
        gradient.execute_kernel(1, 4, x, y, 0, dx, dy)
        assert dy.tolist() == [0.0] * 4
    assert dx.tolist() == [6.0] * 4


def test_consumed_drops_only_what_nobody_sees() -> None:
    once = body("y[i] = 3 * x[i];")
    twice = body("y[i] = 3 * x[i]; y[i] = 2 * x[i];")
    for kernel, left, factor in ((once, 1.0, 3.0), (twice, 0.0, 2.0)):
        gradient = cladpy.gradient(kernel, "k", "x, y", backend="host", consumed="y")
        dx, dy = np.zeros(4), np.ones(4)
        gradient.execute_kernel(1, 4, np.ones(4), np.zeros(4), 0, dx, dy)
        assert dx.tolist() == [factor] * 4
        assert dy.tolist() == [left] * 4


def test_launches_outside_of_a_proof_are_refused() -> None:
    gradient = cladpy.gradient(body("atomicAdd(y, x[i] * x[i]);"), "k", "x, y", backend="host")
    with pytest.raises(CladpyError, match="dimension"):
        gradient.execute_kernel((1, 2), 4, np.ones(4), np.zeros(4), 0, np.zeros(4), np.ones(4))


def test_products_that_always_matter_are_not_guarded() -> None:
    """A guard against zero times infinity is for what may be discarded."""
    text = "__global__ void k(const double *x, double *y) {{ int i = threadIdx.x; double t = x[i] * sqrt(x[i]); {} }}"
    guarded = cladpy.gradient(text.format("if (x[i] < 0.0) t = 1.0; y[i] = t;"), "k", backend="host").code
    plain = cladpy.gradient(text.format("y[i] = t;"), "k", backend="host").code
    assert plain.count("cladpy::times(") == 1 and guarded.count("cladpy::times(") == 2  # one is of sqrt itself
