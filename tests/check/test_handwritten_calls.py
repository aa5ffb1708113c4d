"""`cladpy.check_backward`: functions of Python, and kernels by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy import UsageError
from tests.check.test_handwritten import SQUARE, SQUARE_BACKWARD

RNG = np.random.default_rng(1)
X, W = RNG.uniform(0.2, 1.2, (2, 3)), RNG.uniform(0.2, 1.2, 3)


def norm(x: Any, w: Any) -> Any:
    mean = x.mean(1, keepdims=True)
    scale = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-3)
    return (x - mean) * scale * w, mean, scale


def norm_backward(grad_y: Any, x: Any, w: Any, mean: Any, scale: Any, share: float = 1.0) -> Any:
    n, g = (x - mean) * scale, grad_y * w
    return scale * (g - share * g.mean(1, keepdims=True) - n * (g * n).mean(1, keepdims=True)), (grad_y * n).sum(0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_right_one_and_a_wrong_one(dtype: type) -> None:
    inputs = {"x": X.astype(dtype), "w": W.astype(dtype)}
    held = inputs["x"].copy()
    report = cladpy.check_backward(norm, norm_backward, inputs, outputs=["y", "mean", "scale"])
    assert report.ok, report.text()
    assert report.inputs == 10
    assert "matched: grad_y is the cotangent of 'y'; x; w; mean; scale" in report.text()

    def forgotten(grad_y: Any, x: Any, w: Any, mean: Any, scale: Any) -> Any:
        return norm_backward(grad_y, x, w, mean, scale, 0.0)

    report = cladpy.check_backward(norm, forgotten, inputs, outputs=["y", "mean", "scale"])
    assert not report.ok
    text = report.text()
    assert "forgotten as the backward of norm: the backward is wrong" in text
    assert "  the gradient by x[0][" in text and "    --set w=[" in text
    assert np.array_equal(inputs["x"], held)


def test_numbers_dicts_and_kinks() -> None:
    def backward(grad_out: Any, x: Any, k: int) -> dict[str, Any]:
        return {"grad_x": grad_out * k * x ** (k - 1)}

    assert cladpy.check_backward(lambda x, k: x**k, backward, {"x": 0.5, "k": 3}).ok
    report = cladpy.check_backward(lambda x: np.maximum(x, 0), lambda grad_out, x: grad_out * (x >= 0), {"x": W})
    assert report.verdict == "the backward is right, but for conventions: numbers at kinks"
    assert "only conventions differ, as at x[" in report.text()

    def into(grad_out: Any, x: Any, grad_x: Any) -> None:
        grad_x[...] = 2 * x * grad_out

    assert cladpy.check_backward(lambda x: x * x, into, {"x": W}).ok
    assert cladpy.check_backward(lambda x: x * x, lambda g, x: 4 * x * g, {"x": W}, map={"g": "grad_out"}, scale=2).ok


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    x = torch.rand(5)
    right = cladpy.check_backward(torch.sigmoid, lambda grad_out, out: grad_out * out * (1 - out), {"x": x})
    assert right.ok, right.text()


def _raises(grad_out: Any, x: Any) -> Any:
    raise ValueError("no such thing")


def test_one_that_fails() -> None:
    report = cladpy.check_backward(lambda x: x * x, _raises, {"x": W})
    assert "the backward fails: ValueError: no such thing" in report.text()


@pytest.mark.parametrize(
    ("backward", "message"),
    [
        (lambda *all: all[0], "the parameters of the backward have no names\nhint: give them some"),
        (lambda q: q, 'matched: return is the gradient by \'x\'\nhint: say what it is with map={"q": "gradient:x"}'),
        (lambda grad_out: (grad_out, grad_out), "the backward gives 2 gradients, and the inputs that may have one are"),
        (lambda grad_out: {"grad_z": grad_out}, "the backward gives 'grad_z', of which no input has the name"),
        (lambda grad_out: grad_out[:1], r"the backward's gradient by 'x' has shape \(1,\), 'x' has \(3,\)"),
        ("b.cu:f", "forward and backward must be two callables, or two strings"),
    ],
)
def test_what_makes_no_sense(backward: Callable[..., Any] | str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        cladpy.check_backward(lambda x: x * x, backward, {"x": W})
    assert message.replace("\\", "") in str(error.value)


def test_what_is_given_makes_no_sense() -> None:
    with pytest.raises(UsageError, match="no floating-point array or number"):
        cladpy.check_backward(lambda n: n, lambda grad_out: grad_out, {"n": 3})
    with pytest.raises(UsageError, match=r"the forward gives 3 things: say their names with outputs="):
        cladpy.check_backward(norm, norm_backward, {"x": X, "w": W})
    with pytest.raises(UsageError, match="grid is for kernels"):
        cladpy.check_backward(lambda x: x, lambda grad_out: grad_out, {"x": W}, grid=1)
    with pytest.raises(UsageError, match="does not end in finite numbers"):
        cladpy.check_backward(lambda x: x / 0, lambda grad_out: grad_out, {"x": W})
    with pytest.raises(UsageError, match="forward must be 'FILE:FUNCTION', not 'f'"):
        cladpy.check_backward("f", "b.cu:f", {"x": W})
    with pytest.raises(UsageError, match="grid must be one to three numbers"):
        cladpy.check_backward("f.cu:f", "f_backward", {"x": W}, grid=(1, 1, 1, 1))


def test_kernels_by_their_names(tmp_path: Any) -> None:
    file = tmp_path / "square.cu"
    file.write_text(SQUARE + SQUARE_BACKWARD)
    inputs = {"x": RNG.random(9, np.float32), "y": "zeros:n", "n": 9}
    report = cladpy.check_backward(f"{file}:square", "square_backward", inputs, grid="n/32+1", block=32)
    assert report.ok, report.text()
