"""The three sources of CUDA's declarations give one surface program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cladpy.diagnostics import UsageError
from cladpy.frontend import toolkit
from cladpy.frontend.toolkit import routes
from tests.frontend.reading import body, read, refusal, text

KERNEL = """
__device__ double helper(const float *in, int i) { return in[i] * 2; }
__global__ void k(double *out, const float *in, double d, float f, int i, unsigned u, long l) {
  out[0] = pow(f, i) + std::pow(f, i) + pow(d, i) + std::pow(d, 2) + pow(f, 2.0f) + powf(f, 2);
  out[1] = sqrt(i) + std::sqrt(f) + sqrtf(d) + abs(i) + abs(f) + std::abs(d) + fabs(i) + fabsf(f) + std::fabs(f);
  out[2] = min(i, u) + max(f, d) + min(l, l) + fmin(f, i) + fminf(f, i) + max(i, 3) + min(d, f);
  out[3] = rsqrt(d) + rsqrtf(f) + rsqrt(f) + __sinf(f) + __fdividef(f, f) + sinpi(d) + norm3d(d, d, d) + hypot(f, d);
  double s, c; sincos(d, &s, &c); float sf, cf; sincosf(f, &sf, &cf); sincos(f, &sf, &cf);
  int e; out[4] = frexp(d, &e) + ldexp(d, 3) + modf(d, &s) + fma(f, f, f) + fma(d, f, i);
  out[5] = isnan(f) + isinf(d) + isfinite(d) + lround(d) + __float_as_int(f) + __popc(u) + __clz(i) + tgamma(d);
  atomicAdd(out, 1.0); atomicAdd(&out[1], f); unsigned m = __ballot_sync(0xffffffff, i > 0);
  out[6] = __shfl_down_sync(m, d, 1) + __ldg(in) + helper(in, threadIdx.x + blockIdx.y * blockDim.z + gridDim.x);
  __syncwarp(); __syncthreads(); __threadfence(); int lane = threadIdx.x % warpSize;
  out[7] = jn(2, f) + j0(f) + exp10(d) + normcdf(d) + erfcinv(d) + cbrt(f) + std::fmax(f, 2.0) + round(i) + lane;
}
"""
INCLUDES = ["", "#include <cuda_runtime.h>\n", "#include <cmath>\n#include <math_constants.h>\n#include <algorithm>\n"]

# The types that nvcc gives to calls: what decides between float and double arithmetic.
OVERLOADS = """#include <cmath>
#include <type_traits>
#define IS(T, e) static_assert(std::is_same<T, typename std::decay<decltype(e)>::type>::value, #e)
__global__ void k(float f, int i, unsigned u, double d, long l, short h, unsigned long ul, long long ll, bool b) {
  IS(double, pow(f, i)); IS(double, std::pow(f, i)); IS(double, pow(d, i)); IS(float, pow(f, f)); IS(double, pow(i, i));
  IS(double, sqrt(i)); IS(float, sqrt(f)); IS(double, sqrt(h)); IS(double, std::sqrt(i)); IS(double, exp(b));
  IS(int, abs(i)); IS(long, abs(l)); IS(float, abs(f)); IS(double, fabs(i)); IS(int, abs(h)); IS(float, std::abs(f));
  IS(unsigned, min(i, u)); IS(long, min(l, l)); IS(unsigned long, max(ul, l)); IS(double, min(f, d));
  IS(float, max(f, f)); IS(int, min(h, h)); IS(long long, min(ll, ll)); IS(double, max(f, 2.0)); IS(int, min(h, i));
  IS(double, fmin(f, i)); IS(double, fmax(f, d)); IS(float, fmin(f, f)); IS(double, fmod(f, d));
  IS(double, atan2(f, i));
  IS(double, fma(f, f, d)); IS(float, fma(f, f, f)); IS(double, fma(i, f, f)); IS(double, ldexp(i, 2));
  IS(float, ldexp(f, 2)); IS(long, lround(f)); IS(int, ilogb(f)); IS(float, rsqrt(f)); IS(double, rsqrt(d));
  IS(float, round(f)); IS(double, round(i)); IS(float, sinpi(f)); IS(float, exp10(f)); IS(float, erfinv(f));
  IS(bool, isnan(f)); IS(bool, isinf(d)); IS(bool, std::isnan(f)); IS(bool, signbit(d)); IS(float, __fdividef(d, d));
  IS(float, j0(f)); IS(float, jn(2, f)); IS(double, norm3d(f, f, f)); IS(double, rhypot(f, f)); IS(double, tgamma(i));
  IS(double, nextafter(f, d)); IS(float, fdim(f, f)); IS(float, cbrt(f)); IS(double, std::fmax(f, 2.0));
  IS(int, atomicAdd(&i, 1)); IS(float, atomicAdd(&f, 1)); IS(double, __shfl_xor_sync(0xffffffffu, d, 1));
  IS(float, frexp(f, &i)); IS(float, modf(f, &f)); IS(long long, llround(f)); IS(float, cyl_bessel_i0(f));
}
"""


def _has(route: str) -> bool:
    try:
        return bool(routes(route))
    except UsageError:
        return False


ROUTES = [route for route in ("declarations", "toolkit", "packages") if _has(route)]


@pytest.mark.parametrize("includes", INCLUDES)
def test_all_routes_give_the_same_program(includes: str) -> None:
    printed = {route: text(includes + KERNEL, headers=route) for route in ROUTES}
    assert set(printed.values()) == {printed["declarations"]}


def test_the_packages_headers_give_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyPI's layout is the toolkit's include folder below site-packages; this lays it out where only a toolkit is."""
    include = toolkit.toolkit_include() or toolkit.packages_include()
    if include is None:
        assert ROUTES == ["declarations"]
        return
    (tmp_path / "nvidia" / "cu13").mkdir(parents=True)
    (tmp_path / "nvidia" / "cu13" / "include").symlink_to(include)
    monkeypatch.syspath_prepend(str(tmp_path))
    toolkit.packages_include.cache_clear()
    try:
        assert toolkit.packages_include() is not None
        assert text(KERNEL, headers="packages") == text(KERNEL, headers="declarations")
    finally:
        toolkit.packages_include.cache_clear()


