"""Walking and rewriting the core grammar, by what its classes say of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from cladpy.ir import core
from cladpy.ir.node import Parts, Rebuilt, Role, classes

EXPRESSIONS, STATEMENTS = classes(core.Expr), classes(core.Statement)
_OPERANDS = Parts(EXPRESSIONS, STATEMENTS)
_REGIONS = Parts(STATEMENTS, EXPRESSIONS, blocks=True)
_BEYOND = (core.Root, *EXPRESSIONS, *STATEMENTS)
_DEFINED, _INNER = (Parts((core.Value,), _BEYOND, role) for role in (Role.DEFINED, Role.INNER))
_TOUCHED = Parts((core.Root,), (core.Value, *EXPRESSIONS, *STATEMENTS), Role.TOUCHED)
_REBUILT = Rebuilt(EXPRESSIONS, STATEMENTS)
_VALUES = Rebuilt((core.Value,), STATEMENTS, _BEYOND)
_WITH_REGIONS = Rebuilt((), STATEMENTS, EXPRESSIONS)

S = TypeVar("S", bound=core.Statement | core.Configuration)
Within = TypeVar("Within", bound=core.Statement)


def children(expr: core.Expr) -> tuple[core.Expr, ...]:
    return _OPERANDS[type(expr)](expr)


def subexpressions(expr: core.Expr) -> Iterator[core.Expr]:
    """The expression and all that it is made of."""
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(_OPERANDS[type(here)](here))


def values(expr: core.Expr) -> Iterator[core.Value]:
    """The values that an expression uses."""
    return (e.value for e in subexpressions(expr) if isinstance(e, core.Use))


def operands(statement: core.Statement) -> tuple[core.Expr, ...]:
    """The expressions that a statement evaluates itself, not those of its regions; merges and carried values too."""
    return _OPERANDS[type(statement)](statement)


def argument_operands(argument: core.Argument) -> tuple[core.Expr, ...]:
    """The expressions that an argument of a call is made of."""
    return _OPERANDS.inside(argument)


def regions(statement: core.Statement) -> tuple[core.Region, ...]:
    return _REGIONS[type(statement)](statement)


def with_regions(statement: Within, f: Callable[[core.Region], core.Region]) -> Within:
    """The statement with `f` applied to its regions."""
    made: Within = _WITH_REGIONS[type(statement)](statement, _unchanged, f)
    return made


def statements(region: core.Region) -> Iterator[core.Statement]:
    """All statements of a region in program order, those of nested regions after the one that holds them."""
    stack = list(reversed(region))
    while stack:
        here = stack.pop()
        yield here
        for inner in reversed(regions(here)):
            stack.extend(reversed(inner))


def defined(statement: core.Statement) -> tuple[core.Value, ...]:
    """The values that a statement defines in its own region."""
    return _DEFINED[type(statement)](statement)


def touched(statement: core.Statement) -> tuple[core.Root, ...]:
    """The memory that a statement itself reads or writes, or gives to a call."""
    return _TOUCHED[type(statement)](statement)


def begun(statement: core.Statement) -> tuple[core.Value, ...]:
    """The values that a statement defines in its regions, besides those that their statements do."""
    return _INNER[type(statement)](statement)


def map_children(expr: core.Expr, f: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """The expression with `f` applied to its direct operands."""
    made: core.Expr = _REBUILT[type(expr)](expr, f, _same)
    return made


def substitute(expr: core.Expr, mapping: Mapping[core.Value, core.Expr]) -> core.Expr:
    """The expression with values replaced."""
    if isinstance(expr, core.Use):
        return mapping.get(expr.value, expr)
    return map_children(expr, lambda e: substitute(e, mapping))


def map_operands(statement: S, f: Callable[[core.Expr], core.Expr]) -> S:
    """The statement, or the configuration of a launch, with `f` applied to the expressions that it evaluates itself;
    regions stay."""
    made: S = _REBUILT[type(statement)](statement, f, _same)
    return made


def copied(region: core.Region, names: dict[core.Value, core.Expr]) -> core.Region:
    """A region once more, with values of its own, which are added to `names`."""
    fresh = {v: core.Value(v.name, v.type) for s in statements(region) for v in (*defined(s), *begun(s))}
    names.update((old, core.Use(new)) for old, new in fresh.items())

    def again(block: core.Region) -> core.Region:
        return tuple([copy(s) for s in block])

    def copy(s: core.Statement) -> core.Statement:
        named = _VALUES[type(s)](s, lambda v: fresh.get(v, v), _same)
        made: core.Statement = _REBUILT[type(s)](named, lambda e: substitute(e, names), again)
        return made

    return again(region)


def _same(region: core.Region) -> core.Region:
    return region


def _unchanged(expr: core.Expr) -> core.Expr:
    return expr
