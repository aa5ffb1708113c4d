"""Whether the iterations of a loop that threads share are apart: then the order in which they run does not matter, and
one after the other is as good as any.

What each of them writes to one place must be reduced, be the thread's own, or be written by one thread at a time.
Elements of arrays are taken to be apart where the index has something to do with the iteration, as OpenMP itself asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

from cladpy.diagnostics import Note, Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import VOID, Array, Reference, Scalar
from cladpy.order.colliding import collisions
from cladpy.order.effects import Summaries, Within
from cladpy.order.places import NOTHING, Effects, Element, Place, in_turn, meet
from cladpy.order.reductions import Finding, used_otherwise
from cladpy.order.uses import READ, first_use, is_written_first, names, uses_after, within

CODE = "CP0282"
THREADS = "threads of this region"


def apart(program: s.Program) -> s.Program:
    """The program; what is said against a shared loop stands in front of it."""
    summaries = Summaries(program.functions)
    done = {}
    for symbol, function in program.functions.items():
        if any(_is_shared(here) for here in within(function.body)):
            body = Checked(function, summaries, by_one=not program.has_teams).block(function.body)
            function = replace(function, body=body)
        done[symbol] = function
    return replace(program, functions=done)


def _is_shared(statement: s.Stmt) -> bool:
    match statement:
        case s.For(shared=shared) | s.Block(sections=shared):
            return shared is not None
        case _:
            return False


class Checked:
    """One function with such loops."""

    def __init__(self, function: s.Function, summaries: Summaries, *, by_one: bool = False) -> None:
        """`by_one` says that the team that shares out what a function has is one thread."""
        self._function = function
        self._by_one = by_one
        self._summaries = summaries
        self._within = Within(function, summaries)

    def block(self, block: s.Block) -> s.Block:
        return replace(block, statements=self._statements(block.statements))

    def _statements(self, statements: tuple[s.Stmt, ...]) -> tuple[s.Stmt, ...]:
        done: list[s.Stmt] = []
        for statement in statements:
            if isinstance(statement, s.For) and statement.shared is not None:
                statement = self._loop(statement, statement.shared, done)
            if isinstance(statement, s.Block) and statement.sections is not None:
                found = next(self._in_sections(statement, statement.sections), None)
                if found is not None:
                    done.append(refused("sections", statement.sections, found))
            done.append(self._statement(statement))
        return tuple(done)

    def _loop(self, loop: s.For, shared: s.Shared, done: list[s.Stmt]) -> s.For:
        """A loop, with what is said against it before it; one that a thread runs by itself need not be shared out."""
        found = next(self.found(loop), None)
        if found is not None:
            done.append(refused("iterations of this loop" if shared.waits is None else THREADS, shared, found))
        elif self._by_one and shared.is_elsewhere and next(self._at_once(loop, shared), None) is not None:
            return replace(loop, shared=None)
        return loop

    def _statement(self, statement: s.Stmt) -> s.Stmt:
        match statement:
            case s.Block():
                return self.block(statement)
            case s.If(then=then, other=other):
                return replace(statement, then=self.block(then), other=None if other is None else self.block(other))
            case s.For(init=init, body=body):
                return replace(statement, init=self._statements(init), body=self.block(body))
            case s.While(body=body) | s.DoWhile(body=body):
                return replace(statement, body=self.block(body))
            case s.Switch(sections=sections):
                done = (replace(section, body=self._statements(section.body)) for section in sections)
                return replace(statement, sections=tuple(done))
            case _:
                return statement

    # ---- what is said against a loop --------------------------------------------------------------------------------

    def found(self, loop: s.For) -> Iterator[Finding]:
        """What is said against a loop that is shared."""
        shared = loop.shared
        assert shared is not None
        for symbol, operator in shared.reduced:
            yield from used_otherwise(loop.body, symbol, operator)
        for symbol in shared.last:
            counts = any(place.symbol is symbol for e in _inits(loop) for place in self._within.value(e).writes)
            if not counts and not is_written_first(loop.body, symbol):
                yield Finding(
                    CODE,
                    f"'{symbol.name}' is lastprivate, and an iteration does not begin by giving it a value",
                    "write it before all else in the loop, and without a condition",
                    loop.span,
                )
        for symbol, step in shared.linear:
            if not self._goes_on(loop, symbol, step):
                yield Finding(
                    CODE,
                    f"'{symbol.name}' is linear, and not every iteration goes on with it by {step}, once",
                    f"end the loop's body with '{symbol.name} += {step}', and write it nowhere else in it",
                    loop.span,
                )
        for symbol in shared.private:
            if isinstance(symbol.type, Scalar) and first_use(loop.body.statements, symbol) is READ:
                yield _read_first(symbol, "an iteration", "the loop", loop.span)
        for symbol in (*shared.private, *shared.counters):
            if self._is_used_after(loop, symbol):
                yield Finding(
                    CODE,
                    f"what '{symbol.name}' holds afterwards depends on whether the compiler minds the directive",
                    "declare it in the loop, or give it a value after the loop",
                    loop.span,
                )
        if not (self._by_one and shared.is_elsewhere):
            yield from self._at_once(loop, shared)
        for expr in surface_walk.expressions(loop.body):
            for place in in_turn(self._within.value(expr).writes):
                if place.symbol is not None and place.symbol in shared.first and not place.behind:
                    yield Finding(
                        CODE,
                        f"'{place.symbol.name}' is firstprivate, and written: what it holds in an iteration depends on "
                        "the thread",
                        "copy it to a variable that is declared in the loop, and write that; of what a device writes "
                        f"the host sees what is mapped: map(tofrom: {place.symbol.name})",
                        expr.span,
                    )

    def _at_once(self, loop: s.For, shared: s.Shared) -> Iterator[Finding]:
        """What is said against its iterations' being run at once."""
        own = {d.symbol for d in surface_walk.declarations(loop)} | {*shared.private, *shared.counters}
        if shared.is_elsewhere:
            own |= self._own_of_threads(loop)
        if shared.is_parallel:
            yield from self._races(loop, shared, own)
            yield from self._carried(loop, shared)
            yield from self._colliding(loop, shared, own)
        yield from self._across(loop, shared, own)

    def _races(self, loop: s.For, shared: s.Shared, own: set[Symbol]) -> Iterator[Finding]:
        varying = self._varying(loop, shared, own)
        spared = own | {symbol for symbol, _ in (*shared.reduced, *shared.linear)} | {*shared.last, *shared.first}
        by_one = [*shared.alone, *_of_one_thread(loop)]
        for expr in surface_walk.expressions(loop.body):
            if any(holds(alone, expr.span) for alone in by_one):
                continue
            for place in in_turn(self._within.value(expr).writes):
                if place.symbol is None or place.symbol in spared or _is_apart(place, varying):
                    continue
                if self._summaries.is_state(place.symbol):
                    hint = "call what depends on it before the loop"
                    yield Finding(CODE, f"one after the other they would ask for {place.symbol.name}", hint, expr.span)
                    continue
                name = f"what '{place.symbol.name}' leads to" if place.behind else f"'{place.symbol.name}'"
                yield Finding(
                    CODE,
                    f"{name} is written by more than one of them",
                    f"declare '{place.symbol.name}' in the loop, where it is the iteration's own; else say how its "
                    "values are put together: reduction(...), or '#pragma omp atomic' before the statement",
                    expr.span,
                )

    def _own_of_threads(self, loop: s.For) -> set[Symbol]:
        """The function's variables that no iteration reads before it has written them, nor anybody behind the loop."""
        written = {p.symbol for e in surface_walk.expressions(loop.body) for p in self._within.value(e).writes}
        return {
            symbol
            for symbol in written
            if symbol is not None
            and first_use(loop.body.statements, symbol) is not READ
            and not self._is_used_after(loop, symbol)
        }

    def _goes_on(self, loop: s.For, symbol: Symbol, step: int) -> bool:
        """Whether each iteration adds a step to a variable, in a statement of its own, and does nothing else to it."""
        written = [
            e
            for e in surface_walk.expressions(loop.body)
            if any(p.symbol is symbol and not p.behind for p in self._within.value(e).writes)
        ]
        steps = [x.expr for x in loop.body.statements if isinstance(x, s.Evaluate) and _added(x.expr, symbol) == step]
        goes_away = any(isinstance(here, s.Continue) for here in within(loop.body))
        return len(written) == len(steps) == 1 and written[0] is steps[0] and not goes_away

    def _is_used_after(self, loop: s.For, symbol: Symbol) -> bool:
        """Whether what a variable holds when the loop is done may be read."""
        if symbol.role is Role.GLOBAL or isinstance(symbol.type, Reference):
            return True
        if isinstance(symbol.type, Array):  # by its address it may be anywhere
            inside = set(map(id, surface_walk.expressions(loop)))
            return any(names(e, {symbol}) for e in surface_walk.expressions(self._function.body) if id(e) not in inside)
        if symbol in self._within.exposed:
            return True
        return any(use is READ for use in uses_after(self._function.body, loop, symbol))

    def _carried(self, loop: s.For, shared: s.Shared) -> Iterator[Finding]:
        """Elements that each iteration writes, and others read as their neighbours."""
        if not isinstance(loop.step, s.IncDec) or not isinstance(loop.step.target, s.VarRef):
            return
        counter = loop.step.target.symbol
        evaluated = [st.expr for st in loop.body.statements if isinstance(st, s.Evaluate)]
        found = [self._within.value(e) for e in evaluated]
        found += [self._within.value(d.init) for d in loop.body.statements if isinstance(d, s.Declare) and d.init]
        written = [(place, e.span) for e in evaluated for place in self._within.value(e).writes]
        for place, span in written:
            for read in (other for effects in found for other in effects.reads):
                if _is_neighbour(place, read, counter):
                    yield _carried(span, shared)

    def _colliding(self, loop: s.For, shared: s.Shared, own: set[Symbol]) -> Iterator[Finding]:
        """Elements that some iterations write, and others read in loops of theirs."""
        spared = own | self._varying(loop, shared, own) | {symbol for symbol, _ in (*shared.reduced, *shared.linear)}
        by_one = [*shared.alone, *_of_one_thread(loop)]

        def effects(expr: s.Expr) -> Effects:
            return NOTHING if any(holds(alone, expr.span) for alone in by_one) else self._within.value(expr)

        for span in collisions(loop, effects, lambda place: place.symbol is not None and place.symbol not in spared):
            yield _carried(span, shared)

    def _across(self, loop: s.For, shared: s.Shared, own: set[Symbol]) -> Iterator[Finding]:
        """What is written on one side of where all wait for each other, and used on the other."""
        spared = own | {symbol for symbol, _ in shared.reduced}
        ends = pairwise((0, *(shared.waits or ()), len(loop.body.statements)))
        parts = [self._effects(loop.body.statements[first:last], spared) for first, last in ends]
        for place in self._meetings(combinations(parts, 2)):
            yield Finding(
                CODE,
                f"{_name(place)} is written on one side of where the threads wait for each other, and used on the "
                "other",
                "end the region there, and begin another",
                loop.span,
            )

    def _in_sections(self, block: s.Block, shared: s.Shared) -> Iterator[Finding]:
        """What is said against sections."""
        for symbol, operator in shared.reduced:
            yield from used_otherwise(block, symbol, operator)
        sections = [section for section in block.statements if isinstance(section, s.Block)]
        for symbol in shared.private:
            if any(first_use(section.statements, symbol) is READ for section in sections):
                yield _read_first(symbol, "a section", "each section", block.span)
        spared = {*shared.private, *(symbol for symbol, _ in shared.reduced)}
        parts = [
            (self._effects(x.statements, spared, shared.alone), self._effects(x.statements, spared)) for x in sections
        ]  # what they do at once, and all that they do
        pairs = [pair for one, other in combinations(parts, 2) for pair in ((one[0], other[1]), (one[1], other[0]))]
        for place in self._meetings(pairs):
            message = f"{_name(place)} is written by one of them, and used by another"
            yield Finding(CODE, message, "let one section do both", block.span)

    def _effects(self, statements: Iterable[s.Stmt], spared: set[Symbol], without: Iterable[Span] = ()) -> Effects:
        """What statements do, but for some variables, and for what one thread does at a time."""
        done = NOTHING
        for expr in (e for statement in statements for e in surface_walk.expressions(statement)):
            if not any(holds(alone, expr.span) for alone in without):
                done |= self._within.value(expr)
        return Effects(*(frozenset(p for p in ps if p.symbol not in spared) for ps in (done.reads, done.writes)))

    def _meetings(self, pairs: Iterable[tuple[Effects, Effects]]) -> Iterator[Place]:
        """Where one of two writes what the other uses."""
        for one, other in pairs:
            for writes, uses in ((one.writes, other.reads | other.writes), (other.writes, one.reads)):
                for place in in_turn(writes):
                    if any(meet(place, used, self._within.exposed) for used in uses):
                        yield place

    def _varying(self, loop: s.For, shared: s.Shared, own: set[Symbol]) -> set[Symbol]:
        """The variables whose values have something to do with the iteration."""
        found = {d.symbol for first in loop.init for d in surface_walk.declarations(first)} | {*shared.counters}
        found |= {symbol for symbol, _ in shared.linear}
        found |= {p.symbol for e in _inits(loop) for p in self._within.value(e).writes if p.symbol is not None}
        found |= {symbol for symbol in own if isinstance(symbol.type, Reference)}
        while True:
            before = len(found)
            for declared in surface_walk.declarations(loop.body):
                if declared.init is not None and names(declared.init, found):
                    found.add(declared.symbol)
            for expr in surface_walk.expressions(loop.body):
                if names(expr, found):
                    found |= {p.symbol for p in self._within.value(expr).writes if p.symbol in own}
            if len(found) == before:
                return found


