"""A benchmark at one size, in memory: as many sets of its arguments as are asked for, from which every call can start
anew."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.build import Built, BuiltByHand
from benchmarks.memory import Called, HostMemory, Memory, check
from benchmarks.program import Benchmark, Run
from cladpy.runtime.host_runtime import Lent, lent_to
from cladpy.runtime.shape import launch_shape

ALIGNMENT = 256


@dataclass(frozen=True, slots=True)
class Place:
    """An array of the arguments, or an adjoint: where it lies in the memory of a set."""

    name: str
    content: NDArray[Any]
    changes: bool
    offset: int


class Instance:
    """Arguments and adjoints of a benchmark, `sets` times. What calls change lies in one piece and can be restored."""

    def __init__(
        self,
        memory: Memory,
        benchmark: Benchmark,
        run: Run,
        built: Built,
        sets: int = 1,
        starts: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """`starts` has what adjoints of inputs hold at first, by the names of the inputs; else they are zero."""
        self.memory, self.benchmark, self.run, self.built = memory, benchmark, run, built
        self.shape = launch_shape(run.grid, run.block, run.shared_mem)
        self.parameters = built.parameters
        self.values = dict(zip(built.parameters, run.values, strict=True))
        self.adjoints = [built.parameters[i] for i in built.differentiated]
        given = set(benchmark.output_names + benchmark.updated_names)

        self._size = {True: 0, False: 0}
        self._places: dict[str, Place] = {}
        for name, value in self.values.items():
            if isinstance(value, np.ndarray):
                self._place(name, value, name in given)
        for name in self.adjoints:
            self._place(f"d_{name}", self._start(name, name in given, starts or {}), True)

        state, fixed = self._size[True], self._size[False]
        self.bytes_per_set = state + fixed
        self._base = {True: memory.allocate(state * sets), False: memory.allocate(fixed * sets)}
        pristine = memory.allocate(state * sets)
        self.state = (self._base[True], pristine, state * sets)
        for place in self._places.values():
            base = pristine if place.changes else self._base[False]
            memory.write(base + place.offset, place.content)
        for k in range(1, sets):
            memory.copy(pristine + k * state, pristine, state)
            memory.copy(self._base[False] + k * fixed, self._base[False], fixed)
        self._kept: list[Any] = []
        self.packs = [self._pack(k) for k in range(sets)]
        self.restore()

    def _start(self, name: str, given: bool, starts: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        value = np.atleast_1d(np.asarray(self.values[name]))
        if not given:
            return np.asarray(starts.get(name, np.zeros(value.shape))).astype(value.dtype).reshape(value.shape)
        if name in self.run.cotangents:
            return self.run.cotangents[name].astype(value.dtype)
        made = np.random.default_rng(7).normal(0.0, 1.0, min(value.size, 1 << 20)).astype(value.dtype)
        return np.resize(made, value.shape)

    def _place(self, name: str, content: NDArray[Any], changes: bool) -> None:
        offset = self._size[changes]
        self._places[name] = Place(name, content, changes, offset)
        self._size[changes] += -(-content.nbytes // ALIGNMENT) * ALIGNMENT

    def address(self, name: str, position: int = 0) -> int:
        place = self._places[name]
        return self._base[place.changes] + position * self._size[place.changes] + place.offset

    def like(self, name: str) -> NDArray[Any]:
        return self._places[name].content

    def _pack(self, position: int) -> Any:
        values: list[Any] = []
        for name in self.parameters:
            value = self.values[name]
            if isinstance(value, np.ndarray):
                values.append(ctypes.c_void_p(self.address(name, position)))
            else:
                values.append(_number(value))
        values += [ctypes.c_void_p(self.address(f"d_{name}", position)) for name in self.adjoints]
        self._kept.append(values)
        return (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))

    def restore(self) -> None:
        self.memory.copy(*self.state)

    def set(self, name: str, content: NDArray[Any]) -> None:
        """Of the first set, until it is restored."""
        self.memory.write(self.address(name), content)

    def get(self, name: str) -> NDArray[Any]:
        return self.memory.read(self.address(name), self.like(name))

    def call(self, called: Called) -> None:
        record = called.record
        called.before(0)
        if isinstance(self.memory, HostMemory) and called.configured is not None:
            configure = called.configured.cladpy_host_configure
            configure.argtypes = [ctypes.c_int, ctypes.c_ulonglong]
            configure(self.memory.order, 1)
        with self._lending(called):
            check(called.function(ctypes.byref(record), self.packs[0]))
        self.memory.synchronize()

    def _lending(self, called: Called) -> AbstractContextManager[None]:
        """The host backend's runtime knows which memory is the caller's."""
        if not self.memory.on_host or self.built.kernel or called.library is None:
            return nullcontext()
        return lent_to(called.library, [Lent(self.address(n), p.content.nbytes, n) for n, p in self._places.items()])

    # ---- what can be called ----

    def gradient(self, built: Built) -> Called:
        return self._entry(built, "cladpy_run_gradient")

    def primal(self) -> Called:
        return self._entry(self.built, "cladpy_run_primal")

    def by_hand(self, built: BuiltByHand, position: int, *, fresh: bool) -> Called:
        library = _load(built.library)
        which = position + (len(self.benchmark.by_hand) if fresh else 0)
        return Called(getattr(library, f"run_{which}"), self.shape, configured=library)

    def _entry(self, built: Built, name: str) -> Called:
        library = _load(built.library)
        function = getattr(library, name)
        if not built.is_program:
            return Called(function, self.shape, library=library, configured=library)

        def declare(position: int) -> None:
            library.cladpy_declare_range.argtypes = [ctypes.c_void_p, ctypes.c_ulonglong]
            if position == 0:
                library.cladpy_declare_range(None, 0)
            for place in self._places.values():
                library.cladpy_declare_range(self.address(place.name, position), place.content.nbytes)

        return Called(function, self.shape, declare, library, library)


_loaded: dict[Path, ctypes.CDLL] = {}


def _load(path: Path) -> ctypes.CDLL:
    if path not in _loaded:
        _loaded[path] = ctypes.CDLL(str(path))
    return _loaded[path]


def _number(value: Any) -> Any:
    """As C passes it: an int of Python's as an integer of any size, a float as a `double`, NumPy's by their types."""
    if isinstance(value, int):
        return ctypes.c_longlong(value)  # a smaller parameter is its first bytes
    if isinstance(value, float) and not isinstance(value, np.floating):
        return ctypes.c_double(value)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())


def sets_for(bytes_per_set: int, limit: int) -> int:
    """How many sets of arguments go past a GPU's L2 (50 MB) together."""
    return max(2, min(limit, -(-(256 << 20) // max(bytes_per_set, 1))))


def bytes_of(run: Run, differentiated: Sequence[str], parameters: Sequence[str]) -> int:
    """About what one set of arguments takes."""
    total = 0
    for name, value in zip(parameters, run.values, strict=True):
        if isinstance(value, np.ndarray):
            total += value.nbytes * (2 if name in differentiated else 1)
    return total
