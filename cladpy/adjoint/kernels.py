"""The kernels that a host function launches: what they write, and their gradients, each made as one by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cladpy.adjoint.cleanup import all_statements, touched_roots
from cladpy.adjoint.plan import PullbackReference
from cladpy.diagnostics import Sink, Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.beside import Beside
from cladpy.ir.reach import memory_in, stored
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import Scalar
from cladpy.normalize import Policy, normalize
from cladpy.options import Options
from cladpy.request import identifiers

if TYPE_CHECKING:
    from cladpy.adjoint.gradient import Gradient

# What makes the gradient of a program's entry by the arguments at some positions, under a name; whether they overlap.
Build = Callable[[s.Program, tuple[int, ...], str, bool], "Gradient"]


@dataclass(slots=True)
class Kernels:
    program: s.Program
    options: Options
    sink: Sink
    build: Build
    gradients: dict[tuple[FunctionSymbol, tuple[int, ...], bool], Gradient] = field(default_factory=dict)
    _writes: dict[FunctionSymbol, frozenset[int]] = field(default_factory=dict)

    def writes(self, symbol: FunctionSymbol) -> frozenset[int]:
        """The positions of the arguments through which a kernel stores."""
        if symbol not in self._writes:
            functions, custom = self.program.functions, self.program.custom_pullbacks
            forwards = {c.primal_name: c for c in self.program.custom_forwards}
            policy = Policy(functions, custom, self.options.may_alias, forwards)
            roots = stored(normalize(functions[symbol], policy, self.sink))
            for root in sorted((r for r in roots if r.kind is core.RootKind.GLOBAL), key=lambda r: r.name):
                self.sink.error(
                    "CP0520",
                    f"the kernel '{symbol.name}' writes the variable '{root.name}', and is launched by the function "
                    "that is differentiated",
                    functions[symbol].span,
                    hint="pass the variable's address to the kernel as an argument",
                )
            self.sink.raise_if_errors()
            self._writes[symbol] = frozenset(r.position for r in roots if r.position is not None)
        return self._writes[symbol]

    def pullback(self, call: core.Call, active: tuple[int, ...]) -> PullbackReference:
        """The gradient of the kernel that is launched by the arguments at some positions."""
        symbol, overlap = call.callee, _overlap(call)
        key = (symbol, active, overlap)
        if key not in self.gradients:
            base = f"{identifiers([symbol.name])[0]}_pullback" + "".join(f"_{i}" for i in active)
            names = {g.main.name for g in self.gradients.values()}
            name, number = base, 0
            while name in names:
                name, number = f"{base}_v{number}", number + 1
            self.gradients[key] = self.build(replace(self.program, entry=symbol), active, name, overlap)
        gradient = self.gradients[key]
        besides = tuple((b.parameter, _member(b.member)) for b in gradient.besides)
        return PullbackReference(gradient.main.name, active, reads=_read(gradient), besides=besides)

    def check(self, call: core.Call, span: Span) -> None:
        """What a kernel is given must be memory of a GPU."""
        for memory in (m for a in call.arguments for m in memory_in(a)):
            for alternative in memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,):
                root = alternative.root
                on_heap = root.kind is core.RootKind.HEAP and root.side is core.Side.HOST
                if root.kind is core.RootKind.LOCAL or on_heap:
                    self.sink.error(
                        "CP0521",
                        f"the kernel '{call.callee.name}' is given memory of the host, '{root.name}'",
                        span,
                        hint="copy it to memory that cudaMalloc gives",
                    )
                    return


def _member(member: Beside) -> str:
    """The text of a number beside pointers as in core.Leaf; empty for what is more than a number, or has no name."""
    return "{b}." + ".".join(member.path) if isinstance(member.type, Scalar) and member.path else ""


def _overlap(call: core.Call) -> bool:
    """Whether a kernel is given memory twice that it writes."""
    given = [
        (i, memory, memory.root)
        for i, a in enumerate(call.arguments)
        for memory in memory_in(a)
        if isinstance(memory, core.PointerArgument)
    ]
    return any(i in call.writes and m is not n and r is q for i, m, r in given for _, n, q in given)


def _read(gradient: Gradient) -> frozenset[int]:
    """The arguments of a kernel whose memory its gradient reads, or changes and puts back."""
    main = gradient.main
    touched = {
        root
        for block in (main.body, main.count)
        for statement in all_statements(block)
        for root, adjoint in touched_roots(statement)
        if not adjoint
    }
    return frozenset(root.position for root in touched if root.position is not None)
