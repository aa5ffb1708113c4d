"""What the forward statements of a pass compute, and the reverse computes again, is computed once.

A sum that only another sum's adjoint asks for is needed before no reverse loop; that one makes its terms again:

    while (i < n) { ... s = s + t }            count k down from n { ...; s = s + t; reverse of t }
    d_c += s * r                        -->    d_c += s * r
    count k down from n { ...; reverse of t }

So is a branch whose values are needed by nothing but such additions: it joins the next one under the same condition.
What depends on it waits until then. Both forms are taken only where the numbering finds that something is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from cladpy.analysis.loops import Induction, trip_count
from cladpy.ir import code, core
from cladpy.ir.code_walk import (
    all_statements,
    inner_blocks,
    map_block,
    map_statement,
    touched_roots,
    variables_read,
    with_blocks,
)
from cladpy.ir.effects import Memory
from cladpy.ir.flow import changed_in, constants, written, written_in
from cladpy.ir.names import written_out
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import LONG, is_floating, is_integer
from cladpy.ir.walk import map_children, subexpressions, substitute, values
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.numbering import numbered
from cladpy.passes.tidy import tidy

Key = core.Value | tuple[core.Root, bool]

# What functions, quotients, loads and loops are worth, beside an operation.
FUNCTION, QUOTIENT, LOAD, ITERATIONS = 20, 8, 4, 8
MOST = 40  # branches and loops of a block


def evaluated_once(body: code.Block) -> code.Block:
    """The body of a kernel whose arguments do not overlap."""
    made = _Body().saved(body)
    return body if made is body else tidy(made)


@dataclass(slots=True)
class _Body:
    """`ahead` says that branches may be joined for the sake of what can be joined in them."""

    ahead: bool = True
    tried: set[tuple[code.Statement, code.Statement]] = field(default_factory=set)
    touched: dict[code.Statement, _Touched] = field(default_factory=dict)

    def saved(self, body: code.Block) -> code.Block:
        while True:
            found = next(self._joined(body, _Whole(body)), None)
            if found is None:
                return body
            body = found

    def _joined(self, block: code.Block, of: _Whole) -> Iterator[code.Block]:
        """The body with two statements of a block in one, where that saves something."""
        places = [p for p, s in enumerate(block) if isinstance(s, code.Branch | code.While | code.CountDown)]
        body = of.body
        worth = [p for p in places if _is_worth_it(block[p])] if 1 < len(places) <= MOST else []
        for last, first in ((last, first) for last in places for first in worth if first < last):
            a, b = block[first], block[last]
            if (a, b) in self.tried or not _alike(a, b):
                continue
            self.tried.add((a, b))
            made = _Pair(block, first, last, of, self.touched).joined()
            if made is not None:
                whole = without_dead_code(_exchanged(body, block, numbered(made, _exchanged(body, block, made))))
                if self.ahead and isinstance(a, code.Branch) and _cost(whole) >= of.cost:
                    whole = _Body(ahead=False, touched=self.touched).saved(whole)
                if _cost(whole) < of.cost:
                    yield whole
        for s in block:
            for inner in _blocks_of(s):
                yield from self._joined(inner, of)


def _blocks_of(s: code.Statement) -> tuple[code.Block, ...]:
    match s:
        case code.Branch(_, then, other):
            return then, other
        case code.While(body=inner) | code.CountDown(body=inner):
            return (inner,)
        case _:
            return ()


def _exchanged(body: code.Block, old: code.Block, new: code.Block) -> code.Block:
    if body is old:
        return new
    made = [with_blocks(s, lambda inner: _exchanged(inner, old, new)) if _holds(s, old) else s for s in body]
    return tuple(made)


def _holds(s: code.Statement, block: code.Block) -> bool:
    return any(inner is block or any(_holds(t, block) for t in inner) for inner in inner_blocks(s))


def _alike(a: code.Statement, b: code.Statement) -> bool:
    """Whether one statement might do with the other what both do."""
    match a, b:
        case code.Branch(), code.Branch():
            fits = a.condition == b.condition
        case code.While(before=()), code.While(before=()) | code.CountDown(mask=None, at_once=None):
            fits = a.team is None and b.team is None
        case _:
            return False
    return fits


def _is_worth_it(s: code.Statement) -> bool:
    """Whether a statement only computes, and takes its time."""
    if not isinstance(s, code.Branch | code.While):
        return False
    return _cost((s,)) >= FUNCTION and all(_computes(t) for t in all_statements((s,)))


def _computes(s: code.Statement) -> bool:
    """Whether a statement does nothing but to make variables, and arrays of the thread, of what the primal has."""
    match s:
        case code.Comment() | code.Assign() | code.Add() | code.Branch() | code.While():
            return True
        case code.Define(_, init):
            return not isinstance(init, code.LOADED) or (isinstance(init, code.Element) and not init.adjoint)
        case code.DeclareArray(root) | code.WriteElement(root):
            return root.kind is core.RootKind.LOCAL and not s.adjoint
        case _:
            return False


def _cost(block: code.Block) -> int:
    total = 0
    for s in block:
        exprs = _operands(s)
        total += sum(_worth(e) for expr in exprs for e in subexpressions(expr))
        match s:
            case code.Branch(_, then, other):
                total += _cost(then) + _cost(other)
            case code.While(before=before, body=inner):
                total += ITERATIONS * (_cost(before) + _cost(inner)) + ITERATIONS
            case code.CountDown(body=inner):
                total += ITERATIONS * _cost(inner) + ITERATIONS
            case code.Define(_, code.Element()) | code.Take():
                total += LOAD
            case _:
                pass
    return total


def _operands(s: code.Statement) -> Iterator[core.Expr]:
    match s:
        case code.Define(_, init) if not isinstance(init, code.LOADED):
            yield init
        case code.Assign(_, expr) | code.Add(_, expr) | code.WriteElement(expr=expr) | code.AddElement(expr=expr):
            yield expr
        case _:
            pass


def _worth(e: core.Expr) -> int:
    match e:
        case core.Math():
            return FUNCTION
        case core.Binary(BinaryOp.DIV, _, _, type) if is_floating(type):
            return QUOTIENT
        case core.Binary() | core.Unary():
            return 1
        case _:
            return 0


# ---- what statements have to do with each other ------------------------------------------------------------------


@dataclass(slots=True)
class _Touched:
    """What statements read, change, and add to, within them too."""

    reads: set[Key] = field(default_factory=set)
    writes: set[Key] = field(default_factory=set)
    adds: set[Key] = field(default_factory=set)

    @staticmethod
    def by(block: Iterable[code.Statement]) -> _Touched:
        found = _Touched()
        for s in all_statements(tuple(block)):
            found.reads.update(variables_read(s))
            found.writes.update(written(s))
            memory = {(root.memory, adjoint) for root, adjoint in touched_roots(s)}
            if isinstance(s, code.DeclareArray):
                found.writes.add((s.root, s.adjoint))
            elif isinstance(s, code.AddElement):
                found.adds |= memory
            else:
                if s.effects.reads is not Memory.NONE:
                    found.reads |= memory
                if s.effects.writes is not Memory.NONE and not _only_reads(s):
                    found.writes |= memory
        return found

    def add(self, other: _Touched) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.adds |= other.adds

    def may_change_places(self, other: _Touched) -> bool:
        a, b = self, other
        apart = a.writes.isdisjoint(b.writes) and a.writes.isdisjoint(b.reads) and a.writes.isdisjoint(b.adds)
        apart = apart and b.writes.isdisjoint(a.reads) and b.writes.isdisjoint(a.adds)
        return apart and a.adds.isdisjoint(b.reads) and b.adds.isdisjoint(a.reads)


def _only_reads(s: code.Statement) -> bool:
    return isinstance(s, code.Take) and not s.zero


def _stays_put(s: code.Statement) -> bool:
    e = s.effects
    return e.calls or e.shows or e.keeps or e.waits.somebody or e.writes is Memory.ANY


# ---- two statements in one ---------------------------------------------------------------------------------------


class _Whole:
    """A body, and what is asked of all of it for each pair."""

    def __init__(self, body: code.Block) -> None:
        self.body, self.cost = body, _cost(body)

    @cached_property
    def constants(self) -> dict[core.Value, core.Expr]:
        return constants(all_statements(self.body))

    @cached_property
    def changing(self) -> set[core.Value]:
        return changed_in(self.body)

    @cached_property
    def writing(self) -> dict[core.Value, list[code.Statement]]:
        """The statements that set each variable, in their order."""
        return self._by(written)

    @cached_property
    def reading(self) -> dict[core.Value, list[code.Statement]]:
        return self._by(variables_read)

    def _by(self, named: Callable[[code.Statement], Iterable[core.Value]]) -> dict[core.Value, list[code.Statement]]:
        found: dict[core.Value, list[code.Statement]] = {}
        for s in all_statements(self.body):
            for v in set(named(s)):
                found.setdefault(v, []).append(s)
        return found


@dataclass(frozen=True, slots=True)
class _Pair:
    block: code.Block
    first: int
    last: int
    of: _Whole
    known: dict[code.Statement, _Touched]  # of what is looked at again, with other pairs

    def _touched(self, s: code.Statement) -> _Touched:
        if s not in self.known:
            self.known[s] = _Touched.by((s,))
        return self.known[s]

    def joined(self) -> code.Block | None:
        """The block with the first of the two in the last; what depends on it comes after that."""
        a, b = _with_own_arrays(self.block[self.first]), self.block[self.last]
        between = self.block[self.first + 1 : self.last]
        if any(_stays_put(s) for s in all_statements((*between, b))):
            return None
        moved, touched_by_last = _Touched.by((a,)), self._touched(b)
        early: list[code.Statement] = []
        late: list[code.Statement] = []
        waiting = _Touched()
        for s in between:
            touched = self._touched(s)
            if moved.may_change_places(touched) and waiting.may_change_places(touched):
                early.append(s)
                continue
            parts = self._parted(s, moved, waiting) if isinstance(s, code.CountDown) else None
            if parts is not None:
                early.append(parts[0])
                s = parts[1]
                touched = _Touched.by((s,))
            if not touched.may_change_places(touched_by_last):
                return None
            late.append(s)
            waiting.add(touched)
        one = self._one(a, b, moved)
        if one is None:
            return None
        return (*self.block[: self.first], *early, *one, *late, *self.block[self.last + 1 :])

    def _parted(
        self, loop: code.CountDown, moved: _Touched, waiting: _Touched
    ) -> tuple[code.CountDown, code.CountDown] | None:
        """A loop in two, of which the second has what depends on what is moved, and makes again what both ask for."""
        if loop.mask is not None or loop.at_once is not None or loop.team is not None:
            return None
        touched = {s: self._touched(s) for s in loop.body}
        late = {s for s, t in touched.items() if not (moved.may_change_places(t) and waiting.may_change_places(t))}
        work = list(late)
        while work:
            changes = touched[work.pop()].writes
            more = {s for s, t in touched.items() if not changes.isdisjoint(t.reads | t.writes | t.adds)} - late
            late |= more
            work += more
        again = self._again(loop.body, late)
        early = [s for s in loop.body if s not in late]
        if again is None or not any(isinstance(s, code.AddElement | code.Add | code.Assign) for s in early):
            return None
        names: dict[core.Value, core.Expr] = {}
        copied: list[code.Statement] = []
        counter = core.Value(loop.variable.name, loop.variable.type)
        names[loop.variable] = core.Use(counter)
        for s in loop.body:
            if s in late or s in again:
                made = map_statement(s, lambda e: substitute(e, names))
                if s in again and isinstance(made, code.Define | code.Take):
                    variable = core.Value(made.variable.name, made.variable.type)
                    names[made.variable] = core.Use(variable)
                    made = replace(made, variable=variable)
                copied.append(made)
        parts = replace(loop, body=tuple(early)), replace(loop, variable=counter, body=tuple(copied))
        apart = {loop.variable, counter, *(v for s in again for v in written(s))}
        sides = [_Touched.by((p,)) for p in parts]
        for side in sides:
            side.writes -= apart
            side.reads -= apart
        return parts if sides[0].may_change_places(sides[1]) else None

    def _again(self, body: code.Block, late: set[code.Statement]) -> set[code.Statement] | None:
        """The definitions of an iteration that its late statements ask for, too."""
        definitions = {v: s for s in body if s not in late for v in written_in((s,))}
        again: set[code.Statement] = set()
        stack = [v for s in late for v in self._touched(s).reads if isinstance(v, core.Value)]
        while stack:
            s = definitions.get(stack.pop())
            if s is None or s in again:
                continue
            if not _may_be_repeated(s):
                return None
            again.add(s)
            stack += variables_read(s)
        return again

    def _one(self, a: code.Statement, b: code.Statement, moved: _Touched) -> tuple[code.Statement, ...] | None:
        match a, b:
            case code.Branch(), code.Branch() if moved.writes.isdisjoint(values(a.condition)):
                return (code.Branch(b.condition, (*a.then, *b.then), (*a.other, *b.other)),)
            case code.While(), code.While() | code.CountDown():
                return self._one_loop(a, b) if moved.may_change_places(self._touched(b)) else None
            case _:
                return None

    def _one_loop(self, a: code.While, b: code.While | code.CountDown) -> tuple[code.Statement, ...] | None:
        first = self.block[self.first]
        assert isinstance(first, code.While)
        counted = self._counted(first)
        if counted is None:
            return None
        variable, step, count = counted
        if isinstance(b, code.While):
            theirs = self._counted(b)
            if theirs is None or theirs[1] != step:
                return None
            meant: core.Expr = core.Use(theirs[0])
            if substitute(a.condition, {variable: meant}) != b.condition:
                return None
            own = _without_step(a.body, variable)
            return (replace(b, body=(*map_block(own, lambda e: substitute(e, {variable: meant})), *b.body)),)
        lets = self.of.constants
        if _plain(_out(b.count, lets)) != _plain(_out(count, lets)) or not self._only_sums(a, variable):
            return None
        here = core.Value(variable.name, variable.type)
        at = step.at(core.Use(b.variable), step.init, step.step)
        own = map_block(_without_step(a.body, variable), lambda e: substitute(e, {variable: core.Use(here)}))
        return (replace(b, body=(code.Define(here, at), *own, *b.body)),)

    def _counted(self, loop: code.While) -> tuple[core.Value, Induction, core.Expr] | None:
        """The variable that counts a loop's iterations, which nothing asks for behind it; and how often it runs."""
        steps = [s for s in loop.body if isinstance(s, code.Assign | code.Add) and is_integer(s.variable.type)]
        read = {e.value for e in subexpressions(loop.condition) if isinstance(e, core.Use)}
        found = [s for s in steps if s.variable in read]
        if len(found) != 1 or not loop.body or loop.body[-1] is not found[0]:
            return None
        last = found[0]
        variable = last.variable
        match last:
            case code.Add(_, core.Const() as by):
                step: core.Const = by
            case code.Assign(_, core.Binary(BinaryOp.ADD, core.Use(value), core.Const() as by)) if value is variable:
                step = by
            case _:
                return None
        inside = [s for s in all_statements((loop,)) if variable in written(s)]
        outside = [s for s in self.of.writing.get(variable, []) if s not in inside]
        behind = self.of.reading.get(variable, [])
        within = set(all_statements((loop,)))
        if inside != [last] or len(outside) != 1 or any(s not in within for s in behind):
            return None
        begin = outside[0]
        if not isinstance(begin, code.Define) or isinstance(begin.init, code.LOADED):
            return None
        changing, lets = self.of.changing, self.of.constants
        induction = Induction(begin.init, step)

        def fixed(expr: core.Expr) -> bool:
            return not any(isinstance(e, core.Use) and e.value in changing for e in subexpressions(expr))

        if not fixed(begin.init):
            return None
        count = trip_count(loop.condition, {variable: induction}, fixed, lets)
        return None if count is None else (variable, induction, count)

    def _only_sums(self, loop: code.While, counter: core.Value) -> bool:
        """Whether the iterations may come in any order."""
        begun = {v for s in all_statements(loop.body) for v in _begun(s)}
        touched = _Touched.by(loop.body)
        kept = touched.writes - begun - {counter}
        if any(not isinstance(v, core.Value) for v in kept):
            return False
        sums = 0
        for s in all_statements(loop.body):
            if isinstance(s, code.Assign | code.Add) and s.variable in kept:
                if not _is_sum(s):
                    return False
                sums += 1
            elif not kept.isdisjoint(variables_read(s)):
                return False
        return sums > 0


