"""Which formula of the oracle's headers belongs to which library function.

The table is the oracle's own: it knows nothing of `derivatives/`, which it judges.
"""

from __future__ import annotations

# formula -> double spellings; the `f` spelling of each is understood too
_FORMULAS: dict[str, tuple[str, ...]] = {
    "sin": ("sin",),
    "cos": ("cos",),
    "tan": ("tan",),
    "asin": ("asin",),
    "acos": ("acos",),
    "atan": ("atan",),
    "atan2": ("atan2",),
    "sinh": ("sinh",),
    "cosh": ("cosh",),
    "tanh": ("tanh",),
    "asinh": ("asinh",),
    "acosh": ("acosh",),
    "atanh": ("atanh",),
    "exp": ("exp",),
    "exp2": ("exp2",),
    "exp10": ("exp10",),
    "expm1": ("expm1",),
    "log": ("log",),
    "log2": ("log2",),
    "log10": ("log10",),
    "log1p": ("log1p",),
    "logb": ("logb",),
    "sqrt": ("sqrt",),
    "rsqrt": ("rsqrt",),
    "cbrt": ("cbrt",),
    "rcbrt": ("rcbrt",),
    "pow": ("pow",),
    "hypot": ("hypot",),
    "rhypot": ("rhypot",),
    "norm": ("norm3d", "norm4d"),
    "rnorm": ("rnorm3d", "rnorm4d"),
    "fma": ("fma",),
    "fmod": ("fmod",),
    "remainder": ("remainder",),
    "fdim": ("fdim",),
    "fmax": ("fmax",),
    "fmin": ("fmin",),
    "fabs": ("fabs",),
    "copysign": ("copysign",),
    "scale": ("ldexp", "scalbn", "scalbln"),
    "nextafter": ("nextafter",),
    "round": ("floor", "ceil", "trunc", "round", "rint", "nearbyint"),
    "erf": ("erf",),
    "erfc": ("erfc",),
    "erfcx": ("erfcx",),
    "erfinv": ("erfinv",),
    "erfcinv": ("erfcinv",),
    "normcdf": ("normcdf",),
    "normcdfinv": ("normcdfinv",),
    "tgamma": ("tgamma",),
    "lgamma": ("lgamma",),
    "j0": ("j0",),
    "j1": ("j1",),
    "jn": ("jn",),
    "y0": ("y0",),
    "y1": ("y1",),
    "yn": ("yn",),
    "cyl_bessel_i0": ("cyl_bessel_i0",),
    "cyl_bessel_i1": ("cyl_bessel_i1",),
    "sinpi": ("sinpi",),
    "cospi": ("cospi",),
    "tanpi": ("tanpi",),
    "quotient": ("fdivide",),
    "saturate": (),
    "reciprocal": (),
}

# spellings without a regular pair
_OTHERS: dict[str, str] = {
    "abs": "fabs",
    "max": "fmax",
    "min": "fmin",
    "__sinf": "sin",
    "__cosf": "cos",
    "__tanf": "tan",
    "__tanhf": "tanh",
    "__expf": "exp",
    "__exp10f": "exp10",
    "__logf": "log",
    "__log2f": "log2",
    "__log10f": "log10",
    "__powf": "pow",
    "__fdividef": "quotient",
    "__saturatef": "saturate",
    "__frsqrt_rn": "rsqrt",
    # numbers of sixteen bits
    "__hadd": "plus",
    "__hsub": "minus",
    "__hmul": "product",
    "__hadd_rn": "plus",
    "__hsub_rn": "minus",
    "__hmul_rn": "product",
    "__hdiv": "quotient",
    "__hadd_sat": "plus_cut",
    "__hsub_sat": "minus_cut",
    "__hmul_sat": "product_cut",
    "__hfma": "fma",
    "__hfma_sat": "fma_cut",
    "__hfma_relu": "fma_positive",
    "__hneg": "opposite",
    "__habs": "fabs",
    "__hmax": "fmax",
    "__hmin": "fmin",
    "__hmax_nan": "fmax",
    "__hmin_nan": "fmin",
    "hsqrt": "sqrt",
    "hrsqrt": "rsqrt",
    "hrcp": "reciprocal",
    "hexp": "exp",
    "hexp2": "exp2",
    "hexp10": "exp10",
    "hlog": "log",
    "hlog2": "log2",
    "hlog10": "log10",
    "hsin": "sin",
    "hcos": "cos",
    "htanh": "tanh",
    "htanh_approx": "tanh",
    "htrunc": "round",
    "hceil": "round",
    "hfloor": "round",
    "hrint": "round",
}

_ROUNDED = {
    "add": "plus",
    "sub": "minus",
    "mul": "product",
    "div": "quotient",
    "sqrt": "sqrt",
    "rcp": "reciprocal",
}


def _build() -> dict[str, str]:
    table = dict(_OTHERS)
    for formula, names in _FORMULAS.items():
        for name in names:
            table[name] = formula
            table[name + "f"] = formula
    for mode in ("rn", "rz", "ru", "rd"):
        for operation, formula in _ROUNDED.items():
            table[f"__f{operation}_{mode}"] = formula
            table[f"__d{operation}_{mode}"] = formula
        table[f"__fmaf_{mode}"] = table[f"__fmaf_ieee_{mode}"] = table[f"__fma_{mode}"] = "fma"
        table[f"__double2float_{mode}"] = "identity"
        for kind in ("int", "uint", "ll", "ull"):
            table[f"__{kind}2float_{mode}"] = table[f"__{kind}2double_{mode}"] = "round"
    for half in ("half", "bfloat16"):
        for name in (f"double2{half}", f"float2{half}", f"{half}2float"):
            table[f"__{name}"] = "identity"
        for mode in ("rn", "rz", "ru", "rd"):
            table[f"__float2{half}_{mode}"] = "identity"
    table["__int2double_rn"] = table["__uint2double_rn"] = "round"
    return table


FORMULA_OF: dict[str, str] = _build()

# Functions of pointers: the name in `cladpy_oracle::pointers`.
POINTER_FUNCTIONS: dict[str, str] = {
    "sincos": "sincos",
    "sincosf": "sincosf",
    "__sincosf": "sincosf",
    "sincospi": "sincospi",
    "sincospif": "sincospi",
    "modf": "modf",
    "modff": "modf",
    "frexp": "frexp",
    "frexpf": "frexp",
    "remquo": "remquo",
    "remquof": "remquo",
}

# Comparisons of numbers of sixteen bits, by whether the first has to be the larger.
HALF_ORDERS: dict[str, bool] = {
    f"__h{order}{u}": order[0] == "g" for order in ("lt", "le", "gt", "ge") for u in ("", "u")
}

VECTOR_NORMS: dict[str, bool] = {"norm": False, "normf": False, "rnorm": True, "rnormf": True}
