// Shapes, devices, and what a tensor is made with.
#ifndef CLADPY_TORCH_OPTIONS_H
#define CLADPY_TORCH_OPTIONS_H

#include "scalar_type.h"
#include <optional>
#include <type_traits>
#include <vector>

// Does something for each dimension that there may be: steps of their own, since their numbers are known where a tensor's are.
#define CLADPY_TORCH_EACH(STEP) STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5)

namespace cladpy_torch {

constexpr int most_dimensions = 6;
template <class T> using if_number = typename std::enable_if<std::is_arithmetic<T>::value>::type;

// A number for each dimension, each a variable of its own.
struct Dimensions {
  int64_t d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0;
  int64_t operator[](int64_t k) const {
    return k == 0 ? d0 : k == 1 ? d1 : k == 2 ? d2 : k == 3 ? d3 : k == 4 ? d4 : d5;
  }
  void set(int64_t k, int64_t value) {
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (k == K) d##K = value;
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  }
};

}  // namespace cladpy_torch

namespace c10 {

// A list of sizes, by value, as long as dimensions may be.
struct IntArrayRef {
  int64_t count = 0;
  cladpy_torch::Dimensions values;

  IntArrayRef() {}
  template <class First, class... Rest,
            class = typename std::enable_if<std::is_integral<First>::value || std::is_enum<First>::value>::type>
  IntArrayRef(First first, Rest... rest)
      : count(1 + sizeof...(Rest)), values{static_cast<int64_t>(first), static_cast<int64_t>(rest)...} {}
  IntArrayRef(const std::vector<int64_t> &sizes) : count(static_cast<int64_t>(sizes.size())) {
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (K < count) values.d##K = sizes[K];
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
  }
  int64_t operator[](int64_t k) const { return values[k]; }
  int64_t at(int64_t k) const { return values[k]; }
  int64_t size() const { return count; }
  bool empty() const { return count == 0; }
  int64_t front() const { return values.d0; }
  int64_t back() const { return values[count - 1]; }
  std::vector<int64_t> vec() const {
    std::vector<int64_t> found;
    for (int64_t k = 0; k < count; ++k) found.push_back(values[k]);
    return found;
  }
  bool equals(const IntArrayRef &other) const {
    bool same = count == other.count;
#define CLADPY_TORCH_STEP(K)                                                                                           \
  if (K < count) same = same && values.d##K == other.values.d##K;
    CLADPY_TORCH_EACH(CLADPY_TORCH_STEP)
#undef CLADPY_TORCH_STEP
    return same;
  }
};
inline bool operator==(const IntArrayRef &a, const IntArrayRef &b) { return a.equals(b); }
inline bool operator!=(const IntArrayRef &a, const IntArrayRef &b) { return !a.equals(b); }
using SymIntArrayRef = IntArrayRef;
using IntList = IntArrayRef;
using DimVector = std::vector<int64_t>;

enum class DeviceType : int8_t { CPU = 0, CUDA = 1, COMPILE_TIME_MAX_DEVICE_TYPES = 22 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
using DeviceIndex = int8_t;

struct Device {
  DeviceType kind = kCUDA;
  DeviceIndex number = 0;
  Device() {}
  Device(DeviceType type, DeviceIndex index = 0) : kind(type), number(index) {}
  DeviceType type() const { return kind; }
  DeviceIndex index() const { return number; }
  bool is_cuda() const { return kind == kCUDA; }
  bool is_cpu() const { return kind == kCPU; }
};
inline bool operator==(const Device &a, const Device &b) { return a.kind == b.kind && a.number == b.number; }
inline bool operator!=(const Device &a, const Device &b) { return !(a == b); }

enum class Layout : int8_t { Strided };
constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

struct TensorOptions {
  ScalarType type = kFloat;
  TensorOptions() {}
  TensorOptions(ScalarType t) : type(t) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  TensorOptions dtype(ScalarType t) const { return TensorOptions(t); }
  ScalarType dtype() const { return type; }
  TensorOptions device(Device) const { return *this; }
  TensorOptions device(DeviceType, DeviceIndex = 0) const { return *this; }
  Device device() const { return Device(); }
  TensorOptions device_index(int) const { return *this; }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions requires_grad(bool) const { return *this; }
  TensorOptions memory_format(MemoryFormat) const { return *this; }
};

template <class T> using optional = std::optional<T>;
constexpr std::nullopt_t nullopt = std::nullopt;

template <class T> struct ArrayRef_ { using type = std::vector<T>; };
template <> struct ArrayRef_<int64_t> { using type = IntArrayRef; };
template <class T> using ArrayRef = typename ArrayRef_<T>::type;

inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
inline TensorOptions CUDA(ScalarType t) { return TensorOptions(t); }
// The numbers below one.
struct Range {
  int64_t first, last;
  struct Place {
    int64_t number;
    int64_t operator*() const { return number; }
    Place &operator++() {
      ++number;
      return *this;
    }
    bool operator!=(const Place &other) const { return number != other.number; }
  };
  Place begin() const { return Place{first}; }
  Place end() const { return Place{last}; }
};
inline Range irange(int64_t last) { return Range{0, last}; }
inline Range irange(int64_t first, int64_t last) { return Range{first, last}; }

inline TensorOptions device(Device d) { return TensorOptions(d); }

}  // namespace c10

#endif  // CLADPY_TORCH_OPTIONS_H
