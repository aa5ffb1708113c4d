"""What elementwise.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.inputs import Draw
from tests.torch_reference.operation import Kernel, Operation

N = {"n": 36}
KNEES = ("ordinary", "knees", "signed", "tiny")
ROOTS = ("ordinary", "knees", "signed")  # near zero, but not there, roots have huge derivatives
TIES = ("ordinary", "zeros", "signed", "ties", "tiny")


def _kernels(names: tuple[str, ...]) -> tuple[Kernel, ...]:
    def type_of(name: str) -> str:
        return "f8" if "double" in name or name == "where_quotient" else "f2" if "half" in name else "f4"

    return tuple(Kernel(name, grid=2, type=type_of(name)) for name in names)


def unary(name: str, function: Callable[..., Any], *kernels: str, kinds: tuple[str, ...] = KNEES) -> Operation:
    return Operation(name, lambda t, v: function(t, v.x), _kernels(kernels), inputs={"x": "n"}, sizes=(N,), kinds=kinds)


def binary(name: str, function: Callable[..., Any], *kernels: str, kinds: tuple[str, ...] = TIES) -> Operation:
    return Operation(
        name,
        lambda t, v: function(t, v.a, v.b),
        _kernels(kernels),
        inputs={"a": "n", "b": "n"},
        sizes=(N,),
        kinds=kinds,
    )


def mask(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(2) for _ in range(sizes.n)]


def srgb(t: Any, x: Any) -> Any:
    return t.where(x > 0.0031308, 1.055 * x.clamp_min(0.0031308) ** (1 / 2.4) - 0.055, 12.92 * x)


def smooth_union(t: Any, a: Any, b: Any) -> Any:
    h = (0.25 - (a - b).abs()).clamp_min(0) / 0.25
    return t.minimum(a, b) - h * h * 0.0625


OPERATIONS = (
    binary(
        "maximum",
        lambda t, a, b: t.maximum(a, b),
        "two<Larger, float>",
        "two<LargerChosen, float>",
        "two<LargerChosen, double>",
        "two<LargerIf, float>",
        "two<LargerMean, double>",
        "two_by_four<Larger>",
        "larger_half",
        "larger_half2",
    ),
    binary(
        "minimum",
        lambda t, a, b: t.minimum(a, b),
        "two<Smaller, float>",
        "two<SmallerStd, double>",
        "two<SmallerChosen, float>",
        "two_by_four<Smaller>",
        "smaller_half_chosen",
    ),
    binary("max_and_min", lambda t, a, b: t.maximum(a, b) + t.minimum(a, b), "two<Both, float>", "two_by_four<Both>"),
    binary("max_times_min", lambda t, a, b: t.maximum(a, b) * t.minimum(a, b), "two<Product, double>"),
    binary("swapped", lambda t, a, b: 2 * a + 2 * b, "two<Swapped, float>"),
    binary(
        "logaddexp",
        lambda t, a, b: t.logaddexp(a, b),
        "two<LogAddExp, float>",
        "two<LogAddExp, double>",
        "two<LogAddExpChosen, float>",
        "two<LogAddExpIf, float>",
        "two_by_four<LogAddExp>",
        kinds=(*TIES, "large"),
    ),
    binary("logaddexp2", lambda t, a, b: t.logaddexp2(a, b), "two<LogAddExp2, float>"),
    binary(
        "hypot",
        lambda t, a, b: t.hypot(a, b),
        "two<Hypot, float>",
        "two<HypotSafe, double>",
        "two<HypotRoot, float>",
        kinds=("ordinary", "zeros", "ties", "a=zeros,b=ordinary"),
    ),
    binary("atan2", lambda t, a, b: t.atan2(a, b), "two<Angle, float>", kinds=("ordinary", "zeros", "ties")),
    binary(
        "pow",
        lambda t, a, b: a**b,
        "two<Power, float>",
        "two<PowerDouble, double>",
        kinds=("positive", "a=positive,b=counts", "a=zeros,b=counts", "a=counts,b=zeros"),
    ),
    binary(
        "pow_of_clamped",
        lambda t, a, b: a.clamp_min(0) ** b,
        "two<PowerGuarded, float>",
        kinds=("a=ordinary,b=positive", "a=ties,b=positive", "a=ties,b=ones"),
    ),
    binary(
        "xlogy",
        lambda t, a, b: t.xlogy(a, b),
        "two<XLogY, float>",
        kinds=("positive", "a=zeros,b=positive", "a=counts,b=positive", "a=some_zeros,b=ones"),
    ),
    binary(
        "copysign", lambda t, a, b: t.copysign(a, b), "two<CopySign, float>", kinds=("ordinary", "a=ordinary,b=signed")
    ),
    binary(
        "remainder",
        lambda t, a, b: t.remainder(a, b),
        "two<FloorMod, float>",
        kinds=("ordinary", "a=ordinary,b=ones", "a=integers,b=ones"),
    ),
    binary("fmod", lambda t, a, b: t.fmod(a, b), "two<Fmod, double>", kinds=("ordinary", "a=integers,b=ones")),
    binary("positive_difference", lambda t, a, b: (a - b).relu(), "two<Fdim, float>", "two<FdimMax, double>"),
    binary("ratio", lambda t, a, b: a / (a.abs() + b.abs() + 1), "two<Ratio, float>"),
    binary("smooth_union", smooth_union, "two<SmoothUnion, float>", kinds=("ordinary", "ties", "zeros")),
    unary(
        "clamp",
        lambda t, x: x.clamp(-0.5, 1.0),
        "one<Clamp, float>",
        "one<ClampChosen, double>",
        "one<ClampIf, float>",
        "clamp_half2",
    ),
    unary("saturate", lambda t, x: x.clamp(0, 1), "one<Saturate, float>", "one<SaturateMax, double>"),
    unary(
        "sqrt_of_clamped",
        lambda t, x: x.clamp_min(0).sqrt(),
        "one<RootOfClamp, float>",
        "one<RootOfClampChosen, double>",
        "root_half",
        kinds=ROOTS,
    ),
    unary("sqrt_with_floor", lambda t, x: x.clamp_min(1e-6).sqrt(), "one<RootWithFloor, float>"),
    unary("rsqrt", lambda t, x: (x * x + 0.25).rsqrt(), "one<Rsqrt, float>", "one<RsqrtDouble, double>"),
    unary("gamma", lambda t, x: x.clamp_min(0) ** (1 / 2.2), "one<Gamma, float>", kinds=ROOTS),
    unary("srgb", srgb, "one<Srgb, float>", "one<SrgbIf, double>"),
    unary("acos_of_clamped", lambda t, x: x.clamp(-1, 1).acos(), "one<ArcCosine, float>"),
    unary("asin_of_clamped", lambda t, x: x.clamp(-1, 1).asin(), "one<ArcSine, double>"),
    unary("cbrt_of_clamped", lambda t, x: x.clamp_min(0) ** (1 / 3), "one<CubeRoot, float>", kinds=ROOTS),
    unary("log_of_clamped", lambda t, x: x.clamp_min(0.125).log(), "one<LogOfClamp, float>"),
    unary("square", lambda t, x: x**2, "one<Square, float>"),
    unary("cube", lambda t, x: x**3, "one<Cube, double>"),
    unary("zeroth_power", lambda t, x: x**0, "one<PowerOfZero, float>"),
    Operation(
        "sinc",
        lambda t, v: t.sinc(v.x),
        (Kernel("one<Sinc, float>", grid=2, loose=10),),  # where it is flat, two terms cancel
        inputs={"x": "n"},
        sizes=(N,),
        kinds=("ordinary", "signed"),
    ),
    unary("expm1", lambda t, x: x.expm1(), "one<Expm1, float>"),
    unary("log1p_of_clamped", lambda t, x: x.clamp_min(-0.5).log1p(), "one<Log1p, double>"),
    unary("logit", lambda t, x: t.logit(x, 0.125), "one<Logit, float>", kinds=("unit", "edges")),
    unary(
        "log_cosh",
        lambda t, x: t.logaddexp(x, -x) - 0.693147180559945309417,
        "one<LogCosh, double>",
        "one<LogCoshMax, float>",
        kinds=(*KNEES, "large"),
    ),
    unary("tanh", lambda t, x: x.tanh(), "one<Tanh, float>", kinds=(*KNEES, "large")),
    unary("fraction", lambda t, x: x.frac(), "one<Fraction, float>"),
    unary("steps", lambda t, x: x.relu() + x.floor() + x.round(), "one<Step, float>"),
    unary("where_sqrt", lambda t, x: t.where(x > 0.25, x.clamp_min(0.2).sqrt(), x / 2), "where_root"),
    binary(
        "where_quotient",
        lambda t, a, b: t.where(b != 0, a / t.where(b != 0, b, t.ones_like(b)), a),
        "where_quotient",
        kinds=("ordinary", "a=ordinary,b=some_zeros", "zeros"),
    ),
    Operation(
        "clamp_between",
        lambda t, v: t.clamp(v.x, v.a, v.b),
        (Kernel("clamp_between", grid=2),),
        inputs={"x": "n", "a": "n", "b": "n"},
        sizes=(N,),
        kinds=("ordinary", "x=ties,a=zeros,b=ones", "zeros"),
    ),
    Operation(
        "lerp",
        lambda t, v: t.lerp(v.a, v.b, v.w),
        (Kernel("lerp", grid=2),),
        inputs={"a": "n", "b": "n", "w": "n"},
        sizes=(N,),
        kinds=("ordinary", "zeros", "w=edges,a=ordinary,b=ordinary"),
    ),
    Operation(
        "where",
        lambda t, v: t.where(v.mask.bool(), v.a, v.b),
        (Kernel("where", grid=2),),
        inputs={"a": "n", "b": "n"},
        integers={"mask": mask},
        sizes=(N,),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "masked_fill",
        lambda t, v: v.x.masked_fill(v.mask.bool(), -float("inf")),
        (Kernel("masked_fill", grid=2),),
        inputs={"x": "n"},
        integers={"mask": mask},
        sizes=(N,),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "dropout",
        lambda t, v: v.x * v.mask / v.keep,
        (Kernel("dropout", grid=2), Kernel("dropout_half2", grid=1, type="f2")),
        inputs={"x": "n", "mask": "n"},
        given=("mask",),
        constants={"keep": 0.75},
        sizes=(N,),
        kinds=("x=ordinary,mask=bits", "x=zeros,mask=bits"),
    ),
    Operation(
        "addcdiv",
        lambda t, v: t.addcdiv(v.a, v.b, v.w, value=0.5),
        (Kernel("addcdiv", grid=2),),
        inputs={"a": "n", "b": "n", "w": "n"},
        sizes=(N,),
        kinds=("ordinary", "a=zeros,b=zeros,w=ones"),
    ),
)
