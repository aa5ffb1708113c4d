"""Functions of the CUDA math API on the host: special functions against mpmath, intrinsics against exact arithmetic."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from cladpy.toolchain import compile_host

mpmath.mp.prec = 200

# name, mpmath's function, sample points
SPECIAL: dict[str, tuple[Callable[[object], object], list[float]]] = {
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), [1e-300, 0.3, 2.0, 7e200]),
    "rcbrt": (lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)), [1e-300, -0.3, 2.0]),
    "sinpi": (mpmath.sinpi, [1e-20, 0.1, 0.25, 0.3, 0.5, 0.8, 1.1, 1.3, 1.6, 1.9, -0.7, 12345.125, -3.75]),
    "cospi": (mpmath.cospi, [1e-20, 0.1, 0.25, 0.3, 0.8, 1.1, 1.3, 1.6, 1.9, -0.7, 12345.125, -3.75]),
    "erfcx": (
        lambda x: mpmath.exp(mpmath.mpf(x) ** 2) * mpmath.erfc(x),
        [-26.0, -7.0, -3.0, -0.1, 0.0, 0.5, 3.0, 9.9, 10.1, 25.0, 1e3, 1e10],
    ),
    "erfinv": (
        lambda x: mpmath.erfinv(mpmath.mpf(x)),
        [1e-200, 1e-9, 1e-5, 0.01, 0.3, 0.5, 0.7, 0.9, 0.999, -0.4, 1 - 1e-12],
    ),
    "erfcinv": (lambda y: _erfcinv(y), [1e-300, 1e-100, 1e-10, 0.01, 0.3, 0.49, 0.51, 0.9, 0.95, 1.1, 1.5, 1.99]),
    "normcdf": (lambda x: mpmath.ncdf(x), [-38.0, -20.0, -5.0, -1.0, 0.0, 0.3, 1.0, 5.0, 9.0]),
    "normcdfinv": (
        lambda p: -mpmath.sqrt(2) * _erfcinv(2 * mpmath.mpf(p)),
        [1e-300, 1e-20, 1e-3, 0.2, 0.3, 0.49, 0.6, 0.9, 0.999999],
    ),
    "cyl_bessel_i0": (lambda x: mpmath.besseli(0, x), [0.0, 1e-10, 0.5, 3.0, 29.0, 31.0, 100.0, 709.0, -4.0]),
    "cyl_bessel_i1": (lambda x: mpmath.besseli(1, x), [1e-10, 0.5, 3.0, 29.0, 31.0, 100.0, 709.0, -4.0]),
    "exp10": (lambda x: mpmath.mpf(10) ** x, [-300.0, -1.5, 0.3, 200.0]),
}


def _erfcinv(y: object) -> object:
    y = mpmath.mpf(y)
    if y > 1:
        return -_erfcinv(2 - y)
    guess = mpmath.sqrt(-mpmath.log(y)) if y < 0.5 else (1 - y) * mpmath.sqrt(mpmath.pi) / 2
    for _ in range(200):
        step = (mpmath.erfc(guess) - y) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(guess**2)
        guess += step
        if abs(step) < mpmath.mpf(10) ** -50:
            break
    return guess


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    lines = []
    for name in SPECIAL:
        lines.append(f'extern "C" double at_{name}(double x) {{ return {name}(x); }}')
        lines.append(f'extern "C" float atf_{name}(float x) {{ return {name}(x) + 0 * {name}f(x); }}')
    for mode in ("rn", "rz", "ru", "rd"):
        for operation in ("add", "sub", "mul", "div"):
            for letter, kind in (("f", "float"), ("d", "double")):
                name = f"__{letter}{operation}_{mode}"
                lines.append(f'extern "C" {kind} at{name}({kind} x, {kind} y) {{ return {name}(x, y); }}')
        lines.append(f'extern "C" float at__ll2float_{mode}(long long x) {{ return __ll2float_{mode}(x); }}')
        lines.append(f'extern "C" float at__double2float_{mode}(double x) {{ return __double2float_{mode}(x); }}')
        lines.append(
            f'extern "C" double at__fma_{mode}(double x, double y, double z) {{ return __fma_{mode}(x, y, z); }}'
        )
        for kind, source in (("float", "float"), ("double", "double")):
            for target, spelling in (("int", "int"), ("uint", "unsigned"), ("ll", "long long")):
                name = f"__{source}2{target}_{mode}"
                lines.append(f'extern "C" {spelling} at{name}({kind} x) {{ return {name}(x); }}')
    for name, result, parameters in INTEGER:
        declared = ", ".join(f"{p} x{k}" for k, p in enumerate(parameters))
        passed = ", ".join(f"x{k}" for k in range(len(parameters)))
        lines.append(f'extern "C" {result} at{name}({declared}) {{ return {name}({passed}); }}')
    lines.append('extern "C" double at_norm(int n, const double *x) { return norm(n, x); }')
    lines.append('extern "C" float at_normf(int n, const float *x) { return norm(n, x); }')
    lines.append(ELEMENTARY)
    return ctypes.CDLL(str(compile_host("\n".join(lines), extra_flags=["-Wall", "-Wextra", "-Werror"])))


# The hyperbolic tangent of floats by all its names, each of which has a row of the results: one thread a number, a
# vector or its rest, and four numbers a thread.
CALLS = ["tanhf(v)", "std::tanh(v)", "tanh(v)", "__tanhf(v)"]
ELEMENTARY = f"""
__global__ void each(int n, const float *x, float *out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  {" ".join(f"out[{row} * n + i] = {call};" for row, call in enumerate(CALLS))}
}}
__global__ void fours(int n, const float4 *x, float4 *out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  out[i] = make_float4(tanhf(v.x), tanhf(v.y), tanhf(v.z), tanhf(v.w));
}}
extern "C" void elementary(int n, const float *x, float *out, float *of_fours) {{
  cladpy::host::launch(dim3((n + 99) / 100), dim3(100), 0, 0, [&] {{ each(n, x, out); }});
  cladpy::host::launch(dim3((n / 4 + 98) / 99), dim3(99), 0, 0, [&] {{
    fours(n / 4, reinterpret_cast<const float4 *>(x), reinterpret_cast<float4 *>(of_fours));
  }});
}}
"""


_C = {
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
INT, U, L, UL = "int", "unsigned", "long long", "unsigned long long"
INTEGER = [
    ("__clz", INT, [INT]),
    ("__clzll", INT, [L]),
    ("__popc", INT, [U]),
    ("__popcll", INT, [UL]),
    ("__ffs", INT, [INT]),
    ("__brev", U, [U]),
    ("__brevll", UL, [UL]),
    ("__mul24", INT, [INT, INT]),
    ("__umul24", U, [U, U]),
    ("__mulhi", INT, [INT, INT]),
    ("__umulhi", U, [U, U]),
    ("__mul64hi", L, [L, L]),
    ("__umul64hi", UL, [UL, UL]),
    ("__sad", U, [INT, INT, U]),
    ("__hadd", INT, [INT, INT]),
    ("__urhadd", U, [U, U]),
    ("__byte_perm", U, [U, U, U]),
    ("__funnelshift_l", U, [U, U, U]),
    ("__funnelshift_rc", U, [U, U, U]),
    ("__float_as_int", INT, ["float"]),
    ("__hiloint2double", "double", [INT, INT]),
    ("__double2loint", INT, ["double"]),
]


def call(library: ctypes.CDLL, name: str, result: str, parameters: list[str], *values: object) -> float:
    function = getattr(library, f"at{name}")
    function.restype, function.argtypes = _C[result], [_C[p] for p in parameters]
    answer: float = function(*values)
    return answer


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions(library: ctypes.CDLL, name: str) -> None:
    truth, points = SPECIAL[name]
    for x in points:
        exact = truth(mpmath.mpf(x))
        value = call(library, f"_{name}", "double", ["double"], x)
        # a few units in the last place; subnormal results have fewer digits
        assert abs(value - exact) <= max(abs(exact) * mpmath.mpf(2e-15), mpmath.mpf(5e-324)), (name, x, value)
        if 1e-30 < abs(x) < 1e30:
            single = float(np.float32(x))
            exact = truth(mpmath.mpf(single))
            value = call(library, f"f_{name}", "float", ["float"], single)
            if abs(exact) < 3e38:
                assert abs(value - exact) <= abs(exact) * mpmath.mpf(1.3e-7) + mpmath.mpf(1.5e-45), (name, x, value)


def test_special_functions_at_the_ends(library: ctypes.CDLL) -> None:
    def at(name: str, x: float) -> float:
        return call(library, f"_{name}", "double", ["double"], x)

    inf = math.inf
    assert (at("erfinv", 1.0), at("erfinv", -1.0), at("erfcinv", 0.0), at("erfcinv", 2.0)) == (inf, -inf, inf, -inf)
    assert (at("normcdfinv", 0.0), at("normcdfinv", 1.0), at("normcdf", -inf), at("normcdf", inf)) == (-inf, inf, 0, 1)
    assert (at("erfcx", -inf), at("erfcx", inf), at("cyl_bessel_i0", -inf), at("erfcinv", 1.0)) == (inf, 0, inf, 0)
    for name in ("erfinv", "erfcinv", "normcdfinv", "erfcx", "normcdf", "cyl_bessel_i1", "sinpi", "cospi"):
        assert math.isnan(at(name, math.nan)), name
    for name, x in (("erfinv", 1.5), ("erfcinv", -0.1), ("normcdfinv", 1.1), ("sinpi", inf)):
        assert math.isnan(at(name, x)), name
    # half-integers are exact
    assert [at("sinpi", x) for x in (0.5, 1.5, 1.0, 2e300)] == [1, -1, 0, 0]
    assert [at("cospi", x) for x in (0.5, 1.5, 1.0, 2.0)] == [0, 0, -1, 1]


def test_norm_neither_overflows_nor_underflows(library: ctypes.CDLL) -> None:
    for values, exact in (([3e200, 4e200], 5e200), ([3e-320, 4e-320], 5e-320), ([], 0.0), ([0.0, -0.0], 0.0)):
        array = (ctypes.c_double * max(1, len(values)))(*values)
        library.at_norm.restype = ctypes.c_double
        assert library.at_norm(len(values), array) == pytest.approx(exact, rel=1e-3 if exact < 1e-300 else 1e-15)
    array = (ctypes.c_float * 2)(3e30, 4e30)
    library.at_normf.restype = ctypes.c_float
    assert library.at_normf(2, array) == pytest.approx(5e30, rel=1e-7)


def rounded(value: Fraction, mode: str, letter: str) -> float:
    """The value as a float or double, rounded as the mode says."""

    def neighbours() -> tuple[float, float]:
        nearest = float(value) if letter == "d" else float(np.float32(float(value)))
        step: Callable[[float, float], float] = (
            math.nextafter if letter == "d" else lambda a, b: float(np.nextafter(np.float32(a), np.float32(b)))
        )
        below = nearest if Fraction(nearest) <= value else step(nearest, -math.inf)
        above = nearest if Fraction(nearest) >= value else step(nearest, math.inf)
        return below, above

    below, above = neighbours()
    if mode == "rd" or (mode == "rz" and value > 0):
        return below
    if mode == "ru" or mode == "rz":
        return above
    low, high = value - Fraction(below), Fraction(above) - value
    if low == high and below != above:
        even = struct.unpack("<q", struct.pack("<d", below))[0] >> (0 if letter == "d" else 29) & 1 == 0
        return below if even else above
    return below if low < high else above


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
@pytest.mark.parametrize("letter", ["f", "d"])
def test_arithmetic_with_a_rounding_mode(library: ctypes.CDLL, mode: str, letter: str) -> None:
    kind = "float" if letter == "f" else "double"
    rng = np.random.default_rng(5)
    for _ in range(200):
        x, y = (float(np.float32(v)) if letter == "f" else float(v) for v in rng.uniform(-3, 3, 2))
        exact = {
            "add": Fraction(x) + Fraction(y),
            "sub": Fraction(x) - Fraction(y),
            "mul": Fraction(x) * Fraction(y),
            "div": Fraction(x) / Fraction(y),
        }
        for operation, value in exact.items():
            got = call(library, f"__{letter}{operation}_{mode}", kind, [kind, kind], x, y)
            assert got == rounded(value, mode, letter), (operation, x, y)
        if letter == "d":
            assert call(library, f"__fma_{mode}", kind, [kind] * 3, x, y, 0.1) == rounded(
                Fraction(x) * Fraction(y) + Fraction(0.1), mode, "d"
            )
            assert call(library, f"__double2float_{mode}", "float", ["double"], x) == rounded(Fraction(x), mode, "f")
        number = int(rng.integers(-(2**62), 2**62))
        assert call(library, f"__ll2float_{mode}", "float", [L], number) == rounded(Fraction(number), mode, "f")


@pytest.mark.parametrize("source", ["float", "double"])
def test_conversions_to_integers(library: ctypes.CDLL, source: str) -> None:
    def to(target: str, mode: str, x: float) -> float:
        result = {"int": INT, "uint": U, "ll": L}[target]
        return call(library, f"__{source}2{target}_{mode}", result, [source], x)

    assert [to("int", m, 2.5) for m in ("rn", "rz", "ru", "rd")] == [2, 2, 3, 2]
    assert [to("int", m, -3.5) for m in ("rn", "rz", "ru", "rd")] == [-4, -3, -3, -4]
    assert [to("int", "rn", x) for x in (1e10, -1e10)] == [2**31 - 1, -(2**31)]
    assert [to("uint", "rz", x) for x in (-1.5, 1e10)] == [0, 2**32 - 1]
    assert [to("ll", "rz", x) for x in (1e30, -1e30)] == [2**63 - 1, -(2**63)]
    assert to("int", "rn", math.nan) == (0 if source == "float" else -(2**31))
    assert to("ll", "rn", math.nan) == -(2**63)


def test_integer_intrinsics(library: ctypes.CDLL) -> None:
    rng = np.random.default_rng(6)
    signatures = {name: (result, parameters) for name, result, parameters in INTEGER}

    def at(name: str, *values: object) -> float:
        return call(library, name, *signatures[name], *values)

    def signed(value: int, bits: int) -> int:
        return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)

    for _ in range(100):
        x, y, z = (int(v) for v in rng.integers(-(2**31), 2**31, 3))
        p, q, r = x % 2**32, y % 2**32, z % 2**32
        a, b = (int(v) for v in rng.integers(-(2**63), 2**63 - 1, 2))
        assert at("__clz", x) == 32 - p.bit_length()
        assert at("__clzll", a) == 64 - (a % 2**64).bit_length()
        assert at("__popc", p) == p.bit_count()
        assert at("__popcll", a % 2**64) == (a % 2**64).bit_count()
        assert at("__ffs", x) == ((p & -p).bit_length())
        assert at("__brev", p) == int(f"{p:032b}"[::-1], 2)
        assert at("__brevll", a % 2**64) == int(f"{a % 2**64:064b}"[::-1], 2)
        assert at("__mul24", x, y) == signed(signed(x, 24) * signed(y, 24), 32)
        assert at("__umul24", p, q) == (p % 2**24) * (q % 2**24) % 2**32
        assert at("__mulhi", x, y) == x * y >> 32
        assert at("__umulhi", p, q) == p * q >> 32
        assert at("__mul64hi", a, b) == a * b >> 64
        assert at("__umul64hi", a % 2**64, b % 2**64) == (a % 2**64) * (b % 2**64) >> 64
        assert at("__sad", x, y, r) == (abs(x - y) + r) % 2**32
        assert at("__hadd", x, y) == x + y >> 1
        assert at("__urhadd", p, q) == p + q + 1 >> 1
        both = (q << 32 | p).to_bytes(8, "little")
        picked = bytes(both[r >> 4 * k & 7] for k in range(4))
        assert at("__byte_perm", p, q, r) == int.from_bytes(picked, "little")
        assert at("__funnelshift_l", p, q, r) == ((q << 32 | p) << r % 32 >> 32) % 2**32
        assert at("__funnelshift_rc", p, q, r % 64) == ((q << 32 | p) >> min(r % 64, 32)) % 2**32
    assert at("__float_as_int", -1.5) == struct.unpack("<i", struct.pack("<f", -1.5))[0]
    assert at("__hiloint2double", 0x3FF80000, 0) == 1.5
    assert at("__double2loint", 0.1) == struct.unpack("<ii", struct.pack("<d", 0.1))[0]
    assert [at("__clz", 0), at("__ffs", 0), at("__clzll", 0)] == [32, 0, 64]


@pytest.fixture(scope="module")
def of_workers() -> ctypes.CDLL:
    return ctypes.CDLL(str(compile_host(ELEMENTARY, workers=True)))


def test_tanh_without_branches_is_the_nearest_float(library: ctypes.CDLL, of_workers: ctypes.CDLL) -> None:
    ends = [0.0, math.inf, math.nan, 1e-45, 1e-38, 3.4e38, 9.01, 59.9, 60.1, 88.72283]
    sampled = np.random.default_rng(1).integers(0, 2**32, 60_000, dtype=np.uint32).view(np.float32)
    near = np.random.default_rng(2).uniform(-20, 20, 40_000)
    both = np.array([e * s for e in ends for s in (1, -1)], np.float32)
    x = np.concatenate([both, sampled, near.astype(np.float32)])
    n = x.size // 4 * 4
    with np.errstate(all="ignore"):
        expected = np.tanh(x[:n].astype(np.float64)).astype(np.float32)
    for built in (library, of_workers):
        out, fours = np.empty((len(CALLS), n), np.float32), np.empty(n, np.float32)
        built.elementary(n, *(ctypes.c_void_p(a.ctypes.data) for a in (x, out, fours)))
        for row in (*out, fours):
            same = (row.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(row) & np.isnan(expected))
            assert np.all(same), (x[:n][~same], row[~same])  # zeros with their signs


def test_tanh_without_branches_agrees_with_mpmath(library: ctypes.CDLL) -> None:
    parts = (np.linspace(-20, 20, 150), np.linspace(-1, 1, 150), 2.0 ** np.arange(-30, 3))
    x = np.concatenate(parts).astype(np.float32)
    n = x.size
    out, fours = np.empty((len(CALLS), n), np.float32), np.empty(n, np.float32)
    library.elementary(n, *(ctypes.c_void_p(a.ctypes.data) for a in (x, out, fours)))
    for at, value in zip(x, out[0], strict=True):
        exact = mpmath.tanh(mpmath.mpf(float(at)))
        assert abs(mpmath.mpf(float(value)) - exact) <= 0.5001 * float(np.spacing(abs(value))), at


# Functions of floats as they are where kernels are loops of vectors, by all their names.
STRAIGHT = {
    "exp": ["expf(v)", "std::exp(v)", "exp(v)", "__expf(v)"],
    "log": ["logf(v)", "std::log(v)", "log(v)", "__logf(v)"],
    "erf": ["erff(v)", "std::erf(v)", "erf(v)"],
}


@pytest.fixture(scope="module")
def straight() -> ctypes.CDLL:
    text = ""
    for name, calls in STRAIGHT.items():
        results = " ".join(f"out[{row} * n + i] = {call};" for row, call in enumerate(calls))
        text += f"""
