"""Extensions that `cladpy adopt` writes: built and tried where there is no cladpy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy import LaunchError, UsageError
from cladpy.cli import run
from cladpy.toolchain.discovery import find_nvcc

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

from cladpy.frameworks.calls import Tensor, described, read_call  # noqa: E402  which needs it
from cladpy.frameworks.extension import write_extension  # noqa: E402
from cladpy.frameworks.shapes import Shapes, shapes_of  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("adopted"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # PyTorch's, of what PyTorch uses
]
SOURCE = Path(__file__).parent / "extension.cu"
NUMBERS = """
#include "numbers.h"
#include <torch/extension.h>

template <typename T> __global__ void scaled_kernel(const T *x, T *y, double a, int count) {
  extern __shared__ double all[];
  int i = threadIdx.x;
  const double v = i < count ? static_cast<double>(x[i]) : 0;
  all[i] = SCALE * a * v * v;
  __syncthreads();
  if (i < count) y[i] = static_cast<T>(all[i] + all[(i + 1) % count]);
}

at::Tensor scaled(const at::Tensor &x, double a, int64_t shift, bool twice, std::optional<at::Tensor> bias) {
  auto y = at::empty({x.numel()}, x.options());
  const double b = (twice ? 2 * a : a) + shift;
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "scaled", [&] {
    scaled_kernel<<<1, 64, 64 * sizeof(double)>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), b, x.numel());
  });
  return y;
}
"""


def built(folder: Path, *more: list[str]) -> None:
    """Builds an extension and runs its tests, in an environment that has no cladpy, and what else Python is told."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CLADPY_HOST_FLAGS")}
    tested = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    for words in (["setup.py", "build_ext", "--inplace"], tested, *more):
        done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


HALVES = """
import ext, torch
x = torch.tensor([0.5, -1.0, 2.0, 0.25, 1.5], dtype=torch.float16, requires_grad=True)
wide, cotangent = x.detach().double().requires_grad_(), torch.tensor([1.0, 2.0, -1.0, 0.5, 4.0])
found, wanted = ext.scaled(x, 0.5, 1, True, None), ext.scaled(wide.view(1, -1), 0.5, 1, True, None)
torch.testing.assert_close(found.double(), wanted)
gradient, = torch.autograd.grad(found, x, cotangent.half())
assert gradient.dtype == torch.float16
torch.testing.assert_close(gradient.double(), torch.autograd.grad(wanted, wide, cotangent.double())[0])
"""


def test_an_extension_is_built_and_right_without_cladpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the stable ABI, with a header of the user's, dynamic shared memory, numbers and what is fixed."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "numbers.h").write_text("#define SCALE 0.25\n")
    (tmp_path / "scaled.cu").write_text(NUMBERS)
    monkeypatch.chdir(tmp_path)
    words = ["adopt", "scaled.cu", "-f", "scaled", "-o", "made/ext", "--name", "ext", "-I", "include"]
    calls = ["--call", "float16[6], 0.5, 1, true, none"]
    for call in ("float64[3,4], 0.5, 1, true, none", "float64[3,4], 0.5, 1, false, none"):
        calls += ["--call", call]
    assert run([*words, *calls]) == 0
    folder = tmp_path / "made" / "ext"
    assert (folder / "csrc" / "original" / "scaled.cu").read_text() == NUMBERS
    assert not any(str(tmp_path) in p.read_text() for p in (folder / "csrc").rglob("*") if p.is_file())
    package = (folder / "ext" / "__init__.py").read_text()
    assert "def scaled(x, a, shift, twice, bias):" in package
    assert 'register_fake("ext::scaled")' not in package  # the number of elements of a matrix is no sum of sizes
    built(folder, ["-c", HALVES])


