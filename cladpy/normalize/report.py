"""Refusals: what cannot be normalised is reported, and the statement that it stands in abandoned."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Sink, Span
from cladpy.ir import surface as s


class Abandon(Exception):
    """The statement being normalised cannot be supported; a diagnostic has been reported."""


@dataclass(frozen=True, slots=True)
class Report:
    sink: Sink

    def refuse(self, code: str, message: str, span: Span, hint: str | None = None) -> Abandon:
        self.sink.error(code, message, span, hint=hint)
        return Abandon()

    def unsupported(self, expr: s.Unsupported) -> Abandon:
        """What the front end could not read, now that the program comes to it."""
        self.sink.error(expr.code, expr.message, expr.span, notes=expr.notes, hint=expr.hint)
        return Abandon()
