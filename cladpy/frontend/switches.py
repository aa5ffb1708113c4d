"""`switch` statements: labels, and the statements between one label and the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert, convert_value
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import AlreadyReported, Refused
from cladpy.ir.surface import Block, Stmt, Switch, SwitchSection
from cladpy.ir.types import Scalar, is_integer, promote, spell

if TYPE_CHECKING:
    from cladpy.frontend.statements import Statements


def read_switch(cursor: Cursor, span: Span, statements: Statements, files: Files) -> list[Stmt]:
    """Raises Refused for labels that stand elsewhere than directly in the braces, and for ranges of values."""
    header = files.header(cursor, b"switch")
    if header is not None and header.semicolons:
        raise Refused("CP0127", span)  # libclang does not show the init-statement
    children = cursor.children()
    before: list[Stmt] = []
    if children[0].kind == CursorKind.VAR_DECL:
        declared = statements.declare(children.pop(0))
        if declared is None:
            raise AlreadyReported
        before.append(declared)
    value = statements.expressions.read(children[0])
    if not isinstance(value.type, Scalar) or not is_integer(value.type):
        raise Refused("CP0199", span, f"a switch over '{spell(value.type)}'")
    type = promote(value.type)
    body = children[1]
    sections: list[SwitchSection] = []
    for child in body.children() if body.kind == CursorKind.COMPOUND_STMT else [body]:
        labels: list[int | None] = []
        at = files.span(child)
        inner: Cursor | None = child
        while inner is not None and inner.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
            label, inner = _label(inner, type, files)
            labels.append(label)
        found = statements.read(inner) if inner is not None else []
        if labels:
            sections.append(SwitchSection(tuple(labels), tuple(found), at))
        elif sections:
            last = sections[-1]
            sections[-1] = SwitchSection(last.labels, (*last.body, *found), last.span)
        elif child.kind != CursorKind.NULL_STMT:
            raise Refused("CP0128", at)
    statement = Switch(convert(value, type), tuple(sections), span)
    return [Block((*before, statement), span)] if before else [statement]


def _label(cursor: Cursor, type: Scalar, files: Files) -> tuple[int | None, Cursor | None]:
    """A label's value (None for default), and the statement that it stands before."""
    children = cursor.children()
    if cursor.kind == CursorKind.DEFAULT_STMT:
        return None, children[0] if children else None
    if len(children) == 3:
        raise Refused("CP0122", files.span(cursor))
    value = children[0].evaluate()
    converted = convert_value(value, type) if value is not None else None
    if converted is None:
        raise Refused("CP0199", files.span(children[0]), "a case label whose value is not known")
    return int(converted), children[1] if len(children) > 1 else None
