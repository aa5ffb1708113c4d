// The runtime of the target, CUDA's or HIP's, by one spelling.
#pragma once

#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
#define CLADPY_ON_HIP
#define CLADPY_RUNTIME(name) hip##name
#else
#define CLADPY_RUNTIME(name) cuda##name
#endif

namespace cladpy {

typedef CLADPY_RUNTIME(Error_t) runtime_error_t;
typedef CLADPY_RUNTIME(Stream_t) runtime_stream_t;

inline runtime_error_t last_error() { return CLADPY_RUNTIME(GetLastError)(); }

} // namespace cladpy
