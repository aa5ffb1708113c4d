"""Launches that are made again with the same arguments, as in a loop: what was checked once is not checked again.

A launch is repeated with other numbers, and other arrays, that are of the same kind (`rebound.py`). Arrays that do not
say which device they are of have to be the very arrays that they were, with the same address, extents and stream,
beside the same numbers; they are not kept alive.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.runtime.rebound import Rebound

Launch = Callable[[], None]
_Same = Callable[[Any], bool]
_NUMBERS = (int, float, np.integer, np.floating)
_SEVERAL = 4


@dataclass(frozen=True, slots=True)
class _Known:
    """A launch, and what says of each of its extents and arguments whether it is the same. These are closures, since
    all of this is the host's part of a launch that is repeated."""

    stream: object
    same: tuple[_Same, ...]
    launch: Launch


class Repeats:
    """The last launches of one entry: several, since a program may swap its buffers."""

    def __init__(self) -> None:
        self._known: tuple[_Known, ...] = ()
        self._kinds: tuple[tuple[tuple[object, ...], Rebound], ...] = ()

    def again(self, at: tuple[object, ...], stream: object, values: Sequence[object]) -> bool:
        """Launches, if there was such a launch before; whether it did. `at` are grid, block and shared memory. Raises
        as the launch does."""
        for extents, launch in self._kinds:
            if extents == at and _are_extents(at) and launch.launch(values, stream):
                return True
        found = self.find(at, stream, values) if self._known else None
        if found is not None:
            found()
        return found is not None

    def find(self, at: tuple[object, ...], stream: object, values: Sequence[object]) -> Launch | None:
        """One of the last launches, if it was made with these: `at` are grid, block and shared memory."""
        given = (*at, *values)
        for known in self._known:
            if stream is not known.stream or len(given) != len(known.same):
                continue
            for same, value in zip(known.same, given, strict=True):
                if not same(value):
                    break
            else:
                return known.launch
        return None

    def remember(
        self, at: tuple[object, ...], stream: object, values: Sequence[object], launch: Launch | Rebound | None
    ) -> None:
        """Takes the place of the oldest one; None where this one cannot be repeated."""
        if isinstance(launch, Rebound):
            if _are_extents(at):
                self._kinds = ((at, launch), *self._kinds[: _SEVERAL - 1])
        elif launch is not None:
            same = [*map(_same_extent, at), *map(_same_argument, values)]
            if None not in same:
                known = _Known(stream, tuple(s for s in same if s), launch)
                self._known = (known, *self._known[: _SEVERAL - 1])


def _same_extent(extent: object) -> _Same | None:
    """Equal numbers of another type are refused, so they are not the same."""
    if type(extent) is int:
        return _same_number(extent)
    if type(extent) is not tuple or not _are_integers(extent):
        return None
    return lambda v: v is extent or (type(v) is tuple and v == extent and _are_integers(v))


def _are_extents(at: tuple[object, ...]) -> bool:
    """Equal numbers of another type are refused."""
    return all(map(_is_extent, at))


def _is_extent(extent: object) -> bool:
    return type(extent) is int or (type(extent) is tuple and _are_integers(extent))


def _are_integers(extents: tuple[object, ...]) -> bool:
    return all(type(extent) is int for extent in extents)


def _same_argument(value: object) -> _Same | None:
    return _same_number(value) if isinstance(value, _NUMBERS) else _same_array(value)


def _same_number(number: Any) -> _Same:
    kind = type(number)
    if number or not isinstance(number, float | np.floating):
        return lambda v: type(v) is kind and v == number
    sign = math.copysign(1.0, number)
    return lambda v: type(v) is kind and v == number and math.copysign(1.0, v) == sign


def _same_array(array: Any) -> _Same | None:
    """The very object, whose memory lies where it did; None for what is no array of a device."""
    try:
        known = weakref.ref(array)
    except TypeError:
        return None
    if type(array).__module__.partition(".")[0] == "torch":
        tensor = _tensor(array)
        return None if tensor is None else lambda v: known() is v and _tensor(v) == tensor
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        return None
    was = dict(interface)
    return lambda v: known() is v and getattr(v, "__cuda_array_interface__", None) == was


def _tensor(tensor: Any) -> object:
    """Where a tensor on a device lies, how, and after what stream; None for another."""
    if not getattr(tensor, "is_cuda", False) or tensor.is_conj() or tensor.is_neg():
        return None
    import torch

    stream = torch.cuda.current_stream(tensor.device).cuda_stream
    return tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype, stream
