"""What is the same for all threads of a block that come to it together.

An assumption holds until something speaks against it. A variable is not the same for all where it is made of the
thread's index, of memory that is written, or of what threads have by themselves; where one that is declared outside of
a statement which threads take differently, or each by itself, changes in there; or where a loop of that kind counts it.
"""

from __future__ import annotations

from collections.abc import Callable

from cladpy.analysis.dimensions import THREADS
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, defined, inner_blocks, touched_roots
from cladpy.ir.effects import Memory
from cladpy.ir.walk import subexpressions

_READ_ONLY = frozenset((core.RootKind.ARGUMENT, core.RootKind.GLOBAL))

# What functions of cladpy's and of CUDA's give all threads alike, though no argument says what.
_ALIKE = frozenset(("cladpy::warp_goes_round",))


class Alike:
    """Of a body, where `together` says which statements with blocks all threads of a block come to together: what
    stands in others each thread does by itself. What is loaded by `loads` nobody changes while threads come there."""

    def __init__(
        self,
        block: code.Block,
        together: Callable[[code.Statement], bool],
        loads: frozenset[code.Statement] = frozenset(),
    ) -> None:
        self._together = together
        self._loads = loads
        every = list(all_statements(block))
        # what others lead to may be any memory, but the adjoint of a number is none that is read
        self._any = any(s.effects.writes is Memory.ANY and not isinstance(s, code.AddParameter) for s in every)
        self._written = {(r.memory, adjoint) for s in every if _writes(s) for r, adjoint in touched_roots(s)}
        self._homes: dict[core.Value, object] = {}
        self._differ: set[core.Value] = set()
        before = -1
        while len(self._differ) != before:
            before = len(self._differ)
            self._block(block, None)

    def variable(self, variable: core.Value) -> bool:
        return variable not in self._differ

    def expr(self, expr: core.Expr) -> bool:
        return all(self._part(e) for e in subexpressions(expr))

    def initializer(self, init: code.Initializer) -> bool:
        """Whether it can be evaluated once for all threads."""
        if isinstance(init, code.Element):
            known = init.root.kind in _READ_ONLY and (init.root.memory, init.adjoint) not in self._written
            return known and not self._any and self.expr(init.index)
        return not isinstance(init, code.LOADED) and self.expr(init)

    def defined(self, s: code.Define) -> bool:
        """The same of a statement, which may stand where what it loads does not change."""
        if s in self._loads and isinstance(s.init, code.Element):
            return self.expr(s.init.index)
        return self.initializer(s.init)

    def statement(self, s: code.Statement) -> bool:
        """Whether one that only changes variables does the same for all threads."""
        match s:
            case code.Branch(condition) | code.While(_, condition):
                return self.expr(condition)
            case code.CountDown():
                return counts_alike(s, self)
            case _:
                return all(map(self.variable, (*defined(s), *changed(s))))

    def _part(self, expr: core.Expr) -> bool:
        match expr:
            case core.Use(value):
                return value not in self._differ
            case core.Builtin(var):
                return var not in THREADS
            case core.Math(callee, arguments):
                return bool(arguments) or callee.qualified_name in _ALIKE
            case core.IsNull(root) | core.Address(root):
                return root.kind in _READ_ONLY
            case _:
                return True

    def _block(self, block: code.Block, home: object) -> None:
        for s in block:
            self._statement(s, home)

    def _statement(self, s: code.Statement, home: object) -> None:
        match s:
            case code.Define(variable, init):
                self._homes[variable] = home
                of_block = isinstance(init, code.Together) and init.name == "cladpy::block_sum"
                self._require(variable, of_block or self.defined(s))
            case code.Assign(variable, expr) | code.Add(variable, expr):
                self._require(variable, self.expr(expr) and self._homes.get(variable) == home)
            case code.Synchronize():
                pass  # all threads get the same answer
            case code.Branch(condition, then, other):
                apart = not (self._together(s) and self.expr(condition))
                self._block(then, (s, True) if apart else home)
                self._block(other, (s, False) if apart else home)
            case code.While(before, condition, body):
                inside = home if self._together(s) and self.expr(condition) else (s, True)
                self._block(before, inside)
                self._block(body, inside)
            case code.CountDown(variable, _, body):
                # where threads come together they count from the largest of their counts
                self._require(variable, self._together(s))
                self._block(body, home if self._together(s) and counts_alike(s, self) else (s, True))
            case _:
                self._differ.update(defined(s), changed(s))
                for block in inner_blocks(s):
                    self._block(block, (s, True))

    def _require(self, variable: core.Value, alike: bool) -> None:
        if not alike:
            self._differ.add(variable)


def counts_alike(loop: code.CountDown, alike: Alike) -> bool:
    """Whether all threads count down from the same number."""
    return loop.mask is None and not loop.in_step and alike.expr(loop.count)


def _writes(s: code.Statement) -> bool:
    return s.effects.writes is not Memory.NONE
