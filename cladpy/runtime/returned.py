"""Numbers of an object that a call may change: they lie in bytes that are made for the call, and go back to where the
caller has them, into an array or as entries of a dict."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.ir.types import Scalar, Type, size_of
from cladpy.runtime.scalars import number_of
from cladpy.runtime.structs import dtype_of


@dataclass(frozen=True, slots=True)
class Returned:
    """A member that holds numbers and no pointers, `offset` bytes into the block: the value of `owner` called `key`."""

    offset: int
    type: Type
    owner: Any
    key: str
    before: bytes

    def within(self, data: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return data[self.offset : self.offset + size_of(self.type)]

    def bring_back(self, data: NDArray[np.uint8]) -> None:
        """What the call has not changed stays as it was given."""
        now = self.within(data).tobytes()
        if now == self.before:
            return
        given = self.owner[self.key] if isinstance(self.owner, MutableMapping) else getattr(self.owner, self.key)
        if isinstance(given, np.ndarray):
            same = given.nbytes == len(now)
            found = np.frombuffer(now, given.dtype) if same else self._found(now)
            given[...] = found.reshape(given.shape)
            return
        found = self._found(now)
        value = number_of(self.type, found[()]) if isinstance(self.type, Scalar) else found.tolist()
        if isinstance(self.owner, MutableMapping):
            self.owner[self.key] = value
        else:
            setattr(self.owner, self.key, value)

    def _found(self, now: bytes) -> NDArray[Any]:
        dtype = dtype_of(self.type)
        return np.frombuffer(now, dtype.base).reshape(dtype.shape)
