"""What spatial.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.inputs import Draw
from tests.torch_reference.operation import Kernel, Operation

SAMPLED = {"x": "h w", "u": "n", "v": "n"}
TO = {"h": 5, "w": 5, "n": 12}  # pixels are at multiples of one half
SAMPLES = ("ordinary", "x=ordinary,u=halves,v=halves", "x=ordinary,u=halves,v=ordinary", "x=ordinary,u=zeros,v=zeros")


def sampled(t: Any, v: Any, **how: Any) -> Any:
    places = t.stack((v.u, v.v), -1)[None, None]
    return t.nn.functional.grid_sample(v.x[None, None], places, mode="bilinear", **how)[0, 0, 0]


def of_row(name: str, function: Callable[..., Any], kernel: str, type: str = "f4", **sizes: int) -> Operation:
    return Operation(
        name,
        lambda t, v: function(t, v),
        (Kernel(kernel, grid=1, type=type),),
        inputs={"x": "n"},
        sizes=({"n": 20, **sizes},),
        kinds=("ordinary", "zeros"),
    )


def resized(name: str, kernel: str, **how: Any) -> Operation:
    return Operation(
        name,
        lambda t, v: t.nn.functional.interpolate(v.x[None, None], scale_factor=2, **how)[0, 0],
        (Kernel(kernel, grid=1, block=(16, 8)),),
        inputs={"x": "h w"},
        sizes=({"h": 4, "w": 6},),
        kinds=("ordinary",),
    )


def indices(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(sizes.rows) for _ in range(sizes.m)]


def table(t: Any, v: Any) -> Any:
    at = (v.u + 2).clamp(0, v.n - 1)
    k = at.detach().long().clamp(max=v.n - 2)
    return t.lerp(v.x[k], v.x[k + 1], at - k)


def columns(draw: Draw, sizes: Any) -> list[int]:
    return [draw.below(sizes.n) for _ in range(sizes.rows * sizes.n)]


PRODUCT = ({"rows": 3, "n": 6, "m": 5},)
MATRICES = {"a": "rows n", "b": "n m"}
LOOKED_UP = {"x": "rows n"}
TABLE = ({"rows": 4, "n": 8, "m": 6},)

OPERATIONS = (
    Operation(
        "grid_sample",
        lambda t, v: sampled(t, v, padding_mode="zeros", align_corners=True),
        (Kernel("sample", grid=1),),
        inputs=SAMPLED,
        sizes=(TO,),
        kinds=SAMPLES,
    ),
    Operation(
        "grid_sample_border",
        lambda t, v: sampled(t, v, padding_mode="border", align_corners=False),
        (Kernel("sample_border", grid=1, type="f8"),),
        inputs=SAMPLED,
        sizes=({"h": 4, "w": 4, "n": 12},),
        kinds=SAMPLES,
    ),
    Operation(
        "table",
        table,
        (Kernel("table", grid=1),),
        inputs={"x": "n", "u": "m"},
        sizes=({"n": 5, "m": 12},),
        kinds=("ordinary", "x=ordinary,u=integers", "x=ones,u=halves"),
    ),
    resized("interpolate_nearest", "upsample_nearest", mode="nearest"),
    resized("interpolate_bilinear", "upsample_bilinear", mode="bilinear", align_corners=False),
    Operation(
        "pixel_shuffle",
        lambda t, v: t.nn.functional.pixel_shuffle(v.x, 2),
        (Kernel("pixel_shuffle"),),
        inputs={"x": "4 h w"},
        sizes=({"h": 3, "w": 4},),
        kinds=("ordinary",),
    ),
    of_row("roll", lambda t, v: v.x.roll(v.by), "rolled", by=7),
    of_row("flip", lambda t, v: v.x.flip(0), "flipped"),
    of_row(
        "pad_reflect", lambda t, v: t.nn.functional.pad(v.x[None], (v.by, v.by), mode="reflect")[0], "reflected", by=4
    ),
    of_row(
        "pad_replicate",
        lambda t, v: t.nn.functional.pad(v.x[None], (v.by, v.by), mode="replicate")[0],
        "replicated",
        type="f8",
        by=4,
    ),
    Operation(
        "transpose",
        lambda t, v: v.x.T,
        (Kernel("transposed", grid=1, block=(8, 8)),),
        sizes=({"rows": 5, "n": 7},),
        kinds=("ordinary",),
    ),
    Operation(
        "conv1d",
        lambda t, v: t.nn.functional.conv1d(v.x[None, None], v.w[None, None], padding=v.k // 2)[0, 0],
        (Kernel("conv1d", grid=1),),
        inputs={"x": "n", "w": "k"},
        sizes=({"n": 23, "k": 5},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "conv2d",
        lambda t, v: t.nn.functional.conv2d(v.x[None, None], v.k[None, None], padding=1)[0, 0],
        (
            Kernel("conv2d<float>", grid=1, block=(8, 8)),
            Kernel("conv2d<double>", grid=1, block=(8, 8), type="f8"),
            Kernel("conv2d<__half>", grid=1, block=(8, 8), type="f2"),
        ),
        inputs={"x": "h w", "k": "3 3"},
        sizes=({"h": 5, "w": 7},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "matmul",
        lambda t, v: v.a @ v.b,
        (Kernel("matmul_tiled", grid=(2, 1), block=(4, 4)), Kernel("matmul_half", grid=1, block=(8, 4), type="f2")),
        inputs=MATRICES,
        sizes=PRODUCT,
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "linear_relu",
        lambda t, v: (v.a @ v.b).relu(),
        (Kernel("linear_relu", grid=1, block=(8, 4)),),
        inputs=MATRICES,
        sizes=PRODUCT,
        kinds=("ordinary", "ties", "zeros"),
    ),
    Operation(
        "outer",
        lambda t, v: t.outer(v.a, v.b),
        (Kernel("outer", grid=2),),
        inputs={"a": "rows", "b": "n"},
        sizes=({"rows": 6, "n": 7},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "dot",
        lambda t, v: (v.a @ v.b).reshape(1),
        (Kernel("dot", grid=1),),
        inputs={"a": "n", "b": "n"},
        sizes=({"n": 44},),
        kinds=("ordinary", "zeros"),
    ),
    Operation(
        "embedding",
        lambda t, v: t.nn.functional.embedding(v.index, v.x),
        (Kernel("embedding"), Kernel("embedding_float4", grid=1)),
        inputs=LOOKED_UP,
        integers={"index": indices},
        sizes=TABLE,
        kinds=("ordinary",),
    ),
    Operation(
        "embedding_bag_max",
        lambda t, v: v.x[v.index].reshape(v.m // 3, 3, v.n).amax(1),
        (Kernel("embedding_bag", grid=1),),
        inputs=LOOKED_UP,
        integers={"index": indices},
        sizes=TABLE,
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "scatter_add",
        lambda t, v: t.zeros(5, dtype=v.x.dtype).scatter_add(0, v.index, v.x),
        (Kernel("scatter_add", grid=1),),
        inputs={"x": "n"},
        integers={"index": lambda draw, sizes: [0, 4, *(draw.below(5) for _ in range(sizes.n - 2))]},
        sizes=({"n": 23},),
        kinds=("ordinary",),
    ),
    Operation(
        "gather",
        lambda t, v: v.x.gather(1, v.index.reshape(v.rows, v.n)),
        (Kernel("gathered", grid="rows", type="f8"),),
        integers={"index": columns},
        sizes=({"rows": 3, "n": 9},),
        kinds=("ordinary",),
    ),
    Operation(
        "segment_max",
        lambda t, v: t.stack([v.x[v.start[k] : v.start[k + 1]].amax() for k in range(v.m)]),
        (Kernel("segment_max", grid=1),),
        inputs={"x": "n"},
        integers={"start": lambda draw, sizes: [0, 1, 5, 12, 14, sizes.n]},
        sizes=({"n": 20, "m": 5},),
        kinds=("ordinary", "zeros", "ties"),
    ),
)
