"""The data flow of a gradient in generated code: what each value is made of, and what has an effect.

Values are variables that never change, the parts of expressions, and what loops and branches leave in a variable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import (
    all_statements,
    changed,
    defined,
    inner_blocks,
    map_block,
    map_statement,
    touched_roots,
    variables_read,
    with_blocks,
)
from cladpy.ir.flow import changed_in
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import ULONG, Scalar, size_of
from cladpy.ir.walk import map_children, substitute, values

# What a node of the data flow is: a variable, or memory (with whether it is the adjoint's).
Node = core.Value | tuple[core.Root, bool]

_LOOPS = code.While | code.CountDown


# ---- names for what may be kept --------------------------------------------------------------------------------------


class Naming:
    """Gives names to what may be kept beside variables: the parts of expressions, and what loops and branches leave in
    a variable. `unnamed` takes those away again that are not kept."""

    def __init__(self) -> None:
        self.given: dict[core.Value, core.Expr] = {}

    def named(self, block: code.Block) -> code.Block:
        return self._parts(self._finals(block), {}, _mutable(block))

    def unnamed(self, block: code.Block, kept: Collection[core.Value]) -> code.Block:
        back: dict[core.Value, core.Expr] = {}
        for value, expr in self.given.items():  # in their order: each is made of those before it
            if value not in kept:
                back[value] = substitute(expr, back)

        def walk(block: code.Block) -> code.Block:
            here = (s for s in block if not (isinstance(s, code.Define) and s.variable in back))
            return tuple(with_blocks(s, walk) for s in here)

        return map_block(walk(block), lambda e: substitute(e, back))

    def _finals(self, block: code.Block) -> code.Block:
        """With a name for what a variable is after the statement that changes it last."""
        changing = [{v for t in all_statements((s,)) for v in changed(t)} for s in block]
        after: dict[int, list[core.Value]] = defaultdict(list)
        for variable in (s.variable for s in block if isinstance(s, code.Define) and s.mutable):
            position = max((i for i, found in enumerate(changing) if variable in found), default=0)
            if isinstance(block[position], code.Branch | _LOOPS) and isinstance(variable.type, Scalar):
                after[position].append(variable)
        out: list[code.Statement] = []
        known: dict[core.Value, core.Expr] = {}
        for position, s in enumerate(block):
            s = map_statement(s, lambda e: substitute(e, known)) if known else s
            out.append(with_blocks(s, self._finals) if isinstance(s, code.Branch) else s)
            for variable in after[position]:
                final = core.Value(variable.name, variable.type)
                self.given[final] = core.Use(variable)
                out.append(code.Define(final, core.Use(variable)))
                known[variable] = core.Use(final)
        return tuple(out)

    def _parts(
        self, block: code.Block, known: dict[core.Expr, core.Value], mutable: Collection[core.Value]
    ) -> code.Block:
        """With a name for each part of the expressions, outside of loops, that is made of what does not change."""
        known = dict(known)
        out: list[code.Statement] = []

        def name(expr: core.Expr) -> core.Expr:
            if isinstance(expr, core.Select) or _is_lazy(expr):
                return expr
            flat = map_children(expr, name)
            if (
                not isinstance(flat, core.Binary | core.Unary | core.Cast | core.Math)
                or any(v in mutable for v in values(flat))
                or not isinstance(expr.type, Scalar)
            ):
                return flat
            if flat not in known:
                known[flat] = core.Value("_part", expr.type)
                self.given[known[flat]] = flat
                out.append(code.Define(known[flat], flat))
            return core.Use(known[flat])

        for s in block:
            match s:
                case code.Define(init=init) if not isinstance(init, code.LOADED):
                    s = replace(s, init=name(init))
                case code.Assign(expr=expr) | code.Add(expr=expr) | code.AddParameter(expr=expr):
                    s = replace(s, expr=name(expr))
                case code.AddElement(expr=expr) | code.WriteElement(expr=expr):
                    s = replace(s, expr=name(expr))
                case code.Branch():
                    s = with_blocks(s, lambda inner: self._parts(inner, known, mutable))
                case _:
                    pass
            out.append(s)
        return tuple(out)


def _is_lazy(expr: core.Expr) -> bool:
    """Whether an operand may stay unevaluated: by itself it may not be computable."""
    return isinstance(expr, core.Binary) and expr.op in (BinaryOp.AND, BinaryOp.OR)


def _mutable(block: code.Block) -> set[core.Value]:
    """All that changes, or is made in a loop, where the next iteration makes it anew."""
    counters = {s.variable for s in all_statements(block) if isinstance(s, code.CountDown)}
    return changed_in(block) | counters


# ---- data flow -------------------------------------------------------------------------------------------------------

CHANGING: Node = core.Value("_changing", ULONG)
EFFECT: Node = core.Value("_effect", ULONG)


class Flow:
    """The data flow of a gradient: `edges` from what is used to what it is used for, `costs` of the variables that can
    be kept."""

    def __init__(self, block: code.Block, changing: frozenset[core.Root]) -> None:
        self.edges: dict[Node, set[Node]] = defaultdict(set)
        self.costs: dict[Node, int] = {}
        self.order: dict[core.Value, int] = {}
        self.fits = True
        self._changing = changing
        self._adjoint: set[Node] = set()
        self._walk(block, (), looping=False)
        for node in _after(self._adjoint, self.edges):
            self.costs.pop(node, None)

    def _walk(self, block: code.Block, around: tuple[core.Value, ...], *, looping: bool) -> None:
        for s in block:
            # what keeps things in ways of its own, or does something that must not be done twice
            if s.effects.keeps or s.effects.shows or isinstance(s, code.Invoke | code.Perform):
                self.fits = False
            self._statement(s, around, looping)
            inside = around
            match s:
                case code.Branch(condition) | code.While(_, condition):
                    inside = (*around, *values(condition))
                case code.CountDown(variable):
                    inside = (*around, variable)
                case _:
                    pass
            for inner in inner_blocks(s):
                self._walk(inner, inside, looping=looping or isinstance(s, _LOOPS))

    def _statement(self, s: code.Statement, around: tuple[core.Value, ...], looping: bool) -> None:
        memory = touched_roots(s)
        given: set[Node] = {*around, *_used(s)}
        made: set[Node] = {*changed(s), *defined(s)}
        match s:
            case code.Define(variable, mutable=mutable):
                self.order[variable] = len(self.order)
                if not mutable and not looping and isinstance(variable.type, Scalar):
                    self.costs[variable] = size_of(variable.type)
            case code.CountDown(variable):
                made.add(variable)
            case code.AddParameter():
                made.add(EFFECT)
            case code.WriteElement(root) if root.outlives:
                self.fits = False
            case _:
                pass
        for root, adjoint in memory:
            node: Node = (root.memory, adjoint)
            if not root.outlives:  # a thread's or a block's own: read and written by whoever touches it
                given.add(node)
                if not isinstance(s, code.Define):
                    made.add(node)
            elif adjoint:
                made.add(EFFECT)
                self._adjoint |= made
            elif root in self._changing:
                given.add(CHANGING)
        if isinstance(s, code.CallPullback) and any(adjoint for _, adjoint in memory):
            made.add(EFFECT)
        for node in given:
            self.edges[node] |= made


def _used(s: code.Statement) -> Iterator[core.Value]:
    """The variables that a statement itself reads."""
    yield from variables_read(s)
    if isinstance(s, code.Add):
        yield s.variable


def _after(nodes: Collection[Node], edges: dict[Node, set[Node]]) -> set[Node]:
    found, stack = set(nodes), list(nodes)
    while stack:
        for to in edges.get(stack.pop(), ()):
            if to not in found:
                found.add(to)
                stack.append(to)
    return found


def before(nodes: Collection[Node], edges: dict[Node, set[Node]]) -> set[Node]:
    reverse: dict[Node, set[Node]] = defaultdict(set)
    for node, to in edges.items():
        for other in to:
            reverse[other].add(node)
    return _after(nodes, reverse)
