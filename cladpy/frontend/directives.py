"""Directives of OpenMP and OpenACC: what each function has of them, and the statements they stand before.

clang drops them, unless it is told not to; then it hides what stands under them. So a file with directives is read a
second time, as compilers read it that mind them, and clang prints its functions: that says which directives there are,
whatever macros they come out of. Where they stand is found in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from cladpy.diagnostics import Span
from cladpy.frontend.definitions import definitions
from cladpy.frontend.files import Files
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.offloading import on_host
from cladpy.frontend.refused import Refused
from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.unit import TranslationUnit

# What makes clang mind them; the compilers that do define the macro.
READ_WITH = {"omp": "-fopenmp", "acc": "-fopenacc"}

_TOKEN = re.compile(
    rb'R"([^()\\\s]{0,16})\(.*?\)\1"'
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|\d(?:[\w.]|'(?=\w))*"
    rb"|'(?:\\.|[^'\\\n])*'"
    rb"|//(?:\\\r?\n|[^\n])*"
    rb"|/\*.*?\*/"
    rb"|(?P<line>(?<![^\n])[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)"
    rb"|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*pragma[ \t]+((?:omp|acc)\b.*)", re.DOTALL)
_DEFINITION = re.compile(rb"[ \t]*#[ \t]*define[ \t]+(\w+)(.*)", re.DOTALL)
_OPERATOR = re.compile(rb'\s*\(\s*"((?:\\.|[^"\\\n])*)"\s*\)')
_BLANK = re.compile(rb"(?:\s|\\\r?\n|//(?:\\\r?\n|[^\n])*|/\*.*?\*/)*", re.DOTALL)
_LINE = re.compile(rb"#(?:\\\r?\n|/\*.*?\*/|[^\n])*", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NAMED = re.compile(rb"\b(?:omp|acc)\b")
_LIKELY = re.compile(rb"#[ \t]*pragma[ \t]+(?:omp|acc)\b")
_OPERATOR_NAME = re.compile(rb"\b_Pragma\b|\b__pragma\b")
_OPERATORS = frozenset((b"_Pragma", b"__pragma"))
_PRINTED = re.compile(r"(?m)^[ \t]*#pragma ((?:omp|acc) .*)$")
_OWN_VARIABLES = re.compile(rb"threadprivate\s*\(([^()]*)\)")
_ERROR, _FATAL = 3, 4

# What changes no value where one thread runs all of it.
_HARMLESS = re.compile(
    r"omp (?:barrier|taskwait|taskyield|flush|master|masked|single(?: nowait| copyprivate)?|critical|ordered)"
    r"(?: ?\([^()]*\))?"
    r"|omp atomic(?: (?:update|write|read|relaxed|seq_cst|acq_rel|acquire|release))*"
    r"|omp (?:begin |end )?declare (?:simd|target|reduction)\b.*"
    r"|acc routine\b.*"
)
_COMMENTS = (b"//", b"/*")
_ONE_THREAD = re.compile(r"omp (?:atomic|critical|ordered)\b")
_BEGINS = re.compile(r"\b(?:parallel|target|teams|task|taskloop|dispatch)\b")
_SIMD = re.compile(r"omp simd(?: (?:safelen|simdlen|aligned|nontemporal|if|collapse|order)\((?:[^()]|\([^()]*\))*\))*")


@dataclass(frozen=True)
class Directive:
    """One directive of a function. `before` are the places in the file at which what stands under it may begin."""

    said: str  # as clang prints it; as it is written where clang does not know it
    span: Span
    start: int | None  # None: it is not known where it stands
    before: frozenset[int]
    is_known: bool = True  # clang has read all of it

    @cached_property
    def text(self) -> str:
        """What it says to the host."""
        return on_host(self.said)

    @property
    def name(self) -> str:
        return f"'#pragma {self.said}'"

    @property
    def is_for_one_thread(self) -> bool:
        """Whether one thread at a time runs what stands under it."""
        return _ONE_THREAD.match(self.text) is not None

    @property
    def may_begin_team(self) -> bool:
        """Whether several threads may run what stands under it, other than those that run the function."""
        return not self.is_known or _BEGINS.search(self.text) is not None or not self.text.startswith("omp ")

    @property
    def is_harmless(self) -> bool:
        """Whether it leaves each value as it is, where one thread runs all."""
        return bool(_HARMLESS.fullmatch(self.text) or _SIMD.fullmatch(self.text))

    def refusal(self) -> Refused:
        return Refused("CP0134", self.span, self.name)


class Directives:
    """Those of one translation unit."""

    def __init__(
        self,
        files: Files,
        snapshot: Snapshot,
        given: Sequence[str],
        read: Callable[[], TranslationUnit],
        minds_openmp: bool,
    ) -> None:
        """`given` are the definitions of the options; `read` reads the file as compilers do that mind directives."""
        self._files = files
        self._snapshot = snapshot
        self._given = [text.encode(errors="surrogateescape") for text in given]
        self._read = read
        self._minds_openmp = minds_openmp
        self._seen: set[Directive] = set()
        self._known: dict[tuple[str, int, int], list[Directive]] = {}
        self._regions: dict[str, list[_Written]] = {}

    @cached_property
    def any(self) -> bool:
        """Whether the text may hold directives at all."""
        texts = (*self._snapshot.texts.values(), *self._given)
        return any(map(_LIKELY.search, texts)) or (
            any(map(_NAMED.search, texts)) and any(map(_OPERATOR_NAME.search, texts))
        )

    def within(self, function: Cursor) -> Pending:
        """What the definition of a function has of them, those of functions in it included."""
        if not self.any or function.in_system_header:
            return Pending((), self._seen)
        path, start, end = self._files.place(function)
        around = next((f for f in self._functions if f.path == path and f.start <= start and end <= f.end), None)
        if around is None:  # it is another program to such compilers
            around = _Function(path, start, end, None, False)
        key = (path, around.start, around.end)
        if key not in self._known:
            self._known[key] = self._placed(around, self._files.span(function))
        return Pending([d for d in self._known[key] if d.start is None or start <= d.start < end], self._seen)

    @cached_property
    def _functions(self) -> list[_Function]:
        unit = self._read()
        errors = [m for m in unit.messages() if m.severity >= _ERROR]
        is_whole = not any(m.severity >= _FATAL for m in errors)
        found = []
        for cursor in definitions(unit.cursor):
            file, _, _, start, _, _, end = cursor.extent()
            path = unit.file_name(file)
            is_right = is_whole and not any(m.file == path and start <= m.offset < end for m in errors)
            found.append(_Function(path, start, end, cursor, is_right))
        return found

    def _placed(self, function: _Function, span: Span) -> list[Directive]:
        """The function's directives where they are written; those of which that is not known at its start."""
        written = [w for w in self._written(function.path) if function.start <= w.start < function.end]
        if not self._minds_openmp:
            written = [w for w in written if w.is_macro or not w.text.startswith("omp")]
        if function.cursor is None or not function.is_right:
            return [self._directive(function.path, w, w.text, is_known=False) for w in written]
        printed = _PRINTED.findall(function.cursor.printed_whole)
        placed = _matched(written, printed)
        found = [
            self._directive(function.path, written[i], printed[j], _likeness(written[i], printed[j]) != _ALIKE)
            for i, j in placed
        ]
        left = [text for j, text in enumerate(printed) if all(j != other for _, other in placed)]
        at_start = [Directive(text, span, None, frozenset()) for text in left]
        return [*at_start, *found]

    def _directive(self, path: str, written: _Written, text: str, is_known: bool) -> Directive:
        whole = self._files.contents(path)
        line = whole.count(b"\n", 0, written.start) + 1
        column = written.start - whole.rfind(b"\n", 0, written.start)
        shown = whole[written.start : written.end].split(b"\n")[0].rstrip(b"\\\r ")
        span = Span(self._files.name(path), line, column, line, column + max(1, len(shown)))
        before = frozenset(_beginnings(whole, written, self._macros))
        return Directive(text, span, written.start, before, is_known and self.own_variables is not None)

    @cached_property
    def own_variables(self) -> frozenset[str] | None:
        """The names of variables of which each thread has one all the time; None where they cannot be told."""
        found: set[str] = set()
        for text in (*self._snapshot.texts.values(), *self._given):
            for token in _saying(b"threadprivate", text):
                lists = _OWN_VARIABLES.findall(token)
                if len(lists) != token.count(b"threadprivate"):
                    return None
                found |= {word.decode() for names in lists for word in _WORD.findall(names)}
        return frozenset(found)

    # ---- the text ---------------------------------------------------------------------------------------------------

    def _written(self, path: str) -> list[_Written]:
        if path not in self._regions:
            self._regions[path] = list(_in_text(self._files.contents(path), self._macros, self._telling))
        return self._regions[path]

    @cached_property
    def _bodies(self) -> dict[bytes, bytes]:
        """The macros of the program, each with all that it may stand for."""
        found: dict[bytes, bytes] = {}
        for text in self._snapshot.texts.values():
            for token in _TOKEN.finditer(text):
                defined = _DEFINITION.match(token["line"]) if token["line"] is not None else None
                if defined is not None:
                    found[defined[1]] = found.get(defined[1], b"") + b" " + defined[2]
        for definition in self._given:
            name, _, body = definition.partition(b"=")
            found[name.partition(b"(")[0]] = body
        return found

    @cached_property
    def _macros(self) -> frozenset[bytes]:
        """Those that pragmas come out of."""
        return frozenset(_reaching(self._bodies, lambda body: not _OPERATORS.isdisjoint(_WORD.findall(body))))

    @cached_property
    def _telling(self) -> frozenset[bytes]:
        """Those that name OpenMP or OpenACC."""
        return frozenset(_reaching(self._bodies, lambda body: _NAMED.search(body) is not None))


