"""Programs some of whose headers are not found, where the function that is asked for needs nothing of them.

What a function needs is found by words: those in the functions that it reaches, in what declares these words, and in
the macros of these names. Nothing that clang complains of may declare such a word; an error in one overload is an error
in all. And nothing of it may hang on a condition that the missing header decides: on a name that is tested behind the
#include, and is not defined there. A parse of the text with questions in it tells which these are. Of a library's
header (`<plans.h>`) it is assumed that it defines none of them but those that begin as it is called (`PLANS_VERSION`):
the compiler is asked for the others, unless the program defines them elsewhere.

So it is with texture references, which older versions of CUDA have, and with texture objects where there is no CUDA.

What remains is that the header may define one of those, or a macro whose name the function uses for something else:
`guarded` are the names for which the emitted file asks the compiler, which has the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from cladpy.frontend.kokkos import of_kokkos
from cladpy.frontend.mending import NOT_FOUND
from cladpy.frontend.pieces import DIRECTIVE, WORD, Body, Piece, Pieces, declared, plain, without_comments
from cladpy.frontend.unit import Message

_KEYWORDS = frozenset(
    b"""alignas alignof and asm auto bool break case catch char class const constexpr const_cast continue decltype
    default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if inline
    int long mutable namespace new noexcept not nullptr operator or override private protected public register
    reinterpret_cast return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    """.split()
)
# What a function may use without its name: in expressions, loops over ranges, and structured bindings.
_UNSAID = frozenset((b"operator", b"begin", b"end", b"get"))
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|include|pragma)\b")
_DEFINITION = re.compile(rb"[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(.*)", re.DOTALL)
_INCLUDED = re.compile(rb'[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
_OF_LIBRARY = re.compile(rb"[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>")
_LAYOUT = re.compile(rb"[ \t]*#[ \t]*pragma[ \t]+(?:pack|push_macro|pop_macro)\b")
DEPENDS = "what is compiled here may depend on"
_GUARD = re.compile(rb"[ \t]*#[ \t]*if(?:ndef|[ \t]*![ \t]*defined)\W+(\w+)\W*\n\s*#[ \t]*define[ \t]+\1\b")
_REFERENCE = re.compile(
    r"(?:no template named|unknown type name) "
    r"'(texture|surface|textureReference|surfaceReference|cudaTextureObject_t|cudaSurfaceObject_t)'$"
)
_ASKED = "cladpy asks: "
_DEEPEST = 16  # files in files


@dataclass(frozen=True, slots=True)
class Lacking:
    """What can be said of a program without some of its headers: the errors that remain, those that have nothing to do
    with the function, and the names that no macro of these headers may have."""

    errors: list[Message]
    apart: tuple[Message, ...] = ()
    guarded: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int, int], ...] = ()  # files and bytes of the latter, and the directives of the headers


def is_incomplete(errors: Iterable[Message]) -> bool:
    """Whether there are errors for want of what other machines may have: headers, textures, and the rest of Kokkos."""
    return any(NOT_FOUND in e.text or texture_reference(e) or of_kokkos(e.text) for e in errors)


def texture_reference(error: Message) -> str:
    """Its type, where an error is about a texture reference, which CUDA has no longer, or there is no CUDA."""
    found = _REFERENCE.match(error.text)
    return "" if found is None else found[1]


def lacking(
    errors: list[Message],
    pieces: Pieces,
    bodies: list[Body],
    given: Mapping[str, bytes],
    ask: Callable[[Mapping[str, bytes]], Iterable[Message]],
) -> Lacking:
    """`errors` are clang's, but for those in bodies that are not read; `given` are the texts as clang is given them,
    and `ask` what it says of others in their place."""
    missing = [e for e in errors if NOT_FOUND in e.text]
    if any(e.file not in pieces.texts for e in errors):
        return Lacking(errors)
    needed = words_needed(pieces, bodies)
    remaining = [
        e
        for e in errors
        if e not in missing and e.file is not None and not pieces.at(e.file, e.offset).names.isdisjoint(needed)
    ]
    if remaining:
        return Lacking([e for e in errors if e in missing or e in remaining])
    macros = {name for text in pieces.texts.values() for name, _ in _definitions(text)}
    guarded = sorted(w for w in needed - macros - _UNSAID if not w.startswith(b"_"))
    doubtful = [c for c in _conditions(pieces.texts) if _matters(c, pieces, bodies, needed)]
    asked = _asked(doubtful, given, guarded, missing, ask) if missing else set()
    tested = asked & {name for c in doubtful for name in c.names}
    assumed = {name for name in tested - macros if _is_anothers(name, missing, pieces.texts)}
    doubts = [c for c in doubtful if not (tested - assumed).isdisjoint(c.names)]
    if doubts:
        first = _with_notes(missing[0], doubts, tested - assumed, pieces.texts)
        return Lacking([first if e is missing[0] else e for e in errors])
    parts = dict.fromkeys(_part(e, pieces) for e in errors)
    apart = _not_needed(pieces, needed)
    left_out = [*parts, *((p.file, p.start, p.end) for p in _with_users(parts, apart, pieces))]
    guarded = sorted(assumed.union(w for w in guarded if w in asked))
    return Lacking([], tuple(errors), tuple(w.decode() for w in guarded), tuple(dict.fromkeys(left_out)))


def _is_anothers(name: bytes, missing: Iterable[Message], texts: Mapping[str, bytes]) -> bool:
    """Whether missing headers are those of libraries whose names do not begin like this one, nor does what the compiler
    defines."""
    lines = [texts[e.file][texts[e.file].rfind(b"\n", 0, e.offset) + 1 :] for e in missing if e.file is not None]
    of_libraries = [m[1] for m in (_OF_LIBRARY.match(line) for line in lines) if m is not None]
    words = {
        w.lower() for header in of_libraries for w in re.findall(rb"[A-Za-z]+", header.rpartition(b".")[0] or header)
    }
    return len(of_libraries) == len(lines) and not name.startswith(b"_") and not name.lower().startswith(tuple(words))


def _part(error: Message, pieces: Pieces) -> tuple[str, int, int]:
    """What an error stands in."""
    assert error.file is not None
    text = pieces.texts[error.file]
    if NOT_FOUND in error.text:
        start = text.rfind(b"#", 0, error.offset)
        end = text.find(b"\n", error.offset)
        return error.file, start, len(text) if end < 0 else end
    piece = pieces.at(error.file, error.offset)
    return error.file, piece.start, piece.end


def _with_users(parts: Iterable[tuple[str, int, int]], apart: list[Piece], pieces: Pieces) -> Iterator[Piece]:
    """Of what is not needed, what these parts declare, and what mentions that."""
    there = set(parts)
    found = [p for p in apart if (p.file, p.start, p.end) in there]
    waiting = [p for p in apart if p not in found]
    while found:
        yield from found
        names = frozenset().union(*(p.names for p in found))
        found = [p for p in waiting if not names.isdisjoint(WORD.findall(plain(pieces.texts[p.file])[p.start : p.end]))]
        waiting = [p for p in waiting if p not in found]


def words_needed(pieces: Pieces, bodies: Iterable[Body]) -> frozenset[bytes]:
    """The words of what the entry reaches, of what may declare these, and of the macros of these names."""
    texts = pieces.texts
    unread: dict[str, list[tuple[int, int]]] = {}
    waiting: list[bytes] = []
    for body in bodies:
        if body.file in texts:
            if body.is_read:
                waiting.append(without_comments(texts[body.file])[body.start : body.end])
            elif body.within is not None:
                unread.setdefault(body.file, []).append(body.within)
    declaring: dict[bytes, list[Piece]] = {}
    for piece in pieces:
        for name in piece.names:
            declaring.setdefault(name, []).append(piece)
    macros: dict[bytes, list[bytes]] = {}
    for text in texts.values():
        for name, definition in _definitions(text):
            macros.setdefault(name, []).append(definition)

    def declared(name: bytes) -> Iterator[bytes]:
        """The texts of what declares a name, each once: an enumeration declares many."""
        for piece in declaring.pop(name, ()):
            if (place := (piece.file, piece.start)) not in read:
                read.add(place)
                yield _without(texts[piece.file], piece, unread.get(piece.file, ()))

    found: set[bytes] = set()
    read: set[tuple[str, int]] = set()
    waiting += [text for name in _UNSAID for text in declared(name)]
    while waiting:
        for word in set(WORD.findall(waiting.pop())) - found:
            if word in _KEYWORDS or word.startswith(b"__"):
                continue
            found.add(word)
            waiting += [*macros.get(word, ()), *declared(word)]
    return frozenset(found | _UNSAID)


def not_needed(pieces: Pieces, bodies: Iterable[Body]) -> list[Piece]:
    """What can be taken out of the text."""
    return _not_needed(pieces, words_needed(pieces, bodies))


def _not_needed(pieces: Pieces, needed: frozenset[bytes]) -> list[Piece]:
    """That, but for variables whose making may change others."""
    return [p for p in pieces if p.is_whole and p.names.isdisjoint(needed) and not p.runs]


def _without(text: bytes, piece: Piece, unread: Iterable[tuple[int, int]]) -> bytes:
    """The text of a piece but for bodies that are not read."""
    known, at, parts = without_comments(text), piece.start, []
    for start, end in sorted(unread):
        if at <= start and end <= piece.end:
            parts.append(known[at:start])
            at = end
    return b" ".join([*parts, known[at : piece.end]])


def _definitions(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    for directive in DIRECTIVE.finditer(without_comments(text)):
        found = _DEFINITION.match(directive[0])
        if found is not None:
            yield found[1], found[2]


@dataclass(frozen=True, slots=True)
class _Condition:
    """From its #if to its #endif, with the words that are tested."""

    file: str
    start: int
    end: int
    names: frozenset[bytes]