def _of_one_thread(loop: s.For) -> Iterator[Span]:
    """What stands under `if (thread == 0)` in a loop over threads."""
    if loop.shared is None or loop.shared.waits is None or loop.step is None:
        return
    numbers = {
        e.target.symbol for e in _assignments(s.Evaluate(loop.step, loop.span)) if isinstance(e.target, s.VarRef)
    }
    written = {e.target.symbol for e in _assignments(loop.body) if isinstance(e.target, s.VarRef)}
    for declared in surface_walk.declarations(loop.body):
        is_copy = isinstance(declared.init, s.VarRef) and declared.init.symbol in numbers
        if is_copy and declared.symbol not in written:
            numbers.add(declared.symbol)
    for here in within(loop.body):
        match here:
            case s.If(condition=s.Binary(op=s.BinaryOp.EQ, left=s.VarRef(symbol=symbol), right=s.Literal()), then=then):
                if symbol in numbers:
                    yield then.span
            case _:
                pass


def _added(expr: s.Expr, symbol: Symbol) -> int | None:
    """The number that is added to a variable."""
    match expr:
        case s.IncDec(target=s.VarRef(symbol=target), delta=delta) if target is symbol:
            return delta
        case s.CompoundAssign(op=op, target=s.VarRef(symbol=target), value=value) if target is symbol:
            while isinstance(value, s.Cast):
                value = value.operand
            sign = {s.BinaryOp.ADD: 1, s.BinaryOp.SUB: -1}.get(op, 0)
            return sign * value.value if isinstance(value, s.Literal) and isinstance(value.value, int) else None
        case _:
            return None


