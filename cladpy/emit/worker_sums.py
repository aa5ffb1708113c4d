"""Sums over threads, as the host backend makes them: each worker keeps those of its blocks, and they are added after
these, in an order that does not depend on the workers.

What is kept until then must not be asked for in the kernel: where its adjoint is read, taken or passed on, what threads
add is added at once. What every thread of a block adds to one element has a place of its own, whose number is a
template argument (`cladpy::block_add`): so the loop over threads can be one of vectors. That is where the element is
the same for the whole launch, or where each thread comes once.
"""

from __future__ import annotations

from collections.abc import Set

from cladpy.analysis.dimensions import INDICES
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.ir.flow import constants
from cladpy.ir.names import written_out
from cladpy.ir.types import DOUBLE, FLOAT, Type
from cladpy.ir.walk import subexpressions, values

# What adds to an element that is the same for the whole launch.
_OF_GRID = {Update.REDUCED: "grid_reduce", Update.BLOCK: "grid_add"}


class WorkerSums:
    """Of the kernel whose body is `block`."""

    def __init__(self, block: code.Block, parameters: frozenset[core.Value]) -> None:
        statements = list(all_statements(block))
        self._parameters = parameters
        self._once = set(_outside_of_loops(block))
        self.known = constants(statements)
        self._turns = {s.variable for s in statements if isinstance(s, code.CountDown)}
        self._asked = {
            _storage(root)
            for s in statements
            if not isinstance(s, code.AddElement)
            for root, adjoint in touched_roots(s)
            if adjoint
        }
        # these may read the adjoints of variables that they are not given
        self._calls = any(isinstance(s, code.CallPullback) for s in statements)
        self._places = 0

    def deferred(self, root: core.Root) -> bool:
        """Whether what is added to the adjoint of this may come later."""
        if root.kind is core.RootKind.GLOBAL and self._calls:
            return False
        return root.kind in (core.RootKind.ARGUMENT, core.RootKind.GLOBAL) and _storage(root) not in self._asked

    def of_element(self, statement: code.AddElement) -> str | None:
        """The function that adds to a place of its own, with the place's number; None where it has none."""
        if statement.update not in _OF_GRID or not statement.adjoint or not self.deferred(statement.root):
            return None
        if _is_of_grid(statement.index, self._parameters):
            return self._place(_OF_GRID[statement.update], statement.root.adjoint_cell)
        if statement.update is Update.BLOCK and statement in self._once:
            return self._place("block_add", statement.root.adjoint_cell)
        return None

    def of_parameter(self, statement: code.AddParameter) -> str | None:
        function = _OF_GRID.get(statement.update)
        return None if function is None else self._place(function, statement.type)

    def _place(self, function: str, type: Type) -> str | None:
        if type not in (FLOAT, DOUBLE):
            return None
        self._places += 1
        return f"{function}<{self._places - 1}>"

    def goes_with_turns(self, index: core.Expr) -> bool:
        """Whether an index is the same for all threads of a launch that are in the same turns of their loops."""
        whole = written_out(index, self.known.get)
        return whole is not None and _is_of_grid(whole, self._parameters | self._turns)


def _is_of_grid(index: core.Expr, same: Set[core.Value]) -> bool:
    """Whether an index is the same for all threads of a launch, for which some values are the same."""
    varying = any(isinstance(e, core.Builtin) and e.var in INDICES for e in subexpressions(index))
    return not varying and all(v in same for v in values(index))


def _storage(root: core.Root) -> object:
    """What stands for all memory that may be the same: an argument's, or a variable's."""
    return (root.kind, root.position) if root.position is not None else root.memory


def _outside_of_loops(block: code.Block) -> list[code.Statement]:
    """The statements that a thread comes to at most once."""
    found: list[code.Statement] = []
    for s in block:
        found.append(s)
        if isinstance(s, code.Branch):
            found += [*_outside_of_loops(s.then), *_outside_of_loops(s.other)]
    return found
