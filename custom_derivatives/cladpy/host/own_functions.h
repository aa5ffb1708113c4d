// The functions of elementary.h under the C library's names. Part of <cladpy/host.h>, after the C++ library.
#ifndef CLADPY_HOST_OWN_FUNCTIONS_H
#define CLADPY_HOST_OWN_FUNCTIONS_H

#if defined(CLADPY_HOST_ELEMENTARY)
#undef __builtin_tanhf
#undef __builtin_fmaxf
#undef __builtin_fminf
#undef __builtin_fmax
#undef __builtin_fmin
#undef __builtin_expf
#undef __builtin_logf
#undef __builtin_erff
#undef __builtin_exp
#undef __builtin_log
#undef __builtin_sin
#undef __builtin_cos
#undef __builtin_tanh

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
CLADPY_HOST_OWN_FUNCTION float fmaxf(float x, float y) CLADPY_HOST_DECLARED { return cladpy::host::elementary::larger(x, y); }
CLADPY_HOST_OWN_FUNCTION float fminf(float x, float y) CLADPY_HOST_DECLARED { return cladpy::host::elementary::smaller(x, y); }
CLADPY_HOST_OWN_FUNCTION double fmax(double x, double y) CLADPY_HOST_DECLARED { return cladpy::host::elementary::larger(x, y); }
CLADPY_HOST_OWN_FUNCTION double fmin(double x, double y) CLADPY_HOST_DECLARED { return cladpy::host::elementary::smaller(x, y); }
#if defined(CLADPY_HOST_STRAIGHT)
CLADPY_HOST_OWN_FUNCTION float expf(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::expf(x); }
CLADPY_HOST_OWN_FUNCTION float logf(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::logf(x); }
CLADPY_HOST_OWN_FUNCTION float erff(float x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::erff(x); }
CLADPY_HOST_OWN_FUNCTION double exp(double x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::exp(x); }
CLADPY_HOST_OWN_FUNCTION double log(double x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::log(x); }
CLADPY_HOST_OWN_FUNCTION double sin(double x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::sin(x); }
CLADPY_HOST_OWN_FUNCTION double cos(double x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::cos(x); }
CLADPY_HOST_OWN_FUNCTION double tanh(double x) CLADPY_HOST_DECLARED { return cladpy::host::elementary::tanh(x); }
CLADPY_HOST_OWN_FUNCTION void sincos(double x, double *sine, double *cosine) CLADPY_HOST_DECLARED {
  *sine = cladpy::host::elementary::sin(x);
  *cosine = cladpy::host::elementary::cos(x);
}
#endif
#undef CLADPY_HOST_OWN_FUNCTION
#undef CLADPY_HOST_DECLARED
#endif

#endif
