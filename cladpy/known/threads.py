"""Barriers, fences and atomics."""

from __future__ import annotations

from cladpy.known.rows import Atomic, Barrier, Fence, Known, Operation

ROWS: tuple[Known, ...] = (
    Barrier("__syncthreads"),
    Barrier("__syncthreads_count"),
    Barrier("__syncthreads_and"),
    Barrier("__syncthreads_or"),
    Fence("__threadfence"),
    Fence("__threadfence_block"),
    Fence("__threadfence_cluster"),
    Fence("__threadfence_system"),
    *(
        Atomic(f"atomic{operation.value}{scope}", operation)
        for operation in Operation
        for scope in ("", "_block", "_system")
    ),
)
