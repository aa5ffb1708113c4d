"""Which calls are inlined, and what that decides by: who writes, who is recursive, how large a call tree is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from cladpy import known
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.customs import is_constructor, pullbacks_of
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import Pointer, Scalar, Void
from cladpy.normalize.decisions import Decisions
from cladpy.normalize.memory import Variables
from cladpy.normalize.standins import is_stand_in
from cladpy.normalize.writes import OUTSIDE, Written, given_to_write, has_only_given, written_through
from cladpy.order import scan

# A call tree of more expression nodes than this is not inlined merely to save work.
SMALL = 2000
# Nor is anything inlined beyond this: the emitted code would explode.
LARGEST = 200_000


class Launched(Protocol):
    """What a host function has to know of the kernels that it launches."""

    def variables(self, symbol: FunctionSymbol) -> tuple[Symbol, ...]:
        """The variables at namespace scope that are among the arguments of a kernel's launch, after its parameters'."""

    def writes(self, symbol: FunctionSymbol) -> frozenset[int]:
        """The positions of the arguments through which a kernel stores, those variables included."""

    def written_members(self, symbol: FunctionSymbol, position: int) -> frozenset[str]:
        """The pointers in an object that a kernel is given by value through which it stores, as `.rows`: members,
        without subscripts."""

    def is_passed(self, variable: Symbol) -> bool:
        """Whether a variable is such an argument of any launch."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Answers about the functions of a program; what has been decided so far is one of them."""

    functions: dict[FunctionSymbol, s.Function]
    custom: tuple[s.CustomPullback, ...] = ()  # the user's pullbacks
    may_alias: bool = False  # whether pointer arguments may overlap
    forwards: dict[str, s.CustomForward] = field(default_factory=dict)  # their forward halves, by the same names
    globals: Variables = field(default_factory=Variables)
    kernels: Launched | None = None  # what is known of those that are launched
    decisions: Decisions = field(default_factory=Decisions)
    closures: tuple[s.Closure, ...] = ()
    _allocators: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _programs: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _written: dict[FunctionSymbol, Written] = field(default_factory=dict)
    _customs: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _meetings: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _sizes: dict[FunctionSymbol, int] = field(default_factory=dict)
    _sites: dict[FunctionSymbol, int] = field(default_factory=dict)
    _takes_bits: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _compares: dict[FunctionSymbol, tuple[bool, bool]] = field(default_factory=dict)
    _callees: dict[FunctionSymbol, tuple[FunctionSymbol, ...]] = field(default_factory=dict)
    _reachable: dict[FunctionSymbol, frozenset[FunctionSymbol]] = field(default_factory=dict)

    def is_custom(self, symbol: FunctionSymbol) -> bool:
        """Whether calls of a function have a derivative that the user wrote."""
        if symbol.kind is FunctionKind.KERNEL:
            return False
        if symbol not in self._customs:
            self._customs[symbol] = bool(pullbacks_of(symbol, self.custom))
        return self._customs[symbol]

    def is_library(self, symbol: FunctionSymbol) -> bool:
        """Whether a host function has a derivative that the user wrote, and is given memory: such a call is a step of a
        host program."""
        on_host = symbol.kind in (FunctionKind.HOST, FunctionKind.HOST_DEVICE)
        given = symbol.parameters[symbol.is_method :]
        plain = isinstance(symbol.result, Scalar | Void) and any(isinstance(t, Pointer) for t in given)
        return on_host and plain and self.is_custom(symbol) and not is_constructor(symbol)

    def works_on_device(self, symbol: FunctionSymbol) -> bool:
        """Whether the memory that such a function is given is the device's, as libraries are that have no body here."""
        return symbol not in self.functions or self.is_program(symbol) or is_stand_in(self.functions[symbol])

    def only_reads(self, symbol: FunctionSymbol) -> bool:
        """Whether a function, with all that it calls, writes nothing but its own variables."""
        return not self.written(symbol)

    def written(self, symbol: FunctionSymbol) -> Written:
        """What a function, with all that it calls, writes besides its own variables."""
        if symbol not in self._written:
            found = written_through(symbol, self.functions)
            if OUTSIDE in found and self.recursive(symbol):
                below = {symbol: None} | dict.fromkeys(self.reachable(symbol))
                if has_only_given(symbol, (self.functions[f] for f in below)):
                    found = (found - {OUTSIDE}) | given_to_write(symbol)
            self._written[symbol] = found
        return self._written[symbol]

    def writes_given(self, symbol: FunctionSymbol) -> bool:
        """Whether a recursive function writes memory that it is given, and does nothing else that would have to be
        undone."""
        below = (symbol, *self.reachable(symbol))
        done_by_user = any(self.is_custom(f) and not self.only_reads(f) for f in below)
        return bool(self.written(symbol)) and min(self.written(symbol)) >= 0 and not done_by_user

    def needs_storage(self, symbol: FunctionSymbol) -> bool:
        """Whether the pullback of a function needs the caller's tape: to undo stores, or for its own frames."""
        below = (symbol, *self.reachable(symbol))
        return any(f in self.decisions.taped or (self.recursive(f) and self.writes_given(f)) for f in below)

    def is_program(self, symbol: FunctionSymbol) -> bool:
        """Whether a host function launches, or handles memory by calls, itself or by what it calls."""
        if symbol.kind is not FunctionKind.HOST or symbol not in self.functions:
            return False
        if symbol not in self._programs:
            below = (symbol, *self.reachable(symbol))
            self._programs[symbol] = any(
                c.kind is FunctionKind.KERNEL or _is_host_call(c) or self.is_library(c)
                for f in below
                for c in scan.callees(self.functions[f])
            )
        return self._programs[symbol]

    def allocates_in(self, statements: Iterable[s.Stmt]) -> bool:
        """Whether a call that allocates memory of a host's stands in statements, or in what they call."""
        return any(
            (callee := scan.called(e)) is not None and self._allocates(callee)
            for statement in statements
            for expr in surface_walk.expressions(statement)
            for e in surface_walk.walk(expr)
        )

    def _allocates(self, symbol: FunctionSymbol) -> bool:
        if symbol not in self.functions:
            return symbol.in_system_header and isinstance(known.of(symbol.name), known.Allocation | known.Pitched)
        if symbol not in self._allocators:
            self._allocators[symbol] = False  # while a recursion is being looked at
            self._allocators[symbol] = any(self._allocates(c) for c in scan.callees(self.functions[symbol]))
        return self._allocators[symbol]

    def meets(self, symbol: FunctionSymbol) -> bool:
        """Whether a function is a barrier of the block, or comes to one."""
        if symbol not in self.functions:
            return isinstance(known.of(symbol.name), known.Barrier)
        if symbol not in self._meetings:
            below = (symbol, *self.reachable(symbol))
            self._meetings[symbol] = any(
                isinstance(known.of(c.name), known.Barrier) for f in below for c in scan.callees(self.functions[f])
            )
        return self._meetings[symbol]

    def meets_in(self, statements: Iterable[s.Stmt]) -> bool:
        """Whether there is a barrier of the block in statements, or in what they call."""
        return any(
            (callee := scan.called(e)) is not None and self.meets(callee)
            for statement in statements
            for expr in surface_walk.expressions(statement)
            for e in surface_walk.walk(expr)
        )

    def size(self, symbol: FunctionSymbol) -> int:
        """The size of a function with everything inlined that can be, as far as that is finite."""
        if symbol not in self._sizes and self.recursive(symbol):
            self._sizes[symbol] = LARGEST
        if symbol not in self._sizes:
            function = self.functions[symbol]
            total = scan.size(function)
            for e in (e for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr)):
                callee = scan.called(e)
                if callee is not None and callee in self.functions and not self.recursive(callee):
                    total += self.size(callee)
            self._sizes[symbol] = min(total, LARGEST)
        return self._sizes[symbol]

    def call_sites(self, symbol: FunctionSymbol) -> int:
        """In how many places of the program a function is called."""
        if not self._sites:
            for function in self.functions.values():
                for e in (e for expr in surface_walk.expressions(function.body) for e in surface_walk.walk(expr)):
                    callee = scan.called(e)
                    if callee is not None:
                        self._sites[callee] = self._sites.get(callee, 0) + 1
        return self._sites.get(symbol, 0)

    def recursive(self, symbol: FunctionSymbol) -> bool:
        """Whether a function can reach itself, and can be called then."""
        return symbol in self.functions and not symbol.unnamed and symbol in self.reachable(symbol)

    def reachable(self, symbol: FunctionSymbol) -> frozenset[FunctionSymbol]:
        """The functions with a body that a function calls, directly or not."""
        if symbol not in self._reachable:
            seen: dict[FunctionSymbol, None] = {}
            stack = list(self._direct(symbol))
            while stack:
                here = stack.pop()
                if here in seen:
                    continue
                seen[here] = None
                known = self._reachable.get(here)
                if known is not None:
                    seen.update(dict.fromkeys(known))
                else:
                    stack += self._direct(here)
            self._reachable[symbol] = frozenset(seen)
        return self._reachable[symbol]

    def _direct(self, symbol: FunctionSymbol) -> tuple[FunctionSymbol, ...]:
        """The functions with a body that a function calls itself."""
        if symbol not in self._callees:
            found = scan.callees(self.functions[symbol])
            self._callees[symbol] = tuple(c for c in found if c in self.functions)
        return self._callees[symbol]

    def takes_bits(self, symbol: FunctionSymbol) -> bool:
        """Whether a function, or what it calls, takes floating-point numbers for their bits."""
        if symbol not in self.functions or self.is_custom(symbol):
            return False
        if symbol not in self._takes_bits:
            below = (symbol, *self.reachable(symbol))
            self._takes_bits[symbol] = any(scan.takes_bits(self.functions[f]) for f in below)
        return self._takes_bits[symbol]

    def compares(self, symbol: FunctionSymbol) -> tuple[bool, bool]:
        """Whether a function, or what it calls, compares floating-point numbers, and whether by functions with kinks;
        False of those that are not inlined."""
        if symbol not in self.functions or self.is_custom(symbol) or self.recursive(symbol):
            return False, False
        if symbol not in self._compares:
            found = [scan.compares(self.functions[f]) for f in (symbol, *self.reachable(symbol))]
            self._compares[symbol] = any(b for b, _ in found), any(k for _, k in found)
        return self._compares[symbol]

    def globals_below(self, symbol: FunctionSymbol) -> frozenset[Symbol]:
        """The variables at namespace scope that a function, or what it calls, names."""
        below = (symbol, *self.reachable(symbol))
        return frozenset(g for f in below for g in scan.globals_of(self.functions[f]))

    def is_worth_inlining(self, symbol: FunctionSymbol) -> bool:
        """Whether sharing a callee's values with its caller may pay: it is small, or called in one place only."""
        return self.size(symbol) <= SMALL or (self.call_sites(symbol) == 1 and self.size(symbol) < LARGEST)


def _is_host_call(symbol: FunctionSymbol) -> bool:
    return symbol.in_system_header and isinstance(known.of(symbol.name), known.HostCall)
