"""Shared memory and barriers of a gradient's kernel: declared where it begins, and no barrier more than is needed."""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, inner_blocks, touched_roots
from cladpy.ir.effects import Waits
from cladpy.ir.shared import placed
from cladpy.ir.symbols import SYNCTHREADS

Memory = tuple[core.Root, bool]  # memory, or its adjoint


def with_shared_memory(block: code.Block, *, may_alias: bool) -> code.Block:
    """The block with its shared memory declared; adjoints are zeroed by the threads of the block before their first
    use. Barriers between which nothing happens that other threads may see are dropped; of arguments that may overlap,
    threads see in each what is done to another."""
    used: dict[Memory, None] = {}
    for s in all_statements(block):
        for root, adjoint in touched_roots(s):
            if root.kind is core.RootKind.SHARED:
                used.setdefault((root.storage, adjoint))
    declared = placed(code.DeclareArray(root, adjoint, adjoint) for root, adjoint in used)
    if any(adjoint for _, adjoint in used):
        first = next(i for i, s in enumerate(block) if _touches_shared_adjoint(s))
        if not any(s.effects.waits is Waits.BLOCK for s in block[:first]):
            block = (*block[:first], code.Synchronize(SYNCTHREADS), *block[first:])
    block = (*declared, *block)
    if not any(s.effects.waits is Waits.BLOCK for s in all_statements(block)):
        return block
    return _Thinning(block, may_alias).run()


def _touches_shared_adjoint(statement: code.Statement) -> bool:
    return any(
        adjoint and root.kind is core.RootKind.SHARED
        for s in all_statements((statement,))
        for root, adjoint in touched_roots(s)
    )


class _Thinning:
    """Drops barriers that separate nothing: forwards, those before which nothing was done since another one; backwards,
    those after which nothing is done any more."""

    def __init__(self, block: code.Block, may_alias: bool) -> None:
        self.block, self.may_alias = block, may_alias
        # global memory that is changed by other than atomics, in which barriers may have a part
        self.changed = {
            self._place(*place)
            for s in all_statements(block)
            if isinstance(s, code.WriteElement | code.Take | code.CallPullback)
            or (isinstance(s, code.AddElement) and s.update is code.Update.PLAIN)
            for place in touched_roots(s)
            if place[0].outlives
        }
        # and what atomics change that is read, before or after
        added, read = self._touched(block, of_additions=True), self._touched(block, of_additions=False)
        self.changed |= added & read

    def _touched(self, block: code.Block, *, of_additions: bool) -> set[tuple[core.Root | None, bool]]:
        """The global memory that additions change, or that other statements have to do with."""
        chosen = (s for s in all_statements(block) if isinstance(s, code.AddElement) is of_additions)
        return {self._place(*place) for s in chosen for place in touched_roots(s) if place[0].outlives}

    def _place(self, root: core.Root, adjoint: bool) -> tuple[core.Root | None, bool]:
        """What stands for all memory that may be this."""
        return None if self.may_alias and root.outlives else root, adjoint

    def run(self) -> code.Block:
        block, _ = self._forward(self.block, False)
        block, _ = self._backward(block, False)
        return block

    def _matters(self, s: code.Statement) -> bool:
        if isinstance(s, code.DeclareArray):
            return s.zeroed and s.root.kind is core.RootKind.SHARED
        return any(
            root.kind is core.RootKind.SHARED or self._place(root, adjoint) in self.changed
            for root, adjoint in touched_roots(s)
        )

    def _matters_within(self, s: code.Statement) -> bool:
        return any(self._matters(inner) for inner in all_statements((s,)))

    def _forward(self, block: code.Block, dirty: bool) -> tuple[code.Block, bool]:
        """`dirty` says that something was done since the last barrier."""
        out: list[code.Statement] = []
        for s in block:
            match s:
                case code.Synchronize(variable=variable):
                    if dirty or variable is not None:
                        out.append(s)
                    dirty = False
                case code.Branch(then=then, other=other):
                    then, after_then = self._forward(then, dirty)
                    other, after_other = self._forward(other, dirty)
                    dirty = after_then or after_other
                    out.append(replace(s, then=then, other=other))
                case code.While(before=before, body=body):
                    entered = dirty or self._matters_within(s)
                    before, between = self._forward(before, entered)
                    body, _ = self._forward(body, between)
                    dirty = between
                    out.append(replace(s, before=before, body=body))
                case code.CountDown(body=body):
                    entered = dirty or self._matters_within(s)
                    body, after = self._forward(body, entered)
                    dirty = dirty or after
                    out.append(replace(s, body=body))
                case _:
                    dirty = dirty or self._matters(s)
                    out.append(s)
        return tuple(out), dirty

    def _backward(self, block: code.Block, dirty: bool) -> tuple[code.Block, bool]:
        """`dirty` says that something is done later, before the next barrier or after it."""
        out: list[code.Statement] = []
        for s in reversed(block):
            if isinstance(s, code.Synchronize):
                if dirty or s.variable is not None:
                    out.append(s)
            elif isinstance(s, code.Branch) and not dirty:
                then, after_then = self._backward(s.then, False)
                other, after_other = self._backward(s.other, False)
                dirty = after_then or after_other
                out.append(replace(s, then=then, other=other))
            else:
                dirty = dirty or self._matters_within(s) or any(_has_barrier_value(b) for b in inner_blocks(s))
                out.append(s)
        return tuple(reversed(out)), dirty


def _has_barrier_value(block: code.Block) -> bool:
    return any(isinstance(s, code.Synchronize) and s.variable is not None for s in all_statements(block))
