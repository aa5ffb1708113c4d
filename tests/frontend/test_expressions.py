"""Expressions: every implicit conversion comes out as a cast of the right type."""

from __future__ import annotations

import pytest

from tests.frontend.reading import body


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # usual arithmetic conversions
        ("out[0] = f + i;", "(out[0] = <double>(f + <float>i))"),
        ("out[0] = d + f;", "(out[0] = (d + <double>f))"),
        ("out[0] = i + u;", "(out[0] = <double>(<unsigned int>i + u))"),
        ("out[0] = u + l;", "(out[0] = <double>(<long>u + l))"),
        ("out[0] = h + c;", "(out[0] = <double>(<int>h + <int>c))"),
        ("out[0] = b + b;", "(out[0] = <double>(<int>b + <int>b))"),
        ("out[0] = -c;", "(out[0] = <double>-<int>c)"),
        ("out[0] = ~h;", "(out[0] = <double>~<int>h)"),
        ("out[0] = +h;", "(out[0] = <double>+<int>h)"),
        ("out[0] = !d;", "(out[0] = <double>!<bool>d)"),
        ("out[0] = c << l;", "(out[0] = <double>(<int>c << l))"),
        ("out[0] = u >> h;", "(out[0] = <double>(u >> <int>h))"),
        ("b = f < d;", "(b = (<double>f < d))"),
        ("b = i < u;", "(b = (<unsigned int>i < u))"),
        ("b = d && i;", "(b = (<bool>d && <bool>i))"),
        ("b = i || out;", "(b = (<bool>i || (out != nullptr)))"),
        ("i = f;", "(i = <int>f)"),
        ("f = d * f;", "(f = <float>(d * <double>f))"),
        ("c = i;", "(c = <unsigned char>i)"),
        ("out[0] = b ? i : d;", "(out[0] = (b ? <double>i : d))"),
        ("out[0] = b ? f : 1;", "(out[0] = <double>(b ? f : 1.0f))"),
        ("(b ? d : out[1]) = 2;", "((b ? d : out[1]) = 2.0)"),
        # compound assignments are computed in the common type
        ("f += d;", "(f +=[double] d)"),
        ("f *= 2.0;", "(f *=[double] 2.0)"),
        ("f *= 2;", "(f *= 2.0f)"),
        ("c += 10;", "(c +=[int] 10)"),
        ("i += 1.5f;", "(i +=[float] 1.5f)"),
        ("i -= u;", "(i -=[unsigned int] u)"),
        ("c <<= l;", "(c <<=[int] l)"),
        ("b |= i;", "(b |=[int] i)"),
        ("d = out[0] = f = i;", "(d = (out[0] = <double>(f = <float>i)))"),
        ("i++, --h, c--, ++d;", "(((i++, --h), c--), ++d)"),
        # literals
        ("d = 1;", "(d = 1.0)"),
        ("f = 0.1;", "(f = 0.10000000149011612f)"),
        ("d = 0.1f;", "(d = 0.10000000149011612)"),
        ("d = 0.1;", "(d = 0.1)"),
        ("d = 0x1p-3 + 1'000 + 0b11 + 'a' + true;", "(d = ((((0.125 + 1000.0) + 3.0) + 97.0) + 1.0))"),
        ("u = -1;", "(u = <unsigned int>-1)"),
        ("d = 18446744073709551615ull;", "(d = 1.8446744073709552e+19)"),
        ("i = 3000000000;", "(i = -1294967296)"),
        ("i = 2.9f;", "(i = 2)"),
        ("d = sizeof(double[3]) + alignof(float) + sizeof d;", "(d = <double>((24ul + 4ul) + 8ul))"),
        ("b = noexcept(d) && __is_same(int, int);", "(b = (true && true))"),
        # casts
        ("d = (float)d;", "(d = <double><float>d)"),
        ("d = static_cast<int>(f) + double(i) + float{};", "(d = ((<double><int>f + <double>i) + 0.0))"),
        ("d = (int)2.5;", "(d = 2.0)"),
        ("d = __builtin_expect(i > 0, 1) ? 1 : 2;", "(d = <double>(<bool><long>(i > 0) ? 1 : 2))"),
        # pointers
        ("out[1] = *(out + i) + 2[out];", "(out[1] = (*(out + i) + out[2]))"),
        ("out[u + 1] = *&out[h];", "(out[(u + 1u)] = *&out[<int>h])"),
        ("*out++ = *in;", "(*out++ = <double>*in)"),
        ("out += c; out -= 2; --out;", "(out += <int>c)"),
        ("i = &out[3] - out;", "(i = <int>(&out[3] - out))"),
        ("b = !out || out < &out[i];", "(b = (!(out != nullptr) || (out < &out[i])))"),
        ("b = out == nullptr || in != 0;", "(b = ((out == nullptr) || (in != nullptr)))"),
        # what CUDA adds
        ("i = threadIdx.y + warpSize;", "(i = <int>(threadIdx.y + <unsigned int>warpSize))"),
        ("d = __ldg(in + i);", "(d = <double>*(in + i))"),
    ],
)  # fmt: skip
def test_expression(source: str, expected: str) -> None:
    assert body(source)[0] == expected


