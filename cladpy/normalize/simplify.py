"""Drops loop-carried values that never change, and empty branches, from a core function; of a loop that runs once, or
not at all, what it does is left."""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import core
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.types import BOOL
from cladpy.ir.walk import map_children, map_operands, substitute

Mapping = dict[core.Value, core.Expr]


def simplify(function: core.Function) -> core.Function:
    mapping: Mapping = {}
    body = _region(function.body, mapping)
    results = tuple(replace(leaf, expr=substitute(leaf.expr, mapping)) for leaf in function.results)
    return replace(function, body=body, results=results)


def _region(region: core.Region, mapping: Mapping) -> core.Region:
    out: list[core.Statement] = []
    for statement in region:
        done = _statement(statement, mapping)
        if isinstance(done, core.Loop):
            out += _few(done, mapping)
        elif done is not None:
            out.append(done)
    return tuple(out)


def _few(loop: core.Loop, mapping: Mapping) -> core.Region:
    """The loop; or what its body does, where one iteration at most does anything and constants say so."""
    if loop.team is not None or loop.before:
        return (loop,)
    known = {c.value: c.init for c in loop.carried}
    done: core.Region = ()
    for _ in range(3):
        condition = folded(loop.condition, known)
        if condition == core.Const(False, BOOL):
            mapping.update((c.result, known[c.value]) for c in loop.carried)
            return done
        if condition != core.Const(True, BOOL):
            break
        inner = dict(known)
        more = _run(loop.body, inner)
        if done and more:
            break
        done = done or more
        known = {c.value: folded(c.next, inner) for c in loop.carried}
    return (loop,)


def _run(region: core.Region, known: Mapping) -> core.Region:
    """What a region does where values are known: constants are `known` too, and branches that they take stand by
    themselves."""
    out: list[core.Statement] = []
    for statement in region:
        match statement:
            case core.Let(value, expr, span):
                found = folded(expr, known)
                if isinstance(found, core.Const):
                    known[value] = found
                else:
                    out.append(core.Let(value, found, span))
            case core.If(condition, then, other, merges, span):
                condition = folded(condition, known)
                if isinstance(condition, core.Const):
                    out += _run(then if condition.value else other, known)
                    for m in merges:
                        known[m.value] = folded(m.then if condition.value else m.other, known)
                else:
                    branches = _run(then, known), _run(other, known)
                    merged = [core.Merge(m.value, folded(m.then, known), folded(m.other, known)) for m in merges]
                    out.append(core.If(condition, *branches, tuple(merged), span))
            case _:
                out += _region((statement,), known)
    return tuple(out)


def folded(expr: core.Expr, mapping: Mapping) -> core.Expr:
    """The expression with values replaced, and with what its operators give of constants."""
    if isinstance(expr, core.Use):
        return mapping.get(expr.value, expr)
    match map_children(expr, lambda e: folded(e, mapping)):
        case core.Binary(op, left, right, type):
            return binary(op, left, right, type)
        case core.Unary(op, operand, type):
            return unary(op, operand, type)
        case core.Cast(operand, type):
            return cast(operand, type)
        case other:
            return other


def _statement(statement: core.Statement, mapping: Mapping) -> core.Statement | None:
    match statement:
        case core.If(condition, then, other, merges, span):
            condition = substitute(condition, mapping)
            then, other = _region(then, mapping), _region(other, mapping)
            kept = []
            for m in merges:
                a, b = substitute(m.then, mapping), substitute(m.other, mapping)
                if a == b:
                    mapping[m.value] = a
                else:
                    kept.append(core.Merge(m.value, a, b))
            if not (then or other or kept):
                return None
            return core.If(condition, then, other, tuple(kept), span)
        case core.Loop():
            return _loop(statement, mapping)
        case _ if mapping:
            return map_operands(statement, lambda e: substitute(e, mapping))
        case _:
            return statement


def _exchanged(
    carried: tuple[core.Carried, ...], nexts: dict[core.Carried, core.Expr], mapping: Mapping
) -> list[core.Carried]:
    """Those that begin as one constant, and are given nothing but each other's values: what a loop swaps."""
    first = {c.value: substitute(c.init, mapping) for c in carried}
    found = [c for c in carried if isinstance(first[c.value], core.Const)]
    while True:
        known = {c.value: first[c.value] for c in found}
        kept = [c for c in found if substitute(nexts[c], known) == first[c.value]]
        if len(kept) == len(found):
            return found
        found = kept


def _loop(loop: core.Loop, mapping: Mapping) -> core.Loop:
    """Assumes first that every carried value whose `next` is itself is constant; repeats until nothing is new."""
    carried = loop.carried
    while True:
        inner = dict(mapping)
        before, body = _region(loop.before, inner), _region(loop.body, inner)
        nexts = {c: substitute(c.next, inner) for c in carried}
        same = [c for c in carried if nexts[c] == core.Use(c.value)] or _exchanged(carried, nexts, mapping)
        if not same:
            break
        for c in same:
            init = substitute(c.init, mapping)
            mapping[c.value] = mapping[c.result] = init
        carried = tuple(c for c in carried if c not in same)
    mapping.update(inner)
    kept = tuple(core.Carried(c.value, substitute(c.init, inner), nexts[c], c.result) for c in carried)
    return replace(map_operands(loop, lambda e: substitute(e, inner)), carried=kept, before=before, body=body)
