"""Whether CUDA's own headers could mend an error of clang's.

Cladpy's declarations are tried first, and what they lack may be in the headers of a toolkit. Those take seconds to read
where a program includes Thrust: for nothing where the error is the program's own, as most are. What a header may bring
is names. So an error is not mended by headers that lack the name that is missing, nor a wrong syntax by headers that
define none of the words around it as a macro. Where the program itself stops, by `#error` or for want of a header, its
conditions decide.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from cladpy.frontend.unit import Message

NOT_FOUND = "file not found"
_LEXICAL, _SYNTAX = 1, 2  # clang's categories of diagnostics
_MISSING = re.compile(r"(?:use of undeclared identifier|unknown type name|no (?:member|template|type) named) '(\w+)'")
_WORD = re.compile(rb"\b[A-Za-z_]\w*")
_END = re.compile(rb"[;{}]")
_DEFINED = re.compile(rb"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\\\n]|\\.|\\\n)*)")
_CONDITION = re.compile(rb"(?m)^[ \t]*#[ \t]*(?:el)?if.*")
_STOP = re.compile(rb"#[ \t]*error\b")
_HAS = {b"__has_include", b"__has_include_next"}
_OF_CONDITIONS = {b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"defined"}


def may_mend(include: Path, message: Message, text: bytes, program: bytes, others: Iterable[bytes]) -> bool:
    """Whether the headers in `include` could make of the program something without this error, its first.

    `text` is the file that it is in, `program` all files of the user's, and `others` are all that were read.
    """
    if message.text.endswith(NOT_FOUND):
        name = message.text.split("'")[1]
        return any((folder / name).is_file() for folder in (include, include / "cccl"))
    if message.category in (_LEXICAL, _SYNTAX):
        return _may_define(include, _around(message, text, program), others)
    if _stops(message, text):
        return _may_define(include, _in_conditions(program), others)
    missing = _MISSING.match(message.text)
    if missing is None:
        return True
    # names of a letter or two are parameters there
    return len(missing[1]) > 2 and _found(include, rb"\b(?:%s)\b", {missing[1].encode()})


def no_header_mends(errors: Iterable[Message], texts: Mapping[str, bytes], settled: Collection[str]) -> bool:
    """Whether these errors remain whatever declarations the program, of these files, is read with: it stops by itself,
    and its conditions name nothing but what it defines and what is `settled` before it begins."""
    for message in errors:
        text = texts.get(message.file or "")
        if text is None or not (message.text.endswith(NOT_FOUND) or _stops(message, text)):
            return False
    own = {name for text in texts.values() for name, _ in _DEFINED.findall(text)}
    asked = _in_conditions(b"\n".join(texts.values())) - own - _OF_CONDITIONS
    return not asked & _HAS and all(os.fsdecode(name) in settled for name in asked)


def _stops(message: Message, text: bytes) -> bool:
    """Whether an error is what the program says by `#error`."""
    start = text.rfind(b"#", 0, message.offset)
    found = _STOP.match(text, start) if start >= 0 else None
    return found is not None and message.offset in (start, found.end() - len(b"error"))


def _may_define(include: Path, words: set[bytes], others: Iterable[bytes]) -> bool:
    """Whether the headers may define one of the words that what was read does not."""
    known = {name for other in others for name, _ in _DEFINED.findall(other)}
    return bool(words & _HAS) or _found(include, rb"#[ \t]*define[ \t]+(?:%s)\b", words - known)


def _around(message: Message, text: bytes, program: bytes) -> set[bytes]:
    """The words of the statement up to the error and the one after it, what the program's macros make of them, and what
    its conditional parts depend on."""
    begins = max((m.end() for m in _END.finditer(text, 0, message.offset)), default=0)
    following = _WORD.search(text, message.offset)
    ends = following.end() if following is not None else len(text)
    return _with_macros(set(_WORD.findall(text, begins, ends)), program) | _in_conditions(program)


def _in_conditions(program: bytes) -> set[bytes]:
    """What its conditional parts depend on."""
    return _with_macros({w for c in _CONDITION.findall(program) for w in _WORD.findall(c)}, program)


def _with_macros(found: set[bytes], program: bytes) -> set[bytes]:
    """The words, and those that the program's macros make of them."""
    macros = dict(_DEFINED.findall(program))
    pending = list(found)
    while pending:
        more = set(_WORD.findall(macros.get(pending.pop(), b""))) - found
        found |= more
        pending += more
    return found


def _found(include: Path, pattern: bytes, names: set[bytes]) -> bool:
    """Whether a file in the folder has a match of the pattern with one of the names in place of %s."""
    if not names:
        return False
    wanted = re.compile(pattern % b"|".join(map(re.escape, sorted(names))))
    return any(wanted.search(text) is not None for text in _texts(include) if any(name in text for name in names))


def _texts(folder: Path) -> Iterator[bytes]:
    for name in _files(folder):
        try:
            yield Path(name).read_bytes()
        except OSError:
            continue


@cache
def _files(folder: Path) -> tuple[str, ...]:
    return tuple(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
