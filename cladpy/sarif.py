"""Diagnostics as SARIF 2.1.0, which code hosts and editors show: each code is a rule, described by its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

from cladpy.diagnostics import CladpyError, Diagnostic, Span, line_of
from cladpy.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(diagnostics: Sequence[Diagnostic], texts: dict[str, str] | None = None) -> str:
    """One run with the diagnostics as results, and as rules the codes that occur; `texts` is as in `render`."""
    codes = sorted({d.code for d in diagnostics})
    driver = {"name": "cladpy", "version": __version__, "rules": [_rule(code, diagnostics) for code in codes]}
    results = [_result(d, codes.index(d.code), texts) for d in diagnostics]
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str, diagnostics: Sequence[Diagnostic]) -> dict[str, object]:
    from cladpy.explain.page import page, summary

    first = next(d for d in diagnostics if d.code == code)
    try:
        short, text = summary(code), page(code)
    except CladpyError:  # an installation without pages
        short = text = first.message
    return {
        "id": code,
        "shortDescription": {"text": short},
        "fullDescription": {"text": short},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": first.severity.value},
    }


def _result(diagnostic: Diagnostic, rule: int, texts: dict[str, str] | None) -> dict[str, object]:
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": diagnostic.message + hint},
    }
    place = _place(diagnostic.span, texts)
    if place is not None:
        result["locations"] = [place]
    related = [
        {**place, "message": {"text": note.message}}
        for note in diagnostic.notes
        if (place := _place(note.span, texts)) is not None
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _place(span: Span | None, texts: dict[str, str] | None) -> dict[str, object] | None:
    if span is None or not span.line:
        return None
    region = {
        "startLine": span.line,
        "startColumn": _column(line_of(span, texts), span.column),
        "endLine": span.end_line,
        "endColumn": _column(line_of(span, texts, span.end_line), span.end_column),
    }
    uri = quote(span.file, safe="/:<>", errors="surrogateescape")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _column(line: bytes | None, column: int) -> int:
    """A column that clang counts in bytes, as editors count."""
    if line is None:
        return column
    beyond = max(0, column - 1 - len(line))
    return len(line[: column - 1].decode(errors="replace").encode("utf-16-le")) // 2 + 1 + beyond
