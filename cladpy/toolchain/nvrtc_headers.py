"""The headers of the C and the C++ library for NVRTC, which has none: what kernels can use of them is built in, or
CCCL's, and of all else there is nothing, since host code is left out."""

from __future__ import annotations

from functools import cache

# What nvcc includes by itself.
PRELUDE = "cladpy_nvrtc/prelude.h"
# Before what includes CUDA's headers of copies and barriers.
COPIES = "cladpy_nvrtc/copies.h"
_STD = "cladpy_nvrtc/std.h"

_FUNCTIONS = (
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor "
    "fma fmax fmin fmod frexp hypot ilogb isfinite isinf isnan ldexp lgamma llrint llround log log10 log1p log2 logb "
    "lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln scalbn signbit sin sinh sqrt "
    "tan tanh tgamma trunc acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf copysignf cosf coshf erff erfcf "
    "expf exp2f expm1f fabsf fdimf floorf fmaf fmaxf fminf fmodf frexpf hypotf ilogbf ldexpf lgammaf llrintf llroundf "
    "logf log10f log1pf log2f logbf lrintf lroundf modff nanf nearbyintf nextafterf powf remainderf remquof rintf "
    "roundf scalblnf scalbnf sinf sinhf sqrtf tanf tanhf tgammaf truncf"
)
_MATH = """
#ifndef INFINITY
#define INFINITY (__builtin_bit_cast(float, 0x7f800000))
#endif
#ifndef HUGE_VAL
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000))
#define HUGE_VALF INFINITY
#endif
#ifndef NAN
#define NAN (__builtin_bit_cast(float, 0x7fc00000))
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
"""
# What GCC has built in, and NVRTC has not.
_GNU = (
    "".join(
        f"template <class... T> __device__ inline auto __builtin_{name}(T... x) {{ return ::{name}(x...); }}\n"
        for name in _FUNCTIONS.split()
        if not name.startswith(("is", "sign", "nan"))
    )
    + """
__device__ constexpr double __builtin_inf() { return __builtin_bit_cast(double, 0x7ff0000000000000); }
__device__ constexpr double __builtin_huge_val() { return __builtin_bit_cast(double, 0x7ff0000000000000); }
__device__ constexpr double __builtin_nan(const char *) { return __builtin_bit_cast(double, 0x7ff8000000000000); }
__device__ constexpr float __builtin_inff() { return __builtin_bit_cast(float, 0x7f800000); }
__device__ constexpr float __builtin_huge_valf() { return __builtin_bit_cast(float, 0x7f800000); }
__device__ constexpr float __builtin_nanf(const char *) { return __builtin_bit_cast(float, 0x7fc00000); }
"""
)
_LIMITS = """
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-LONG_MAX - 1L)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
"""
_FLOAT = """
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_TRUE_MIN 1.401298464e-45F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_TRUE_MIN 4.9406564584124654e-324
#define DBL_EPSILON 2.2204460492503131e-16
#endif
"""
_SIZES = (("8", "char", "CHAR"), ("16", "short", "SHRT"), ("32", "int", "INT"), ("64", "long", "LONG"))


def _names(names: list[str]) -> str:
    return "namespace std {\n" + "".join(f"using ::{name};\n" for name in names) + "}\n"


def _integers(of_cccl: bool = False) -> str:
    """As the host has them; CCCL's own 64 bits would be `long long`, and are these in their place."""
    found = [("intptr_t", "long"), ("uintptr_t", "unsigned long"), ("intmax_t", "long"), ("uintmax_t", "unsigned long")]
    limits = [("SIZE_MAX", "ULONG_MAX"), ("PTRDIFF_MIN", "LONG_MIN"), ("PTRDIFF_MAX", "LONG_MAX")]
    for bits, type, name in _SIZES:
        for kind in ("", "_least", "_fast"):
            wide = kind == "_fast" and bits in ("16", "32")
            of = "long" if wide else type
            found += [(f"int{kind}{bits}_t", f"signed {of}"), (f"uint{kind}{bits}_t", f"unsigned {of}")]
            most, spelled = "LONG" if wide else name, f"INT{kind.upper()}{bits}"
            limits += [(f"{spelled}_MIN", "SCHAR_MIN" if most == "CHAR" else f"{most}_MIN")]
            limits += [(f"{spelled}_MAX", "SCHAR_MAX" if most == "CHAR" else f"{most}_MAX")]
            limits += [(f"U{spelled}_MAX", f"U{most}_MAX")]
    for name in ("INTPTR", "INTMAX"):
        limits += [(f"{name}_MIN", "LONG_MIN"), (f"{name}_MAX", "LONG_MAX"), (f"U{name}_MAX", "ULONG_MAX")]
    constants = [(f"{u}INT{bits}_C(x)", f"x##{u}L") for bits, u in (("64", ""), ("64", "U"), ("MAX", ""), ("MAX", "U"))]
    constants += [(f"{u}INT{bits}_C(x)", f"x##{u}" if u else "x") for bits in ("8", "16", "32") for u in ("", "U")]
    if of_cccl:
        return _OF_CCCL_BEGIN + "".join(f"using ::{name};\n" for name, _ in found) + _OF_CCCL_END
    return (
        "#include <limits.h>\n"
        + "".join(f"typedef {type} {name};\n" for name, type in found)
        + "".join(f"#define {name} {value}\n" for name, value in [*limits, *constants])
        + _names([name for name, _ in found])
    )


