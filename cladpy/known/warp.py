"""Warp intrinsics: what lanes of a warp compute together.

A shuffle gives a lane the value of another one, so that an adjoint goes back to the lane that was read. Most others
give integers, and no derivative passes through them.
"""

from __future__ import annotations

from cladpy.known.rows import Collective, Gives, Known

ROWS: tuple[Known, ...] = (
    Collective("__shfl_sync", Gives.NUMBER, "cladpy::shfl_adjoint"),
    Collective("__shfl_up_sync", Gives.NUMBER, "cladpy::shfl_up_adjoint"),
    Collective("__shfl_down_sync", Gives.NUMBER, "cladpy::shfl_down_adjoint"),
    Collective("__shfl_xor_sync", Gives.NUMBER, "cladpy::shfl_xor_adjoint", mutual=True),
    Collective("__reduce_add_sync", Gives.COMBINED, "cladpy::warp_sum", agreed=True),
    *(Collective(f"__reduce_{name}_sync", Gives.COMBINED, agreed=True) for name in ("min", "max", "and", "or", "xor")),
    Collective("__ballot_sync", Gives.FACT, agreed=True),
    Collective("__any_sync", Gives.FACT, agreed=True),
    Collective("__all_sync", Gives.FACT, agreed=True),
    Collective("__uni_sync", Gives.FACT, agreed=True),
    Collective("__match_all_sync", Gives.FACT, agreed=True),
    Collective("__match_any_sync", Gives.FACT),
    Collective("__activemask", Gives.FACT, repeatable=False),
    Collective("__syncwarp", Gives.NOTHING),
)
