"""Replacing expressions throughout generated code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.never import assert_never
from cladpy.ir.walk import map_configuration

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
        case code.CountDown(count=count, body=body, mask=mask, soon=soon):
            mask, soon = (None if e is None else f(e) for e in (mask, soon))
            return replace(s, count=f(count), body=map_block(body, f), mask=mask, soon=soon)
        case code.Keep(step=step, values=kept):
            return replace(s, step=f(step), values=tuple((slot, f(e)) for slot, e in kept))
        case code.Rewind(step=step, body=body):
            return replace(s, step=f(step), body=map_block(body, f))
        case code.Push(values=kept, only=only):
            values = tuple((slot, f(e)) for slot, e in kept)
            return replace(s, values=values, only=None if only is None else f(only))
        case code.Pop(only=only, next=following):
            following = None if following is None else f(following)
            return s if only is None else replace(s, only=f(only), next=following)
        case code.CallPullback(arguments=arguments):
            return replace(s, arguments=tuple(_argument(a, f) for a in arguments))
        case code.DeclareObject(leaves=leaves, pointers=pointers):
            led = tuple((text, _address(a, f)) for text, a in pointers)
            return replace(s, leaves=tuple(replace(leaf, expr=f(leaf.expr)) for leaf in leaves), pointers=led)
        case code.Invoke(call=call):
            return replace(s, call=_call(call, f))
        case code.Perform(arguments=parts):
            return replace(s, arguments=tuple(p if isinstance(p, core.Text) else f(p) for p in parts))
        case code.Act(arguments=arguments, saved=saved, launch=launch):
            launch = None if launch is None else map_configuration(launch, f)
            given = tuple(_argument(a, f) for a in arguments)
            return replace(s, arguments=given, saved=tuple(_argument(a, f) for a in saved), launch=launch)
        case code.Synchronize(predicate=predicate):
            return s if predicate is None else replace(s, predicate=f(predicate))
        case code.Reserve(slots=slots):
            return replace(s, slots=f(slots))
        case code.DeclareArray() | code.DeclareStates() | code.Undo() | code.Comment():
            return s
        case _:
            assert_never(s)


def _initializer(init: code.Initializer, f: Map) -> code.Initializer:
    match init:
        case code.Element(index=index):
            return replace(init, index=f(index))
        case code.UserCall():
            return _call(init, f)
        case code.MemberOf():
            return init
        case code.Together(arguments=given):
            return replace(init, arguments=tuple(f(e) for e in given))
        case _:
            return f(init)


def _call(call: code.UserCall, f: Map) -> code.UserCall:
    arguments: list[core.Expr | code.Address | code.ChosenAddress | code.ObjectVariable] = []
    for a in call.arguments:
        done = _argument(a, f)
        assert not isinstance(done, code.AddressOfVariable)
        arguments.append(done)
    return replace(call, arguments=tuple(arguments))


def _address(address: code.Address | code.ChosenAddress, f: Map) -> code.Address | code.ChosenAddress:
    match address:
        case code.Address(offset=offset):
            return replace(address, offset=f(offset))
        case code.ChosenAddress(alternatives, numbers, tag):
            moved = tuple(replace(a, offset=f(a.offset)) for a in alternatives)
            return code.ChosenAddress(moved, numbers, f(tag))
        case _:
            assert_never(address)


def _argument(argument: code.Passed, f: Map) -> code.Passed:
    match argument:
        case code.Address() | code.ChosenAddress():
            return _address(argument, f)
        case code.ObjectVariable(offset=at):
            return argument if at is None else replace(argument, offset=f(at))
        case code.AddressOfVariable():
            return argument
        case _:
            return f(argument)
