"""Library functions without side effects whose derivative is zero: tests, roundings to integers, integer arithmetic."""

from __future__ import annotations

from itertools import product

from cladpy import known
from cladpy.derivatives import halves

_BITS = tuple(row for row in known.BOOK if isinstance(row, known.Bits))
_ROUNDINGS = ("rn", "rz", "ru", "rd")

_CLASSIFICATION = """
    isnan isinf isfinite isnormal signbit fpclassify isgreater isgreaterequal isless islessequal islessgreater
    isunordered __isnan __isnanf __isnand __isnanl __isinf __isinff __isinfd __isinfl __finite __finitef __finitel
    __isfinite __isfinitef __isfinited __signbit __signbitf __signbitd __signbitl finite finitef isnanf isinff nan nanf
    __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit __builtin_signbitf __builtin_isnormal
    __builtin_isgreater __builtin_isgreaterequal __builtin_isless __builtin_islessequal __builtin_islessgreater
    __builtin_isunordered
    __builtin_nan __builtin_nanf __builtin_inf __builtin_inff __builtin_huge_val __builtin_huge_valf
    std::numeric_limits::max std::numeric_limits::min std::numeric_limits::lowest std::numeric_limits::epsilon
    std::numeric_limits::infinity std::numeric_limits::quiet_NaN std::numeric_limits::denorm_min
    std::numeric_limits::round_error
"""

_TO_INTEGER = """
    lrint lrintf llrint llrintf lround lroundf llround llroundf ilogb ilogbf
    cladpy::frexp_exponent cladpy::norm_count cladpy::remquo_quotient
"""

_INTEGER = """
    labs llabs umin umax llmin llmax ullmin ullmax
    __clz __clzll __popc __popcll __ffs __ffsll __brev __brevll __byte_perm __mul24 __umul24 __mulhi __umulhi __mul64hi
    __umul64hi __uhadd __rhadd __urhadd __sad __usad __dp4a __dp2a_lo __dp2a_hi
    __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __fns
    __builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_clz __builtin_clzl __builtin_clzll
    __builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_ffs __builtin_abs __builtin_expect
    __builtin_bswap16 __builtin_bswap32 __builtin_bswap64
    popcount std::popcount std::countl_zero std::countl_one std::countr_zero std::countr_one std::rotl std::rotr
    std::bit_width std::bit_ceil std::bit_floor std::has_single_bit std::gcd std::lcm
"""

# The SIMD-in-a-word functions: `__vadd2`, `__vmaxs4`, ...
_WORD_OPERATIONS = """
    abs absss absdiffs absdiffu add addss addus avgs avgu cmpeq cmpges cmpgeu cmpgts cmpgtu cmples cmpleu cmplts cmpltu
    cmpne haddu maxs maxu mins minu neg negss sads sadu seteq setges setgeu setgts setgtu setles setleu setlts setltu
    setne sub subss subus
"""

# Additions with a maximum or minimum, maxima and minima of three, on words or halfwords, some cut off at zero.
_COMBINED = frozenset(
    f"__vi{operation}_{element}{relu}"
    for operation in ("addmax", "addmin", "max3", "min3", "max", "min")
    for element in ("s32", "u32", "s16x2", "u16x2")
    for relu in ("", "_relu")
    if (relu and element.startswith("s")) or (not relu and operation not in ("max", "min"))
)
# What `__vibmax_s32` and its like store: whether the first operand was chosen, of words or of their halves.
_CHOICES = frozenset(
    f"cladpy::{half}{comparison}"
    for comparison in ("at_least", "at_most")
    for half in ("", "high_s16_", "low_s16_", "high_u16_", "low_u16_")
)

_FLOATS = ("float", "double")
_INTEGERS = ("int", "uint", "ll", "ull")

# By what they are, as docs/math.md lists them.
GROUPS: dict[str, frozenset[str]] = {
    "Tests and constants": frozenset(_CLASSIFICATION.split()),
    "Roundings to integers, exponents": frozenset(_TO_INTEGER.split()),
    "Conversions": frozenset(
        f"__{source}2{target}_{mode}"
        for floats, integers, mode in product(_FLOATS, _INTEGERS, _ROUNDINGS)
        for source, target in ((floats, integers), (integers, floats))
        # a double holds every int: there is one conversion
        if mode == "rn" or target != "double" or source in ("ll", "ull")
    ),
    # where the bits came from a float, that was the bit cast
    "Tests and conversions of halves": halves.TESTS | halves.FROM_INTEGERS | halves.TO_INTEGERS,
    "Bits as a floating-point number": frozenset(row.name for row in _BITS if not row.to_integer),
    "Integers": frozenset(_INTEGER.split()),
    "Integers, several in a word or several operations in one": frozenset(
        [
            *(f"__v{operation}{lanes}" for operation in _WORD_OPERATIONS.split() for lanes in "24"),
            *_COMBINED,
            *_CHOICES,
        ]
    ),
}

# `detached` is what stands around what is marked as nondifferentiable.
FUNCTIONS: frozenset[str] = frozenset(
    {
        "cladpy::detached",
        "cladpy::device_attribute",
        "cladpy::team",
        "cladpy::total_memory",
        "cladpy::resident_blocks",
        "cladpy::least_grid",
        "cladpy::best_block",
        "cladpy::kernel_attribute",
        "cladpy::norm_unit",
    }
).union(*GROUPS.values())

BIT_CASTS: frozenset[str] = frozenset(row.name for row in _BITS if row.to_integer)
