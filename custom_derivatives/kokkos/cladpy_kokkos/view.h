// Views, read as a pointer with extents and strides: emitted code asks the compiler's class for these.
#pragma once

#include <cladpy_kokkos/shape.h>

#include <cstdlib>
#include <string>

namespace Kokkos {

template <class D, class... Props>
class View;

struct WithoutInitializing_t {};
inline constexpr WithoutInitializing_t WithoutInitializing{};

namespace cladpy_kokkos {

// What views are called: nothing comes of it.
struct label {
  label(const char *) {}
  label(const std::string &) {}
  template <class... Given>
  explicit label(int, const Given &...) {}
};
struct unset {
  using memory_space = DefaultExecutionSpace_space;
};

template <class T>
struct has_atomic : std::false_type {};
template <unsigned flags>
struct has_atomic<MemoryTraits<flags>> : std::bool_constant<(flags & Atomic) != 0> {};

// An element of a view whose elements are changed atomically.
template <class T>
struct atomic_element {
  T *at;
  __host__ __device__ explicit atomic_element(T &element) : at(&element) {}
  __host__ __device__ operator T() const { return *at; }
  __host__ __device__ void operator=(T value) const { *at = value; }
  __host__ __device__ void operator+=(T value) const { atomicAdd(at, value); }
  __host__ __device__ void operator-=(T value) const { atomicAdd(at, -value); }
  __host__ __device__ void operator++() const { atomicAdd(at, T(1)); }
  __host__ __device__ void operator++(int) const { atomicAdd(at, T(1)); }
};

template <class Memory>
struct is_scratch : std::false_type {};
template <class Execution>
struct is_scratch<ScratchMemorySpace<Execution>> : std::true_type {};
struct scratch;  // what a team's member gives

template <class Memory, class Execution>
struct memory_in { using type = typename Memory::memory_space; };
template <class Execution>
struct memory_in<unset, Execution> { using type = typename Execution::memory_space; };

template <class D, class... Props>
struct traits {
  using value_type = typename data_type<D>::value;
  using layout = typename first_of<Kind::layout, unset, Props...>::type;
  static constexpr int rank = data_type<D>::rank;
  static constexpr bool is_atomic = has_atomic<typename first_of<Kind::traits, unset, Props...>::type>::value;
  using memory_space = typename memory_in<typename first_of<Kind::memory, unset, Props...>::type,
                                          typename first_of<Kind::execution, unset, Props...>::type>::type;
  static constexpr bool is_default_space = std::is_same_v<memory_space, DefaultExecutionSpace_space>;
  static constexpr bool is_host = std::is_same_v<memory_space, HostSpace>;
  static constexpr bool is_left = std::is_same_v<layout, LayoutLeft>;
  static constexpr bool is_strided = std::is_same_v<layout, LayoutStride>;
  // Of the layout that depends on the backend nothing is known but that elements of one dimension are side by side.
  static constexpr int unit = is_strided || is_scratch<memory_space>::value ? -1
                              : rank <= 1 || is_left                 ? 0
                              : std::is_same_v<layout, LayoutRight> ? rank - 1
                                                                     : -1;
};

// A view's type on the host.
template <class T>
struct not_const { using type = std::remove_const_t<T>; };
template <class T>
struct not_const<T *> { using type = typename not_const<T>::type *; };
template <class T, std::size_t n>
struct not_const<T[n]> { using type = typename not_const<T>::type[n]; };
template <class T>
struct with_const { using type = std::add_const_t<T>; };
template <class T>
struct with_const<T *> { using type = typename with_const<T>::type *; };
template <class T, std::size_t n>
struct with_const<T[n]> { using type = typename with_const<T>::type[n]; };
template <class D, class Layout>
struct mirror { using type = View<typename not_const<D>::type, Layout, HostSpace>; };
template <class D>
struct mirror<D, unset> { using type = View<typename not_const<D>::type, HostSpace>; };

}  // namespace cladpy_kokkos

template <class D, class... Props>
class View
    : public cladpy_kokkos::shape<D, cladpy_kokkos::traits<D, Props...>::rank, cladpy_kokkos::traits<D, Props...>::unit> {
  using own = cladpy_kokkos::traits<D, Props...>;

 public:
  using data_type = D;
  using const_data_type = typename cladpy_kokkos::with_const<D>::type;
  using non_const_data_type = typename cladpy_kokkos::not_const<D>::type;
  using const_type = View<const_data_type, Props...>;
  using non_const_type = View<non_const_data_type, Props...>;
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using device_type = Device<execution_space, typename own::memory_space>;
  using value_type = typename own::value_type;
  using const_value_type = std::add_const_t<value_type>;
  using non_const_value_type = std::remove_const_t<value_type>;
  using reference_type = std::conditional_t<own::is_atomic, cladpy_kokkos::atomic_element<value_type>, value_type &>;
  using pointer_type = value_type *;
  using size_type = std::size_t;
  using memory_space = typename own::memory_space;
  using array_layout = typename own::layout;
  using HostMirror = typename cladpy_kokkos::mirror<D, typename own::layout>::type;
  using host_mirror_type = HostMirror;
  static constexpr int unit = own::unit;
  static constexpr unsigned rank = own::rank;
  static constexpr unsigned Rank = own::rank;
  static constexpr unsigned rank_dynamic = cladpy_kokkos::data_type<D>::dynamic;

  value_type *data_;

  __host__ __device__ View() : data_(nullptr) { this->set(own::is_left); }
  template <class... Extents, class = std::enable_if_t<(std::is_integral_v<Extents> && ...)>>
  explicit View(const cladpy_kokkos::label &, Extents... extents) {
    static_assert(own::is_default_space || own::is_host, "Kokkos: views are made in the default memory space, or in HostSpace");
    this->set(own::is_left, std::size_t(extents)...);
    const std::size_t bytes = std::size_t(this->count()) * sizeof(value_type);
    if constexpr (own::is_host) {
      data_ = static_cast<value_type *>(std::calloc(bytes, 1));
    } else {
      cudaMallocManaged(&data_, bytes);
      cudaMemset(const_cast<non_const_value_type *>(data_), 0, bytes);
    }
  }
  template <class... Extents, class = std::enable_if_t<(std::is_integral_v<Extents> && ...)>>
  __host__ __device__ explicit View(value_type *memory, Extents... extents) : data_(memory) {
    this->set(own::is_left, std::size_t(extents)...);
  }
  __host__ __device__ explicit View(value_type *memory, const LayoutStride &layout) : data_(memory) { this->set_strides(layout); }
  // In a team's scratch memory, behind what has been made there before.
  template <class Scratch, class... Extents, class = std::enable_if_t<std::is_same_v<Scratch, cladpy_kokkos::scratch>>, class = void>
  __host__ __device__ explicit View(const Scratch &of, Extents... extents) : data_(of.template next<non_const_value_type>()) {
    this->set_apart(of.template apart<non_const_value_type>(), std::size_t(extents)...);
    of.take(this->count());
  }
  template <class... Extents>
  __host__ __device__ static std::size_t shmem_size(Extents... extents) {
    return (sizeof(value_type) * ... * std::size_t(extents)) + sizeof(double);
  }
  template <class E, class... Others, class = std::enable_if_t<!std::is_same_v<View<E, Others...>, View>>>
  __host__ __device__ View(const View<E, Others...> &other) : data_(other.data_) {
    this->take(other);
  }

  __host__ __device__ value_type *data() const { return data_; }
  template <class... I>
  __host__ __device__ reference_type operator()(I... i) const {
    return reference_type(data_[this->offset(long(i)...)]);
  }
  template <class I>
  __host__ __device__ reference_type operator[](I i) const {
    return reference_type(data_[this->offset(long(i))]);
  }
  template <class... I>
  __host__ __device__ reference_type access(I... i) const {
    return reference_type(data_[this->offset(long(i)...)]);
  }
  template <class I>
  __host__ __device__ int extent_int(I of) const { return int(this->extent(of)); }
  __host__ __device__ static constexpr std::size_t static_extent(unsigned of) { return static_extent_from<0>(of); }
  __host__ __device__ std::size_t size() const { return this->count(); }
  __host__ __device__ std::size_t span() const { return this->count(); }
  __host__ __device__ bool is_allocated() const { return data_ != nullptr; }
  std::string label() const;

 private:
  template <int k>
  __host__ __device__ static constexpr std::size_t static_extent_from(unsigned of) {
    if constexpr (k == own::rank) return 0;
    else return of == k ? cladpy_kokkos::data_type<D>::template known<k> : static_extent_from<k + 1>(of);
  }
};

template <class T>
struct is_view : std::false_type {};
template <class D, class... Props>
struct is_view<View<D, Props...>> : std::true_type {};
template <class D, class... Props>
struct is_view<const View<D, Props...>> : std::true_type {};
template <class T>
inline constexpr bool is_view_v = is_view<T>::value;

// What is said of an allocation besides how large it is.
template <class... Given>
inline cladpy_kokkos::label view_alloc(const Given &...given) {
  return cladpy_kokkos::label(0, given...);
}
inline cladpy_kokkos::label ViewAllocateWithoutInitializing(const cladpy_kokkos::label &name) { return name; }

}  // namespace Kokkos
