"""Variables of which directives of OpenMP give each thread its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cladpy.frontend.clauses import Clauses, named_outside
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Declare, Stmt, VarRef
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import Array, Pointer, Scalar

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader


@dataclass(slots=True)
class Copies:
    """What the clauses of a directive say of variables that a statement names."""

    declared: list[Stmt] = field(default_factory=list)  # the threads' own
    reduced: list[tuple[Symbol, str]] = field(default_factory=list)

    @property
    def own(self) -> tuple[Symbol, ...]:
        return tuple(s.symbol for s in self.declared if isinstance(s, Declare))


@contextmanager
def copied(
    cursor: Cursor, clauses: Clauses, scope: FunctionReader, refusal: Refused, counters: Sequence[str] = ()
) -> Iterator[Copies]:
    """Gives each thread its own of the variables that are private, and of `counters`, while a statement is being read.
    Raises `refusal` for what is not known, or is no number, pointer or array."""
    try:
        private = [*clauses.names("private"), *(c for c in counters if c not in clauses.names("private"))]
        first = clauses.names("firstprivate")
        reduced = clauses.reductions
    except ValueError:
        raise refusal from None
    known = named_outside(cursor, scope)
    copies = Copies()
    before = []
    for name in (*private, *first, *(name for name, _ in reduced)):
        declaration = known.get(name)
        if declaration is None:
            if name in known:
                raise refusal
            continue
        symbol = scope.symbol(declaration)
        is_copied = name in private or name in first
        kinds = (Scalar, Pointer) if name in first else (Scalar, Pointer, Array)
        if symbol is None or not isinstance(symbol.type, kinds):
            raise refusal
        if is_copied:
            own = Symbol(name, symbol.type, Role.VARIABLE, symbol.span)
            init = VarRef(symbol, symbol.type, symbol.span) if name in first else None
            copies.declared.append(Declare(own, init, symbol.span))
            before.append((declaration, symbol))
        copies.reduced += [(symbol, operator) for other, operator in reduced if other == name]
    for (declaration, _), own in zip(before, copies.own, strict=True):
        scope.rebind(declaration, own)
    try:
        yield copies
    finally:
        for declaration, symbol in before:
            scope.rebind(declaration, symbol)
