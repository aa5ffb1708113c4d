"""Library functions without side effects whose derivative is zero: tests, roundings to integers, integer arithmetic."""

from __future__ import annotations

from itertools import product

_ROUNDINGS = ("rn", "rz", "ru", "rd")

_CLASSIFICATION = """
    isnan isinf isfinite isnormal signbit fpclassify isgreater isgreaterequal isless islessequal islessgreater
    isunordered __isnan __isnanf __isnand __isnanl __isinf __isinff __isinfd __isinfl __finite __finitef __finitel
    __isfinite __isfinitef __isfinited __signbit __signbitf __signbitd __signbitl finite finitef isnanf isinff nan nanf
    __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit __builtin_signbitf __builtin_isnormal
    __builtin_nan __builtin_nanf __builtin_inf __builtin_inff __builtin_huge_val __builtin_huge_valf
    std::numeric_limits::max std::numeric_limits::min std::numeric_limits::lowest std::numeric_limits::epsilon
    std::numeric_limits::infinity std::numeric_limits::quiet_NaN std::numeric_limits::denorm_min
    std::numeric_limits::round_error
"""

_TO_INTEGER = """
    lrint lrintf llrint llrintf lround lroundf llround llroundf ilogb ilogbf
    cladpy::frexp_exponent cladpy::remquo_quotient
"""

_INTEGER = """
    labs llabs umin umax llmin llmax ullmin ullmax
    __clz __clzll __popc __popcll __ffs __ffsll __brev __brevll __byte_perm __mul24 __umul24 __mulhi __umulhi __mul64hi
    __umul64hi __hadd __uhadd __rhadd __urhadd __sad __usad __dp4a __dp2a_lo __dp2a_hi
    __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __fns
    __builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_clz __builtin_clzl __builtin_clzll
    __builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_ffs __builtin_abs __builtin_expect
    __builtin_bswap16 __builtin_bswap32 __builtin_bswap64
    popcount std::popcount std::countl_zero std::countl_one std::countr_zero std::countr_one std::rotl std::rotr
    std::bit_width std::bit_ceil std::bit_floor std::has_single_bit std::gcd std::lcm
"""

# The SIMD-in-a-word functions: `__vadd2`, `__vmaxs4`, ...
_WORD_OPERATIONS = """
    abs abss absdiffs absdiffu add addss addus avgs avgu cmpeq cmpges cmpgeu cmpgts cmpgtu cmples cmpleu cmplts cmpltu
    cmpne haddu maxs maxu mins minu neg negss sads sadu seteq setges setgeu setgts setgtu setles setleu setlts setltu
    setne sub subss subus
"""

_FLOATS = ("float", "double")
_INTEGERS = ("int", "uint", "ll", "ull")

FUNCTIONS: frozenset[str] = frozenset(
    [
        *_CLASSIFICATION.split(),
        *_TO_INTEGER.split(),
        *_INTEGER.split(),
        *(f"__v{operation}{lanes}" for operation in _WORD_OPERATIONS.split() for lanes in "24"),
        *(f"__{f}2{i}_{mode}" for f, i, mode in product(_FLOATS, _INTEGERS, _ROUNDINGS)),
        *(f"__{i}2{f}_{mode}" for f, i, mode in product(_FLOATS, _INTEGERS, _ROUNDINGS)),
        "__int2double_rn",
        "__uint2double_rn",
        # bits to float: where the bits came from a float, that was the bit cast
        "__int_as_float",
        "__uint_as_float",
        "__longlong_as_double",
        "__hiloint2double",
    ]
)

BIT_CASTS: frozenset[str] = frozenset(
    ["__float_as_int", "__float_as_uint", "__double_as_longlong", "__double2hiint", "__double2loint"]
)
