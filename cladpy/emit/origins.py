"""Which statements the lines of emitted text are of. A character at the end of a line says it until the file is laid
out: one for private use, which is no part of a word and no blank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir import code

_FIRST, _LAST = 0xF0000, 0x10FFFD  # planes 15 and 16

Statements = tuple[code.Statement, ...]


@dataclass(slots=True, eq=False)
class Origins:
    """The statements of one file: those that are written together, and, where these do not say what they come from,
    those around them that do."""

    marks: dict[Statements, str] = field(default_factory=dict)
    statements: dict[str, Statements] = field(default_factory=dict)

    def mark(self, lines: Iterable[str], statements: Statements) -> list[str]:
        """Lines of statements, in which there may be lines of others that have a mark."""
        return [self._marked(*divided(line), statements) for line in lines]

    def _marked(self, line: str, mark: str, statements: Statements) -> str:
        inner = self.statements.get(mark, ())
        if origin_of(inner) is not None:
            return line + mark
        both = (*inner, *statements)
        mark = self.marks.setdefault(both, chr(min(_FIRST + len(self.marks), _LAST)))
        self.statements.setdefault(mark, both)
        return line + mark

    def of(self, text: str) -> Iterator[tuple[str, Statements]]:
        """The lines of a file without their marks, with the statements that each is of."""
        return ((line, self.statements.get(mark, ())) for line, mark in map(divided, text.split("\n")))


def divided(line: str) -> tuple[str, str]:
    """A line without its mark, and that; empty where it has none."""
    marked = line[-1:] >= chr(_FIRST)
    return (line[:-1], line[-1]) if marked else (line, "")


def origin_of(statements: Statements) -> Span | None:
    """What the first of the statements that says so comes from."""
    said = (getattr(s, name, None) for s in statements for name in ("origin", "span"))
    return next((span for span in said if isinstance(span, Span) and span.line), None)