__global__ void each_{name}(int n, const float *x, float *out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  {results}
}}
extern "C" void of_{name}(int n, const float *x, float *out) {{
  cladpy::host::launch(dim3((n + 99) / 100), dim3(100), 0, 0, [&] {{ each_{name}(n, x, out); }});
}}
"""
    return ctypes.CDLL(str(compile_host(text, workers=True, extra_flags=["-DCLADPY_HOST_STRAIGHT"])))


def test_the_larger_of_two_numbers_is_the_c_librarys() -> None:
    """By all names, for what is no number as well; of zeros the second."""
    names = ("fmax", "fmin", "std::fmax", "std::fmin", "max", "min")
    text = ""
    for of, kind in (("float", "f"), ("double", "")):
        calls = [f"{name}{kind if name in ('fmax', 'fmin') else ''}(x[i], y[i])" for name in names]
        results = " ".join(f"out[{row} * n + i] = {call};" for row, call in enumerate(calls))
        text += f"""
__global__ void all_{of}(int n, const {of} *x, const {of} *y, {of} *out) {{
  for (int i = 0; i < n; i++) {{ {results} }}
}}
extern "C" void of_{of}(int n, const {of} *x, const {of} *y, {of} *out) {{
  cladpy::host::launch(dim3(1), dim3(1), 0, 0, [&] {{ all_{of}(n, x, y, out); }});
}}
"""
    ends = [0.0, -0.0, 1.5, -1.5, 1e-40, math.inf, -math.inf, math.nan]
    pairs = np.array([(a, b) for a in ends for b in ends])
    for workers in (True, False):
        library = ctypes.CDLL(str(compile_host(text, workers=workers)))
        for of, type in (("float", np.float32), ("double", np.float64)):
            x, y = (np.ascontiguousarray(pairs[:, k].astype(type)) for k in (0, 1))
            out = np.empty((len(names), x.size), type)
            library[f"of_{of}"](x.size, *(ctypes.c_void_p(a.ctypes.data) for a in (x, y, out)))
            for row, name in zip(out, names, strict=True):
                largest = "max" in name
                chosen = np.where((x > y if largest else x < y) | np.isnan(y), x, y)
                assert np.array_equal(row, (np.fmax if largest else np.fmin)(x, y), equal_nan=True), name
                assert np.array_equal(np.signbit(row), np.signbit(chosen)), name


@pytest.mark.parametrize("name", STRAIGHT)
def test_functions_without_branches_are_half_a_unit_away_at_most(name: str, straight: ctypes.CDLL) -> None:
    ends = [0.0, math.inf, math.nan, 1e-45, 1e-38, 3.4e38, 88.72283, 88.722839, 103.97, 103.98, 87.33654, 1.0, 3.9, 4.1]
    sampled = np.random.default_rng(1).integers(0, 2**32, 60_000, dtype=np.uint32).view(np.float32)
    near = np.random.default_rng(2).uniform(-6, 6, 40_000).astype(np.float32)
    x = np.concatenate([np.array([e * s for e in ends for s in (1, -1)], np.float32), sampled, near])
    out = np.empty((len(STRAIGHT[name]), x.size), np.float32)
    straight[f"of_{name}"](x.size, *(ctypes.c_void_p(a.ctypes.data) for a in (x, out)))
    function = np.vectorize(math.erf) if name == "erf" else getattr(np, name)
    with np.errstate(all="ignore"):
        exact = function(x.astype(np.float64))
        nearest = exact.astype(np.float32)
    for row in out:
        special = ~np.isfinite(nearest) | (nearest == 0)
        same = (row.view(np.uint32) == nearest.view(np.uint32)) | (np.isnan(row) & np.isnan(nearest))
        with np.errstate(all="ignore"):
            close = np.abs(row - exact) <= 0.502 * np.spacing(np.abs(nearest)).astype(np.float64)
        wrong = ~np.where(special, same, close)
        assert not wrong.any(), (x[wrong], row[wrong])


# And functions of doubles, which also a product of both sees (`sincos`).
DOUBLES = {
    "exp": ["exp(v)", "std::exp(v)"],
    "log": ["log(v)", "std::log(v)"],
    "sin": ["sin(v)", "std::sin(v)", "cladpy::sine(cladpy::turn(v))"],
    "cos": ["cos(v)", "std::cos(v)", "cladpy::cosine(cladpy::turn(v))"],
    "tanh": ["tanh(v)", "std::tanh(v)"],
    "tanh_dx": ["cladpy::tanh_dx<double>(v, std::tanh(v))"],
}


@pytest.fixture(scope="module")
def of_doubles() -> ctypes.CDLL:
    text = "#include <cladpy/support.h>\n#include <cladpy/math.h>\n" + "".join(
        f"""
