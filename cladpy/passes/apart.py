"""What is added to several elements of which no two are one: all are read before the first is written.

Compilers do not know that the elements differ, and wait for each sum to be written before they read the next element.
That holds for elements of one adjoint that are told apart, and for those of adjoints that do not overlap.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, touched_roots, with_blocks
from cladpy.ir.flow import moves_freely, written
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import is_half
from cladpy.ir.walk import values

MOST = 32  # of one buffer, that are read together
MOST_ADJOINTS = 6


def read_together(block: code.Block) -> code.Block:
    """A block with what it adds to elements read together, where these are told apart."""
    out: list[code.Statement] = [with_blocks(s, read_together) for s in block]
    by_root: dict[core.Root, list[int]] = {}
    for position, s in enumerate(out):
        if isinstance(s, code.AddElement) and _is_alone(s):
            by_root.setdefault(s.root, []).append(position)
    chosen = []
    for first, *later in by_root.values():
        chosen.append([first, *(p for p in later if _may_be_read_at(out, first, p))][:MOST])
    return _read_at_first(out, chosen)


def read_before_writing(block: code.Block, optional: frozenset[core.Root]) -> code.Block:
    """A block of a kernel whose arguments do not overlap: what is added to one element each of several adjoints is read
    where the first of them is written. Adjoints of `optional` memory may not be there."""
    out: list[code.Statement] = [with_blocks(s, lambda inner: read_before_writing(inner, optional)) for s in block]
    added = [
        p
        for p, s in enumerate(out)
        if isinstance(s, code.AddElement) and _is_read_and_written(s) and s.root not in optional
    ]
    chosen = []
    while added:
        first, *later = added
        chosen.append([first, *(p for p in later if _may_be_read_before(out, first, p))][:MOST_ADJOINTS])
        added = [p for p in later if p not in chosen[-1]]
    return _read_at_first(out, chosen)


def _read_at_first(block: list[code.Statement], chosen: list[list[int]]) -> code.Block:
    """The block where the elements that several statements add to are read at the first of them."""
    out, reads = list(block), defaultdict[int, list[code.Statement]](list)
    for positions in chosen:
        for position in positions if len(positions) > 1 else ():
            s = out[position]
            assert isinstance(s, code.AddElement)
            read, out[position] = _parted(s)
            reads[positions[0]].append(read)
    return tuple(t for position, s in enumerate(out) for t in (*reads[position], s))


def _is_read_and_written(s: code.AddElement) -> bool:
    plain = s.update is Update.PLAIN and s.adjoint and not s.assigned and not s.optional and s.root.outlives
    return plain and not is_half(s.root.element) and not is_half(s.root.adjoint_cell)


def _may_be_read_before(block: list[code.Statement], first: int, position: int) -> bool:
    """Whether the element of a statement may be read where the first is: nothing but plain arithmetic and memory of
    others is in between."""
    s = block[position]
    assert isinstance(s, code.AddElement)
    for t in block[first:position]:
        if not moves_freely(t) or any(root.memory is s.root.memory for root, _ in touched_roots(t)):
            return False
    return _may_be_read_at(block, first, position)


def _parted(s: code.AddElement) -> tuple[code.Define, code.AddElement]:
    """What reads the element, and what writes the sum."""
    content = core.Value("_before", adjoint_value(s.root.element))
    read = code.Define(content, code.Element(s.root, s.index, adjoint=True))
    total = core.Binary(BinaryOp.ADD, core.Use(content), s.expr, content.type)
    return read, replace(s, expr=total, assigned=True)


def _is_alone(s: code.AddElement) -> bool:
    plain = s.update is Update.PLAIN and s.adjoint and not s.assigned and not s.optional
    return s.alone and plain and not is_half(s.root.element) and not is_half(s.root.adjoint_cell)


def _may_be_read_at(block: list[code.Statement], first: int, position: int) -> bool:
    """Whether the element of a statement may be read at one before it: its index is known there, and no thread waits
    for others in between."""
    s = block[position]
    assert isinstance(s, code.AddElement)
    index = set(values(s.index))
    between = all_statements(tuple(block[first:position]))
    return not any(t.effects.waits.somebody or not index.isdisjoint(written(t)) for t in between)
