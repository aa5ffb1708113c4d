// A view where loops run and its mirror on the host, each of which is copied to the other where a program says so.
#pragma once

#include <cladpy_kokkos/memory.h>

namespace Kokkos {

// Which of the two has changed is not looked at: where it is said as it should be, a copy that Kokkos leaves out brings
// nothing new, and where the other one has changed it is refused, as for all mirrors.
template <class D, class... Props>
class DualView {
 public:
  using t_dev = View<D, Props...>;
  using t_host = typename t_dev::HostMirror;
  using value_type = typename t_dev::value_type;
  using memory_space = typename t_dev::memory_space;
  using execution_space = DefaultExecutionSpace;
  using host_mirror_space = HostSpace;
  t_dev d_view;
  t_host h_view;

  DualView() {}
  template <class... Extents, class = std::enable_if_t<(std::is_integral_v<Extents> && ...)>>
  explicit DualView(const cladpy_kokkos::label &label, Extents... extents) : d_view(label, extents...), h_view(create_mirror_view(d_view)) {}

  const t_dev &view_device() const { return d_view; }
  const t_host &view_host() const { return h_view; }
  template <class Space>
  auto view() const {
    if constexpr (cladpy_kokkos::is_there<Space, t_host>) return h_view;
    else return d_view;
  }
  void modify_device() {}
  void modify_host() {}
  template <class Space>
  void modify() {}
  void clear_sync_state() {}
  void sync_device() { deep_copy(d_view, h_view); }
  void sync_host() { deep_copy(h_view, d_view); }
  template <class Space>
  void sync() {
    if constexpr (cladpy_kokkos::is_there<Space, t_host>) sync_host();
    else sync_device();
  }
  std::size_t extent(int of) const { return d_view.extent(of); }

 private:
  bool is_made_here_ = true;  // one that is given is not known: its views may be one memory
};

}  // namespace Kokkos
