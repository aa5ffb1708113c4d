"""A parsed file: what clang has to say about it, which files it read, and the root of its tree."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from ctypes import Structure, byref, c_char_p, c_uint, c_void_p
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from cladpy.contained import bounded
from cladpy.diagnostics import ToolchainError
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import INCLUSION_VISITOR, Cursor, as_cursor, library, text_of
from cladpy.frontend.native import Location, Range

_CRASHED = 2  # CXError_Crashed
KEEP_GOING, NO_BODIES = 0x200, 0x40  # options of parsing


@dataclass(frozen=True, slots=True)
class FixIt:
    """What clang would write in the place of some text, between two lines and columns."""

    file: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    @property
    def line(self) -> int:
        return self.start[0]


@dataclass(frozen=True, slots=True)
class Message:
    """One of clang's diagnostics. `severity`: 2 is a warning, 3 an error, 4 fatal; `category` is clang's number.
    `fixes` mend it, all of them together."""

    severity: int
    category: int
    text: str
    file: str | None
    line: int
    column: int
    offset: int
    notes: tuple[Message, ...] = ()
    fixes: tuple[FixIt, ...] = ()


class _UnsavedFile(Structure):
    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", ctypes.c_ulong)]


class TranslationUnit:
    """A parsed file with all that it includes. Use it as a context manager; parsing writes and runs nothing."""

    def __init__(
        self,
        path: str,
        arguments: Sequence[str],
        unsaved: dict[str, bytes],
        limits: tuple[int, int] = (0, 0),
        options: int = KEEP_GOING,
        before: Sequence[tuple[str, int]] = (),
    ) -> None:
        """`limits` are the seconds and the bytes that clang may take where this process is contained (see `bounded`).
        `before` are files that were read before the main one, by the lines of it that lead there.

        Raises ToolchainError where clang crashes."""
        lib = library()
        self.main = path
        self._before = before
        self._names: dict[int, str] = {}
        self._index = lib.clang_createIndex(1, 0)
        files = (_UnsavedFile * max(1, len(unsaved)))()
        for i, (name, contents) in enumerate(unsaved.items()):
            files[i] = _UnsavedFile(name.encode(errors="surrogateescape"), contents, len(contents))
        array = (c_char_p * len(arguments))(*(a.encode(errors="surrogateescape") for a in arguments))
        unit = c_void_p()
        encoded = path.encode(errors="surrogateescape")
        with bounded(*limits):
            code = lib.clang_parseTranslationUnit2(
                c_void_p(self._index), encoded, array, len(arguments), files, len(unsaved), options, byref(unit)
            )
        if code == _CRASHED:
            # what it has allocated is lost, and its index may be in any state
            raise ToolchainError(
                f"clang crashed while reading {path}\nhint: if it ran out of memory, look for macros that multiply"
            )
        if code or not unit.value:
            lib.clang_disposeIndex(self._index)
            raise ToolchainError(f"libclang cannot parse {path} (error {code})")
        self._unit = unit

    def __enter__(self) -> TranslationUnit:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives back what clang holds."""
        library().clang_disposeTranslationUnit(self._unit)
        library().clang_disposeIndex(self._index)

    @property
    def cursor(self) -> Cursor:
        return as_cursor(library().clang_getTranslationUnitCursor(self._unit))

    def cursor_at(self, path: str, offset: int) -> Cursor:
        """The innermost node at a byte of a file: the declaration, where a name is declared there."""
        lib = library()
        file = c_void_p(lib.clang_getFile(self._unit, path.encode(errors="surrogateescape")))
        return as_cursor(lib.clang_getCursor(self._unit, lib.clang_getLocationForOffset(self._unit, file, offset)))

    def file_name(self, file: int) -> str:
        """The name of a file given by `Cursor.extent`."""
        if file not in self._names:
            self._names[file] = text_of(library().clang_getFileName(file)) if file else ""
        return self._names[file]

    def inclusions(self) -> list[str]:
        """The names of all files read, the main file included."""
        main, *others = (name for name, _ in self._included())
        return [main, *(name for name, _ in self._before), *others]

    def included_by(self) -> dict[str, int]:
        """The lines of the main file whose #include leads to a file, by the files' names."""
        lib = library()
        found = {name: line for name, line in self._before if line}
        for name, outermost in self._included():
            file, line = c_void_p(), c_uint()
            if outermost is not None:
                lib.clang_getFileLocation(outermost, byref(file), byref(line), None, None)
            if self.file_name(file.value or 0) == self.main:
                found.setdefault(name, line.value)
        return found

    def _included(self) -> list[tuple[str, Location | None]]:
        """All files read, each with the place from which all of it comes: none for the main file."""
        found: list[tuple[str, Location | None]] = []

        def visit(file: int, stack: Any, depth: int, data: object) -> None:
            outermost = Location.from_buffer_copy(stack[depth - 1]) if depth else None
            found.append((self.file_name(file), outermost))

        library().clang_getInclusions(self._unit, INCLUSION_VISITOR(visit), None)
        return found

    def save(self, path: Path) -> bool:
        """Writes what clang has made of the file, for others that begin with it."""
        return int(library().clang_saveTranslationUnit(self._unit, os.fsencode(path), 0)) == 0

    def messages(self) -> list[Message]:
        lib = library()
        found = []
        for i in range(lib.clang_getNumDiagnostics(self._unit)):
            diagnostic = lib.clang_getDiagnostic(self._unit, i)
            found.append(self._message(diagnostic))
            lib.clang_disposeDiagnostic(diagnostic)
        return found

    def _message(self, diagnostic: int) -> Message:
        lib = library()
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        place = lib.clang_getDiagnosticLocation(diagnostic)
        lib.clang_getFileLocation(place, byref(file), byref(line), byref(column), byref(offset))
        children = lib.clang_getChildDiagnostics(diagnostic)
        notes = []
        for i in range(lib.clang_getNumDiagnosticsInSet(children) if children else 0):
            notes.append(self._message(lib.clang_getDiagnosticInSet(c_void_p(children), i)))
        return Message(
            lib.clang_getDiagnosticSeverity(diagnostic),
            lib.clang_getDiagnosticCategory(diagnostic),
            text_of(lib.clang_getDiagnosticSpelling(diagnostic)),
            self.file_name(file.value or 0) or None,
            line.value,
            column.value,
            offset.value,
            tuple(notes),
            tuple(self._fix(diagnostic, i) for i in range(lib.clang_getDiagnosticNumFixIts(diagnostic))),
        )

    def _fix(self, diagnostic: int, i: int) -> FixIt:
        lib, span = library(), Range()
        text = text_of(lib.clang_getDiagnosticFixIt(c_void_p(diagnostic), i, byref(span)))
        file = c_void_p()
        places = []
        for end in (lib.clang_getRangeStart(span), lib.clang_getRangeEnd(span)):
            line, column = c_uint(), c_uint()
            lib.clang_getFileLocation(end, byref(file), byref(line), byref(column), None)
            places.append((line.value, column.value))
        start, end = places
        return FixIt(self.file_name(file.value or 0), start, end, text)


@lru_cache(maxsize=32)
def predefined(arguments: tuple[str, ...]) -> frozenset[str]:
    """The names of the macros that clang defines by itself."""
    with TranslationUnit(_NOTHING, arguments, {_NOTHING: b""}, options=_DETAILED) as unit:
        return frozenset(c.spelling for c in unit.cursor.children() if c.kind == CursorKind.MACRO_DEFINITION)


_NOTHING = os.path.abspath(os.sep + "cladpy-nothing.cu")
_DETAILED = 0x1  # CXTranslationUnit_DetailedPreprocessingRecord
