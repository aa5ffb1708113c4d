"""The function that is read in place of the one that was asked for: text of cladpy's own behind the file."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Instead:
    """Its text, and how it is asked for."""

    text: str
    request: str
    counts: tuple[tuple[int, int], ...] = ()  # the positions of a number of elements and of the pointer it belongs to
    calls: Span | None = None  # where what it calls stands, if that was asked for and is no function


class ReadInstead(Exception):
    """What was asked for is no function of its own, but can be called by one."""

    def __init__(self, instead: Instead) -> None:
        super().__init__(instead.request)
        self.instead = instead
