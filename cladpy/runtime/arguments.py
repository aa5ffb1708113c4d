"""Checks the arguments of an execute call against the parameters, before anything is compiled or launched."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from cladpy.callers import level_of_caller
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyWarning, LaunchError
from cladpy.ir.types import Pointer, Reference, Struct, Type, holds_pointers, taken
from cladpy.options import Options
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Place, aligned_bytes
from cladpy.runtime.overlaps import check_overlaps
from cladpy.runtime.passing import block_for, led_by, member_of

_PLAIN = Options()


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter of the call. `adjoint_of` is the position of the primal's parameter, None for the primal's own."""

    name: str
    type: Type
    adjoint_of: int | None = None
    member: tuple[str, ...] | None = None  # of the object whose adjoint is given: what it is the adjoint of
    count: int = 1  # elements of such an adjoint
    followed: frozenset[str] = frozenset()  # the pointers in an adjoint that the call uses
    counts: int | None = None  # the position of the slot whose elements it counts, if it may be left out


@dataclass(frozen=True, slots=True)
class Argument:
    """A checked argument: the bytes to pass, and the memory that they lead to."""

    slot: Slot
    block: Block

    @property
    def written(self) -> bool:
        """Whether the call may store through it."""
        return any(place.written for place in self.block.all_places())


def slots_of(derivative: Derivative, *, gradient: bool) -> tuple[Slot, ...]:
    """What a call takes, in order: the primal's parameters, then, for the gradient, the adjoints."""
    primal = tuple(
        Slot(p.name or f"argument {k}", taken(p.type), counts=p.counts) for k, p in enumerate(derivative.parameters)
    )
    if not gradient:
        return primal
    adjoints = tuple(Slot(a.name, a.type, a.parameter, followed=a.followed) for a in derivative.adjoints)
    members = tuple(Slot(a.name, a.type, a.parameter, a.path, a.count) for a in derivative.member_adjoints)
    return primal + adjoints + members


def check(
    call: str,
    slots: Sequence[Slot],
    values: Sequence[object],
    options: Options = _PLAIN,
    *,
    given: Sequence[Argument] = (),
    split: bool = False,
) -> list[Argument]:
    """The arguments of `call` (a word for messages). `given` are those of the first slots, which have been checked
    before; `split` says that the adjoints come later. Raises LaunchError or ArgumentTypeError."""
    members = [s for s in slots if s.member is not None]
    slots = [s for s in slots if s.member is None][len(given) :]
    values = _with_places_for_counts(slots, values)
    if len(values) != len(slots):
        names = [s.name for s in slots if s.counts is None]
        raise LaunchError(f"{call} takes {len(names)} arguments ({', '.join(names)}), got {len(values)}")
    arguments: list[Argument] = list(given)
    for slot, value in zip(slots, values, strict=True):
        if slot.counts is not None and value is None:
            value = sum(place.count for place in arguments[slot.counts].block.places)
        if slot.adjoint_of is None:
            block = block_for(slot.name, slot.type, value, adjoint=False)
        else:
            primal = arguments[slot.adjoint_of]
            nulls = [slot.name + n.removeprefix(primal.slot.name) for n in primal.block.nulls]
            block = block_for(slot.name, slot.type, value, adjoint=True, nulls=nulls)
        arguments.append(Argument(slot, block))
    for argument in arguments:
        if argument.slot.adjoint_of is not None:
            primal = arguments[argument.slot.adjoint_of]
            _check_adjoint_sizes(argument, primal)
            slot, own = argument.slot, primal.slot
            check_followed(slot.followed, own.type, slot.name, own.name, argument.block, primal.block)
    arguments += [_member_adjoint(slot, arguments[len(given) :], slots, values) for slot in members]
    adjoints = any(a.slot.adjoint_of is not None for a in arguments)
    if split or adjoints:
        promised = (*options.fresh, *options.consumed)
        check_overlaps(arguments, may_alias=options.may_alias, adjoints_follow=not adjoints, promised=promised)
    return arguments


def with_counts(derivative: Derivative, values: Sequence[object]) -> list[object]:
    """The arguments of the primal with the numbers of elements that were left out. Raises as `check` does."""
    slots = slots_of(derivative, gradient=False)
    given = _with_places_for_counts(slots, values)
    if given is values:
        return list(values)
    found = check("the function", slots, values)
    return [
        value if slot.counts is None else sum(place.count for place in found[slot.counts].block.places)
        for slot, value in zip(slots, given, strict=True)
    ]


def _with_places_for_counts(slots: Sequence[Slot], values: Sequence[object]) -> Sequence[object]:
    """Where the numbers of elements are left out, they are None."""
    counts = sum(slot.counts is not None for slot in slots)
    if not counts or len(values) != len(slots) - counts:
        return values
    left = iter(values)
    return [next(left) if slot.counts is None else None for slot in slots]


