"""What a launch may run in place of a gradient's kernel. `table.py` has the kinds; each is a class that says when a
gradient has one, of which kernels it is made, what the launch function tests, and what is told of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from cladpy.analysis import races
from cladpy.ir import code, core
from cladpy.ir.surface import BuiltinVar


class Text(Protocol):
    """Writes expressions over the arguments of a launch, and the names of these that are pointers."""

    def __call__(self, expr: core.Expr) -> str: ...

    def pointer(self, name: str) -> str: ...


class Original(Protocol):
    """The gradient of a kernel that may run in other ways, as variants ask about it."""

    @property
    def main(self) -> code.Function:
        """As it runs on the grid of the original."""

    @property
    def function(self) -> core.Function: ...

    @property
    def accumulation(self) -> races.Accumulation: ...

    @property
    def accesses(self) -> races.Accesses: ...

    @property
    def varied(self) -> frozenset[core.Root]:
        """The memory that is read and has an adjoint."""

    @property
    def optional(self) -> frozenset[core.Root]:
        """The memory whose adjoint may not be there."""

    @property
    def unread(self) -> frozenset[BuiltinVar]:
        """What the primal does not ask of its place."""

    @property
    def fresh(self) -> frozenset[core.Root]:
        """The memory whose adjoint is promised to be zero."""

    @property
    def normalized(self) -> core.Function:
        """The kernel as it was written, before anything was done for the sake of its gradient."""

    def of_rest(self, rest: core.Function) -> tuple[code.Function, frozenset[BuiltinVar]] | None:
        """The gradient of a kernel that has one more parameter, memory with an element for each thread which loads it
        at most once, and the extents of a launch that must be 1 then; None where that takes more than a kernel."""

    @property
    def may_be_repeated(self) -> bool:
        """Whether the body may stand in several kernels."""

    def swept_again(
        self, consumed: frozenset[core.Root] | None
    ) -> tuple[Sequence[code.Statement], Sequence[code.Statement]]:
        """The body as the sweeps write it, and what adds to adjoints of numbers in the end. With memory that is
        `consumed`, nothing else is promised."""


@dataclass(frozen=True, slots=True)
class Step:
    """A kernel of a variant, and its launch in terms of the launch function, which runs a variant's steps one after the
    other."""

    kernel: code.Function
    says: str  # of the kernel, in the emitted file
    grid: str
    block: str = "_block"
    given: str = ""  # declares what the launch function gives the kernel besides
    most: str = ""  # the threads of its blocks, where they are others than the original's
    asked: str = ""  # the argument of the launch function by which a caller has this step run in place of the others


class Variant(ABC):
    """`roots` are those whose adjoints the kernel itself would add to in another way."""

    header: ClassVar[str]  # of what the launch function tests
    repeats: ClassVar[bool] = True  # whether steps run the gradient's body again
    end: ClassVar[str] = ""  # a function that is given what the last step gives, and does the rest
    verb: ClassVar[str] = ""  # where a step may be asked for: `<gradient>_<verb>` says whether a launch runs it
    reason: ClassVar[str]  # what becomes of the additions to `roots`
    roots: tuple[core.Root, ...]

    @classmethod
    @abstractmethod
    def of(cls, original: Original) -> Variant | None:
        """The variant of a gradient, where that is possible and pays."""

    @property
    @abstractmethod
    def steps(self) -> tuple[Step, ...]: ...

    @abstractmethod
    def test(self, text: Text) -> tuple[tuple[str, ...], str]:
        """What the launch function declares, and the condition under which it runs the steps; `text` writes
        expressions over its arguments."""

    @abstractmethod
    def explained(self) -> tuple[tuple[str, ...], str]:
        """The steps in words, and when the kernel is launched in place of these."""
