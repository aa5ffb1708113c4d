"""What callers give as a stream: a handle, or an object of PyCUDA, CuPy or PyTorch."""

from __future__ import annotations

from cladpy.diagnostics import ArgumentTypeError


def stream_handle(stream: object) -> int:
    """The handle of a stream: an int, or a stream of PyCUDA, CuPy, PyTorch or with __cuda_stream__; None is 0.

    Raises ArgumentTypeError for anything else.
    """
    if stream is None:
        return 0
    if isinstance(stream, int) and not isinstance(stream, bool):
        if stream < 0:
            raise ArgumentTypeError(f"stream: {stream} is not a handle")
        return stream
    handle = getattr(stream, "cuda_stream", None)  # PyTorch's, without a call
    if isinstance(handle, int):
        return handle
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        answer = protocol() if callable(protocol) else protocol
        return int(answer[1])
    for attribute in ("handle", "ptr"):
        handle = getattr(stream, attribute, None)
        if isinstance(handle, int):
            return handle
    raise ArgumentTypeError(f"stream: expected a stream or its handle, got an object of type {type(stream).__name__}")
