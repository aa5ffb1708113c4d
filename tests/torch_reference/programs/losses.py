"""What losses.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.inputs import Draw
from tests.torch_reference.operation import Kernel, Operation

N = {"n": 36}
ROWS = {"rows": 3, "n": 10}
SAME = ("ordinary", "zeros", "ties", "tiny")
LOGITS = (
    "x=ordinary,z=bits",
    "x=zeros,z=edges",
    "x=signed,z=bits",
    "x=knees,z=bits",
    "x=large,z=bits",
    "x=tiny,z=unit",
)
SIGNED = ("x=ordinary,z=signs", "x=zeros,z=signs", "x=ties,z=signs", "x=knees,z=signs")


def of_pairs(
    name: str, function: Callable[..., Any], *kernels: str, kinds: tuple[str, ...] = SAME, **more: Any
) -> Operation:
    made = []
    for kernel in kernels:
        type = "f8" if "double" in kernel else "f2" if "half" in kernel else "f4"
        made.append(Kernel(kernel, grid=2, type=type))
    return Operation(
        name,
        lambda t, v: function(t.nn.functional, v.x, v.z),
        tuple(made),
        inputs={"x": "n", "z": "n"},
        sizes=(N,),
        kinds=kinds,
        **more,
    )


def mean(name: str, function: Callable[..., Any], *kernels: str, kinds: tuple[str, ...] = SAME) -> Operation:
    return Operation(
        name,
        lambda t, v: function(t.nn.functional, v.x, v.z).reshape(1),
        tuple(Kernel(kernel, grid=2) for kernel in kernels),
        inputs={"x": "n", "z": "n"},
        sizes=(N,),
        kinds=kinds,
    )


def classes(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(sizes.n) for _ in range(sizes.rows)]


def coins(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(2) for _ in range(sizes.n)]


def focal(f: Any, x: Any, z: Any) -> Any:
    p = x.sigmoid()
    ce = f.binary_cross_entropy_with_logits(x, z, reduction="none")
    return (1 - (p * z + (1 - p) * (1 - z))) ** 2 * ce


OPERATIONS = (
    of_pairs(
        "mse",
        lambda f, x, z: f.mse_loss(x, z, reduction="none"),
        "of_pairs<Squared, float>",
        "of_pairs<SquaredPow, double>",
        "of_half_pairs<Squared>",
    ),
    mean("mse_mean", lambda f, x, z: f.mse_loss(x, z), "mean_by_blocks<Squared>", "mean_by_warps<Squared>"),
    of_pairs(
        "l1",
        lambda f, x, z: f.l1_loss(x, z, reduction="none"),
        "of_pairs<L1, float>",
        "of_pairs<L1Chosen, double>",
        "of_pairs<L1Max, float>",
        "of_half_pairs<L1>",
    ),
    mean("l1_mean", lambda f, x, z: f.l1_loss(x, z), "mean_by_blocks<L1>", "mean_by_warps<L1Max>"),
    of_pairs(
        "smooth_l1",
        lambda f, x, z: f.smooth_l1_loss(x, z, reduction="none"),
        "of_pairs<SmoothL1, float>",
        "of_pairs<SmoothL1Min, double>",
        kinds=(*SAME, "x=integers,z=ones"),
    ),
    mean("smooth_l1_mean", lambda f, x, z: f.smooth_l1_loss(x, z), "mean_by_blocks<SmoothL1>", kinds=("zeros", "ties")),
    of_pairs(
        "huber",
        lambda f, x, z: f.huber_loss(x, z, reduction="none", delta=0.5),
        "of_pairs<Huber, float>",
        "of_pairs<HuberClamped, float>",
        "of_half_pairs<Huber>",
        kinds=(*SAME, "x=knees,z=zeros"),
    ),
    of_pairs(
        "log_cosh",
        lambda f, x, z: f.softplus(2 * (x - z)) - (x - z) - 0.693147180559945309417,
        "of_pairs<LogCosh, float>",
    ),
    of_pairs("charbonnier", lambda f, x, z: ((x - z) ** 2 + 1e-6).sqrt(), "of_pairs<Charbonnier, float>"),
    of_pairs(
        "bce_with_logits",
        lambda f, x, z: f.binary_cross_entropy_with_logits(x, z, reduction="none"),
        "of_pairs<WithLogits, float>",
        "of_pairs<WithLogitsLog, double>",
        "of_pairs<WithLogitsChosen, float>",
        "of_half_pairs<WithLogits>",
        kinds=LOGITS,
    ),
    mean(
        "bce_with_logits_mean",
        lambda f, x, z: f.binary_cross_entropy_with_logits(x, z),
        "mean_by_blocks<WithLogits>",
        "mean_by_warps<WithLogits>",
        kinds=LOGITS[:4],
    ),
    Operation(
        "bce_with_weights",
        lambda t, v: t.nn.functional.binary_cross_entropy_with_logits(v.x, v.z, pos_weight=v.w, reduction="none"),
        (Kernel("weighted_logits", grid=1),),
        inputs={"x": "rows n", "z": "rows n", "w": "n"},
        given=("w", "z"),
        sizes=(ROWS,),
        kinds=("x=ordinary,z=bits,w=positive", "x=zeros,z=edges,w=positive"),
    ),
    of_pairs(
        "bce",
        lambda f, x, z: f.binary_cross_entropy(x, z, reduction="none"),
        "of_pairs<Bce, float>",
        kinds=("x=unit,z=bits", "x=edges,z=bits", "x=unit,z=unit"),
        given=("z",),
        domain=(0.0, 1.0),
    ),
    of_pairs(
        "kl_div",
        lambda f, x, z: f.kl_div(x, z, reduction="none"),
        "of_pairs<Kl, float>",
        "of_pairs<KlDouble, double>",
        kinds=("x=ordinary,z=unit", "x=ordinary,z=edges", "x=zeros,z=bits"),
        given=("z",),
    ),
    of_pairs(
        "poisson_nll",
        lambda f, x, z: f.poisson_nll_loss(x, z, reduction="none"),
        "of_pairs<Poisson, float>",
        kinds=("x=ordinary,z=counts", "x=zeros,z=counts"),
    ),
    of_pairs(
        "poisson_nll_of_rate",
        lambda f, x, z: f.poisson_nll_loss(x, z, log_input=False, reduction="none"),
        "of_pairs<PoissonRate, float>",
        kinds=("x=positive,z=counts", "x=ones,z=counts"),
    ),
    of_pairs(
        "hinge",
        lambda f, x, z: (1 - z * x).clamp_min(0),
        "of_pairs<Hinge, float>",
        "of_pairs<HingeIf, double>",
        "of_half_pairs<Hinge>",
        kinds=SIGNED,
        given=("z",),
    ),
    of_pairs(
        "squared_hinge",
        lambda f, x, z: (1 - z * x).clamp_min(0) ** 2,
        "of_pairs<SquaredHinge, float>",
        kinds=SIGNED,
        given=("z",),
    ),
    of_pairs(
        "hinge_embedding",
        lambda f, x, z: f.hinge_embedding_loss(x, z, reduction="none"),
        "of_pairs<HingeEmbedding, float>",
        kinds=SIGNED,
        given=("z",),
    ),
    of_pairs(
        "soft_margin",
        lambda f, x, z: f.soft_margin_loss(x, z, reduction="none"),
        "of_pairs<SoftMargin, float>",
        "of_pairs<SoftMarginStable, double>",
        kinds=SIGNED,
        given=("z",),
    ),
    of_pairs("focal", focal, "of_pairs<Focal, float>", kinds=LOGITS[:4], given=("z",)),
    of_pairs(
        "quantile_loss",
        lambda f, x, z: ((z - x) * 0.25).maximum((z - x) * -0.75),
        "of_pairs<Quantile, float>",
    ),
    Operation(
        "nll",
        lambda t, v: t.nn.functional.nll_loss(v.x, v.target, ignore_index=v.ignored, reduction="none"),
        (Kernel("nll", grid=1),),
        sizes=({**ROWS, "ignored": 2},),
        integers={"target": lambda draw, sizes: [2, *(draw.below(sizes.n) for _ in range(sizes.rows - 1))]},
        kinds=("ordinary", "minus_inf"),
    ),
    Operation(
        "gaussian_nll",
        lambda t, v: t.nn.functional.gaussian_nll_loss(v.x, v.z, v.w, reduction="none"),
        (Kernel("gaussian_nll", grid=2),),
        inputs={"x": "n", "z": "n", "w": "n"},
        sizes=(N,),
        kinds=("x=ordinary,z=ordinary,w=positive", "x=zeros,z=zeros,w=ones"),
    ),
    Operation(
        "margin_ranking",
        lambda t, v: t.nn.functional.margin_ranking_loss(v.x, v.z, 1 - 2 * (1 - v.sign), 0.5, reduction="none"),
        (Kernel("margin_ranking", grid=2, type="f8"),),
        inputs={"x": "n", "z": "n"},
        integers={"sign": coins},
        sizes=(N,),
        kinds=("ordinary", "x=edges,z=zeros", "ties"),
    ),
    Operation(
        "multi_margin",
        lambda t, v: t.nn.functional.multi_margin_loss(v.x, v.target, reduction="none"),
        (Kernel("multi_margin", grid=1), Kernel("multi_margin_warp", grid="rows")),
        sizes=(ROWS,),
        integers={"target": classes},
        kinds=("ordinary", "zeros", "ties", "integers"),
    ),
    Operation(
        "triplet_margin",
        lambda t, v: t.nn.functional.triplet_margin_loss(v.a, v.x, v.z, reduction="none"),
        (Kernel("triplet", grid=1), Kernel("triplet_warp", grid="rows")),
        inputs={"a": "rows n", "x": "rows n", "z": "rows n"},
        sizes=(ROWS,),
        kinds=("ordinary", "ties"),
    ),
    Operation(
        "cosine_embedding",
        lambda t, v: t.nn.functional.cosine_embedding_loss(v.a, v.b, v.alike * 2 - 1, 0.25, reduction="none"),
        (Kernel("cosine_embedding", grid=1, cancels=0.3),),
        inputs={"a": "rows n", "b": "rows n"},
        integers={"alike": lambda draw, sizes: [k % 2 for k in range(sizes.rows)]},
        sizes=(ROWS,),
        kinds=("ordinary", "ones"),
    ),
    Operation(
        "info_nce",
        lambda t, v: t.nn.functional.cross_entropy(v.a @ v.b.T, t.arange(v.rows), reduction="none"),
        (Kernel("info_nce", grid="rows"),),
        inputs={"a": "rows n", "b": "rows n"},
        sizes=({"rows": 5, "n": 4},),
        kinds=("ordinary", "zeros", "a=ordinary,b=ones"),
    ),
)