def test_macros_stand_for_what_they_expand_to() -> None:
    before = """#define SQ(x) ((x) * (x))
#define AT(p, i) p[(i) + OFFSET]
#define OFFSET 2
#define SCALE 1.5f"""
    assert body("AT(out, i) = SQ(d - 1) * SCALE;", before) == [
        "(out[(i + 2)] = (((d - 1.0) * (d - 1.0)) * 1.5))",
    ]


def test_enumerations_and_constants_are_values() -> None:
    before = """enum Mode { Slow, Fast = 5 };
enum class Kind : short { A = -3 };
namespace ns { constexpr float tenth = 0.1f; const int four = 4; }
namespace ns { template <int N> struct T { static constexpr int twice = 2 * N; }; }
using namespace ns;"""
    assert body("out[Fast] = tenth * four + (int)Kind::A + T<21>::twice; Mode m = Slow; b = m == Fast;", before) == [
        "(out[5u] = <double>(((0.10000000149011612f * 4.0f) + -3.0f) + 42.0f))",
        "let m: unsigned int = 0u",
        "(b = (<int>m == 5))",
    ]


def test_types_are_resolved() -> None:
    source = """typedef double real; using integer = long; auto a = f; auto p = out; size_t n = 1; int64_t s = n;
  const real r = a; decltype(l) q = r;"""
    assert body(source) == [
        "let a: float = f",
        "let p: double * = out",
        "let n: unsigned long = 1ul",
        "let s: long = <long>n",
        "let const r: double = <double>a",
        "let q: long = <long>r",
    ]


def test_arrays_of_several_dimensions() -> None:
    source = """double a[2][3] = {{1, f}, {d}}, e[2][2] = {1, 2, 3}, z[4] = {};
  const int w[2] = {1, -2};
  double (*row)[3] = a; double *flat = a[1];
  a[i][1] = row[1][2] + *z + flat[w[0]];"""
    assert body(source) == [
        "let a: double [2][3] = {{1.0, <double>f}, {d}}",
        "let e: double [2][2] = {{1.0, 2.0}, {3.0}}",
        "let z: double [4] = {}",
        "let const w: int [2] = {1, -2}",
        "let row: double (*)[3] = <double (*)[3]>a",
        "let flat: double * = <double *>a[1]",
        "(a[i][1] = ((row[1][2] + *<double *>z) + flat[w[0]]))",
    ]


def test_references_stand_for_their_referees() -> None:
    source = "double &r = out[i]; const double &t = 2 * i; const float &cf = f; r += t * cf; auto &s = r; s = 1;"
    assert body(source) == [
        "let r: double & = out[i]",
        "let t: double = <double>(2 * i)",
        "let cf: const float & = f",
        "(r += (t * <double>cf))",
        "let s: double & = r",
        "(s = 1.0)",
    ]


def test_infinities_and_limits_are_values() -> None:
    before = "#include <cmath>\n#include <limits>"
    assert body("out[0] = INFINITY; out[1] = std::numeric_limits<float>::max(); d = M_PI;", before) == [
        "(out[0] = inf)",
        "(out[1] = 3.4028234663852886e+38)",
        "(d = 3.141592653589793)",
    ]
