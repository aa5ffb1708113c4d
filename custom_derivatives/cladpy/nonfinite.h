// Where the adjoints of a gradient that was made with `trace_nonfinite` are looked at, and how a program asks for what was
// found. Emitted code includes it.
//
//   kernel_grad_launch(grid, block, 0, stream, ...);
//   cladpy::raise_nonfinite();  // waits for the device; throws cladpy::nonfinite_error
//
// The gradients of host programs throw it themselves, after the launch in which it was found.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <cladpy/support.h>

#if defined(__HIP_DEVICE_COMPILE__) || (defined(__CUDA_ARCH__) && !defined(CLADPY_HOST_H))
#define CLADPY_TRACES_ON_DEVICE
#endif

namespace cladpy {

// ---- what is told ----------------------------------------------------------------------------------------------------

enum nonfinite_kind {
  nonfinite_adjoint,  // a statement of the reverse sweep made it
  nonfinite_sum,      // of finite contributions, in the adjoint of memory or of a number
  zero_times_nonfinite,  // an adjoint of zero met a partial that is not finite: that gives zero
};

constexpr int most_operands = 24;

// Plain data, as a device writes it. `names` has first those of the adjoints that were looked at, then those of the
// operands (`#` before an integer's), each up to a semicolon; `adjoint` is the first of them that is not finite, in
// `adjoint_of` its name. Of a product with zero `adjoint` is the other factor.
struct nonfinite_report {
  unsigned found;  // 2 where there is one
  int kind, line, in_kernel, operand_count;
  unsigned block[3], thread[3];
  double cotangent, adjoint, operands[most_operands];
  char file[512], function[256], kernel[256], adjoint_of[128], names[1536];
};

// The first adjoint that is not finite, and the first product with zero.
struct nonfinite_reports {
  nonfinite_report stopped, zero;
};

#if (defined(__CUDACC__) || defined(__HIP__)) && !defined(CLADPY_HOST_H)
#define CLADPY_TRACES_DEVICES
static __device__ nonfinite_reports nonfinite_on_device;
#endif

inline nonfinite_reports &nonfinite_on_host() {
  static nonfinite_reports reports;
  return reports;
}

// What the traced gradients of this program have found since it was last asked, on the current device or on the host:
// waits for the device. Whether an adjoint was not finite.
static inline bool take_nonfinite(nonfinite_reports *into) {
  nonfinite_reports &own = nonfinite_on_host();
  *into = own;
  own.stopped.found = own.zero.found = 0;
#ifdef CLADPY_TRACES_DEVICES
  static nonfinite_reports there;
#if defined(__HIP__)
  const bool copied = hipDeviceSynchronize() == hipSuccess &&
                      hipMemcpyFromSymbol(&there, HIP_SYMBOL(nonfinite_on_device), sizeof there) == hipSuccess;
#else
  const bool copied =
      cudaDeviceSynchronize() == cudaSuccess && cudaMemcpyFromSymbol(&there, nonfinite_on_device, sizeof there) == cudaSuccess;
#endif
  if (copied) {
    const bool any = there.stopped.found || there.zero.found;
    if (!into->stopped.found) into->stopped = there.stopped;
    if (!into->zero.found) into->zero = there.zero;
    there.stopped.found = there.zero.found = 0;
#if defined(__HIP__)
    if (any) (void)hipMemcpyToSymbol(HIP_SYMBOL(nonfinite_on_device), &there, sizeof there);
#else
    if (any) (void)cudaMemcpyToSymbol(nonfinite_on_device, &there, sizeof there);
#endif
  }
#endif
  return into->stopped.found != 0;
}

// The names and values of the operands, as a text.
inline std::string operands_of(const nonfinite_report &report) {
  std::string text;
  const char *name = report.names;
  for (int i = 0; i < report.operand_count && *name; ++i) {
    const char *end = name;
    while (*end && *end != ';') ++end;
    char value[40];
    snprintf(value, sizeof value, " = %.9g", report.operands[i]);
    text += (i ? ", " : "") + std::string(*name == '#' ? name + 1 : name, end) + value;
    name = *end ? end + 1 : end;
  }
  return text;
}

inline std::string described(const nonfinite_report &report) {
  char numbers[256];
  std::string text = std::string("the adjoint of '") + report.adjoint_of + "' is ";
  snprintf(numbers, sizeof numbers, "%g", report.adjoint);
  text += std::string(numbers) + " in the gradient of '" + report.kernel + "'";
  if (*report.file) text += std::string(", ") + report.file + ":" + std::to_string(report.line);
  if (std::string(report.function) != report.kernel) text += std::string(", in '") + report.function + "'";
  if (report.in_kernel) {
    snprintf(numbers, sizeof numbers, ", thread (%u, %u, %u) of block (%u, %u, %u)", report.thread[0], report.thread[1],
             report.thread[2], report.block[0], report.block[1], report.block[2]);
    text += numbers;
  }
  snprintf(numbers, sizeof numbers, "; cotangent %.9g", report.cotangent);
  text += numbers;
  const std::string operands = operands_of(report);
  return operands.empty() ? text : text + "; " + operands;
}

class nonfinite_error : public std::runtime_error {
 public:
  explicit nonfinite_error(const nonfinite_report &found) : std::runtime_error(described(found)), report(found) {}
  nonfinite_report report;
};

// Throws nonfinite_error where an adjoint was not finite since the program last asked.
static inline void raise_nonfinite() {
  static nonfinite_reports found;
  if (!take_nonfinite(&found)) return;
  if (found.zero.found) nonfinite_on_host().zero = found.zero;  // for who asks later
  throw nonfinite_error(found.stopped);
}

// ---- where adjoints are looked at -------------------------------------------------------------------------------------

// Where the code of a gradient runs: of a kernel, of a host function, which stops at once, or one of the two.
enum class traced_at { kernel, host, device };

__host__ __device__ inline bool is_nonfinite(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7ff0000000000000ull) == 0x7ff0000000000000ull;
}