def test_an_operator_by_the_library_of_older_versions(tmp_path: Path) -> None:
    """Results of two types, accessors, and the shapes that they have; and the units for a GPU compile."""
    folder = tmp_path / "squares"
    write_extension(SOURCE, "squares", folder, ["T[4,3]"], name="squares")
    setup = folder / "setup.py"
    setup.write_text(setup.read_text().replace(">= (2, 11)", ">= (99, 0)"))
    package = (folder / "squares" / "__init__.py").read_text()
    assert "x.new_empty([x.shape[0]], dtype=torch.int64)" in package
    built(folder)
    flags = ["-std=c++17", "-arch=sm_90", "--expt-relaxed-constexpr", "--extended-lambda", "-I", "csrc"]
    places = [f"-Iinclude/{name}" for name in ("torch_shim", "", "cuda_shim")]
    for kind in ("forward", "reverse"):
        command = [find_nvcc().path, *flags, *places, "-c", f"csrc/kernels/{kind}_0.cu", "-o", f"{kind}.o"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("function", "calls", "name", "error", "said"),
    [
        ("scale", ["float64[4], float64[4], 0.5"], None, UsageError, "gives no tensor"),
        ("layers::linear", ["T[4,3], T[5,3], none", "T[4,3], T[5,3], T[5]"], None, UsageError, "same kinds"),
        ("swish", ["0.5, 1"], None, UsageError, "describes no tensor"),
        ("swish", ["T[4,3], Q[3]"], None, UsageError, "'Q\\[3\\]' is none"),
        ("swish", ["T[4,3], T[3]"], "not-a-name", UsageError, "--name"),
        ("swish", ["float64[1,1,1,1,1,1,1], float64[1]"], None, LaunchError, "dimensions"),
    ],
)
def test_what_cannot_be_written(
    function: str, calls: list[str], name: str | None, error: type[Exception], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        write_extension(SOURCE, function, tmp_path / "made", calls, name=name)
    assert not any(tmp_path.iterdir())


def test_what_is_changed_in_place_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(
        "#include <torch/extension.h>\nat::Tensor f(at::Tensor x) {\n  x.mul_(2.0);\n  return x * x;\n}\n".replace(
            "x.mul_(2.0)", "x.fill_(2.0)"
        )
    )
    with pytest.raises(UsageError, match="changes a tensor"):
        write_extension(tmp_path / "f.cu", "f", tmp_path / "made", ["float64[4]"])


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("")
    words = ["adopt", str(SOURCE), "-f", "swish", "-o", str(tmp_path), "--call", "T[4,3], T[3]"]
    assert run(words) == 2
    assert "it is there already" in capsys.readouterr().err
    assert run([*words, "--args", "x"]) == 2
    assert "--nondifferentiable" in capsys.readouterr().err


def test_calls_as_they_are_described() -> None:
    items = read_call("T[4, 3], int64[5]<7, float32[], 0.5, 2, true, none, float16[1]")
    assert items[:3] == (Tensor(None, (4, 3)), Tensor(torch.int64, (5,), 7), Tensor(torch.float32, ()))
    assert items[3:7] == (0.5, 2, True, None)
    text = [described(item) for item in items]
    assert text[:2] == ["float32 or float64 of 2 dimensions", "int64 of 1 dimension"]
    assert text[3:7] == ["float", "int", "true", "none"]
    assert [t.spelled() for t in items if isinstance(t, Tensor)] == [
        "real(4, 3)",
        "torch.randint(0, 7, [5], dtype=torch.int64)",
        "torch.rand([], dtype=torch.float32)",
        "torch.rand([1], dtype=torch.float16)",
    ]


def rows_and_columns(given: Shapes) -> Shapes:
    (rows, columns), (other, three) = given
    if columns != other or three != 3:
        raise LaunchError("no")
    return [[rows + 1, 2 * columns + rows], [three]]


def in_fives(given: Shapes) -> Shapes:
    if given[0][0] % 5:
        raise LaunchError("no")
    return [[given[0][0] + 3]]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (rows_and_columns, [["x0.shape[0] + 1", "2 * x0.shape[1] + x0.shape[0]"], ["3"]]),
        (lambda given: [[given[0][0] ** 2]], None),
        (lambda given: [[given[0][0] * given[0][1]]], None),
        (lambda given: [[1] * given[0][0]], [["1"] * 5]),
        (lambda given: [[-(-given[0][0] // 64)]], None),
        (in_fives, [["x0.shape[0] + 3"]]),
    ],
)
def test_shapes_are_found_by_other_sizes(call: Any, found: Any) -> None:
    assert shapes_of(call, [[5, 7], [7, 3]]) == found
