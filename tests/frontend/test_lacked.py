"""What Thrust and CUB have and cladpy's headers of these do not: refused by name, and not looked for in theirs."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cladpy.frontend import toolkit
from cladpy.frontend.lacked import lacked, may_be_lacked
from cladpy.frontend.unit import Message
from cladpy.resources import library_shim_dir, thrust_host_dir
from tests.frontend.reading import read, refusal, text

VECTORS = "#include <thrust/device_vector.h>\n"
SUM = """double f(const double *x, int n) {
  thrust::device_vector<double> v(x, x + n);
  return thrust::reduce(v.begin(), v.end());
}
"""
MERGED = (
    VECTORS
    + """#include <thrust/execution_policy.h>
void united(const double *x, int n, double *y) { thrust::mismatch(thrust::device, x, x + n, x, x + n, y); }
DERIVATIVE
__global__ void square(const double *y, double *z) { z[threadIdx.x] = y[threadIdx.x] * y[threadIdx.x]; }
void f(const double *x, double *y, double *z, int n) {
  united(x, n, y);
  square<<<1, 8>>>(y, z);
}
"""
)
DERIVATIVE = """namespace cladpy::custom_derivatives {
void united_pullback(const double *, int, double *, double *d_x, double *d_y);
}"""
HERE, THERE = "x.cu", str(thrust_host_dir() / "thrust" / "cladpy_places.h")


@pytest.fixture(autouse=True)
def without_the_librarys_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A toolkit that stops whoever reads it."""
    monkeypatch.setattr(toolkit, "toolkit_include", lambda: tmp_path)
    monkeypatch.setattr(toolkit, "_real", _stop)


def _stop(*args: Any, **options: Any) -> toolkit.Headers:
    return toolkit.Headers("toolkit", ("-include", "/that/is/not/there.h"), include=Path("/that/is/not"))


def _said(text: str, file: str = HERE, *notes: Message) -> Message:
    return Message(3, 3, text, file, 1, 1, 0, notes)


CANDIDATE = _said("candidate template ignored", THERE)
SAID = {
    _said("no member named 'merge' in namespace 'thrust'"): "nothing is known about 'thrust::merge'",
    _said("no template named 'a' in namespace 'cub::detail'"): "nothing is known about 'cub::detail::a'",
    _said(f"no member named 'insert' in 'thrust::device_vector<{'a' * 60}>'"): "nothing is known about "
    "'thrust::device_vector<...>::insert'",
    _said("no member named 'merge' in namespace 'std'"): None,
    _said("static assertion failed due to requirement 'a': CUB: of one"): "no more is known here than this: of one",
    _said("invalid operands", THERE): "what is known of Thrust and CUB does not do for this: invalid operands",
    _said("no matching function", HERE, CANDIDATE): "what is known of Thrust and CUB does not do for this: "
    "no matching function",
    _said("no matching function", HERE, _said("candidate", HERE), _said("declared here", THERE)): None,
}


@pytest.mark.parametrize("message", SAID)
def test_what_is_said(message: Message) -> None:
    assert lacked(message) == SAID[message]
    assert may_be_lacked(message, b"") is (SAID[message] is not None)


def test_names_without_their_namespace_and_headers() -> None:
    unknown = _said("use of undeclared identifier 'merge'")
    assert may_be_lacked(unknown, b"using  namespace thrust;")
    assert not may_be_lacked(unknown, b"using namespace std;")
    assert may_be_lacked(_said("'thrust/detail/a.h' file not found"), b"")
    assert not may_be_lacked(_said("'trust/a.h' file not found"), b"")


def test_what_is_wrong_within_is_said_of_the_place_that_asks() -> None:
    asking = "double f(const double *x, int n) {\n  thrust::device_vector<double> v(x, x + n);\n"
    said = refusal(VECTORS + asking + "  return thrust::inner_product(v.begin(), v.end(), v.begin(), v[0]);\n}\n", "f")
    assert "<string>.cu:4:18: error: what is known of Thrust and CUB does not do for this: " in said
    assert "CP0001" not in said


def test_another_function_may_use_what_is_lacking() -> None:
    other = "void g(thrust::device_vector<double> &v) { thrust::mismatch(v); thrust::shuffle_iterator<int> i; }\n"
    assert "thrust::reduce" in text(VECTORS + other + SUM, "f")
    assert "nothing is known about 'thrust::mismatch' [CP0224]" in refusal(VECTORS + other + SUM, "g")


def test_only_that_is_said() -> None:
    said = refusal("#include <cub/cub.cuh>\n__global__ void k(double *x) { cub::Sorts<double> s; s.sort(*x); }\n")
    assert re.findall(r"error: (.*)", said) == ["nothing is known about 'cub::Sorts' [CP0224]"]


def test_a_derivative_of_ones_own_takes_its_place() -> None:
    """On a device, where nvcc has the library; the body is not looked at."""
    program = read(MERGED.replace("DERIVATIVE", DERIVATIVE), "f")
    assert "united" not in {symbol.name for symbol in program.functions}
    assert "nothing is known about 'thrust::mismatch'" in refusal(MERGED.replace("DERIVATIVE", ""), "f")


def _headers() -> Iterator[str]:
    for folder in (thrust_host_dir(), library_shim_dir()):
        yield from (str(p.relative_to(folder)) for p in sorted(folder.rglob("*.*")) if p.parts[-2] != "library_shim")


def test_all_headers_are_found() -> None:
    found = list(_headers())
    assert "thrust/iterator/reverse_iterator.h" in found and "cub/device/device_select.cuh" in found
    assert "thrust::reduce" in text("".join(f"#include <{name}>\n" for name in found) + SUM, "f")


def test_whoever_asks_for_the_toolkit_gets_its_libraries_as_well() -> None:
    routes = importlib.import_module("cladpy.frontend.toolkit").routes
    assert [h.route for h in routes()] == ["declarations", "declarations", "toolkit"]
    assert [h.route for h in routes("toolkit")] == ["toolkit", "toolkit"]


def test_a_template_without_its_arguments_is_named_first() -> None:
    template = "template <class T> __global__ void k(T *y, const T *x) { y[0] = x[0]; }\n"
    said = refusal(MERGED.replace("DERIVATIVE", template))
    assert "'k' is a template [CP0004]" in said and "CP0224" not in said
