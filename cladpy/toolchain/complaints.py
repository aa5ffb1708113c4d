"""What the host's compiler says of the user's own files, as a diagnostic in place of the compiler's output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cladpy.diagnostics import CompilationError, Diagnostic, Note, Severity, Span
from cladpy.resources import custom_derivatives_dir
from cladpy.source import Source

# What the compiler says, and what the assembler does of `asm`.
_ERROR = re.compile(r"^(.+?):(\d+):(?:(\d+): (?:fatal )?error| Error): (.+)$", re.MULTILINE)
_MORE = 3


def complaint(
    output: str, compiler: str, text: str, source: Source, dependencies: Sequence[str | Path], hint: str = ""
) -> CompilationError | None:
    """An error that shows the first complaints; None where the first one is about what cladpy has written, or about
    headers of the system.

    `text`, `source` and `dependencies` are those of the unit that was compiled; `hint` is in place of what the host
    backend advises.
    """
    shown = str(source.path) if source.path is not None else source.name
    files = {str(Path(d).resolve()) for d in dependencies} | {shown}

    above = _lines_above(text, source.text)

    def place(file: str, line: int, column: int) -> Span | None:
        """Where this is in the user's files, if it is. What lies beside the source is found there by a link, and
        source that is no file may stand in the unit."""
        name = file.replace('\\"', '"')
        if source.path is not None and name.startswith("beside/"):
            name = str((source.path.parent / name.removeprefix("beside/")).resolve())
        elif name == "unit.cpp" and above is not None and above < line <= above + len(source.text.splitlines()):
            name, line = shown, line - above
        elif name == source.name:  # as it stands in a unit that has its text
            name = shown
        if name not in files or Path(name).is_relative_to(custom_derivatives_dir()):
            return None
        return Span(name, line, column, line, column + 1)

    found = [(place(f, int(line), int(column or 1)), message) for f, line, column, message in _ERROR.findall(output)]
    if not found or found[0][0] is None:
        return None
    (span, first), *others = found
    notes = tuple(Note(message, at) for at, message in others[:_MORE])
    if len(others) > _MORE:
        notes = (*notes, Note(f"{compiler} reports {len(others) - _MORE} more errors"))
    if not hint:
        hint = (
            "the host backend compiles the whole file, but for functions and types that the gradient does not need, "
            "with cladpy's headers in the place of CUDA's: move what else it does not need to another file, or use the "
            "cuda backend"
        )
    diagnostic = Diagnostic(
        "CP0012",
        Severity.ERROR,
        f"{compiler} does not compile this: {first}",
        span,
        notes,
        hint,
    )
    error = CompilationError([diagnostic], {shown: source.text})
    error.places = tuple(at for at, _ in found if at is not None)
    return error


def _lines_above(text: str, source: str) -> int | None:
    """How many lines of a unit stand above the source, where it holds that."""
    body = source.strip()
    at = text.find(body)
    return text.count("\n", 0, at) - source.count("\n", 0, source.find(body)) if at >= 0 else None
