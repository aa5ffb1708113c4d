"""What a program's own files declare at namespace scope, piece by piece, and where: so that what a function needs can
be told from what it does not."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from cladpy.frontend.definitions import definitions
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.macros import TOKEN
from cladpy.frontend.unit import TranslationUnit

_INCLUDED = re.compile(rb'(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
WORD = re.compile(rb"[A-Za-z_]\w*")
DIRECTIVE = re.compile(rb"(?m)^[ \t]*#(?:\\\r?\n|[^\n])*")
_SCOPES = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
_METHODS = (CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION)
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, *_METHODS)
_NAMED = (
    *_FUNCTIONS,
    CursorKind.VAR_DECL,
    CursorKind.TYPEDEF_DECL,
    CursorKind.TYPE_ALIAS_DECL,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
    CursorKind.ENUM_DECL,
)


@dataclass(frozen=True, slots=True)
class Body:
    """Byte offsets of a function's definition and of its body; None for a body that the entry reaches."""

    file: str
    start: int
    end: int
    within: tuple[int, int] | None
    is_read: bool


def bodies(unit: TranslationUnit, has_read: Callable[[Cursor], bool]) -> Iterator[Body]:
    """Those of all functions that the user's files define."""
    for function in definitions(unit.cursor):
        file, _, _, start, _, _, end = function.extent()
        body = next((c.extent() for c in function.children() if c.kind == CursorKind.COMPOUND_STMT), None)
        is_read = has_read(function)
        within = (body[3], body[6]) if body is not None and not is_read else None
        yield Body(unit.file_name(file), start, end, within, is_read and body is not None)


def is_within(
    file: str | None, offset: int, known: Iterable[Body], texts: Mapping[str, bytes] = MappingProxyType({})
) -> bool:
    """Whether a place lies in the body of a function that the entry does not reach, or in one of the files that only
    such bodies include."""
    for body in known:
        if body.file == file and body.start <= offset < body.end:
            return body.within is not None and body.within[0] < offset < body.within[1]
    name = os.path.basename(file or "")
    places = [(p, at) for p, t in texts.items() if p != file for included, at in _includes(t) if included == name]
    return bool(places) and all(is_within(path, at, known) for path, at in places)


@lru_cache(maxsize=256)  # asked again for each error and each body
def _includes(text: bytes) -> tuple[tuple[str, int], ...]:
    """The last parts of the names of files that a text includes, with where."""
    return tuple((os.path.basename(os.fsdecode(m[1])), m.start(1)) for m in _INCLUDED.finditer(text))


@dataclass(frozen=True, slots=True)
class Piece:
    """A declaration, or several that overlap, with what stands before it and belongs to nothing else. `names` are what
    it declares; of what has none, all its words. `is_whole` says that it can be taken out of the text."""

    file: str
    start: int
    end: int
    names: frozenset[bytes]
    is_whole: bool
    runs: bool = False  # it has a variable whose initialiser calls something
    of_class: bool = False  # a member function


class Pieces:
    """Those of some files, by where they stand."""

    def __init__(self, unit: TranslationUnit, texts: Mapping[str, bytes]) -> None:
        self.texts = texts
        found: dict[str, list[Piece]] = {path: [] for path in texts}
        for child in _declarations(unit.cursor):
            file, _, _, start, _, _, end = child.extent()
            path = unit.file_name(file)
            if path in found:
                names, is_whole = _names(child, texts[path][start:end])
                runs = child.kind == CursorKind.VAR_DECL and b"(" in plain(texts[path])[start:end]
                found[path].append(Piece(path, start, end, names, is_whole, runs, child.kind in _METHODS))
        self.of = {path: _merged(texts[path], sorted(of, key=lambda p: (p.start, p.end))) for path, of in found.items()}

    def __iter__(self) -> Iterator[Piece]:
        for of in self.of.values():
            yield from of

    def at(self, path: str, offset: int) -> Piece:
        """The piece at this place; what lies between two is one of its own, which declares whatever it says."""
        of = self.of[path]
        i = bisect_right([p.start for p in of], offset) - 1
        if i >= 0 and offset < of[i].end:
            return of[i]
        first, last = of[i].end if i >= 0 else 0, of[i + 1].start if i + 1 < len(of) else len(self.texts[path])
        text = plain(self.texts[path])
        start = max(first, *(text.rfind(c, first, offset) + 1 for c in (b";", b"{", b"}")))
        start += len(text[start:last]) - len(text[start:last].lstrip())
        return Piece(path, start, last, frozenset(declared(text[start:last])), False)