def _conditions(texts: Mapping[str, bytes]) -> Iterator[_Condition]:
    """All of the files, but for those around a whole file that keep it from being read again."""
    for path, text in texts.items():
        known = without_comments(text)
        open: list[tuple[int, set[bytes]]] = []
        for directive in DIRECTIVE.finditer(known):
            kind = _CONDITION.match(directive[0])
            if kind is None:
                continue
            words = WORD.findall(directive[0][kind.end() :])
            if kind[1] in (b"if", b"ifdef", b"ifndef"):
                open.append((directive.start(), set(words)))
            elif kind[1].startswith(b"elif") and open:
                open[-1][1].update(words)
            elif kind[1] == b"endif" and open:
                start, names = open.pop()
                if known[:start].strip() or known[directive.end() :].strip() or not _is_guard(known[start:]):
                    yield _Condition(path, start, directive.end(), frozenset(names))


def _is_guard(text: bytes) -> bool:
    return _GUARD.match(text) is not None


def _matters(condition: _Condition, pieces: Pieces, bodies: Iterable[Body], needed: frozenset[bytes]) -> bool:
    """Whether what a condition decides may be of what is needed."""
    for body in bodies:
        if body.file == condition.file and body.start <= condition.start and condition.end <= body.end:
            if body.within is not None and body.within[0] < condition.start and condition.end <= body.within[1]:
                return False
            if body.is_read:
                return True
    return not _declared(pieces.texts[condition.file][condition.start : condition.end], pieces, 0).isdisjoint(needed)


