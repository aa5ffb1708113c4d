"""Units that are compiled together are none the less each other's strangers."""

from __future__ import annotations

import ctypes
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import cladpy
from cladpy.toolchain import compile_host, host
from tests import together
from tests.oracle import check_gradient, judged, parts_of

SOURCE = """
__device__ int calls;
__global__ void scaled(const double *x, double *y, double by) { y[threadIdx.x] = by * x[threadIdx.x]; }
__global__ void squared(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))


def part(body: str, head: str = "") -> together.Part:
    return together.Part(head, f"namespace cladpy_part {{\n{body}\n}}\n", head + body, {})


def loaded(one: together.Part) -> ctypes.CDLL:
    """Without a compiler."""
    with mock.patch.object(host, "run_compiler", side_effect=AssertionError("it was not compiled before")):
        return ctypes.CDLL(str(compile_host(one.text)))


def test_each_finds_its_own_library_with_its_own_variables() -> None:
    parts = [part(f'static int n = {k}0;\nextern "C" int cladpy_next() {{ return ++n; }}\n') for k in range(3)]
    together.compile_together(parts)
    first, _, last = map(loaded, parts)
    assert [first.cladpy_next(), first.cladpy_next(), last.cladpy_next()] == [1, 2, 21]


def test_an_entry_that_others_have_is_none() -> None:
    parts = [part(f'extern "C" int cladpy_{name}() {{ return {k}; }}') for k, name in enumerate("aabb")]
    together.compile_together(parts)
    assert loaded(parts[3]).cladpy_b() == 3
    assert not hasattr(loaded(parts[3]), "cladpy_a")


def test_a_header_that_only_others_include_is_not_found() -> None:
    """Those that include less stand before it; those that include something else are another unit."""
    entry = 'extern "C" int cladpy_a() { return '
    needs = part(f"{entry}sizeof(cladpy::cell_grid); }}", "#include <cladpy/cells.h>\n")
    lacks = part(f"{entry}sizeof(cladpy::cell_grid) + 1; }}", "#include <cladpy/tape.h>\n")
    asked: list[str] = []
    with mock.patch.object(together, "compile_host", lambda text, **how: asked.append(text)):
        together.compile_together([needs, lacks])
        assert not asked
        with pytest.raises(AttributeError):  # nothing was compiled
            together.compile_together([needs, part(f"{entry}3; }}")])
    assert asked[0].index("return 3") < asked[0].index("#include <cladpy/cells.h>")


def test_one_that_does_not_compile_leaves_the_others_to_themselves() -> None:
    good, bad = part('extern "C" int cladpy_a() { return 1; }'), part('extern "C" int cladpy_a() { return x; }')
    together.compile_together([good, bad])
    with pytest.raises(AssertionError, match="not compiled before"):
        loaded(good)
    assert ctypes.CDLL(str(compile_host(good.text))).cladpy_a() == 1
    with pytest.raises(cladpy.ToolchainError, match="x"):
        compile_host(bad.text)


@pytest.mark.parametrize("in_file", [True, False])
def test_gradients_and_oracles(tmp_path: Path, in_file: bool) -> None:
    (tmp_path / "two.cu").write_text(SOURCE)
    source = str(tmp_path / "two.cu") if in_file else SOURCE
    made = [judged(source, "scaled", "x, y, by"), judged(source, "squared", "x, y")]
    together.compile_together([part for one in made for part in parts_of(one)])
    x, y = [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]
    with mock.patch.object(host, "run_compiler", side_effect=AssertionError("it was not compiled before")):
        for one, values in zip(made, ([x, y, 0.5], [x, y]), strict=True):
            report = check_gradient(
                source, "", "", 1, 3, [np.array(v) if isinstance(v, list) else v for v in values], made=one
            )
            assert report.ok, report.text()
