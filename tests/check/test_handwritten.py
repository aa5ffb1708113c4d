"""`cladpy check --against`: backwards that are right pass, in whatever style; what is wrong with others is found."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from cladpy.check.handwritten.command import Against, against, check_against, read_map
from cladpy.check.handwritten.report import BackwardReport
from cladpy.check.handwritten.roles import GRADIENT, VALUE, Forward, Role, matched
from cladpy.check.sizes import extents
from cladpy.cli import run
from cladpy.diagnostics import UsageError
from cladpy.options import Options

NORM = """
__global__ void norm(const float *x, const float *w, const float *b, float *y, float *mean, float *rstd, int N, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float m = 0.f, v = 0.f;
  for (int c = 0; c < C; ++c) m += x[i * C + c];
  m /= C;
  for (int c = 0; c < C; ++c) v += (x[i * C + c] - m) * (x[i * C + c] - m);
  float s = rsqrtf(v / C + 1e-5f);
  mean[i] = m;
  rstd[i] = s;
  for (int c = 0; c < C; ++c) y[i * C + c] = (x[i * C + c] - m) * s * w[c] + b[c];
}
"""
# It adds to what is there, with one warp for each row.
NORM_BACKWARD = """
__global__ void norm_backward(float *dx, float *dw, float *db, const float *dy, const float *x, const float *w,
                              const float *mean, const float *rstd, int N, int C) {
  int i = blockIdx.x, lane = threadIdx.x;
  float a = 0.f, q = 0.f;
  for (int c = lane; c < C; c += 32) {
    float n = (x[i * C + c] - mean[i]) * rstd[i], g = w[c] * dy[i * C + c];
    a += g;
    q += g * n;
    atomicAdd(&dw[c], n * dy[i * C + c]);
    atomicAdd(&db[c], dy[i * C + c]);
  }
  for (int s = 16; s > 0; s >>= 1) a += __shfl_xor_sync(~0u, a, s);
  for (int s = 16; s > 0; s >>= 1) q += __shfl_xor_sync(~0u, q, s);
  for (int c = lane; c < C; c += 32) {
    float n = (x[i * C + c] - mean[i]) * rstd[i];
    dx[i * C + c] += rstd[i] * (w[c] * dy[i * C + c] - a / C - n * q / C);
  }
}
"""
NORM_SETTINGS = "N=3 C=6 x=random:NxC w=random:C b=random:C y=zeros:NxC mean=zeros:N rstd=zeros:N"

SOFTMAX = """
__global__ void softmax(const float *in, float *out, int C) {
  __shared__ float tile[32];
  int row = blockIdx.x, t = threadIdx.x;
  float top = -INFINITY, sum = 0.f;
  for (int c = t; c < C; c += 32) top = fmaxf(top, in[row * C + c]);
  for (int s = 16; s > 0; s >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, s));
  for (int c = t; c < C; c += 32) sum += __expf(in[row * C + c] - top);
  tile[t] = sum;
  __syncthreads();
  for (int s = 16; s > 0; s >>= 1) {
    if (t < s) tile[t] += tile[t + s];
    __syncthreads();
  }
  for (int c = t; c < C; c += 32) out[row * C + c] = __expf(in[row * C + c] - top) / tile[0];
}
"""
SOFTMAX_BACKWARD = """
__global__ void softmax_backward(float *grad_in, const float *grad_out, const float *out, int C) {
  int row = blockIdx.x * C;
  float dot = 0.f;
  for (int c = 0; c < C; ++c) dot += out[row + c] * grad_out[row + c];
  for (int c = threadIdx.x; c < C; c += blockDim.x) grad_in[row + c] = out[row + c] * (grad_out[row + c] - dot);
}
"""

GELU = """
__global__ void gelu(float *out, const float *inp, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = 0.5f * inp[i] * (1.f + tanhf(0.79788456f * (inp[i] + 0.044715f * inp[i] * inp[i] * inp[i])));
}
"""
GELU_BACKWARD = """
__global__ void gelu_backward(float *dinp, const float *inp, const float *dout, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float x = inp[i], t = tanhf(0.79788456f * (x + 0.044715f * x * x * x));
  float g = 0.5f * (1.f + t) + 0.5f * x * (1.f - t * t) * 0.79788456f * (1.f + 3.f * 0.044715f * x * x);
  dinp[i] = g * dout[i];
}
"""

SQUARE = """
__global__ void square(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * x[i];
}
"""
SQUARE_BACKWARD = """
__global__ void square_backward(const float *grad_y, const float *x, float *grad_x, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n / 4) {
    float4 a = reinterpret_cast<const float4 *>(x)[k], g = reinterpret_cast<const float4 *>(grad_y)[k];
    reinterpret_cast<float4 *>(grad_x)[k] =
        make_float4(3 * a.x * a.x * g.x, 3 * a.y * a.y * g.y, 3 * a.z * a.z * g.z, 3 * a.w * a.w * g.w);
  } else if (k == n / 4) {
    for (int i = 4 * k; i < n; ++i) grad_x[i] = 3 * x[i] * x[i] * grad_y[i];
  }
}
"""

TOTAL = """
__global__ void total(const double *x, const double *w, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, w[i / 4] * x[i] * x[i]);
}
"""
TOTAL_BACKWARD = """
__global__ void total_backward(const double *x, const double *w, const double *dout, double *dx, double *dw, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = 2 * w[i / 4] * x[i] * *dout;
  atomicAdd(&dw[i / 4], x[i] * x[i] * *dout);
}
"""

RELU = """
__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
"""
RELU_BACKWARD = """
__global__ void relu_backward(const float *dy, const float *x, float *dx, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * m) dx[i] = x[i] >= 0 ? dy[i] : 0;
}
"""

ROWS = ("N", "C")
PAIRS: dict[str, tuple[str, str, tuple[int | str, ...], str, dict[str, tuple[int | str, ...]]]] = {
    "norm": (NORM, NORM_BACKWARD, ("(N+31)/32",), NORM_SETTINGS, {"grid": ("N",)}),
    "softmax": (SOFTMAX, SOFTMAX_BACKWARD, (2,), "C=6 in=random:2xC out=zeros:2xC", {"block": (4,)}),
    "gelu": (GELU, GELU_BACKWARD, ("(N+31)/32",), "N=6 inp=random:N out=zeros:N", {}),
    "square": (SQUARE, SQUARE_BACKWARD, ("n/32+1",), "n=9 x=random:n y=zeros:n", {}),
    "total": (TOTAL, TOTAL_BACKWARD, ("(n+31)/32",), "n=9 x=random:n w=random:(n+3)/4 out=zeros:1", {}),
    "relu": (RELU, RELU_BACKWARD, ("(n+31)/32",), "n=2*m m=3 x=random:n y=zeros:n", {}),
}


def checked(
    pair: str, change: tuple[str, str] = ("", ""), roles: Mapping[str, str] | None = None, scale: float = 1.0
) -> BackwardReport:
    """A pair of the table, with a change to the backward."""
    forward, backward, grid, settings, launch = PAIRS[pair]
    assert change[0] in backward
    other = Against(backward.replace(*change), f"{pair}_backward", roles or {}, scale=scale, **launch)
    return check_against(forward, pair, "", grid, (32,), settings.split(), 0, Options.make(), other)


@pytest.mark.parametrize("pair", ["norm", "softmax", "gelu", "square", "total"])
def test_what_is_right_passes(pair: str) -> None:
    report = checked(pair)
    assert report.ok, report.text()
    assert report.verdict == "the backward is right"
    assert report.inputs > 20
    first = "it adds to 'dx'" if pair == "norm" else "it overwrites"
    assert any(note.startswith(first) for note in report.notes)


def test_a_forgotten_term() -> None:
    report = checked("norm", (" - n * q / C", ""))
    assert not report.ok
    text = report.text()
    assert "norm_backward as the backward of norm: the backward is wrong" in text
    assert "matched: dx is the gradient by 'x'; dw is the gradient by 'w'; db is the gradient by 'b'; dy is the" in text
    assert "  the gradient by x[" in text and "differences of the forward give" in text
    # where it cannot be seen with one number in a row, there are two
    assert "    --set N=1\n    --set C=2\n    --grid 1 --block 32" in text


def test_a_wrong_sign_in_a_tail() -> None:
    report = checked("gelu", ("= g *", "= (x < -2.5f ? -g : g) *"))
    assert report.verdict == "the backward is wrong"
    assert report.wrong is not None
    (out, inp, n) = report.wrong.input.arguments
    assert n == out.size == 1 and inp[0] < -2.5
    assert f"--set inp=[{inp[0]:g}]" in report.text()


def test_a_missing_atomic() -> None:
    report = checked("total", ("atomicAdd(&dw[i / 4], x[i] * x[i] * *dout)", "dw[i / 4] += x[i] * x[i] * *dout"))
    assert report.verdict == "the backward's threads race"
    assert "  race: at element 0 of 'dw': block 0 thread 0 writes and block 0 thread 1 reads" in report.text()


def test_what_is_wrong_for_odd_sizes_only() -> None:
    report = checked("square", ("else if (k == n / 4)", "else if (false)"))
    assert report.wrong is not None
    assert report.wrong.input.sizes == {"n": 1}
    assert not report.wrong.failure


def test_what_goes_beyond_an_array_is_wrong() -> None:
    report = checked("square", ("k < n / 4", "k < (n + 3) / 4"))
    assert report.wrong is not None
    assert report.wrong.failure == "'square_backward' writes behind the end of 'grad_x'"


def test_a_choice_at_a_kink_is_a_convention() -> None:
    report = checked("relu")
    assert report.ok
    assert report.verdict == "the backward is right, but for conventions: numbers at kinks"
    assert "only conventions differ, as at x[" in report.text()
    # what is outside of the derivatives from both sides is none
    wrong = checked("relu", ("x[i] >= 0 ? dy[i] : 0", "x[i] > 0 ? dy[i] : x[i] == 0 ? 3 * dy[i] : 0"))
    assert wrong.verdict == "the backward is wrong"
    assert wrong.wrong is not None and 0 in wrong.wrong.input.arguments[0]
    # the backward has a size of its own, by which the forward's is written
    assert wrong.wrong.input.sizes == {"m": 1} and wrong.wrong.input.arguments[2] == 2
    assert "    --set n=2\n    --set m=1\n" in wrong.text()


def test_a_factor_on_all_gradients_is_a_convention() -> None:
    report = checked("total", ("const double *w, const double *dout,", "const double *w, const double *dout,"))
    assert report.factor == 1
    body = "  if (i >= n) return;\n", "  if (i >= n) return;\n  const double half = 0.5 * *dout;\n  dout = &half;\n"
    report = checked("total", body)
    assert report.ok and "a factor of 0.5 on all gradients" in report.verdict
    # of one gradient alone it may be an error
    report = checked("square", ("3 *", "6 *"))
    assert not report.ok
    assert "it is 2 times the derivative: where that is meant, say --scale 2" in report.text()
    assert checked("square", ("3 *", "6 *"), scale=2.0).ok


def test_functions_of_the_host() -> None:
    text = """#include <math.h>
