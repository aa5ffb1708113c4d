"""The kernels that a host function launches: what they write, and their gradients, each made as one by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cladpy.adjoint.overlaps import Overlap, overlap
from cladpy.adjoint.plan import PullbackReference, RenewingLaunch
from cladpy.adjoint.renewal import Renewing
from cladpy.analysis.replays import is_repeatable
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir import surface as s
from cladpy.ir.beside import Beside
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.reach import memory_in, stored
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import Array, Scalar, Struct, is_half
from cladpy.normalize import Policy, decided, normalize
from cladpy.normalize.layout import comes_apart
from cladpy.normalize.places import element_of
from cladpy.options import Options
from cladpy.order import scan
from cladpy.request import identifiers
from cladpy.variants.kept_values import KeptValues

if TYPE_CHECKING:
    from cladpy.adjoint.gradient import Gradient

# What makes the gradient of a program's entry by the arguments at some positions, and by variables, under a name;
# what they share.
Build = Callable[[s.Program, tuple[int, ...], tuple[Symbol, ...], str, Overlap], "Gradient"]

_Key = tuple[FunctionSymbol, tuple[int, ...], Overlap]


@dataclass(slots=True)
class Kernels:
    program: s.Program
    options: Options
    sink: Sink
    build: Build
    named: tuple[Symbol, ...]  # the variables that the caller asks for
    gradients: dict[_Key, Gradient] = field(default_factory=dict)
    _renewing: dict[_Key, Renewing | None] = field(default_factory=dict)
    _kept_values: dict[tuple[_Key, frozenset[int]], KeptValues | None] = field(default_factory=dict)
    _stores: dict[FunctionSymbol, tuple[set[core.Root], core.Function]] = field(default_factory=dict)
    _variables: tuple[Symbol, ...] | None = None

    def clear(self) -> None:
        """Forgets the gradients."""
        self.gradients.clear()
        self._renewing.clear()
        self._kept_values.clear()

    def variables(self, symbol: FunctionSymbol) -> tuple[Symbol, ...]:
        """Those that the kernel names, and that the program changes or the caller asks for."""
        return tuple(v for v in self._known_variables() if v in self._named_by(symbol))

    def is_passed(self, variable: Symbol) -> bool:
        return variable in self._known_variables()

    def _named_by(self, symbol: FunctionSymbol) -> frozenset[Symbol]:
        return Policy(self.program.functions).globals_below(symbol)

    def _known_variables(self) -> tuple[Symbol, ...]:
        """The variables of the device's that the program names on the host's side, those that its kernels write, and
        those that the caller asks for."""
        if self._variables is None:
            functions = self.program.functions
            kernels = [f for f in functions if f.kind is FunctionKind.KERNEL]
            hosts = [f for f in functions.values() if f.symbol.kind is FunctionKind.HOST]
            changed = {v for f in hosts for v in scan.globals_of(f)} | set(self.named)
            for kernel in kernels:
                changed |= self._written_variables(kernel)
            theirs = {v for k in kernels for v in self._named_by(k) if v in changed and _is_plain(v)}
            self._variables = tuple(sorted(theirs, key=lambda v: v.span))
        return self._variables

    def _stored(self, symbol: FunctionSymbol) -> tuple[set[core.Root], core.Function]:
        if symbol not in self._stores:
            functions, custom = self.program.functions, self.program.custom_pullbacks
            forwards = {c.primal_name: c for c in self.program.custom_forwards}
            policy = Policy(functions, custom, self.options.may_alias, forwards)
            function = decided(lambda d: normalize(functions[symbol], replace(policy, decisions=d), self.sink))
            self._stores[symbol] = stored(function), function
        return self._stores[symbol]

    def _written_variables(self, symbol: FunctionSymbol) -> set[Symbol]:
        roots, function = self._stored(symbol)
        return {v.symbol for v in function.variables if not roots.isdisjoint(v.roots)}

    def writes(self, symbol: FunctionSymbol) -> frozenset[int]:
        """The positions of the arguments through which a kernel stores."""
        roots, function = self._stored(symbol)
        variables = self.variables(symbol)
        written = self._written_variables(symbol)
        for variable in sorted(written.difference(variables), key=lambda v: v.span):
            self.sink.error(
                "CP0520",
                f"the kernel '{symbol.name}' writes by the variable '{variable.name}', of a type with pointers, and is "
                "launched by the function that is differentiated",
                function.span,
                hint="pass the variable's address to the kernel as an argument",
            )
        self.sink.raise_if_errors()
        own = {r.position for r in roots if r.position is not None}
        first = len(symbol.parameters)
        return frozenset(own | {first + i for i, v in enumerate(variables) if v in written})

    def written_members(self, symbol: FunctionSymbol, position: int) -> frozenset[str]:
        """The pointers in an object given by value through which a kernel stores."""
        roots, function = self._stored(symbol)
        owner = function.parameters[position].name
        return frozenset(
            re.sub(r"\[\d+\]", "", r.through[0].removeprefix(owner))
            for r in roots
            if r.position == position and r.through
        )

    def is_repeatable(self, call: core.Call) -> bool:
        """Whether a launch may be made again."""
        return is_repeatable(self._stored(call.callee)[1])

    def pullback(self, call: core.Call, active: tuple[int, ...]) -> PullbackReference:
        """The gradient of the kernel that is launched by the arguments at some positions."""
        symbol, shared = call.callee, overlap(call, active)
        key = (symbol, active, shared)
        variables, first = self.variables(symbol), len(symbol.parameters)
        own = tuple(i for i in active if i < first)
        if key not in self.gradients:
            base = identifiers([f"{symbol.name.rstrip('_')}_pullback"])[0] + "".join(f"_{i}" for i in active)
            names = {g.main.name for g in self.gradients.values()}
            name, number = base, 0
            while name in names:
                name, number = f"{base}_v{number}", number + 1
            named = tuple(variables[i - first] for i in active if i >= first)
            self.gradients[key] = self.build(replace(self.program, entry=symbol), own, named, name, shared)
        gradient = self.gradients[key]
        besides = tuple((b.parameter, _member(b.member), b.member.type) for b in gradient.besides)
        reads = _read(gradient, variables)
        counted = tuple((b.position, b.element) for b in gradient.exact if not b.single)
        return PullbackReference(gradient.main.name, active, reads=reads, besides=besides, counted=counted)

    def renewing(
        self, call: core.Call, active: tuple[int, ...], accepts: Callable[[RenewingLaunch], bool]
    ) -> RenewingLaunch | None:
        """The gradient of the kernel that leaves cotangents and replaces adjoints, if the host program `accepts` it."""
        key = (call.callee, active, overlap(call, active))
        gradient = self.gradients[key]
        if key not in self._renewing:
            made = None if gradient.offers is None else gradient.offers.renewed(gradient.variants)
            if made is not None and not accepts(made.launch(gradient.primal)):
                made = None
            if made is not None:
                self.gradients[key] = gradient.with_asked(made)
            self._renewing[key] = made
        known = self._renewing[key]
        return None if known is None else known.launch(gradient.primal)

    def kept_values(self, call: core.Call, active: tuple[int, ...], changing: frozenset[int]) -> KeptValues | None:
        """The gradient of the kernel in two, for a launch after which the memory of the arguments at the positions
        `changing` may be overwritten."""
        key = (call.callee, active, overlap(call, active))
        wanted = (key, changing)
        if wanted not in self._kept_values:
            gradient = self.gradients[key]
            variables, first = self.variables(call.callee), len(call.callee.parameters)
            named = {variables[i - first] for i in changing if i >= first}
            roots = {c for i in changing if i < first for c in gradient.primal.parameters[i].contents}
            roots |= {r for v in gradient.primal.variables if v.symbol in named for r in v.roots}
            made = None
            # what functions read of variables is not among the loads of the gradient
            if gradient.offers is not None and self.is_repeatable(call) and not (named and _calls(gradient)):
                renewing = self._renewing.get(key)
                made = gradient.offers.in_two({r for r in roots if isinstance(r, core.Root)}, renewing)
            if made is not None:
                number = sum(isinstance(form, KeptValues) for form in gradient.asked)
                if number:
                    made = made.renamed(f"_v{number}")
                self.gradients[key] = gradient.with_asked(made)
            self._kept_values[wanted] = made
        return self._kept_values[wanted]

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
    """The text of a number beside pointers as in core.Leaf, of an array or an object; empty for what has no name, or
    arrays of more than numbers."""
    whole = member.type
    of_numbers = isinstance(whole, Array) and isinstance(whole.element, Scalar) and not is_half(whole.element)
    known = isinstance(whole, Scalar) or of_numbers or (isinstance(whole, Struct) and comes_apart(whole))
    return "{b}." + ".".join(member.path) if known and member.path else ""


def _calls(gradient: Gradient) -> bool:
    """Whether a gradient calls functions, which may read variables by their names."""
    called = code.CallPullback | code.Invoke
    return any(
        isinstance(s, called) or (isinstance(s, code.Define) and isinstance(s.init, code.UserCall))
        for block in (gradient.main.body, gradient.main.count)
        for s in all_statements(block)
    )


def _read(gradient: Gradient, variables: tuple[Symbol, ...]) -> frozenset[int]:
    """The arguments of a kernel whose memory its gradient reads, or changes and puts back; where it calls functions,
    all of the variables."""
    main = gradient.main
    touched = {
        root
        for block in (main.body, main.count)
        for statement in all_statements(block)
        for root, adjoint in touched_roots(statement)
        if not adjoint
    }
    first = len(gradient.primal.symbol.parameters)
    of_variables = {root: v.symbol for v in gradient.primal.variables for root in v.roots}
    named = {of_variables[root] for root in touched if root in of_variables}
    own = {root.position for root in touched if root.position is not None}
    by_name = _calls(gradient)
    return frozenset(own | {first + i for i, v in enumerate(variables) if by_name or v in named})


def _is_plain(variable: Symbol) -> bool:
    """Whether a variable is numbers, or objects made of numbers."""
    element = element_of(variable.type)
    return isinstance(element, Scalar) or (isinstance(element, Struct) and comes_apart(element))
