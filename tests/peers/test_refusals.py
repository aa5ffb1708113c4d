"""What cannot be differentiated is refused where it stands, and never dropped, crashed on or guessed."""

from __future__ import annotations

import pytest

import cladpy
from cladpy.diagnostics import CladpyWarning, DifferentiationError
from tests.peers.program import HEAD

K = "__global__ void k(const double *x, double *y, int n)"
PROGRAMS = {
    "a copy of active memory by the C library, as another type": (
        "CP0224",
        f"{K} {{ {HEAD} long t[2]; memcpy(t, x + i, sizeof t); y[i] = t[0] * t[1]; }}",
        "memcpy",
    ),
    "goto into a loop": (
        "CP0101",
        f"{K} {{ {HEAD} double t = x[i]; while (t < 2) {{ in: t *= t; }} if (t < 9) goto in; y[i] = t; }}",
        "goto",
    ),
    "a result of an atomic addition that is used": (
        "CP0226",
        f"__global__ void k(double *x, double *y, int n) {{ {HEAD} double a = x[i]; y[i] = atomicAdd(x, 1.0) * a; }}",
        "atomicAdd",
    ),
    "a maximum by compare and swap": (
        "CP0225",
        """__device__ void largest(double *at, double value) {
  unsigned long long *p = (unsigned long long *)at, old = *p, seen;
  do { seen = old; old = atomicCAS(p, seen, __double_as_longlong(fmax(value, __longlong_as_double(seen)))); }
  while (seen != old);
}"""
        f"\n{K} {{ {HEAD} largest(y, x[i] * x[i]); }}",
        "atomicCAS",
    ),
    "a minimum by an atomic": (
        "CP0225",
        f"__global__ void k(float *x, float *y, int n) {{ {HEAD} atomicMin((int *)y, __float_as_int(x[i] * x[i])); }}",
        "atomicMin",
    ),
    "a function that nothing is known about": (
        "CP0224",
        f"__device__ double elsewhere(double);\n{K} {{ {HEAD} y[i] = elsewhere(x[i]); }}",
        "elsewhere",
    ),
}


@pytest.mark.parametrize("behaviour", PROGRAMS)
def test_is_refused(behaviour: str) -> None:
    code, text, named = PROGRAMS[behaviour]
    with pytest.raises(DifferentiationError) as caught:
        cladpy.gradient(text, "k", backend="host")
    assert [d.code for d in caught.value.diagnostics if d.code.startswith("CP")][:1] == [code], str(caught.value)
    first = caught.value.diagnostics[0]
    assert first.hint
    assert first.span is not None
    assert named in text.splitlines()[first.span.line - 1]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("CP0303", f"{K} {{ {HEAD} y[i] = i; }}"),
        ("CP0303", "double k(double x) { int whole = x; return whole; }"),
        ("CP0302", "double seen; void k(const double *x) { seen = x[0]; }"),
    ],
)
def test_a_derivative_of_zero_is_given_with_a_warning_where_no_other_can_be_asked_for(code: str, text: str) -> None:
    with pytest.warns(CladpyWarning, match=code) as caught:
        gradient = cladpy.gradient(text, "k", backend="host")
    assert caught[0].filename == __file__
    if text.startswith("double k"):
        assert gradient(2.5) == {"x": 0.0}


def test_a_kernel_is_differentiated_as_it_is() -> None:
    """No function around it that calls it, no marks in the source."""
    assert "k_grad" in cladpy.gradient(f"{K} {{ {HEAD} y[i] = x[i]; }}", "k", backend="host").code
