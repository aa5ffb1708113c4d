"""Rules of C++'s operators on numbers, in the form of a function's; x and y are the operands."""

from __future__ import annotations

from cladpy.derivatives.forms import function
from cladpy.derivatives.rule import MathRule
from cladpy.ir.surface import BinaryOp, UnaryOp

_ANY = (-5.0, 5.0)

UNARY: dict[UnaryOp, MathRule] = {
    UnaryOp.PLUS: function("+", "T(1)", on=_ANY),
    UnaryOp.NEG: function("-", "T(-1)", on=_ANY),
}
BINARY: dict[BinaryOp, MathRule] = {
    BinaryOp.ADD: function("+", "T(1)", "T(1)", on=_ANY),
    BinaryOp.SUB: function("-", "T(1)", "T(-1)", on=_ANY),
    BinaryOp.MUL: function("*", "y", "x", on=_ANY),
    # a quotient by what is infinite is zero
    BinaryOp.DIV: function("/", "T(1) / y", "-x / (y * y)", on=(_ANY, (0.5, 3.0)), singular=True, flattens="y"),
}
CONVERSION: MathRule = function("(T)", "T(1)", on=_ANY)
