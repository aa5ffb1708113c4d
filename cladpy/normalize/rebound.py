"""Pointers in the memory of arguments, and of variables at namespace scope, that a host function changes: members of an
object that are swapped, or led to scratch memory.

Such a pointer is a variable of the function from the start, which holds at its beginning what the object does. The
object itself is left as it is, as all arguments hold after the call what they held before; so which pointer is meant
has to be known, and the object is given to nobody who looks into it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.reach import memory_in
from cladpy.ir.types import INT, Struct
from cladpy.ir.walk import statements
from cladpy.normalize.decisions import Decisions, PlaceOfPointer, Restart
from cladpy.normalize.here import Here
from cladpy.normalize.places import ZERO, Cell, Pointer, Table, nested, padded
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA


@dataclass(slots=True, eq=False)
class ReboundPointers:
    report: Report
    here: Here
    ssa: SSA
    decisions: Decisions
    cells: dict[PlaceOfPointer, Cell] = field(default_factory=dict)

    def cell(self, table: Table, offset: core.Expr, span: Span) -> Cell | None:
        """The variable in the place of a pointer, if it is one that changes."""
        if not any((symbol, path) == table.way for symbol, path, _ in self.decisions.rebound):
            return None
        place = self._place(table, offset)
        if place is None:
            raise self._refuse(table, span)
        return self._made(table, place) if place in self.decisions.rebound else None

    def changed(self, table: Table, offset: core.Expr, span: Span) -> Cell:
        """The same where the pointer is changed."""
        place = self._place(table, offset)
        if place is None or not self.here.on_host:
            raise self._refuse(table, span)
        if place not in self.decisions.rebound:
            raise Restart(replace(self.decisions, rebound=self.decisions.rebound | {place}))
        return self._made(table, place)

    def given_away(self, body: core.Region) -> None:
        """Refuses calls that may look at these pointers themselves."""
        symbols = {symbol.span: symbol for symbol, *_ in self.cells}
        for call in (c for c in statements(body) if isinstance(c, core.Call)) if symbols else ():
            for memory in (m for a in call.arguments for m in memory_in(a)):
                for one in memory.alternatives if isinstance(memory, core.ChosenArgument) else (memory,):
                    if isinstance(one.root.element, Struct) and one.root.span in symbols:
                        name = symbols[one.root.span].name
                        raise self.report.refuse(
                            "CP0233",
                            f"'{one.root.name}' is given to '{call.callee.name}', and pointers in '{name}' are changed",
                            call.span,
                            "give it the pointers themselves, or the numbers that it needs",
                        )

    def _place(self, table: Table, offset: core.Expr) -> PlaceOfPointer | None:
        indices = padded(offset, table.steps)
        known = tuple(int(i.value) for i in indices if isinstance(i, core.Const))
        return (*table.way, known) if len(known) == len(indices) else None

    def _made(self, table: Table, place: PlaceOfPointer) -> Cell:
        if place not in self.cells:
            cell = self.cells[place] = Cell(table.name.rpartition(".")[2], table.type)
            indices = [core.Const(i, INT) for i in place[2]]
            self.ssa.layers[0][cell] = Pointer((table.target(),), nested([*indices, ZERO]))
        return self.cells[place]

    def _refuse(self, table: Table, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0233",
            f"a pointer in memory ('{table.name}') is changed",
            span,
            "change pointers in host functions, where a constant index says which; else keep them in local variables",
        )