// What a function's gradient knows of its adjoints. One that may be discarded waits, by the number of its value, with what
// made it.
class tracer {
 public:
  __host__ __device__ tracer(traced_at at, const char *kernel, const char *function)
      : at(at), kernel(kernel), function(function), waiting(0) {}

  // After the reverse of a statement: `values` are the cotangent, so many `adjoints`, which it was to add to, the numbers
  // of those that may wait, and what the statement reads. `of` is the number of the value whose adjoint the cotangent is,
  // below zero for an element of memory: others have the same.
  template <class... T>
  __host__ __device__ void check(const char *file, int line, const char *names, int adjoints, int of, T... values) {
    const double all[] = {static_cast<double>(values)...};
    bool any = false;
    for (int i = 1; i <= adjoints; ++i) any |= is_nonfinite(all[i]);
    if (of < 0) of = is_nonfinite(all[0]) ? -of : 0;
    if (any || (of && of == waiting)) judge(file, line, names, adjoints, of, all, static_cast<int>(sizeof...(values)));
  }

  // Before an adjoint meets a partial, or is divided by what may be zero: `values` are what the statement reads.
  template <class... T>
  __host__ __device__ void zero(const char *file, int line, const char *names, int divides, double adjoint, double factor,
                                T... values) {
    if (adjoint != 0 || (divides ? factor == factor && factor != 0 : !is_nonfinite(factor))) return;
    const double all[] = {0, static_cast<double>(values)...};
    origin made = {file, names, line, 0, 0, 0, adjoint, divides ? 1 / factor : factor, {}};
    made.take(all + 1, static_cast<int>(sizeof...(values)));
    tell(zero_times_nonfinite, made);
  }

  // After a contribution to the adjoint of memory.
  template <class T>
  __host__ __device__ void sum(const T *cell, const char *file, int line, const char *name, double added) {
    const double value = static_cast<double>(*const_cast<const volatile T *>(cell));
    if (!is_nonfinite(value)) return;
    const origin made = {file, name, line, 1, 0, 0, added, value, {}};
    tell(nonfinite_sum, made);
  }

 private:
  // What made an adjoint that is not finite. `which` adjoint it is, and of how many.
  struct origin {
    const char *file, *names;
    int line, adjoints, which, count;
    double cotangent, adjoint, operands[most_operands];

