"""Walks over the surface grammar, by what its classes say of their fields: expressions and statements inside of
others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from cladpy.ir import surface as s
from cladpy.ir.node import Parts, Rebuilt, classes

_EXPRESSIONS, _STATEMENTS = classes(s.Expr), classes(s.Stmt)
_OPERANDS = Parts(_EXPRESSIONS, _STATEMENTS)
_INNER = Parts(_STATEMENTS, _EXPRESSIONS)
_WITH_OPERANDS, _WITH_INNER = Rebuilt(_EXPRESSIONS, _STATEMENTS), Rebuilt(_STATEMENTS, (), _EXPRESSIONS)

N = TypeVar("N", bound=s.Expr | s.Stmt)


def children(expr: s.Expr) -> tuple[s.Expr, ...]:
    return _OPERANDS[type(expr)](expr)


def walk(expr: s.Expr) -> Iterator[s.Expr]:
    """The expression and all that it is made of."""
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def own_expressions(statement: s.Stmt) -> tuple[s.Expr, ...]:
    """The expressions that stand in a statement itself; statements in it are looked at by themselves."""
    return _OPERANDS[type(statement)](statement)


def inner_statements(statement: s.Stmt) -> tuple[s.Stmt, ...]:
    return _INNER[type(statement)](statement)


def statements(statement: s.Stmt) -> Iterator[s.Stmt]:
    """The statement and all within."""
    stack = [statement]
    while stack:
        here = stack.pop()
        yield here
        stack += inner_statements(here)


def expressions(statement: s.Stmt) -> Iterator[s.Expr]:
    """The expressions directly in a statement and in all statements within."""
    return (expr for here in statements(statement) for expr in own_expressions(here))


def declarations(statement: s.Stmt) -> Iterator[s.Declare]:
    return (here for here in statements(statement) if isinstance(here, s.Declare))


def returns(statement: s.Stmt) -> Iterator[s.Return]:
    """The return statements of a function's body."""
    return (here for here in statements(statement) if isinstance(here, s.Return))


def rebuilt(node: N, operand: Callable[[s.Expr], s.Expr], inner: Callable[[s.Stmt], s.Stmt] = lambda s: s) -> N:
    """An expression or statement with others for those that stand in it itself; a block stays one."""
    done: N = _WITH_INNER[type(node)](_WITH_OPERANDS[type(node)](node, operand, lambda s: s), inner, lambda s: s)
    return done
