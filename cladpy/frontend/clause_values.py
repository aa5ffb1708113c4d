"""Numbers that clauses of OpenMP's directives are given: arithmetic of variables, read from clang's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.ir.surface import COMPARISONS, Binary, BinaryOp, Expr, Literal, Unary, UnaryOp, VarRef
from cladpy.ir.types import BOOL, DOUBLE, LONG, Scalar, Type, is_floating

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\d+(?![\w.])|[<>=!]=|&&|\|\||[-+*/%<>!()])")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)


def value_of(text: str, type: Type, scope: FunctionReader, span: Span) -> Expr | None:
    """The value of a clause's text; None for what is no arithmetic of whole numbers and of variables of the function
    whose names are not used twice."""
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        tokens.append(token[1])
        at = token.end()
    try:
        reader = _Reader(tokens, scope, span)
        found = reader.level(0)
        return convert(found, type) if reader.is_done else None
    except _Unknown:
        return None


class _Unknown(Exception):
    pass


class _Reader:
    def __init__(self, tokens: list[str], scope: FunctionReader, span: Span) -> None:
        self._tokens = [*tokens, ""]
        self._at = 0
        self._scope = scope
        self._span = span

    @property
    def is_done(self) -> bool:
        return self._at == len(self._tokens) - 1

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def level(self, level: int) -> Expr:
        """Operators that bind as strongly as these, or more."""
        if level == len(_LEVELS):
            return self._operand()
        left = self.level(level + 1)
        while self._tokens[self._at] in _LEVELS[level]:
            op = BinaryOp(self._next())
            right = self.level(level + 1)
            common = BOOL if op in (BinaryOp.AND, BinaryOp.OR) else DOUBLE if _has_floating(left, right) else LONG
            type = BOOL if op in COMPARISONS else common
            left = Binary(op, convert(left, common), convert(right, common), type, self._span)
        return left

    def _operand(self) -> Expr:
        word = self._next()
        if word.isdigit():
            return Literal(int(word), LONG, self._span)
        if word == "(":
            inner = self.level(0)
            if self._next() != ")":
                raise _Unknown
            return inner
        if word in ("-", "!"):
            operand = self._operand()
            type = BOOL if word == "!" else DOUBLE if _has_floating(operand) else LONG
            return Unary(UnaryOp(word), convert(operand, type), type, self._span)
        symbol = self._scope.named(word)
        if symbol is None or not isinstance(symbol.type, Scalar):
            raise _Unknown
        return VarRef(symbol, symbol.type, self._span)


def _has_floating(*operands: Expr) -> bool:
    return any(is_floating(e.type) for e in operands)
