"""Which of the user's pullbacks belongs to which function, and what one is given.

One of a free function has its name, in the same namespaces. Those of methods, operators and constructors have names
without punctuation (`norm_pullback`, `operator_plus_pullback`, `constructor_pullback`) in any namespace, and are told
apart by their first parameters: the object's pointer, the operands, or all that a constructor takes. Where C++ has to
choose, as among templates, the front end has had that done (`CustomPullback.callee`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from cladpy.ir import surface as s
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import (
    VOID,
    Array,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    has_floating,
    holds_pointers,
    is_integer,
    scalar_of,
)

_WORDS = {
    "+": "plus", "-": "minus", "*": "star", "/": "slash", "%": "percent", "^": "caret", "&": "amp", "|": "pipe",
    "~": "tilde", "!": "exclaim", "=": "equal", "<": "less", ">": "greater", ",": "comma",
}  # fmt: skip
_NAMES = {"()": "call", "[]": "subscript", "->": "arrow"}


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters that a pullback may have: those of the function, what its forward half has kept, the adjoint of
    the result, and pointers to the adjoints of the arguments at some positions."""

    parameters: tuple[Type, ...]
    positions: tuple[int, ...]
    seeded: bool  # whether the adjoint of the result is among them, where there is one


def signatures(symbol: FunctionSymbol, states: tuple[Type, ...] = ()) -> Iterator[Signature]:
    """The signatures that a pullback of a function may have; the last has the fewest parameters."""
    parameters, result = symbol.parameters, symbol.result
    floating = tuple(i for i, t in enumerate(parameters) if has_floating(t))
    returned = (adjoint_value(result),) if isinstance(result, Scalar | Struct) else ()
    seeds = (returned, ()) if is_integer(result) else (returned,)  # what is no number may have no adjoint
    for positions, seed in product((tuple(range(len(parameters))), floating), seeds):
        adjoints = (adjoint_type(parameters[i]) for i in positions)
        yield Signature((*parameters, *states, *seed, *adjoints), positions, seed == returned)


def adjoint_type(type: Type) -> Pointer | Struct:
    """The type of the adjoint of a parameter of this type: a pointer to what is added to. An object that holds pointers
    has one of its own class, whose pointers lead to the adjoints."""
    match type:
        case Pointer(pointee):
            return Pointer(writable(adjoint_value(pointee)))
        case Reference(referee):
            return Pointer(adjoint_value(scalar_of(referee)))
        case Struct() if holds_pointers(type):
            return type
        case _:
            return Pointer(adjoint_value(type))


def writable(type: Type) -> Type:
    """A type whose pointers lead to what may be written, at every level."""
    match type:
        case Pointer(pointee):
            return Pointer(writable(pointee))
        case Array(element, length):
            return Array(writable(element), length)
        case _:
            return type


def pullbacks_of(symbol: FunctionSymbol, customs: Iterable[s.CustomPullback]) -> list[s.CustomPullback]:
    """The pullbacks of a function: that which C++ chooses, where it had to, else all, some of which may not fit."""
    found = [c for c in customs if c.callee is symbol or (c.callee is None and belongs(c, symbol))]
    return [c for c in found if c.callee is symbol] or found


def belongs(custom: s.CustomPullback, symbol: FunctionSymbol) -> bool:
    """Whether a pullback is that of a function by its name and first parameters; its signature may still be wrong."""
    name = name_in_any_namespace(symbol)
    if name is None:
        return custom.primal_name == symbol.qualified_name
    first = 1 if symbol.is_method and not is_constructor(symbol) else len(symbol.parameters)
    given = tuple(map(unqualified, custom.parameters[:first]))
    return custom.primal_name.rpartition("::")[2] == name and given == tuple(
        map(unqualified, symbol.parameters[:first])
    )


def name_in_any_namespace(symbol: FunctionSymbol) -> str | None:
    """What pullbacks of a method, an operator or a constructor are called before `_pullback`; None for free functions,
    whose namespaces count."""
    operator = _operator(symbol)
    if operator is not None:
        return operator
    if not symbol.is_method:
        return None
    return "constructor" if is_constructor(symbol) else symbol.name.partition("<")[0]


def is_constructor(symbol: FunctionSymbol) -> bool:
    if not symbol.is_method or symbol.result != VOID:
        return False
    object = symbol.parameters[0]
    assert isinstance(object, Pointer)
    assert isinstance(object.pointee, Struct)
    return symbol.name.partition("<")[0] == object.pointee.spelling.partition("<")[0].rpartition("::")[2]


def _operator(symbol: FunctionSymbol) -> str | None:
    """`operator+=` as `operator_plus_equal`."""
    sign = symbol.name.removeprefix("operator").strip() if symbol.name.startswith("operator") else ""
    if sign in _NAMES:
        return f"operator_{_NAMES[sign]}"
    if not sign or any(c not in _WORDS for c in sign):
        return None
    return "operator_" + "_".join(_WORDS[c] for c in sign)
