"""Arguments that share memory: what a call may be given, and what has to be one memory with them.

An adjoint belongs to memory, not to a name: where two arguments are one memory and it is written through one of them,
what is read through the other has been computed, and its adjoint goes back there. So their adjoints are one memory too,
and lie in it as the arguments lie in theirs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import LaunchError
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place

if TYPE_CHECKING:
    from cladpy.runtime.arguments import Argument


@dataclass(frozen=True, slots=True, eq=False)
class _Array:
    """An array that a call is given, through the argument at a position."""

    position: int
    argument: Argument
    place: Place
    view: ArrayView

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def part(self) -> str:
        """What the name has after that of the argument."""
        return self.place.name.removeprefix(self.argument.slot.name)

    @property
    def is_adjoint(self) -> bool:
        return self.argument.slot.adjoint_of is not None

    def reaches(self, other: _Array) -> bool:
        """Whether this overlaps what begins where it does, or behind."""
        same = self.view.on_host == other.view.on_host
        return same and self.view.pointer + self.view.nbytes > other.view.pointer


def check_overlaps(
    arguments: Sequence[Argument], *, may_alias: bool, adjoints_follow: bool, promised: Collection[str]
) -> None:
    """Raises LaunchError where adjoints share memory, or arguments that are written, in a way in which the gradient
    would be wrong. `adjoints_follow` says that they are given in a later call; `promised` are the names in `fresh` and
    `consumed`."""
    found = [_Array(k, a, p, view) for k, a in enumerate(arguments) for p, view in a.block.arrays() if view.nbytes]
    found.sort(key=lambda a: (a.view.on_host, a.view.pointer))
    primal = [a for a in found if not a.is_adjoint]
    whole = [a for a in found if a.is_adjoint and a.argument.slot.member is None]
    adjoints = {(a.argument.slot.adjoint_of, a.part): a for a in whole}
    own = {adjoint: a for a in primal if (adjoint := adjoints.get((a.position, a.part))) is not None}
    if not may_alias:
        for first, second in _overlapping(primal):
            if first.place.written or second.place.written:
                raise LaunchError(
                    f"{first.name} and {second.name} share memory, and the gradient takes pointers that may be written "
                    "to be distinct\nhint: pass a copy, make both parameters pointers to const, or differentiate with "
                    "may_alias=True"
                )
    elif not adjoints_follow:
        for group in _groups(primal):
            _check_group(group, {a: adjoint for adjoint, a in own.items()}, promised)
    for first, second in _overlapping(found):
        either = first.is_adjoint or second.is_adjoint
        if either and not (may_alias and first in own and second in own and _alike(first, second, own)):
            raise LaunchError(f"{first.name} and {second.name} share memory; an adjoint needs its own")


def _overlapping(arrays: Sequence[_Array]) -> Iterator[tuple[_Array, _Array]]:
    """The pairs that share memory, of arrays in the order of their addresses."""
    for position, one in enumerate(arrays):
        for other in arrays[position + 1 :]:
            if not one.reaches(other):
                break
            yield (one, other) if one.position <= other.position else (other, one)


def _groups(arrays: Sequence[_Array]) -> list[list[_Array]]:
    """Arrays that are one memory which may be written, in the order of their addresses."""
    groups: list[list[_Array]] = []
    last: _Array | None = None  # the one that reaches furthest
    for a in arrays:
        if last is None or not last.reaches(a):
            groups.append([])
        groups[-1].append(a)
        if len(groups[-1]) == 1 or (last is not None and not _ends_before(a, last)):
            last = a
    return [g for g in groups if len(g) > 1 and any(a.place.written for a in g)]


def _ends_before(one: _Array, other: _Array) -> bool:
    return one.view.pointer + one.view.nbytes < other.view.pointer + other.view.nbytes


def _check_group(group: list[_Array], adjoints: dict[_Array, _Array], promised: Collection[str]) -> None:
    """The adjoints of arrays that are one memory are one memory."""
    having = [a for a in group if a in adjoints]
    if not having:
        return
    base = having[0]
    for a in group:
        if a is base:
            continue
        first, second = (base, a) if base.position <= a.position else (a, base)
        both = f"{first.name} and {second.name} share memory"
        if a.view.dtype != base.view.dtype:
            raise LaunchError(
                f"{both}, and hold numbers of different types, {first.view.dtype} and {second.view.dtype}: the "
                "gradient would be wrong\nhint: pass a copy"
            )
        if a not in adjoints:
            raise LaunchError(
                f"{both}, and {a.name} has no adjoint: what is written through one and read through the other would "
                f"be lost\nhint: name both arguments among those to differentiate, or pass a copy"
            )
        if not _alike(adjoints[base], adjoints[a], {adjoints[base]: base, adjoints[a]: a}):
            elements = (second.view.pointer - first.view.pointer) / a.view.dtype.itemsize
            far = (
                f"{abs(elements):g} element{'s' if abs(elements) != 1 else ''} {'behind' if elements > 0 else 'before'}"
            )
            where = f"{adjoints[second].name} must begin {far} {adjoints[first].name}"
            if not elements:
                where = f"{adjoints[first].name} and {adjoints[second].name} must begin at the same element"
            raise LaunchError(
                f"{both}, and so must their adjoints, or the gradient would be wrong: {where}\n"
                "hint: make one adjoint for all of that memory, and pass views of it as these arguments are"
            )
    for a in group:
        name = a.argument.slot.name
        if name in promised:
            raise LaunchError(
                f"{a.name} shares memory with {next(b for b in group if b is not a).name}, so that what fresh and "
                f"consumed promise of it does not hold\nhint: leave '{name}' out of these"
            )


def _alike(one: _Array, other: _Array, own: dict[_Array, _Array]) -> bool:
    """Whether two adjoints lie to each other as what they are the adjoints of, counted in elements."""
    first, second = own[one].view, own[other].view
    same = first.dtype == second.dtype and one.view.dtype == other.view.dtype and first.on_host == second.on_host
    far, apart = second.pointer - first.pointer, other.view.pointer - one.view.pointer
    size, own_size = one.view.dtype.itemsize, first.dtype.itemsize
    return same and far % own_size == 0 and far * size == apart * own_size


class Shared:
    """The memory of the host that arguments lead to, of which arrays that overlap have one piece: what moves elsewhere
    for the time of a call moves with all that shares it."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        arrays = [(p, view) for a in arguments for p, view in a.block.arrays() if view.on_host and view.nbytes]
        arrays.sort(key=lambda found: found[1].pointer)
        self._pieces: list[tuple[int, int, list[tuple[Place, ArrayView]]]] = []  # from where to where, of what
        for place, view in arrays:
            end = view.pointer + view.nbytes
            if self._pieces and view.pointer < self._pieces[-1][1]:
                first, last, there = self._pieces[-1]
                self._pieces[-1] = first, max(last, end), [*there, (place, view)]
            else:
                self._pieces.append((view.pointer, end, [(place, view)]))

    def piece(self, view: ArrayView) -> tuple[int, int]:
        """Where the memory that an array is in begins, and its size. A value that was made for the call is alone."""
        at = bisect_right(self._pieces, view.pointer, key=lambda piece: piece[0])
        if at and view.pointer + view.nbytes <= self._pieces[at - 1][1]:
            first, last, _ = self._pieces[at - 1]
            return first, last - first
        return view.pointer, view.nbytes

    def check_stays(self) -> None:
        """Raises LaunchError where memory that is shared and written does not begin where a type asks for it: one of
        those that share it would be given a copy."""
        for _, _, there in self._pieces:
            moved = [place for place, view in there if view.pointer % place.alignment]
            if moved and len(there) > 1 and any(place.written for place, _ in there):
                place = moved[0]
                other = next(p for p, _ in there if p is not place)
                raise LaunchError(
                    f"{place.name} and {other.name} share memory, and {place.name} does not begin at a multiple of "
                    f"{place.alignment}, as its type asks\nhint: pass a copy that does"
                )
