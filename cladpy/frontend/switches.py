"""`switch` statements: labels, and the statements between one label and the next.

Where a label stands in another statement, control comes into the middle of that. `entered.py` then writes the switch
with a flag that says whether a label has been met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.edits import Edit
from cladpy.frontend.conversions import convert, convert_value
from cladpy.frontend.entered import Entered
from cladpy.frontend.files import Files, Header, scan_header
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import AlreadyReported, Refused
from cladpy.ir.surface import Block, Declare, Expr, Stmt, Switch, SwitchSection
from cladpy.ir.types import Scalar, is_integer, promote, spell

if TYPE_CHECKING:
    from cladpy.frontend.statements import Statements

_LABELS = (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_BETWEEN = re.compile(rb"\s*,[\s*&]*")
_WORD = re.compile(rb"\w+")
_SPACE = re.compile(rb"\s*")
_RANGE = re.compile(rb"case\s+(-?(?:0|[1-9]\d*))\s*\.\.\.\s*(-?(?:0|[1-9]\d*))")  # what begins with 0 is octal
_MOST_LABELS = 64  # that are written one by one for the user


@dataclass(frozen=True, slots=True)
class Label:
    """One `case` or `default` (None), and the statement that it stands before."""

    value: int | None
    cursor: Cursor
    inner: Cursor | None


def read_switch(cursor: Cursor, span: Span, statements: Statements, files: Files) -> list[Stmt]:
    """Raises Refused for ranges of values, and where libclang does not show what is in the header."""
    children = cursor.children()
    before = _init_statement(cursor, span, children[-2:], statements, files)
    if children[0].kind == CursorKind.VAR_DECL:
        before.append(_declared(children.pop(0), statements))
    value = statements.expressions.read(children[0])
    if not isinstance(value.type, Scalar) or not is_integer(value.type):
        raise Refused("CP0199", span, f"a switch over '{spell(value.type)}'")
    value, body = convert(value, promote(value.type)), children[1]
    parts = body.children() if body.kind == CursorKind.COMPOUND_STMT else [body]
    if any(_is_within(part) for part in parts):
        before += _entered(value, body, span, statements, files)
    else:
        before += _in_sections(value, parts, span, statements, files)
    return [Block(tuple(before), span)] if len(before) > 1 else before


def read_label(cursor: Cursor, span: Span, entered: Entered, statements: Statements) -> list[Stmt]:
    """A label that stands in another statement, with what it stands before."""
    label = entered.label(cursor.node)
    return [entered.met(label.value, span), *([] if label.inner is None else statements.read(label.inner))]


def _in_sections(value: Expr, parts: list[Cursor], span: Span, statements: Statements, files: Files) -> list[Stmt]:
    """All labels stand directly in the braces."""
    assert isinstance(value.type, Scalar)
    before: list[Stmt] = []
    sections: list[SwitchSection] = []
    for child in parts:
        labels: list[int | None] = []
        at = files.span(child)
        inner: Cursor | None = child
        while inner is not None and inner.kind in _LABELS:
            label = _label(inner, value.type, files)
            inner = label.inner
            labels.append(label.value)
        if not labels and not sections and child.kind != CursorKind.DECL_STMT:
            continue  # control never comes here
        found = statements.read(inner) if inner is not None else []
        if labels:
            sections.append(SwitchSection(tuple(labels), tuple(found), at))
        elif sections:
            last = sections[-1]
            sections[-1] = SwitchSection(last.labels, (*last.body, *found), last.span)
        else:
            # a name may be used after a label, but nothing has been done for it by then
            before += (Declare(d.symbol, None, d.span) for d in found if isinstance(d, Declare))
    return [*before, Switch(value, tuple(sections), span)]


def _entered(value: Expr, body: Cursor, span: Span, statements: Statements, files: Files) -> list[Stmt]:
    assert isinstance(value.type, Scalar)
    labels = {cursor.node: _label(cursor, value.type, files) for cursor in _labels(body)}
    with statements.entering(Entered(value, labels, span)) as entered:
        return entered.switch(statements.block(body))


def _labels(cursor: Cursor) -> Iterator[Cursor]:
    """The labels of a switch, outermost first; those of a switch or a lambda in it are others."""
    if cursor.kind in _LABELS:
        yield cursor
    if cursor.kind not in (CursorKind.SWITCH_STMT, CursorKind.LAMBDA_EXPR):
        for child in cursor.children():
            yield from _labels(child)


def _is_within(part: Cursor) -> bool:
    """Whether a label stands in a statement of the braces, and not directly before it."""
    while part.kind in _LABELS:
        inner = part.children()
        if not inner:
            return False
        part = inner[-1]
    return next(_labels(part), None) is not None


def _label(cursor: Cursor, type: Scalar, files: Files) -> Label:
    children = cursor.children()
    if cursor.kind == CursorKind.DEFAULT_STMT:
        return Label(None, cursor, children[0] if children else None)
    if len(children) == 3:
        raise Refused("CP0122", files.span(cursor), patch=_one_by_one(cursor, children[1], files))
    value = children[0].evaluate()
    converted = convert_value(value, type) if value is not None else None
    if converted is None:
        raise Refused("CP0199", files.span(children[0]), "a case label whose value is not known")
    return Label(int(converted), cursor, children[1] if len(children) > 1 else None)


def _one_by_one(cursor: Cursor, last: Cursor, files: Files) -> tuple[Edit, ...]:
    """A label for each value of a range; nothing where it is long, or not written with two numbers."""
    file, start, end = cursor.extent()[0], cursor.extent()[3], last.extent()[6]
    written = _RANGE.fullmatch(files.text(file)[start:end])
    if written is None or not 0 <= int(written[2]) - int(written[1]) < _MOST_LABELS:
        return ()
    labels = ": ".join(f"case {i}" for i in range(int(written[1]), int(written[2]) + 1))
    return (files.edit(file, start, end, labels),)


# ---- init-statements ------------------------------------------------------------------------------------------------


def _init_statement(
    cursor: Cursor, span: Span, shown: list[Cursor], statements: Statements, files: Files
) -> list[Stmt]:
    """What stands before the semicolon in the header. libclang does not show it; it shows what a name refers to."""
    header = files.header(cursor, b"switch")
    if header is None:
        if _has_semicolon(cursor, files):
            raise Refused("CP0129", span, "switch")
        return []
    if not header.semicolons:
        return []
    file = cursor.extent()[0]
    found: dict[tuple[int, int], Cursor] = {}
    for part in shown:
        for name in _names(part):
            declaration = name.referenced
            in_file, _, _, start, _, _, end = declaration.extent()
            is_here = in_file == file and header.opening < start and end <= header.semicolons[0]
            if is_here and declaration.kind == CursorKind.VAR_DECL:
                found.setdefault(declaration.key, declaration)
    declared = sorted(found.values(), key=lambda d: d.extent()[6])
    if not _are_all(declared, header, files.text(file)):
        end = cursor.extent()[6]
        inside = slice(header.opening + 1, header.semicolons[0] + 1)
        before = files.text(file)[inside].decode(errors="surrogateescape").strip()
        between = _SPACE.match(files.text(file), inside.stop)
        assert between is not None
        patch = (
            files.edit(file, cursor.extent()[3], cursor.extent()[3], f"{{ {before} "),
            files.edit(file, inside.start, between.end(), ""),
            files.edit(file, end, end, " }"),
        )
        raise Refused("CP0127", span, patch=patch)
    return [_declared(d, statements) for d in declared]


def _declared(cursor: Cursor, statements: Statements) -> Declare:
    declared = statements.declare(cursor)
    if declared is None:
        raise AlreadyReported
    return declared


def _names(cursor: Cursor) -> Iterator[Cursor]:
    if cursor.kind == CursorKind.DECL_REF_EXPR:
        yield cursor
    for child in cursor.children():
        yield from _names(child)


def _are_all(declared: list[Cursor], header: Header, text: bytes) -> bool:
    """Whether these variables, in order, are all that an init-statement is made of."""
    at = header.opening + 1
    for position, cursor in enumerate(declared):
        start, end, name = cursor.extent()[3], cursor.extent()[6], cursor.name_at()[0]
        gap = text[at : name if position else start]
        if not (_BETWEEN.fullmatch(_COMMENT.sub(b" ", gap)) if position else not _COMMENT.sub(b"", gap).strip()):
            return False
        at = end
    return bool(declared) and not _COMMENT.sub(b"", text[at : header.semicolons[0]]).strip()


def _has_semicolon(cursor: Cursor, files: Files) -> bool:
    """Whether the header of a switch that comes out of a macro has an init-statement."""
    spelled = scan_header(files.spelled(cursor), 0, b"switch")
    if spelled is not None:
        return bool(spelled.semicolons)
    file, _, _, offset, _, _, _ = cursor.extent()
    word = _WORD.match(files.text(file), offset)
    header = None if word is None else scan_header(files.text(file), offset, word[0])
    return header is not None and bool(header.semicolons)
