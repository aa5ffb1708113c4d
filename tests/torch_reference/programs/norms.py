"""What norms.cu computes."""

from __future__ import annotations

from dataclasses import replace

from tests.torch_reference.operation import Kernel, Operation

ROWS = ({"rows": 3, "n": 20},)
KINDS = ("ordinary", "zeros", "signed", "ties", "equal", "tiny")
AFFINE = {"x": "rows n", "w": "n", "b": "n"}
AFFINE_KINDS = tuple(f"x={kind},w=ordinary,b=ordinary" for kind in ("ordinary", "zeros", "ties", "equal", "tiny"))
SCALED = {"x": "rows n", "w": "n"}
SCALED_KINDS = tuple(f"x={kind},w=ordinary" for kind in ("ordinary", "zeros", "ties", "equal"))
# The root of a sum of squares has no derivative at zero, where `linalg.vector_norm` has 0 by convention; and in single
# precision these squares are zero.
AT_ZERO = ("zeros", "signed", "tiny")
PAIRS = {"a": "rows n", "b": "rows n"}


def distances(name: str, p: float, *kernels: Kernel) -> Operation:
    return Operation(
        f"distances_{name}",
        lambda t, v: t.cdist(v.a, v.b, p, compute_mode="donot_use_mm_for_euclid_dist"),
        tuple(replace(kernel, grid=1, block=(8, 8)) for kernel in kernels),
        inputs=PAIRS,
        sizes=({"rows": 5, "n": 3},),
        kinds=("ordinary", "zeros", "ties"),
    )


