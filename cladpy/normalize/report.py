"""Refusals: what cannot be normalised is reported, and the statement that it stands in abandoned."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import Sink, Span
from cladpy.edits import Edit
from cladpy.ir import surface as s

_DIRECTIVE = r"#[ \t]*pragma[ \t]+(?:omp|acc)\b[^\\]*$"


class Abandon(Exception):
    """The statement being normalised cannot be supported; a diagnostic has been reported."""


@dataclass(frozen=True, slots=True)
class Report:
    sink: Sink

    def refuse(
        self, code: str, message: str, span: Span, hint: str | None = None, patch: tuple[Edit, ...] = ()
    ) -> Abandon:
        self.sink.error(code, message, span, hint=hint, patch=patch)
        return Abandon()

    def unsupported(self, expr: s.Unsupported) -> Abandon:
        """What the front end could not read, now that the program comes to it."""
        patch = expr.patch or self.sink.follows(expr.directive, _DIRECTIVE, "")
        self.sink.error(expr.code, expr.message, expr.span, notes=expr.notes, hint=expr.hint, patch=patch)
        return Abandon()