@dataclass(slots=True)
class Pending:
    """The directives of a function while it is being read."""

    all: Sequence[Directive]
    _seen: set[Directive]  # of the whole unit
    _waiting: dict[int, list[Directive]] = field(init=False)

    def __post_init__(self) -> None:
        self._waiting = {}
        for directive in self.all:
            for place in directive.before:
                self._waiting.setdefault(place, []).append(directive)

    def before(self, place: int) -> list[Directive]:
        """Those before the statement, or the end of a block, that begins at this byte of the file."""
        found = self._waiting.pop(place, []) if self._waiting else []
        for directive in found:
            self._seen.add(directive)
            for other in directive.before:
                self._waiting.pop(other, None)
        return found

    def at(self, place: int) -> list[Directive]:
        """The same, but they wait on."""
        return self._waiting.get(place, [])

    @contextmanager
    def staying(self) -> Iterator[None]:
        """Those that are found meanwhile wait on, for statements that are read twice."""
        waiting = dict(self._waiting)
        try:
            yield
        finally:
            self._waiting = waiting

    def discard(self, start: int, end: int) -> None:
        """Passes over those in a part of the function that is not compiled."""
        self._seen.update(d for d in self.all if d.start is not None and start <= d.start < end)

    @property
    def unseen(self) -> list[Directive]:
        """Those that no statement was found for."""
        return [d for d in self.all if d not in self._seen]


