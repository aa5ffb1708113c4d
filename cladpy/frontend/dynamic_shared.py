"""The dynamic shared memory that a program declares: what a host's linker looks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.lambdas import is_shared
from cladpy.frontend.libclang import Cursor

# As `__shared__`, and as the macros that stand for it.
_MAY_DECLARE = re.compile(rb"shared", re.IGNORECASE)


def dynamic_shared_arrays(unit: Cursor, texts: Iterable[bytes]) -> tuple[str, ...]:
    """The symbols of all `extern __shared__` arrays that the user's files declare, whether or not a kernel with one is
    differentiated: all that the files define is compiled. `texts` are these files."""
    if not any(map(_MAY_DECLARE.search, texts)):
        return ()
    found = (v.mangled_name for v in _variables(unit) if v.is_extern and is_shared(v))
    return tuple(sorted(set(filter(None, found))))


def _variables(unit: Cursor) -> Iterator[Cursor]:
    """The variables that the user's files declare, at any depth."""
    left = [child for child in unit.children() if not child.in_system_header]
    while left:
        cursor = left.pop()
        if cursor.kind == CursorKind.VAR_DECL:
            yield cursor
        left += cursor.children()
