#pragma once
#include <Kokkos_Core.hpp>

namespace Kokkos {

template <class D>
struct DualView {
  using host_mirror_space = HostSpace;
  using execution_space = DefaultExecutionSpace;
  View<D> d_view;
  typename View<D>::HostMirror h_view;
  DualView(const char *label, std::size_t n) : d_view(label, n), h_view(create_mirror_view(d_view)) {}
  auto view_device() const { return d_view; }
  auto view_host() const { return h_view; }
  std::size_t extent(int k) const { return d_view.extent(k); }
  void modify_device() { newest = 1; }
  void modify_host() { newest = 2; }
  void sync_host() {
    if (newest == 1) deep_copy(h_view, d_view);
  }
  void sync_device() {
    if (newest == 2) deep_copy(d_view, h_view);
  }
  template <class Space>
  void modify() { newest = std::is_same_v<typename Space::memory_space, HostSpace> ? 2 : 1; }
  template <class Space>
  void sync() {
    if constexpr (std::is_same_v<typename Space::memory_space, HostSpace> && !std::is_same_v<Space, DefaultExecutionSpace>) sync_host();
    else sync_device();
  }

 private:
  int newest = 0;
};

}  // namespace Kokkos
