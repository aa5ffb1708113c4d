"""Long arrays of adjoints of the thread's own are zeroed as far as they are used.

    float values[64];  …  for (int i = 0; i < n; ++i) values[i] = x[i * stride + t];

Programs declare as many elements as there may ever be, and use as many as there are. Their adjoints lie in local
memory, where zeroing them takes more than all else does.
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, touched_roots, with_blocks
from cladpy.ir.flow import constants
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, LONG, is_integer, size_of
from cladpy.ir.walk import subexpressions, substitute, values

_LEAST = 16  # elements: shorter arrays are in registers, if at all possible
_MOST = 4  # limits that are compared, each with as many
_LONGEST = 16  # expressions that it is made of
_ONE = core.Const(1, LONG)


def with_bounded_zeros(block: code.Block) -> code.Block:
    """The body of a kernel."""
    every = list(all_statements(block))
    if not any(_is_long(s) for s in every):
        return block
    return _Zeros(every).block(block, frozenset())


def _is_long(s: code.Statement) -> bool:
    if not isinstance(s, code.DeclareArray) or not s.zeroed or not s.adjoint:
        return False
    return s.root.kind is core.RootKind.LOCAL and (s.root.length or 0) >= _LEAST


class _Zeros:
    def __init__(self, every: list[code.Statement]) -> None:
        self.position = {id(s): i for i, s in enumerate(every)}
        self.every = every
        self.constants = constants(every)
        self.counts = {s.variable: s.count for s in every if isinstance(s, code.CountDown)}
        self.own = {s.variable for s in every if isinstance(s, code.Define)} | self.counts.keys()
        self.own |= {v for s in every for v in changed(s)}

    def block(self, block: code.Block, known: frozenset[core.Value]) -> code.Block:
        """`known` are the variables that have been defined."""
        out: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.DeclareArray) and _is_long(s):
                out.append(self._declared(s, known))
                continue
            if isinstance(s, code.Define):
                known |= {s.variable}
            out.append(with_blocks(s, lambda inner, known=known: self.block(inner, known)))  # type: ignore[misc]
        return tuple(out)

    def _declared(self, array: code.DeclareArray, known: frozenset[core.Value]) -> code.DeclareArray:
        later = self.every[self.position[id(array)] :]
        left = known - {v for s in later for v in changed(s)}
        limits: dict[core.Expr, None] = {}  # in the order of the program
        for s in self.every:
            if s is array or (array.root, True) not in touched_roots(s):
                continue
            limit = self._limit(_index(s), left)
            if limit is None or isinstance(limit, core.Const):
                return array
            limits[limit] = None
        below_next = {limit.left for limit in limits if isinstance(limit, core.Binary) and _is_next(limit)}
        left_over = tuple(limit for limit in limits if limit not in below_next)
        return replace(array, below=left_over) if len(left_over) <= _MOST else array

    def _limit(self, index: core.Expr | None, known: frozenset[core.Value]) -> core.Expr | None:
        """What an index stays below, in terms of what is known."""
        match index:
            case core.Cast(operand, type) if is_integer(operand.type) and size_of(type) >= size_of(operand.type):
                return self._limit(operand, known)
            case core.Use(value) if value in self.counts:
                count = self.counts[value]
                while isinstance(count, core.Use) and count.value in self.constants and count.value not in known:
                    count = self.constants[count.value]
                if isinstance(count, core.Select) and count == _at_least_zero(count.then):
                    count = count.then  # no index is below zero
                return self._written(count, known)
            case core.Use(value) if value in self.constants and value not in known:
                return self._limit(self.constants[value], known)
            case None:
                return None
            case _:
                found = self._written(index, known)
                return None if found is None else binary(BinaryOp.ADD, found, _ONE, LONG)

    def _written(self, expr: core.Expr, known: frozenset[core.Value]) -> core.Expr | None:
        for _ in range(_MOST):
            unknown = {v: self.constants[v] for v in values(expr) if v not in known and v in self.constants}
            if not unknown:
                break
            expr = substitute(expr, unknown)
        if any(v in self.own and v not in known for v in values(expr)) or len(list(subexpressions(expr))) > _LONGEST:
            return None
        return cast(expr, LONG)


def _at_least_zero(count: core.Expr) -> core.Expr:
    """As the number of iterations is written."""
    none = core.Const(0, count.type)
    return core.Select(core.Binary(BinaryOp.LT, none, count, BOOL), count, none, count.type)


def _is_next(limit: core.Binary) -> bool:
    return limit.op is BinaryOp.ADD and limit.right == _ONE


def _index(s: code.Statement) -> core.Expr | None:
    """Of the one element that a statement has to do with."""
    match s:
        case code.Take(index=index) | code.AddElement(index=index, row=None) | code.WriteElement(index=index):
            return index
        case code.Define(init=code.Element(index=index)):
            return index
        case _:
            return None
