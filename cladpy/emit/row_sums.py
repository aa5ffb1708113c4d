"""Loops of a kernel that add to an element of an adjoint in each turn, to the next one in the next turn, as the host
backend runs them.

    for k: d_x[k] += f(k)                  double *const row = cladpy::row_of_sums(&d_x[0], &d_x[1], count);
                                           if (row) for k: row[k] += f(k)
                                           else     for k: cladpy::reduce_add(&d_x[k], f(k))

The threads of a launch go through the same elements, each by itself. A row of sums is the worker's own (`worker_sums`),
so that nothing has to be found for each addition, and no other thread is in the way. Where nothing else connects the
turns, they may come in any order, and several at a time: then the loop is one of vectors, and each lane of these has a
sum of its own for what the loop sums up in a variable. So it is with what is added to shared memory, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cladpy.analysis.affine import Affine, affine
from cladpy.emit.worker_sums import WorkerSums
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, defined, variables_read
from cladpy.ir.flow import written_in
from cladpy.ir.names import written_out
from cladpy.ir.types import DOUBLE, FLOAT
from cladpy.ir.walk import substitute, values

Known = Mapping[core.Value, core.Expr]


@dataclass(frozen=True, slots=True)
class Row:
    """The elements of the turns of a loop, of which two are told by their indices: as far apart are any others."""

    root: core.Root
    first: core.Expr
    second: core.Expr


@dataclass(frozen=True, slots=True)
class InRows:
    """A loop: the rows of what it adds, each with the additions to it, and whether turns are `apart`, but for the sums
    that are made in some variables."""

    rows: tuple[tuple[Row, tuple[code.AddElement, ...]], ...]
    apart: bool
    summed: tuple[core.Value, ...]

    @staticmethod
    def plain(loop: code.CountDown) -> code.CountDown:
        """The loop without what only a GPU gains by."""
        return replace(loop, in_step=False, fetched=0, batch=1)


def in_rows(loop: code.CountDown, sums: WorkerSums) -> InRows | None:
    """None where a loop is to be run as it is."""
    known = sums.known
    if loop.mask is not None or loop.unrolled or loop.soon is not None:
        return None
    inside = list(all_statements(loop.body))
    if any(isinstance(s, code.CountDown | code.While) for s in inside):
        return None
    own = {v for s in inside for v in defined(s)}
    changed = written_in(loop.body)
    rows: dict[tuple[core.Root, Affine], tuple[Row, list[code.AddElement]]] = {}
    beside: list[code.AddElement] = []  # added to shared memory
    for s in inside:
        if not isinstance(s, code.AddElement):
            continue
        if _is_shared(s) and _step(s.index, loop.variable, changed, known):
            beside.append(s)
        elif (row := _row(s, loop.variable, changed, sums)) is not None:
            key = (s.root, affine(s.index, known))
            rows.setdefault(key, (row, []))[1].append(s)
    if not rows and not beside:
        return None
    summed = _sums_apart(inside, own, [*beside, *(s for _, added in rows.values() for s in added)])
    if not rows and summed is None:
        return None
    found = tuple((row, tuple(added)) for row, added in rows.values())
    return InRows(found, summed is not None, tuple(summed or ()))


def _is_shared(s: code.AddElement) -> bool:
    number = s.root.adjoint_cell in (FLOAT, DOUBLE)
    return s.adjoint and s.root.kind is core.RootKind.SHARED and number and s.row is None


def _step(index: core.Expr, variable: core.Value, changed: set[core.Value], known: Known) -> int:
    """How many elements lie between those of two turns; 0 where that differs, or is not known."""
    polynomial = affine(index, known)
    step = dict(polynomial.terms).get((core.Use(variable),), 0)
    others = (m for m, _ in polynomial.terms if m != (core.Use(variable),))
    varies = any(v is variable or v in changed for m in others for atom in m for v in values(atom))
    return 0 if varies else step


def _row(s: code.AddElement, variable: core.Value, changed: set[core.Value], sums: WorkerSums) -> Row | None:
    if not s.adjoint or s.row is not None or s.root.adjoint_cell not in (FLOAT, DOUBLE):
        return None
    if s.update not in (Update.ATOMIC, Update.REDUCED, Update.BLOCK) or not sums.deferred(s.root):
        return None
    whole = written_out(s.index, {v: e for v, e in sums.known.items() if v in changed}.get)
    if not _step(s.index, variable, changed, sums.known) or whole is None or not sums.goes_with_turns(s.index):
        return None
    first, second = (substitute(whole, {variable: core.Const(k, variable.type)}) for k in (0, 1))
    return None if any(v in changed for v in values(first)) else Row(s.root, first, second)


def _sums_apart(
    inside: list[code.Statement], own: set[core.Value], added: list[code.AddElement]
) -> list[core.Value] | None:
    """The variables in which sums are made, where nothing else leads from one turn to another; else None."""
    memory = [_array(s.root) for s in added]
    if len(set(memory)) < len(memory):
        return None
    read = {v for s in inside for v in variables_read(s)}
    summed: dict[core.Value, None] = {}
    for s in inside:
        match s:
            case code.Define(_, code.Element(root, _, adjoint)):
                if adjoint and _array(root) in memory:
                    return None
            case code.Define(_, init):
                if isinstance(init, code.LOADED):
                    return None
            case code.Assign(variable):
                if variable not in own:
                    return None
            case code.Add(variable) if variable not in own:
                if variable in read or variable.type not in (FLOAT, DOUBLE):
                    return None
                summed[variable] = None
            case code.AddElement():
                if s not in added:
                    return None
            case code.Add() | code.Branch() | code.Comment():
                pass
            case _:
                return None
    return list(summed)


def _array(root: core.Root) -> object:
    """What stands for an array of adjoints. In shared memory each member of an object has one."""
    apart = root.kind is core.RootKind.SHARED and not root.dynamic and root.part_of is None
    return root.storage if apart else root.memory
