"""What softmax.cu computes."""

from __future__ import annotations

from typing import Any

from tests.torch_reference.inputs import Draw
from tests.torch_reference.operation import Kernel, Operation, variants

SIZES = ({"rows": 2, "n": 32}, {"rows": 2, "n": 45}, {"rows": 2, "n": 8})
KINDS = ("ordinary", "zeros", "signed", "ties", "equal", "duplicates", "tiny", "large", "minus_inf")
FINITE = tuple(kind for kind in KINDS if kind != "minus_inf")
OPS = ("Fmax", "Chosen", "Std", "ByIf")


def targets(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(sizes.n) for _ in range(sizes.rows)]


OPERATIONS = (
    Operation(
        "softmax",
        lambda t, v: t.softmax(v.x, -1),
        sizes=SIZES,
        kinds=KINDS,
        kernels=(
            Kernel("softmax_thread<float>", grid=1),
            Kernel("softmax_thread<double>", grid=1, type="f8"),
            Kernel("softmax_thread_if", grid=1, type="f8"),
            Kernel("softmax_online", grid=1),
            Kernel("softmax_everyone", grid="rows", block=64),
            *variants(Kernel("", grid=1, block=64), *(f"softmax_warp<{op}>" for op in OPS)),
            Kernel("softmax_warp_down", grid=1, block=(32, 2)),
            Kernel("softmax_tree", grid="rows", block=32),
            Kernel("softmax_block", grid="rows", block=64),
            Kernel("softmax_groups", grid=1, block=64),
            Kernel("softmax_tiles", grid=1, block=32),
            Kernel("softmax_float4", grid=1, block=64, sizes=(0, 2)),
            Kernel("softmax_half", grid=1, block=64, type="f2"),
            Kernel("softmax_half2", grid="rows", block=32, type="f2", sizes=(0, 2)),
            Kernel(
                "softmax_bfloat",
                grid="rows",
                block=32,
                type="bf2",
                sizes=(0, 2),
                # in which bfloat16 does not hold the inputs
                without=("tiny", "large", "ordinary", "duplicates", "equal", "minus_inf"),
            ),
        ),
    ),
    Operation(
        "log_softmax",
        lambda t, v: t.log_softmax(v.x, -1),
        sizes=SIZES,
        kinds=FINITE,
        kernels=(
            Kernel("log_softmax_thread", grid=1, type="f8"),
            *variants(Kernel("", grid="rows", block=(32, 1)), *(f"log_softmax_warp<{op}>" for op in OPS)),
        ),
    ),
    Operation(
        "logsumexp",
        lambda t, v: t.logsumexp(v.x, -1),
        sizes=SIZES,
        kinds=KINDS,
        kernels=(
            Kernel("logsumexp_thread", grid=1, type="f8"),
            Kernel("logsumexp_pairs", grid=1),
            Kernel("logsumexp_warp", grid="rows", sizes=(0, 2)),
        ),
    ),
    Operation(
        "cross_entropy",
        lambda t, v: t.nn.functional.cross_entropy(v.x, v.target, reduction="none"),
        sizes=SIZES,
        kinds=FINITE,
        integers={"target": targets},
        kernels=(
            Kernel("cross_entropy_thread", grid=1),
            Kernel("cross_entropy_block", grid="rows"),
            Kernel("cross_entropy_warp", grid=1, block=64),
        ),
    ),
    Operation(
        "smoothed_cross_entropy",
        lambda t, v: t.nn.functional.cross_entropy(v.x, v.target, reduction="none", label_smoothing=v.smoothing),
        sizes=SIZES[:1],
        kinds=FINITE,
        integers={"target": targets},
        constants={"smoothing": 0.125},
        kernels=(Kernel("smoothed_cross_entropy", grid=1, type="f8"),),
    ),
    Operation(
        "softmin",
        lambda t, v: t.nn.functional.softmin(v.x, -1),
        sizes=SIZES,
        kinds=FINITE,
        kernels=(Kernel("softmin_warp", grid=1, block=64),),
    ),
)
