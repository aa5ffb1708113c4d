"""The user's files as the compiler's preprocessor would see them, for clang.

clang defines other macros than the compiler that will compile the program, and its own headers and those of the C++
library do not go without them. So the user's text is given other names: where it says `__GNUC__`, clang reads
`$_GNUC__`, which is as long, so that nothing moves, and which a file in front defines as the compiler defines
`__GNUC__`, or not at all. Headers of the system keep what clang defines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from cladpy.frontend import assembly
from cladpy.frontend.asked import Answers, asked
from cladpy.toolchain.predefined import Definitions, Macros

TOKEN = re.compile(
    rb'R"([^()\\\s]{0,16})\(.*?\)\1"'
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|\d(?:[\w.]|'(?=\w))*"
    rb"|'(?:\\.|[^'\\\n])*'"
    rb"|//(?:\\\r?\n|[^\n])*"
    rb"|/\*.*?\*/"
    rb"|(?<![^\n])[ \t]*\#[ \t]*include(?:_next)?[ \t]*<[^>\n]*>"
    rb"|\b__has_(?:include|include_next|embed)[ \t]*\([ \t]*<[^>\n]*>"
    rb"|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_PRAGMA = re.compile(rb'(?m)^[ \t]*#[ \t]*pragma[ \t]+(?:push|pop)_macro[ \t]*\([ \t]*"(\w+)"[ \t]*\)')
_DIRECTIVE = re.compile(
    rb"(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|define|undef)\b((?:\\\r?\n|[^\n])*)"
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
# What depends on how often, or from where, the file is read.
_COUNTED = (b"__COUNTER__", b"__INCLUDE_LEVEL__")
_BODY = re.compile(r"""\s+|[A-Za-z_]\w*|\.?\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|.""")
_MAY_BE_CLANGS = re.compile(r"_|linux$|unix$|i386$")  # what a compiler may define: asking clang takes a while
_SIDES = frozenset(("__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"))
_TYPES = frozenset(("bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double"))
_SIGNS = frozenset("+-*/%<>|&^~!=?:(),#")
_OWN = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A condition of the user's that clang may decide otherwise than the compiler: what it depends on."""

    path: str
    offset: int
    length: int
    name: str


@dataclass(frozen=True, slots=True)
class Translated:
    """What clang is given: the files by their paths, each as long as it was, and the text that defines their names."""

    texts: Mapping[str, bytes]
    definitions: bytes
    names: Mapping[str, str] = field(default_factory=dict)  # the user's, by those that clang reads
    doubts: tuple[Doubt, ...] = ()

    def original(self, message: str) -> str:
        """A message of clang's with the user's names in it."""
        return re.sub(r"\$+\w+", lambda m: self.names.get(m[0], m[0]), message) if self.names else message


def translated(
    texts: Mapping[str, bytes],
    definitions: Definitions,
    of_clang: Callable[[], frozenset[str]],
    given: Iterable[str],
    macros: Macros,
) -> Translated:
    """The texts for clang. `definitions` are the compiler's, `of_clang` gives the names that clang defines, and `given`
    are those that the user's options define."""
    translations = {path: assembly.without_assembly(text) for path, text in texts.items()}
    named = assembly.definitions() if any(translations[path] is not texts[path] for path in texts) else ""
    texts = translations
    if not definitions:
        return Translated(texts, named.encode())
    own = own_macros()
    words: set[str] = set()
    tested: set[str] = set()
    for text in texts.values():
        words |= _words(text)
        tested |= _tested(text)
    reading = _Names(definitions, of_clang, own, frozenset(given), frozenset(tested))
    names = {name: alias for name in sorted(words) if (alias := reading.alias(name)) is not None}
    answers = asked(texts.values(), macros)
    lines = [named, *reading.lines(names), *answers.lines()]
    names |= answers.aliases
    changed = {path: _renamed(answers.replaced(text), names) for path, text in texts.items()}
    originals = {alias: name for name, alias in (*reading.aliases.items(), *answers.aliases.items())}
    doubts = _doubts(texts, definitions, answers, macros.unsettled)
    return Translated(changed, "".join(lines).encode(), originals, tuple(doubts))