def test_packages_without_what_their_headers_include_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch brings the package of the runtime alone."""
    include = tmp_path / "nvidia" / "cu99" / "include"
    include.mkdir(parents=True)
    (include / "cuda_runtime.h").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    toolkit.packages_include.cache_clear()
    try:
        found = toolkit.packages_include()
        assert found is None or found != include
        (include / "crt").mkdir()
        (include / "crt" / "host_defines.h").touch()
        toolkit.packages_include.cache_clear()
        assert toolkit.packages_include() == include
    finally:
        toolkit.packages_include.cache_clear()


@pytest.mark.parametrize("route", ROUTES)
def test_calls_have_the_types_that_nvcc_gives_them(route: str) -> None:
    read(OVERLOADS, headers=route)


def test_nvcc_agrees_about_the_types(tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        assert toolkit.toolkit_include() is None or not shutil.which("nvcc")
        return
    (tmp_path / "overloads.cu").write_text(OVERLOADS)
    command = [nvcc, "-std=c++17", "-arch=sm_90", "--ptx", "overloads.cu", "-o", "overloads.ptx"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_promoted_call_is_one_symbol_whatever_declares_it() -> None:
    assert body("out[0] = std::fmax(f, 2.0) + fmax(d, i) + std::sqrt(i);") == [
        "(out[0] = ((std::fmax(<double>f, 2.0) + std::fmax(d, <double>i)) + std::sqrt(<double>i)))",
    ]


def test_library_references_become_values() -> None:
    lines = body("out[0] = std::min(f, 2.0f) + std::max(d, 1.0);", "#include <algorithm>")
    assert lines == ["(out[0] = (<double>std::min(f, 2.0f) + std::max(d, 1.0)))"]


def test_the_c_library_is_there_without_an_include() -> None:
    assert body('out[0] = M_PI * INT_MAX; printf("%d", i);') == [
        "(out[0] = (3.141592653589793 * 2147483647.0))",
        'printf("%d", i)',
    ]
    assert "std::sqrt(x)" in text("double h(double x) { return sqrt(x) + M_PI; }", "h")


def test_real_headers_serve_where_the_declarations_do_not_reach() -> None:
    if "toolkit" not in ROUTES:
        assert toolkit.toolkit_include() is None
        return
    code = """#include <cuComplex.h>
#include <cooperative_groups.h>
__global__ void k(double *o) { *o = 2; }"""
    assert "(*o = 2.0)" in text(code)


def test_a_route_can_be_demanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_CUDA_HEADERS", "declarations")
    assert {headers.route for headers in routes()} == {"declarations"}
    monkeypatch.setenv("CLADPY_CUDA_HEADERS", "nothing")
    with pytest.raises(UsageError, match="must be one of"):
        routes()


@pytest.mark.parametrize("entry", ["__global__ void k(double *o) { of_it(o); }", "void k(double *o) { of_it(o); }"])
def test_header_that_nobody_has_is_the_one_named(entry: str) -> None:
    """And not one that cladpy brings, which the last route does without."""
    error = refusal(f"#include <cublas_v2.h>\n#include <no_such_library.h>\n{entry}\n")
    assert "2:10: error: 'no_such_library.h' file not found [CP0001]" in error
    assert "cublas" not in error.splitlines()[0]


def test_what_compilers_and_libraries_bring() -> None:
    """OpenMP's header, and the types of small floats that CUDA's header of cuBLAS includes."""
    code = """#include <cublas_v2.h>
#include <omp.h>
int threads() { return omp_get_max_threads(); }
__global__ void k(__nv_bfloat16 *o, __half *h, cuComplex *c) { *o = *o * *o; *h = *h * *h; c->x *= c->y; }
"""
    assert "k" in text(code)
