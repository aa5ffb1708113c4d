"""The calls by which host code handles memory: what CUDA's runtime and C's library have for it."""

from __future__ import annotations

from cladpy.ir import core

# What allocates: where, which argument is set to the pointer (none: it is returned), which are multiplied for the size.
ALLOCATIONS: dict[str, tuple[core.Side, int | None, tuple[int, ...]]] = {
    "cudaMalloc": (core.Side.DEVICE, 0, (1,)),
    "cudaMallocAsync": (core.Side.DEVICE, 0, (1,)),
    "cudaMallocManaged": (core.Side.MANAGED, 0, (1,)),
    "cudaMallocHost": (core.Side.PINNED, 0, (1,)),
    "cudaHostAlloc": (core.Side.PINNED, 0, (1,)),
    "malloc": (core.Side.HOST, None, (0,)),
    "calloc": (core.Side.HOST, None, (0, 1)),
    "aligned_alloc": (core.Side.HOST, None, (1,)),
    "realloc": (core.Side.HOST, None, (1,)),
}
RELEASES = frozenset({"cudaFree", "cudaFreeAsync", "cudaFreeHost", "free"})
COPIES = frozenset({"cudaMemcpy", "cudaMemcpyAsync", "memcpy", "memmove"})
FILLS = frozenset({"cudaMemset", "cudaMemsetAsync", "memset"})
# What only orders or asks: the gradient orders its own steps, and has no use for the answers.
SILENT = frozenset(
    {
        "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaGetLastError",
        "cudaPeekAtLastError", "cudaDeviceReset", "cudaSetDevice", "cudaFuncSetAttribute", "cudaFuncSetCacheConfig",
        "cudaMemPrefetchAsync", "cudaMemAdvise", "cudaDeviceSetLimit", "cudaDeviceSetCacheConfig",
        "cudaThreadSynchronize", "cudaHostRegister", "cudaHostUnregister", "cudaDeviceEnablePeerAccess",
        "cudaStreamAttachMemAsync", "cudaFuncSetSharedMemConfig", "cudaDeviceSetSharedMemConfig",
        "cudaStreamDestroy", "cudaEventDestroy", "cudaEventRecord", "cudaStreamWaitEvent", "cudaEventQuery",
        "cudaStreamQuery", "cudaProfilerStart", "cudaProfilerStop",
    }
)  # fmt: skip
# Of pitched memory, row by row.
ROWS = frozenset({"cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMemset2D", "cudaMemset2DAsync"})

# To and from variables of the device, and what asks for their address.
SYMBOLS = frozenset(
    {"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"}
)
LOCATES = frozenset({"cudaGetSymbolAddress"})
# Memory of rows, whose distance the call gives: arguments are where pointer and distance go, a row's bytes, and rows.
PITCHED = frozenset({"cudaMallocPitch"})
PITCH = 512
# What a call sets: streams and events that a function makes are the default stream in its gradient, and no event.
HANDLES: dict[str, tuple[tuple[int, int], ...]] = {
    "cudaStreamCreate": ((0, 0),),
    "cudaStreamCreateWithFlags": ((0, 0),),
    "cudaStreamCreateWithPriority": ((0, 0),),
    "cudaEventCreate": ((0, 0),),
    "cudaEventCreateWithFlags": ((0, 0),),
    "cudaEventElapsedTime": ((0, 0),),
    "cudaGetDevice": ((0, 0),),
    "cudaGetDeviceCount": ((0, 1),),
}

KNOWN = frozenset(ALLOCATIONS).union(PITCHED, SYMBOLS, LOCATES, HANDLES, RELEASES, COPIES, FILLS, SILENT, ROWS)
