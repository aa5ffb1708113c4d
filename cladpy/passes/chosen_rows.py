"""What threads add to elements that their data, or a quotient, chooses: lanes of a warp that come to one element add up
first.

Where a thread reads a number from memory, such as that of a material or a word, and adds to elements that only this
number, loops and arguments say, as many threads as have one number meet at each of its elements: in every iteration of
a loop, and for as long as it runs. An atomic addition takes them one after the other. How many of a warp meet is asked
at run time (`cladpy::meeting_add`).

So do threads whose number divided by another says the element, `scale[i / area]`: neighbours, as many as go into one.

What is read anew in each iteration, as the columns of a sparse matrix are, leads lanes to different elements as a rule,
and so does what a loop begins with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy.analysis.affine import affine
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, defined
from cladpy.ir.flow import changed_in, constants
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import is_half, is_integer
from cladpy.ir.walk import children

_WORTH = 8  # lanes that meet
_THREADS = frozenset({BuiltinVar.THREAD_X, BuiltinVar.THREAD_Y, BuiltinVar.THREAD_Z})


def with_meeting_sums(block: code.Block) -> code.Block:
    """The body of a kernel in which it is known what threads may meet at."""
    every = list(all_statements(block))
    changing = changed_in(block)
    named = {v: e for v, e in constants(every).items() if v not in changing}
    return _Chosen(named, {v for s in every for v in defined(s)}).block(block, frozenset(), frozenset())


class _Chosen:
    def __init__(self, named: Mapping[core.Value, core.Expr], own: set[core.Value]) -> None:
        self.named = named
        self.own = own  # what the body defines; all else are arguments

    def block(
        self, block: code.Block, chosen: frozenset[core.Value], counters: frozenset[core.Value], *, inside: bool = False
    ) -> code.Block:
        """`chosen` are numbers that were read outside of the loops around, `inside` of which this is; `counters` are
        those of the loops."""
        out: list[code.Statement] = []
        for s in block:
            match s:
                case code.Define(variable, code.Element(root, _, False), False):
                    if not inside and root.outlives and is_integer(variable.type):
                        chosen |= {variable}
                case code.AddElement():
                    if _is_atomic(s) and self._is_chosen(s.index, chosen, counters):
                        s = replace(s, meeting=True)
                case code.Branch(condition, then, other):
                    then = self.block(then, chosen, counters, inside=inside)
                    s = code.Branch(condition, then, self.block(other, chosen, counters, inside=inside))
                case code.CountDown(variable):
                    s = replace(s, body=self.block(s.body, chosen, counters | {variable}, inside=True))
                case code.While():
                    s = replace(s, body=self.block(s.body, chosen, counters, inside=True))
                case _:
                    pass
            out.append(s)
        return tuple(out)

    def _is_chosen(self, index: core.Expr, chosen: frozenset[core.Value], counters: frozenset[core.Value]) -> bool:
        """Whether an index is made of numbers that were chosen, counters and arguments alone."""
        found = counted = False
        stack = [index]
        while stack:
            e = stack.pop()
            match e:
                case core.Builtin(var) if var in _THREADS:
                    return False
                case core.Binary(BinaryOp.DIV, number, by) if self._counts_threads(number) and self._is_large(by):
                    found = True
                    continue
                case core.Use(value) if value in self.named:
                    stack.append(self.named[value])
                case core.Use(value) if value in chosen:
                    found = True
                case core.Use(value) if value in counters:
                    counted = True
                case core.Use(value) if value in self.own:
                    return False
                case _:
                    pass
            stack += children(e)
        return found and not (counted and self._begins(index, chosen))

    def _counts_threads(self, number: core.Expr) -> bool:
        """Whether a number is one more for the next thread."""
        match number:
            case core.Use(value) if value in self.named:
                return self._counts_threads(self.named[value])
            case core.Cast(operand):
                return self._counts_threads(operand)
            case core.Binary(BinaryOp.ADD, left, right):
                return self._counts_threads(left) or self._counts_threads(right)
            case _:
                return isinstance(number, core.Builtin) and number.var is BuiltinVar.THREAD_X

    def _is_large(self, number: core.Expr) -> bool:
        """Whether a number is an argument, and may well be large, or is."""
        while isinstance(number, core.Cast) or (isinstance(number, core.Use) and number.value in self.named):
            number = number.operand if isinstance(number, core.Cast) else self.named[number.value]
        match number:
            case core.Const(value):
                return value >= _WORTH
            case core.Use(value):
                return value not in self.own
            case _:
                return False

    def _begins(self, index: core.Expr, chosen: frozenset[core.Value]) -> bool:
        """Whether a chosen number is where a loop begins, as those of a sparse matrix's rows are: these differ."""
        alone = (
            (e.value, c) for m, c in affine(index, self.named).terms if len(m) == 1 and isinstance(e := m[0], core.Use)
        )
        return any(value in chosen and coefficient == 1 for value, coefficient in alone)


def _is_atomic(s: code.AddElement) -> bool:
    plain = s.adjoint and s.row is None and not s.privatised and not is_half(s.root.adjoint_cell)
    return plain and s.update is Update.ATOMIC and s.root.kind is not core.RootKind.SHARED
