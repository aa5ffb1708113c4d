"""The classes and enumerations that a function's signature names, and what a file includes to have them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.unit import TranslationUnit

_NAMED = re.compile(rb'"[^/"][^"]*"|<[^>]*>')  # by which other files of the program's are not named


def named_types(entry: Cursor, unit: TranslationUnit, text: bytes) -> tuple[tuple[str, str], ...]:
    """Each with what stands behind the #include of the main file, whose `text` this is, by which it comes: nothing
    where the file itself has it, or where that names a file of the program. What the compiler brings is left out."""
    directives, lines = unit.included_by(), text.split(b"\n")
    found: dict[str, str] = {}
    for type in (entry.result_type, *(p.type for p in entry.arguments)):
        for declaration in _declarations(type):
            name = unit.file_name((declaration.definition or declaration).extent()[0])
            line = directives.get(name)
            if name == unit.main:
                found[declaration.type.spelling] = ""
            elif line is not None:
                said = _NAMED.search(lines[line - 1])
                found[declaration.type.spelling] = os.fsdecode(said[0]) if said is not None else ""
    return tuple(found.items())


def _declarations(type: ClangType) -> Iterator[Cursor]:
    type = type.canonical
    for inner in (type.pointee, type.element, *type.template_arguments):
        if inner.kind:
            yield from _declarations(inner)
    yield type.declaration
