"""The order in which the host backend runs threads: one order hides what another shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from cladpy.diagnostics import UsageError

ORDERS = {"forward": 0, "reverse": 1, "random": 2}

_current: ContextVar[tuple[int, int]] = ContextVar("cladpy_host_order", default=(0, 0))


@contextmanager
def host_order(order: str, seed: int = 0) -> Iterator[None]:
    """Within the `with`, blocks and threads run "forward", in "reverse", or at "random" (anew after each barrier;
    then blocks find NaN in shared memory that they have not written to).

    Raises UsageError for another word.
    """
    if order not in ORDERS:
        raise UsageError(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
    token = _current.set((ORDERS[order], seed & (1 << 64) - 1))
    try:
        yield
    finally:
        _current.reset(token)


def current_order() -> tuple[int, int]:
    """The order's number and the seed, as `cladpy_host_configure` takes them."""
    return _current.get()
