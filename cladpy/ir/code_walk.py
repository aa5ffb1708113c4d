"""Walks over generated code: the statements and blocks inside of others, and what a statement touches and mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.never import assert_never
from cladpy.ir.walk import values


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


def constants(every: Iterable[code.Statement]) -> dict[core.Value, core.Expr]:
    """What constants are made of that are not loaded."""
    found: dict[core.Value, core.Expr] = {}
    for s in every:
        if isinstance(s, code.Define) and not s.mutable and not isinstance(s.init, code.LOADED):
            found[s.variable] = s.init
    return found


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


def expressions(s: code.Statement) -> Iterator[core.Expr]:
    """What stands in a statement itself, in its operands and arguments, and not in the statements inside of it."""
    match s:
        case code.Define(_, init):
            yield from initializer_expressions(init)
        case code.Assign(_, expr) | code.Add(_, expr) | code.AddParameter(_, _, expr):
            yield expr
        case code.WriteElement(_, index, expr) | code.AddElement(_, index, expr):
            yield from (index, expr)
        case code.Take(_, _, index):
            yield index
        case code.CallPullback(_, arguments):
            yield from _all_passed(arguments)
        case code.DeclareObject(_, leaves, pointers=pointers):
            yield from (leaf.expr for leaf in leaves)
            yield from _all_passed(a for _, a in pointers)
        case code.Invoke(call):
            yield from initializer_expressions(call)
        case code.Synchronize(_, predicate):
            yield from () if predicate is None else (predicate,)
        case code.Perform(_, parts):
            yield from (p for p in parts if not isinstance(p, core.Text))
        case code.Act(arguments=arguments, saved=saved, launch=launch):
            yield from _all_passed((*arguments, *saved))
            yield from () if launch is None else launch.expressions
        case code.Branch(condition) | code.While(_, condition):
            yield condition
        case code.CountDown() | code.Pop():
            yield from s.operands
        case code.Push(_, kept, only):
            yield from (e for _, e in kept)
            yield from () if only is None else (only,)
        case code.Keep(_, step, kept):
            yield from (step, *(e for _, e in kept))
        case code.Rewind(_, step):
            yield step
        case code.Reserve(slots):
            yield slots
        case code.DeclareArray() | code.DeclareStates() | code.Undo() | code.Comment():
            pass
        case _:
            assert_never(s)


def initializer_expressions(init: code.Initializer) -> Iterator[core.Expr]:
    match init:
        case code.Element(_, index):
            yield index
        case code.UserCall(_, arguments):
            yield from _all_passed(arguments)
        case code.MemberOf():
            pass
        case code.Together(_, given):
            yield from given
        case _:
            yield init


def _all_passed(arguments: Iterable[code.Passed]) -> Iterator[core.Expr]:
    for argument in arguments:
        match argument:
            case code.Address(_, offset):
                yield offset
            case code.ChosenAddress(alternatives, _, tag):
                yield from (tag, *(a.offset for a in alternatives))
            case code.AddressOfVariable():
                pass
            case code.ObjectVariable(_, _, offset):
                yield from () if offset is None else (offset,)
            case _:
                yield argument


def variables_read(s: code.Statement) -> Iterator[core.Value]:
    """The variables whose content, or whose address, a statement itself uses."""
    for expr in expressions(s):
        yield from values(expr)
    match s:
        case code.Define(_, init):
            yield from initializer_objects(init)
        case code.CallPullback(arguments=arguments):
            yield from _objects(arguments)
        case code.DeclareObject(pointers=pointers):
            yield from _objects(a for _, a in pointers)
        case code.Invoke(call):
            yield from initializer_objects(call)
        case code.Act(arguments=arguments, saved=saved):
            yield from _objects((*arguments, *saved))
        case code.Rewind(variables=variables):
            yield from (v for _, v in variables)
        case _:
            pass


def initializer_objects(init: code.Initializer) -> Iterator[core.Value]:
    """The variables that an initializer uses, but for those in its expressions."""
    match init:
        case code.MemberOf(variable):
            yield variable
        case code.UserCall(_, arguments):
            yield from _objects(arguments)
        case _:
            pass


def _objects(arguments: Iterable[code.Passed]) -> Iterator[core.Value]:
    return (a.variable for a in arguments if isinstance(a, code.AddressOfVariable | code.ObjectVariable))


def mentions(statement: code.Statement) -> set[core.Value]:
    """The variables that a statement reads or writes, within it too."""
    found: set[core.Value] = set()
    for s in all_statements((statement,)):
        found.update(variables_read(s))
        match s:
            case code.Define(variable) | code.Assign(variable) | code.Add(variable) | code.Take(variable):
                found.add(variable)
            case code.DeclareObject(variable) | code.CountDown(variable):
                found.add(variable)
            case code.Invoke(result=variable) | code.Synchronize(variable=variable) if variable is not None:
                found.add(variable)
            case code.Pop(_, variables):
                found.update(v for _, v in variables)
            case code.DeclareStates(states) | code.Keep(states):
                found.add(states.variable)
            case code.Rewind(states, clock=clock):
                found |= {states.variable, clock}
            case _:
                pass
    return found


def declared(block: code.Block) -> set[core.Value]:
    """The variables that a block declares, within it too."""
    found: set[core.Value] = set()
    for s in all_statements(block):
        match s:
            case code.Define(variable) | code.Take(variable) | code.DeclareObject(variable) | code.CountDown(variable):
                found.add(variable)
            case code.Invoke(result=result) | code.Synchronize(variable=result) if result is not None:
                found.add(result)
            case code.Pop(_, variables):
                found.update(v for _, v in variables)
            case code.DeclareStates(states):
                found.add(states.variable)
            case code.Rewind(clock=clock):
                found.add(clock)
            case _:
                pass
    return found
