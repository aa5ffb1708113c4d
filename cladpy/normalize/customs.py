"""Which of the user's pullbacks belongs to which function.

One of a free function has its name, in the same namespaces. Those of methods, operators and constructors have names
without punctuation (`norm_pullback`, `operator_plus_pullback`, `constructor_pullback`) in any namespace, and are told
apart by their first parameters: the object's pointer, the operands, or all that a constructor takes.
"""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import VOID, Pointer, Reference, Struct
from cladpy.order import scan

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


def given_back(symbol: FunctionSymbol, function: s.Function | None) -> int | None:
    """The position of the argument that a function gives back as a reference, or as the pointer that it was given; None
    where what it gives is not always the same argument."""
    if returns_object(symbol):
        return 0
    if function is None:
        return None
    found = {_position(r.value, function) for r in surface_walk.returns(function.body)}
    return found.pop() if len(found) == 1 else None


def _position(value: s.Expr | None, function: s.Function) -> int | None:
    """Which parameter a returned expression stands for, or points to."""
    by_reference = isinstance(function.symbol.result, Reference)
    while isinstance(value, s.Cast):
        value = value.operand
    match value:
        case s.Deref(operand=s.VarRef(symbol=symbol)) if by_reference:
            pass
        case s.AddressOf(operand=s.VarRef(symbol=symbol)) if not by_reference and isinstance(symbol.type, Reference):
            pass
        case s.VarRef(symbol=symbol) if isinstance(symbol.type, Reference) is by_reference:
            pass
        case _:
            return None
    moved = scan.Assigned()
    moved.add_statement(function.body)
    if symbol not in function.parameters or (isinstance(symbol.type, Pointer) and symbol in moved.symbols):
        return None
    return function.parameters.index(symbol)


def _operator(symbol: FunctionSymbol) -> str | None:
    """`operator+=` as `operator_plus_equal`."""
    sign = symbol.name.removeprefix("operator").strip() if symbol.name.startswith("operator") else ""
    if sign in _NAMES:
        return f"operator_{_NAMES[sign]}"
    if not sign or any(c not in _WORDS for c in sign):
        return None
    return "operator_" + "_".join(_WORDS[c] for c in sign)
