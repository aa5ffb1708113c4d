"""Which arithmetic decides something, and what may be less exact because it does not.

What decides a branch, a trip count or an index comes out the same each time (`exact`). The sweeps ask that of a value
wherever they compute it. But what the reverse sweep computes again often decides nothing any more: it goes into
adjoints.

A body is looked at as a whole: a value decides something if a condition, a count, an index or an integer is made of it,
also by way of other values, of local arrays, of the tape and of states that are held, or if it goes to other memory of
the original or to a function that is called.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import TypeGuard

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions, touched_roots, with_blocks
from cladpy.ir.types import is_floating
from cladpy.ir.walk import children, map_children, values

_Part = core.Expr | code.Frame | core.Root

# A formula that compares is a decision: which operand of a maximum got its adjoint.
_DECIDES = re.compile(r"[?<>]|_d[xyz]\b|\b(?:share|part)\b")


def relaxed(block: code.Block, change: Callable[[core.Expr], core.Expr]) -> code.Block:
    """The body of a kernel's gradient, complete, with `change` applied to the parts of numbers that decide nothing, the
    inner ones first."""
    deciding = _deciding(block)

    def less_exact(expr: core.Expr) -> core.Expr:
        return change(map_children(expr, less_exact)) if _passes(expr) else expr

    def free(s: code.Statement) -> code.Statement:
        match s:
            case code.Define(variable, init) if _is_number(init) and variable not in deciding:
                return replace(s, init=less_exact(init))
            case code.Assign(variable, expr) | code.Add(variable, expr) if variable not in deciding:
                return replace(s, expr=less_exact(expr))
            case code.AddElement(expr=expr, adjoint=True):
                return replace(s, expr=less_exact(expr))
            case code.AddParameter(expr=expr, assigned=False):
                return replace(s, expr=less_exact(expr))
            case _:
                return with_blocks(s, lambda inner: tuple(map(free, inner)))

    return tuple(map(free, block))


def _is_number(init: code.Initializer) -> TypeGuard[core.Expr]:
    return not isinstance(init, code.LOADED) and is_floating(init.type)


def _deciding(block: code.Block) -> set[Hashable]:
    """The values that decide something, and the local arrays and frames of the tape in which such values are kept."""
    made_of: dict[Hashable, list[_Part]] = defaultdict(list)
    asked: list[_Part] = []
    for s in all_statements(block):
        match s:
            case code.Define(variable, init) if _is_number(init):
                made_of[variable].append(init)
            case code.Assign(variable, expr) | code.Add(variable, expr) if is_floating(variable.type):
                made_of[variable].append(expr)
            case code.Define(variable, code.Element(root, index, False)) if _is_of_thread(root):
                asked.append(index)
                made_of[variable].append(root)
            case code.WriteElement(root, index, expr) if _is_of_thread(root):
                asked.append(index)
                made_of[root].append(expr)
            case code.AddElement(index=index, expr=expr, adjoint=True):
                asked += [index, *_decisions(expr)]
            case code.AddParameter(expr=expr, assigned=False):
                asked += _decisions(expr)
            case code.Keep(frame, step, kept):
                asked.append(step)
                made_of[frame] += (e for _, e in kept)
            case code.Push(frame, kept, only):
                asked += [] if only is None else [only]
                made_of[frame] += (e for _, e in kept)
            case code.Pop(frame, variables, only):
                asked += [] if only is None else [only]
                for _, v in variables:
                    made_of[v].append(frame)
            case code.Rewind(frame, step, variables):
                asked.append(step)
                for _, v in variables:
                    made_of[v].append(frame)
            case _:
                asked += expressions(s)
                asked += (root for root, adjoint in touched_roots(s) if not adjoint)
    for parts in list(made_of.values()):
        for part in parts:
            if not isinstance(part, code.Frame | core.Root):
                asked += _decisions(part)
    found: set[Hashable] = set()
    work: list[Hashable] = [k for part in asked for k in _keys(part)]
    while work:
        key = work.pop()
        if key not in found:
            found.add(key)
            work += (k for part in made_of.get(key, ()) for k in _keys(part))
    return found


def _is_of_thread(root: core.Root) -> bool:
    """Whether an array of numbers is the thread's own."""
    return root.kind is core.RootKind.LOCAL and is_floating(root.element)


def _keys(part: _Part) -> Iterator[Hashable]:
    if isinstance(part, code.Frame | core.Root):
        yield part
    else:
        yield from values(part)


def _decisions(expr: core.Expr) -> Iterator[core.Expr]:
    """The parts of a number that decide something: integers, comparisons, and formulas that compare."""
    if _passes(expr):
        for part in children(expr):
            yield from _decisions(part)
    elif not isinstance(expr, core.Use):
        yield expr


def _passes(expr: core.Expr) -> bool:
    """Whether an expression is a number that is made of numbers, and changes a little where these do."""
    if not is_floating(expr.type) or isinstance(expr, core.Use | core.Const):
        return False
    return not (isinstance(expr, core.Formula) and _DECIDES.search(expr.text))
