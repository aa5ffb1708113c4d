"""Words that a declaration lacks, as edits: clang's messages say where the function is."""

from __future__ import annotations

import re

from cladpy.edits import Edit
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.unit import Message, TranslationUnit

_NAMED = re.compile(rb"(?:operator\s*(?:\(\s*\)|[^\s(]+)|\w+)\s*\(")
_FUNCTIONS = (
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
)


def device_too(place: Message, unit: TranslationUnit, files: Files) -> tuple[Edit, ...]:
    """Makes the function that is declared at a place the device's as well, wherever it is declared; nothing for what is
    no function with a name, or comes out of a macro."""
    found = _function_at(place, unit)
    if found is None:
        return ()
    declarations = {c.key: c for c in (found, found.canonical, found.definition or found)}.values()
    if not all(_is_written(c, files) for c in declarations):
        return ()
    starts = {(c.extent()[0], _behind_template(files.text(c.extent()[0]), c.extent()[3])) for c in declarations}
    return tuple(files.edit(file, start, start, "__host__ __device__ ") for file, start in sorted(starts))


def public(place: Message, unit: TranslationUnit, files: Files) -> tuple[Edit, ...]:
    """Makes the member function that is declared at a place, and what follows it in its class, public."""
    found = _function_at(place, unit)
    if found is None or not _is_written(found, files):
        return ()
    file, start = found.extent()[0], found.extent()[3]
    return (files.edit(file, start, start, "public: "),)


def _function_at(place: Message, unit: TranslationUnit) -> Cursor | None:
    found = unit.cursor_at(place.file or "", place.offset)
    return found if found.kind in _FUNCTIONS else None


def _is_written(declaration: Cursor, files: Files) -> bool:
    """Whether its name and parameters stand in the file, and do not come out of a macro."""
    offset, spelled = declaration.name_at()
    return offset == spelled and _NAMED.match(files.text(declaration.extent()[0]), offset) is not None


def _behind_template(text: bytes, start: int) -> int:
    """Where a declaration goes on behind `template <...>`."""
    at = start
    while text.startswith(b"template", at):
        at, depth = text.find(b"<", at) + 1, 1
        while depth and at < len(text):
            depth += {b"<": 1, b">": -1}.get(text[at : at + 1], 0)
            at += 1
        while text[at : at + 1].isspace():
            at += 1
    return at
