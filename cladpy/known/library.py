"""What the compilers and the libraries of C, C++ and OpenMP write as calls and what is something simpler."""

from __future__ import annotations

import math

from cladpy.known.rows import (
    Address,
    CachedLoad,
    CachedStore,
    Constant,
    Forwarding,
    Ignored,
    Known,
    Move,
    Setting,
    Standard,
    Transparent,
)

_PROMOTING = """
    acos acosh asin asinh atan atanh atan2 cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
    fmin fmod hypot lgamma log log10 log1p log2 logb nearbyint nextafter pow remainder rint round sin sinh sqrt tan tanh
    tgamma trunc
"""
_STANDARD = """
    abs frexp ldexp modf scalbn scalbln ilogb lrint llrint lround llround remquo isfinite isinf isnan signbit
"""

ROWS: tuple[Known, ...] = (
    *(Standard(name, promoting=True) for name in _PROMOTING.split()),
    *map(Standard, _STANDARD.split()),
    *map(Transparent, ("__builtin_expect", "__builtin_assume_aligned", "__builtin_expect_with_probability")),
    *map(Forwarding, ("move", "forward", "as_const", "move_if_noexcept")),
    *map(Address, ("addressof", "__addressof")),
    *map(Ignored, ("__builtin_assume", "__assume", "__builtin_unreachable")),
    *(Setting(f"omp_set_{what}") for what in ("num_threads", "dynamic", "nested", "max_active_levels", "schedule")),
    *map(Move, ("__builtin_memmove", "__builtin_memcpy")),
    *map(CachedLoad, ("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv", "__nv_atomic_load_n")),
    *map(CachedStore, ("__stwb", "__stcg", "__stcs", "__stwt", "__nv_atomic_store_n")),
    *(Constant(f"__builtin_{name}{suffix}") for name in ("huge_val", "inf", "nan", "nans") for suffix in ("", "f")),
    *(Constant(name, math.nan) for name in ("nan", "nanf")),  # of whatever payload
)


def is_name_of_library(name: str) -> bool:
    """Whether only the library itself may call something so."""
    return name[:1] == "_" and name[1:2].isupper()
