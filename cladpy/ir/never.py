"""`assert_never` for Python 3.10, where `typing` does not have it yet."""

from __future__ import annotations

from typing import NoReturn


def assert_never(value: NoReturn) -> NoReturn:
    """Stands where a `match` over a closed set has no cases left; the type checker proves that."""
    raise AssertionError(f"not handled: {value!r}")
