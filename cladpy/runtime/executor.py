"""What runs a compiled derivative: the interface of the backends, and the host's."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import Scalar, Type, is_half
from cladpy.runtime.arguments import Argument, promised_zero
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Bytes, Place, aligned_bytes
from cladpy.runtime.built import build_library
from cladpy.runtime.direct import Direct
from cladpy.runtime.guards import watched
from cladpy.runtime.host_runtime import Lending, Lent, lent_to, runtime_watched
from cladpy.runtime.library import GRADIENT, Library, ProgramReport
from cladpy.runtime.nonfinite import telling
from cladpy.runtime.order import by_workers, chosen_workers, current_order, still_by_workers
from cladpy.runtime.overlaps import Shared
from cladpy.runtime.rebound import Rebound, can_be_asked_for_zero, possible
from cladpy.runtime.scalars import number_of
from cladpy.runtime.shape import MAX_SHARED, LaunchShape
from cladpy.runtime.streams import stream_handle
from cladpy.runtime.structs import dtype_of

Passed: TypeAlias = "ctypes._SimpleCData[Any] | Bytes"
# What a function returns: a number, or a structured scalar.
Result: TypeAlias = "int | float | np.void | None"


@dataclass(frozen=True, slots=True)
class Run:
    """A call of an entry with the arguments, and `extra` values after them; it gives a value of type `result`, if
    any."""

    entry: str
    shape: LaunchShape
    stream: object
    arguments: Sequence[Argument]
    extra: Sequence[Block] = ()
    result: Type | None = None

    @property
    def blocks(self) -> list[Block]:
        """All that is passed."""
        return [*(a.block for a in self.arguments), *self.extra]


class Executor(Protocol):
    @property
    def on_host(self) -> bool:
        """Whether what it runs reads memory of the host."""

    def run(self, run: Run) -> Result:
        """The value, if any."""

    def repeated(self, run: Run) -> Rebound | None:
        """What makes the launch that `run` has just made once more, with the same arrays or others of their kind; None
        where that takes more than the launch. It keeps no array alive."""

    def keep(self, arguments: Sequence[Argument], ranges: Sequence[tuple[int, int]], stream: object) -> list[int]:
        """Copies of memory of the device that these arguments are on, as it is when the stream comes to it: `ranges`
        are addresses and sizes. Gives their addresses."""

    def release(self, arguments: Sequence[Argument], copies: Sequence[int], stream: object) -> None:
        """Gives copies back when the stream comes to it."""

    def follow(self, arguments: Sequence[Argument], stream: object, earlier: object) -> None:
        """What is enqueued on the stream from here on runs after what has been enqueued on an earlier one."""

    def stays(self, arguments: Sequence[Argument]) -> bool:
        """Whether the arrays are used where they are, and are not in another place for the time of a call."""

    def directly(self, entry: str, device: int) -> Direct:
        """What calls an entry of a host function on a device, for callers that look at the arguments themselves."""

    def drop(self, arguments: Sequence[Argument], tape: int) -> None:
        """Gives back what lies between the halves of a function."""

    def report(self) -> ProgramReport | None:
        """What the gradient of a host program kept when it was run last; None for what is no program."""

    def shared_limit(self, arguments: Sequence[Argument]) -> int:
        """The bytes of shared memory that a block may have, where a kernel with these arguments runs."""

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """Copies a variable of the derivative's `globals`, or its adjoint, to `content`, or from it."""


