"""Accumulation that gives the same bits on every run: where threads may meet, contributions are split into integers.

Integers may be added in any order. Each element has a row of them, one for each 32 bits that a sum may have; they are
added up, and to the adjoint, when the launch is over. So nothing in the launch may ask for the adjoint in between, and
the launch function must know how many elements there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.adjoint.prepare import Prepared
from cladpy.analysis import races
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.code import Update
from cladpy.ir.types import DOUBLE, FLOAT, Pointer, Reference, Scalar, Struct, Type, is_floating, size_of
from cladpy.ir.walk import statements
from cladpy.normalize import Policy

MOST = 16  # buffers of a launch


@dataclass(frozen=True, slots=True)
class ExactBuffer:
    """An adjoint argument whose contributions are split. `single`: it is the adjoint of one number."""

    adjoint: str
    position: int
    element: Type
    single: bool


def exactly_summed(
    prepared: Prepared, accumulation: races.Accumulation, active: tuple[int, ...], policy: Policy, sink: Sink
) -> tuple[races.Accumulation, tuple[ExactBuffer, ...]]:
    """The accumulation with exact sums in place of atomic ones. Reports CP0505 for what has no such sum."""
    function, activity = prepared.function, prepared.activity
    found = list(_reasons_against(prepared, accumulation, policy))
    buffers: list[ExactBuffer] = []
    updates = dict(accumulation.updates)
    named: set[core.Root] = set()
    for i in active:
        parameter = function.parameters[i]
        roots = [c for c in parameter.contents if isinstance(c, core.Root) and c in activity.shadowed]
        named |= set(roots)
        summed = [r for r in roots if accumulation.update(r) is not Update.PLAIN and r in activity.read]
        values = [c for c in parameter.contents if isinstance(c, core.Value) and c in activity.values]
        if not summed and not values:
            continue
        if not any(map(is_floating, (*(r.element for r in summed), *(v.type for v in values)))):
            continue  # integers may be added in any order
        element = _element(parameter.type)
        if element is None:
            found.append(f"the adjoint of '{parameter.name}' is no array of numbers")
            continue
        buffers.append(ExactBuffer(f"_d_{parameter.name}", i, element, not isinstance(parameter.type, Pointer)))
        updates |= dict.fromkeys(summed, Update.EXACT)
    for root in sorted(activity.shadowed - named, key=lambda r: r.name):
        if accumulation.update(root) is not Update.PLAIN and root in activity.read:
            found.append(f"the adjoint of the variable '{root.name}' has atomic updates")
    if len(buffers) > MOST:
        found.append(f"more than {MOST} adjoints have atomic updates")
    for reason in dict.fromkeys(found):
        sink.error(
            "CP0505",
            f"this gradient cannot be accumulated in a fixed order: {reason}",
            function.span,
            hint="cladpy explain shows each update; use accumulate='auto', where the order of atomic additions varies",
        )
    return replace(accumulation, updates=updates), tuple(buffers)


def _reasons_against(prepared: Prepared, accumulation: races.Accumulation, policy: Policy) -> Iterator[str]:
    activity = prepared.activity
    for root, update in accumulation.updates.items():
        if root.kind is core.RootKind.SHARED and update is not Update.PLAIN and root in activity.roots:
            yield f"threads meet in the shared memory '{root.name}'"
        elif root in activity.stored and root in activity.read and update is not Update.PLAIN:
            yield f"'{root.name}' is read and stored to, so that its adjoint is asked for in between"
        elif policy.may_alias and root in activity.read and update is not Update.PLAIN and activity.stored - {root}:
            name = min(r.name for r in activity.stored)
            yield f"'{root.name}' is read and may overlap '{name}', whose adjoint is asked for in between"
    for s in statements(prepared.function.body):
        match s:
            case core.Store(root) if s in accumulation.exchanged and (
                root in activity.roots or root in activity.shadowed
            ):
                yield f"several threads store to one element of '{root.name}', and one of them takes its adjoint"
            case core.AtomicAdd(root) if s in prepared.needs.stores:
                yield f"the kernel adds to the shared memory '{root.name}' atomically"
            case core.Call(callee=callee, arguments=arguments) if policy.is_custom(callee):
                for a in arguments:
                    if isinstance(a, core.PointerArgument) and accumulation.update(a.root) is not Update.PLAIN:
                        yield f"the pullback of '{callee.name}' is the user's, and adds to '{a.root.name}'"
            case _:
                pass


def _element(type: Type) -> Type | None:
    """The numbers that an argument leads to, where they lie one after the other."""
    if isinstance(type, Pointer):
        type = type.pointee
    elif isinstance(type, Reference):
        type = type.referee
    if isinstance(type, Struct):
        one = type.fields[0].type if type.fields else None
        like = not type.record.is_union and all(f.type == one for f in type.fields)
        dense = one in (DOUBLE, FLOAT) and size_of(type) == len(type.fields) * size_of(one)
        return one if like and dense else None
    return type if isinstance(type, Scalar) and type in (DOUBLE, FLOAT) else None
