"""What is known of Kokkos in part: other functions of a file may use what is not."""

from __future__ import annotations

import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError

_FILE = """#include <Kokkos_Core.hpp>
using Vector = Kokkos::View<double *>;
struct Product {
  Vector x;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double &p, double &, double &, double &) const { p += x(i); }
  KOKKOS_INLINE_FUNCTION void join(double &p, const double &q) const { p += q; }
};
struct Holder {
  Kokkos::Nowhere<int> held;
};
template <class T>
struct Needless {
  Kokkos::Missing<T> held;
  KOKKOS_INLINE_FUNCTION void operator()(int) const {}
};
void needless() { Kokkos::parallel_for(3, Needless<int>()); }
void first(const Vector &x) {
  double a, b, c, d;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(0, 1), Product{x}, a, b, c, d);
}
double second(const Vector &x) {
  double a = 0, b = 0, c = 0, d = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<>(0, 1), Product{x}, a, b, c, d);
  return a;
}
double unknown(const Holder &h, const Vector &x) { return x(0) * Kokkos::nothing(h); }
double twice(const Vector &x) {
  double sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(int i, double &s) { s += x(i); }, sum);
  return 2 * sum;
}
"""


def test_what_other_functions_use_is_not_asked_for() -> None:
    assert "inline void twice_grad(" in cladpy.gradient(_FILE, "twice").code


@pytest.mark.parametrize("function", ["first", "second"])
def test_every_user_of_what_is_not_known_is_refused(function: str) -> None:
    """Clang complains of the first one only: there is one specialization for both."""
    with pytest.raises(DifferentiationError, match="a reduction by a functor's own join has one result") as refused:
        cladpy.gradient(_FILE, function)
    assert {d.code for d in refused.value.diagnostics} == {"CP0018"}


def test_all_that_a_function_uses_is_named() -> None:
    with pytest.raises(DifferentiationError) as refused:
        cladpy.gradient(_FILE, "unknown")
    found = [d.message.split("'")[1] for d in refused.value.diagnostics]
    assert found == ["Kokkos::Nowhere", "Kokkos::nothing"]