def _declarations(scope: Cursor) -> Iterator[Cursor]:
    for child in scope.children():
        if not child.in_system_header:
            if child.kind in _SCOPES:
                yield from _declarations(child)
            else:
                yield child


def _names(cursor: Cursor, text: bytes) -> tuple[frozenset[bytes], bool]:
    """The names that a declaration gives, and whether it is one that is known by them."""
    spelling = cursor.spelling.encode()
    if cursor.kind not in _NAMED or not spelling or cursor.is_anonymous:
        return frozenset(WORD.findall(plain(text))), False
    names = frozenset(WORD.findall(spelling))
    if cursor.kind == CursorKind.ENUM_DECL:
        names |= {c.spelling.encode() for c in cursor.children()}
    return names, True


def _merged(text: bytes, found: Iterable[Piece]) -> list[Piece]:
    known = plain(text)
    pieces: list[Piece] = []
    for piece in found:
        last = pieces[-1] if pieces else None
        if last is not None and piece.start < last.end:
            if piece.of_class and piece.end <= last.end:
                continue  # libclang shows instantiated members beside their classes, by whose names they are found
            pieces[-1] = replace(
                last,
                end=max(last.end, piece.end),
                names=last.names | piece.names,
                is_whole=last.is_whole and piece.is_whole,
                runs=last.runs or piece.runs,
            )
            continue
        # attributes, `extern "C"` and macros before it
        first = last.end if last is not None else 0
        first = max(first, *(known.rfind(c, first, piece.start) + 1 for c in (b";", b"{", b"}")))
        first += len(known[first : piece.start]) - len(known[first : piece.start].lstrip())
        closes = known[piece.end :].lstrip().startswith(b";")
        end = known.index(b";", piece.end) + 1 if closes else piece.end
        pieces.append(replace(piece, start=first, end=end))
    return pieces


@lru_cache(maxsize=64)
def without_comments(text: bytes) -> bytes:
    """The text with blanks in place of comments, strings and characters."""

    def blank(found: re.Match[bytes]) -> bytes:
        if found["word"] is not None or found[0][:1].isdigit() or found[0].lstrip().startswith(b"#"):
            return found[0]
        return re.sub(rb"[^\n]", b" ", found[0])

    return TOKEN.sub(blank, text)


@lru_cache(maxsize=64)
def plain(text: bytes) -> bytes:
    """The text without directives too."""
    return DIRECTIVE.sub(lambda m: re.sub(rb"[^\n]", b" ", m[0]), without_comments(text))


_PART = re.compile(rb"[A-Za-z_]\w*|[(){};]")


def declared(text: bytes) -> set[bytes]:
    """The words of a text by which it may declare something: all but those in bodies and parameters of functions."""
    found: set[bytes] = set()
    parts: list[bytes] = _PART.findall(text)
    words = 0  # of this statement so far
    i = 0
    while i < len(parts):
        part = parts[i]
        if part == b"(":
            end = _closing(parts, i)
            after = parts[end + 1] if end + 1 < len(parts) else b""
            if words < 2 or after not in (b"{", b";", b"const", b"noexcept"):
                found.update(p for p in parts[i:end] if p not in (b"(", b")", b"{", b"}", b";"))
            elif after != b";":
                opening = end + 1 + (after != b"{")
                end = _closing(parts, opening) if parts[opening : opening + 1] == [b"{"] else end
            i = end
        elif part in (b"{", b"}", b";"):
            words = 0
        elif part != b")":
            found.add(part)
            words += 1
        i += 1
    return found


def _closing(parts: list[bytes], opening: int) -> int:
    """Where the bracket at `opening` is closed; the last part where it is not."""
    depth = 0
    for i in range(opening, len(parts)):
        depth += (parts[i] in (b"(", b"{")) - (parts[i] in (b")", b"}"))
        if depth == 0:
            return i
    return len(parts) - 1