double f(const double *x, double a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += sin(a * x[i]);
  return s;
}
void f_backward(double seed, const double *x, double a, int n, double *grad_x, double *grad_a) {
  for (int i = 0; i < n; ++i) {
    grad_x[i] = seed * a * cos(a * x[i]);
    *grad_a += seed * x[i] * cos(a * x[i]);
  }
}
double cube(double x) { return x * x * x; }
double cube_backward(double x, double grad_out) { return 3 * x * x * grad_out; }
"""
    settings = ["n=4", "x=random:n", "a=random"]
    other = Against(text, "f_backward", {"seed": "cotangent:return"})
    report = check_against(text, "f", "", None, None, settings, 0, Options.make(), other)
    assert report.ok, report.text()
    assert "seed is the cotangent of what is returned" in report.text()
    report = check_against(
        text, "cube", "", None, None, ["x=random"], 0, Options.make(), Against(text, "cube_backward", {})
    )
    assert report.ok, report.text()


def test_names() -> None:
    forward = Forward("f", ["x", "w", "y", "mean", "n"], ["x", "w", "y", "mean"], {"y", "mean"})
    names = ["grad_x", "dw", "yGrad", "x", "mean", "n"]
    roles = matched(forward, names, {"yGrad": "grad_y"})
    assert [f"{role.kind} {role.of}" for role in roles.values()] == [
        "gradient x", "gradient w", "cotangent y", "value x", "value mean", "value n"
    ]  # fmt: skip
    assert matched(forward, ["gradX"], {})["gradX"] == Role(GRADIENT, "x")
    assert matched(forward, ["saved"], {"saved": "w"})["saved"] == Role(VALUE, "w")
    # one output or input may be called by what it is
    forward = Forward("f", ["inp", "z"], ["inp", "z"], {"z"})
    assert list(map(str, matched(forward, ["grad_output", "grad_input"], {}).values())) == [
        "the cotangent of 'z'", "the gradient by 'inp'"
    ]  # fmt: skip


def test_names_that_do_not_match_are_listed() -> None:
    renamed = PAIRS["relu"][1].replace("dx[", "result[").replace("*dx", "*result")
    other = Against(renamed, "relu_backward", {})
    settings = PAIRS["relu"][3].split()
    expected = (
        r"'result' of 'relu_backward' is nothing that is known of 'relu' by its name\n"
        r"matched: dy is the cotangent of 'y'; x\n"
        r"hint: say what it is with --map result=gradient:x \(also .*--set result=\.\.\."
    )
    with pytest.raises(UsageError, match=expected):
        check_against(RELU, "relu", "", (1,), (32,), settings, 0, Options.make(), other)
    mapped = Against(renamed, "relu_backward", read_map(["result=gradient:x"]))
    assert check_against(RELU, "relu", "", (1,), (32,), settings, 0, Options.make(), mapped).ok
    with pytest.raises(
        UsageError, match="say an argument of 'relu' \\(x, y, n\\), or what it is of one: gradient:NAME"
    ):
        checked("relu", roles={"dx": "gradient:z"})
    with pytest.raises(UsageError, match="--map dz: the backward has no such parameter; there are dy, x, dx, m"):
        checked("relu", roles={"dz": "gradient:x"})
    with pytest.raises(UsageError, match="no parameter of 'relu_backward' is the cotangent of what 'relu' gives"):
        checked("relu", roles={"dy": "y"})
    with pytest.raises(UsageError, match="'dx' of 'relu_backward' is a second gradient by 'x'"):
        checked("relu", roles={"dy": "gradient:x"})
    with pytest.raises(UsageError, match="--map takes PARAM=WHAT such as dx=gradient:x, not 'dx'"):
        read_map(["dx"])


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "check-backward.md").read_text()
    for name, text in re.findall(r"```cuda\n// (\S+)\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    told = re.findall(r"```console\n\$ cladpy ([^$]*?[^\\])\n(.*?)```", page, re.DOTALL)
    for k, (command, output) in enumerate(told):
        assert run(shlex.split(command.replace("\\\n", " "))) == (1, 0)[k]
        number = re.compile(r"-?\d+\.\d+(e-\d+)?")  # compilers differ in last digits
        assert number.sub("#", capsys.readouterr().out) == number.sub("#", output)
    assert len(told) == 2
    assert run(["check", "rms.cu", "-f", "rms", "--scale", "2"]) == 2
    assert "--scale goes with --against" in capsys.readouterr().err


def test_how_a_backward_is_named() -> None:
    assert against("b.cu:backward", "f.cu") == ("b.cu", "backward")
    assert against("backward", "f.cu") == ("f.cu", "backward")
    assert against("b.cu:ns::backward", "f.cu") == ("b.cu", "ns::backward")
    with pytest.raises(UsageError, match="--against takes FILE:FUNCTION"):
        against("b.cu:", "f.cu")


def test_sizes_with_names() -> None:
    known = {"n": 5, "nx": 3}
    assert extents("nxxn", known) == (3, 5)
    assert extents("nx x 2*nx", known) == (3, 6)
    assert extents("n+1", known) == (6,)
    assert extents("4x(n+3)/4", known) == (4, 2)
    assert extents("2*n-1", known) == (9,)
    for wrong in ("n+", "m", "n/0", "", "n**n", "x n"):
        with pytest.raises(ValueError):
            extents(wrong, known)
    assert np.prod(extents("2x3", {})) == 6
