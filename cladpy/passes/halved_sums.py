"""Sums that a block makes by halves, whose adjoint goes to all elements at once.

    for (o = half; o > 0; o /= 2) {              forward: after each step half as many elements
      if (t < o) s[t] += s[t + o];
      __syncthreads();
    }

The reverse of such a loop takes as many steps, with a barrier each, to tell every element the adjoint of the first. The
function of the library that takes its place needs one barrier, or two where the others may have adjoints of their own
(custom_derivatives/cladpy/halved_sums.h).

It takes a loop that does nothing else, with `t` the number of the thread in its line and `o` all halves of a number.
"""

from __future__ import annotations

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.symbols import SYNCTHREADS
from cladpy.ir.types import INT, LONG, UINT, is_half, is_integer, size_of

THREAD = core.Builtin(BuiltinVar.THREAD_X, UINT)


def with_halved_sums(block: code.Block) -> code.Block:
    """The body of a kernel's gradient, whose shared memory has not been declared."""
    return _Halved(block).run()


class _Halved:
    def __init__(self, block: code.Block) -> None:
        self.block = block
        self.known = {s.variable: s.init for s in all_statements(block) if isinstance(s, code.Define) and not s.mutable}

    def run(self) -> code.Block:
        out: list[code.Statement] = []
        for position, s in enumerate(self.block):
            before = self.block[:position]
            out += self._told(s, before) if isinstance(s, code.CountDown) else (with_blocks(s, self._inside),)
        return tuple(out)

    def _inside(self, block: code.Block) -> code.Block:
        """What control may come to more than once, or not at all."""
        out: list[code.Statement] = []
        for s in block:
            out += self._told(s, None) if isinstance(s, code.CountDown) else (with_blocks(s, self._inside),)
        return tuple(out)

    def _told(self, loop: code.CountDown, before: code.Block | None) -> tuple[code.Statement, ...]:
        """What takes the place of a loop. `before` is all that was done before, where that is known."""
        found = self._halved(loop)
        if found is None:
            return (with_blocks(loop, self._inside),)
        half, roots = found
        wait = next(s for s in loop.body if isinstance(s, code.Synchronize))
        calls = []
        for root in roots:
            name = "halved_sum_pullback" if before is None or _others(before, root) else "first_of_halved_sum_pullback"
            start = code.Address(root, core.Const(0, LONG), adjoint=True)
            calls.append(code.CallPullback(f"cladpy::{name}", (start, half), ()))
        return (wait, *calls, code.Synchronize(SYNCTHREADS))

    def _halved(self, loop: code.CountDown) -> tuple[core.Expr, list[core.Root]] | None:
        """The number whose halves a loop goes through, and the memory in which it makes sums."""
        body = [s for s in loop.body if not isinstance(s, code.Comment)]
        branches = [s for s in body if isinstance(s, code.Branch)]
        defined = [s for s in body if isinstance(s, code.Define)]
        waits = [s for s in body if isinstance(s, code.Synchronize) and s.variable is None]
        if len(branches) != 1 or len(defined) != 1 or not waits or len(body) != len(waits) + 2 or loop.fetched:
            return None
        (step,), (branch,) = defined, branches
        half = _halves(loop, step)
        if half is None or branch.other or not isinstance(branch.condition, core.Binary):
            return None
        test, o = branch.condition, core.Use(step.variable)
        if test.op is not BinaryOp.LT or self._terms(test.left) != [THREAD] or self._terms(test.right) != [o]:
            return None
        roots = self._summed([s for s in branch.then if not isinstance(s, code.Comment)], o)
        return None if roots is None else (half, roots)

    def _summed(self, added: list[code.Statement], o: core.Use) -> list[core.Root] | None:
        """The memory of which each thread adds the element that is `o` further on, where it does nothing else: its own
        adjoint stays, and the other gets as much."""
        roots: list[core.Root] = []
        position = 0
        while position < len(added):
            take = added[position]
            if not isinstance(take, code.Take) or not _is_shared_number(take.root):
                return None
            if self._terms(take.index) != [THREAD]:
                return None
            position += 1
            indices = [[THREAD, o], *([[THREAD]] if take.zero else [])]
            for s in added[position : position + len(indices)]:
                match s:
                    case code.AddElement(take.root, index, core.Use(take.variable), adjoint=True, assigned=False) if (
                        terms := self._terms(index)
                    ) in indices:
                        indices.remove(terms)
                    case _:
                        return None
            if indices:
                return None
            position += 2 if take.zero else 1
            roots.append(take.root)
        return roots if roots and len({root.memory for root in roots}) == len(roots) else None

    def _terms(self, expr: core.Expr) -> list[core.Expr]:
        """What an index is the sum of, however it is converted: the thread's number first."""
        match expr:
            case core.Binary(BinaryOp.ADD, left, right):
                terms = [*self._terms(left), *self._terms(right)]
                return sorted(terms, key=lambda e: e != THREAD)
            case core.Cast(operand, type) if is_integer(type) and size_of(type) >= size_of(INT):
                return self._terms(operand)
            case _:
                return [THREAD if self._is_thread(expr) else expr]

    def _is_thread(self, expr: core.Expr) -> bool:
        """Whether a number is that of the thread in its line."""
        match expr:
            case core.Builtin(BuiltinVar.THREAD_X):
                return True
            case core.Cast(operand):
                return self._is_thread(operand)
            case core.Use(value) if value in self.known:
                init = self.known[value]
                return isinstance(init, core.Cast | core.Use | core.Builtin) and self._is_thread(init)
            case _:
                return False


def _halves(loop: code.CountDown, step: code.Define) -> core.Expr | None:
    """The number of which a variable is all halves, the least first, until none is left."""
    match step.init:
        case core.Binary(BinaryOp.SHR, half, shift) if shift == cast(core.Use(loop.variable), shift.type):
            pass
        case _:
            return None
    match loop.count, half:
        case core.Const(count), core.Const(value) if int(value).bit_length() == count:
            return cast(half, LONG)
        case core.Math(callee, (start, core.Const(0), core.Const(1))), _ if callee.name == "halvings":
            return start if start == cast(half, LONG) else None
        case _:
            return None


def _is_shared_number(root: core.Root) -> bool:
    return root.kind is core.RootKind.SHARED and not is_half(root.element)


def _others(before: code.Block, root: core.Root) -> bool:
    """Whether other elements than the first may have an adjoint, given all that was done before."""
    for s in all_statements(before):
        for touched, adjoint in touched_roots(s):
            first = isinstance(s, code.AddElement) and touched is root and _is_zero(s.index)
            if adjoint and touched.memory is root.memory and not first:
                return True
    return False


def _is_zero(index: core.Expr) -> bool:
    return isinstance(index, core.Const) and index.value == 0
