"""The functions of the rules in mpmath, from which the expected derivatives come: nothing of cladpy's is in here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp, mpf

Function = Callable[..., Any]


def _root(*v: Any) -> Any:
    return mp.sqrt(sum(x * x for x in v))


def _normcdfinv(x: Any) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * x - 1)


def _fmod(x: Any, y: Any) -> Any:
    quotient = x / y
    return x - y * (mp.floor(quotient) if quotient >= 0 else mp.ceil(quotient))


def _cbrt(x: Any) -> Any:
    return mp.sign(x) * abs(x) ** (mpf(1) / 3)


def _frexp_fraction(x: Any) -> Any:
    return mpmath.frexp(x)[0]


FUNCTIONS: dict[str, Function] = {
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "atan2": mp.atan2,
    "sinpi": lambda x: mp.sin(mp.pi * x),
    "cospi": lambda x: mp.cos(mp.pi * x),
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "exp10": lambda x: mpf(10) ** x,
    "expm1": mp.expm1,
    "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "log10": lambda x: mp.log(x) / mp.log(10),
    "log1p": lambda x: mp.log(1 + x),
    "sqrt": mp.sqrt,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "cbrt": _cbrt,
    "rcbrt": lambda x: 1 / _cbrt(x),
    "pow": lambda x, y: x**y,
    "cladpy::norm_root": mp.sqrt,
    "cladpy::norm_rootf": mp.sqrt,
    "hypot": _root,
    "norm3d": _root,
    "norm4d": _root,
    "rhypot": lambda *v: 1 / _root(*v),
    "rnorm3d": lambda *v: 1 / _root(*v),
    "rnorm4d": lambda *v: 1 / _root(*v),
    "erf": mp.erf,
    "erfc": mp.erfc,
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
    "erfinv": mp.erfinv,
    "erfcinv": lambda x: mp.erfinv(1 - x),
    "normcdf": mp.ncdf,
    "normcdfinv": _normcdfinv,
    "tgamma": mp.gamma,
    "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
    "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x),
    "jn": lambda n, x: mp.besselj(int(n), x),
    "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x),
    "yn": lambda n, x: mp.bessely(int(n), x),
    "cyl_bessel_i0": lambda x: mp.besseli(0, x),
    "cyl_bessel_i1": lambda x: mp.besseli(1, x),
    "fabs": abs,
    "fmax": max,
    "fmin": min,
    "fdim": lambda x, y: max(x - y, mpf(0)),
    "copysign": lambda x, y: abs(x) * (1 if y >= 0 else -1),
    "fma": lambda x, y, z: x * y + z,
    "fmod": _fmod,
    "remainder": lambda x, y: x - y * mp.nint(x / y),
    "nextafter": lambda x, y: x,
    "ldexp": lambda x, n: x * mpf(2) ** int(n),
    "scalbn": lambda x, n: x * mpf(2) ** int(n),
    "scalbln": lambda x, n: x * mpf(2) ** int(n),
    "fdivide": lambda x, y: x / y,
    "floor": mp.floor,
    "ceil": mp.ceil,
    "trunc": lambda x: mp.floor(x) if x >= 0 else mp.ceil(x),
    "round": lambda x: mp.floor(x + 0.5) if x >= 0 else mp.ceil(x - 0.5),
    "rint": mp.nint,
    "nearbyint": mp.nint,
    "logb": lambda x: mp.floor(mp.log(abs(x)) / mp.log(2)),
    "abs": abs,
    "max": max,
    "min": min,
    "std::max": max,
    "std::min": min,
    "std::hypot": _root,
    "cladpy::times": lambda x, y: x * y,
    "cladpy::product": lambda x, y: x * y,
    "cladpy::chosen": lambda x, y: x * y,
    "cladpy::over": lambda x, y: x / y,
    "cladpy::reciprocal": lambda x: 1 / x,
    "cladpy::rsqrt": lambda x: 1 / mp.sqrt(x),
    "cladpy::pow_dx": lambda x, y: y * x ** (y - 1),
    "cladpy::add_rn": lambda x, y: x + y,
    "cladpy::sub_rn": lambda x, y: x - y,
    "cladpy::mul_rn": lambda x, y: x * y,
    "cladpy::modf_fraction": lambda x: x - (mp.floor(x) if x >= 0 else mp.ceil(x)),
    "cladpy::frexp_fraction": _frexp_fraction,
    "__saturatef": lambda x: min(max(x, mpf(0)), mpf(1)),
    "__fdividef": lambda x, y: x / y,
}

_ARITHMETIC: dict[str, Function] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "rcp": lambda x: 1 / x,
    "sqrt": mp.sqrt,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
}


def reference(name: str) -> Function:
    """The mpmath function for a rule's name, whatever its suffix or prefix. Raises KeyError where there is none."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name.startswith("__double2float_"):
        return lambda x: x
    if name.startswith(("__fma_", "__fmaf_")):
        return FUNCTIONS["fma"]
    stem = name.removeprefix("__").partition("_r")[0]
    if stem[:1] in "fd" and stem[1:] in _ARITHMETIC and name.startswith("__"):
        return _ARITHMETIC[stem[1:]]
    return FUNCTIONS[stem.removesuffix("f")]
