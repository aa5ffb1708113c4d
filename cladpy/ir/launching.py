"""How the gradient of a kernel is launched, for those who launch it without the launch function in the emitted code,
which is the host's: a compiler for devices alone leaves that out."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.ir.shared import SharedMemory


@dataclass(frozen=True, slots=True)
class Sum:
    """An adjoint whose contributions are added as integers first; `length` is the place of the number that says how
    many there are, None for `count`."""

    parameter: int
    element: str  # as C++ spells it
    count: int
    length: int | None


@dataclass(frozen=True, slots=True)
class Counting:
    """How the slots of tape that a thread needs are found, from the primal's parameters."""

    name: str
    signature: tuple[str, ...]
    by_formula: bool  # a function of the launch, and no kernel
    with_log: bool  # a kernel that stores, and undoes that
    memory: SharedMemory
    slot: int  # bytes
    whole_grid: bool  # whether each block of the original is one of the gradient's


@dataclass(frozen=True, slots=True)
class Launching:
    """A kernel: its parameters are the gradient's, then the size of dynamic shared memory if that has an adjoint, then
    a `cladpy::launch_state` if it has a tape in a workspace or its blocks may run several of the original."""

    kernel: str
    signature: tuple[str, ...]  # of the gradient's parameters
    sizes: tuple[int, ...]  # of blocks, for each of which it is compiled; none where it is no template
    memory: SharedMemory
    standing: bool
    counting: Counting | None
    recursive: bool  # whether it takes a deep stack
    single: tuple[str, ...]  # the extents that must be 1
    sums: tuple[Sum, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is launched with the gradient's arguments alone, and nothing is asked before."""
        own = self.standing or self.counting is not None or self.memory.dynamic_adjoint
        return not (own or self.recursive or self.single or self.sums)
