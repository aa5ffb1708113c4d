"""What reductions.cu computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.torch_reference.operation import Kernel, Operation, variants

ROWS = ({"rows": 3, "n": 20},)
SHORT = ({"rows": 3, "n": 9},)
KINDS = ("ordinary", "zeros", "signed", "ties", "equal", "duplicates", "tiny")


def extrema(name: str, *ops: str) -> tuple[Kernel, ...]:
    made: list[Kernel] = []
    for op in ops:
        made += [
            Kernel(f"extremum_thread<{op}>", grid=1),
            Kernel(f"extremum_warp<{op}>", grid="rows"),
            Kernel(f"extremum_down<{op}>", grid="rows"),
            Kernel(f"extremum_tree<{op}>", grid="rows", shared_mem=128),
        ]
    return (*made, Kernel(f"{name}_groups", grid="rows"))


def of_rows(
    name: str, function: Callable[..., Any], *kernels: Kernel, kinds: tuple[str, ...] = KINDS, short: bool = False
) -> Operation:
    return Operation(name, lambda t, v: function(t, v.x), kernels, sizes=SHORT if short else ROWS, kinds=kinds)


SOME = ("ordinary", "zeros", "ties")
PRODUCTS = ("ordinary", "ones", "zeros", "some_zeros", "ties")
BY_THREAD, BY_ROW = Kernel("", grid=1), Kernel("", grid="rows")

OPERATIONS = (
    of_rows(
        "amax",
        lambda t, x: x.amax(-1),
        *extrema("largest", "Fmax", "MaxChosen"),
        Kernel("largest_float4", grid="rows"),
        Kernel("largest_half2", grid="rows", type="f2"),
        Kernel("largest_with_place", grid="rows"),
        Kernel("largest_by_place", grid=1, type="f8"),
    ),
    of_rows("amin", lambda t, x: x.amin(-1), *extrema("smallest", "Fmin", "MinChosen")),
    of_rows("squared_amax", lambda t, x: x.amax(-1, keepdim=True) ** 2 - x, Kernel("squared_largest", grid="rows")),
    of_rows("reach", lambda t, x: x.amax(-1) - x.amin(-1), Kernel("reach", grid=1)),
    of_rows(
        "sum",
        lambda t, x: x.sum(-1),
        Kernel("sum_thread<float>", grid=1),
        Kernel("sum_thread<double>", grid=1, type="f8"),
        Kernel("sum_atomic", grid=2),
        Kernel("sum_half2", grid="rows", type="f2"),
        kinds=SOME,
    ),
    of_rows("mean", lambda t, x: x.mean(-1), Kernel("mean_block", grid="rows", block=64), kinds=SOME),
    of_rows(
        "prod",
        lambda t, x: x.prod(-1),
        Kernel("product_thread<float>", grid=1),
        Kernel("product_thread<double>", grid=1, type="f8"),
        *variants(BY_ROW, "product_warp", "product_tree"),
        kinds=PRODUCTS,
        short=True,
    ),
    of_rows(
        "cumsum",
        lambda t, x: x.cumsum(-1),
        Kernel("cumsum_thread<float>", grid=1),
        Kernel("cumsum_thread<double>", grid=1, type="f8"),
        Kernel("cumsum_warp", grid="rows"),
        kinds=SOME,
    ),
    of_rows(
        "cumprod",
        lambda t, x: x.cumprod(-1),
        Kernel("cumprod_thread", grid=1, type="f8"),
        Kernel("cumprod_block", grid="rows"),
        kinds=PRODUCTS,
        short=True,
    ),
    of_rows(
        "cummax",
        lambda t, x: x.cummax(-1).values,
        Kernel("cummax_thread", grid=1),
        Kernel("cummax_warp", grid="rows"),
        short=True,
    ),
    of_rows("cummin", lambda t, x: x.cummin(-1).values, Kernel("cummin_if", grid=1, type="f8"), short=True),
    of_rows(
        "logcumsumexp",
        lambda t, x: x.logcumsumexp(-1),
        Kernel("logcumsumexp_thread", grid=1, type="f8"),
        Kernel("logcumsumexp_warp", grid="rows"),
        Kernel("logcumsumexp_online", grid=1),
        short=True,
    ),
)
