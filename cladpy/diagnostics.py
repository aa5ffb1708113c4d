"""Diagnostics in the manner of clang: code, position, source line, caret, notes and a hint.

A stage that finds a fault in the user's program reports it to a `Sink` and goes on where it can, so that one run
shows several; `Sink.raise_if_errors` then ends the stage with a `DifferentiationError`. Faults in how cladpy itself is
called are the other exceptions below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from cladpy.decoding import decoded
from cladpy.edits import Edit, offsets, shown


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source: a file's name and 1-based lines and columns; the end column is one past the last."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("<generated>", 0, 0, 0, 0)


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


def place_as_json(span: Span | None) -> dict[str, object] | None:
    """Where something is, for machines; None for nowhere."""
    if span is None or not span.line:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


@dataclass(frozen=True, slots=True)
class Note:
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` (such as CP0103) is stable; `hint` says what the user can do. `lacking` is the argument that
    would have to get an adjoint, for callers whose users do not name arguments. `patch` are the edits that follow the
    hint, where it asks for a change of the text that can be made by itself: all of them together."""

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    hint: str | None = None
    lacking: str | None = None
    patch: tuple[Edit, ...] = ()

    def render(self, texts: dict[str, str] | None = None) -> str:
        """The diagnostic as text; `texts` holds sources that are not files (a string passed to `gradient`)."""
        where = _where(self.span)
        parts = [f"{where}{self.severity.value}: {self.message} [{self.code}]", *_excerpt(self.span, texts)]
        for note in self.notes:
            parts += [f"{_where(note.span)}note: {note.message}", *_excerpt(note.span, texts)]
        if self.hint:
            parts.append(f"hint: {self.hint}")
        parts += shown(self.patch, lambda span, number: line_of(span, texts, number))
        return _visible("\n".join(parts))

    def as_json(self, texts: dict[str, str] | None = None) -> dict[str, object]:
        """What docs/diagnostics.md describes; `texts` is as in `render`."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "span": place_as_json(self.span),
            "notes": [{"message": n.message, "span": place_as_json(n.span)} for n in self.notes],
            "hint": self.hint,
            "patch": [_edit_as_json(e, texts) for e in self.patch],
        }


def _edit_as_json(edit: Edit, texts: dict[str, str] | None) -> dict[str, object]:
    text = text_of(edit.span.file, texts)
    start, end = (None, None) if text is None else offsets(edit.span, text.encode(errors="surrogateescape"))
    return {"span": place_as_json(edit.span), "start": start, "end": end, "text": edit.text}


def _where(span: Span | None) -> str:
    """A name of a file cannot begin a line of its own."""
    return f"{span}: ".replace("\n", "?") if span and span.line else ""


def _visible(text: str) -> str:
    """Without what a terminal takes for commands."""
    return _CONTROLS.sub("?", text)


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _excerpt(span: Span | None, texts: dict[str, str] | None) -> list[str]:
    """The source line with a caret under the span, or nothing where the source cannot be read."""
    if span is None or not span.line:
        return []
    raw = line_of(span, texts)
    if raw is None:
        return []
    # clang counts columns in bytes; bytes that are no UTF-8 are shown replaced
    line = raw.decode(errors="replace")
    start = len(raw[: span.column - 1].decode(errors="replace"))
    end = len(line)
    if span.end_line == span.line:
        end = len(raw[: span.end_column - 1].decode(errors="replace"))
    under = "".join("\t" if c == "\t" else " " for c in line[:start]) + "^" + "~" * max(0, end - start - 1)
    return [f"{span.line:5} | {line}", f"      | {under}"]


def line_of(span: Span, texts: dict[str, str] | None, number: int = 0) -> bytes | None:
    """The bytes of the line where a span begins, or of another line of its file; None where that cannot be read."""
    text = text_of(span.file, texts)
    if text is None:
        return None
    line = number or span.line
    lines = text.split("\n", line)
    return lines[line - 1].rstrip("\r").encode(errors="surrogateescape") if line <= len(lines) else None


def text_of(file: str, texts: dict[str, str] | None) -> str | None:
    """What a file holds, be it one of `texts`, that are no files; None where that cannot be read."""
    text = (texts or {}).get(file)
    try:
        return decoded(Path(file).read_bytes()) if text is None else text
    except OSError:
        return None


class CladpyError(Exception):
    """Base of every error that cladpy raises on purpose."""


class UsageError(CladpyError, ValueError):
    """cladpy was called with something that makes no sense: an unknown option, a missing file."""


class LaunchError(CladpyError, ValueError):
    """Arguments, grid or block of an execute call do not fit; raised before anything is launched."""


class ArgumentTypeError(LaunchError, TypeError):
    """An argument of an execute call has the wrong dtype, kind or device."""


class TapeError(LaunchError):
    """A tape that has been used, or closed, or that another gradient made; nothing was launched."""


class ToolchainError(CladpyError, RuntimeError):
    """A compiler is missing or failed; the text holds its output, or what it says of the user's files."""


class BackendError(CladpyError, RuntimeError):
    """A backend is not available here, or the device reported an error."""


