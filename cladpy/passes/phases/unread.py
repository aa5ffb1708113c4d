"""Names that nothing reads any more."""

from __future__ import annotations

from collections.abc import Set

from cladpy.ir import code
from cladpy.ir.code_walk import defined
from cladpy.ir.core import Value
from cladpy.ir.flow import uses_in


def without_unread(block: code.Block, wanted: Set[Value] = frozenset()) -> code.Block:
    """A block without the definitions of its own that it does not read, and that are not `wanted` elsewhere."""
    read = wanted | uses_in(block).keys()
    kept = tuple(s for s in block if _is_no_name(s) or not read.isdisjoint(defined(s)))
    return kept if len(kept) == len(block) else without_unread(kept, wanted)


def _is_no_name(s: code.Statement) -> bool:
    return not isinstance(s, code.Define) or s.mutable or isinstance(s.init, code.LOADED)
