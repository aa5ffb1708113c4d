"""How the host backend runs threads: by workers, on all cores, or one at a time in an order, since one order hides what
another shows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from cladpy.diagnostics import UsageError
from cladpy.runtime.guards import are_guarding
from cladpy.runtime.host_runtime import is_watching_runtime

ORDERS = {"forward": 0, "reverse": 1, "random": 2}

_current: ContextVar[tuple[int, int] | None] = ContextVar("cladpy_host_order", default=None)


@contextmanager
def host_order(order: str, seed: int = 0) -> Iterator[None]:
    """Within the `with`, blocks and threads run "forward", in "reverse", or at "random" (anew after each barrier;
    then blocks find NaN in shared memory that they have not written to), on one thread of the operating system.

    Raises UsageError for another word.
    """
    if order not in ORDERS:
        raise UsageError(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
    token = _current.set((ORDERS[order], seed & (1 << 64) - 1))
    try:
        yield
    finally:
        _current.reset(token)


_workers: ContextVar[bool | None] = ContextVar("cladpy_host_workers", default=None)


@contextmanager
def host_workers(workers: bool) -> Iterator[None]:
    """Within the `with`, workers run the blocks, whatever else asks for an order; or they do not. Variables at
    namespace scope are others in the two."""
    token = _workers.set(workers)
    try:
        yield
    finally:
        _workers.reset(token)


def chosen_workers() -> bool | None:
    """What `host_workers` says; else False where the environment variable CLADPY_HOST_FIBERS is set."""
    chosen = _workers.get()
    if chosen is None and os.environ.get("CLADPY_HOST_FIBERS", "") not in ("", "0"):
        return False
    return chosen


def current_order() -> tuple[int, int] | None:
    """The order's number and the seed, as `cladpy_host_configure` takes them; None where no order was asked for."""
    return _current.get()


def by_workers() -> bool:
    """Whether blocks run on all cores: not where an order is asked for, or where memory or the CUDA runtime is watched,
    unless that was chosen."""
    return chosen_workers() is not False and still_by_workers()


def still_by_workers() -> bool:
    """The same for a launch that was made so before; the environment, which takes long to ask, is not asked again."""
    chosen = _workers.get()
    if chosen is not None:
        return chosen
    return _current.get() is None and not are_guarding() and not is_watching_runtime()
