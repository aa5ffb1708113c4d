"""Files that include PyTorch's headers, where there is no PyTorch: cladpy's own stand for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy import DifferentiationError
from cladpy.frontend.pytorch import may_stand

EXTENSION = Path(__file__).parent / "frameworks" / "extension.cu"
THROUGH = (
    f'#include "{EXTENSION}"'
    + """
void squared(double *x, long rows, long columns, double *y) {
  at::Tensor given(x, at::kDouble, {rows, columns});
  std::vector<at::Tensor> results = squares(given);
  cudaMemcpy(y, results[0].data_ptr<double>(), results[0].nbytes(), cudaMemcpyDeviceToDevice);
}
"""
)


def test_a_kernel_needs_nothing_of_them() -> None:
    gradient = cladpy.gradient(EXTENSION, "swish_kernel<float>", "x, w, y", backend="host")
    assert "swish_kernel_grad" in gradient.code


def test_tensors_are_memory_with_a_shape() -> None:
    gradient = cladpy.gradient(THROUGH, "squared", "x, y", backend="host")
    x, y, dx, dy = np.arange(6.0).reshape(2, 3), np.zeros((2, 3)), np.zeros((2, 3)), np.ones((2, 3))
    gradient.primal.execute(x, 2, 3, y)
    np.testing.assert_array_equal(y, x * x)
    gradient.execute(x, 2, 3, y, dx, dy)
    np.testing.assert_array_equal(dx, 2 * x)


def test_functions_of_tensors_are_adopted() -> None:
    with pytest.raises(DifferentiationError, match=r"CP0305[\s\S]*cladpy\.torch\.adopt"):
        cladpy.gradient(EXTENSION, "swish", backend="host")
    with pytest.raises(DifferentiationError, match=r"CP0308[\s\S]*cladpy\.torch\.adopt"):
        cladpy.gradient(EXTENSION, "swish", "x", backend="host")


def test_what_conditions_may_ask_without_the_real_ones() -> None:
    """The program's own names, as guards are, those that options define, and what cladpy's headers define as well."""
    include = b"#include <torch/extension.h>\n"
    guard = b"#ifndef PYTORCH_HELPER\n#define PYTORCH_HELPER\n#endif\n"
    version = b"#if TORCH_VERSION_MAJOR > 1\n#endif\n"
    assert not may_stand([guard])
    assert may_stand([include, guard])
    assert may_stand([include + b"#ifdef TORCH_CHECK\n#endif\n"])
    assert not may_stand([include + version])
    assert may_stand([include + version], ["TORCH_VERSION_MAJOR"])


def test_the_real_ones_decide_where_they_define_what_is_asked(tmp_path: Path) -> None:
    """Without them nothing is known of PyTorch's version."""
    path = tmp_path / "versions.cu"
    path.write_text(
        "#include <torch/extension.h>\n"
        "__global__ void k(float *x, float *y) {\n#if TORCH_VERSION_MAJOR >= 2\n  y[0] = x[0];\n#else\n"
        "  y[0] = 2 * x[0];\n#endif\n}\n"
    )
    with pytest.raises(DifferentiationError, match="TORCH_VERSION_MAJOR"):
        cladpy.gradient(path, "k", "x, y", backend="host")
    folder = tmp_path / "include"
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "extension.h").write_text("#define TORCH_VERSION_MAJOR 1\n")
    gradient = cladpy.gradient(path, "k", "x, y", backend="host", include_dirs=[folder])
    assert "2.0f" in gradient.code


def test_folders_of_pytorch_are_not_read_but_where_ours_are_too_little(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "extension.h").write_text("#include <vector>\ninline float more(float x) { return 3 * x; }\n")
    text = "#include <torch/extension.h>\n__global__ void k(float *x, float *y) { y[0] = 2 * x[0]; }\n"
    gradient = cladpy.gradient(text, "k", "x, y", backend="host", include_dirs=[tmp_path])
    assert str(tmp_path) not in gradient.derivative.program.include_dirs
    text = "#include <torch/extension.h>\nvoid f(float x, float *y) { y[0] = more(x); }\n"
    gradient = cladpy.gradient(text, "f", "x, y", backend="host", include_dirs=[tmp_path])
    assert str(tmp_path) in gradient.derivative.program.include_dirs
