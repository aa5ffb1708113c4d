"""`goto` as leaving a block early (`jumps.py`).

    goto done;             what stands from the first such statement to the label is a block that is left
    ...
  done: ...

    again: ...             what stands from the label to the last such statement, or to the end of the block that both
    goto again;            are in, is a loop that begins again where it is left so

A block may hold others, and begins or ends with these where the two overlap. A `goto` into another block, or into the
middle of what another goes back over, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.destructors import Around
from cladpy.frontend.jumps import Jumps, Leaving
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Block, Declare, Stmt

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader


@dataclass(eq=False, slots=True)
class _Region:
    """The statements from `start` on and before `end`, and where the label is that is gone to."""

    start: int
    end: int
    label: int
    is_loop: bool


class Gotos:
    """Those of one function that is being read."""

    def __init__(self, scope: FunctionReader, jumps: Jumps) -> None:
        self._scope = scope
        self._jumps = jumps
        self._open: dict[int, Leaving] = {}  # by the label: the block whose end it is, or whose beginning

    def read(self, children: Sequence[Cursor]) -> list[Stmt]:
        """The statements of a block."""
        statements = [_behind_labels(c) for c in children]
        labels = {label.node: at for at, c in enumerate(children) for label in _labels(c)}
        regions = _regions(children, labels) if labels else []
        return self._part(statements, labels, _in_order(regions), 0, len(children))

    def jump(self, cursor: Cursor, span: Span) -> list[Stmt]:
        """`goto label;`. Raises Refused."""
        block = self._open.get(_target(cursor))
        if block is None:
            raise Refused("CP0101", span)
        return self._jumps.stop(block, 1, span)

    def _part(
        self, children: Sequence[Cursor | None], labels: dict[int, int], regions: list[_Region], start: int, end: int
    ) -> list[Stmt]:
        """Some of the statements; `regions` are within these, the outer ones first."""
        found: list[Stmt] = []
        at = start
        while at < end:
            region = next((r for r in regions if r.start == at), None)
            if region is not None:
                others = regions[regions.index(region) + 1 :]
                found += self._region(children, labels, region, [r for r in others if r.end <= region.end])
                at, regions = region.end, [r for r in others if r.start >= region.end]
                continue
            child = children[at]
            found += self._scope.statements.read(child) if child is not None else []
            at += 1
        return found

    def _region(
        self, children: Sequence[Cursor | None], labels: dict[int, int], region: _Region, within: list[_Region]
    ) -> list[Stmt]:
        destructors = self._scope.destructors
        first = next(c for c in children[region.start :] if c is not None)
        span = self._scope.files.span(first)
        block = self._jumps.block("gone", span, is_loop=region.is_loop)
        keys = [key for key, at in labels.items() if at == region.label]
        before = {key: self._open.get(key) for key in keys}
        self._open.update(dict.fromkeys(keys, block))
        destructors.enter(Around.TRY)
        with self._jumps.inside(block):
            inside = self._part(children, labels, within, region.start, region.end)
            inside = destructors.leave(inside, span)
        self._open.update({key: known for key, known in before.items() if known is not None})
        for key in keys:
            if before[key] is None:
                del self._open[key]
        passed_on = self._jumps.passed_on(span)
        # what is declared without a value may be named behind the block
        declared = [s for s in inside if isinstance(s, Declare) and s.init is None]
        rest = Block(tuple(s for s in inside if s not in declared), span)
        return [*declared, *self._jumps.whole(block, rest, span), *passed_on]


def _regions(children: Sequence[Cursor], labels: dict[int, int]) -> list[_Region]:
    """Those of the labels that are gone to from statements beside these, or within such."""
    forward: dict[int, int] = {}
    back: dict[int, int] = {}
    for at, child in enumerate(children):
        for goto in _gotos(child):
            label = labels.get(_target(goto))
            if label is not None and at < label:
                forward.setdefault(label, at)
            elif label is not None:
                back[label] = at
    found = [_Region(start, label, label, False) for label, start in forward.items()]
    for label, last in back.items():
        end = len(children) if any(map(_declares, children[label : last + 1])) else last + 1
        found.append(_Region(label, end, label, True))
    return found


def _in_order(regions: list[_Region]) -> list[_Region]:
    """The regions, one within the other where they overlap, the outer ones first; without those that cannot be."""
    crossing = next(_crossing(regions), None)
    while crossing is not None:
        first, second = crossing
        if first.is_loop and second.is_loop:
            first.end = second.end
        elif second.is_loop:  # a `goto` into a loop
            regions = [r for r in regions if r is not first]
        else:
            second.start = first.start
        crossing = next(_crossing(regions), None)
    # of two that are the same statements, the loop is the one within: what leaves it goes behind it
    return sorted(regions, key=lambda r: (r.start, -r.end, r.is_loop))


def _crossing(regions: list[_Region]) -> Iterator[tuple[_Region, _Region]]:
    return ((a, b) for a in regions for b in regions if a.start < b.start < a.end < b.end)


def _declares(statement: Cursor) -> bool:
    """Whether it declares something that has a value at once, which ends where control goes back."""
    if statement.kind == CursorKind.LABEL_STMT:
        return any(map(_declares, statement.children()))
    declared = statement.children() if statement.kind == CursorKind.DECL_STMT else []
    return any(c.kind != CursorKind.VAR_DECL or c.initializer is not None for c in declared)


def _labels(statement: Cursor) -> Iterator[Cursor]:
    while statement.kind == CursorKind.LABEL_STMT:
        yield statement
        inner = _inner(statement)
        if inner is None:
            return
        statement = inner


def _behind_labels(statement: Cursor) -> Cursor | None:
    found: Cursor | None = statement
    while found is not None and found.kind == CursorKind.LABEL_STMT:
        found = _inner(found)
    return found


def _inner(label: Cursor) -> Cursor | None:
    return next((c for c in label.children() if 100 <= c.kind < 300), None)


def _gotos(statement: Cursor) -> Iterator[Cursor]:
    waiting = [statement]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.GOTO_STMT:
            yield here
        elif here.kind != CursorKind.LAMBDA_EXPR:
            waiting += here.children()


def _target(goto: Cursor) -> int:
    return next(c.referenced.node for c in goto.children())
