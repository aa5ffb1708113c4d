"""A sine and a cosine of one number are computed together: the derivative of the one is the other.

CUDA's functions reduce their argument first, which is most of the work, and compilers do not see that two of them
reduce one number. `cladpy::turn` reduces it once. What a decision is made of stays as it is: it has to come out the
same wherever it is computed, and elsewhere one of the two may stand alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cladpy import derivatives
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, map_statement, mentions, with_blocks
from cladpy.ir.flow import written_in
from cladpy.ir.types import Opaque, is_floating, is_half, is_integer, spell
from cladpy.ir.walk import children, map_children, subexpressions, values

# Functions that are had together, by the name of what gives both, and the two by what they are called on that.
_PAIRS = {"sin": ("turn", "sine"), "cos": ("turn", "cosine"), "sinpi": ("half_turn", "sine")}
_PAIRS |= {"cospi": ("half_turn", "cosine")}
_PAIRS |= {f"{name}f": pair for name, pair in _PAIRS.items()}
_IN_RULE = re.compile(r"(?<![\w:])::(sin|cos|sinpi|cospi)\(x\)")

# What gives both, of what, and how often the variables of that had been assigned in the block.
Key = tuple[str, core.Expr, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Found:
    position: int
    part: str


def with_shared_functions(block: code.Block) -> code.Block:
    """The body of a function with such pairs computed once. Two of a pair stand in one block of statements, so that
    neither is computed where it was not."""
    if not any(_pair(e) for s in all_statements(block) for expr in _own(s) for e in subexpressions(expr)):
        return block
    return _shared(block, _deciding(block))


def _shared(block: code.Block, deciding: set[core.Value]) -> code.Block:
    found: dict[Key, list[_Found]] = defaultdict(list)
    assigned: Counter[core.Value] = Counter()
    for position, s in enumerate(block):
        if not (isinstance(s, code.Define | code.Assign | code.Add) and s.variable in deciding):
            for expr in _own(s):
                for e in _always_computed(expr):
                    pair = _pair(e)
                    if pair is not None:
                        key = pair[0], pair[1], tuple(assigned[v] for v in values(pair[1]))
                        found[key].append(_Found(position, pair[2]))
        assigned.update(written_in((s,)))
    both = {key: at for key, at in found.items() if len({f.part for f in at}) > 1}
    names: dict[Key, core.Value] = {}
    made: dict[int, list[code.Statement]] = defaultdict(list)
    at: dict[int, dict[tuple[str, core.Expr], core.Value]] = defaultdict(dict)
    for key, occurrences in both.items():
        function, argument, _ = key
        names[key] = core.Value(f"_{function}", Opaque(f"cladpy::circular<{spell(argument.type)}>"))
        init = core.Formula(f"cladpy::{function}(x)", (("x", argument),), names[key].type)
        made[occurrences[0].position].append(code.Define(names[key], init))
        for f in occurrences:
            at[f.position][function, argument] = names[key]

    def replaced(expr: core.Expr, here: Mapping[tuple[str, core.Expr], core.Value]) -> core.Expr:
        pair = _pair(expr)
        if pair is not None and pair[:2] in here:
            return _part(expr, pair[2], core.Use(here[pair[0], pair[1]]))
        return map_children(expr, lambda e: replaced(e, here))

    out: list[code.Statement] = []
    for position, s in enumerate(block):
        out += made[position]
        if position in at:
            here = at[position]
            out.append(map_statement(s, lambda e, here=here: replaced(e, here)))  # type: ignore[misc]
        else:
            out.append(with_blocks(s, lambda inner: _shared(inner, deciding)))
    return tuple(out)


def _own(s: code.Statement) -> tuple[core.Expr, ...]:
    """The expressions of a statement that only make a number, or add to an adjoint."""
    match s:
        case code.Define(_, init) if not isinstance(init, code.LOADED):
            return (init,)
        case code.Assign(_, expr) | code.Add(_, expr) | code.AddParameter(_, _, expr):
            return (expr,)
        case code.AddElement(expr=expr, adjoint=True):
            return (expr,)
        case _:
            return ()


def _always_computed(expr: core.Expr) -> Iterator[core.Expr]:
    """The parts of an expression, but for those of choices and of what becomes an integer."""
    stack = [expr]
    while stack:
        here = stack.pop()
        if isinstance(here, core.Select) or not is_floating(here.type):
            continue
        yield here
        stack += children(here)


def _pair(expr: core.Expr) -> tuple[str, core.Expr, str] | None:
    """What gives the function's value beside another's, of what, and as which of the two."""
    match expr:
        case core.Math(callee, (argument,), type) if callee.qualified_name in _spellings(callee.name):
            name = callee.name
        case core.Formula(text, (("x", argument),), type) if inside := _IN_RULE.search(text):
            name = inside[1]
        case _:
            return None
    if name not in _PAIRS or is_half(type) or argument.type != type:
        return None
    return (_PAIRS[name][0], argument, _PAIRS[name][1])


def _part(expr: core.Expr, part: str, both: core.Use) -> core.Expr:
    """The expression, which is one function of a pair or has it inside, in terms of what holds both."""
    if not isinstance(expr, core.Formula):
        return core.Formula(f"cladpy::{part}(x)", (("x", both),), expr.type)
    text = _IN_RULE.sub(f"cladpy::{part}(y)", expr.text)
    operands = expr.operands if "x" in derivatives.used(text) else ()
    return core.Formula(text, (*operands, ("y", both)), expr.type)


def _spellings(name: str) -> tuple[str, ...]:
    return (name, f"::{name}", f"std::{name}")


def _deciding(block: code.Block) -> set[core.Value]:
    """The variables of which a branch, an index or a count may be made, or that leave the function other than as
    adjoints."""
    made_of: dict[core.Value | code.Slot, set[core.Value | code.Slot]] = defaultdict(set)
    deciding: set[core.Value | code.Slot] = set()
    for s in all_statements(block):
        own = _own(s)
        for expr in own:
            deciding |= {v for e in subexpressions(expr) if is_integer(e.type) for v in values(e)}
            deciding |= {v for e in subexpressions(expr) if isinstance(e, core.Select) for v in values(e.condition)}
        match s:
            case code.Define() | code.Assign() | code.Add() if own:
                made_of[s.variable] |= set(values(own[0]))
            case code.AddElement() | code.AddParameter() if own:
                pass
            case code.Push(_, kept) | code.Keep(_, _, kept):
                for slot, expr in kept:
                    made_of[slot] |= set(values(expr))
            case code.Pop(_, variables) | code.Rewind(_, _, variables):
                for slot, variable in variables:
                    made_of[variable].add(slot)
            case code.Branch(condition) | code.While(_, condition):
                deciding |= set(values(condition))
            case code.CountDown():
                deciding |= {v for e in s.operands for v in values(e)}
            case _:
                deciding |= mentions(s)
    work = list(deciding)
    while work:
        new = made_of[work.pop()] - deciding
        deciding |= new
        work += new
    return {v for v in deciding if isinstance(v, core.Value)}