def _assignments(body: s.Stmt) -> Iterator[s.Assign | s.CompoundAssign | s.IncDec]:
    for expr in surface_walk.expressions(body):
        yield from (e for e in surface_walk.walk(expr) if isinstance(e, s.Assign | s.CompoundAssign | s.IncDec))


def _carried(span: Span, shared: s.Shared) -> Finding:
    alone = "parallel" in shared.directive  # else it is of a region, whose threads would all run the loop
    what = "the directive" if alone else "the directives of the region"
    return Finding(
        CODE,
        "what one of them writes, another reads",
        f"leave out {what}, or read from an array that the loop does not write",
        span,
        without_directive=alone,
    )


def _read_first(symbol: Symbol, what: str, where: str, span: Span) -> Finding:
    message = f"'{symbol.name}' is private, and {what} may read it before it has given it a value"
    return Finding(CODE, message, f"declare it in {where}, with a value", span)


def _name(place: Place) -> str:
    return "memory" if place.symbol is None else f"'{place.symbol.name}'"


def _inits(loop: s.For) -> Iterator[s.Expr]:
    for first in loop.init:
        yield from surface_walk.expressions(first)


def _is_apart(place: Place, varying: set[Symbol]) -> bool:
    """Whether each iteration may have a place of its own there."""
    if any(isinstance(step, Element) and _varies(step, varying) for step in place.path):
        return True
    # of memory behind a pointer, without an element, nothing is known
    symbol = place.symbol
    return place.behind and not place.path and symbol is not None and not isinstance(symbol.type, Reference)


