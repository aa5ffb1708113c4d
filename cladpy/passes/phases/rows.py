"""What is the same for the threads of a warp, or of another part of a block's rows.

    row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;         for each 32 threads {
    c = threadIdx.x % 32 + k;                              to     row = ...; first = threadIdx.x % 32;
    s += x[row * n + c];                                          for each of them { c = first + place + k; ... } }

The loop over the threads of a phase is one over such parts, and in each one over its threads: what divides their number
is evaluated once, and compilers see that neighbours come to neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, defined, expressions, map_block
from cladpy.ir.core import Value
from cladpy.ir.flow import uses_in
from cladpy.ir.fold import binary, cast
from cladpy.ir.phases import Phase, Rows
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import INT, UINT, is_integer, size_of
from cladpy.ir.walk import children, map_children, subexpressions

_LEAST = 8  # threads that are worth a loop of their own
_THREAD, _BLOCK, _EXTENT = (
    core.Builtin(v, UINT) for v in (BuiltinVar.THREAD_X, BuiltinVar.BLOCK_X, BuiltinVar.BLOCK_DIM_X)
)
_WARP = 32
_PURE = core.Binary | core.Unary | core.Cast | core.Select


def in_rows(phase: Phase) -> Phase:
    """The phase as loops over such parts; itself where its threads do not ask which part is theirs."""
    found = _Found(phase)
    parts = list(found.parts())
    if not parts or min(p.count for p in parts) < _LEAST:
        return phase
    body: list[code.Statement] = []
    for s in phase.body:
        stands_for = found.let(s) if isinstance(s, code.Define) else None
        if isinstance(s, code.Define) and stands_for is not None and found.is_same(stands_for):
            found.once[s.variable] = replace(s, init=found.canonical(stands_for))
        else:
            body.append(s)
    inside = _read(map_block(tuple(body), found.placed), {*found.lets} - {*phase.stored})
    rows = Rows(
        min(p.count for p in parts),
        any(p.of_grid for p in parts),
        (*found.first.values(), *found.once.values()),
        found.place,
    )
    return replace(phase, body=inside, rows=rows)


def _read(body: code.Block, names: set[Value]) -> code.Block:
    """Without those of the names that nothing reads any more."""
    read = uses_in(body)
    kept = tuple(s for s in body if not (isinstance(s, code.Define) and s.variable in names and not read[s.variable]))
    return kept if len(kept) == len(body) else _read(kept, names)


@dataclass(frozen=True, slots=True)
class _Part:
    """Of a thread's number, in the block or in the grid: which part of so many threads it is in, or where in that."""

    of_grid: bool
    count: int
    within: bool

    def expr(self) -> core.Expr:
        number: core.Expr = _THREAD
        if self.of_grid:
            number = binary(BinaryOp.ADD, binary(BinaryOp.MUL, _BLOCK, _EXTENT, UINT), _THREAD, UINT)
        return binary(BinaryOp.REM if self.within else BinaryOp.DIV, number, core.Const(self.count, UINT), UINT)


@dataclass(slots=True)
class _Found:
    phase: Phase
    lets: dict[Value, core.Expr] = field(init=False)
    own: set[Value] = field(init=False)
    place: Value = field(default_factory=lambda: Value("_place", INT))
    first: dict[_Part, code.Define] = field(default_factory=dict)
    once: dict[Value, code.Define] = field(default_factory=dict)

    def __post_init__(self) -> None:
        made = ((s.variable, self.let(s)) for s in self.phase.body if isinstance(s, code.Define))
        self.lets = {v: e for v, e in made if e is not None}
        self.own = {v for s in all_statements(self.phase.body) for v in defined(s)} | {*self.phase.loaded}

    def let(self, s: code.Define) -> core.Expr | None:
        """What it stands for; None where it changes, or comes from elsewhere."""
        return None if s.mutable or isinstance(s.init, code.LOADED) else s.init

    def parts(self) -> Iterator[_Part]:
        for s in all_statements(self.phase.body):
            for whole in expressions(s):
                yield from (part for e in subexpressions(whole) if (part := self._part(e)) is not None)

    def is_same(self, expr: core.Expr) -> bool:
        """Whether all threads of a part have it alike."""
        match expr:
            case core.Const():
                return True
            case core.Builtin():
                return expr != _THREAD
            case core.Use(value):
                return value in self.once or value not in self.own
            case _ if isinstance(expr, _PURE):
                part = self._part(expr)
                return all(map(self.is_same, children(expr))) if part is None else not part.within
            case _:
                return False

    def canonical(self, expr: core.Expr) -> core.Expr:
        """Without the names of a thread's own."""
        part = self._part(expr)
        return map_children(expr, self.canonical) if part is None else cast(part.expr(), expr.type)

    def placed(self, expr: core.Expr) -> core.Expr:
        """For one of the threads of a part."""
        part = self._part(expr)
        if part is None or not part.within:
            return map_children(expr, self.placed)
        if part not in self.first:
            self.first[part] = code.Define(Value("_first", INT), cast(part.expr(), INT))
        first = core.Use(self.first[part].variable)
        return cast(binary(BinaryOp.ADD, first, core.Use(self.place), INT), expr.type)

    def _part(self, expr: core.Expr) -> _Part | None:
        if not isinstance(expr, core.Binary) or not is_integer(expr.type):
            return None
        op, count = expr.op, _number(expr.right)
        if count is None:
            return None
        if op is BinaryOp.SHR and 0 <= count < 11:
            op, count = BinaryOp.DIV, 1 << count
        elif op is BinaryOp.BIT_AND:
            op, count = BinaryOp.REM, count + 1
        if op not in (BinaryOp.DIV, BinaryOp.REM) or count < 1 or count & (count - 1):
            return None
        terms = self._terms(expr.left)
        if terms not in ((False, True), (True, True)):
            return None
        return _Part(terms[0], count, op is BinaryOp.REM)

    def _terms(self, expr: core.Expr) -> tuple[bool, bool] | None:
        """Whether a sum has the number of the block's first thread, and that of the thread in the block; None for
        what has something else."""
        match expr:
            case core.Use(value) if value in self.lets:
                return self._terms(self.lets[value])
            case core.Cast(operand, type) if is_integer(type) and is_integer(operand.type) and size_of(type) >= 4:
                return self._terms(operand)
            case core.Binary(BinaryOp.ADD, left, right):
                one, other = self._terms(left), self._terms(right)
                if one is None or other is None or any(a and b for a, b in zip(one, other, strict=True)):
                    return None
                return one[0] or other[0], one[1] or other[1]
            case core.Binary(BinaryOp.MUL, left, right) if {_bare(left), _bare(right)} == {_BLOCK, _EXTENT}:
                return True, False
            case _ if expr == _THREAD:
                return False, True
            case _:
                return None


def _bare(expr: core.Expr) -> core.Expr:
    while isinstance(expr, core.Cast) and is_integer(expr.type) and size_of(expr.type) >= 4:
        expr = expr.operand
    return expr


def _number(expr: core.Expr) -> int | None:
    bare = _bare(expr)
    if isinstance(bare, core.Builtin):
        return _WARP if bare.var is BuiltinVar.WARP_SIZE else None
    return bare.value if isinstance(bare, core.Const) and type(bare.value) is int else None
