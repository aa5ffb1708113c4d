"""Which of the user's pullbacks belongs to which function.

One of a free function has its name, in the same namespaces. Those of methods, operators and constructors have names
without punctuation (`norm_pullback`, `operator_plus_pullback`, `constructor_pullback`) in any namespace, and are told
apart by their first parameters: the object's pointer, the operands, or all that a constructor takes.
"""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import VOID, Pointer, Struct

_WORDS = {
    "+": "plus", "-": "minus", "*": "star", "/": "slash", "%": "percent", "^": "caret", "&": "amp", "|": "pipe",
    "~": "tilde", "!": "exclaim", "=": "equal", "<": "less", ">": "greater", ",": "comma",
}  # fmt: skip
_NAMES = {"()": "call", "[]": "subscript", "->": "arrow"}


def belongs(custom: s.CustomPullback, symbol: FunctionSymbol) -> bool:
    """Whether a pullback is that of a function; its signature may still be wrong."""
    operator = _operator(symbol)
    if not symbol.is_method and operator is None:
        return custom.primal_name == symbol.qualified_name
    name, first = symbol.name.partition("<")[0], 1
    if operator is not None:
        name = operator
        first = 1 if symbol.is_method else len(symbol.parameters)
    elif is_constructor(symbol):
        name, first = "constructor", len(symbol.parameters)
    given = tuple(map(unqualified, custom.parameters[:first]))
    return custom.primal_name.rpartition("::")[2] == name and given == tuple(
        map(unqualified, symbol.parameters[:first])
    )


def is_constructor(symbol: FunctionSymbol) -> bool:
    if not symbol.is_method or symbol.result != VOID:
        return False
    object = symbol.parameters[0]
    assert isinstance(object, Pointer)
    assert isinstance(object.pointee, Struct)
    return symbol.name.partition("<")[0] == object.pointee.spelling.partition("<")[0].rpartition("::")[2]


def returns_object(symbol: FunctionSymbol) -> bool:
    """Whether an operator gives the object that it was called on, as assignments do."""
    return symbol.is_method and symbol.name.startswith("operator") and symbol.name.endswith("=")


def _operator(symbol: FunctionSymbol) -> str | None:
    """`operator+=` as `operator_plus_equal`."""
    sign = symbol.name.removeprefix("operator").strip() if symbol.name.startswith("operator") else ""
    if sign in _NAMES:
        return f"operator_{_NAMES[sign]}"
    if not sign or any(c not in _WORDS for c in sign):
        return None
    return "operator_" + "_".join(_WORDS[c] for c in sign)
