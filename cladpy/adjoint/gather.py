"""Adjoints that are gathered: a thread for each cell of a buffer sums what the cell gave to the threads around it.

The gradient's body is run again for each of them, as far as their contribution needs it, with the place of that thread
in place of this one's. The rest of the gradient is a launch behind it, in which cotangents are zeroed: until then
several threads read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cladpy.adjoint.cleanup import all_statements, clean, with_blocks
from cladpy.adjoint.expressions import zero
from cladpy.adjoint.rewrite import map_statement
from cladpy.adjoint.tidy import tidy
from cladpy.analysis.dimensions import BLOCKS, THREADS
from cladpy.analysis.stencils import Axis, Pulled, Shift, Stencil
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.fold import binary, cast
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, INT, UINT, is_half
from cladpy.ir.walk import map_children, statements, subexpressions, substitute, values

# Contributions are gathered if they cost no more than this on average, in operations: an atomic addition takes about as
# long.
MOST_WORK = 120
_WORK_OF_A_LOAD = 8
_WORK_OF_A_FUNCTION = 16


@dataclass(frozen=True, slots=True)
class Gather:
    """Two kernels that do together what the gradient does. `cells` is run for the threads of the launch and so many
    cells beyond them along each axis, `rest`, where anything is left, for the threads of the launch. Both need the
    extents `single` to be 1."""

    cells: code.Function
    rest: code.Function | None
    beyond: tuple[int, int, int]
    single: tuple[BuiltinVar, ...]


def gathered(
    body: Sequence[code.Statement],
    function: core.Function,
    stencil: Stencil,
    alone: Callable[[core.Root], bool],
    fresh: frozenset[core.Root],
) -> code.Block | None:
    """What gathers the adjoints of a stencil's buffers, made of the gradient's body as the sweeps write it; None where
    that does not pay, or cannot be. `alone` says of a buffer that each of its cotangents is asked for once."""
    taken = {s.root for s in all_statements(tuple(body)) if isinstance(s, code.Take)}
    if any(isinstance(s, code.Take) and s.update is not Update.PLAIN for s in all_statements(tuple(body))):
        return None
    if not all(root.kind is core.RootKind.ARGUMENT and alone(root) for root in taken):
        return None
    sums = {p.root: _Sum.of(p, function, stencil) for p in stencil.pulled}
    out: list[code.Statement] = [code.Comment("the cell")]
    places = _Places(stencil)
    out += places.define_cell()
    for total in sums.values():
        if total is None:
            return None
        out.append(code.Define(total.sum, zero(total.sum.type), mutable=True))
        out.append(code.Define(total.found, core.Const(False, BOOL), mutable=True))
    known = {root: total for root, total in sums.items() if total is not None}
    work = 0
    for shift in stencil.shifts:
        loads = {load for p in stencil.pulled for load, by in p.shifts.items() if by == shift}
        block = _contribution(body, loads)
        if block is None:
            return None
        work += _work(block) - MOST_WORK * len(loads)
        out += places.at(shift, _renamed(tuple(_summed(block, known)), {}))
    if work > 0:
        return None
    for root, total in known.items():
        index = places.in_cell(total.index)
        added = code.AddElement(
            root, index, core.Use(total.sum), Update.PLAIN, assigned=root in fresh and not is_half(root.adjoint_cell)
        )
        out.append(code.Branch(core.Use(total.found), (replace(added, once=0 if added.assigned else None),), ()))
    return tuple(out)


def without(body: Sequence[code.Statement], roots: frozenset[core.Root]) -> list[code.Statement]:
    """The body of a gradient without what it adds to the adjoints of some buffers."""
    return list(_filtered(tuple(body), lambda s: not (isinstance(s, code.AddElement) and s.root in roots)))


def has_effect(block: code.Block) -> bool:
    """Whether a body does anything to memory."""
    changing = code.AddElement | code.AddParameter | code.WriteElement | code.Take
    return any(isinstance(s, changing) and not _stays(s) for s in all_statements(block))


def _stays(s: code.Statement) -> bool:
    """Whether a cotangent is looked at and left where it is."""
    return isinstance(s, code.Take) and not s.zero and s.update is Update.PLAIN


@dataclass(frozen=True, slots=True)
class _Sum:
    """What is gathered for a cell: the sum, whether there is any, and where it goes, in terms of a thread's place."""

    sum: core.Value
    found: core.Value
    index: core.Expr

    @staticmethod
    def of(pulled: Pulled, function: core.Function, stencil: Stencil) -> _Sum | None:
        root = pulled.root
        lets = {s.value: s.expr for s in statements(function.body) if isinstance(s, core.Let)}
        index = pulled.home.index
        while any(v in lets for v in values(index)):
            index = substitute(index, lets)
        parameters = {c for p in function.parameters for c in p.contents}
        if not all(v in parameters for v in values(index)):
            return None
        type = adjoint_value(root.element)
        return _Sum(core.Value(f"_d_{root.name}_sum", type), core.Value("_found", BOOL), index)