class HostExecutor:
    """Runs on the CPU, in place. Streams mean nothing here: everything is done on return."""

    def __init__(self, derivative: Derivative) -> None:
        self._derivative = derivative
        self._libraries: dict[bool, Library] = {}  # by whether workers run the blocks
        self._report: ProgramReport | None = None

    @property
    def on_host(self) -> bool:
        """See `Executor`."""
        return True

    def repeated(self, run: Run) -> Rebound | None:
        """See `Executor`: a kernel that workers run, or a function, that is given numbers and arrays."""
        derivative = self._derivative
        fresh = derivative.options.fresh if run.entry == GRADIENT else ()
        zero = [at for at, a in enumerate(run.arguments) if promised_zero(a, run.arguments, fresh)]
        watched = derivative.options.trace_nonfinite or any(a.block.nulls for a in run.arguments)  # who follows null
        plain = derivative.kind is FunctionKind.KERNEL or _gives_plainly(run)
        stateful = not derivative.gradient_name or derivative.globals
        if not plain or stateful or run.extra or watched or not by_workers() or not possible(run.arguments):
            return None
        if not all(can_be_asked_for_zero(run.arguments[at]) for at in zero):
            return None
        library = self._loaded()
        return Rebound(
            library,
            run.entry,
            run.shape,
            run.arguments,
            apart=run.entry == GRADIENT or derivative.is_program,
            stream=_without_stream,
            result=run.result if isinstance(run.result, Scalar) else None,
            zero=zero,
            around=self._telling(library, run) if derivative.is_program else None,
        )

    def _telling(self, library: Library, run: Run) -> Callable[[Sequence[int]], AbstractContextManager[None]]:
        """What a host program is told before a call, and asked after it, where its arrays lie apart."""
        places = [found for a in run.arguments for found in a.block.arrays()]
        sizes = [view.nbytes for _, view in places]
        lending = Lending(library.handle, [Lent(view.pointer, view.nbytes, place.name) for place, view in places])

        @contextmanager
        def around(addresses: Sequence[int]) -> Iterator[None]:
            lending.moved(addresses)
            library.declare(0, 0)
            for address, size in zip(addresses, sizes, strict=True):
                if size:
                    library.declare(address, size)
            lending.begin()
            try:
                yield
            finally:
                lending.end()
                if run.entry == GRADIENT:
                    self._report = library.report()

        return around

    def run(self, run: Run) -> Result:
        """Raises BackendError for what happens in a kernel: a deadlock, a failed assert."""
        check_on_host(run.arguments)
        Shared(run.arguments).check_stays()
        stream_handle(run.stream)  # for the sake of what it refuses
        order, seed = current_order() or (0, 0)
        library = self._loaded()
        lending = self._lending(library, run.arguments)
        library.handle.cladpy_host_configure.argtypes = [ctypes.c_int, ctypes.c_ulonglong]
        nulls = [name for a in run.arguments if a.slot.adjoint_of is None for name in a.block.nulls]

        def call(values: Sequence[Passed]) -> None:
            with library.lock:
                library.handle.cladpy_host_configure(order, seed)
                traced = telling(library, self._derivative, run.entry)
                with traced, lending, watched(library.handle, nulls), runtime_watched(library.handle):
                    try:
                        library.run(run.entry, run.shape, 0, values)
                    finally:
                        if self._derivative.is_program and run.entry == GRADIENT:
                            self._report = library.report()

        copies = Realigned()
        program = self._derivative.is_program
        address = declaring(library, copies.address) if program else plainly(copies.address)
        return call_on_host(call, run, copies, address)

    def keep(self, arguments: Sequence[Argument], ranges: Sequence[tuple[int, int]], stream: object) -> list[int]:
        """See `Executor`; here all memory is the host's."""
        check_on_host(arguments)
        return []

    def release(self, arguments: Sequence[Argument], copies: Sequence[int], stream: object) -> None:
        """See `Executor`."""

    def follow(self, arguments: Sequence[Argument], stream: object, earlier: object) -> None:
        """See `Executor`."""

    def stays(self, arguments: Sequence[Argument]) -> bool:
        """See `Executor`."""
        return in_place(arguments)

    def directly(self, entry: str, device: int) -> Direct:
        """See `Executor`."""
        return Direct(self._derivative, entry, self._loaded, nullcontext)

    def drop(self, arguments: Sequence[Argument], tape: int) -> None:
        """See `Executor`."""
        drop_tape(self._loaded(), tape)

    def report(self) -> ProgramReport | None:
        """See `Executor`."""
        return self._report

    def shared_limit(self, arguments: Sequence[Argument]) -> int:
        """See `Executor`; as much as the largest devices have."""
        return MAX_SHARED

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """See `Executor`."""
        library = self._loaded()
        with library.lock:
            library.copy_global(position, content, adjoint=adjoint, write=write)

    def _lending(self, library: Library, arguments: Sequence[Argument]) -> AbstractContextManager[None]:
        """Kernels are given any memory; host code may tell its own from its caller's."""
        if self._derivative.kind is not FunctionKind.HOST:
            return nullcontext()
        places = [found for a in arguments for found in a.block.arrays()]
        if any(array.pointer % place.alignment for place, array in places):
            return nullcontext()  # it is passed as a copy
        return lent_to(library.handle, _whole([Lent(view.pointer, view.nbytes, place.name) for place, view in places]))

    def _loaded(self) -> Library:
        """The library for what is asked for now: workers run what nobody watches, and in no order."""
        workers = by_workers()
        if workers not in self._libraries:
            if self._libraries and self._derivative.globals and chosen_workers() is None:
                return self._kept(workers)
            self._libraries[workers] = build_library(self._derivative, workers=workers)
        return self._libraries[workers]

    def _kept(self, workers: bool) -> Library:
        """A library holds variables: what they are must not depend on how a kernel runs."""
        if not workers:
            raise BackendError(
                f"{self._derivative.function_name} has run without an order, and the variables that it uses are kept "
                "there\nhint: ask for an order from the first call on, or make another gradient"
            )
        return self._libraries[False]