NONE = Pending((), set())


@dataclass(frozen=True, slots=True)
class _Function:
    """A function as compilers see it that mind directives; `cursor` is None where they do not see it."""

    path: str
    start: int
    end: int
    cursor: Cursor | None
    is_right: bool  # nothing is wrong in it


@dataclass(frozen=True, slots=True)
class _Written:
    """What a directive, or several, may come out of: itself, or the use of a macro."""

    text: str
    start: int
    end: int
    is_macro: bool


def _in_text(text: bytes, macros: frozenset[bytes], telling: frozenset[bytes]) -> Iterator[_Written]:
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        line, word = token["line"], token["word"]
        if line is not None and (directive := _DIRECTIVE.match(line)) is not None:
            start = token.start() + line.index(b"#")
            yield _Written(_plain(directive[1]), start, at, is_macro=False)
        elif word in _OPERATORS and (operand := _OPERATOR.match(text, at)) is not None:
            at = operand.end()
            content = re.sub(rb"\\(.)", rb"\1", operand[1])
            if _NAMED.match(content):
                yield _Written(_plain(content), token.start(), at, is_macro=False)
        elif word in macros:
            at = _after_arguments(text, at)
            use = text[token.start() : at]
            if word in telling or _NAMED.search(use) or not telling.isdisjoint(_WORD.findall(use)):
                yield _Written(_plain(use), token.start(), at, is_macro=True)


