"""Custom derivatives: a user's pullback for a call, found by name and signature."""

from __future__ import annotations

from itertools import product

from cladpy.adjoint.plan import PullbackReference
from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.types import (
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
    spell,
)
from cladpy.normalize.customs import belongs


def custom_pullback(program: s.Program, call: core.Call, sink: Sink) -> PullbackReference | None:
    """A user's pullback, by name and signature: the arguments, what the forward half has kept, the result's adjoint,
    pointers to adjoints."""
    named = [c for c in program.custom_pullbacks if belongs(c, call.callee)]
    if not named:
        return None
    parameters = call.callee.parameters
    floating = tuple(i for i, t in enumerate(parameters) if has_floating(t))
    result = call.callee.result
    returned = (adjoint_value(result),) if isinstance(result, Scalar | Struct) else ()
    states = tuple(v.type for v in call.states)
    seeds = (returned, ()) if is_integer(result) else (returned,)  # what is no number may have no adjoint
    for candidate in named:
        for positions, seed in product((tuple(range(len(parameters))), floating), seeds):
            expected = (*parameters, *states, *seed, *(adjoint_type(parameters[i]) for i in positions))
            if tuple(map(unqualified, candidate.parameters)) == tuple(map(unqualified, expected)):
                reads = frozenset(i for i, t in enumerate(parameters) if is_memory(t)) - candidate.ignored
                return PullbackReference(candidate.qualified_name, positions, reads=reads, seeded=seed == returned)
    adjoints = (adjoint_type(parameters[i]) for i in floating)
    expected_text = ", ".join(spell(t) for t in (*parameters, *states, *seeds[-1], *adjoints))
    sink.error(
        "CP0402",
        f"the custom derivative '{named[0].qualified_name}' does not have the signature that is called",
        named[0].span,
        hint=f"its parameters must be ({expected_text})",
    )
    raise DifferentiationError(sink.found, sink.texts)


def is_memory(type: Type) -> bool:
    return isinstance(type, Pointer | Reference)


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
