"""The findings as a page that stands by itself: nothing is loaded from elsewhere, and there is no script in it. It is
also what a notebook shows of a gradient."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from textwrap import dedent

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CudaLexer

from cladpy.diagnostics import Span
from cladpy.explain.lines import Annotated, Line
from cladpy.explain.report import Kind
from cladpy.explain.text import kind_of, role, sections
from cladpy.templating import template_named

_STYLES = {"light": "default", "dark": "github-dark"}  # of Pygments


@dataclass(frozen=True, slots=True)
class _Row:
    """A line as it is shown: `line` is that of the source which it comes from, 0 if it comes from none of it."""

    html: Markup
    line: int
    emitted: Line | None = None
    notes: tuple[str, ...] = ()


def as_html(found: Annotated, *, whole: bool = True) -> str:
    """The page; where it is not to be `whole`, an element with a style of its own, to stand in another page."""
    lines = found.lines[: len(found.lines) - (not found.lines[-1].text)]
    code = [
        _Row(html, _line(found, line.span), line)
        for html, line in zip(_highlighted("\n".join(line.text for line in lines)), lines, strict=True)
    ]
    notes = _notes(found)
    source = [
        _Row(html, number, None, tuple(notes.get(number, ())))
        for number, html in enumerate(_highlighted(found.source.rstrip("\n")), 1)
    ]
    linked = sorted({row.line for row in code if row.line})
    return template_named("page.html.j2").render(
        whole=whole,
        report=found.report,
        counts=Counter(kind_of(u) for f in found.report.functions for u in f.updates),
        kinds=[k for k in Kind if any(line.kind is k for line in lines)],
        mentioned=lambda span: _line(found, span),
        name=found.name,
        source=source,
        code=code,
        first={line: next(n for n, row in enumerate(code, 1) if row.line == line) for line in linked},
        warnings=[w.render({found.name: found.source}) for w in found.warnings],
        sections=sections,
        kind_of=kind_of,
        role=role,
        told=lambda said: dedent("\n".join(said)),
        styles={name: HtmlFormatter(style=s).get_token_style_defs(".cladpy code") for name, s in _STYLES.items()},
        key=_key([found.source, *(line.text for line in lines)]),
    )


def _key(texts: list[str]) -> str:
    """How ids begin, so that there may be several gradients in a page."""
    return "c" + hashlib.sha256("\n".join(texts).encode(errors="surrogateescape")).hexdigest()[:8]


def _highlighted(text: str) -> list[Markup]:
    """C++ text line by line, with spans that end with their line."""
    html = highlight(text, CudaLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True))
    return [Markup(line) for line in html.removesuffix("\n").split("\n")]  # noqa: S704 - Pygments escapes what it is given


def _line(found: Annotated, span: Span | None) -> int:
    return span.line if span is not None and span.file == found.name else 0


def _notes(found: Annotated) -> dict[int, list[str]]:
    """What the tape keeps for loops, by their lines in the source."""
    notes: dict[int, list[str]] = {}
    for function in found.report.functions:
        for loop in function.loops:
            text = f"keeps {', '.join(loop.values)}: {loop.bytes} bytes \N{MULTIPLICATION SIGN} {loop.iterations}"
            notes.setdefault(_line(found, loop.span), []).append(text)
    return notes
