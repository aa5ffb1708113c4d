"""Gradients that are differentiated again: what of them the front end has no text of.

In place of the header library that emitted code includes it reads `headers/gradients`, which says what the parts of a
gradient come to. Those that are not there have no gradient: clang finds no such name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from cladpy.frontend.libclang import ClangType
from cladpy.frontend.names import without_paths
from cladpy.frontend.unit import Message

FOLDER = Path(__file__).parent / "headers" / "gradients"
_UNKNOWN = re.compile(
    r"no (?:member|type|template) named '(\w+)' in "
    r"(?:(?:namespace )?'(cladpy(?:::\w+)?)(?:<.*>)?'|the global namespace)"
    r"|no matching constructor for initialization of '(cladpy::\w+)'"  # in a kernel, of what only host code has
)


def is_of_the_launch(type: ClangType) -> bool:
    """Whether a parameter of this type tells a gradient how it is launched: it has a default, and is not asked for."""
    return without_paths(type.canonical.spelling).removeprefix("const ") == "cladpy::launch_state"


def unknown_parts(messages: Iterable[Message], read: Collection[str]) -> list[tuple[Message, str]]:
    """The first error for each part that is not there, and its name; `read` are the files that were read."""
    if str(FOLDER / "cladpy" / "support.h") not in read:
        return []
    found: dict[str, Message] = {}
    for message in messages:
        part = _UNKNOWN.match(message.text)
        if part is not None:
            found.setdefault(part[3] or f"{part[2] or ''}::{part[1]}", message)
    return [(message, name) for name, message in found.items()]
