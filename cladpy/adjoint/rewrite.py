"""Replacing expressions throughout generated code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.never import assert_never

Map = Callable[[core.Expr], core.Expr]


def map_block(block: code.Block, f: Map) -> code.Block:
    """The block with `f` applied to every expression that its statements evaluate."""
    return tuple(map_statement(s, f) for s in block)


def map_statement(s: code.Statement, f: Map) -> code.Statement:
    match s:
        case code.Define(init=init):
            return replace(s, init=_initializer(init, f))
        case code.Assign(expr=expr) | code.Add(expr=expr) | code.AddParameter(expr=expr):
            return replace(s, expr=f(expr))
        case code.WriteElement(index=index, expr=expr) | code.AddElement(index=index, expr=expr):
            return replace(s, index=f(index), expr=f(expr))
        case code.Take(index=index):
            return replace(s, index=f(index))
        case code.Branch(condition=condition, then=then, other=other):
            return replace(s, condition=f(condition), then=map_block(then, f), other=map_block(other, f))
        case code.While(before=before, condition=condition, body=body):
            return replace(s, before=map_block(before, f), condition=f(condition), body=map_block(body, f))
        case code.CountDown(count=count, body=body):
            return replace(s, count=f(count), body=map_block(body, f))
        case code.Push(values=kept):
            return replace(s, values=tuple((slot, f(e)) for slot, e in kept))
        case code.CallPullback(arguments=arguments):
            return replace(
                s, arguments=tuple(a if isinstance(a, code.AddressOfVariable) else _argument(a, f) for a in arguments)
            )
        case code.Perform(arguments=parts):
            return replace(s, arguments=tuple(p if isinstance(p, core.Text) else f(p) for p in parts))
        case code.Pop() | code.DeclareArray() | code.Comment():
            return s
        case _:
            assert_never(s)


def _initializer(init: code.Initializer, f: Map) -> code.Initializer:
    match init:
        case code.Element(index=index):
            return replace(init, index=f(index))
        case code.UserCall(arguments=arguments):
            return replace(init, arguments=tuple(_argument(a, f) for a in arguments))
        case _:
            return f(init)


def _argument(argument: core.Expr | code.Address, f: Map) -> core.Expr | code.Address:
    if isinstance(argument, code.Address):
        return replace(argument, offset=f(argument.offset))
    return f(argument)