def _is_neighbour(one: Place, other: Place, counter: Symbol) -> bool:
    """Whether two places are elements of one array, at different distances from the counter."""
    if one.symbol is None or one.symbol is not other.symbol or one.behind != other.behind:
        return False
    if len(one.path) != 1 or len(other.path) != 1:
        return False
    a, b = one.path[0], other.path[0]
    if not isinstance(a, Element) or not isinstance(b, Element) or a.offset is None or b.offset is None:
        return False
    return bool(a.base == b.base and a.index == b.index == counter and a.offset != b.offset)


def _varies(step: Element, varying: set[Symbol]) -> bool:
    if step.base is None and step.index is None:
        return step.offset is None
    return _mentions(step.base, varying) or _mentions(step.index, varying)


def _mentions(said: Any, varying: set[Symbol]) -> bool:
    """Whether what an expression says (see `key`) names one of the variables, or is not known."""
    if isinstance(said, Symbol):
        return said in varying
    if isinstance(said, tuple):
        return any(_mentions(part, varying) for part in said) or (len(said) == 1 and isinstance(said[0], int))
    return False


def holds(outer: Span, inner: Span) -> bool:
    start, end = (inner.line, inner.column), (inner.end_line, inner.end_column)
    return (
        outer.file == inner.file and (outer.line, outer.column) <= start and end <= (outer.end_line, outer.end_column)
    )


def refused(what: str, shared: s.Shared, found: Finding) -> s.Stmt:
    """What stands before what is read in another order than threads may have."""
    message = f"the {what} run at once, and {found.message}"
    notes = (Note(shared.directive, shared.directive_span),)
    directive = shared.directive_span if found.without_directive else None
    said = s.Unsupported(found.code, message, found.hint, VOID, found.span, notes=notes, directive=directive)
    return s.Evaluate(said, found.span)
