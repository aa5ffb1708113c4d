"""Through the names of what an expression is made of, to what these were made of.

A value is a part of many others: twenty lines of `i = i * i + i;` have a million ways down to the first. So each value
is asked about once, and what is written out has a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Protocol, TypeVar

from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL
from cladpy.ir.walk import map_children

Names = Mapping[core.Value, core.Expr]
T = TypeVar("T")

LONGEST = 1_000
"""Operations of an expression that is written out without names. No index or condition of a real program comes near."""


def meanings(every: Iterable[core.Statement]) -> dict[core.Value, core.Expr]:
    """What names stand for, by the statements that define them: those of conditions that a branch merges as well."""
    found: dict[core.Value, core.Expr] = {}
    for s in every:
        if isinstance(s, core.Let):
            found[s.value] = s.expr
        elif isinstance(s, core.If):
            found.update(_both_or_either(s))
    return found


def _both_or_either(branch: core.If) -> Iterator[tuple[core.Value, core.Expr]]:
    """The conditions that a branch merges, where it is `&&` or `||`, as what they are."""
    yes, no = branch.condition, core.Unary(UnaryOp.NOT, branch.condition, BOOL)
    for m in branch.merges:
        match m.then, m.other:
            case _, core.Const(False):
                yield m.value, core.Binary(BinaryOp.AND, yes, m.then, BOOL)
            case core.Const(False), _:
                yield m.value, core.Binary(BinaryOp.AND, no, m.other, BOOL)
            case core.Const(True), _:
                yield m.value, core.Binary(BinaryOp.OR, yes, m.other, BOOL)
            case _, core.Const(True):
                yield m.value, core.Binary(BinaryOp.OR, no, m.then, BOOL)


class Question(Protocol[T]):
    def __call__(self, expr: core.Expr, names: Names, known: dict[core.Value, T] | None = None, /) -> T:
        """`known` keeps the answers for values from one call to the next."""


def through_names(question: Callable[[core.Expr, Callable[[core.Expr], T]], T]) -> Question[T]:
    """A question of an expression that is asked of what names stand for, as well: `question(expr, again)` answers it
    for an expression, with `again` for its operands. It meets only names that stand for nothing that is known."""

    @wraps(question)
    def ask(expr: core.Expr, names: Names, known: dict[core.Value, T] | None = None) -> T:
        known = {} if known is None else known

        def again(e: core.Expr) -> T:
            if not isinstance(e, core.Use) or e.value not in names:
                return question(e, again)
            if e.value not in known:
                known[e.value] = again(names[e.value])
            return known[e.value]

        return again(expr)

    return ask


def parts(condition: core.Expr, holds: bool, names: Names) -> Iterator[tuple[core.Expr, bool]]:
    """What a condition says where it holds, or does not: conditions that then all hold, or do not, each once."""
    stack, seen = [(condition, holds)], set[tuple[core.Value, bool]]()
    while stack:
        here, so = stack.pop()
        match here:
            case core.Use(value) if value in names:
                if (value, so) not in seen:
                    seen.add((value, so))
                    stack.append((names[value], so))
            case core.Unary(UnaryOp.NOT, operand):
                stack.append((operand, not so))
            case core.Binary(BinaryOp.AND, left, right) if so:
                stack += [(right, so), (left, so)]
            case core.Binary(BinaryOp.OR, left, right) if not so:
                stack += [(right, so), (left, so)]
            case _:
                yield here, so


def written_out(
    expr: core.Expr, stands_for: Callable[[core.Value], core.Expr | None], longest: int = LONGEST
) -> core.Expr | None:
    """An expression without the names that stand for something; None where it has more operations than `longest`, and
    where partials are by such a name: derivatives are by values."""
    length = 0

    def write(e: core.Expr) -> core.Expr:
        nonlocal length
        length += 1
        if isinstance(e, core.Linear) and any(stands_for(of.value) is not None for of, _ in e.terms):
            length = longest + 1
        if length > longest:
            return e
        meant = stands_for(e.value) if isinstance(e, core.Use) else None
        return map_children(e, write) if meant is None else write(meant)

    whole = write(expr)
    return None if length > longest else whole
