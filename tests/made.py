"""What rows of a table compile, compiled with that of the other rows of their file.

The rows of a file are run by one process, one after the other, so that they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import pytest

from tests import together

T = TypeVar("T")


def rows_of(table: str, cases: Iterable[Any]) -> list[Any]:
    """The parameters of a test."""
    return [pytest.param(case, id=case.id, marks=pytest.mark.xdist_group(f"{table}-{case.file}")) for case in cases]


class Made(Generic[T]):
    """What `make` gives for a row, after `parts` of it have been compiled with those of all rows of the file that are
    to be run; None where making it fails, for the row's own test to tell."""

    def __init__(
        self, request: pytest.FixtureRequest, make: Callable[[Any], T], parts: Callable[[T], Iterable[together.Part]]
    ) -> None:
        """For the tests of a module that use the fixture which makes this."""
        self._make, self._parts = make, parts
        self._cases: dict[str, list[Any]] = {}
        for item in request.session.items:
            inside = isinstance(item, pytest.Function) and item.getparent(pytest.Module) is request.node
            if inside and request.fixturename in item.fixturenames:
                case = item.callspec.params["case"]
                self._cases.setdefault(case.file, []).append(case)
        self._file = ""
        self._made: dict[str, T] = {}

    def of(self, case: Any) -> T | None:
        cases = self._cases[case.file]
        if len(cases) == 1:
            return None  # there is nothing to be compiled with
        if case.file != self._file:
            self._file, self._made = case.file, {}
            parts: list[together.Part] = []
            for one in cases:
                try:
                    made = self._make(one)
                    parts += self._parts(made)
                    self._made[one.id] = made
                except Exception:  # noqa: S112
                    continue
            together.compile_together(parts)
        return self._made.get(case.id)
