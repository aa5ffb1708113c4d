"""A whole derivative: the function asked for, the pullbacks that it calls, and what is known about launching it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cladpy.adjoint.deterministic import ExactBuffer
from cladpy.adjoint.prepare import Prepared
from cladpy.adjoint.promises import NOTHING_PROMISED, Promised
from cladpy.adjoint.renewal import Renewing
from cladpy.analysis import races
from cladpy.ir import code, core
from cladpy.ir.beside import Beside, without_extents
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.reach import names_of, stored
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionSymbol, Symbol
from cladpy.ir.types import Pointer
from cladpy.ir.walk import statements
from cladpy.variants.kept_values import KeptValues
from cladpy.variants.variant import Variant

if TYPE_CHECKING:
    from cladpy.adjoint.variants import Variants


@dataclass(frozen=True, slots=True)
class AdjointGlobal:
    """A variable at namespace scope that has an adjoint, which is called `name`. `roots` are those that a function has
    asked for."""

    name: str
    variable: Symbol
    roots: tuple[core.Root, ...]
    on_device: bool = False  # a variable of the device's that host code handles


@dataclass(frozen=True, slots=True)
class AdjointBeside:
    """The adjoint parameter of a member beside the pointers of the parameter at a position."""

    name: str
    parameter: int
    member: Beside

    @property
    def type(self) -> Pointer:
        return Pointer(without_extents(self.member.type))

    def declared(self, parameter: core.Parameter) -> code.Parameter:
        parts = (p for p in parameter.parts if p.own is not None and p.own.offset == self.member.offset)
        given = tuple(core.Part(p.content, p.own.member if p.own else "") for p in parts)
        return code.Parameter(self.name, self.type, given, adjoint=True, optional=True)


@dataclass(frozen=True, slots=True)
class Background:
    """What a generated function was made from, for those who ask why it is as it is."""

    prepared: Prepared
    accumulation: races.Accumulation
    adjoints: Mapping[core.Value, core.Value]  # the variables that hold adjoints, by what they are the adjoints of
    promised: Promised = NOTHING_PROMISED


@dataclass(frozen=True, slots=True)
class Gradient:
    """The functions in the order in which they must be defined; the last one is the gradient itself."""

    functions: tuple[code.Function, ...]
    primal: core.Function
    single: frozenset[BuiltinVar]  # the extents of a launch that must be 1
    globals: tuple[AdjointGlobal, ...]
    besides: tuple[AdjointBeside, ...]
    recursive: bool = False  # whether a pullback calls itself: no compiler knows how much stack that takes
    backgrounds: Mapping[str, Background] = field(default_factory=dict)  # by the function's name
    exact: tuple[ExactBuffer, ...] = ()  # what contributions are added to in the end
    kernels: tuple[Gradient, ...] = ()  # the gradients of those that it launches
    given_to_device: frozenset[str] = frozenset()  # what leads to memory that the device works on; see `names_of`
    variants: tuple[Variant, ...] = ()  # what the launch function may run in place of the kernel
    offers: Variants | None = None  # of a kernel that is launched: the forms that a host program may ask for
    asked: tuple[Renewing | KeptValues, ...] = ()  # those that it has asked for
    loops: tuple[
        tuple[FunctionSymbol, code.Function], ...
    ] = ()  # kernels that it launches as they are, if that is text

    def with_asked(self, form: Renewing | KeptValues) -> Gradient:
        """A variant that replaces adjoints where it is asked to takes the place of the one that it is made of."""
        made = form.reverse
        variants = tuple(made if isinstance(made, Variant) and type(made) is type(v) else v for v in self.variants)
        return replace(self, asked=(*self.asked, form), variants=variants)

    @property
    def main(self) -> code.Function:
        return self.functions[-1]

    @property
    def straight(self) -> bool:
        """Whether a kernel's gradient, and what it calls, has no loop and does not wait: where the threads of a block
        are a loop, it is one of plain statements, as the original's is."""
        every = [
            *self._statements(),
            *(s for f in self.functions for s in (*all_statements(f.body), *statements(f.primal.body))),
        ]
        return not self.recursive and not any(
            isinstance(s, (code.While, code.CountDown, core.Loop)) or s.effects.waits.somebody for s in every
        )

    @property
    def written(self) -> frozenset[str]:
        """The memory of the caller's that the primal writes; see `_memory_name`."""
        return self._named(r for r in stored(self.primal) if r.outlives)

    @property
    def found(self) -> frozenset[str]:
        """The memory of the caller's that the gradient must find as the primal finds it: all that it reads, or changes
        and puts back, also where a variant of its is run."""
        every = (found for s in self._statements() for found in touched_roots(s))
        return self._named(r for r, adjoint in every if not adjoint and r.outlives)

    @property
    def changed(self) -> frozenset[str]:
        """The memory of the caller's whose adjoint the gradient changes, and does not only read."""
        every = (found for s in self._statements() if not _only_reads(s) for found in touched_roots(s))
        return self._named(r for r, adjoint in every if adjoint and r.outlives)

    def _statements(self) -> Iterator[code.Statement]:
        """Those of the gradient itself, and of what is run in its place."""
        kernels = (self.main, *(step.kernel for variant in self.variants for step in variant.steps))
        return (s for kernel in kernels for block in (kernel.body, kernel.count) for s in all_statements(block))

    def _named(self, roots: Iterable[core.Root]) -> frozenset[str]:
        given = len(self.primal.parameters)  # what is behind these is memory of the launch function's
        return names_of(self.primal, (r for r in roots if r.position is None or r.position < given))

    @property
    def single_extents(self) -> tuple[str, ...]:
        """The extents of a launch that must be 1, as CUDA names them."""
        return tuple(sorted(e.value for e in self.single)) if self.main.role is code.FunctionRole.KERNEL else ()

    def followed(self, owner: str) -> frozenset[str]:
        """The pointers that adjoints are reached by in the adjoint of a parameter or variable, without subscripts."""
        roots = {root for s in all_statements(self.main.body) for root, adjoint in touched_roots(s) if adjoint}
        names = {re.sub(r"\[\d+\]", "", name) for root in roots for name in root.through}
        return frozenset(n.removeprefix(owner) for n in names if n == owner or n.startswith(f"{owner}."))


def _only_reads(s: code.Statement) -> bool:
    return isinstance(s, code.Define) or (isinstance(s, code.Take) and not s.zero)
