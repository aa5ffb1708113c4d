"""Guards of products, tested once for a loop.

A zero adjoint contributes zero, also where the partial is infinite: `cladpy::times(d, p)` is zero where `d` is. That
takes a comparison and a choice for each product, and no multiply-add can be made of it. Where a guard matters, the
product without it is not a number, and neither is any sum that it goes into. So a loop that only makes sums is run
without guards, and again with them if one of the sums is not a number:

    for ...: part += d * p
    if part is not a number: part = 0; for ...: part += times(d, p)
    sum += part

That takes that what a guarded product goes into is arithmetic, which hands on what is not a number, and no decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from cladpy.derivatives.text import CHOSEN, OVER
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions, map_block, with_blocks
from cladpy.ir.fold import binary, zero
from cladpy.ir.renaming import renamed
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, is_floating, is_half, is_integer
from cladpy.ir.walk import children, map_children, subexpressions, values
from cladpy.passes.reciprocals import multiplied

# A loop with fewer guards, or of so few iterations, stays as it is.
_FEWEST, _FEW_TURNS = 2, 8

_GUARDED = ("cladpy::times(x, y)", "cladpy::product(x, y)", OVER, CHOSEN)
_ARITHMETIC = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV)


def with_guards_apart(block: code.Block) -> code.Block:
    """The body of a kernel with its loops run without guards first."""
    out: list[code.Statement] = []
    for s in block:
        apart = list(_apart(s)) if isinstance(s, code.CountDown | code.While) else []
        out += apart or (with_blocks(s, with_guards_apart),)
    return tuple(out)


def _apart(loop: code.CountDown | code.While) -> Iterator[code.Statement]:
    """What takes the place of a loop; nothing where it is to stay."""
    inside = list(all_statements((loop,)))
    made = sums_of(inside)
    if made is None or not may_go_bare(inside) or _is_short(loop):
        return
    starts = {v: core.Value("_start", v.type) for v in made.counters}
    parts = {v: core.Value(v.name, v.type) for v in made.sums}
    guarded = adding_to(loop, parts)
    yield from (code.Define(start, core.Use(v)) for v, start in starts.items())
    yield from (code.Define(part, zero(part.type), mutable=True) for part in parts.values())
    yield from bare((guarded,))
    again: list[code.Statement] = [code.Assign(v, core.Use(start)) for v, start in starts.items()]
    again += (code.Assign(part, zero(part.type)) for part in parts.values())
    yield code.Branch(is_no_number(parts.values()), (*again, guarded), ())
    yield from (code.Add(v, core.Use(part)) for v, part in parts.items())


@dataclass(frozen=True, slots=True)
class Sums:
    """What a loop leaves: sums that it does not read, and counters."""

    sums: tuple[core.Value, ...]
    counters: tuple[core.Value, ...]


def sums_of(inside: list[code.Statement]) -> Sums | None:
    """What the statements of a loop make, if they do nothing but add to variables and count."""
    if not all(s.effects.only_computes for s in inside):
        return None
    own = {s.variable for s in inside if isinstance(s, code.Define | code.CountDown)}
    changed = [s for s in inside if isinstance(s, code.Assign | code.Add) and s.variable not in own]
    counters = dict.fromkeys(s.variable for s in changed if is_integer(s.variable.type))
    sums = dict.fromkeys(s.variable for s in changed if s.variable not in counters)
    added = not any(isinstance(s, code.Assign) and s.variable in sums for s in changed)
    numbers = all(is_floating(v.type) and not is_half(v.type) for v in sums)
    fits = sums and added and numbers and sums.keys().isdisjoint(_read(inside))
    return Sums(tuple(sums), tuple(counters)) if fits else None


def may_go_bare(inside: list[code.Statement]) -> bool:
    """Whether statements that only make sums have guards to go without, and the sums tell whether these mattered."""
    return sum(map(_guards, inside)) >= _FEWEST and _is_arithmetic(inside)


def bare(block: code.Block) -> code.Block:
    """A copy without guards."""
    return renamed(map_block(block, _bare), {})


def is_no_number(parts: Iterable[core.Value]) -> core.Expr:
    """Whether one of the sums is not a number."""
    bad: core.Expr = core.Const(False, BOOL)
    for part in parts:
        bad = binary(BinaryOp.OR, bad, core.Formula("cladpy::is_nan(x)", (("x", core.Use(part)),), BOOL), BOOL)
    return bad


def _is_short(loop: code.CountDown | code.While) -> bool:
    count = loop.count if isinstance(loop, code.CountDown) else None
    return isinstance(count, core.Const) and count.value <= _FEW_TURNS


def _is_guard(expr: core.Expr) -> bool:
    return isinstance(expr, core.Formula) and expr.text in _GUARDED


def _guards(s: code.Statement) -> int:
    return sum(_is_guard(e) for expr in expressions(s) for e in subexpressions(expr))


def _read(inside: list[code.Statement]) -> set[core.Value]:
    return {v for s in inside for expr in expressions(s) for v in values(expr)}


def _is_arithmetic(inside: list[code.Statement]) -> bool:
    """Whether what guarded products go into hands on what is not a number, and decides nothing."""
    made: set[core.Value] = set()  # of guarded products
    while True:
        before = len(made)
        for s in inside:
            match s:
                case code.Define(variable, init) if not isinstance(init, code.Element):
                    found = isinstance(init, code.LOADED) or _depends(init, made)
                    made |= {variable} if found else set()
                case code.Assign(variable, expr) | code.Add(variable, expr) if _depends(expr, made):
                    made.add(variable)
                case _:
                    pass
        if len(made) == before:
            break
    return all(
        not _depends(e, made) or (_goes_into_a_variable(s) and _hands_on(e, made))
        for s in inside
        for e in expressions(s)
    )


def _goes_into_a_variable(s: code.Statement) -> bool:
    """Whether what a statement evaluates is what a variable gets, or more by."""
    computed = isinstance(s, code.Define) and not isinstance(s.init, code.LOADED)
    return computed or isinstance(s, code.Assign | code.Add)


def _depends(expr: core.Expr, made: set[core.Value]) -> bool:
    return any(_is_guard(e) or (isinstance(e, core.Use) and e.value in made) for e in subexpressions(expr))


def _hands_on(expr: core.Expr, made: set[core.Value]) -> bool:
    """Whether an expression is not a number where a guarded product in it, or what is made of one, is none."""
    arithmetic = (
        isinstance(expr, core.Use | core.Cast)
        or (isinstance(expr, core.Unary) and expr.op is UnaryOp.NEG)
        or (isinstance(expr, core.Binary) and expr.op in _ARITHMETIC)
    )
    number = is_floating(expr.type) and not is_half(expr.type)
    chosen = isinstance(expr, core.Select) and not _depends(expr.condition, made)  # what is not taken does not matter
    handed = _is_guard(expr) or (arithmetic and number) or chosen
    return not _depends(expr, made) or (handed and all(_hands_on(e, made) for e in children(expr)))


def _bare(expr: core.Expr) -> core.Expr:
    """Without guards."""
    expr = map_children(expr, _bare)
    if isinstance(expr, core.Formula) and expr.text in _GUARDED:
        (_, x), (_, y) = expr.operands
        return multiplied(x, y) if expr.text == OVER else core.Binary(BinaryOp.MUL, x, y, expr.type)
    return expr


def adding_to(s: code.Statement, parts: Mapping[core.Value, core.Value]) -> code.Statement:
    """The statement with sums of its own in place of others."""
    if isinstance(s, code.Add) and s.variable in parts:
        return replace(s, variable=parts[s.variable])
    return with_blocks(s, lambda inner: tuple(adding_to(t, parts) for t in inner))