def _beginnings(text: bytes, written: _Written, macros: frozenset[bytes]) -> Iterator[int]:
    """Where what stands under a directive may begin: behind it, or at pragmas of another kind in between."""
    if written.is_macro:
        yield written.start
    at = written.end
    while True:
        blank = _BLANK.match(text, at)
        assert blank is not None
        at = blank.end()
        yield at
        line = _LINE.match(text, at)
        word = _WORD.match(text, at)
        if line is not None:
            at = line.end()
        elif word is not None and (word[0] in _OPERATORS or word[0] in macros):
            at = _after_arguments(text, word.end())
        else:
            return


def _after_arguments(text: bytes, at: int) -> int:
    """The end of a macro's use whose name ends at `at`."""
    blank = _BLANK.match(text, at)
    assert blank is not None
    start = blank.end()
    if text[start : start + 1] != b"(":
        return at
    depth = 0
    for token in re.finditer(rb'"(?:\\.|[^"\\\n])*"|[()]', text[start:]):
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        if depth == 0:
            return start + token.end()
    return at


def _reaching(bodies: Mapping[bytes, bytes], tells: Callable[[bytes], bool]) -> set[bytes]:
    """The macros of which the body, or that of another which it names, is of this kind."""
    names = {name: set(_WORD.findall(body)) for name, body in bodies.items()}
    found = {name for name, body in bodies.items() if tells(body)}
    while True:
        more = {name for name, named in names.items() if name not in found and not named.isdisjoint(found)}
        if not more:
            return found
        found |= more


def _matched(written: Sequence[_Written], printed: Sequence[str]) -> list[tuple[int, int]]:
    """Which of the directives in the text clang has printed: the longest row of both that agree. Those that are left
    are under conditions of the preprocessor that do not hold."""
    best: list[list[tuple[int, tuple[tuple[int, int], ...]]]] = [[(0, ())] * (len(printed) + 1)]
    for i, one in enumerate(written):
        row: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
        for j, other in enumerate(printed):
            likeness = _likeness(one, other)
            together = best[i][j]
            choices = [best[i][j + 1], row[j]]
            if likeness:
                choices.append((together[0] + likeness, (*together[1], (i, j))))
            row.append(max(choices, key=lambda c: c[0]))
        best.append(row)
    return list(best[-1][-1][1])


_ALIKE, _SAME = 2, 3


def _likeness(written: _Written, printed: str) -> int:
    """How well the text of a directive goes with what clang printed; 0 where it is another."""
    if written.is_macro:
        return 1
    one, other = _words(written.text), _words(printed)
    return _SAME if one == other else _ALIKE if one[:2] == other[:2] else 0


def _words(directive: str) -> list[str]:
    """Its name and those of its clauses."""
    while "(" in directive:
        shorter = re.sub(r"\([^()]*\)", " ", directive)
        if shorter == directive:
            break
        directive = shorter
    return re.findall(r"\w+", directive)


def _plain(text: bytes) -> str:
    """A directive on one line, without comments."""
    text = re.sub(rb"//[^\n]*|/\*.*?\*/|\\\r?\n", b" ", text, flags=re.DOTALL)
    return " ".join(text.decode("utf-8", errors="replace").split())


def _saying(word: bytes, text: bytes) -> list[bytes]:
    """The tokens of a text that have a word in them, but for comments."""
    if word not in text:
        return []
    return [m[0] for m in _TOKEN.finditer(text) if word in m[0] and not m[0].startswith(_COMMENTS)]
