"""What a call takes, in order, with types: to look at, and to call by names."""

from __future__ import annotations

import difflib
import keyword
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cladpy.derivative import Derivative
from cladpy.diagnostics import LaunchError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Struct, Type, holds_pointers, rows_in, scalar_of, spell
from cladpy.runtime.buffers import described
from cladpy.runtime.passing import is_handle

if TYPE_CHECKING:
    from cladpy.runtime.arguments import Slot


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a call: its name as a keyword, its type in C++, and what is passed for it."""

    name: str
    type: str
    takes: str
    adjoint_of: str | None = None
    optional: bool = False  # a number of elements, which is counted where it is left out

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of `execute_kernel` or `execute`; `str()` has a line for each, in order."""

    call: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        launch = self.call == "execute_kernel"
        first = ["grid", "block"] if launch else []
        last = ["shared_mem=0", "stream=None"] if launch else ["cotangent=1.0"]
        head = ", ".join([*first, *(p.name for p in self.parameters), "*", *last])
        names = max((len(p.name) for p in self.parameters), default=0)
        types = max((len(p.type) for p in self.parameters), default=0)
        lines = [f"  {p.name:<{names}}  {p.type:<{types}}  {p.takes}" for p in self.parameters]
        return "\n".join([f"{self.call}({head})", *lines])


def signature_of(derivative: Derivative, slots: Sequence[Slot]) -> Signature:
    """That of a gradient with these slots."""
    written = {name.partition(".")[0].partition("[")[0] for name in derivative.written}
    given = [slot for slot in slots if slot.member is None]
    parameters = []
    for key, slot in zip(keys_of(given), given, strict=True):
        if slot.adjoint_of is None:
            takes = _taken(slot.type)
            if slot.name in written:
                takes += ", which the original writes"
            if slot.counts is not None:
                takes += f", or nothing: the elements of {given[slot.counts].name} are counted"
            parameters.append(Parameter(key, spell(slot.type), takes, optional=slot.counts is not None))
        else:
            own = given[slot.adjoint_of]
            takes = f"the adjoint of {own.name}: {_adjoint_taken(own.type, slot.type)}"
            if own.name in written:
                takes += "; before the call, the cotangent"
            parameters.append(Parameter(key, spell(slot.type), takes, own.name))
    call = "execute_kernel" if derivative.kind is FunctionKind.KERNEL else "execute"
    return Signature(call, tuple(parameters))


_MOST_ORDERS = 64
_ROWS = "a list of arrays, which stand for vectors"


def _taken(type: Type) -> str:
    match type:
        case Pointer() | Reference():
            element = type.pointee if isinstance(type, Pointer) else type.referee
            if rows_in(element) is not None:
                return _ROWS
            one = isinstance(type, Reference) and not isinstance(element, Array)
            return f"an array {described(scalar_of(element) if isinstance(element, Array) else element, one=one)}"
        case Scalar():
            return "a number"
        case Struct():
            return "a dict" if holds_pointers(type) else "a dict, or a structured scalar"
        case _:
            return "a handle" if is_handle(type) else "an array"


def _adjoint_taken(own: Type, type: Type) -> str:
    if isinstance(own, Struct) and holds_pointers(own):
        return "a dict with those of its members"
    core = scalar_of(type)
    if rows_in(core) is not None:
        return _ROWS
    return f"an array {described(core, one=not isinstance(own, Pointer))}"


def keys_of(slots: Sequence[Slot]) -> list[str]:
    """The keywords of slots: the names in C++, with `_` behind those that are Python's own; `d_x` for `_d_x`, where
    nothing else is called that."""
    names = {slot.name for slot in slots}
    keys = []
    for slot in slots:
        short = slot.name.removeprefix("_")
        name = short if slot.adjoint_of is not None and short not in names else slot.name
        keys.append(f"{name}_" if keyword.iskeyword(name) and f"{name}_" not in names else name)
    return keys


