"""Stage 7: emitted text to a shared library, by the host's C++ compiler, nvcc or hipcc, through a cache.

Takes the text of a `Derivative` with an entry (`unit`), gives the path of a library that `runtime` loads. Raises
ToolchainError where a compiler is missing or fails; its text holds the compiler's output, or what that says of the
user's files.
"""

from __future__ import annotations

from cladpy.toolchain.cuda import compile_cuda
from cladpy.toolchain.hip import compile_hip
from cladpy.toolchain.host import compile_host

__all__ = ["compile_cuda", "compile_hip", "compile_host"]
