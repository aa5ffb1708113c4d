"""Stage 7: emitted text to a shared library, by the host's C++ compiler or nvcc, through a cache.

Takes the text of a `Derivative` with an entry (`unit`), gives the path of a library that `runtime` loads. Raises
ToolchainError where a compiler is missing or fails; its text holds the compiler's output.
"""

from __future__ import annotations

from cladpy.toolchain.cuda import compile_cuda
from cladpy.toolchain.host import compile_host

__all__ = ["compile_cuda", "compile_host"]
