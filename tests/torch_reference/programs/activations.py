"""What activations.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.operation import Kernel, Operation

KINDS = ("ordinary", "knees", "signed", "tiny")
WIDE = (*KINDS, "large")
N = {"n": 44}
# Where `expf(v) - 1` is rounded to zero, it equals the zero that it is compared with.
WITHOUT = {"EluSum": ("tiny",), "Celu,": ("tiny",), "Celu>": ("tiny",)}


def activation(name: str, function: Callable[..., Any], *kernels: str, kinds: tuple[str, ...] = KINDS) -> Operation:
    """Of one number: the kernels are `each<F, T>` and the like."""
    made = []
    for kernel in kernels:
        without = next((kinds for functor, kinds in WITHOUT.items() if f"<{functor}" in kernel), ())
        half = kernel.startswith(("by_float", "two", "relu_h"))
        type = "f8" if kernel.endswith("double>") else "f2" if half else "f4"
        made.append(Kernel(kernel, grid=1 if kernel.startswith("stride") else 3, type=type, without=without))
    return Operation(
        name, lambda t, v: function(t.nn.functional, v.x), tuple(made), inputs={"x": "n"}, sizes=(N,), kinds=kinds
    )


ROWS = {"rows": 2, "n": 24}
OPERATIONS = (
    activation(
        "relu",
        lambda f, x: f.relu(x),
        "each<ReluFmax, float>",
        "each<ReluFlipped, float>",
        "each<ReluChosen, float>",
        "each<ReluIf, double>",
        "each<ReluMax, double>",
        "each<ReluMask, float>",
        "four<ReluFmax>",
        "cast_to_four<ReluChosen>",
        "two<ReluFmax>",
        "relu_hmax",
        "relu_hmax2",
    ),
    activation("relu6", lambda f, x: f.relu6(x), "each<Relu6, float>", "each<Relu6Chosen, double>", "two<Relu6>"),
    activation(
        "leaky_relu",
        lambda f, x: f.leaky_relu(x, 0.01),
        "each<Leaky, float>",
        "stride<LeakyMax>",
        "each<LeakySum, double>",
        "four<Leaky>",
        "by_float<Leaky>",
    ),
    activation(
        "elu",
        lambda f, x: f.elu(x),
        "each<Elu, float>",
        "each<EluSum, float>",
        "each<EluIf, double>",
        "four<EluSum>",
        "two<Elu>",
    ),
    activation("celu", lambda f, x: f.celu(x, 2.0), "stride<Celu>", "each<CeluChosen, double>"),
    activation("selu", lambda f, x: f.selu(x), "each<Selu, float>", "each<SeluSum, double>"),
    activation("gelu", lambda f, x: f.gelu(x), "stride<Gelu>", "each<GeluCdf, double>", "two<Gelu>", kinds=WIDE),
    activation(
        "gelu_tanh",
        lambda f, x: f.gelu(x, approximate="tanh"),
        "each<GeluTanh, float>",
        "by_float<GeluTanh>",
        kinds=WIDE,
    ),
    activation(
        "sigmoid",
        lambda f, x: x.sigmoid(),
        "each<Sigmoid, float>",
        "each<SigmoidStable, double>",
        "each<SigmoidFolded, float>",
        kinds=WIDE,
    ),
    activation("silu", lambda f, x: f.silu(x), "each<Silu, float>", "four<Silu>", "two<Silu>"),
    activation("mish", lambda f, x: f.mish(x), "each<Mish, float>", "each<MishStable, float>"),
    activation(
        "softplus",
        lambda f, x: f.softplus(x, threshold=1000),
        "each<Softplus, double>",
        "each<SoftplusFloat, float>",
        "four<SoftplusFloat>",
        "by_float<SoftplusFloat>",
        "each<SoftplusChosen, float>",
        kinds=WIDE,
    ),
    activation("softplus_limit", lambda f, x: f.softplus(x), "each<SoftplusLimit, float>"),
    activation(
        "logsigmoid",
        lambda f, x: f.logsigmoid(x),
        "each<LogSigmoid, float>",
        "each<LogSigmoidDouble, double>",
        kinds=WIDE,
    ),
    activation(
        "hardtanh", lambda f, x: f.hardtanh(x), "each<Hardtanh, float>", "each<HardtanhIf, double>", "four<Hardtanh>"
    ),
    activation(
        "hardswish",
        lambda f, x: f.hardswish(x),
        "each<Hardswish, float>",
        "each<HardswishIf, double>",
        "two<Hardswish>",
    ),
    activation(
        "hardsigmoid", lambda f, x: f.hardsigmoid(x), "each<Hardsigmoid, float>", "each<HardsigmoidSaturated, float>"
    ),
    activation(
        "softshrink",
        lambda f, x: f.softshrink(x),
        "each<Softshrink, float>",
        "each<SoftshrinkSum, float>",
        "each<SoftshrinkSign, double>",
    ),
    activation("hardshrink", lambda f, x: f.hardshrink(x), "each<Hardshrink, float>"),
    activation("tanhshrink", lambda f, x: f.tanhshrink(x), "stride<Tanhshrink>"),
    activation("softsign", lambda f, x: f.softsign(x), "each<Softsign, float>", "each<SoftsignChosen, double>"),
    activation("threshold", lambda f, x: f.threshold(x, 0.5, -2.0), "each<Threshold, float>"),
    activation(
        "abs", lambda f, x: x.abs(), "each<Absolute, float>", "each<AbsoluteMax, float>", "each<AbsoluteChosen, double>"
    ),
    activation("squared_relu", lambda f, x: f.relu(x).square(), "each<SquaredRelu, float>", "two<SquaredRelu>"),
    Operation(
        "prelu",
        lambda t, v: t.nn.functional.prelu(v.x, v.w),
        (Kernel("prelu", grid=2), Kernel("prelu_sum", grid="rows", type="f8")),
        inputs={"x": "rows n", "w": "n"},
        sizes=(ROWS,),
        kinds=KINDS,
    ),
    Operation("glu", lambda t, v: t.nn.functional.glu(v.x), (Kernel("glu", grid=1),), sizes=(ROWS,), kinds=KINDS),
    Operation(
        "reglu",
        lambda t, v: v.x[:, : v.n // 2] * v.x[:, v.n // 2 :].relu(),
        (Kernel("reglu", grid="rows", block=8),),
        sizes=(ROWS,),
        kinds=KINDS,
    ),
    Operation(
        "swiglu",
        lambda t, v: t.nn.functional.silu(v.x[:, : v.n // 2]) * v.x[:, v.n // 2 :],
        (Kernel("swiglu", grid=1, type="f2"),),
        sizes=(ROWS,),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "maxout",
        lambda t, v: v.x.reshape(v.rows, v.n // 2, 2).amax(-1),
        (Kernel("maxout", grid=1),),
        sizes=(ROWS,),
        kinds=("ordinary", "ties", "zeros"),
    ),
)
