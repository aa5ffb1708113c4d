"""Adjoints that are gathered: a thread for each cell of a buffer sums what the cell gave to the threads around it.

The gradient's body is run again for each of them, as far as their contribution needs it, with the place of that thread
in place of this one's. The rest of the gradient is a launch behind it, in which cotangents are zeroed: until then
several threads read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cladpy.analysis.dimensions import BLOCKS, THREADS
from cladpy.analysis.races import asked_once
from cladpy.analysis.renewal import Renewal
from cladpy.analysis.stencils import Axis, Shift, Stencil, find_stencil
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, expressions, map_statement, with_blocks
from cladpy.ir.effects import Memory
from cladpy.ir.fold import cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.renaming import renamed
from cladpy.ir.surface import BinaryOp, BuiltinVar, UnaryOp
from cladpy.ir.types import BOOL, INT, LONG, UINT, Type, is_half, is_integer
from cladpy.ir.walk import map_children, statements, subexpressions, values
from cladpy.passes.accumulators import with_less_traffic
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy
from cladpy.passes.uniform_sums import sum_at_exit
from cladpy.variants.places import place_sums
from cladpy.variants.variant import Original, Step, Text, Variant

# Contributions are gathered if they cost no more than this on average, in operations: an atomic addition takes about as
# long.
MOST_WORK = 120
_WORK_OF_A_LOAD = 8
_WORK_OF_A_FUNCTION = 16


_NO_HOMES: Mapping[core.Root, frozenset[core.Load]] = {}


@dataclass(frozen=True, slots=True)
class Gather(Variant):
    """Two kernels that do together what the gradient does. `cells` is run for the threads of the launch and so many
    cells beyond them along each axis, `rest`, where anything is left, for the threads of the launch. Both need the
    extents `single` to be 1."""

    header = "cladpy/cells.h"
    verb = "gathers"
    reason = "the launch function gathers it instead"

    cells: code.Function
    rest: code.Function | None
    beyond: tuple[int, int, int]
    single: tuple[BuiltinVar, ...]
    roots: tuple[core.Root, ...]
    renewing: code.Function | None = None  # `cells` that does it all, and replaces what the cell's own thread has left

    @classmethod
    def of(cls, original: Original) -> Gather | None:
        return cls.renewed(original, None)

    @classmethod
    def renewed(cls, original: Original, renewal: Renewal | None) -> Gather | None:
        """With a `renewal` the cotangents stay, and adjoints are replaced."""
        function, accumulation = original.function, original.accumulation
        loops = any(isinstance(t, core.Loop) for t in statements(function.body))
        if loops or accumulation.bounded is not None:
            return None
        met = [r for r, u in accumulation.updates.items() if u is Update.ATOMIC and r in original.varied]
        stencil = find_stencil(function, original.accesses.by_root, sorted(met, key=lambda r: r.name))
        if stencil is None:
            return None
        consumed = None if renewal is None else frozenset(stored for _, stored in renewal.pairs)
        body, numbers = original.swept_again(consumed)
        left = (*without(body, frozenset(p.root for p in stencil.pulled)), *numbers)
        left = sum_at_exit(left, function, accumulation.beside, may_alias=False)
        found = gathered(
            body,
            stencil,
            lambda root: asked_once(function, root, original.accesses, original.unread),
            original.fresh if renewal is None else frozenset(),
            with_less_traffic(tidy(without_dead_code(left)), may_alias=False),
            _NO_HOMES if renewal is None else renewal.homes,
        )
        if found is None:
            return None
        cells, behind = found
        main = replace(original.main, standing=0)
        beyond = [high - low for low, high in map(stencil.reach, range(3))]
        return Gather(
            replace(main, name=f"{main.name}_cells", body=cells, cells=True),
            replace(main, name=f"{main.name}_rest", body=behind) if has_effect(behind) else None,
            (beyond[0], beyond[1], beyond[2]),
            tuple(extent for axis in stencil.axes for extent in axis.single),
            tuple(p.root for p in stencil.pulled),
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        cells = "a thread for each cell gathers what others would add to it"
        steps = [Step(self.cells, f"What the launch function runs in place of this kernel: {cells}.", "_cells")]
        if self.rest is not None:
            steps.append(Step(self.rest, "What is left then.", "_grid"))
        if self.renewing is not None:
            says = "The same where the cotangents may stay: a cell whose own thread has left one is replaced."
            steps.append(Step(self.renewing, says, "_cells", asked="_renews"))
        return tuple(steps)

    def test(self, text: Text) -> tuple[tuple[str, ...], str]:
        single = (f"_{extent.value.replace('Dim', '')} == 1" for extent in self.single)
        fits = f"cladpy::grid_of_cells(_grid, _block, {', '.join(map(str, self.beyond))}, &_cells)"
        return ("dim3 _cells;",), " && ".join((*single, fits))

    def explained(self) -> tuple[tuple[str, ...], str]:
        beyond = [f"{count} along {axis}" for count, axis in zip(self.beyond, "xyz", strict=True) if count]
        roots = ", ".join(f"_d_{root.name}" for root in self.roots)
        steps = [
            f"{self.cells.name} is launched with a thread for each cell, of which there are more than threads of the "
            f"original: {', '.join(beyond)}; it gathers {roots} without atomics"
        ]
        if self.rest is not None:
            steps.append(f"{self.rest.name} does what is left, on the grid of the original")
        single = [f"{extent.value} is not 1" for extent in self.single]
        return tuple(steps), " or ".join([*single, "there is no grid for so many cells"])


def gathered(
    body: Sequence[code.Statement],
    stencil: Stencil,
    alone: Callable[[core.Root], bool],
    fresh: frozenset[core.Root],
    rest: code.Block,
    homes: Mapping[core.Root, frozenset[core.Load]] = _NO_HOMES,
) -> tuple[code.Block, code.Block] | None:
    """What gathers the adjoints of a stencil's buffers, made of the gradient's body as the sweeps write it, and what
    has to come behind it of the `rest` of the gradient; None where that does not pay, or cannot be. `alone` says of a
    buffer that each of its cotangents is asked for once. Of a buffer in `homes` a cell is replaced where a thread makes
    one of these loads from it."""
    taken = {s.root for s in all_statements(tuple(body)) if isinstance(s, code.Take)}
    if any(isinstance(s, code.Take) and s.update is not Update.PLAIN for s in all_statements(tuple(body))):
        return None
    if not all(root.kind is core.RootKind.ARGUMENT and alone(root) for root in taken):
        return None
    places = _Places(stencil)
    out: list[code.Statement] = [code.Comment("the cell"), *places.define_cell()]
    parts: list[_Part] = []
    types: dict[core.Root, set[Type]] = {}
    work = 0
    for shift in stencil.shifts:
        loads = {load for p in stencil.pulled for load, by in p.shifts.items() if by == shift}
        block = _contribution(body, loads)
        if block is None:
            return None
        for s in all_statements(block):
            if isinstance(s, code.AddElement):
                types.setdefault(s.root, set()).add(s.index.type)
        work += work_of(block) - MOST_WORK * len(loads)
        own, there = places.at(shift, renamed(block, {}))
        parts.append(_part(own, there))
    if work > 0:
        return None
    sums = {root: _Sum.of(root, INT if found == {INT} else LONG) for root, found in types.items()}
    for total in sums.values():
        out += total.define()
    for part in parts:
        out += part.before
    for part in parts:  # all loads before the first use, so that they are under way together
        out += part.loads()
    for part in parts:
        out += part.summed(sums)
    for root, total in sums.items():
        assigned = root in fresh and not is_half(root.adjoint_cell)
        added = code.AddElement(root, core.Use(total.at), core.Use(total.sum), Update.PLAIN, assigned=assigned)
        summed: code.Statement = replace(added, once=0 if assigned else None)
        if root in homes:
            home = next((p.there for p in parts if p.adds_always(homes[root])), None)
            if home is None or is_half(root.adjoint_cell):
                return None
            summed = code.Branch(core.Use(home), (replace(added, assigned=True, once=0),), (summed,))
        out.append(code.Branch(core.Use(total.found), (summed,), ()))
    if not _may_join(rest):
        return tuple(out), rest
    if has_effect(rest):
        own, there = places.at((0, 0, 0), renamed(without_dead_code(list(map(_reading, rest))), {}))
        out += own if there is None else (code.Branch(there, own, ()),)
    return tuple(out), ()


def _may_join(rest: code.Block) -> bool:
    """Whether the rest of a gradient may be done while adjoints are gathered: no thread has to come there, and no
    cotangent is zeroed that another thread may be reading."""
    for s in all_statements(rest):
        match s:
            case code.Take(zero=zeroed):
                if zeroed:
                    return False
            case code.AddElement(update=update):
                if update not in (Update.PLAIN, Update.ATOMIC):
                    return False
            case code.Define() | code.Assign() | code.Add() | code.Branch() | code.Comment():
                pass  # a body that may be repeated calls nothing
            case _:
                return False
    return True


def without(body: Sequence[code.Statement], roots: frozenset[core.Root]) -> list[code.Statement]:
    """The body of a gradient without what it adds to the adjoints of some buffers."""
    return list(_filtered(tuple(body), lambda s: not (isinstance(s, code.AddElement) and s.root in roots)))


def has_effect(block: code.Block) -> bool:
    """Whether a body does anything to memory."""
    return any(s.effects.writes is not Memory.NONE and not _stays(s) for s in all_statements(block))


def _stays(s: code.Statement) -> bool:
    """Whether a cotangent is looked at and left where it is."""
    return isinstance(s, code.Take) and not s.zero and s.update is Update.PLAIN


@dataclass(frozen=True, slots=True)
class _Sum:
    """What is gathered for a cell: the sum, whether there is any, and where it goes. That only a thread that loads from
    there can say: what an index is made of may be something else in a thread that does not exist."""

    sum: core.Value
    found: core.Value
    at: core.Value

    @staticmethod
    def of(root: core.Root, index: Type) -> _Sum:
        return _Sum(
            core.Value(f"_d_{root.name}_sum", adjoint_value(root.element)),
            core.Value("_found", BOOL),
            core.Value("_element", index),
        )

    def define(self) -> Iterator[code.Statement]:
        yield code.Define(self.sum, zero(self.sum.type), mutable=True)
        yield code.Define(self.found, core.Const(False, BOOL), mutable=True)
        yield code.Define(self.at, core.Const(0, self.at.type), mutable=True)


def _contribution(body: Sequence[code.Statement], loads: set[core.Load]) -> code.Block | None:
    """What a thread contributes to what it loads in some places; None where that is more than arithmetic."""

    def kept(s: code.Statement) -> bool:
        return not (isinstance(s, code.AddElement) and s.adjoint and s.root.outlives) or s.load in loads

    read = tuple(map(_reading, _filtered(tuple(body), kept)))
    block = tidy(without_dead_code(list(read)))
    return block if all(_is_simple(s, loads) for s in all_statements(block)) else None


def _is_simple(s: code.Statement, loads: set[core.Load]) -> bool:
    match s:
        case code.AddElement(index=index):
            return s.load in loads and not any(isinstance(e, core.Nested) for e in subexpressions(index))
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


@dataclass(frozen=True, slots=True)
class _Part:
    """What a thread contributes: where `there` holds, what `loaded` and `body` do, after what comes `before`."""

    before: tuple[code.Statement, ...]
    there: core.Value
    loaded: tuple[code.Define, ...]
    body: code.Block

    def loads(self) -> Iterator[code.Statement]:
        for s in self.loaded:
            yield code.Define(s.variable, zero(s.variable.type), mutable=True)
        if self.loaded:
            values = {s: core.Value(s.variable.name, s.variable.type) for s in self.loaded}
            inner: list[code.Statement] = []
            for s, value in values.items():
                inner += (replace(s, variable=value), code.Assign(s.variable, core.Use(value)))
            yield code.Branch(core.Use(self.there), tuple(inner), ())

    def adds_always(self, loads: frozenset[core.Load]) -> bool:
        """Whether all threads that are there contribute to what one of some loads reads."""
        return _adds_always(self.body, loads)

    def summed(self, sums: Mapping[core.Root, _Sum]) -> Iterator[code.Statement]:
        yield code.Branch(core.Use(self.there), tuple(_summed(self.body, sums)), ())


def _adds_always(block: code.Block, loads: frozenset[core.Load]) -> bool:
    return any(
        (isinstance(s, code.AddElement) and s.load in loads)
        or (isinstance(s, code.Branch) and _adds_always(s.then, loads) and _adds_always(s.other, loads))
        for s in block
    )


def _part(block: code.Block, there: core.Expr | None) -> _Part:
    """A contribution, with what decides about it and what it loads taken out of it as far as that goes."""
    before: list[code.Statement] = []
    block = _filtered(block, lambda s: not isinstance(s, code.Comment))
    while True:
        rest = list(block)
        while rest and _may_come_before(rest[0]):
            before.append(rest.pop(0))
        if len(rest) != 1 or not isinstance(rest[0], code.Branch) or (rest[0].then and rest[0].other):
            break
        branch = rest[0]
        condition = branch.condition if branch.then else core.Unary(UnaryOp.NOT, branch.condition, BOOL)
        if may_fail(condition):
            break
        there = condition if there is None else core.Binary(BinaryOp.BIT_AND, there, condition, BOOL)
        block = branch.then or branch.other
    decided = core.Value("_there", BOOL)
    before.append(code.Define(decided, core.Const(True, BOOL) if there is None else there))
    before = [map_statement(s, _at_once) for s in before]
    inside = {s.variable for s in all_statements(tuple(rest)) if isinstance(s, code.Define)}
    loaded: list[code.Define] = []
    body: list[code.Statement] = []
    for s in rest:
        early = isinstance(s, code.Define) and isinstance(s.init, code.Element)
        if early and isinstance(s, code.Define) and inside.isdisjoint(values(_index(s))):
            loaded.append(s)
        else:
            body.append(s)
    return _Part(tuple(before), decided, tuple(loaded), tuple(body))


def _at_once(expr: core.Expr) -> core.Expr:
    """With all parts of a condition evaluated, which costs less than branches between them."""
    expr = map_children(expr, _at_once)
    if isinstance(expr, core.Binary) and expr.op in _BITWISE and expr.type == BOOL:
        calls = any(isinstance(e, core.Math | core.Formula | core.Builtin) for e in subexpressions(expr))
        return expr if calls else replace(expr, op=_BITWISE[expr.op])
    return expr


_BITWISE = {BinaryOp.AND: BinaryOp.BIT_AND, BinaryOp.OR: BinaryOp.BIT_OR}


def _index(load: code.Define) -> core.Expr:
    assert isinstance(load.init, code.Element)
    return load.init.index


def _may_come_before(s: code.Statement) -> bool:
    """Whether a statement may be run where its branch is not taken."""
    if not isinstance(s, code.Define) or s.mutable:
        return False
    init = s.init
    return not isinstance(init, code.LOADED) and not may_fail(init)


def may_fail(expr: core.Expr) -> bool:
    """Whether an expression may have no value for a thread that does not come there."""
    integral = (e for e in subexpressions(expr) if isinstance(e, core.Binary) and is_integer(e.type))
    return any(e.op in (BinaryOp.DIV, BinaryOp.REM, BinaryOp.SHL, BinaryOp.SHR) for e in integral)


def _summed(block: code.Block, sums: Mapping[core.Root, _Sum]) -> Iterator[code.Statement]:
    for s in block:
        if isinstance(s, code.AddElement):
            total = sums[s.root]
            yield code.Add(total.sum, s.expr)
            yield code.Assign(total.found, core.Const(True, BOOL))
            yield code.Assign(total.at, cast(s.index, total.at.type))
        else:
            yield with_blocks(s, lambda inner: tuple(_summed(inner, sums)))


def work_of(block: code.Block) -> int:
    """About how many operations a block takes, with loads."""
    total = 0
    for e in (e for s in all_statements(block) for expr in expressions(s) for e in subexpressions(expr)):
        match e:
            case core.Math() | core.Formula():
                total += _WORK_OF_A_FUNCTION
            case core.Binary() | core.Unary() | core.Select() | core.Cast():
                total += 1
            case _:
                pass
    loads = (s for s in all_statements(block) if isinstance(s, code.Define) and isinstance(s.init, code.Element))
    return total + _WORK_OF_A_LOAD * len(list(loads))


class _Places:
    """The place of a thread along each axis, in place of what CUDA calls it by."""

    def __init__(self, stencil: Stencil) -> None:
        self.stencil = stencil
        self.used = [n for n, axis in enumerate(stencil.axes) if axis.thread is not None or axis.block is not None]
        self.ends = {n: core.Value(f"_end_{'xyz'[n]}", UINT) for n in self.used}
        self.places: dict[tuple[int, int], core.Value] = {}  # by axis and shift
        self.cells = {n: core.Value(f"_cell_{'xyz'[n]}", INT) for n in self.used}

    def define_cell(self) -> Iterator[code.Statement]:
        """Cells below zero come last: so that all others lie where the threads of the launch do."""
        for n, cell in self.cells.items():
            low, high = self.stencil.reach(n)
            if (low, high) != (0, 0):
                yield code.Define(self.ends[n], self._extent(n))
            at: core.Expr = cast(_product(_block(n), _size(n), _thread(n)), INT)
            if low < 0:
                end = _plus(cast(core.Use(self.ends[n]), INT), high)
                number = core.Value(f"_number_{'xyz'[n]}", INT)
                yield code.Define(number, at)
                below = _plus(cast(core.Use(self.ends[n]), INT), high - 1)
                below = core.Binary(BinaryOp.SUB, below, core.Use(number), INT)
                at = core.Select(core.Binary(BinaryOp.LT, core.Use(number), end, BOOL), core.Use(number), below, INT)
            yield code.Define(cell, at)

    def at(self, shift: Shift, block: code.Block) -> tuple[code.Block, core.Expr | None]:
        """A block as the thread runs it that lies by a shift before the cell; and whether there is that thread."""
        given: dict[int, core.Expr] = {}
        out: list[code.Statement] = []
        there: core.Expr | None = None
        for n in self.used:
            key = (n, shift[n])
            if key not in self.places:
                self.places[key] = core.Value(f"_at_{'xyz'[n]}", UINT)
                out.append(code.Define(self.places[key], cast(self._moved(n, shift[n]), UINT)))
            given[n] = core.Use(self.places[key])
            if self.stencil.reach(n) != (0, 0):
                inside = core.Binary(BinaryOp.LT, given[n], core.Use(self.ends[n]), BOOL)
                there = inside if there is None else core.Binary(BinaryOp.BIT_AND, there, inside, BOOL)
        return (*out, *(map_statement(s, lambda e: self._placed(e, given)) for s in block)), there

    def _moved(self, n: int, by: int) -> core.Expr:
        """The number that lies so far before the cell's."""
        return _plus(core.Use(self.cells[n]), -by)

    def _placed(self, expr: core.Expr, given: Mapping[int, core.Expr]) -> core.Expr:
        for n, place in given.items():
            if expr in place_sums(_THREADS[n], _BLOCKS[n]):
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


def _plus(expr: core.Expr, by: int) -> core.Expr:
    if by == 0:
        return expr
    return core.Binary(BinaryOp.ADD if by > 0 else BinaryOp.SUB, expr, core.Const(abs(by), INT), INT)


def _product(a: core.Expr, b: core.Expr, plus: core.Expr) -> core.Expr:
    return core.Binary(BinaryOp.ADD, core.Binary(BinaryOp.MUL, a, b, UINT), plus, UINT)
