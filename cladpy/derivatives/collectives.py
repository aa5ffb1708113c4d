"""Warp intrinsics: what lanes of a warp compute together.

A shuffle gives a lane the value of another one, so that an adjoint goes back to the lane that was read. The others give
integers, and no derivative passes through them.
"""

from __future__ import annotations

# With the name of the adjoint of each in <cladpy/warp.h>; `_of_any` is added where lanes do not agree on what they ask.
SHUFFLES: dict[str, str] = {
    "__shfl_sync": "cladpy::shfl_adjoint",
    "__shfl_up_sync": "cladpy::shfl_up_adjoint",
    "__shfl_down_sync": "cladpy::shfl_down_adjoint",
    "__shfl_xor_sync": "cladpy::shfl_xor_adjoint",
}
# These give one result to all lanes of the mask.
AGREEING: frozenset[str] = frozenset(
    ["__ballot_sync", "__any_sync", "__all_sync", "__uni_sync", "__match_all_sync"]
    + [f"__reduce_{operation}_sync" for operation in ("add", "min", "max", "and", "or", "xor")]
)
COLLECTIVES: frozenset[str] = frozenset(SHUFFLES) | AGREEING | {"__match_any_sync", "__activemask", "__syncwarp"}

# What they were called before lanes had to be named; CUDA 13 has them no more.
WITHOUT_MASK: frozenset[str] = frozenset(
    ["__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all", "__match_any", "__match_all"]
)


def passes_numbers(name: str) -> bool:
    """Whether the result is a number among the operands, or made of them: not a vote, nor which lanes agree."""
    return name in SHUFFLES or name.startswith("__reduce_")


def is_repeatable(name: str) -> bool:
    """Whether the lanes that ran it get the same result when they run it again."""
    return name != "__activemask"