@dataclass(slots=True)
class _Names:
    """Which names the user's text gets."""

    definitions: Definitions
    of_clang: Callable[[], frozenset[str]]
    own: Definitions
    given: frozenset[str]
    tested: frozenset[str]  # in conditions, or defined
    taken: set[str] = field(default_factory=set)  # names that are some other's
    aliases: dict[str, str] = field(default_factory=dict)
    values: dict[str, bool] = field(default_factory=dict)

    def alias(self, name: str) -> str | None:
        """The other name; None for one that means the same to clang."""
        if name in self.aliases:
            return self.aliases[name]
        if name in self.given or not self._differs(name):
            return None
        found = next(a for n in range(1, len(name) + 1) if (a := "$" * n + name[n:]) not in self.taken)
        self.aliases[name] = found
        self.taken.add(found)
        return found

    def _differs(self, name: str) -> bool:
        if is_keyword(name, self.own):
            return False
        if name in self.definitions:
            return self.is_value(name) or name in self.tested
        return name in self.own or (_MAY_BE_CLANGS.match(name) is not None and name in self.of_clang())

    def is_value(self, name: str) -> bool:
        """Whether a macro stands for a number or a text: for nothing that has to be declared."""
        if name not in self.values:
            self.values[name] = False  # while it is looked at
            parameters, body = self.definitions[name]
            known = set(_WORD.findall(parameters.encode())) if parameters else set()
            self.values[name] = all(self._is_value(part, known) for part in _BODY.findall(body))
        return self.values[name]

    def _is_value(self, part: str, parameters: set[bytes]) -> bool:
        if part[0].isalpha() or part[0] == "_":
            return part in _TYPES or part.encode() in parameters or (part in self.definitions and self.is_value(part))
        return part.isspace() or part in _SIGNS or part[0] in "\"'.0123456789"

    def lines(self, names: Mapping[str, str]) -> list[str]:
        """The definitions of these names, and of what they stand for."""
        lines, waiting, seen = [], list(names), set(names)
        if "CUDART_VERSION" in self.definitions:  # for cladpy's version of headers that nvcc does not include
            lines.append(f"#define CLADPY_CUDART_VERSION {self.definitions['CUDART_VERSION'][1]}\n")
        while waiting:
            name = waiting.pop(0)
            if name not in self.definitions:
                continue  # it is not defined
            parameters, body = self.definitions[name]
            parts = []
            for part in _BODY.findall(body):
                alias = None
                if (part[0].isalpha() or part[0] == "_") and part != name and part in self.definitions:
                    alias = self.alias(part)
                    if alias is not None and part not in seen:
                        seen.add(part)
                        waiting.append(part)
                parts.append(alias or part)
            lines.append(f"#define {self.aliases[name]}{parameters} {''.join(parts)}\n")
        return lines


def told_apart(texts: Iterable[bytes], names: Iterable[str]) -> bool:
    """Whether the texts may depend on one of the macros, that are defined in different ways."""
    wanted = frozenset(names)
    return any(_tested(text) & wanted or _words(text) & wanted & _SIDES for text in texts)


def is_keyword(name: str, own: Definitions) -> bool:
    """Whether cladpy's declarations define this as a part of the language, and as no number: `__global__`."""
    if name not in own:
        return False
    parameters, body = own[name]
    return bool(parameters) or not re.fullmatch(r"[\w.]*", body) or not body or body[0].isalpha()


@lru_cache(maxsize=1)
def own_macros() -> Definitions:
    """What cladpy's declarations of CUDA define, but for what is theirs alone."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted((Path(__file__).parent / "headers").glob("cladpy_*.h")):
        for name, parameters, body in _OWN.findall(path.read_text(encoding="utf-8")):
            if not name.startswith("CLADPY_"):
                found[name] = (parameters, body)
    return found


@lru_cache(maxsize=64)
def _words(text: bytes) -> frozenset[str]:
    return frozenset(w.decode() for w in _WORD.findall(text))


@lru_cache(maxsize=64)
def _tested(text: bytes) -> frozenset[str]:
    """The names in conditions, those that are defined, and those in definitions that ask for others."""
    found: set[bytes] = set()
    for kind, rest in _DIRECTIVE.findall(text):
        words = _WORD.findall(rest)
        if kind in (b"define", b"undef"):
            found |= set(words if b"defined" in words else words[:1])
        else:
            found |= set(words)
    return frozenset(w.decode() for w in found)


def _renamed(text: bytes, names: Mapping[str, str]) -> bytes:
    known = {name.encode(): alias.encode() for name, alias in names.items()}
    if not known:
        return text

    def other(found: re.Match[bytes]) -> bytes:
        word = found["word"]
        return known.get(word, word) if word is not None else found[0]

    def pushed(found: re.Match[bytes]) -> bytes:
        at = found.start(1) - found.start()
        return found[0][:at] + known.get(found[1], found[1]) + found[0][at + len(found[1]) :]

    return _PRAGMA.sub(pushed, TOKEN.sub(other, text))


def _doubts(
    texts: Mapping[str, bytes], definitions: Definitions, answers: Answers, unsettled: Iterable[str]
) -> list[Doubt]:
    """The conditions in the user's files that cannot be decided as the compiler decides them."""
    own = own_macros()
    absent = (n for n in own if n not in definitions and is_keyword(n, own))
    unknown = {n.encode() for n in (*absent, *unsettled)} | set(_COUNTED)
    bodies: dict[bytes, bytes] = {}
    for text in texts.values():
        for kind, rest in _DIRECTIVE.findall(text):
            name = _WORD.search(rest)
            if kind == b"define" and name is not None:
                bodies.setdefault(name[0], _COMMENT.sub(b" ", rest[name.end() :]))
    unknown -= bodies.keys()
    found = []
    for path, text in texts.items():
        for directive in _DIRECTIVE.finditer(text):
            if directive[1] not in (b"define", b"undef"):
                doubtful = _doubtful(_COMMENT.sub(b" ", directive[2]), unknown, bodies, answers, set())
                if doubtful is not None:
                    found.append(Doubt(path, directive.start(1), len(directive[1]), doubtful.decode()))
    return found


def _doubtful(
    text: bytes, unknown: set[bytes], bodies: Mapping[bytes, bytes], answers: Answers, seen: set[bytes]
) -> bytes | None:
    """The name that a condition depends on, be it by macros of the user's, and that is not known as the compiler's."""
    doubtful = answers.doubtful(text, bodies)
    if doubtful is not None:
        return doubtful
    names: list[bytes] = _WORD.findall(text)
    for name in names:
        if name in unknown:
            return name
        if name in bodies and name not in seen and name not in answers.within:
            seen.add(name)
            inner = _doubtful(bodies[name], unknown, bodies, answers, seen)
            if inner is not None:
                return inner
    return None
