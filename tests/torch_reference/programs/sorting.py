"""What sorting.cu computes."""

from __future__ import annotations

from tests.torch_reference.operation import Kernel, Operation

EIGHT = ({"rows": 4, "n": 8},)
LONG = ({"rows": 3, "n": 13},)
KINDS = ("ordinary", "zeros", "signed", "ties", "equal", "duplicates")

OPERATIONS = (
    Operation(
        "sort",
        lambda t, v: v.x.sort(-1).values,
        (
            Kernel("transposition", grid=1),
            Kernel("transposition_swaps", grid=1, type="f8"),
            Kernel("bitonic", grid="rows", block=8),
            Kernel("bitonic_lanes", grid=1, block=32),
            Kernel("insertion", grid=1),
            Kernel("by_rank", grid="rows", block=8),
        ),
        sizes=EIGHT,
        kinds=KINDS,
    ),
    Operation(
        "top_3",
        lambda t, v: v.x.topk(3, -1).values,
        (Kernel("top_three", grid=1), Kernel("top_three_network", grid=1)),
        sizes=LONG,
        kinds=KINDS,
    ),
    Operation(
        "top_2", lambda t, v: v.x.topk(2, -1).values, (Kernel("top_two_warp", grid="rows"),), sizes=LONG, kinds=KINDS
    ),
    Operation(
        "margin",
        lambda t, v: v.x.topk(2, -1).values[:, 0] - v.x.topk(2, -1).values[:, 1],
        (Kernel("margin", grid=1),),
        sizes=LONG,
        kinds=KINDS,
    ),
    Operation(
        "median",
        lambda t, v: v.x.median(-1).values,
        (Kernel("median_of_three", grid=1),),
        sizes=({"rows": 12, "n": 3},),
        kinds=KINDS,
    ),
    Operation(
        "median_filter",
        lambda t, v: v.x.unfold(0, 5, 1).median(-1).values,
        (Kernel("median_filter", grid=1),),
        inputs={"x": "n"},
        sizes=({"n": 20},),
        kinds=("ordinary", "zeros", "ties"),
    ),
    Operation(
        "ordered_average",
        lambda t, v: (v.x.sort(-1).values * t.arange(1, v.n + 1)).sum(-1),
        (Kernel("ordered_average", grid=1, type="f8"),),
        sizes=EIGHT,
        kinds=KINDS,
    ),
)
