"""Loops whose iterations load before they store, several iterations at a time.

What a reverse loop reads of a row, and what it adds to the row's adjoint, are at different addresses; compilers do not
know that, and begin the loads of an iteration when the stores of the one before are done. Then a thread waits for
memory once in each iteration. Where the loop writes none of the memory that it reads, or each iteration its own element
of it, the loads of several iterations come first.

    for k: v = x[i]; d_x[i] += f(v)        for every four k: v[4] = x[i], b[4] = d_x[i] of each
                                                             d_x[i] = b + f(v) of each
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, inner_blocks, map_statement, mentions, touched_roots, with_blocks
from cladpy.ir.flow import written, written_in
from cladpy.ir.halves import adjoint_value
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import INT, LONG, UINT, ULONG, is_half
from cladpy.ir.walk import subexpressions, substitute, values

# How many iterations are taken together, by how many loads there are in one.
BATCHES = ((4, 4), (8, 2))
# Statements of an iteration, at most: where there is more to do, other warps meanwhile load.
MOST = 24
# How far apart the elements of neighbouring iterations may lie, so that those of a batch differ in 32 bits too.
_LARGEST_STEP = 1 << 28
_WIDE = (INT, UINT, LONG, ULONG)
_NOT_COMPUTED = code.LOADED

Memory = tuple[core.Root, bool]


def with_pipelined_loops(block: code.Block, optional: frozenset[core.Root]) -> code.Block:
    """The body of a kernel whose arguments do not overlap; adjoints of `optional` memory may not be there."""
    out: list[code.Statement] = []
    for s in block:
        s = with_blocks(s, lambda inner: with_pipelined_loops(inner, optional))
        match s:
            case code.CountDown(mask=None) if not isinstance(s.count, core.Const) and _stores(s.body):
                divided = _divided(s.body, s.variable, optional)
                if divided is not None:
                    first, rest, batch = divided
                    s = replace(s, body=(*first, *rest), fetched=len(first), batch=batch, in_step=False)
            case code.While(before=()):
                s = _walking(s, optional)
            case _:
                pass
        out.append(s)
    return tuple(out)


def _walking(loop: code.While, optional: frozenset[core.Root]) -> code.While:
    """A loop of the forward sweep, whose condition depends on one variable that changes in the loop. Where it is added
    a constant to, compilers know how often the loop runs, and may replace its arrays by registers."""
    if any(not root.outlives for s in all_statements(loop.body) for root, _ in touched_roots(s)):
        return loop  # where compilers unroll it, arrays of the thread's own are registers
    changed = written_in(loop.body)
    asked = changed.intersection(values(loop.condition))
    stepping = [s for s in all_statements(loop.body) if not asked.isdisjoint(written(s))]
    if len(asked) != 1 or len(stepping) != 1 or stepping[0] not in loop.body:
        return loop
    (step,), (counter,) = stepping, asked
    if not isinstance(step, code.Assign) or _is_constant(step):
        return loop
    now, then = core.Value(counter.name, counter.type), core.Value(counter.name, counter.type)
    names: dict[core.Value, core.Expr] = {counter: core.Use(now)}
    body: list[code.Statement] = []
    for s in loop.body:
        if s is step:
            body.append(code.Define(then, substitute(step.expr, names)))
            names = {counter: core.Use(then)}
        else:
            body.append(map_statement(s, lambda e, names=names: substitute(e, names)))  # type: ignore[misc]
    divided = _divided(tuple(body), now, optional, then)
    if divided is None:
        return loop
    first, rest, batch = divided
    first = (code.Define(now, core.Use(counter)), *first, code.Assign(counter, core.Use(then)))
    return replace(loop, body=(*first, *rest), fetched=len(first), batch=batch)


def _is_constant(step: code.Assign) -> bool:
    return not any(
        isinstance(e, core.Builtin) or (isinstance(e, core.Use) and e.value is not step.variable)
        for e in subexpressions(step.expr)
    )


def _stores(body: code.Block) -> bool:
    """Whether threads store what others may see: compilers know by themselves that local arrays are apart."""
    kinds = code.AddElement | code.WriteElement | code.Take
    return any(isinstance(s, kinds) and s.root.kind is not core.RootKind.LOCAL for s in all_statements(body))


def _divided(
    body: code.Block, counter: core.Value, optional: frozenset[core.Root], then: core.Value | None = None
) -> tuple[code.Block, code.Block, int] | None:
    """What is fetched, among it the value `then`, the rest of the body, and how many iterations make a batch."""
    inside = list(all_statements(body))
    leaves = any(isinstance(s, code.WriteElement) and s.saved for s in inside)
    if leaves or len(inside) > MOST or not all(map(_is_simple, inside)):
        return None
    fetching = _Fetching(body, counter, optional)
    for s in body:
        fetching.add(s)
    loads = sum(fetching.moves(s) for s in fetching.first)
    batch = next((size for most, size in BATCHES if loads <= most), 1)
    if not loads or batch == 1 or (then is not None and then not in fetching.known):
        return None
    first = _only_for_loads(fetching.first, then)
    return first, tuple(s for s in (*fetching.rest, *fetching.last) if s not in first), batch


def _is_simple(s: code.Statement) -> bool:
    """Whether other threads, and other functions, have nothing to do with a statement, and its memory can be seen."""
    return s.effects.moves_freely and (isinstance(s, code.Branch) or not inner_blocks(s))


@dataclass(slots=True)
class _Fetching:
    """The statements of an iteration in three parts: what is loaded, and what its indices may be made of; what follows;
    zeros for what was taken. Adjoints of `optional` memory may not be there."""

    body: code.Block
    counter: core.Value
    optional: frozenset[core.Root]
    first: list[code.Statement] = field(default_factory=list)
    rest: list[code.Statement] = field(default_factory=list)
    last: list[code.Statement] = field(default_factory=list)
    known: set[core.Value] = field(default_factory=set)  # what `first` defines
    steps: dict[core.Value, int | None] = field(default_factory=dict)  # of what is computed
    changed: set[core.Value] = field(default_factory=set)  # what the loop changes
    touched: Counter[Memory] = field(default_factory=Counter)
    written: set[Memory] = field(default_factory=set)

    def __post_init__(self) -> None:
        for s in all_statements(self.body):
            self.changed |= set(written(s))
            for root, adjoint in touched_roots(s):
                self.touched[root.memory, adjoint] += 1
                if not isinstance(s, code.Define):
                    self.written.add((root.memory, adjoint))

    def add(self, s: code.Statement) -> None:
        match s:
            case code.Define(variable, code.Element(root, index, adjoint), False):
                if self._is_known(index) and root.outlives and (root.memory, adjoint) not in self.written:
                    self._fetch(s, variable)
                    return
            case code.Define(variable, init, False) if not isinstance(init, _NOT_COMPUTED):
                self.steps[variable] = self._step(init)
                if self._is_known(init):
                    self._fetch(s, variable)
            case code.Take() if self._is_own(s):
                content = code.Element(s.root, s.index, adjoint=True)
                self._fetch(code.Define(s.variable, content, span=s.origin), s.variable)
                if s.zero:
                    self.last.append(replace(s, variable=core.Value("_", s.variable.type), late=False))
                return
            case code.AddElement() if s.adjoint and not s.assigned and not s.optional and self._is_own(s):
                before = core.Value(f"_d_{s.root.name}_before", adjoint_value(s.root.element))
                self._fetch(code.Define(before, code.Element(s.root, s.index, adjoint=True)), before)
                total = core.Binary(BinaryOp.ADD, core.Use(before), s.expr, before.type)
                self.rest.append(replace(s, expr=total, assigned=True))
                return
            case _:
                pass
        self.rest.append(s)

    def moves(self, s: code.Statement) -> bool:
        """Whether a statement loads another element in each iteration; of one compilers see that it stays the same."""
        return isinstance(s, code.Define) and isinstance(s.init, code.Element) and self._step(s.init.index) != 0

    def _fetch(self, s: code.Statement, variable: core.Value) -> None:
        self.first.append(s)
        self.known.add(variable)

    def _is_known(self, expr: core.Expr) -> bool:
        """Whether an expression is made of the loop's counter, what was loaded and what does not change."""
        return all(v is self.counter or v in self.known or v not in self.changed for v in values(expr))

    def _is_own(self, s: code.Take | code.AddElement) -> bool:
        """Whether each iteration has an element of its own of memory that nothing else in the loop has to do with."""
        alone = self.touched[s.root.memory, True] == 1 and s.root.outlives and s.root not in self.optional
        plain = s.update is Update.PLAIN and not is_half(s.root.element) and not is_half(s.root.adjoint_cell)
        return alone and plain and self._is_known(s.index) and bool(self._step(s.index))

    def _step(self, expr: core.Expr) -> int | None:
        """How far an integer moves from one iteration to the next, at most: 0 if it stays, and more if it is another
        one in each iteration of a batch. None where neither is known."""
        match expr:
            case core.Use(value):
                if value is self.counter:
                    return 1
                return self.steps.get(value) if value in self.changed else 0
            case core.Const() | core.Builtin():
                return 0
            case core.Cast(operand, type) if type in _WIDE:
                return self._step(operand)
            case core.Binary(BinaryOp.ADD | BinaryOp.SUB, left, right):
                a, b = self._step(left), self._step(right)
                return None if a is None or b is None or (a and b) else a + b
            case core.Binary(BinaryOp.MUL, left, right):
                a, b = self._step(left), self._step(right)
                if a is None or b is None:
                    return None
                if a == b == 0:
                    return 0
                factor = _factor(right if a else left)
                step = (a + b) * factor
                return None if not factor or step > _LARGEST_STEP else step
            case _:
                return 0 if all(v not in self.changed for v in values(expr)) else None


def _factor(expr: core.Expr) -> int:
    """What a number that is not zero has as its largest magnitude; 0 where that is not known."""
    match expr:
        case core.Cast(operand, type) if type in _WIDE:
            return _factor(operand)
        case core.Const(int(value)):
            return abs(value)
        case core.Builtin(BuiltinVar.BLOCK_DIM_X | BuiltinVar.BLOCK_DIM_Y | BuiltinVar.BLOCK_DIM_Z):
            return 1024
        case _:
            return 0


def _is_load(s: code.Statement) -> bool:
    return isinstance(s, code.Define) and isinstance(s.init, code.Element)


def _only_for_loads(first: list[code.Statement], then: core.Value | None) -> code.Block:
    """The loads, what their indices are made of, and a value."""
    kept: list[code.Statement] = []
    needed: set[core.Value] = set() if then is None else {then}
    for s in reversed(first):
        assert isinstance(s, code.Define)
        if _is_load(s) or s.variable in needed:
            kept.append(s)
            needed |= mentions(s)
    return tuple(reversed(kept))