def _gives_plainly(run: Run) -> bool:
    """Whether a function's value is a number as C has it."""
    return run.result is None or (isinstance(run.result, Scalar) and not is_half(run.result))


def _without_stream(stream: object) -> int | None:
    """Streams mean nothing on the host; what is no stream is refused elsewhere."""
    return 0 if stream is None and still_by_workers() else None


def in_place(arguments: Sequence[Argument]) -> bool:
    """Whether host code finds all that it is given where it is: no table is made for it, no array is moved."""
    places = [place for a in arguments for place in a.block.all_places()]
    return all(isinstance(p.target, ArrayView) and p.target.pointer % p.alignment == 0 for p in places)


def drop_tape(library: Library, tape: int) -> None:
    library.handle.cladpy_drop_tape.argtypes = [ctypes.c_void_p]
    library.handle.cladpy_drop_tape.restype = None
    with library.lock:
        library.handle.cladpy_drop_tape(tape)


def check_on_host(arguments: Sequence[Argument]) -> None:
    for argument in arguments:
        for place, array in argument.block.arrays():
            if not array.on_host:
                raise ArgumentTypeError(
                    f"{place.name}: the array is in a device's memory, but this gradient runs on the host"
                )


def _whole(arrays: Sequence[Lent]) -> list[Lent]:
    """Arrays that overlap as the one memory that they are: a program copies it as a whole."""
    found: list[Lent] = []
    for array in sorted(arrays, key=lambda a: a.address):
        last = found[-1] if found else None
        if last is None or array.address >= last.address + last.bytes:
            found.append(array)
            continue
        name = last.name if array.name in last.name.split(" and ") else f"{last.name} and {array.name}"
        end = max(last.address + last.bytes, array.address + array.bytes)
        found[-1] = Lent(last.address, end - last.address, name)
    return found


# Where what a pointer leads to lies, given the same for the pointers in it.
Address: TypeAlias = "Callable[[Place, Callable[[Place], int]], int]"


def plainly(address: Address) -> Callable[[Place], int]:
    def found(place: Place) -> int:
        return address(place, found)

    return found


def declaring(library: Library, address: Address) -> Callable[[Place], int]:
    """The addresses of arrays, whose sizes a host program is told; arrays that overlap are one to it."""
    library.declare(0, 0)
    known: list[tuple[int, int]] = []

    def told(place: Place) -> int:
        found = address(place, told)
        if isinstance(place.target, ArrayView) and place.target.nbytes:
            first, last = found, found + place.target.nbytes
            for other in [(a, b) for a, b in known if a < last and first < b]:
                known.remove(other)
                first, last = min(first, other[0]), max(last, other[1])
            known.append((first, last))
            library.declare(first, last - first)
        return found

    return told


def call_on_host(
    call: Callable[[Sequence[Passed]], None], run: Run, copies: Realigned, address: Callable[[Place], int]
) -> Result:
    """Calls with what is to be passed in the host's memory; arrays are taken in place."""
    values: list[Passed] = [block.fill(address) for block in run.blocks]
    returned = None
    if run.result is not None:
        returned = np.zeros(1, dtype_of(run.result))
        memory = aligned_bytes(returned.nbytes, 64)
        values.append(ctypes.c_void_p(memory.ctypes.data))
    call(values)
    copies.bring_back()
    if returned is None:
        return None
    returned.view(np.uint8)[:] = memory
    return value_of(returned, run.result)


class Realigned:
    """Arrays whose address is no multiple of what the class asks for, elsewhere for the time of a call. (NumPy knows
    nothing of `alignas`.)"""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], tuple[Any, ArrayView]] = {}
        self._written: set[tuple[int, int]] = set()

    def address(self, place: Place, within: Callable[[Place], int]) -> int:
        """See `Address`."""
        if isinstance(place.target, Block):
            return ctypes.addressof(place.target.fill(within))
        view = place.target
        if view.pointer % place.alignment == 0:
            return view.pointer
        key = (view.pointer, view.nbytes)
        if key not in self._made:
            memory = aligned_bytes(view.nbytes, place.alignment)
            memory[:] = view.as_numpy()
            self._made[key] = (memory, view)
        if place.written:
            self._written.add(key)
        return int(self._made[key][0].ctypes.data)

    def bring_back(self) -> None:
        for key in self._written:
            memory, view = self._made[key]
            view.as_numpy()[:] = memory


def value_of(returned: Any, type: Type | None) -> int | float | np.void:
    """Python's number, or the object, of an array of one element."""
    value = returned[0]
    return number_of(type, value) if isinstance(type, Scalar) else value
