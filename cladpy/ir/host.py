"""What host functions do with memory, as calls in the core grammar: each is a function of the host program's run-time
state, and the reverse sweep knows another one for it."""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import INT, LONG, ULONG, VOID, Pointer, Type


def _step(name: str, *parameters: Type) -> FunctionSymbol:
    return FunctionSymbol(name, f"cladpy::program::{name}", VOID, parameters, FunctionKind.HOST, NOWHERE, True)


_MEMORY = Pointer(VOID)

# copy(to, from, bytes), copy_rows(to, pitch, from, pitch, bytes of a row, rows)
COPY = _step("copy", _MEMORY, _MEMORY, ULONG)
COPY_ROWS = _step("copy_rows", _MEMORY, ULONG, _MEMORY, ULONG, ULONG, ULONG)
# fill(memory, byte, bytes), fill_rows(memory, pitch, byte, bytes of a row, rows)
FILL = _step("fill", _MEMORY, INT, ULONG)
FILL_ROWS = _step("fill_rows", _MEMORY, ULONG, INT, ULONG, ULONG)
# fetch(memory) gives the number that lies there, put(memory, number) replaces it; the host cannot reach it itself.
FETCH = _step("fetch", _MEMORY)
PUT = _step("put", _MEMORY, VOID)

# mirrors(one, other, elements, when): see normalize/mirrors.py, after which it is there no longer
MIRRORS = _step("mirrors", _MEMORY, _MEMORY, LONG, INT)

STEPS = frozenset({COPY, COPY_ROWS, FILL, FILL_ROWS, FETCH, PUT})