OPERATIONS = (
    Operation(
        "l1_norm",
        lambda t, v: t.linalg.vector_norm(v.x, 1, -1),
        (
            Kernel("l1_thread<float>", grid=1),
            Kernel("l1_thread<double>", grid=1, type="f8"),
            Kernel("l1_warp", grid="rows"),
        ),
        sizes=ROWS,
        kinds=KINDS,
    ),
    Operation(
        "l2_norm",
        lambda t, v: t.linalg.vector_norm(v.x, 2, -1),
        (
            Kernel("l2_thread<float>", grid=1, without=AT_ZERO),
            Kernel("l2_thread<double>", grid=1, type="f8", without=("zeros", "signed")),
            Kernel("l2_block", grid="rows", block=64, without=AT_ZERO),
            Kernel("l2_guarded", grid=1, without=("tiny",)),  # whose value is zero for these
            Kernel("l2_scaled", grid=1, type="f8"),
        ),
        sizes=ROWS,
        kinds=KINDS,
    ),
    Operation(
        "inf_norm",
        lambda t, v: t.linalg.vector_norm(v.x, float("inf"), -1),
        (Kernel("inf_thread", grid=1), Kernel("inf_warp", grid="rows"), Kernel("inf_groups", grid="rows")),
        sizes=ROWS,
        kinds=KINDS,
    ),
    Operation(
        "l3_norm",
        lambda t, v: t.linalg.vector_norm(v.x, 3, -1),
        (Kernel("l3", grid=1),),
        sizes=ROWS,
        kinds=("ordinary", "ties", "some_zeros"),
    ),
    Operation(
        "normalize",
        lambda t, v: t.nn.functional.normalize(v.x, dim=-1),
        (Kernel("normalize_thread", grid=1, type="f8"), Kernel("normalize_warp", grid="rows")),
        sizes=ROWS,
        kinds=("ordinary", "ties", "some_zeros"),
    ),
    Operation(
        "normalize_l1",
        lambda t, v: t.nn.functional.normalize(v.x, p=1, dim=-1),
        (Kernel("normalize_l1", grid="rows"),),
        sizes=ROWS,
        kinds=("ordinary", "ties", "some_zeros"),
    ),
    Operation(
        "normalize_inf",
        lambda t, v: t.nn.functional.normalize(v.x, p=float("inf"), dim=-1),
        (Kernel("normalize_inf", grid="rows"),),
        sizes=ROWS,
        kinds=("ordinary", "ties", "equal"),
    ),
    Operation(
        "min_max_scaled",
        lambda t, v: (
            (v.x - v.x.amin(-1, keepdim=True)) / (v.x.amax(-1, keepdim=True) - v.x.amin(-1, keepdim=True) + 0.25)
        ),
        (Kernel("min_max_scaled", grid="rows"),),
        sizes=ROWS,
        kinds=("ordinary", "ties", "zeros"),
    ),
    Operation(
        "layer_norm",
        lambda t, v: t.nn.functional.layer_norm(v.x, (v.n,), v.w, v.b),
        (
            Kernel("layer_norm_thread", grid=1, type="f8"),
            Kernel("layer_norm_warp", grid=2, block=64),
            Kernel(
                "layer_norm_block", grid="rows", block=64, loose=30, without=("equal",)
            ),  # what cancels is a variance
            Kernel("layer_norm_half2", grid="rows", type="f2", without=("equal",)),
        ),
        inputs=AFFINE,
        sizes=ROWS,
        kinds=AFFINE_KINDS,
    ),
    Operation(
        "rms_norm",
        lambda t, v: t.nn.functional.rms_norm(v.x, (v.n,), v.w, 1e-5),
        (Kernel("rms_norm_warp", grid="rows"), Kernel("rms_norm_float4", grid="rows", block=64)),
        inputs=SCALED,
        sizes=ROWS,
        kinds=SCALED_KINDS,
    ),
    Operation(
        "batch_norm",
        lambda t, v: t.nn.functional.batch_norm(v.x, None, None, v.w, v.b, training=True),
        (Kernel("batch_norm", grid="n"),),
        inputs=AFFINE,
        sizes=({"rows": 35, "n": 3},),
        kinds=AFFINE_KINDS,
    ),
    Operation(
        "group_norm",
        lambda t, v: t.nn.functional.group_norm(v.x, v.groups),
        (Kernel("group_norm", grid=1, type="f8"),),
        sizes=({"rows": 2, "n": 24, "groups": 3},),
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "instance_norm",
        lambda t, v: t.nn.functional.instance_norm(v.x.reshape(v.rows, v.groups, -1)).reshape(v.rows, v.n),
        (Kernel("group_norm", grid=1, type="f8"),),
        sizes=({"rows": 2, "n": 24, "groups": 4},),
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "variance",
        lambda t, v: v.x.var(-1),
        (Kernel("variance_welford", grid=1, type="f8"), Kernel("variance_warp", grid="rows")),
        sizes=ROWS,
        kinds=KINDS,
    ),
    Operation(
        "standard_deviation",
        lambda t, v: v.x.std(-1),
        (Kernel("deviation", grid=1, without=("zeros",)), Kernel("deviation_guarded", grid=1)),
        sizes=ROWS,
        kinds=("ordinary", "ties", "zeros"),
    ),
    Operation(
        "cosine_similarity",
        lambda t, v: t.nn.functional.cosine_similarity(v.a, v.b),
        (Kernel("cosine_thread", grid=1, type="f8"), Kernel("cosine_warp", grid="rows")),
        inputs=PAIRS,
        sizes=ROWS,
        kinds=("ordinary", "ties"),
    ),
    distances("l1", 1.0, Kernel("distances<1, float>")),
    distances(
        "l2",
        2.0,
        Kernel("distances<2, float>", without=("zeros", "ties")),  # some of these are zero, as above
        Kernel("distances<2, double>", type="f8", without=("zeros", "ties")),
        Kernel("guarded_distances"),
    ),
    distances("inf", float("inf"), Kernel("distances<0, float>"), Kernel("distances<0, double>", type="f8")),
    Operation(
        "squared_distances",
        lambda t, v: (v.x[:, None] - v.x[None]).square().sum(-1),
        (Kernel("squared_distances", grid=1, block=(8, 8)),),
        sizes=({"rows": 7, "n": 3},),
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "gaussian_of_distances",
        lambda t, v: (-0.5 * (v.x[:, None] - v.x[None]).square().sum(-1)).exp(),
        (Kernel("gaussian_of_distances", grid=1, block=(8, 8)),),
        sizes=({"rows": 7, "n": 3},),
        kinds=("ordinary", "zeros", "ties"),
    ),
)
