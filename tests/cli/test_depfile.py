"""`--depfile`: every file that the gradient depends on, in the form that make and Ninja read."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from cladpy.cli import run
from cladpy.diagnostics import UsageError
from cladpy.output import depfile, write_together

KERNEL = """
#include "scale.h"
#ifdef __CUDA_ARCH__
#include "device.h"
#endif
__device__ double twice(double x) { return 2 * x; }
__global__ void k(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = SCALE * twice(x[i]);
}
void f(double *y, const double *x, int n) { k<<<1, 32>>>(y, x, n); }
"""
PULLBACK = """
namespace cladpy { namespace custom_derivatives {
__device__ inline void twice_pullback(double, double cotangent, double *_d_x) { *_d_x += 2 * cotangent; }
} }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in c#l$ude").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "in c#l$ude" / "scale.h").write_text("#define SCALE 3\n")
    (tmp_path / "in c#l$ude" / "device.h").write_text("// for the device\n")
    (tmp_path / "mine" / "twice.h").write_text(PULLBACK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gradient(function: str, *more: str) -> int:
    return run(["gradient", "k.cu", "-f", function, "-I", "in c#l$ude", "--custom-derivatives", "mine", *more])


def named(text: str) -> tuple[str, list[str]]:
    """The target and the prerequisites of the rule, read as make reads it."""
    target, *inputs = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").strip())

    def plain(name: str) -> str:
        return re.sub(r"\\([ #])", r"\1", name).replace("$$", "$")

    return plain(target), [plain(name) for name in inputs]


@pytest.mark.parametrize("function", ["k", "f"])
def test_it_names_what_was_read(folder: Path, function: str) -> None:
    assert gradient(function, "-o", "k_grad.cu", "--depfile", "k.d") == 0
    target, inputs = named((folder / "k.d").read_text())
    assert target == "k_grad.cu:"
    assert inputs[0] == "k.cu"
    own = [os.path.relpath(name, folder) for name in inputs if name.startswith(str(folder))]
    assert sorted(own) == ["in c#l$ude/device.h", "in c#l$ude/scale.h", "mine/twice.h"]
    assert all(os.path.isfile(name) for name in inputs)


def test_links_keep_their_names(folder: Path) -> None:
    """A link may lead to another file by the next run."""
    (folder / "in c#l$ude" / "scale.h").rename(folder / "three.h")
    (folder / "in c#l$ude" / "scale.h").symlink_to(folder / "three.h")
    assert gradient("k", "-o", "k_grad.cu", "--depfile", "k.d") == 0
    assert str(folder / "in c#l$ude" / "scale.h") in named((folder / "k.d").read_text())[1]


def test_make_runs_again_for_a_header_and_only_then(folder: Path) -> None:
    assert gradient("k", "-o", "k_grad.cu", "--depfile", "k.d") == 0
    (folder / "Makefile").write_text("all: k_grad.cu\nk_grad.cu: ; @echo again\n-include k.d\n")

    def made() -> str:
        return subprocess.run(["make", "-s"], cwd=folder, capture_output=True, text=True, check=True).stdout

    written = (folder / "k_grad.cu").stat().st_mtime
    assert "again" not in made()
    for name in ("in c#l$ude/scale.h", "in c#l$ude/device.h", "mine/twice.h", "k.cu"):
        os.utime(folder / name, (written + 5, written + 5))
        assert made() == "again\n"
        os.utime(folder / name, (written - 5, written - 5))


def test_names_that_make_reads_otherwise() -> None:
    assert depfile(Path("a b.cu"), ["x y", "$(z)", "#1", "b\\ c", "d\\e", "x y"]) == (
        "a\\ b.cu: \\\n  x\\ y \\\n  $$(z) \\\n  \\#1 \\\n  b\\\\\\ c \\\n  d\\e\n"
    )
    with pytest.raises(UsageError, match="line break"):
        depfile(Path("a.cu"), ["b\n.h"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--depfile", "k.d"], "--depfile goes with -o"),
        (["-o", "out", "--depfile", "k.d", "--emit", "ir"], "--depfile goes with -o and with --emit code only"),
        (["-o", "out", "--depfile", "./out"], "it is the output too"),
        (["-o", "out", "--depfile", "k.cu"], "it is the same file as the input"),
        (["-o", "out", "--depfile", "in c#l$ude/scale.h"], "it is the same file as the input"),
        (["-o", "out", "--depfile", "none/k.d"], "there is no directory"),
    ],
)
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert gradient("k", *more) == 2
    assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_refused_program_writes_neither(folder: Path) -> None:
    (folder / "k.cu").write_text(KERNEL.replace("SCALE *", "missing *"))
    assert gradient("k", "-o", "k_grad.cu", "--depfile", "k.d") == 1
    assert not {"k_grad.cu", "k.d"} & set(os.listdir(folder))


def test_where_one_file_cannot_be_written_the_other_stays(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(UsageError, match="cannot write"):
        write_together({tmp_path / "a": "new", tmp_path / "none" / "b": "new"})
    assert (tmp_path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]
