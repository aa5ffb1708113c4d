"""Diagnostics as SARIF 2.1.0, which code hosts and editors show: each code is a rule, described by its page."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from cladpy.diagnostics import CladpyError, Diagnostic, Span, line_of
from cladpy.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def as_sarif(diagnostics: Sequence[Diagnostic], texts: dict[str, str] | None = None) -> str:
    """One run with the diagnostics as results, and as rules the codes that occur; `texts` is as in `render`."""
    codes = sorted({d.code for d in diagnostics})
    driver = {"name": "cladpy", "version": __version__, "rules": [_rule(code, diagnostics) for code in codes]}
    results = [_result(d, codes.index(d.code), texts) for d in diagnostics]
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
        "results": results,
    }
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
    if diagnostic.patch:
        result["fixes"] = [_fix(diagnostic, texts)]
    return result


def _fix(diagnostic: Diagnostic, texts: dict[str, str] | None) -> dict[str, object]:
    changes = []
    for file in dict.fromkeys(e.span.file for e in diagnostic.patch):
        replacements = [
            {"deletedRegion": _region(e.span, texts), "insertedContent": {"text": e.text}}
            for e in diagnostic.patch
            if e.span.file == file
        ]
        changes.append({"artifactLocation": _file(file), "replacements": replacements})
    return {"description": {"text": diagnostic.hint or diagnostic.message}, "artifactChanges": changes}


def _place(span: Span | None, texts: dict[str, str] | None) -> dict[str, object] | None:
    if span is None or not span.line:
        return None
    return {"physicalLocation": {"artifactLocation": _file(span.file), "region": _region(span, texts)}}


def _region(span: Span, texts: dict[str, str] | None) -> dict[str, object]:
    return {
        "startLine": span.line,
        "startColumn": _column(line_of(span, texts), span.column),
        "endLine": span.end_line,
        "endColumn": _column(line_of(span, texts, span.end_line), span.end_column),
    }


def _file(name: str) -> dict[str, object]:
    """A file by its way from the working directory, which code hosts take for the repository's root; one that lies
    elsewhere by all of its path, and a text that is no file by its name."""
    if name.startswith("<"):
        return {"uri": quote(name, safe="<>")}
    path, here = Path(os.path.abspath(name)), Path.cwd()
    if here not in path.parents:
        return {"uri": path.as_uri()}
    return {"uri": quote(path.relative_to(here).as_posix(), errors="surrogateescape"), "uriBaseId": _ROOT}


def _column(line: bytes | None, column: int) -> int:
    """A column that clang counts in bytes, as editors count."""
    if line is None:
        return column
    beyond = max(0, column - 1 - len(line))
    return len(line[: column - 1].decode(errors="replace").encode("utf-16-le")) // 2 + 1 + beyond
