"""Walks over generated code, by what its classes say of their fields: the statements and blocks inside of others, what
a statement touches and mentions, and copies with other expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from cladpy.ir import code, core
from cladpy.ir.node import Parts, Rebuilt, Role, Touched, classes
from cladpy.ir.walk import EXPRESSIONS, values

STATEMENTS = classes(code.Statement)
BEYOND = (core.Root, *EXPRESSIONS, *STATEMENTS)
_OPERANDS = Parts(EXPRESSIONS, STATEMENTS)
_BLOCKS = Parts(STATEMENTS, EXPRESSIONS, blocks=True)
_USED, _CHANGED, _DEFINED = (Parts((core.Value,), BEYOND, role) for role in (Role.USED, Role.CHANGED, Role.DEFINED))
_TOUCHED = Touched(core.Root, BEYOND[1:])
REBUILT = Rebuilt(EXPRESSIONS, STATEMENTS)

Map = Callable[[core.Expr], core.Expr]
S = TypeVar("S", bound=code.Statement)


def all_statements(block: code.Block) -> Iterator[code.Statement]:
    stack = list(reversed(block))
    while stack:
        s = stack.pop()
        yield s
        for inner in inner_blocks(s):
            stack.extend(reversed(inner))


def inner_blocks(statement: code.Statement) -> tuple[code.Block, ...]:
    return _BLOCKS[type(statement)](statement)


def with_blocks(statement: S, f: Callable[[code.Block], code.Block]) -> S:
    """The statement with `f` applied to the blocks inside of it."""
    made: S = REBUILT[type(statement)](statement, lambda e: e, f) if inner_blocks(statement) else statement
    return made


def map_block(block: code.Block, f: Map) -> code.Block:
    """The block with `f` applied to every expression that its statements evaluate."""
    return tuple([map_statement(s, f) for s in block])


def map_statement(statement: S, f: Map) -> S:
    made: S = REBUILT[type(statement)](statement, f, lambda block: map_block(block, f))
    return made


def touched_roots(s: code.Statement) -> tuple[tuple[core.Root, bool], ...]:
    """The memory that a statement itself reads or writes, and whether it is the adjoint's."""
    return _TOUCHED[type(s)](s)


def addresses(argument: object) -> tuple[code.Address, ...]:
    """The addresses that an argument is, or may be."""
    match argument:
        case code.Address():
            return (argument,)
        case code.ChosenAddress(alternatives):
            return alternatives
        case _:
            return ()


def expressions(s: code.Statement) -> tuple[core.Expr, ...]:
    """What stands in a statement itself, in its operands and arguments, and not in the statements inside of it."""
    return _OPERANDS[type(s)](s)


def variables_read(s: code.Statement) -> Iterator[core.Value]:
    """The variables whose content, or whose address, a statement itself uses."""
    for expr in expressions(s):
        yield from values(expr)
    yield from _USED[type(s)](s)


def changed(s: code.Statement) -> tuple[core.Value, ...]:
    """The variables that a statement itself gives another content."""
    return _CHANGED[type(s)](s)


def defined(s: code.Statement) -> tuple[core.Value, ...]:
    """The variables that a statement itself declares."""
    return _DEFINED[type(s)](s)


def mentions(statement: code.Statement) -> set[core.Value]:
    """The variables that a statement reads or writes, within it too."""
    found: set[core.Value] = set()
    for s in all_statements((statement,)):
        found |= own_mentions(s)
    return found


def own_mentions(statement: code.Statement) -> set[core.Value]:
    """The variables that a statement itself reads or writes, not those that only statements inside of it do."""
    return {*variables_read(statement), *changed(statement), *defined(statement)}


def declared(block: code.Block) -> set[core.Value]:
    """The variables that a block declares, within it too."""
    return {variable for s in all_statements(block) for variable in defined(s)}
