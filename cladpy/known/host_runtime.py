"""The calls by which host code handles memory, and asks about the device: of CUDA's runtime and of C's library."""

from __future__ import annotations

from cladpy.ir.core import Side
from cladpy.known.rows import (
    Allocation,
    Copy,
    Fill,
    Handle,
    Known,
    Mirrors,
    Pitched,
    Query,
    Release,
    Rows,
    Silent,
    SymbolAddress,
    SymbolCopy,
)

_SILENT = """
    cudaDeviceSynchronize cudaStreamSynchronize cudaEventSynchronize cudaGetLastError cudaPeekAtLastError
    cudaDeviceReset cudaSetDevice cudaFuncSetAttribute cudaFuncSetCacheConfig cudaMemPrefetchAsync cudaMemAdvise
    cudaDeviceSetLimit cudaDeviceSetCacheConfig cudaThreadSynchronize cudaHostRegister cudaHostUnregister
    cudaDeviceEnablePeerAccess cudaStreamAttachMemAsync cudaFuncSetSharedMemConfig cudaDeviceSetSharedMemConfig
    cudaStreamDestroy cudaEventDestroy cudaEventRecord cudaStreamWaitEvent cudaEventQuery cudaStreamQuery
    cudaProfilerStart cudaProfilerStop cudaMemPoolSetAttribute cudaMemPoolTrimTo
"""

ROWS: tuple[Known, ...] = (
    Allocation("cudaMalloc", Side.DEVICE, 0, (1,)),
    Allocation("cudaMallocAsync", Side.DEVICE, 0, (1,)),
    Allocation("cudaMallocFromPoolAsync", Side.DEVICE, 0, (1,)),
    Allocation("cudaMallocManaged", Side.MANAGED, 0, (1,)),
    Allocation("cudaMallocHost", Side.PINNED, 0, (1,)),
    Allocation("cudaHostAlloc", Side.PINNED, 0, (1,)),
    Allocation("malloc", Side.HOST, None, (0,)),
    Allocation("calloc", Side.HOST, None, (0, 1), zeroed=True),
    Allocation("aligned_alloc", Side.HOST, None, (1,)),
    Allocation("posix_memalign", Side.HOST, 0, (2,)),
    Allocation("realloc", Side.HOST, None, (1,), grows=True),
    Pitched("cudaMallocPitch", 512),
    *map(Release, ("cudaFree", "cudaFreeAsync", "cudaFreeHost", "free")),
    Copy("cudaMemcpy"),
    Copy("cudaMemcpyAsync"),
    Copy("memcpy", in_kernels=True),
    Copy("memmove"),
    *map(Fill, ("cudaMemset", "cudaMemsetAsync")),
    Fill("memset", in_kernels=True),
    Rows("cudaMemcpy2D", copied=True, has_stream=False),
    Rows("cudaMemcpy2DAsync", copied=True, has_stream=True),
    Rows("cudaMemset2D", copied=False, has_stream=False),
    Rows("cudaMemset2DAsync", copied=False, has_stream=True),
    SymbolCopy("cudaMemcpyToSymbol", inwards=True),
    SymbolCopy("cudaMemcpyToSymbolAsync", inwards=True),
    SymbolCopy("cudaMemcpyFromSymbol", inwards=False),
    SymbolCopy("cudaMemcpyFromSymbolAsync", inwards=False),
    SymbolAddress("cudaGetSymbolAddress"),
    Mirrors("cladpy_mirrors"),
    Handle("cublasCreate"),
    Handle("cublasLtCreate"),
    Handle("cudaStreamCreate"),
    Handle("cudaStreamCreateWithFlags"),
    Handle("cudaStreamCreateWithPriority"),
    Handle("cudaDeviceGetDefaultMemPool"),
    Handle("cudaDeviceGetMemPool"),
    Handle("cudaEventCreate"),
    Handle("cudaEventCreateWithFlags"),
    Handle("cudaEventElapsedTime"),
    Handle("cudaGetDevice"),
    Handle("cudaGetDeviceCount", 1),
    *map(Silent, _SILENT.split()),
    *map(Query, ("cudaDeviceGetAttribute", "cudaGetDeviceProperties", "cudaGetDeviceProperties_v2", "cudaMemGetInfo")),
)
