"""Pointers that host code keeps in memory which it has allocated: arrays of buffers, vectors of vectors, layers.

There are no pointers in the core grammar. Such a pointer is kept as numbers in memory beside: which of the targets it
leads to that have been seen to be stored there, and the indices of the element. What a call allocates in a loop is told
apart by a number of its own where more than one is there at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import BOOL, INT, LONG, ULONG, Type, size_of
from cladpy.ir.types import Pointer as PointerType
from cladpy.ir.walk import with_regions
from cladpy.normalize.decisions import Decisions, Restart, Site
from cladpy.normalize.memory import Memory
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Links,
    Pointer,
    Row,
    Target,
    advance,
    converted,
    is_local,
    nested,
    padded,
    root_in,
    steps_of,
)
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA

SLOTS = 4  # numbers of a pointer: which target, and up to three indices

# The memory beside an allocation, and how many pointers each of its elements holds there.
Beside = dict[Symbol, list[tuple[Symbol, int]]]


@dataclass(slots=True, eq=False)
class PointersInMemory:
    report: Report
    ssa: SSA
    decisions: Decisions
    counters: dict[Site, Cell] = field(default_factory=dict)  # how many there have been
    beside: Beside = field(default_factory=dict)
    deep: set[Symbol] = field(default_factory=set)  # what is allocated in a loop
    sites: dict[Site, tuple[Symbol, Target]] = field(default_factory=dict)
    allocated: list[tuple[Symbol, list[core.Part]]] = field(default_factory=list)

    def new_site(self, site: Site, symbol: Symbol, element: Type, side: core.Side, span: Span) -> Target:
        """What a call gives that allocates memory for elements of a type."""
        numbered = site in self.decisions.several
        parts: list[core.Part] = []
        self.allocated.append((symbol, parts))
        if self.ssa.depth:
            self.deep.add(symbol)

        def links(name: str, lengths: tuple[int, ...]) -> Target:
            numbers = Symbol(f"{name.replace('.', '_')}_links", PointerType(LONG), Role.VARIABLE, span)
            own: list[core.Part] = []
            self.allocated.append((numbers, own))
            self.beside.setdefault(symbol, []).append((numbers, prod(lengths)))
            root = Memory(numbers, None, own, side=core.Side.HOST, numbered=numbered).behind_pointer(LONG, False)
            assert isinstance(root, core.Root)
            return Links(name, root, lengths, [NULL], numbered)

        return Memory(symbol, None, parts, side=side, numbered=numbered, links=links).behind_pointer(element, False)

    def next_of(self, site: Site, target: Target, span: Span) -> Pointer:
        """The memory that the call allocates now."""
        if site not in self.decisions.several:
            return Pointer((target,), ZERO)
        counter = self.counters.setdefault(site, Cell("number", LONG))
        if self.ssa.lookup(counter) is None:
            self.ssa.layers[0][counter] = core.Const(0, LONG)
        number = self.ssa.scalar(counter)
        self.ssa.assign(counter, binary(BinaryOp.ADD, number, core.Const(1, LONG), LONG), span)
        return Pointer((target,), core.Nested(number, ZERO, None))

    # ---- a pointer as numbers --------------------------------------------------------------------------------------

    def follow(self, links: Links, offset: core.Expr, span: Span) -> Pointer:
        """A pointer that lies in allocated memory."""
        known = tuple(links.known)
        if len(known) == 1:
            return Pointer((NULL,), ZERO)
        first = self._slots(links, offset, span)

        def number(slot: int, name: str) -> core.Expr:
            value = core.Value(name, LONG)
            *outer, last = first
            index = nested([*outer, advance(last, core.Const(slot, LONG), 1, False)])
            self.ssa.out.append(core.Load(value, links.numbers, index, span))
            return core.Use(value)

        name = links.name.rpartition(".")[2]
        tag = self.ssa.named(cast(number(0, f"{name}_which"), INT), f"{name}_which", span)
        steps = max(steps_of(t) for t in known)
        return Pointer(known, nested([number(SLOTS - steps + i, name) for i in range(steps)]), tag)

    def link(self, links: Links, offset: core.Expr, content: Pointer, span: Span) -> None:
        """Stores a pointer to allocated memory."""
        for target in content.targets:
            self._make_known(links, target, span)
        steps = max(steps_of(t) for t in content.targets)
        if steps >= SLOTS:
            raise self.report.refuse(
                "CP0233",
                f"a pointer in memory ('{links.name}') is changed to lead into arrays in arrays",
                span,
                "keep such a pointer in a local variable",
            )
        numbers = [links.known.index(t) for t in content.targets]
        which: core.Expr = core.Const(numbers[0], LONG)
        for i, known in enumerate(numbers[1:], 1):
            assert content.tag is not None
            chosen = binary(BinaryOp.EQ, content.tag, core.Const(i, INT), BOOL)
            which = core.Select(chosen, core.Const(known, LONG), which, LONG)
        *outer, last = self._slots(links, offset, span)
        indices = [converted(i, LONG) for i in padded(content.offset, steps)]
        for slot, value in [(0, which), *((SLOTS - steps + i, index) for i, index in enumerate(indices))]:
            index = nested([*outer, advance(last, core.Const(slot, LONG), 1, False)])
            self.ssa.out.append(core.Store(links.numbers, index, value, span))

    def _slots(self, links: Links, offset: core.Expr, span: Span) -> list[core.Expr]:
        """The index of a pointer's first number."""
        *outer, index = self._around(links, offset)
        flat = self.ssa.named(binary(BinaryOp.MUL, converted(index, LONG), core.Const(SLOTS, LONG), LONG), "at", span)
        return [*outer, flat]

    @staticmethod
    def _around(links: Links, offset: core.Expr) -> list[core.Expr]:
        indices = padded(offset, steps_of(links))
        outer = indices[:1] if links.numbered else []
        index, *inner = indices[len(outer) :]
        for i, length in zip(inner, links.lengths, strict=True):
            index = advance(advance(ZERO, index, length, False), i, 1, False)
        return [*outer, index]

    def told_apart(self, site: Site) -> Restart:
        """Of what the call at a site allocates, more than one is there at a time: they have numbers from the start."""
        return Restart(replace(self.decisions, several=self.decisions.several | {site}))

    def _make_known(self, links: Links, target: Target, span: Span) -> None:
        if target in links.known:
            return
        if target is not NULL and (isinstance(target, Cell | Row) or is_local(target)):
            raise self.report.refuse(
                "CP0233",
                f"a pointer in memory ('{links.name}') is changed to lead to a local variable",
                span,
                "let it lead to memory that is allocated",
            )
        root = None if isinstance(target, Links) else root_in(target)
        symbol = links_owner(target) if root is None else root.allocation
        if symbol in self.deep and symbol is not None:
            for site, (known, _) in self.sites.items():
                if known is symbol and site not in self.decisions.several:
                    raise self.told_apart(site)
        links.known.append(target)
        self.ssa.links_known += 1


def links_owner(target: Target) -> Symbol | None:
    """The allocation that pointers lie beside."""
    return target.numbers.allocation if isinstance(target, Links) else None


def with_links(body: Sequence[core.Statement], beside: Mapping[Symbol, list[tuple[Symbol, int]]]) -> core.Region:
    """With the memory beside what is allocated."""
    if not beside:
        return tuple(body)
    out: list[core.Statement] = []
    for statement in body:
        match statement:
            case core.Acquire(allocation, _, element, bytes, _, span):
                if not isinstance(element, PointerType):
                    out.append(statement)
                count = binary(BinaryOp.DIV, bytes, core.Const(size_of(element), ULONG), ULONG)
                for numbers, each in beside.get(allocation, ()):
                    size = binary(BinaryOp.MUL, count, core.Const(each * SLOTS * size_of(LONG), ULONG), ULONG)
                    out.append(core.Acquire(numbers, core.Side.HOST, LONG, size, True, span))
            case _:
                out.append(with_regions(statement, lambda inner: with_links(inner, beside)))
    return tuple(out)