__global__ void each_{name}(int n, const double *x, double *out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  {" ".join(f"out[{row} * n + i] = {call};" for row, call in enumerate(calls))}
}}
extern "C" void of_{name}(int n, const double *x, double *out) {{
  cladpy::host::launch(dim3((n + 99) / 100), dim3(100), 0, 0, [&] {{ each_{name}(n, x, out); }});
}}
"""
        for name, calls in DOUBLES.items()
    )
    return ctypes.CDLL(str(compile_host(text, workers=True, extra_flags=["-DCLADPY_HOST_STRAIGHT"])))


def doubles_of(built: ctypes.CDLL, name: str, x: np.ndarray) -> np.ndarray:
    out = np.empty((len(DOUBLES[name]), x.size))
    built[f"of_{name}"](x.size, *(ctypes.c_void_p(a.ctypes.data) for a in (x, out)))
    return out


@pytest.mark.parametrize("name", [name for name in DOUBLES if name != "tanh_dx"])
def test_doubles_without_branches_are_a_unit_away_at_most(name: str, of_doubles: ctypes.CDLL) -> None:
    ends = [0.0, math.inf, math.nan, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-9, 1.0, 1.7976931348623157e308]
    ends += [709.782712893384, 709.7827128933841, 745.13, 745.14, 708.4, 354.0, 2.0**20, 2.0**20 + 0.25, 2.0**53 + 2]
    ends += [6381956970095103.0 * 2.0**797, math.pi, math.pi / 2, 11.0, 22.0, 52174.0]  # the first: nearest to pi/2 * k
    sampled = np.random.default_rng(1).integers(0, 2**64, 60_000, dtype=np.uint64).view(np.float64)
    near = [np.random.default_rng(2).uniform(-size, size, 40_000) for size in (1.0, 30.0, 800.0, 3e6)]
    x = np.concatenate([np.array([e * s for e in ends for s in (1, -1)]), sampled, *near])
    out = doubles_of(of_doubles, name, x)
    turned = doubles_of(of_doubles, name, x[::-1].copy())[:, ::-1]  # other parts of vectors, and alone
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.longdouble))
        nearest = exact.astype(np.float64)
        special = ~np.isfinite(nearest) | (nearest == 0)
        for row in (*out, *turned):
            same = (row.view(np.uint64) == nearest.view(np.uint64)) | (np.isnan(row) & np.isnan(nearest))
            close = np.abs(row - exact) <= 0.9 * np.spacing(np.abs(nearest))
            wrong = ~np.where(special, same, close)
            assert not wrong.any(), (x[wrong], row[wrong])
            assert np.all((row.view(np.uint64) == out[0].view(np.uint64)) | np.isnan(row))


@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "tanh_dx"])
def test_doubles_without_branches_agree_with_mpmath(name: str, of_doubles: ctypes.CDLL) -> None:
    x = np.concatenate([np.linspace(-20, 20, 101), 2.0 ** np.arange(-60, 1000, 9), -(2.0 ** np.arange(-5, 9))])
    x = x[x > 0] if name == "log" else x[np.abs(x) < 700] if name == "exp" else x
    exact_of = (lambda v: mpmath.sech(v) ** 2) if name == "tanh_dx" else getattr(mpmath, name)
    units = 4 if name == "tanh_dx" else 0.9
    with mpmath.workprec(1300):
        for at, value in zip(x, doubles_of(of_doubles, name, x)[0], strict=True):
            exact = exact_of(mpmath.mpf(float(at)))
            if exact < 1e-307 and name == "tanh_dx":
                assert 0 <= value < 1e-306
            else:
                assert abs(mpmath.mpf(float(value)) - exact) <= units * float(np.spacing(abs(value))), at
    assert name != "tanh_dx" or doubles_of(of_doubles, name, np.array([math.inf, -math.inf, 400.0])).max() == 0
