"""Custom derivatives: a user's pullback for a call, found by name and signature."""

from __future__ import annotations

from collections.abc import Iterable

from cladpy.adjoint.plan import PullbackReference
from cladpy.diagnostics import DifferentiationError, Note, Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.customs import pullbacks_of, signatures
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.types import Pointer, Reference, Type, spell

_FITS = "this one fits"


def custom_pullback(program: s.Program, call: core.Call, sink: Sink) -> PullbackReference | None:
    """A user's pullback, by name and signature: the arguments, what the forward half has kept, the result's adjoint,
    pointers to adjoints."""
    named = pullbacks_of(call.callee, program.custom_pullbacks)
    if not named:
        return None
    parameters = call.callee.parameters
    expected = list(signatures(call.callee, tuple(v.type for v in call.states)))
    wanted = expected[-1]
    for signature in expected:
        types = tuple(map(unqualified, signature.parameters))
        fitting = [c for c in named if c.fault is None and tuple(map(unqualified, c.parameters)) == types]
        if fitting and not (fitting := [c for c in fitting if _keeps_const(c.parameters, signature.parameters)]):
            wanted = signature
            break
        others = [c for c in fitting if c.qualified_name != fitting[0].qualified_name]
        if others:
            raise _ambiguous(call, tuple(Note(_FITS, c.span) for c in (fitting[0], *others)), sink)
        if fitting:
            reads = frozenset(i for i, t in enumerate(parameters) if is_memory(t)) - fitting[0].ignored
            positions, seeded = signature.positions, signature.seeded
            return PullbackReference(fitting[0].qualified_name, positions, reads=reads, seeded=seeded)
    fault = next((c.fault for c in named if c.fault is not None), None)
    if fault is not None and fault.ambiguous:
        raise _ambiguous(call, fault.notes, sink)
    expected_text = ", ".join(spell(t) for t in wanted.parameters)
    sink.error(
        "CP0402",
        f"the custom derivative '{named[0].qualified_name}' does not have the signature that is called",
        named[0].span,
        notes=() if fault is None else fault.notes,
        hint=f"its parameters must be ({expected_text})",
    )
    raise sink.failure()


def _ambiguous(call: core.Call, notes: tuple[Note, ...], sink: Sink) -> DifferentiationError:
    sink.error(
        "CP0407",
        f"several custom derivatives fit a call of '{call.callee.qualified_name}', none of them better than the others",
        call.span,
        notes=notes,
        hint="leave one of them, or give it the types of the function's parameters, without defaults",
    )
    return sink.failure()


def _keeps_const(given: Iterable[Type], wanted: Iterable[Type]) -> bool:
    """Whether a pullback writes nothing that the function must not write."""
    return all(
        (a.const or not b.const) and _keeps_const([_behind(a)], [_behind(b)])
        for a, b in zip(given, wanted, strict=True)
        if isinstance(a, Pointer | Reference) and isinstance(b, Pointer | Reference)
    )


def _behind(type: Pointer | Reference) -> Type:
    return type.pointee if isinstance(type, Pointer) else type.referee


def is_memory(type: Type) -> bool:
    return isinstance(type, Pointer | Reference)
