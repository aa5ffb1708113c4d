// The functions of elementary.h under the C library's names. Part of <cladpy/host.h>, after the C++ library.
#ifndef CLADPY_HOST_OWN_FUNCTIONS_H
#define CLADPY_HOST_OWN_FUNCTIONS_H

#if defined(CLADPY_HOST_ELEMENTARY)
#undef __builtin_tanhf
#undef __builtin_expf
#undef __builtin_logf
#undef __builtin_erff

#if defined(CLADPY_HOST_FIBERS) || !defined(__OPTIMIZE__)
#define CLADPY_HOST_OWN_FUNCTION extern "C" inline
#else
#define CLADPY_HOST_OWN_FUNCTION extern "C" inline __attribute__((always_inline))
#endif
#if defined(__THROW) // what glibc declares them with
#define CLADPY_HOST_DECLARED __THROW
#else
#define CLADPY_HOST_DECLARED noexcept
#endif
CLADPY_HOST_OWN_FUNCTION float tanhf(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::tanhf(x); }
#if defined(CLADPY_HOST_STRAIGHT)
CLADPY_HOST_OWN_FUNCTION float expf(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::expf(x); }
CLADPY_HOST_OWN_FUNCTION float logf(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::logf(x); }
CLADPY_HOST_OWN_FUNCTION float erff(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::erff(x); }
#endif
#undef CLADPY_HOST_OWN_FUNCTION
#undef CLADPY_HOST_DECLARED
#endif

#endif