def in_order(
    call: str, slots: Sequence[Slot], values: Sequence[object], named: Mapping[str, object]
) -> Sequence[object]:
    """The values of a call in the order of its slots, where some are given by name. Those that come by their place are
    the first. Raises LaunchError for a name that is not known, is given twice or is missing."""
    slots = [slot for slot in slots if slot.member is None]
    keys = keys_of(slots)
    spelled = {slot.name: k for k, slot in enumerate(slots)} | {key: k for k, key in enumerate(keys)}
    by_name: dict[int, object] = {}
    for name, value in named.items():
        if name not in spelled:
            near = difflib.get_close_matches(name, spelled, 1)
            listed = f"did you mean {keys[spelled[near[0]]]}?" if near else f"there are {', '.join(keys)}"
            raise LaunchError(f"{call} has no argument {name!r}; {listed}")
        if spelled[name] in by_name:
            raise LaunchError(f"{call}: {keys[spelled[name]]} is given twice, by two names")
        by_name[spelled[name]] = value
    left_out = len(values) + len(by_name) != len(slots)
    order = [k for k, slot in enumerate(slots) if not (left_out and slot.counts is not None and k not in by_name)]
    if len(values) > len(order):
        raise LaunchError(
            f"{call} takes {len(order)} arguments ({', '.join(keys[k] for k in order)}), got {len(values) + len(named)}"
        )
    found = dict(zip(order, values, strict=False))
    twice = [keys[k] for k in by_name if k in found]
    if twice:
        raise LaunchError(f"{call}: {twice[0]} is given twice, by its place and by its name")
    found |= by_name
    missing = [keys[k] for k in order if k not in found]
    if missing:
        raise LaunchError(f"{call}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return [found[k] for k in order]


def with_launch(
    call: str, grid: object, block: object, slots: Sequence[Slot], named: dict[str, object]
) -> tuple[object, object]:
    """The extents of a launch, which may be among what is given by name; they are taken out of it. A kernel's own
    parameter of such a name is given by its place."""
    extents = {"grid": grid, "block": block}
    own = {slot.name for slot in slots}
    for name, value in extents.items():
        if name in named and (name not in own or value is None):
            if value is not None:
                raise LaunchError(f"{call}: {name} is given twice, by its place and by its name")
            extents[name] = named.pop(name)
    return extents["grid"], extents["block"]


class ByName:
    """Launches and calls with arguments by name: what goes where is found once for the names of a call."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = slots
        self._known: dict[tuple[object, ...], Callable[[Any], Any]] = {}

    def launch(
        self, call: str, grid: object, block: object, args: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[object, object, tuple[object, ...]]:
        """Grid, block, and the values in the order of the slots. Raises as `in_order` and `with_launch` do."""
        key = (grid is None, block is None, len(args), *named)
        given = (grid, block, *args, *named.values())
        if key not in self._known:
            places: list[Any] = list(range(len(given)))
            left = dict(zip(named, places[2 + len(args) :], strict=True))
            first, second = None if grid is None else 0, None if block is None else 1
            extents = with_launch(call, first, second, self.slots, left)
            found = in_order(call, self.slots, places[2 : 2 + len(args)], left)
            if len(self._known) >= _MOST_ORDERS:
                self._known.clear()
            at: list[Any] = [k if extent is None else extent for k, extent in enumerate(extents)]
            self._known[key] = operator.itemgetter(*at, *found)
        picked = self._known[key](given)
        return picked[0], picked[1], picked[2:]

    def call(self, call: str, args: tuple[object, ...], named: Mapping[str, object]) -> tuple[object, ...]:
        """The values of a function's call in the order of the slots. Raises as `in_order` does."""
        key = (len(args), *named)
        given = (*args, *named.values())
        if key not in self._known:
            places: list[Any] = list(range(len(given)))
            left = dict(zip(named, places[len(args) :], strict=True))
            found = in_order(call, self.slots, places[: len(args)], left)
            if len(self._known) >= _MOST_ORDERS:
                self._known.clear()
            self._known[key] = operator.itemgetter(*found, slice(0, 0))  # always a tuple, with one more
        picked: tuple[object, ...] = self._known[key](given)
        return picked[:-1]
