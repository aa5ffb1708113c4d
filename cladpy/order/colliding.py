"""Elements that iterations of a shared loop surely have in common.

    #pragma omp parallel for
    for (int i = 1; i < n; i++)                      iteration i reads what iteration j writes
      for (int j = 0; j < n; j++) b[i][j] += a[i] * b[j][0];

Found by the first and the last turns of the loops: where two of these meet at an element, they do so in each run that
has as many. What is done under conditions, or is indexed by more than counters and numbers, is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import Scalar
from cladpy.order.places import Effects, Element, Place
from cladpy.order.uses import within

_ENDS = 3  # turns at either end of a loop
_SOME = 9  # for what a bound is made of, if that is one variable: any number of turns
_DEEPEST = 4
_OF = {s.BinaryOp.ADD: int.__add__, s.BinaryOp.SUB: int.__sub__, s.BinaryOp.MUL: int.__mul__}
_At = Mapping[Symbol, int]  # where loops are


def collisions(loop: s.For, effects: Callable[[s.Expr], Effects], wanted: Callable[[Place], bool]) -> Iterator[Span]:
    """Where iterations write what other iterations read, of the places that are wanted."""
    if any(isinstance(here, s.Break | s.Continue | s.Return) for here in within(loop.body)):
        return
    found = _Found(effects, wanted)
    found.loop(loop, {}, None)
    for where, writers in found.writes.items():
        yield from (span for turn, span in writers.items() if found.reads[where] - {turn})


@dataclass(slots=True)
class _Found:
    effects: Callable[[s.Expr], Effects]
    wanted: Callable[[Place], bool]
    # by element, the turns of the shared loop that come there
    writes: dict[object, dict[int, Span]] = field(default_factory=lambda: defaultdict(dict))
    reads: dict[object, set[int]] = field(default_factory=lambda: defaultdict(set))
    free: set[Symbol] = field(default_factory=set)

    def loop(self, loop: s.For, at: _At, turn: int | None) -> None:
        counter, turns = self._turns(loop, at)
        if counter is None or len(at) == _DEEPEST:
            return
        for k in turns:
            self._statements(loop.body, {**at, counter: k}, k if turn is None else turn)

    def _statements(self, block: s.Block, at: _At, turn: int) -> None:
        for statement in block.statements:
            match statement:
                case s.Block():
                    self._statements(statement, at, turn)
                case s.For():
                    self.loop(statement, at, turn)
                case s.Evaluate(expr=expr) | s.Declare(init=expr) if expr is not None and _is_done(expr):
                    done = self.effects(expr)
                    for where in self._elements(done.writes, at):
                        self.writes[where].setdefault(turn, expr.span)
                    for where in self._elements(done.reads, at):
                        self.reads[where].add(turn)
                case _:
                    pass

    def _elements(self, places: frozenset[Place], at: _At) -> Iterator[object]:
        for place in filter(self.wanted, places):
            steps = [_step(step, place, at) if isinstance(step, Element) else step for step in place.path]
            if None not in steps and any(isinstance(step, int) for step in steps):
                yield place.symbol, place.behind, *steps

    def _turns(self, loop: s.For, at: _At) -> tuple[Symbol | None, list[int]]:
        """The variable that a loop counts up with, and its first and last values."""
        counter, first = _begin(loop)
        match loop.condition, loop.step:
            case (
                s.Binary(op=s.BinaryOp.LT | s.BinaryOp.LE as op, left=left, right=right),
                s.IncDec(target=s.VarRef(symbol=stepped), delta=1),
            ) if counter is stepped is _bare(left) and first is not None:
                begin, end = self._number(first, at), self._number(right, at)
                if begin is not None and end is not None and len(self.free) <= 1:
                    every = range(begin, end + (op is s.BinaryOp.LE))
                    return counter, sorted({*every[:_ENDS], *every[-_ENDS:]})
        return None, []

    def _number(self, expr: s.Expr, at: _At) -> int | None:
        match expr:
            case s.Literal(value=int() as value):
                return value
            case s.Cast(operand=operand):
                return self._number(operand, at)
            case s.VarRef(symbol=symbol) if isinstance(symbol.type, Scalar):
                if symbol not in at:
                    self.free.add(symbol)
                return at.get(symbol, _SOME)
            case s.Binary(op=op, left=left, right=right) if op in _OF:
                one, other = self._number(left, at), self._number(right, at)
                return None if one is None or other is None else _OF[op](one, other)
            case _:
                return None


def _begin(loop: s.For) -> tuple[Symbol | None, s.Expr | None]:
    """What a loop counts with, and from where on."""
    match loop.init:
        case (s.Declare(symbol=counter, init=first),):
            return counter, first
        case (s.Evaluate(expr=s.Assign(target=s.VarRef(symbol=counter), value=first)),):
            return counter, first
        case _:
            return None, None


def _bare(expr: s.Expr) -> Symbol | None:
    while isinstance(expr, s.Cast):
        expr = expr.operand
    return expr.symbol if isinstance(expr, s.VarRef) else None


def _step(step: Element, place: Place, at: _At) -> int | None:
    if step.base not in (None, place.symbol) or step.offset is None:
        return None
    if step.index is None:
        return step.offset
    return at[step.index] + step.offset if isinstance(step.index, Symbol) and step.index in at else None


def _is_done(expr: s.Expr) -> bool:
    """Whether all that it may read or write is read or written."""
    return not any(map(_is_conditional, surface_walk.walk(expr)))


def _is_conditional(expr: s.Expr) -> bool:
    match expr:
        case s.Conditional() | s.Binary(op=s.BinaryOp.AND | s.BinaryOp.OR):
            return True
        case s.Call(arguments=arguments):
            return not all(isinstance(e.type, Scalar) for e in arguments)
        case _:
            return False
