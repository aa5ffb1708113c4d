"""Templates of a class that depends on template parameters, which are named without `template`: nvcc takes them for
what they are, and other compilers for values that are compared.

    Cast<T, U>::vector<n>(to, from);        Cast<T, U>::template vector<n>(to, from);
"""

from __future__ import annotations

import re

from cladpy.diagnostics import Span
from cladpy.edits import Edit
from cladpy.frontend.unit import Message

# Clang's words where the template's arguments may be values that are compared, and where they are surely none.
_UNRESOLVED = (
    "reference to overloaded function could not be resolved",
    "missing 'template' keyword prior to dependent",
)
_NAMED = re.compile(rb"[\w:]+\s*<[^;{}\n]*?>\s*::\s*(?=(\w+)\s*<)")


def without_keyword(message: Message, text: bytes) -> str | None:
    """The template that clang could not take for one."""
    named = _named(message, text)
    return None if named is None else named[1].decode()


def with_keyword(message: Message, text: bytes, file: str) -> tuple[Edit, ...]:
    """What is to be written before its name."""
    named = _named(message, text)
    if named is None:
        return ()
    column = message.column + named.end() - message.offset
    return (Edit(Span(file, message.line, column, message.line, column), "template "),)


def _named(message: Message, text: bytes) -> re.Match[bytes] | None:
    return _NAMED.match(text, message.offset) if message.text.startswith(_UNRESOLVED) else None
