"""Room for deep recursion: programs may nest as deeply as clang accepts, thousands of levels."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_DEPTH = 150_000
_STACK = 256 << 20  # reserved, not used, unless a program needs it


def run_deep(work: Callable[[], T], too_deep: Callable[[], Exception] | None = None) -> T:
    """Calls `work` where recursion may go `_DEPTH` frames deep, and gives or raises what it gives or raises.

    Beyond that depth what `too_deep` gives is raised, or RecursionError where there is none.
    """
    limit = sys.getrecursionlimit()
    if limit >= _DEPTH:
        return work()  # inside another run_deep
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        collecting = gc.isenabled()
        gc.disable()  # a representation is millions of objects that all live until the end
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)
        finally:
            if collecting:
                gc.enable()

    stack = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=run, name="cladpy")
        sys.setrecursionlimit(_DEPTH)
        thread.start()
    finally:
        threading.stack_size(stack)
    try:
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    if failures:
        if isinstance(failures[0], RecursionError) and too_deep is not None:
            raise too_deep() from None
        raise failures[0]
    return results[0]
