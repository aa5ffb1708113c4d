"""The sizes of elements, to the next power of two."""

from __future__ import annotations

import math
from typing import Any


def exponent(size: float) -> int | None:
    return math.frexp(size)[1] if size > 0 else None


def exponent_of(wanted: Any) -> int | None:
    """That of an element whose size is all that is stored of it: a number, or the larger end of a range."""
    if wanted is None:
        return None
    return exponent(max(abs(wanted[0]), abs(wanted[1])) if isinstance(wanted, list) else abs(wanted))
