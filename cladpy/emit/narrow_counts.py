"""Loops that are counted down by 32 bits where these hold how often they run.

A loop from one int to another runs less than 2^32 times, which an int does not hold where the first may be negative; so
such a count is a long. A GPU has registers of 32 bits, and each iteration computes with the counter: an unsigned int
takes half of both. A compiler cannot see that it would do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import REBUILT, all_statements, mentions
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG, UINT, Type, is_integer, size_of
from cladpy.ir.walk import map_children


def with_narrow_counts(block: code.Block) -> code.Block:
    every = list(all_statements(block))
    counts = {
        s.variable: narrow
        for s in every
        if isinstance(s, code.Define) and not s.mutable and (narrow := _narrow(s.init)) is not None
    }
    counters = {s.variable for s in every if isinstance(s, code.CountDown) and _fits(s, counts)}
    if not counters:
        return block
    names = {v: core.Value(v.name, UINT) for v in (*counts, *counters)}

    def renamed(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Cast(core.Use(value), type) if value in names and _is_of_32_bits(type):
                return cast(core.Use(names[value]), type)
            case core.Use(value) if value in names:
                return core.Cast(core.Use(names[value]), LONG)
            case _:
                return map_children(expr, renamed)

    def changed(block: code.Block) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            made = REBUILT[type(s)](s, renamed, changed)
            match s:
                case code.Define(variable) if variable in counts:
                    made = replace(made, variable=names[variable], init=renamed(counts[variable]))
                case code.CountDown(variable, count) if variable in counters:
                    made = replace(made, variable=names[variable], count=renamed(_count(count, counts, names)))
                case _:
                    pass
            out.append(made)
        return tuple(out)

    found = changed(block)
    return block if any(v in names for s in found for v in mentions(s)) else found


def _fits(loop: code.CountDown, counts: Mapping[core.Value, core.Expr]) -> bool:
    """Whether a loop is written as one that counts down, and its count is one of 32 bits."""
    other = loop.mask or loop.team or loop.at_once or loop.unrolled
    known = loop.count.value in counts if isinstance(loop.count, core.Use) else _narrow(loop.count) is not None
    return not other and loop.variable.type == LONG and known


def _count(
    count: core.Expr, counts: Mapping[core.Value, core.Expr], names: Mapping[core.Value, core.Value]
) -> core.Expr:
    if isinstance(count, core.Use):
        return core.Use(names[count.value])
    narrow = _narrow(count)
    assert narrow is not None
    return narrow


def _narrow(count: code.Initializer) -> core.Expr | None:
    """How often a loop runs that goes up from one number of 32 bits to another, as a number of 32 bits."""
    match count:
        case core.Select(core.Binary(BinaryOp.LT | BinaryOp.LE, low, high) as runs, steps, core.Const(0)):
            if low.type != high.type or not _is_of_32_bits(low.type):
                return None
            narrow = _steps(steps, low, high)
            return None if narrow is None else core.Select(runs, narrow, core.Const(0, UINT), UINT)
        case _:
            return None


def _steps(steps: core.Expr, low: core.Expr, high: core.Expr) -> core.Expr | None:
    match steps:
        case core.Binary(BinaryOp.SUB, core.Cast(above, _), core.Cast(below, _)) if (above, below) == (high, low):
            return binary(BinaryOp.SUB, cast(high, UINT), cast(low, UINT), UINT)
        case core.Binary(BinaryOp.ADD | BinaryOp.SUB as op, inner, core.Const(1)):
            narrow = _steps(inner, low, high)
            return None if narrow is None else binary(op, narrow, core.Const(1, UINT), UINT)
        case core.Binary(BinaryOp.DIV, inner, core.Const() | core.Cast() as by):
            step = by.operand if isinstance(by, core.Cast) else by
            narrow = _steps(inner, low, high)
            if narrow is None or not (isinstance(step, core.Const) or _is_of_32_bits(step.type)):
                return None
            return core.Binary(BinaryOp.DIV, narrow, cast(step, UINT), UINT)
        case _:
            return None


def _is_of_32_bits(type: Type) -> bool:
    return is_integer(type) and type != BOOL and size_of(type) == size_of(UINT)