def _check_adjoint_sizes(adjoint: Argument, primal: Argument) -> None:
    """An adjoint has the shape of what it belongs to, pointer by pointer."""
    if not isinstance(primal.slot.type, Pointer | Reference) and not holds_pointers(primal.slot.type):
        given = sum(place.count for place in adjoint.block.places)
        if given != 1:
            what = "value" if isinstance(primal.slot.type, Struct) else "scalar"
            raise LaunchError(
                f"{adjoint.slot.name}: the adjoint of the {what} {primal.slot.name} is an array of one element, "
                f"got {given}"
            )
        return
    sizes = {_key(p, primal): p for p in primal.block.all_places()}
    for place in adjoint.block.all_places():
        own = sizes.get(_key(place, adjoint))
        if own is not None and own.count != place.count:
            raise LaunchError(f"{place.name}: expected {own.count} elements, as {own.name} has, got {place.count}")
        if own is not None:
            _warn_of_shapes(place, own)


def _key(place: Place, argument: Argument) -> tuple[str, bool]:
    """What an adjoint's pointer has in common with the primal's; a vector's own has the name of what leads to it."""
    return place.name.removeprefix(argument.slot.name), place.vector is not None


def _warn_of_shapes(adjoint: Place, own: Place) -> None:
    """Rows and columns may be meant to be exchanged where extents differ; one extent alone is a flat array."""
    if isinstance(adjoint.target, ArrayView) and isinstance(own.target, ArrayView):
        given, expected = (tuple(n for n in t.shape if n != 1) for t in (adjoint.target, own.target))
        if given != expected and len(given) > 1 and len(expected) > 1 and adjoint.target.dtype == own.target.dtype:
            warnings.warn(
                f"{adjoint.name}: its shape {adjoint.target.shape} is not that of {own.name}, {own.target.shape}: the "
                "elements are taken one by one, in C order",
                CladpyWarning,
                stacklevel=level_of_caller(),
            )


def _member_adjoint(
    slot: Slot, arguments: Sequence[Argument], slots: Sequence[Slot], values: Sequence[object]
) -> Argument:
    """The adjoint of a member beside pointers, from the dict or object with the adjoints; null where it has none."""
    owner, value = next(
        (a, v) for a, s, v in zip(arguments, slots, values, strict=True) if s.adjoint_of == slot.adjoint_of
    )
    assert isinstance(owner.slot.type, Struct) and slot.member is not None
    found = member_of(owner.slot.type, value, slot.member)
    if found is None:
        return Argument(slot, Block(aligned_bytes(8)))
    name = f"{owner.slot.name}.{'.'.join(slot.member)}"
    block = block_for(name, slot.type, found, adjoint=True)
    if block.places[0].count != slot.count:
        elements = "one element" if slot.count == 1 else f"{slot.count} elements"
        raise LaunchError(f"{name}: expected an array of {elements}, got {block.places[0].count}")
    return Argument(slot, block)


def check_followed(
    followed: frozenset[str], type: Type, name: str, primal_name: str, adjoint: Block, primal: Block
) -> None:
    """Where a pointer of the primal leads somewhere, and the gradient adds to the adjoint of that, there must be one.
    Raises LaunchError where there is none."""
    given = {where.removeprefix(name) for where in led_by(type, name, adjoint)}
    for where in sorted(led_by(type, primal_name, primal)):
        place = where.removeprefix(primal_name)
        if place not in given and re.sub(r"\[\d+\]", "", place) in followed:
            raise LaunchError(
                f"{name}{place} is null, and the gradient adds to the adjoint of what {where} leads to\n"
                f"hint: give it an array as large as that, or leave {primal_name} out of the arguments to differentiate"
            )


def check_fresh(arguments: Sequence[Argument], fresh: Sequence[str]) -> None:
    """Arrays of the host that were promised to be zero are; those of a device are taken to be. Raises LaunchError."""
    for argument in arguments:
        if not promised_zero(argument, arguments, fresh):
            continue
        own = arguments[argument.slot.adjoint_of or 0].slot.name
        for place, array in argument.block.arrays():
            if array.on_host and not array.is_zero():
                raise LaunchError(
                    f"{place.name} holds other numbers than zero, and fresh promises that it does not\n"
                    f"hint: zero it before, or leave '{own}' out of fresh"
                )


def promised_zero(argument: Argument, arguments: Sequence[Argument], fresh: Sequence[str]) -> bool:
    """Whether it is an adjoint that is to be zero before the call."""
    of = argument.slot.adjoint_of
    return of is not None and arguments[of].slot.name in fresh
