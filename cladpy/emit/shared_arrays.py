"""The original's dynamic shared memory in a file for the host, which is linked without the host backend."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cladpy.quoting import literal

_MANGLED = "_Z"
_UNNAMED = "_GLOBAL__N_"


def shared_arrays(symbols: Iterable[str]) -> str:
    """Says what the arrays of these symbols are, once in a file that includes several units. The macro is that of
    <cladpy/host.h>."""
    lines = []
    for symbol in symbols:
        name = re.sub(r"\W", "_", symbol)
        named = symbol.removeprefix(_MANGLED) if symbol.startswith(_MANGLED) else f"{len(symbol)}{symbol}"
        given = f"cladpy_shared_{name}, {literal(symbol)}, {literal(f'{_MANGLED}TH{named}')}"
        guard = f"CLADPY_SHARED_{name}"
        lines += [f"#ifndef {guard}", f"#define {guard}", f"CLADPY_SHARED_ARRAY({given})"]
        if _UNNAMED in symbol:
            lines.append(f"CLADPY_UNNAMED_SHARED(cladpy_shared_{name})")
        lines.append("#endif")
    return "\n".join(lines)
