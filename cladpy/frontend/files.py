"""Where things stand in the source: spans of nodes, and the raw text where clang's tree is silent.

libclang does not say which of a `for` statement's parts are missing, nor whether an `if` has an init-statement or is
`if constexpr`: the text between the parentheses does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import Span
from cladpy.edits import Edit
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.unit import TranslationUnit

_NODES = 50_000  # of clang's tree, from one place of the program: some seconds' work


@dataclass(frozen=True, slots=True)
class Header:
    """`KEYWORD [constexpr] ( ... ; ... )`: byte offsets of the parentheses and of the semicolons between them."""

    opening: int
    semicolons: tuple[int, ...]
    closing: int
    constexpr: bool


class Files:
    """Positions and texts of one translation unit. The main file goes by the name that the user gave."""

    def __init__(self, unit: TranslationUnit, snapshot: Snapshot, main_name: str) -> None:
        self._unit = unit
        self._snapshot = snapshot
        self._main_path = snapshot.main
        self._main_name = main_name
        self._names: dict[int, str] = {}
        self._nodes: dict[tuple[int, ...], int] = {}  # how many have been looked at, by where they stand
        self._texts: dict[int, bytes] = {}

    def name(self, path: str | None) -> str:
        """A path as it appears in spans."""
        if path is None:
            return "<generated>"
        return self._main_name if path == self._main_path else path

    def span(self, cursor: Cursor) -> Span:
        """Where a node stands. Raises Refused for one use of a macro that makes far too many of them."""
        file, line, column, _, end_line, end_column, _ = cursor.extent()
        place = (file, line, column, end_line, end_column)  # all that comes out of one use of a macro is there
        self._nodes[place] = self._nodes.get(place, 0) + 1
        if self._nodes[place] > _NODES:
            raise Refused("CP0008", Span(self.name(self._unit.file_name(file) or None), line, column, line, column + 1))
        if file not in self._names:
            self._names[file] = self.name(self._unit.file_name(file) or None)
        if (end_line, end_column) <= (line, column):
            end_line, end_column = line, column + 1
        return Span(self._names[file], line, column, end_line, end_column)

    def text(self, file: int) -> bytes:
        """The bytes of a file, as parsed; empty where it cannot be read."""
        if file not in self._texts:
            self._texts[file] = self.contents(self._unit.file_name(file))
        return self._texts[file]

    def contents(self, path: str) -> bytes:
        """The bytes of a file by its path."""
        known = self._snapshot.text(path)
        try:
            return known if known is not None else Path(path).read_bytes()
        except OSError:
            return b""

    def texts(self) -> Iterable[bytes]:
        """The bytes of all files of the user's."""
        return self._snapshot.texts.values()

    def place(self, cursor: Cursor) -> tuple[str, int, int]:
        """The path of a node's file, and the bytes where it starts and ends."""
        file, _, _, start, _, _, end = cursor.extent()
        return self._unit.file_name(file), start, end

    def edit(self, file: int, start: int, end: int, text: str) -> Edit:
        """What replaces the bytes of a file from `start` to `end`."""
        name = self.name(self._unit.file_name(file) or None)
        return Edit(Span(name, *self._line_and_column(file, start), *self._line_and_column(file, end)), text)

    def _line_and_column(self, file: int, offset: int) -> tuple[int, int]:
        text = self.text(file)
        return text.count(b"\n", 0, offset) + 1, offset - text.rfind(b"\n", 0, offset)

    def written(self, cursor: Cursor) -> str:
        """The text of a node as it stands in the file; where it comes out of a macro, what calls that."""
        file, _, _, start, _, _, end = cursor.extent()
        return self.text(file)[start:end].decode("utf-8", errors="replace")

    def spelled(self, cursor: Cursor) -> bytes:
        """The text from where a node is written on, be it in a macro's body."""
        file, start = cursor.spelled_at()
        return self.text(file)[start:]

    def header(self, cursor: Cursor, keyword: bytes) -> Header | None:
        """The parentheses after a statement's keyword; None where the statement comes out of a macro's body."""
        file, _, _, offset, _, _, _ = cursor.extent()
        return scan_header(self.text(file), offset, keyword)

    def starts_with(self, cursor: Cursor, *prefixes: bytes) -> bool:
        file, _, _, offset, _, _, _ = cursor.extent()
        return self.text(file)[offset:].startswith(prefixes)


def scan_header(text: bytes, offset: int, keyword: bytes) -> Header | None:
    """Finds the parts of a statement's header in the text; see `Header`."""
    if not text.startswith(keyword, offset):
        return None
    depth = 0
    opening = 0
    constexpr = False
    semicolons: list[int] = []
    at = offset + len(keyword)
    while at < len(text):
        after = skip_token(text, at)
        if after > at + 1:
            if depth == 0:
                word = text[at:after]
                if word == b"constexpr":
                    constexpr = True
                elif not word.startswith((b"/*", b"//")):
                    return None
            at = after
            continue
        c = text[at : at + 1]
        if c in b"([{":
            if depth == 0:
                if c != b"(":
                    return None
                opening = at
            depth += 1
        elif c in b")]}":
            depth -= 1
            if depth == 0:
                return Header(opening, tuple(semicolons), at, constexpr)
        elif c == b";" and depth == 1:
            semicolons.append(at)
        elif depth == 0 and not c.isspace() and c != b"\\":
            return None
        at += 1
    return None


_WORD = re.compile(rb"[\w\x80-\xff]+")
_NUMBER = re.compile(rb"(?:[\w\x80-\xff]|'(?=[0-9A-Za-z]))+")


def skip_token(text: bytes, at: int) -> int:
    """The end of the comment, string, character, word or number at `at`; `at + 1` for anything else."""
    c = text[at : at + 1]
    if c == b"/":
        if text.startswith(b"//", at):
            end = at
            while True:
                end = text.find(b"\n", end)
                if end < 0:
                    return len(text)
                if not text[at:end].rstrip(b"\r").endswith(b"\\"):
                    return end
                end += 1
        if text.startswith(b"/*", at):
            end = text.find(b"*/", at + 2)
            return len(text) if end < 0 else end + 2
        return at + 1
    if c in (b'"', b"'"):
        return _skip_quoted(text, at)
    if c.isalnum() or c == b"_":
        word = (_NUMBER if c.isdigit() else _WORD).match(text, at)
        end = at + 1 if word is None else word.end()
        if text[end : end + 1] == b'"' and text[at:end] in (b"R", b"LR", b"uR", b"UR", b"u8R"):
            bracket = text.find(b"(", end)
            closing = b")" + text[end + 1 : bracket] + b'"'
            stop = text.find(closing, bracket)
            return len(text) if bracket < 0 or stop < 0 else stop + len(closing)
        return end
    return at + 1


def _skip_quoted(text: bytes, at: int) -> int:
    quote = text[at : at + 1]
    end = at + 1
    while end < len(text):
        here = text[end : end + 1]
        if here == b"\\":
            end += 2
        elif here == quote:
            return end + 1
        elif here == b"\n":
            return end
        else:
            end += 1
    return len(text)
