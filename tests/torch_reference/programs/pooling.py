"""What pooling.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.operation import Kernel, Operation

PLANE = ({"h": 6, "w": 8},)
KINDS = ("ordinary", "zeros", "signed", "ties", "tiny")
WINDOWS = ({"rows": 2, "n": 17, "m": 8},)


def of_plane(name: str, function: Callable[..., Any], *kernels: Kernel, kinds: tuple[str, ...] = KINDS) -> Operation:
    return Operation(
        name,
        lambda t, v: function(t.nn.functional, v.x[None, None])[0, 0],
        kernels,
        inputs={"x": "h w"},
        sizes=PLANE,
        kinds=kinds,
    )


def adaptive(name: str, largest: str) -> Operation:
    return Operation(
        f"adaptive_{name}_pool1d",
        lambda t, v: getattr(t.nn.functional, f"adaptive_{name}_pool1d")(v.x[None], v.m)[0],
        (Kernel(f"adaptive<{largest}>", grid=1),),
        sizes=({"rows": 2, "n": 11, "m": 4},),
        kinds=("ordinary", "zeros", "ties"),
    )


OPERATIONS = (
    Operation(
        "max_pool1d",
        lambda t, v: t.nn.functional.max_pool1d(v.x[None], 3, 2)[0],
        (Kernel("max_pool_row", grid=1), Kernel("max_pool_row_place", grid=1)),
        sizes=WINDOWS,
        kinds=KINDS,
    ),
    of_plane(
        "max_pool2d",
        lambda f, x: f.max_pool2d(x, 2),
        Kernel("max_pool", grid=1, block=(8, 4)),
        Kernel("max_pool_chosen", grid=1, block=(8, 4), type="f8"),
        Kernel("max_pool_half2", grid=1, block=(8, 4), type="f2"),
    ),
    of_plane(
        "max_pool2d_overlapping",
        lambda f, x: f.max_pool2d(x, 3, 1, padding=1),
        Kernel("max_pool_overlapping", grid=1, block=(10, 10)),
    ),
    of_plane(
        "avg_pool2d",
        lambda f, x: f.avg_pool2d(x, 2),
        Kernel("avg_pool", grid=1, block=(8, 4)),
        kinds=("ordinary", "zeros"),
    ),
    of_plane(
        "avg_pool2d_counted",
        lambda f, x: f.avg_pool2d(x, 3, 1, padding=1, count_include_pad=False),
        Kernel("avg_pool_counted", grid=1, block=(8, 8)),
        kinds=("ordinary", "zeros"),
    ),
    of_plane(
        "lp_pool2d",
        lambda f, x: f.avg_pool2d(x.square(), 2).mul(4).sqrt(),
        Kernel("lp_pool", grid=1, block=(8, 4)),
        kinds=("ordinary", "ones", "ties"),
    ),
    adaptive("max", "true"),
    adaptive("avg", "false"),
    of_plane(
        "global_max_pool",
        lambda f, x: f.adaptive_max_pool2d(x, 1),
        Kernel("global_max_pool", grid=1, block=64),
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "dilation",
        lambda t, v: (v.x.unfold(0, v.k, 1) + v.w).amax(-1),
        (Kernel("dilation", grid=1),),
        inputs={"x": "n", "w": "k"},
        sizes=({"n": 20, "k": 5},),
        kinds=("ordinary", "zeros", "ties"),
    ),
)