def _declared(text: bytes, pieces: Pieces, depth: int) -> set[bytes]:
    """What a part of a file may declare or define, with what it includes of the user's files. Where it may change what
    stands elsewhere, that is among what is needed."""
    known = without_comments(text)
    found: set[bytes] = set()
    for directive in DIRECTIVE.finditer(known):
        definition = _DEFINITION.match(directive[0])
        if definition is not None:
            found.add(definition[1])
        if _LAYOUT.match(directive[0]):
            found.add(b"operator")
        include = _INCLUDED.match(text[directive.start() : directive.end()])
        if include is not None and depth < _DEEPEST:
            for path, inner in pieces.texts.items():
                if path.encode(errors="surrogateescape").endswith(b"/" + include[1].removeprefix(b"./")):
                    found |= _declared(inner, pieces, depth + 1)
    code = DIRECTIVE.sub(b"", known)
    if re.search(rb"\busing\s+namespace\b", code):
        found.add(b"operator")
    return found | declared(code)


def _asked(
    conditions: Iterable[_Condition],
    given: Mapping[str, bytes],
    guarded: Iterable[bytes],
    missing: Iterable[Message],
    ask: Callable[[Mapping[str, bytes]], Iterable[Message]],
) -> set[bytes]:
    """Which of the names in conditions are not defined where these stand, if that is behind a header that is missing;
    and which of those to be guarded are not where the file ends."""
    places: dict[str, dict[int, set[bytes]]] = {}
    for condition in conditions:
        # names that clang is given others for are the compiler's
        names = set(re.findall(rb"(?<![\w$])[A-Za-z_]\w*", given[condition.file][condition.start : condition.end]))
        places.setdefault(condition.file, {}).setdefault(condition.start, set()).update(condition.names & names)
    texts = dict(given)
    for path, of in places.items():
        parts, at = [], 0
        for start, names in sorted(of.items()):
            parts += [given[path][at:start], *map(_question, sorted(names))]
            at = start
        texts[path] = b"".join([*parts, given[path][at:]])
    main = next(iter(given))
    texts[main] += b"\n" + b"".join(map(_question, guarded))
    found: set[bytes] = set()
    behind = False
    for message in ask(texts):
        behind = behind or any(m.text == message.text for m in missing)
        if behind and message.text.startswith(_ASKED):
            found.add(message.text.removeprefix(_ASKED).strip().encode())
    return found


def _question(name: bytes) -> bytes:
    return b"#ifndef %s\n#error %s%s\n#endif\n" % (name, _ASKED.encode(), name)


def _with_notes(error: Message, doubts: Iterable[_Condition], asked: set[bytes], texts: Mapping[str, bytes]) -> Message:
    """The error with the conditions that the header may decide."""
    notes = []
    for doubt in doubts:
        name = min(doubt.names & asked).decode()
        before = texts[doubt.file][: doubt.start]
        line, column = before.count(b"\n") + 1, doubt.start - before.rfind(b"\n")
        text = f"{DEPENDS} '{name}', which is not defined without it"
        notes.append(Message(error.severity, error.category, text, doubt.file, line, column, doubt.start))
    return replace(error, notes=(*error.notes, *notes))
