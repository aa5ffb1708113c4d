"""Places: what an expression reads or writes, as far as that is known."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Role, Symbol

LONGEST = 8  # steps of a path: what is further down is not told apart


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array or behind a pointer: `offset` from what `index` says, as seen from `base`. Two of them are
    known to differ where only their offsets do."""

    base: Any = None
    index: Any = None
    offset: int | None = None


UNKNOWN = Element()
BEHIND = "*"  # a step to the memory that a pointer or reference member leads to

Step = str | Element


@dataclass(frozen=True, slots=True)
class Place:
    """A variable or a part of it; with `behind`, memory that it leads to. Without a symbol it may be any memory whose
    address is known somewhere."""

    symbol: Symbol | None
    behind: bool = False
    path: tuple[Step, ...] = ()

    def at(self, *steps: Step) -> Place:
        if self.symbol is None:
            return self
        return Place(self.symbol, self.behind, (*self.path, *steps)[:LONGEST])


ANYWHERE = Place(None)


@dataclass(frozen=True, slots=True)
class Effects:
    reads: frozenset[Place] = frozenset()
    writes: frozenset[Place] = frozenset()

    def __or__(self, other: Effects) -> Effects:
        if not (other.reads or other.writes):
            return self
        return Effects(self.reads | other.reads, self.writes | other.writes)


NOTHING = Effects()


def in_turn(places: Iterable[Place]) -> list[Place]:
    """The places in an order that is the same each time, as far as messages tell them apart."""
    return sorted(places, key=lambda p: ("" if p.symbol is None else p.symbol.name, p.behind))


def meet(one: Place, other: Place, exposed: Set[Symbol]) -> bool:
    """Whether two places may be the same, or one a part of the other. `exposed` are the variables whose address is
    taken."""
    if one.symbol is None or other.symbol is None:
        known = other if one.symbol is None else one
        symbol = known.symbol
        return symbol is None or known.behind or symbol.role is Role.GLOBAL or symbol in exposed or BEHIND in known.path
    if one.symbol is not other.symbol or one.behind != other.behind:
        return False  # arguments are taken not to overlap
    shorter, longer = sorted((one.path, other.path), key=len)
    if longer[len(shorter) : len(shorter) + 1] == (BEHIND,):
        return False  # what a pointer leads to is no part of it
    return not any(_differ(a, b) for a, b in zip(one.path, other.path, strict=False))


def _differ(one: Step, other: Step) -> bool:
    if isinstance(one, Element) and isinstance(other, Element):
        known = one.offset is not None and other.offset is not None
        return known and (one.base, one.index) == (other.base, other.index) and one.offset != other.offset
    return isinstance(one, str) and isinstance(other, str) and one != other


def key(expr: s.Expr) -> Any:
    """What an expression says, wherever it stands."""
    match expr:
        case s.Literal(value=value, type=kind):
            return (kind, value)
        case s.VarRef(symbol=symbol):
            return symbol
        case s.Builtin(var=var):
            return var
        case s.Cast(operand=operand, type=kind):
            return ("cast", kind, key(operand))
        case s.Unary(op=op) | s.Binary(op=op):
            return (op, *map(key, surface_walk.children(expr)))
        case s.Member(field=field):
            return ("member", field, *map(key, surface_walk.children(expr)))
        case s.Call(callee=callee) | s.Construct(constructor=callee):
            return (callee, *map(key, surface_walk.children(expr)))
        case s.Index() | s.Deref() | s.AddressOf() | s.Conditional() | s.Temporary():
            return (type(expr), *map(key, surface_walk.children(expr)))
        case _:
            return (id(expr),)


def element(base: Any, index: s.Expr) -> Element:
    """The element at an index, seen from `base`."""
    sign, rest, offset = 1, index, 0
    while isinstance(rest, s.Cast):
        rest = rest.operand
    if isinstance(rest, s.Binary) and rest.op in (s.BinaryOp.ADD, s.BinaryOp.SUB):
        sign = 1 if rest.op is s.BinaryOp.ADD else -1
        if isinstance(rest.right, s.Literal):
            return Element(base, key(rest.left), sign * int(rest.right.value))
        if isinstance(rest.left, s.Literal) and sign > 0:
            return Element(base, key(rest.right), int(rest.left.value))
    if isinstance(rest, s.Literal):
        return Element(base, None, int(rest.value))
    return Element(base, key(rest), offset)
