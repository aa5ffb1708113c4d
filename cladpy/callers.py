"""Whose line a warning is of."""

from __future__ import annotations

import inspect


def level_of_caller() -> int:
    """The `stacklevel` of a warning that the caller of this gives: that of the line which has called cladpy, whatever
    of ours is between. How many frames that is differs between versions of Python."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("cladpy", "contextlib"):
        level, frame = level + 1, frame.f_back
    return level
