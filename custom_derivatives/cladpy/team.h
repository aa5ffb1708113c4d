// Gradients of functions that mean the team of their caller: one thread is all of it.
#pragma once

#include <stdexcept>
#include <string>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace cladpy {

// Ends a call by one of several threads, each of which would do the work of all.
inline void need_one_thread(const char *gradient) {
#ifdef _OPENMP
  if (omp_in_parallel())
    throw std::runtime_error(std::string(gradient) + " is called inside of a parallel region: its original shares out loops, or asks for "
                             "threads, in the team of its caller, and the gradient is that of a call by one thread; call it from outside");
#endif
  (void)gradient;
}

} // namespace cladpy
