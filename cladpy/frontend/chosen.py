"""Which of the user's pullbacks C++ chooses for a function, where it has to choose: among templates, among overloads
that are alike, and for an instance of a template.

clang itself says so: the file is read once more with a function behind it for each signature that a pullback may have,
which calls it by its name. What is chosen is what emitted code calls, with its template arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import combinations

from cladpy.diagnostics import Note, Sink, Span
from cladpy.frontend.custom import Declared, type_name
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.names import qualified_name, without_paths
from cladpy.frontend.unit import Message, TranslationUnit
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.customs import Signature, belongs, name_in_any_namespace, signatures
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import Pointer, Type, declare, spell, strip_reference

_SCOPE = "cladpy_lookup_chosen"
_ERROR = 3
_SIDES = {FunctionKind.DEVICE: "device", FunctionKind.HOST: "host", FunctionKind.HOST_DEVICE: "host, device"}
_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict|__restrict__)\b|\s+")


@dataclass(frozen=True, slots=True)
class _Probe:
    """A function that calls a pullback; `start` and `end` are its bytes in the text."""

    name: str
    signature: Signature
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Question:
    """A function, and what there is of one name that may be its pullback."""

    callee: FunctionSymbol
    named: list[Declared]
    states: tuple[Type, ...]


def chosen(
    functions: Iterable[s.Function],
    declared: Sequence[Declared],
    forwards: Sequence[s.CustomForward],
    ask: Callable[[bytes], AbstractContextManager[tuple[TranslationUnit, Files, int]]],
    sink: Sink,
) -> tuple[s.CustomPullback, ...]:
    """The pullbacks of functions for which C++ has to choose; where there is none, one that has a fault.

    `ask` gives the file with more text behind it as clang reads it, and the byte at which that text begins.
    """
    questions = [q for callee in _called(functions) for q in _questions(callee, declared, forwards)]
    if not questions:
        return ()
    text = f"\nnamespace {_SCOPE} {{\n"
    asked: list[list[_Probe]] = []
    for i, question in enumerate(questions):
        asked.append([])
        for signature in {x.parameters: x for x in signatures(question.callee, question.states)}.values():
            name = f"probe_{i}_{len(asked[-1])}"
            line = _call(name, question, signature)
            asked[-1].append(_Probe(name, signature, len(text.encode()), len((text + line).encode())))
            text += line
    with ask(f"{text}}}\n".encode()) as (unit, files, offset):
        reader = _Answers(unit, files, offset)
        found = [reader.answer(q, probes) for q, probes in zip(questions, asked, strict=True)]
    return tuple(c for q, c in zip(questions, found, strict=True) if not _is_passed_over(q, c, sink))


def _called(functions: Iterable[s.Function]) -> dict[FunctionSymbol, None]:
    """The functions that are called, but for kernels."""
    found: dict[FunctionSymbol, None] = {}
    for function in functions:
        for expr in surface_walk.expressions(function.body):
            for e in surface_walk.walk(expr):
                match e:
                    case s.Call(callee=callee) | s.Construct(constructor=callee) if callee is not None:
                        found.setdefault(callee)
    return {f: None for f in found if f.kind is not FunctionKind.KERNEL}


def _questions(
    callee: FunctionSymbol, declared: Sequence[Declared], forwards: Sequence[s.CustomForward]
) -> Iterator[_Question]:
    """One for each namespace that has pullbacks of a function's name, where C++ has to choose in any."""
    name = name_in_any_namespace(callee)
    is_instance = name is None and callee.qualified_name.endswith(">")
    plain = _without_arguments(callee.qualified_name) if is_instance else callee.qualified_name
    scopes: dict[str, list[Declared]] = {}
    for d in declared:
        is_of_name = d.primal_name == plain if name is None else d.primal_name.rpartition("::")[2] == name
        if is_of_name and (name is None or _may_belong(d, callee)):
            scopes.setdefault(d.qualified_name, []).append(d)
    if is_instance or any(d.pullback is None or _are_alike(named) for named in scopes.values() for d in named):
        for named in scopes.values():
            forward = next((f for f in forwards if f.primal_name == named[0].primal_name and not is_instance), None)
            kept = () if forward is None else forward.parameters[len(callee.parameters) + 1 :]
            yield _Question(callee, named, tuple(t.pointee for t in kept if isinstance(t, Pointer)))


def _may_belong(declared: Declared, callee: FunctionSymbol) -> bool:
    """Whether a pullback may be that of a method, an operator or a constructor by its first parameter."""
    if declared.pullback is not None:
        return belongs(declared.pullback, callee)
    return declared.first in (None, type_name(spell(callee.parameters[0])))


def _without_arguments(name: str) -> str:
    """`ns::f<T<int>>` as `ns::f`."""
    depth = 0
    for i in range(len(name) - 1, -1, -1):
        depth += {">": 1, "<": -1}.get(name[i], 0)
        if not depth:
            return name[:i]
    return name


