"""String literals that initialise arrays of characters."""

from __future__ import annotations

import re

from cladpy.diagnostics import Span
from cladpy.edits import Edit
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import InitList, Literal
from cladpy.ir.types import Array, Scalar, ScalarKind

_CHARACTERS = (ScalarKind.CHAR, ScalarKind.SCHAR, ScalarKind.UCHAR)
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_PREFIXED = re.compile(r"""(?:u8|[uUL])"([ !#-&(-\[\]-~]*)\"""")
_PIECE = re.compile(rb"\\([0-7]{1,3})|\\x([0-9a-fA-F]+)|\\(.)|(.)", re.DOTALL)


def characters(cursor: Cursor, type: Array, span: Span, *, is_whole: bool = False) -> InitList:
    """The characters of a literal, with the zero at its end and those that fill the array. `is_whole` says that nothing
    else stands at `span`."""
    text = cursor.spelling
    element = type.element
    plain = text.startswith('"') and text.endswith('"')
    if not plain or not isinstance(element, Scalar) or element.kind not in _CHARACTERS:
        raise Refused("CP0126", span, patch=_listed(text, span) if is_whole else ())
    codes = [_code(m) for m in _PIECE.finditer(text[1:-1].encode())][: type.length]
    codes += [0] * (type.length - len(codes))
    if element.kind is not ScalarKind.UCHAR:
        codes = [c - 256 if c > 127 else c for c in codes]
    return InitList(tuple(Literal(c, element, span) for c in codes), type, span)


def _listed(text: str, span: Span) -> tuple[Edit, ...]:
    """The characters of a literal with a prefix as a list, where they are those that every encoding has."""
    found = _PREFIXED.fullmatch(text)
    if found is None or span.end_column - span.column != len(text):  # as of a macro
        return ()
    listed = ", ".join(f"'{c}'" for c in (*found[1], r"\0"))
    return (Edit(span, f"{{{listed}}}"),)


def _code(piece: re.Match[bytes]) -> int:
    octal, hexadecimal, escaped, plain = piece.groups()
    if octal is not None:
        return int(octal, 8) & 255
    if hexadecimal is not None:
        return int(hexadecimal, 16) & 255
    if escaped is not None:
        return _ESCAPES.get(escaped.decode("latin-1"), escaped[0])
    return int(plain[0])