def _contribution(body: Sequence[code.Statement], loads: set[core.Load]) -> code.Block | None:
    """What a thread contributes to what it loads in some places; None where that is more than arithmetic."""

    def kept(s: code.Statement) -> bool:
        match s:
            case code.AddElement(root, adjoint=True) if root.outlives:
                return s.load in loads
            case code.AddParameter():
                return False
            case _:
                return True

    read = tuple(map(_reading, _filtered(tuple(body), kept)))
    block = tidy(clean(list(read)))
    return block if all(_is_simple(s, loads) for s in all_statements(block)) else None


def _is_simple(s: code.Statement, loads: set[core.Load]) -> bool:
    match s:
        case code.AddElement():
            return s.load in loads
        case code.Define(_, init):
            return not isinstance(init, code.UserCall | code.MemberOf | code.Together)
        case _:
            return isinstance(s, code.Assign | code.Add | code.Branch | code.Comment)


def _filtered(block: code.Block, keep: Callable[[code.Statement], bool]) -> code.Block:
    return tuple(with_blocks(s, lambda inner: _filtered(inner, keep)) for s in block if keep(s))


def _reading(s: code.Statement) -> code.Statement:
    """With cotangents that are read and stay."""
    if isinstance(s, code.Take):
        return code.Define(s.variable, code.Element(s.root, s.index, adjoint=True), span=s.origin)
    return with_blocks(s, lambda inner: tuple(map(_reading, inner)))


def _summed(block: code.Block, sums: Mapping[core.Root, _Sum]) -> Iterator[code.Statement]:
    for s in block:
        if isinstance(s, code.AddElement):
            total = sums[s.root]
            yield code.Add(total.sum, s.expr)
            yield code.Assign(total.found, core.Const(True, BOOL))
        elif not isinstance(s, code.Comment):
            yield with_blocks(s, lambda inner: tuple(_summed(inner, sums)))


def _work(block: code.Block) -> int:
    """About how many operations a block takes, with loads."""
    total = 0

    def count(expr: core.Expr) -> core.Expr:
        nonlocal total
        for e in subexpressions(expr):
            match e:
                case core.Math() | core.Formula():
                    total += _WORK_OF_A_FUNCTION
                case core.Binary() | core.Unary() | core.Select() | core.Cast():
                    total += 1
                case _:
                    pass
        return expr

    for s in block:
        map_statement(s, count)
    loads = (s for s in all_statements(block) if isinstance(s, code.Define) and isinstance(s.init, code.Element))
    return total + _WORK_OF_A_LOAD * len(list(loads))


def _renamed(block: code.Block, names: dict[core.Value, core.Value]) -> code.Block:
    """A copy with variables of its own."""
    out: list[code.Statement] = []

    def rename(expr: core.Expr) -> core.Expr:
        return substitute(expr, {old: core.Use(new) for old, new in names.items()})

    for s in block:
        match s:
            case code.Define(variable):
                made = map_statement(s, rename)
                assert isinstance(made, code.Define)
                names[variable] = core.Value(variable.name, variable.type)
                out.append(replace(made, variable=names[variable]))
            case code.Assign(variable) | code.Add(variable):
                made = map_statement(s, rename)
                assert isinstance(made, code.Assign | code.Add)
                out.append(replace(made, variable=names.get(variable, variable)))
            case code.Branch(condition, then, other):
                out.append(code.Branch(rename(condition), _renamed(then, names), _renamed(other, names)))
            case _:
                out.append(map_statement(s, rename))
    return tuple(out)


