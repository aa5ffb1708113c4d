"""Changes of the user's files: what a hint asks for, where that is a change of the text which can be made by itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cladpy.diagnostics import Span

# How something is marked as nondifferentiable: in full, or by a macro that is called after it.
MARK = (
    r"(?:__attribute__\s*\(\(\s*annotate\s*\(\s*\"\w+\"\s*\)\s*\)\)"
    r"|\w*(?:[nN]on_?[dD]iff|NON_?DIFF)\w*(?![\w(]))"
)
NO_LINE_BREAK = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` takes the place of what stands at `span`; where that ends as it begins, it is inserted."""

    span: Span
    text: str


def offsets(span: Span, text: bytes) -> tuple[int, int]:
    """Where a span begins and ends in its file's text, in bytes (without a byte order mark)."""
    starts = [0, *(m.end() for m in re.finditer(rb"\n", text))]
    first, last = (starts[min(line, len(starts)) - 1] for line in (span.line, span.end_line))
    return first + span.column - 1, last + span.end_column - 1


def edited(text: bytes, edits: Iterable[Edit]) -> bytes:
    """A file's text after edits of it that do not overlap."""
    found = text
    for start, end, new in sorted(((*offsets(e.span, text), e.text) for e in edits), reverse=True):
        found = found[:start] + new.encode(errors="surrogateescape") + found[end:]
    return found


def compatible(patches: Iterable[Sequence[Edit]]) -> list[Edit]:
    """The edits of as many patches as can be made together, each edit once; of two that overlap the first is taken."""
    taken: list[Edit] = []
    for patch in patches:
        new = [e for e in patch if e not in taken]
        if not any(_meet(e.span, other.span) for e in new for other in taken):
            taken += new
    return taken


def _meet(one: Span, other: Span) -> bool:
    """Whether two spans have something in common, or begin at one place."""
    if one.file != other.file:
        return False
    first, last = sorted(((s.line, s.column), (s.end_line, s.end_column)) for s in (one, other))
    return first[1] > last[0] or first[0] == last[0]


def shown(patch: Sequence[Edit], line_of: Callable[[Span, int], bytes | None]) -> list[str]:
    """The lines that a patch changes, before and after, with their numbers; none where the source cannot be read."""
    found: list[str] = []
    several = len({e.span.file for e in patch}) > 1
    for file, lines in _groups(patch):
        edits = [e for e in patch if e.span.file == file and e.span.line in lines]
        old = [line_of(edits[0].span, n) for n in lines]
        known = [line for line in old if line is not None]
        if len(known) < len(old):
            return []
        moved = [Edit(_moved(e.span, 1 - lines.start), e.text) for e in edits]
        new = edited(b"\n".join(known), moved).split(b"\n")
        while known and new and known[-1] == new[-1]:
            known, new = known[:-1], new[:-1]
        found += [f"in {file}:"] if several else []
        for sign, all in (("-", known), ("+", new)):
            numbered = enumerate((line.decode(errors="replace") for line in all), lines.start)
            found += [f"{n:5} {sign} {line}" for n, line in numbered if line or sign == "-"]
    return found


def _groups(patch: Sequence[Edit]) -> list[tuple[str, range]]:
    """The files and lines that a patch touches, as ranges that are apart."""
    groups: list[tuple[str, range]] = []
    for edit in sorted(patch, key=lambda e: e.span):
        first, stop = edit.span.line, edit.span.end_line + 1
        if groups and groups[-1][0] == edit.span.file and first < groups[-1][1].stop:
            first, stop = groups[-1][1].start, max(groups[-1][1].stop, stop)
            groups.pop()
        groups.append((edit.span.file, range(first, stop)))
    return groups


def _moved(span: Span, lines: int) -> Span:
    return type(span)(span.file, span.line + lines, span.column, span.end_line + lines, span.end_column)


def unified(name: str, old: str, new: str) -> str:
    """What changes in a file, as `patch -p0` takes it."""
    found = []
    for line in difflib.unified_diff(_lines(old), _lines(new), name, name):
        found.append(line if line.endswith("\n") else f"{line}\n{NO_LINE_BREAK}")
    return "".join(found)


def _lines(text: str) -> list[str]:
    """With their ends; `splitlines` would end lines at form feeds too."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)
