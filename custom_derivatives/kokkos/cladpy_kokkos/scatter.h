// Sums that iterations add to elements of a view, which get them in the end.
#pragma once

#include <cladpy_kokkos/memory.h>

namespace Kokkos {
namespace Experimental {

struct ScatterSum {};
struct ScatterProd {};
struct ScatterMin {};
struct ScatterMax {};
struct ScatterNonDuplicated {};
struct ScatterDuplicated {};
struct ScatterNonAtomic {};
struct ScatterAtomic {};

}  // namespace Experimental

namespace cladpy_kokkos {

template <class V>
struct scatter_access {
  V sums;
  template <class... I>
  __host__ __device__ auto operator()(I... i) const {
    return atomic_element<typename V::value_type>(sums(i...));
  }
};

}  // namespace cladpy_kokkos

namespace Experimental {

// Read as memory of its own, also where Kokkos adds to the view at once.
template <class D, class Layout = cladpy_kokkos::unset, class Space = DefaultExecutionSpace, class Operation = ScatterSum, class... Ways>
class ScatterView {
  using sums_type = std::conditional_t<std::is_same_v<Layout, cladpy_kokkos::unset>, View<D>, View<D, Layout>>;

 public:
  sums_type sums_;
  template <class E, class... Props>
  explicit ScatterView(const View<E, Props...> &of) : sums_(cladpy_kokkos::made_like<sums_type>(of)) {
    static_assert(std::is_same_v<Operation, ScatterSum>, "Kokkos: what is scattered is summed up");
  }
  template <class...>
  __host__ __device__ cladpy_kokkos::scatter_access<sums_type> access() const { return {sums_}; }
  template <class E, class... Props>
  void contribute_into(const View<E, Props...> &to) const {
    const sums_type sums = sums_;
    cladpy_kokkos::for_elements(to, [=] __host__ __device__(auto... i) { to(i...) += sums(i...); });
  }
  void reset() { deep_copy(sums_, 0.0); }
};

template <class E, class... Props, class D, class... Ways>
inline void contribute(const View<E, Props...> &to, const ScatterView<D, Ways...> &from) {
  from.contribute_into(to);
}
template <class E, class... Props>
inline auto create_scatter_view(const View<E, Props...> &of) {
  if constexpr (std::is_same_v<typename View<E, Props...>::array_layout, cladpy_kokkos::unset>) return ScatterView<E>(of);
  else return ScatterView<E, typename View<E, Props...>::array_layout>(of);
}

}  // namespace Experimental
}  // namespace Kokkos
