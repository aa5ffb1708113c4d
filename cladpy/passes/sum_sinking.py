"""What several loops add to one element is added once, in the last of them.

Rows that are normalised are read by loops that run equally often, and so are their adjoints added to. Where an earlier
loop adds what can be computed in a later one as well, from memory that does not change in between, it is: reading twice
what both loops read is cheaper than an element that is loaded and stored by each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.code_walk import all_statements, map_statement, mentions, touched_roots, with_blocks
from cladpy.ir.flow import written, written_in
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp
from cladpy.ir.walk import subexpressions, substitute, values
from cladpy.passes.tidy import without_idle_loops, without_unused

# What may be computed twice for the sake of one loop: loads that it does not make anyway, and calls of functions.
LOADS, CALLS = 3, 2


def with_sunk_sums(block: code.Block) -> code.Block:
    """The body of a kernel whose arguments do not overlap."""
    loops = sum(isinstance(s, code.CountDown) for s in all_statements(block))
    return block if loops < 2 else without_idle_loops(without_unused(_Sinking(block).block(block)))


class _Sinking:
    def __init__(self, body: code.Block) -> None:
        every = list(all_statements(body))
        self.adjoints = Counter(r.memory for s in every for r, adjoint in touched_roots(s) if adjoint)
        self.added = [(s.root, s.load) for s in every if isinstance(s, code.AddElement)]
        self.added_only = {r.memory for s in every if isinstance(s, code.AddElement) for r, _ in touched_roots(s)} - {
            r.memory for s in every if not isinstance(s, code.AddElement) for r, adjoint in touched_roots(s) if adjoint
        }
        self.fixed = _fixed(every)
        reads = (code.Define, code.AddElement, code.Take)
        self.written = {
            r.memory for s in every if not isinstance(s, reads) for r, adjoint in touched_roots(s) if not adjoint
        }

    def block(self, block: code.Block) -> code.Block:
        out = [with_blocks(s, self.block) for s in block]
        loops = [position for position, s in enumerate(out) if isinstance(s, code.CountDown)]
        for n in range(len(loops) - 1, 0, -1):
            last = loops[n]
            for first in loops[:n]:
                a, b = out[first], out[last]
                assert isinstance(a, code.CountDown) and isinstance(b, code.CountDown)
                if self._run_equally(a, b):
                    changed = written_in(out[first : last + 1])
                    out[first], out[last] = self._sunk(a, b, changed)
        return tuple(out)

    def _sunk(
        self, a: code.CountDown, b: code.CountDown, changed: set[core.Value]
    ) -> tuple[code.CountDown, code.CountDown]:
        """The two loops with what the first adds in the second, as far as that may be."""
        for s in a.body:
            if not isinstance(s, code.AddElement) or not self._may_wait(s):
                continue
            index = substitute(self._resolved(s.index, a), {a.variable: core.Use(b.variable)})
            for position, t in enumerate(b.body):
                if not isinstance(t, code.AddElement) or t.root is not s.root or not self._may_wait(t):
                    continue
                if self._resolved(t.index, b) != index or not changed.isdisjoint(set(values(index)) - {b.variable}):
                    continue
                moved = self._moved(a, b, s, position, changed)
                if moved is not None:
                    return self._sunk(*moved, changed)
        return a, b

    def _run_equally(self, a: code.CountDown, b: code.CountDown) -> bool:
        effects = [s.effects for s in all_statements((a, b))]
        if any(e.waits.somebody or e.calls or e.shows for e in effects):
            return False
        return _expanded(a.count, self.fixed) == _expanded(b.count, self.fixed)

    def _resolved(self, expr: core.Expr, loop: code.CountDown) -> core.Expr:
        """An expression in terms of what the loop does not define."""
        own = {s.variable: s.init for s in loop.body if isinstance(s, code.Define) and _is_computed(s)}
        return _expanded(expr, {**self.fixed, **own})  # type: ignore[dict-item]

    def _may_wait(self, s: code.AddElement) -> bool:
        fits = s.adjoint and s.update is Update.PLAIN and not s.optional and not s.assigned
        return fits and s.root.outlives and s.root.memory in self.added_only

    def _moved(
        self, a: code.CountDown, b: code.CountDown, s: code.AddElement, position: int, changed: set[core.Value]
    ) -> tuple[code.CountDown, code.CountDown] | None:
        made = self._made_of(a, s, changed)
        copy = _Copy(b, position, {a.variable: core.Use(b.variable)})
        for m in made or ():
            copy.add(m)
        if made is None or copy.loads > LOADS or copy.calls > CALLS:
            return None
        target = b.body[position]
        assert isinstance(target, code.AddElement)
        total = core.Binary(BinaryOp.ADD, substitute(s.expr, copy.names), target.expr, target.expr.type)
        self.added.remove((s.root, s.load))
        before = self.added[: self.added.index((target.root, target.load))]
        once = None if any(root is s.root for root, _ in before) else target.together
        added = replace(target, expr=total, once=once)
        taken = {m for m in made if isinstance(m, code.Take)}
        left = tuple(_only_read(m) if m in taken else m for m in a.body if m is not s)
        body = (*b.body[:position], *copy.out, added, *b.body[position + 1 :])
        return replace(a, body=left), replace(b, body=body)

    def _made_of(
        self, loop: code.CountDown, s: code.AddElement, changed: set[core.Value]
    ) -> list[code.Statement] | None:
        """The statements of an iteration that what is added is made of; None where they cannot be run again later."""
        needed = set(values(s.expr))
        found: list[code.Statement] = []
        own = written_in(loop.body)
        for t in reversed(loop.body):
            if needed.isdisjoint(written_in((t,))):
                continue
            if not self._may_be_repeated(t):
                return None
            found.append(t)
            needed |= mentions(t)
        made = {v for t in found if isinstance(t, code.Define | code.Take) for v in written(t)}
        outside = needed - made - {loop.variable}
        steady = outside.isdisjoint(changed) and needed & own <= made
        return found[::-1] if steady else None

    def _may_be_repeated(self, s: code.Statement) -> bool:
        match s:
            case code.Define(_, code.Element(root, _, False)):
                return root.outlives and root.memory not in self.written
            case code.Define(_, code.Element(root, _, True)) | code.Take(root=root, update=Update.PLAIN):
                return root.outlives and self.adjoints[root.memory] == 1
            case code.Define(_, init):
                return not isinstance(init, code.UserCall | code.MemberOf | code.Together)
            case _:
                return isinstance(s, code.Assign | code.Add)


@dataclass(slots=True)
class _Copy:
    """Statements of one loop, in terms of another one that runs them before the statement at a position."""

    loop: code.CountDown
    position: int
    names: dict[core.Value, core.Expr]
    out: list[code.Statement] = field(default_factory=list)
    loads: int = 0
    calls: int = 0

    def add(self, statement: code.Statement) -> None:
        s = map_statement(statement, lambda e: substitute(e, self.names))
        match s:
            case code.Define(variable, init, mutable):
                same = None if mutable else self._known(init)
                if same is not None:
                    self.names[variable] = core.Use(same)
                    return
                self.loads += isinstance(init, code.Element)
                self.calls += sum(isinstance(e, core.Math) for e in _expressions(init))
                self.out.append(replace(s, variable=self._named(variable)))
            case code.Take(variable):
                self.loads += 1
                self.out.append(replace(s, variable=self._named(variable)))
            case code.Assign(variable) | code.Add(variable):
                known = self.names[variable]
                assert isinstance(known, core.Use)
                self.out.append(replace(s, variable=known.value))
            case _:
                raise AssertionError("nothing else is repeated")

    def _named(self, variable: core.Value) -> core.Value:
        named = core.Value(variable.name, variable.type)
        self.names[variable] = core.Use(named)
        return named

    def _known(self, init: code.Initializer) -> core.Value | None:
        """The variable that the other loop makes in the same way before. A cotangent that it takes has come here with
        another sum: it is this one, and is zero from there on."""
        cotangent = init.root.memory if isinstance(init, code.Element) and init.adjoint else None
        for s in (*self.loop.body[: self.position], *self.out):
            if isinstance(s, code.Define) and not s.mutable and s.init == init:
                return s.variable
            if isinstance(s, code.Take) and s.root.memory is cotangent:
                return s.variable
        return None


def _expressions(init: code.Initializer) -> Iterator[core.Expr]:
    if not isinstance(init, code.LOADED):
        yield from subexpressions(init)


def _only_read(s: code.Statement) -> code.Statement:
    """What is taken later is only read before."""
    assert isinstance(s, code.Take)
    return code.Define(s.variable, code.Element(s.root, s.index, adjoint=True), span=s.origin)


def _is_computed(s: code.Define) -> bool:
    return not s.mutable and not isinstance(s.init, code.LOADED)


def _fixed(every: list[code.Statement]) -> dict[core.Value, core.Expr]:
    """What is made of parameters, and of the thread's index, once and for all."""
    defined = {v for s in every for v in written(s)}
    found: dict[core.Value, core.Expr] = {}
    for s in every:
        if isinstance(s, code.Define) and _is_computed(s):
            init: core.Expr = s.init  # type: ignore[assignment]
            if all(v in found or v not in defined for v in values(init)):
                found[s.variable] = init
    return found


def _expanded(expr: core.Expr, fixed: dict[core.Value, core.Expr]) -> core.Expr:
    return written_out(expr, fixed.get) or expr