class _Places:
    """The place of a thread along each axis, in place of what CUDA calls it by."""

    def __init__(self, stencil: Stencil) -> None:
        self.stencil = stencil
        self.used = [n for n, axis in enumerate(stencil.axes) if axis.thread is not None or axis.block is not None]
        self.cells = {n: core.Value(f"_cell_{'xyz'[n]}", INT) for n in self.used}

    def define_cell(self) -> Iterator[code.Statement]:
        """Cells below zero come last: so that all others lie where the threads of the launch do."""
        for n, cell in self.cells.items():
            low, high = self.stencil.reach(n)
            at: core.Expr = cast(_product(_block(n), _size(n), _thread(n)), INT)
            if low < 0:
                end = binary(BinaryOp.ADD, cast(self._extent(n), INT), core.Const(high, INT), INT)
                number = core.Value(f"_number_{'xyz'[n]}", INT)
                yield code.Define(number, at)
                below = core.Binary(BinaryOp.SUB, end, core.Const(1, INT), INT)
                below = core.Binary(BinaryOp.SUB, below, core.Use(number), INT)
                at = core.Select(core.Binary(BinaryOp.LT, core.Use(number), end, BOOL), core.Use(number), below, INT)
            yield code.Define(cell, at)

    def at(self, shift: Shift, block: code.Block) -> Iterator[code.Statement]:
        """A block as the thread runs it that lies by a shift before the cell, if there is that thread."""
        given: dict[int, core.Expr] = {}
        there: core.Expr | None = None
        for n, cell in self.cells.items():
            place = core.Value(f"_at_{'xyz'[n]}", UINT)
            moved: core.Expr = core.Use(cell)
            if shift[n]:
                op = BinaryOp.SUB if shift[n] > 0 else BinaryOp.ADD
                moved = core.Binary(op, moved, core.Const(abs(shift[n]), INT), INT)
            yield code.Define(place, cast(moved, UINT))
            given[n] = core.Use(place)
            if self.stencil.reach(n) != (0, 0):
                inside = core.Binary(BinaryOp.LT, core.Use(place), self._extent(n), BOOL)
                there = inside if there is None else core.Binary(BinaryOp.AND, there, inside, BOOL)
        inner = tuple(map_statement(s, lambda e: self._placed(e, given)) for s in block)
        yield from inner if there is None else (code.Branch(there, inner, ()),)

    def in_cell(self, index: core.Expr) -> core.Expr:
        """An expression for a thread at the place of the cell."""
        return self._placed(index, {n: cast(core.Use(cell), UINT) for n, cell in self.cells.items()})

    def _placed(self, expr: core.Expr, given: Mapping[int, core.Expr]) -> core.Expr:
        for n, place in given.items():
            if expr in _sums(n):
                return place
        if isinstance(expr, core.Builtin):
            for n, axis in enumerate(self.stencil.axes):
                if expr.var in (axis.thread, axis.block):
                    return self._index(expr.var, axis, n, given[n])
        return map_children(expr, lambda e: self._placed(e, given))

    @staticmethod
    def _index(var: BuiltinVar, axis: Axis, n: int, place: core.Expr) -> core.Expr:
        if axis.thread is None or axis.block is None:
            return place
        op = BinaryOp.REM if var is axis.thread else BinaryOp.DIV
        return core.Binary(op, place, _size(n), UINT)

    def _extent(self, n: int) -> core.Expr:
        """How many places there are."""
        axis = self.stencil.axes[n]
        count = core.Builtin(BLOCKS[_BLOCKS[n]], UINT)
        if axis.thread is None:
            return count
        if axis.block is None:
            return _size(n)
        return core.Binary(BinaryOp.MUL, count, _size(n), UINT)


_THREADS, _BLOCKS = tuple(THREADS), tuple(BLOCKS)


def _thread(n: int) -> core.Expr:
    return core.Builtin(_THREADS[n], UINT)


def _block(n: int) -> core.Expr:
    return core.Builtin(_BLOCKS[n], UINT)


def _size(n: int) -> core.Expr:
    return core.Builtin(THREADS[_THREADS[n]], UINT)


def _product(a: core.Expr, b: core.Expr, plus: core.Expr) -> core.Expr:
    return core.Binary(BinaryOp.ADD, core.Binary(BinaryOp.MUL, a, b, UINT), plus, UINT)


def _sums(n: int) -> tuple[core.Expr, ...]:
    """The ways to write a thread's place."""
    block, size, thread = _block(n), _size(n), _thread(n)
    found = []
    for a, b in ((block, size), (size, block)):
        product = core.Binary(BinaryOp.MUL, a, b, UINT)
        found += [core.Binary(BinaryOp.ADD, product, thread, UINT), core.Binary(BinaryOp.ADD, thread, product, UINT)]
    return tuple(found)