@dataclass(frozen=True, slots=True)
class Nonfinite:
    """Where a gradient made with `trace_nonfinite` met an adjoint that is infinite or no number, or a zero one that met
    a partial which is.

    `adjoint_of` is the value whose adjoint it is, as the program spells it, and `adjoint` what it is; of a zero adjoint
    it is the partial, and `adjoint_of` is empty. `cotangent` came in. `operands` are the values that the statement
    reads. `line` and `source` are those of the statement; 0 and empty where it is the sum of what threads add to the
    adjoint of a number. `function` is the one in whose gradient it is: a function that the `kernel` calls, or itself.
    `thread` and `block` are None outside of kernels.
    """

    kernel: str
    function: str
    file: str
    line: int
    source: str
    adjoint_of: str
    adjoint: float
    cotangent: float
    operands: dict[str, float | int]
    thread: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    is_sum: bool = False

    @property
    def where(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else ""
        inside = f"'{self.kernel}'" + (f", in '{self.function}'" if self.function != self.kernel else "")
        thread = "" if self.thread is None else f", thread {self.thread} of block {self.block}"
        source = f"\n{self.line:5} | {self.source}" if self.source else ""
        return f"{place}the gradient of {inside}{thread}{source}"

    @property
    def values(self) -> str:
        operands = "".join(f"\n  {name} = {value!r}" for name, value in self.operands.items())
        came = "what was added" if self.is_sum else "the cotangent that came in"
        return f"\n  {came}: {self.cotangent!r}{operands}"


class NonfiniteError(CladpyError, ArithmeticError):
    """An adjoint is infinite or no number, in a gradient made with `trace_nonfinite`. `found` has the facts, which are
    attributes of the error too."""

    def __init__(self, found: Nonfinite) -> None:
        self.found = found
        self.kernel, self.function = found.kernel, found.function
        self.file, self.line, self.source = found.file, found.line, found.source
        self.adjoint_of, self.adjoint, self.cotangent = found.adjoint_of, found.adjoint, found.cotangent
        self.operands, self.thread, self.block = found.operands, found.thread, found.block
        sum = "a sum in " if found.is_sum else ""
        super().__init__(f"{sum}the adjoint of '{found.adjoint_of}' is {found.adjoint!r}\n{found.where}{found.values}")

    def __reduce__(self) -> tuple[type[NonfiniteError], tuple[Nonfinite]]:
        return NonfiniteError, (self.found,)


class DifferentiationError(CladpyError):
    """The program cannot be differentiated. `diagnostics` holds what was found, `str()` shows it rendered. `read` has
    the files beside the source by which that was found, and digests of them (SHA-256)."""

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        texts: dict[str, str] | None = None,
        read: dict[str, str] | None = None,
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.texts = dict(texts or {})
        self.read = dict(read or {})
        super().__init__("\n".join(d.render(self.texts) for d in self.diagnostics))


class CompilationError(DifferentiationError, ToolchainError):
    """A compiler does not compile the user's own files; `places` are all those that it complains of."""

    places: tuple[Span, ...] = ()


class CladpyWarning(UserWarning):
    """What `cladpy.gradient` says of a request, and a call of its arguments, where it goes on all the same."""


class ZeroTimesNonfinite(CladpyWarning):
    """A zero adjoint met an infinite partial, or one that is no number, in a gradient made with `trace_nonfinite`: the
    product of both counts as zero. `found` has the facts."""

    def __init__(self, found: Nonfinite) -> None:
        self.found = found
        super().__init__(
            f"an adjoint that is zero met the partial {found.adjoint!r}, and their product counts as zero\n"
            f"{found.where}{found.values}"
        )

    def __reduce__(self) -> tuple[type[ZeroTimesNonfinite], tuple[Nonfinite]]:
        return ZeroTimesNonfinite, (self.found,)


@dataclass(slots=True)
class Sink:
    """Collects the diagnostics of a run, each once. `texts` are sources that need not be files; `read` are the files
    beside them, with digests."""

    texts: dict[str, str] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)

    def report(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
        patch: tuple[Edit, ...] = (),
    ) -> None:
        self.report(Diagnostic(code, Severity.ERROR, message, span, notes, hint, patch=patch))

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
    ) -> None:
        self.report(Diagnostic(code, Severity.WARNING, message, span, notes, hint))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.found if d.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.found if d.severity is Severity.WARNING)

    def raise_if_errors(self) -> None:
        if self.errors:
            raise self.failure()

    def failure(self) -> DifferentiationError:
        """What was found, as an exception."""
        return DifferentiationError(self.found, self.texts, self.read)

    def follows(self, span: Span | None, pattern: str, replacement: str) -> tuple[Edit, ...]:
        """The edit that rewrites what stands where a span begins, if that is what the pattern says, and not something
        that a macro stands for; else none. The replacement may name groups of the pattern."""
        line = None if span is None or not span.line else line_of(span, self.texts)
        found = None if line is None or span is None else re.compile(pattern.encode()).match(line, span.column - 1)
        if found is None or span is None:
            return ()
        place = Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)
        return (Edit(place, found.expand(replacement.encode()).decode(errors="surrogateescape")),)


def render(diagnostics: Iterable[Diagnostic], texts: dict[str, str] | None = None, form: str = "text") -> str:
    """Diagnostics as text, JSON or SARIF 2.1.0."""
    diagnostics = tuple(diagnostics)
    if form == "text":
        return "\n".join(d.render(texts) for d in diagnostics)
    if form == "json":
        return json.dumps([d.as_json(texts) for d in diagnostics], indent=2)
    from cladpy.sarif import as_sarif  # only this asks for it

    return as_sarif(diagnostics, texts)