    __host__ __device__ void take(const double *values, int there) {
      count = there < most_operands ? there : most_operands;
      for (int i = 0; i < count; ++i) operands[i] = values[i];
    }
  };

  __host__ __device__ void judge(const char *file, int line, const char *names, int adjoints, int of, const double *all,
                                 int count) {
    const bool passed_on = of && of == waiting && is_nonfinite(all[0]);
    if (of && of == waiting) waiting = 0;
    int bad = 0, later = 0;
    for (int i = adjoints; i >= 1; --i) {
      if (!is_nonfinite(all[i])) continue;
      const int number = static_cast<int>(all[adjoints + i]);
      if (!number)
        bad = i;
      else if (number != waiting)
        later = i;
    }
    if (!bad && !later) return;
    if (!passed_on) {
      const int which = bad ? bad : later;
      origin made = {file, names, line, adjoints, which - 1, 0, all[0], all[which], {}};
      made.take(all + 2 * adjoints + 1, count - 2 * adjoints - 1);
      from = made;
    }
    if (bad)
      tell(nonfinite_adjoint, from);
    else
      waiting = static_cast<int>(all[adjoints + later]);
  }

  __host__ __device__ void tell(nonfinite_kind kind, const origin &made) {
#ifdef CLADPY_TRACES_ON_DEVICE
    nonfinite_reports &reports = nonfinite_on_device;
#else
    nonfinite_reports &reports = nonfinite_on_host();
#endif
    nonfinite_report &report = kind == zero_times_nonfinite ? reports.zero : reports.stopped;
    if (claimed(report)) {
      report.kind = kind;
      report.line = made.line;
      report.cotangent = made.cotangent;
      report.adjoint = made.adjoint;
      report.operand_count = made.count;
      for (int i = 0; i < made.count; ++i) report.operands[i] = made.operands[i];
      copy(report.file, made.file, sizeof report.file);
      copy(report.function, function, sizeof report.function);
      copy(report.kernel, kernel, sizeof report.kernel);
      copy(report.adjoint_of, made.adjoints ? behind(made.names, made.which) : "", sizeof report.adjoint_of, ';');
      copy(report.names, behind(made.names, made.adjoints), sizeof report.names);
      report.in_kernel = at == traced_at::kernel;
      set_place(report);
      published(report);
    }
#ifndef CLADPY_TRACES_ON_DEVICE
    if (at == traced_at::host && kind != zero_times_nonfinite) raise_nonfinite();
#endif
  }

  // The first thread to come has a report to itself; what it adds to memory afterwards others see after the report.
  __host__ __device__ static bool claimed(nonfinite_report &report) {
#ifdef CLADPY_TRACES_ON_DEVICE
    return atomicCAS(&report.found, 0u, 1u) == 0u;
#else
    unsigned none = 0;
    return __atomic_compare_exchange_n(&report.found, &none, 1u, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#endif
  }

  __host__ __device__ static void published(nonfinite_report &report) {
#ifdef CLADPY_TRACES_ON_DEVICE
    __threadfence();
    atomicExch(&report.found, 2u);
    __threadfence();
#else
    __atomic_store_n(&report.found, 2u, __ATOMIC_RELEASE);
#endif
  }

  __host__ __device__ void set_place(nonfinite_report &report) const {
    for (int i = 0; i < 3; ++i) report.block[i] = report.thread[i] = 0;
#if defined(CLADPY_TRACES_ON_DEVICE) || defined(CLADPY_HOST_H)
    if (at != traced_at::kernel) return;
    report.block[0] = blockIdx.x, report.block[1] = blockIdx.y, report.block[2] = blockIdx.z;
    report.thread[0] = threadIdx.x, report.thread[1] = threadIdx.y, report.thread[2] = threadIdx.z;
#endif
  }

  __host__ __device__ static const char *behind(const char *names, int count) {
    while (count && *names)
      if (*names++ == ';') --count;
    return names;
  }

  __host__ __device__ static void copy(char *to, const char *from, unsigned long size, char end = 0) {
    unsigned long i = 0;
    for (; i + 1 < size && from[i] && from[i] != end; ++i) to[i] = from[i];
    to[i] = 0;
  }

  traced_at at;
  const char *kernel, *function;
  int waiting;
  origin from;
};

}  // namespace cladpy
