"""How much shared memory a generated kernel takes, and where in it arrays lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cladpy.ir.code import Block, DeclareArray
from cladpy.ir.core import RootKind
from cladpy.ir.types import size_of

ALIGNMENT = 16
# What a kernel may declare. More has to be asked for at the launch, and can be had in dynamic shared memory only.
STATIC_LIMIT = 48 * 1024
# What the functions that sum over a block declare themselves: `cladpy::block_sum`, for double and float.
_OF_FUNCTIONS = 512


@dataclass(frozen=True, slots=True)
class SharedMemory:
    """Bytes of a block. `fixed` is what the arrays of known size take, adjoints included; they are `placed` where they
    lie at the start of what the launch gives. The adjoint of dynamic shared memory takes `dynamic_adjoint` times as
    much as that itself: twice where it holds halves, whose adjoints are floats."""

    fixed: int = 0
    placed: bool = False
    dynamic: bool = False
    dynamic_adjoint: int = 0

    @property
    def used(self) -> bool:
        """Whether there is any."""
        return self.dynamic or self.fixed > 0

    @property
    def launched(self) -> bool:
        """Whether something lies in what the launch gives."""
        return self.placed or self.dynamic

    @property
    def declared(self) -> int:
        """What the kernel itself declares, at most."""
        return _OF_FUNCTIONS + (0 if self.placed else self.fixed)

    @property
    def unasked(self) -> int:
        """How much the launch may give without asking for it, which is less if the kernel declares memory as well."""
        return STATIC_LIMIT - self.declared

    @property
    def grows(self) -> bool:
        """Whether the gradient is launched with more than the original."""
        return self.placed or self.dynamic_adjoint > 0

    def given(self, launch: int) -> int:
        """What the gradient is launched with, where the original is launched with that many bytes."""
        own = self.fixed if self.placed else 0
        return own + (1 + self.dynamic_adjoint) * (aligned(launch) if self.dynamic_adjoint else launch)

    def total(self, launch: int) -> int:
        """What a block takes in all, where the original is launched with that many bytes."""
        return (
            self.fixed + (1 + self.dynamic_adjoint) * aligned(launch) if self.dynamic_adjoint else self.fixed + launch
        )


NO_SHARED = SharedMemory()


def shared_memory(block: Block) -> SharedMemory:
    """That of a kernel by its declarations."""
    declared = [s for s in block if isinstance(s, DeclareArray) and s.root.kind is RootKind.SHARED]
    return SharedMemory(
        sum(map(array_bytes, declared)),
        any(s.offset is not None and not s.root.dynamic for s in declared),
        any(s.root.dynamic for s in declared),
        _adjoint_size(declared),
    )


def array_bytes(array: DeclareArray) -> int:
    """Bytes of an array of known size, with the padding after it; 0 for dynamic shared memory."""
    cell = array.root.adjoint_cell if array.adjoint else array.root.element
    return aligned((array.root.length or 0) * size_of(cell))


def _adjoint_size(declared: Iterable[DeclareArray]) -> int:
    """What the adjoint of dynamic shared memory takes, by its parts, in multiples of that memory."""
    adjoints = [a.root for a in declared if a.root.dynamic and a.adjoint]
    return max((size_of(root.adjoint_cell) // size_of(root.element) for root in adjoints), default=0)


def placed(declared: Iterable[DeclareArray]) -> tuple[DeclareArray, ...]:
    """The declarations of a kernel with a place for each in what the launch gives, as far as they lie there."""
    arrays = tuple(declared)
    times = _adjoint_size(arrays)
    arrays = tuple(replace(a, stride=_stride(a, times)) if a.root.dynamic and a.adjoint else a for a in arrays)
    if sum(map(array_bytes, arrays)) + _OF_FUNCTIONS <= STATIC_LIMIT:
        return arrays
    found: list[DeclareArray] = []
    end = 0
    for array in arrays:
        found.append(array if array.root.dynamic else replace(array, offset=end))
        end += array_bytes(array)
    return tuple(replace(a, offset=end) if a.root.dynamic else a for a in found)


def _stride(adjoint: DeclareArray, times: int) -> int:
    """What lies at a byte of the memory has its adjoint at `times` as many bytes from the start."""
    return times * size_of(adjoint.root.element) // size_of(adjoint.root.adjoint_cell)


def aligned(bytes: int) -> int:
    return (bytes + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
