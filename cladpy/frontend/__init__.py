"""Stage 1: CUDA C++ to the surface grammar, through libclang.

`parse(source, function, options, sink)` gives a `surface.Program`: the function, all that it reaches, and what the
later stages must know about the file (includes, launches, custom derivatives). What is not supported goes to the sink,
all of it in one run; then `parse` raises DifferentiationError.
"""

from __future__ import annotations

from cladpy.frontend.parse import parse

__all__ = ["parse"]
