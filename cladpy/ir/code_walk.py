"""Walks over generated code: the statements and blocks inside of others, and what a statement touches and mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.never import assert_never
from cladpy.ir.symbols import Symbol
from cladpy.ir.walk import subexpressions, values

# A variable, or memory and whether it is the adjoint's.
Used = core.Value | tuple[core.Root | Symbol, bool]


def all_statements(block: code.Block) -> Iterator[code.Statement]:
    stack = list(reversed(block))
    while stack:
        s = stack.pop()
        yield s
        for inner in inner_blocks(s):
            stack.extend(reversed(inner))


def inner_blocks(statement: code.Statement) -> tuple[code.Block, ...]:
    match statement:
        case code.Branch(_, then, other):
            return (then, other)
        case code.While(before, _, body):
            return (before, body)
        case code.CountDown(body=body) | code.Rewind(body=body):
            return (body,)
        case _:
            return ()


def with_blocks(statement: code.Statement, f: Callable[[code.Block], code.Block]) -> code.Statement:
    """The statement with `f` applied to the blocks inside of it."""
    match statement:
        case code.Branch(then=then, other=other):
            return replace(statement, then=f(then), other=f(other))
        case code.While(before=before, body=body):
            return replace(statement, before=f(before), body=f(body))
        case code.CountDown(body=body) | code.Rewind(body=body):
            return replace(statement, body=f(body))
        case _:
            return statement


def touched_roots(s: code.Statement) -> list[tuple[core.Root, bool]]:
    """The memory that a statement itself reads or writes, and whether it is the adjoint's."""
    match s:
        case code.Define(_, code.Element(root, _, adjoint)):
            return [(root, adjoint)]
        case code.Define(_, code.UserCall(_, arguments)) | code.CallPullback(_, arguments):
            return [(a.root, a.adjoint) for given in arguments for a in addresses(given)]
        case code.Invoke(call):
            return [(a.root, a.adjoint) for given in call.arguments for a in addresses(given)]
        case code.Act(pointer=pointer, adjoint=adjoint, arguments=arguments, saved=saved):
            own = [] if pointer is None else [(pointer, adjoint)]
            return [*own, *((a.root, a.adjoint) for given in (*arguments, *saved) for a in addresses(given))]
        case code.DeclareObject(pointers=pointers):
            return [(a.root, a.adjoint) for _, given in pointers for a in addresses(given)]
        case code.WriteElement(root):
            return [(root, False)]
        case code.AddElement(root, adjoint=adjoint):
            return [(root, adjoint)]
        case code.Take(_, root):
            return [(root, True)]
        case _:
            return []


def addresses(argument: object) -> tuple[code.Address, ...]:
    """The addresses that an argument is, or may be."""
    match argument:
        case code.Address():
            return (argument,)
        case code.ChosenAddress(alternatives):
            return alternatives
        case _:
            return ()


def mentions(statement: code.Statement) -> set[core.Value]:
    """The variables that a statement reads or writes, within it too."""
    found: set[core.Value] = set()
    for s in all_statements((statement,)):
        match s:
            case code.Define(variable, init):
                found.add(variable)
                found |= {k for k in initializer_uses(init) if isinstance(k, core.Value)}
            case code.Assign(variable, expr) | code.Add(variable, expr):
                found |= {variable, *values(expr)}
            case code.WriteElement(_, index, expr) | code.AddElement(_, index, expr):
                found |= {*values(index), *values(expr)}
            case code.Take(variable, _, index):
                found |= {variable, *values(index)}
            case code.AddParameter(_, _, expr):
                found |= set(values(expr))
            case code.CallPullback(_, arguments):
                found |= {k for a in arguments for k in argument_uses(a) if isinstance(k, core.Value)}
            case code.DeclareObject(variable, leaves, pointers=pointers):
                found |= {variable, *(v for leaf in leaves for v in values(leaf.expr))}
                found |= {k for _, a in pointers for k in argument_uses(a) if isinstance(k, core.Value)}
            case code.Invoke(call, _, result):
                found |= {k for k in initializer_uses(call) if isinstance(k, core.Value)}
                found |= set() if result is None else {result}
            case code.Synchronize(_, predicate, variable):
                found |= set() if predicate is None else set(values(predicate))
                found |= set() if variable is None else {variable}
            case code.Perform(_, parts):
                found |= {v for p in parts if not isinstance(p, core.Text) for v in values(p)}
            case code.Act(arguments=arguments, launch=launch):
                found |= {k for a in arguments for k in argument_uses(a) if isinstance(k, core.Value)}
                found |= set() if launch is None else {v for e in launch.expressions for v in values(e)}
            case code.Branch(condition) | code.While(_, condition):
                found |= set(values(condition))
            case code.CountDown(variable):
                found |= {variable, *(v for e in s.operands for v in values(e))}
            case code.Push() | code.Pop() | code.DeclareStates() | code.Keep() | code.Rewind():
                found |= _mentions_kept(s)
            case code.Reserve(slots):
                found |= set(values(slots))
            case code.DeclareArray() | code.Undo() | code.Comment():
                pass
            case _:
                assert_never(s)
    return found


def _mentions_kept(s: code.Push | code.Pop | code.DeclareStates | code.Keep | code.Rewind) -> set[core.Value]:
    match s:
        case code.Push(_, kept, only):
            return {v for _, e in kept for v in values(e)} | (set() if only is None else set(values(only)))
        case code.Pop(_, variables):
            return {*(v for _, v in variables), *(v for e in s.operands for v in values(e))}
        case code.DeclareStates(states):
            return {states.variable}
        case code.Keep(states, step, kept):
            return {states.variable, *values(step), *(v for _, e in kept for v in values(e))}
        case code.Rewind(states, step, variables, clock):
            return {states.variable, *values(step), clock, *(v for _, v in variables)}
        case _:
            assert_never(s)


def memory_key(root: core.Root, adjoint: bool) -> Used:
    """What stands for memory. What is allocated is one thing, whichever members of its objects are meant."""
    return (root, adjoint) if root.allocation is None else (root.allocation, adjoint)


def initializer_uses(init: code.Initializer) -> Iterator[Used]:
    match init:
        case code.Element(root, index, adjoint):
            yield memory_key(root, adjoint)
            yield from values(index)
        case code.UserCall(_, arguments):
            for a in arguments:
                yield from argument_uses(a)
        case code.MemberOf(variable):
            yield variable
        case code.Together(_, given):
            for expr in given:
                yield from expression_uses(expr)
        case _:
            yield from expression_uses(init)


def expression_uses(expr: core.Expr) -> Iterator[Used]:
    for e in subexpressions(expr):
        if isinstance(e, core.Use):
            yield e.value


def argument_uses(argument: code.Passed) -> Iterator[Used]:
    match argument:
        case code.Address(root, offset, adjoint):
            yield memory_key(root, adjoint)
            yield from values(offset)
        case code.ChosenAddress(alternatives, _, tag):
            yield from values(tag)
            for a in alternatives:
                yield from argument_uses(a)
        case code.AddressOfVariable(variable):
            yield variable
        case code.ObjectVariable(variable, _, offset):
            yield variable
            if offset is not None:
                yield from values(offset)
        case _:
            yield from expression_uses(argument)