def _begun(s: code.Statement) -> Iterator[Key]:
    if isinstance(s, code.DeclareArray):
        yield s.root, s.adjoint
    elif isinstance(s, code.Define):
        yield s.variable


def _is_sum(s: code.Assign | code.Add) -> bool:
    """Whether a statement adds to its variable what does not depend on that."""
    added: core.Expr | None = None
    match s:
        case code.Add(_, expr):
            added = expr
        case code.Assign(variable, core.Binary(BinaryOp.ADD, left, right)):
            added = right if left == core.Use(variable) else left if right == core.Use(variable) else None
    return added is not None and all(e != core.Use(s.variable) for e in subexpressions(added))


def _may_be_repeated(s: code.Statement) -> bool:
    match s:
        case code.Define(_, init, mutable):
            return not mutable and (not isinstance(init, code.LOADED) or isinstance(init, code.Element))
        case _:
            return _only_reads(s)


def _without_step(body: code.Block, variable: core.Value) -> code.Block:
    return tuple(s for s in body if not (isinstance(s, code.Assign | code.Add) and s.variable is variable))


def _out(expr: core.Expr, lets: Mapping[core.Value, core.Expr]) -> core.Expr:
    return written_out(expr, lets.get) or expr


def _plain(expr: core.Expr) -> core.Expr:
    """A count without the integer types in which it is computed: it fits in them."""
    if isinstance(expr, core.Cast) and is_integer(expr.type) and is_integer(expr.operand.type):
        return _plain(expr.operand)
    made = map_children(expr, _plain)
    if isinstance(made, core.Const) and is_integer(made.type):
        return core.Const(int(made.value), LONG)
    return replace(made, type=LONG) if isinstance(made, core.Binary | core.Select) else made


def _with_own_arrays(s: code.Statement) -> code.Statement:
    """A statement with arrays of its own in the place of those that it begins, which others may begin too."""
    roots = {t.root: replace(t.root) for t in all_statements((s,)) if isinstance(t, code.DeclareArray)}
    return _renamed(s, roots) if roots else s


def _renamed(s: code.Statement, roots: Mapping[core.Root, core.Root]) -> code.Statement:
    match s:
        case code.Define(_, code.Element(root) as init) if root in roots:
            return replace(s, init=replace(init, root=roots[root]))
        case code.WriteElement(root) | code.DeclareArray(root) if root in roots:
            return replace(s, root=roots[root])
        case _:
            return with_blocks(s, lambda block: tuple(_renamed(t, roots) for t in block))
