#pragma once
#include <Kokkos_Core.hpp>

namespace Kokkos::Experimental {

// Adds to the view at once.
template <class D>
struct ScatterView {
  View<D> to;
  explicit ScatterView(const View<D> &of) : to(of) {}
  View<D> access() const { return to; }
};
template <class D>
ScatterView<D> create_scatter_view(const View<D> &of) { return ScatterView<D>(of); }
template <class D>
void contribute(View<D> &, const ScatterView<D> &) {}

}  // namespace Kokkos::Experimental
