"""Arithmetic that decides nothing where it stands may be contracted.

What decides goes through functions that compilers leave alone. Elsewhere products and sums are written as such: they
may become fused multiply-adds, and are the same expressions as those of the partials.
"""

from __future__ import annotations

from cladpy.ir import code
from cladpy.ir.exact import inexactly
from cladpy.passes.deciding import relaxed


def with_contractions(block: code.Block) -> code.Block:
    """The body of a kernel's gradient, complete."""
    return relaxed(block, inexactly)
