"""Files as editors write them: with a byte order mark, or in Latin-1, whose bytes are no UTF-8."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.cli import run
from cladpy.diagnostics import DifferentiationError

MARK = b"\xef\xbb\xbf"
FAULTY = '__device__ double sq(double x) { const char *s = "\u00e9 \u00fc"; /* \u00e9 */ asm("nop;"); return x * x; }\n'
KERNEL = '#include "faulty.h"\n__global__ void k(const double *x, double *y) { y[0] = sq(x[0]); }\n'


@pytest.mark.parametrize("mark", [b"", MARK], ids=["plain", "marked"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("apart", [False, True], ids=["main", "header"])
def test_the_caret_stands_where_the_construct_does(
    mark: bytes, encoding: str, apart: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    faulty = mark + FAULTY.encode(encoding)
    (tmp_path / "faulty.h").write_bytes(faulty)
    main = KERNEL.encode() if apart else faulty + KERNEL.partition("\n")[2].encode()
    (tmp_path / "k.cu").write_bytes(mark + main if apart else main)
    with pytest.raises(DifferentiationError) as caught:
        cladpy.gradient("k.cu", "k")
    report = str(caught.value).split("\n")
    place = f"{tmp_path / 'faulty.h' if apart else 'k.cu'}:1:{FAULTY.encode(encoding).index(b'asm') + 1}: "
    assert report[0].startswith(place)  # columns are bytes, as compilers count them
    assert report[2].index("^") == report[1].index("asm")
    assert FAULTY.strip() in report[1] or encoding == "latin-1"


def test_sarif_counts_columns_as_editors_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line = '__global__ void k(double *x) { /* \U0001f600 \u00e9 */ asm("nop;"); x[0] *= 2; }'
    (tmp_path / "k.cu").write_text(line + "\n", encoding="utf-8")
    assert run(["gradient", "k.cu", "-f", "k", "--diagnostics", "sarif"]) == 1
    [found] = json.loads(capsys.readouterr().out)["runs"]
    region = found["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert found["columnKind"] == "utf16CodeUnits"
    assert (region["startColumn"], region["endColumn"]) == (line.index("asm") + 2, line.index(';"') + 5)


HEADER = """\
#pragma once
// caf\u00e9
inline __device__ double sq(double x) { return x * x; /* \u00e9 */ }
__global__ void square(int n, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sq(x[i]);
}
inline void go(int n, const double *x, double *y) {
  if (n > 1000) throw "\u00fc";
  square<<<(n + 63) / 64, // blocks, of square<<<1, 1>>>(n)
      64 // threads
  >>>(n, // it's the number (
      x, // "what
      y // is read
  );
}
"""


def test_marked_files_and_files_in_latin_1_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "marked.h").write_bytes(MARK + HEADER.encode())
    again = HEADER.replace("sq", "again").replace("go", "on")
    (tmp_path / "latin.h").write_bytes(again.encode("latin-1"))
    program = "void run(int n, const double *x, double *t, double *y) { go(n, x, t); on(n, t, y); }\n"
    source = tmp_path / "run.cu"
    source.write_bytes(MARK + f'#include "marked.h"\n#include "latin.h"\n// \u00e9\n{program}'.encode())
    assert run(["gradient", str(source), "-f", "run", "-o", str(tmp_path / "out.cu")]) == 0
    assert (tmp_path / "out.cu").read_bytes().decode() != ""  # what is emitted is UTF-8
    gradient = cladpy.gradient(source, "run", backend="host")
    x = np.linspace(1.0, 2.0, 100)
    t, y = np.zeros(100), np.zeros(100)
    found, ones = np.zeros(100), np.ones(100)
    gradient.primal.execute(100, x, t, y)
    np.testing.assert_allclose(y, x**4)
    gradient.execute(100, x, np.zeros(100), np.zeros(100), found, np.zeros(100), ones)
    np.testing.assert_allclose(found, 4 * x**3)


def test_text_may_begin_with_a_mark() -> None:
    text = "\ufeff__global__ void k(double *x) { x[threadIdx.x] *= 2; }\n"
    assert cladpy.gradient(text, "k").code == cladpy.gradient(text[1:], "k").code
