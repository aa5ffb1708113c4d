"""The book of known functions: what each is that cladpy knows by its name, whichever stage asks.

A function has one row, in the table of its room: `threads` (barriers, fences, atomics), `warp`, `effects`, `bits`,
`library`, `host_runtime`. The class of a row says what the function is, and its fields all that stages have to know.
Functions of numbers have their rows in `derivatives`, with their partials. No partial is here, so that the oracle may
read this too.
"""

from __future__ import annotations

from cladpy.known import bits, effects, host_runtime, library, threads, warp
from cladpy.known.rows import (
    Address,
    Allocation,
    Atomic,
    Barrier,
    Bits,
    CachedLoad,
    CachedStore,
    Clock,
    Collective,
    Constant,
    Copy,
    Effect,
    Ending,
    Fence,
    Fill,
    Forwarding,
    Gives,
    Handle,
    HostCall,
    Ignored,
    Known,
    Mirrors,
    Move,
    Operation,
    Pitched,
    Query,
    Release,
    Rows,
    Setting,
    Silent,
    Standard,
    SymbolAddress,
    SymbolCopy,
    Time,
    Transparent,
)

BOOK: tuple[Known, ...] = (
    *threads.ROWS,
    *warp.ROWS,
    *effects.ROWS,
    *bits.ROWS,
    *library.ROWS,
    *host_runtime.ROWS,
)
_BY_NAME = {row.name: row for row in BOOK}


def of(name: str) -> Known | None:
    """The row of a function, by its name without namespaces; whether it is the user's own is for the caller to ask."""
    return _BY_NAME.get(name)


def operation(name: str) -> Operation | None:
    """What a function does if it is atomic."""
    row = _BY_NAME.get(name)
    return row.operation if isinstance(row, Atomic) else None


def collective(name: str) -> Collective:
    """The row of what is known to be one."""
    row = _BY_NAME[name]
    assert isinstance(row, Collective)
    return row


__all__ = [
    "BOOK",
    "Address",
    "Allocation",
    "Atomic",
    "Barrier",
    "Bits",
    "CachedLoad",
    "CachedStore",
    "Clock",
    "Collective",
    "Constant",
    "Copy",
    "Effect",
    "Ending",
    "Fence",
    "Fill",
    "Forwarding",
    "Gives",
    "Handle",
    "HostCall",
    "Ignored",
    "Known",
    "Mirrors",
    "Move",
    "Operation",
    "Pitched",
    "Query",
    "Release",
    "Rows",
    "Setting",
    "Silent",
    "Standard",
    "SymbolAddress",
    "SymbolCopy",
    "Time",
    "Transparent",
    "collective",
    "of",
    "operation",
]
