"""What the preprocessor knows without a definition: `__has_builtin(x)`, `__has_cpp_attribute(x)` and their like.

clang would answer for itself. The compiler is asked instead, which need not even know the question: then its name is
no macro. Questions that stand in a macro of the user's, `#define HAS(x) __has_attribute(x)`, are asked with each word
that this macro is given.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from cladpy.toolchain.predefined import Macros

_NAMES = (
    b"__has_builtin", b"__has_attribute", b"__has_cpp_attribute", b"__has_feature", b"__has_extension",
    b"__has_warning", b"__has_declspec_attribute", b"__has_constexpr_builtin", b"__has_c_attribute", b"__is_identifier",
    b"__is_target_arch", b"__is_target_vendor", b"__is_target_os", b"__is_target_environment",
)  # fmt: skip
_ANY = re.compile(rb"\b(?:" + b"|".join(_NAMES) + rb")\b")
_CALL = re.compile(rb"\b(" + b"|".join(_NAMES) + rb")[ \t]*\([ \t]*([\w:]+)[ \t]*\)")
_DEFINE = re.compile(rb"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:\\\r?\n|[^\n])*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
# Where there is no compiler: what g++ 12 knows, and attributes of which the standard says the answer.
_KNOWN = (b"__has_builtin", b"__has_attribute", b"__has_cpp_attribute")
_STANDARD = frozenset(
    (b"noreturn", b"deprecated", b"fallthrough", b"nodiscard", b"maybe_unused", b"likely", b"unlikely")
)
_ANSWER = "cladpy_answer_"


@dataclass(frozen=True, slots=True)
class Answers:
    """What the compiler says. `values` are by question, as `__has_builtin(x)` without blanks."""

    known: frozenset[bytes] = frozenset()  # names that are macros to the compiler
    unknown: frozenset[bytes] = frozenset()  # and those of clang's that are none
    values: dict[bytes, int] = field(default_factory=dict)
    within: dict[bytes, frozenset[bytes]] = field(default_factory=dict)  # the user's macros that ask, and what they ask
    is_standard: bool = False  # nobody could be asked

    def replaced(self, text: bytes) -> bytes:
        """The text with the answers in the place of questions, as long as it was."""
        if not self.values or _ANY.search(text) is None:
            return text
        kept = {at for definition in _DEFINE.finditer(text) for at in _of_parameters(definition)}

        def value(found: re.Match[bytes]) -> bytes:
            answer = self.values.get(_question(found[1], found[2]))
            if answer is None or found.start() in kept:
                return found[0]
            return b"%dL" % answer + b" " * (len(found[0]) - len(b"%dL" % answer))

        return _CALL.sub(value, text)

    @property
    def aliases(self) -> dict[str, str]:
        """Other names for those that clang must not answer."""
        asked = {name for names in self.within.values() for name in names} & self.known
        if self.is_standard:
            asked = set()
        return {n.decode(): "$" + n.decode()[1:] for n in {*self.unknown, *asked}}

    def lines(self) -> list[str]:
        """The definitions of other names for what the user's macros ask."""
        lines = []
        for name in sorted(set(self.aliases) - {n.decode() for n in self.unknown}):
            lines.append(f"#define ${name[1:]}(x) {_ANSWER}{name}_##x\n")
            for question, value in sorted(self.values.items()):
                asked, _, word = question.decode().rstrip(")").partition("(")
                if asked == name and word.isidentifier():
                    lines.append(f"#define {_ANSWER}{name}_{word} {value}\n")
        return lines

    def doubtful(self, text: bytes, macros: Container[bytes]) -> bytes | None:
        """The first name in a condition whose answer is not known: as where it is asked with one of the user's
        `macros`. What these stand for is not looked at."""
        for word in _WORD.finditer(text):
            name, rest = word[0], text[word.end() :]
            if name in self.within:
                argument = re.match(rb"\s*\(\s*([A-Za-z_]\w*)\s*\)", rest)
                asked = self.within[name] & self.known
                if asked and (argument is None or argument[1] in macros or not self._knows(asked, argument[1])):
                    return name
            elif name in self.known and rest.lstrip().startswith(b"("):
                call = _CALL.match(text, word.start())
                if call is None or call[2] in macros or not self._knows([name], call[2]):
                    return name
        return None

    def _knows(self, names: Iterable[bytes], argument: bytes) -> bool:
        if self.is_standard:
            return argument in _STANDARD and set(names) == {b"__has_cpp_attribute"}
        return all(_question(name, argument) in self.values for name in names)


def asked(texts: Iterable[bytes], macros: Macros) -> Answers:
    """The answers to what the texts ask."""
    texts = [text for text in texts if _ANY.search(text) is not None]
    names = sorted({name for text in texts for name in _ANY.findall(text)})
    if not names:
        return Answers()
    within, questions = _questions(texts)
    defined = macros.answers([f"defined({n.decode()})" for n in names])
    if defined is None:
        known = frozenset(n for n in names if n in _KNOWN)
        return Answers(known, frozenset(names) - known, {}, within, is_standard=True)
    known = frozenset(n for n, is_known in zip(names, defined, strict=True) if is_known)
    wanted = [q for q in sorted(questions) if q.partition(b"(")[0] in known]
    values = macros.answers([q.decode() for q in wanted])
    found = dict(zip(wanted, values, strict=True)) if values is not None else {}
    return Answers(known, frozenset(names) - known, found, within)


def _questions(texts: Iterable[bytes]) -> tuple[dict[bytes, frozenset[bytes]], set[bytes]]:
    """The user's macros that ask what they are given, with the names that they ask, and all questions."""
    within: dict[bytes, set[bytes]] = {}
    questions: set[bytes] = set()
    definitions = [d for text in texts for d in _DEFINE.finditer(text)]
    for text in texts:
        kept = {at for definition in _DEFINE.finditer(text) for at in _of_parameters(definition)}
        questions |= {_question(m[1], m[2]) for m in _CALL.finditer(text) if m.start() not in kept}
    changed = True
    while changed:
        changed = False
        for definition in definitions:
            asks = {c[1] for c in _CALL.finditer(definition[3]) if c[2] in _parameters(definition)}
            asks |= {a for w in _WORD.findall(definition[3]) for a in within.get(w, ())}
            if asks - within.get(definition[1], set()):
                within.setdefault(definition[1], set()).update(asks)
                changed = True
    for name, asks in within.items():
        given = re.compile(rb"\b" + name + rb"[ \t]*\([ \t]*([A-Za-z_]\w*)[ \t]*\)")
        words = {w for text in texts for w in given.findall(text)}
        questions |= {_question(a, w) for a in asks for w in words}
    return {name: frozenset(asks) for name, asks in within.items()}, questions


def _of_parameters(definition: re.Match[bytes]) -> list[int]:
    """Where in the text a macro's definition asks for what the macro is given."""
    calls = _CALL.finditer(definition.string, definition.start(3), definition.end(3))
    return [c.start() for c in calls if c[2] in _parameters(definition)]


def _parameters(definition: re.Match[bytes]) -> list[bytes]:
    return _WORD.findall(definition[2])


def _question(name: bytes, argument: bytes) -> bytes:
    return name + b"(" + argument + b")"
