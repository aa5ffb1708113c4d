"""A loop that all threads of a launch run alike, transposed: what all of them add to its elements is summed for each
iteration by a warp.

In `for (j < n) sum += A[j * n + i] * x[j]` every thread i adds to the adjoint of `x[j]`, for all j, and each warp does
so once, atomically. But what thread i adds is made of what it loads, and of cotangents that nobody changes. So a kernel
of its own, before the rest of the gradient, goes over the same pairs by their iterations:

    for each iteration j, by a warp:                   (or by a thread, where the next iteration's element is the next
        for the threads i of the launch: sum += ...     one in memory)
        d_x[j] += sum

What the pairs add to elements of their own, as to the adjoint of `A[j * n + i]`, is added there too. What a thread sums
for itself over all iterations stays in the rest of the gradient, where a warp may run one thread's iterations if the
launch has few threads.

It takes that iterations do not depend on each other, that their number is the same for all threads, and that what
comes before the loop is cheap: it is run again for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from cladpy.analysis import races
from cladpy.analysis.affine import VARYING, affine
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, map_block, variables_read, with_blocks
from cladpy.ir.flow import constants
from cladpy.ir.fold import binary, cast, zero
from cladpy.ir.halves import adjoint_value
from cladpy.ir.names import written_out
from cladpy.ir.renaming import renamed
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import BOOL, LONG, UINT, is_half, is_integer
from cladpy.ir.walk import subexpressions, substitute, values
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.guards import with_guards_apart
from cladpy.passes.tidy import tidy
from cladpy.variants.gather import has_effect, may_fail, work_of
from cladpy.variants.places import Line, own_number
from cladpy.variants.variant import Original, Step, Text, Variant

LANES = 32
# Operations for a pair, of which so many times those of the loop's body, and so many more, may be before the loop.
_MOST_BEFORE, _MORE_BEFORE = 3, 40

_COUNTED = core.Const | core.Use | core.Builtin | core.Unary | core.Binary | core.Cast | core.Select

Known = Mapping[core.Value, core.Expr]


@dataclass(frozen=True, slots=True)
class Columns(Variant):
    """Two kernels that do together what the gradient does. `columns` has `lanes` threads for each of `count`
    iterations, `rest`, where anything is left, one for each thread of the launch, or a warp where that may be
    `shared`."""

    header = "cladpy/columns.h"
    reason = "the launch function sums it for each iteration instead"

    columns: code.Function
    rest: code.Function | None
    count: core.Expr  # in terms of the parameters of the two
    lanes: int
    shared: bool
    roots: tuple[core.Root, ...]

    @classmethod
    def of(cls, original: Original) -> Columns | None:
        function, accesses, accumulation = original.function, original.accesses, original.accumulation
        if accumulation.bounded is not None or original.main.tape_slots != 0 or original.optional:
            return None
        return by_columns(
            original.main,
            lambda load: races.loaded_once(function, load, accesses, original.unread, accumulation.single),
            lambda root: races.asked_once(function, root, accesses, original.unread),
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        of_loop = "for each iteration of the loop, what all threads add is summed"
        says = f"What the launch function runs in place of this kernel: {of_loop}."
        block, most = "_by.size", "cladpy::columns_launch::size"
        segments, lanes = "const unsigned _segments = _by.segments;", "const unsigned _lanes = _by.lanes;"
        steps = [Step(self.columns, says, "_by.columns", block, segments, most)]
        if self.rest is not None:
            steps.append(Step(self.rest, "What is left then.", "_by.rest", block, lanes, most))
        return tuple(steps)

    def test(self, text: Text) -> tuple[tuple[str, ...], str]:
        given = f"{text(self.count)}, {self.lanes}, {'true' if self.shared else 'false'}"
        sizes = "[[maybe_unused]] const unsigned _grid_size = _grid.x, _block_size = _block.x;"
        return (sizes, f"const cladpy::columns_launch _by(_grid, _block, {given});"), "_by.pays"

    def explained(self) -> tuple[tuple[str, ...], str]:
        roots = ", ".join(f"_d_{root.name}" for root in self.roots)
        each = "a thread" if self.lanes == 1 else "a warp"
        steps = [f"{self.columns.name} is launched with {each} for each iteration of the loop, which sums {roots}"]
        if self.rest is not None:
            shared = ", or a warp for each where there are few" if self.shared else ""
            steps.append(f"{self.rest.name} does what is left, with the threads of the original{shared}")
        return tuple(steps), "the launch has more than one dimension, or few threads or iterations"


def by_columns(
    main: code.Function, alone: Callable[[core.Load], bool], asked_once: Callable[[core.Root], bool]
) -> Columns | None:
    """The gradient with its loop transposed, where that is possible and pays. `alone` says of a load that its element
    is not loaded by another thread, or in another iteration; `asked_once` of a buffer that each of its cotangents is
    asked for once."""
    found = _find(main, alone, asked_once)
    columns = None if found is None else found.columns()
    if found is None or columns is None:
        return None
    rest = found.rest()
    line = found.line
    given = (*main.parameters, _parameter(line.blocks), _parameter(line.threads))
    return Columns(
        replace(
            main,
            name=f"{main.name}_columns",
            body=columns,
            parameters=(*given, _parameter(found.segments)),
        ),
        None
        if rest is None
        else replace(main, name=f"{main.name}_rest", body=rest, parameters=(*given, _parameter(found.sharing))),
        line.placed(found.count),
        found.lanes,
        found.shared,
        tuple(dict.fromkeys(s.root for s in found.pulled)),
    )


def _parameter(value: core.Value) -> code.Parameter:
    return code.Parameter(value.name, value.type, (core.Part(value),), of_launch=True)


# ---- what may be transposed ------------------------------------------------------------------------------------------


def _find(
    main: code.Function, alone: Callable[[core.Load], bool], asked_once: Callable[[core.Root], bool]
) -> _Transposed | None:
    every = list(all_statements(main.body))
    loops = [s for s in every if isinstance(s, code.CountDown)]
    if len(loops) != 1 or loops[0].mask is not None or not all(map(_is_simple, every)) or _meets(every, asked_once):
        return None
    loop = loops[0]
    inside = list(all_statements(loop.body))
    if any(isinstance(s, code.Take | code.AddParameter) for s in inside):
        return None
    known = constants(every)
    same = _Same(known, {c for p in main.primal.parameters for c in p.contents if isinstance(c, core.Value)})
    count = same.for_all(loop.count, None)
    summed = _summed(loop, inside)
    if count is None or may_fail(count) or not all(isinstance(e, _COUNTED) for e in subexpressions(count)):
        return None
    if summed is None:
        return None
    turn = core.Value("_turn", LONG)
    pulled: dict[code.AddElement, core.Expr] = {}
    for s in inside:
        if not isinstance(s, code.AddElement):
            continue
        index = same.for_all(s.index, loop.variable)
        together = s.update in (Update.REDUCED, Update.ATOMIC) and not is_half(s.root.adjoint_cell)
        if together and index is not None and loop.variable in values(index) and not may_fail(index):
            pulled[s] = substitute(index, {loop.variable: cast(core.Use(turn), loop.variable.type)})
        elif s.update is not Update.ATOMIC and not (s.update is Update.PLAIN and s.load is not None and alone(s.load)):
            return None
    if not pulled:
        return None
    accesses = [s for s in inside if isinstance(s, code.AddElement) or _is_load(s)]
    lanes = 1 if _neighbours(accesses, known, loop.variable) is _Neighbours.TURNS else LANES
    shared = _neighbours(list(filter(_is_load, accesses)), known, loop.variable) is not _Neighbours.THREADS
    return _Transposed(main.body, loop, count, turn, pulled, summed, lanes, shared)


def _is_simple(s: code.Statement) -> bool:
    """Whether a statement does no more than to compute, to load what does not change, and to add to adjoints."""
    match s:
        case code.Define(_, code.Element(root, _, adjoint)):
            return not adjoint and root.outlives
        case code.Define(_, init):
            return not isinstance(init, code.LOADED)
        case code.AddElement(root, adjoint=adjoint, update=update):
            return adjoint and root.outlives and update is not Update.EXACT
        case code.AddParameter(update=update, assigned=assigned):
            return update is not Update.EXACT and not assigned
        case code.Take(update=update, root=root):
            return update is Update.PLAIN and root.outlives
        case _:
            return isinstance(s, code.Assign | code.Add | code.Branch | code.CountDown | code.Comment)


def _meets(every: list[code.Statement], asked_once: Callable[[core.Root], bool]) -> bool:
    """Whether a cotangent may be something else after it was read: it is added to, or a thread takes it twice."""
    taken = [s for s in every if isinstance(s, code.Take)]
    added = {s.root.memory for s in every if isinstance(s, code.AddElement)}
    for number, s in enumerate(taken):
        if s.root.memory in added:
            return True
        for other in taken[:number]:
            same = other.root is s.root
            apart = asked_once(s.root) if same else other.index == s.index
            if other.root.memory is s.root.memory and not apart:
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Same:
    """What is the same for all threads of the launch."""

    known: Known
    parameters: set[core.Value]

    def for_all(self, expr: core.Expr, variable: core.Value | None) -> core.Expr | None:
        """An expression in terms of parameters, extents of the launch, and `variable`; None where it needs more."""
        whole = written_out(expr, self.known.get)
        return whole if whole is not None and all(self._is_same(e, variable) for e in subexpressions(whole)) else None

    def _is_same(self, expr: core.Expr, variable: core.Value | None) -> bool:
        match expr:
            case core.Use(value):
                return value is variable or value in self.parameters
            case core.Builtin(var):
                return var not in VARYING
            case _:
                return not isinstance(expr, core.OfPointer)


def _summed(loop: code.CountDown, inside: list[code.Statement]) -> list[core.Value] | None:
    """The variables in which a loop makes sums; None where an iteration knows more of those before it."""
    own = {s.variable for s in inside if isinstance(s, code.Define)}
    if any(isinstance(s, code.Assign) and s.variable not in own for s in inside):
        return None
    found = dict.fromkeys(s.variable for s in inside if isinstance(s, code.Add) and s.variable not in own)
    read = {v for s in all_statements(loop.body) for v in variables_read(s)}
    return None if not read.isdisjoint(found) or any(is_integer(v.type) for v in found) else list(found)


def _is_load(s: code.Statement) -> bool:
    return isinstance(s, code.Define) and isinstance(s.init, code.Element)


class _Neighbours(Enum):
    THREADS = "threads"
    TURNS = "turns"


def _neighbours(accesses: list[code.Statement], known: Known, turn: core.Value) -> _Neighbours | None:
    """Whose neighbours come to neighbouring elements, of those that depend on thread and iteration."""
    by_turns = False
    for s in accesses:
        init = s.init if isinstance(s, code.Define) else s
        assert isinstance(init, code.Element | code.AddElement)
        terms = dict(affine(init.index, known).terms)
        atoms = {e for monomial in terms for atom in monomial for e in subexpressions(atom)}
        if core.Use(turn) not in atoms or not any(isinstance(e, core.Builtin) and e.var in VARYING for e in atoms):
            continue
        if abs(terms.get((core.Builtin(BuiltinVar.THREAD_X, UINT),), 0)) == 1:
            return _Neighbours.THREADS
        by_turns = by_turns or abs(terms.get((core.Use(turn),), 0)) == 1
    return _Neighbours.TURNS if by_turns else None


# ---- what is made of it ----------------------------------------------------------------------------------------------


class _Transposed:
    def __init__(
        self,
        block: code.Block,
        loop: code.CountDown,
        count: core.Expr,
        turn: core.Value,
        pulled: dict[code.AddElement, core.Expr],
        summed: list[core.Value],
        lanes: int,
        shared: bool,
    ) -> None:
        self.block = block
        self.loop = loop
        self.count = count
        self.turn = turn  # the number of an iteration
        self.pulled = pulled  # what all threads add to, with the index in terms of that
        self.summed = summed  # what a thread sums over the iterations
        self.lanes = lanes
        self.shared = shared
        self.line = Line.make()
        self.segments = core.Value("_segments", UINT)  # into which the threads are divided
        self.sharing = core.Value("_lanes", UINT)  # of a thread in the rest

    def columns(self) -> code.Block | None:
        sums = {s: core.Value(f"_d_{s.root.name}_sum", adjoint_value(s.root.element)) for s in self.pulled}
        pair = without_dead_code(list(self._pair(self.block, sums)), tuple(core.Use(v) for v in sums.values()))
        if work_of(pair) > (_MOST_BEFORE + 1) * work_of(self.loop.body) + _MORE_BEFORE:
            return None
        number, place = core.Value("_number", UINT), self.line.place
        lanes, segment = core.Const(self.lanes, UINT), core.Builtin(BuiltinVar.BLOCK_Y, UINT)
        first = binary(BinaryOp.REM, core.Use(number), lanes, UINT)
        first = binary(BinaryOp.ADD, first, binary(BinaryOp.MUL, segment, lanes, UINT), UINT)
        step = binary(BinaryOp.MUL, core.Use(self.segments), lanes, UINT)
        over_threads: code.Block = (*map_block(pair, self.line.placed), code.Add(place, step))
        update = Update.ATOMIC if self.lanes == 1 else Update.REDUCED
        added = (
            replace(s, index=self.line.placed(index), expr=core.Use(sums[s]), update=update, optional=True, once=None)
            for s, index in self.pulled.items()
        )
        iteration: code.Block = (
            *(code.Define(v, zero(v.type), mutable=True) for v in sums.values()),
            code.Define(place, first, mutable=True),
            code.While((), binary(BinaryOp.LT, core.Use(place), self.line.length, BOOL), over_threads),
            *added,
        )
        is_one = binary(BinaryOp.LT, core.Use(self.turn), cast(self.line.placed(self.count), LONG), BOOL)
        body: list[code.Statement] = [
            code.Define(number, own_number()),
            code.Define(self.turn, cast(binary(BinaryOp.DIV, core.Use(number), lanes, UINT), LONG)),
            code.Branch(is_one, iteration, ()),
        ]
        return with_guards_apart(tidy(without_dead_code(body)))

    def _pair(self, block: code.Block, sums: Mapping[code.AddElement, core.Value]) -> Iterator[code.Statement]:
        """What a thread does in one iteration, with what it does before the loop."""
        for s in block:
            match s:
                case code.Comment() | code.AddElement() | code.AddParameter():
                    pass
                case code.CountDown():
                    turned = {self.loop.variable: cast(core.Use(self.turn), self.loop.variable.type)}
                    yield from map_block(self._iteration(s.body, sums), lambda e: substitute(e, turned))  # noqa: B023
                    return
                case code.Take():
                    yield _read(s)
                case _:
                    yield with_blocks(s, lambda inner: tuple(self._pair(inner, sums)))

    def _iteration(self, block: code.Block, sums: Mapping[code.AddElement, core.Value]) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            if isinstance(s, code.AddElement) and s in sums:
                out.append(code.Add(sums[s], s.expr))
            elif not (isinstance(s, code.Add) and s.variable in self.summed) and not isinstance(s, code.Comment):
                out.append(with_blocks(s, lambda inner: self._iteration(inner, sums)))
        return tuple(out)

    def rest(self) -> code.Block | None:
        """What is left, by the lanes of each thread: in the loop they take turns, for all else the first one is
        there."""
        number, lane = core.Value("_number", UINT), core.Value("_lane", UINT)
        lanes = core.Use(self.sharing)
        first = binary(BinaryOp.EQ, core.Use(lane), core.Const(0, UINT), BOOL)
        # zeroed in the end, when all lanes have read it
        zeroed = renamed(without_dead_code(list(_left_to_take(self.block))), {})
        block = (*self._left(self.block, lane, first), code.Branch(first, zeroed, ()))
        if not has_effect(block):
            return None
        is_one = binary(BinaryOp.LT, core.Use(self.line.place), self.line.length, BOOL)
        body: list[code.Statement] = [
            code.Define(number, own_number()),
            code.Define(self.line.place, binary(BinaryOp.DIV, core.Use(number), lanes, UINT)),
            code.Define(lane, binary(BinaryOp.REM, core.Use(number), lanes, UINT)),
            code.Branch(is_one, map_block(block, self.line.placed), ()),
        ]
        return with_guards_apart(tidy(without_dead_code(body)))

    def _left(self, block: code.Block, lane: core.Value, first: core.Expr) -> code.Block:
        out: list[code.Statement] = []
        for s in block:
            match s:
                case code.CountDown():
                    out += self._in_turns(s, lane) if self.summed else ()
                case code.Take():
                    out.append(_read(s))
                case code.AddElement() | code.AddParameter():
                    if s.update is Update.BLOCK:  # not all of the block come here
                        s = replace(s, update=Update.REDUCED)
                    out.append(code.Branch(first, (s,), ()))
                case _:
                    out.append(with_blocks(s, lambda inner: self._left(inner, lane, first)))
        return tuple(out)

    def _in_turns(self, loop: code.CountDown, lane: core.Value) -> Iterator[code.Statement]:
        parts = {v: core.Value(v.name, v.type) for v in self.summed}
        turn, end = core.Value("_turn", LONG), core.Value("_end", LONG)
        lanes = cast(core.Use(self.sharing), LONG)
        turned = {loop.variable: cast(core.Use(turn), loop.variable.type)}
        body = map_block(_sums_only(loop.body, parts), lambda e: substitute(e, turned))
        yield from (code.Define(part, zero(part.type), mutable=True) for part in parts.values())
        yield code.Define(end, cast(loop.count, LONG))
        yield code.Define(turn, cast(core.Use(lane), LONG), mutable=True)
        in_loop = binary(BinaryOp.LT, core.Use(turn), core.Use(end), BOOL)
        yield code.While((), in_loop, (*body, code.Add(turn, lanes)))
        together: list[code.Statement] = []
        for part in parts.values():
            total, all_lanes = core.Value("_sum", part.type), core.Const(0xFFFFFFFF, UINT)
            summed = code.Together("cladpy::warp_sum", (all_lanes, core.Use(part)), part.type)
            together += (code.Define(total, summed), code.Assign(part, core.Use(total)))
        yield code.Branch(binary(BinaryOp.GT, core.Use(self.sharing), core.Const(1, UINT), BOOL), tuple(together), ())
        yield from (code.Add(v, core.Use(part)) for v, part in parts.items())


def _sums_only(block: code.Block, parts: Mapping[core.Value, core.Value]) -> code.Block:
    """The body of a loop without what it adds to memory, and with other sums."""
    out: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.Add) and s.variable in parts:
            out.append(replace(s, variable=parts[s.variable]))
        elif not isinstance(s, code.AddElement):
            out.append(with_blocks(s, lambda inner: _sums_only(inner, parts)))
    return tuple(out)


def _read(s: code.Take) -> code.Statement:
    """A cotangent that stays where it is."""
    return code.Define(s.variable, code.Element(s.root, s.index, adjoint=True), span=s.origin)


def _left_to_take(block: code.Block) -> Iterator[code.Statement]:
    """The zeroing of cotangents, with all that it may be made of."""
    for s in block:
        match s:
            case code.Take():
                if s.zero:
                    yield replace(s, variable=core.Value("_", s.variable.type))
            case code.AddElement() | code.AddParameter() | code.CountDown() | code.Comment():
                pass
            case _:
                yield with_blocks(s, lambda inner: tuple(_left_to_take(inner)))