def _are_alike(named: Sequence[Declared]) -> bool:
    """Whether of two overloads one takes all that the other does, but for references and what has a default."""
    taken = [[strip_reference(unqualified(t)) for t in d.pullback.parameters] for d in named if d.pullback is not None]
    return any(all(x == y for x, y in zip(a, b, strict=False)) for a, b in combinations(taken, 2))


def _call(name: str, question: _Question, signature: Signature) -> str:
    parameters = ", ".join(declare(t, f"p{i}") for i, t in enumerate(signature.parameters))
    given = ", ".join(f"p{i}" for i in range(len(signature.parameters)))
    sides = " ".join(f"__attribute__(({side}))" for side in _SIDES[question.callee.kind].split(", "))
    return f"{sides} inline void {name}({parameters}) {{ ::{question.named[0].qualified_name}({given}); }}\n"


def _is_passed_over(question: _Question, found: s.CustomPullback, sink: Sink) -> bool:
    """Whether a pullback is one of other instances of a template, which is then said: this one has its own body."""
    callee = question.callee
    taken = len(callee.parameters)
    plain = name_in_any_namespace(callee) is None
    own = tuple(map(unqualified, callee.parameters))
    meant = any(
        plain or d.first is not None
        if d.pullback is None
        else tuple(map(unqualified, d.pullback.parameters[:taken])) == own or not plain
        for d in question.named
    )
    if found.fault is None or found.fault.ambiguous or meant:
        return False
    fewest = list(signatures(callee))[-1].parameters
    sink.warning(
        "CP0408",
        f"the custom derivative '{found.qualified_name}' is not used for '{callee.qualified_name}'",
        found.span,
        hint=f"its parameters would have to be ({', '.join(map(spell, fewest))}); write one with these, or a template",
    )
    return True


class _Answers:
    """What clang has made of the calls."""

    def __init__(self, unit: TranslationUnit, files: Files, offset: int) -> None:
        self._files = files
        self._offset = offset
        self._errors = [m for m in unit.messages() if m.severity >= _ERROR]
        self._main = unit.main
        scopes = [c for c in unit.cursor.children() if c.kind == CursorKind.NAMESPACE and c.spelling == _SCOPE]
        self._probes = {c.spelling: c for scope in scopes for c in scope.children()}

    def answer(self, question: _Question, probes: Sequence[_Probe]) -> s.CustomPullback:
        first = question.named[0]
        faults: list[s.Fault] = []
        for probe in probes:
            error = next((m for m in self._errors if self._concerns(m, probe)), None)
            function = None if error is not None else _callee(self._probes[probe.name])
            if function is not None and self._fits(function, self._probes[probe.name]):
                definition = function.template or function
                name = qualified_name(function, with_arguments=True)
                named = [p for p in definition.children() if p.kind == CursorKind.PARM_DECL]
                return s.CustomPullback(
                    first.primal_name,
                    name,
                    probe.signature.parameters,
                    self._files.span(definition),
                    frozenset(i for i, p in enumerate(named) if not p.spelling),
                    question.callee,
                )
            faults.append(self._fault(error, function))
        fault = next((f for f in faults if f.ambiguous), faults[-1])
        return s.CustomPullback(
            first.primal_name, first.qualified_name, (), first.span, callee=question.callee, fault=fault
        )

    def _concerns(self, message: Message, probe: _Probe) -> bool:
        """Whether an error stands in the call, or in what the call has made of a template."""
        return any(
            m.file == self._main and probe.start <= m.offset - self._offset < probe.end
            for m in (message, *message.notes)
        )

    @staticmethod
    def _fits(function: Cursor, probe: Cursor) -> bool:
        """Whether a pullback takes just what it is given, but for what is const, and values by reference to const."""
        taken, given = function.type.canonical.parameters, probe.type.canonical.parameters
        return all(_plain(t) == _plain(g) for t, g in zip(taken, given, strict=False))

    def _fault(self, error: Message | None, function: Cursor | None) -> s.Fault:
        if error is None:
            notes = (
                [] if function is None else [Note("this one is called with conversions", self._files.span(function))]
            )
            return s.Fault(False, tuple(notes))
        ambiguous = error.text.endswith("is ambiguous")
        told = error.notes if error.file == self._main and error.offset >= self._offset else (error, *error.notes)
        places = [n for n in told if not (n.file == self._main and n.offset >= self._offset)]
        said = ["this one fits" if ambiguous else without_paths(n.text) for n in places]
        return s.Fault(ambiguous, tuple(Note(t, self._place(n)) for t, n in zip(said, places, strict=True)))

    def _place(self, message: Message) -> Span:
        return Span(self._files.name(message.file), message.line, message.column, message.line, message.column + 1)


def _callee(probe: Cursor) -> Cursor | None:
    waiting = probe.children()
    while waiting:
        cursor = waiting.pop()
        if cursor.kind == CursorKind.CALL_EXPR and not cursor.referenced.is_null:
            return cursor.referenced
        waiting += cursor.children()
    return None


def _plain(type: ClangType) -> str:
    """A type's name without qualifiers, and without a reference to what is const."""
    referee = type.pointee
    if type.spelling.endswith("&") and not type.spelling.endswith("&&") and referee.is_const:
        type = referee
    return _QUALIFIERS.sub("", type.spelling)