_OF_CCCL_BEGIN = """
#include <cuda/std/detail/__config>
#include <cuda/std/climits>
#include <stdint.h>
#ifdef _CCCL_BEGIN_NAMESPACE_CUDA_STD
_CCCL_BEGIN_NAMESPACE_CUDA_STD
#else
_LIBCUDACXX_BEGIN_NAMESPACE_STD
#endif
typedef __int128 __cccl_intmax_t;
typedef unsigned __int128 __cccl_uintmax_t;
"""
_OF_CCCL_END = """
#ifdef _CCCL_END_NAMESPACE_CUDA_STD
_CCCL_END_NAMESPACE_CUDA_STD
#else
_LIBCUDACXX_END_NAMESPACE_STD
#endif
"""
# CCCL has these for devices, in a namespace of its own.
_OF_CCCL = "array complex functional initializer_list iterator limits optional ratio tuple type_traits utility"
# These headers say of their own what <stdint.h> says.
_RENAMED = ("uint16_t", "uint32_t", "uint64_t", "uintptr_t")
_COPIES = "".join(
    [
        *(f"#define {name} cladpy_{name}\n" for name in _RENAMED),
        "#include <cuda_pipeline.h>\n#include <cuda_awbarrier.h>\n",
        *(f"#undef {name}\n" for name in _RENAMED),
    ]
)
# Of CUB what kernels call.
_OF_CUB = (
    "block/block_adjacent_difference block/block_discontinuity block/block_exchange block/block_histogram "
    "block/block_load block/block_merge_sort block/block_radix_sort block/block_reduce block/block_scan "
    "block/block_shuffle block/block_store warp/warp_exchange warp/warp_load warp/warp_merge_sort warp/warp_reduce "
    "warp/warp_scan warp/warp_store thread/thread_load thread/thread_operators thread/thread_reduce thread/thread_scan "
    "thread/thread_store"
)
_OF_C = {
    "assert": "#ifndef assert\n#define assert(condition) ((condition) ? (void)0 : __trap())\n#endif\n",
    "float": _FLOAT,
    "limits": _LIMITS,
    "math": _MATH + _GNU + _names(_FUNCTIONS.split()),
    "stddef": "typedef decltype(nullptr) cladpy_nullptr_t;\ntypedef long ptrdiff_t;\n"
    "namespace std {\nusing ::size_t;\nusing ::ptrdiff_t;\ntypedef ::cladpy_nullptr_t nullptr_t;\n}\n",
    "stdint": "",
    "stdio": "namespace std {\nusing ::printf;\n}\n",
    "stdlib": _names(["abs", "free", "malloc"]),
    "string": _names(["memcpy", "memset"]),
}
_NOTHING = (
    "algorithm any atomic bitset chrono condition_variable deque exception execution filesystem forward_list fstream "
    "future iomanip ios iosfwd iostream istream list locale map memory mutex new numeric ostream queue random "
    "regex set sstream stack stdexcept streambuf string string_view thread typeindex typeinfo unordered_map "
    "unordered_set valarray variant vector cctype cerrno clocale csignal cstdarg ctime "
    "ctype.h errno.h inttypes.h locale.h omp.h signal.h stdarg.h stdbool.h sys/stat.h sys/time.h sys/types.h time.h "
    "unistd.h"
)


@cache
def nvrtc_headers() -> dict[str, str]:
    """Texts by the names that they are included by."""
    of_c = _OF_C | {"stdint": _integers()}
    found = dict.fromkeys(_NOTHING.split(), "")
    found |= {f"{name}.h": text for name, text in of_c.items()}
    found |= {f"c{name}": f"#include <{name}.h>\n" for name in of_c}
    found["cuda/std/cstdint"] = _integers(of_cccl=True)
    found["cub/cub.cuh"] = "".join(f"#include <cub/{name}.cuh>\n" for name in _OF_CUB.split())
    found["memory"] = "#include <utility>\n"
    found[_STD] = "namespace cuda { namespace std {} }\nnamespace std { using namespace ::cuda::std; }\n"
    found |= {name: f"#include <cuda/std/{name}>\n#include <{_STD}>\n" for name in _OF_CCCL.split()}
    brought = ("cuda_runtime.h", "math.h", "stddef.h", "stdlib.h", "string.h")
    # What is the host's alone is refused as such, and is nothing to mind where no kernel calls it.
    found[PRELUDE] = "".join(f"#include <{name}>\n" for name in brought) + "#undef __host__\n#define __host__\n"
    found[COPIES] = _COPIES
    return {name: f"#pragma once\n{text}" for name, text in found.items()}
