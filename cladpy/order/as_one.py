"""Whether what the threads of a region do comes to the same if one thread does all of it.

What they share out is done once in any case. What each of them does besides may change nothing but variables of its
own, and these are of two kinds. The values of most are the same in all threads. What a loop that is shared out adds to,
or puts together by another operator, is each thread's *part* of something: then the parts of all threads are put
together by that operator, in a sum or under `critical`, and nothing else is done with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import is_floating
from cladpy.order.effects import Summaries, Within
from cladpy.order.places import BEHIND, Place, in_turn
from cladpy.order.reductions import CODE, Finding, put_together, used_otherwise
from cladpy.order.shared import holds
from cladpy.order.uses import READ, first_use

_OPERATORS = ("+", "*", "max", "min", "&", "|", "^", "&&", "||")
_SINGLE = "put '#pragma omp single' before what one thread is to do"
_PART = (
    "let it begin with zero, and do nothing with it but to add it, under '#pragma omp critical' or in a region's "
    "reduction, to what the threads have together"
)


def alone(function: s.Function) -> s.Function:
    """What each thread does in a function by itself: without what threads share out."""

    def inner(statement: s.Stmt) -> s.Stmt:
        if _is_done_once(statement):
            return s.Block((), statement.span)
        return surface_walk.rebuilt(statement, lambda e: e, inner)

    return replace(function, body=surface_walk.rebuilt(function.body, lambda e: e, inner))


def _is_done_once(statement: s.Stmt) -> bool:
    match statement:
        case s.Block(is_once=is_once, sections=sections):
            return is_once or sections is not None
        case s.For(shared=shared):
            return shared is not None and shared.is_bound
        case _:
            return False


class AsOne:
    """The reading of a region as what one thread does."""

    def __init__(self, function: s.Function, region: s.Region, summaries: Summaries, alone: Summaries) -> None:
        """`function` has this reading; `alone` are summaries of what each thread does by itself."""
        self._shared = region.shared
        self._all, self._each = Within(function, summaries), Within(function, alone)
        self._own = {d.symbol for d in surface_walk.declarations(region.block)}
        self._parts = {symbol: "+" if op == "-" else op for symbol, op in region.shared.reduced}
        self._reduced = frozenset(self._parts)  # to the threads together: the sums of the region
        self._against: list[Finding] = []
        self.block = self._with_parts(region.block)

    def findings(self) -> Iterator[Finding]:
        yield from self._against
        for symbol in self._reduced:
            yield from used_otherwise(self.block, symbol, self._parts[symbol])
        yield from self._statement(self.block)

    # ---- what is shared out -----------------------------------------------------------------------------------------

    def _with_parts(self, block: s.Block) -> s.Block:
        """The block whose loops say which of the threads' variables they put together."""

        def inner(statement: s.Stmt) -> s.Stmt:
            if isinstance(statement, s.For) and statement.shared is not None and statement.shared.is_bound:
                return self._loop(statement, statement.shared)
            return surface_walk.rebuilt(statement, lambda e: e, inner)

        return surface_walk.rebuilt(block, lambda e: e, inner)

    def _loop(self, loop: s.For, shared: s.Shared) -> s.For:
        said = {*shared.private, *shared.first, *shared.last, *shared.counters}
        said |= {x for x, _ in (*shared.reduced, *shared.linear)}
        private, reduced = list(shared.private), list(shared.reduced)
        for symbol in self._changed(loop, said):
            if symbol not in self._reduced and first_use(loop.body.statements, symbol) is not READ:
                private.append(symbol)
                continue
            known = self._parts.get(symbol)
            operators = _OPERATORS if known is None else (known,)
            found = next((o for o in operators if next(used_otherwise(loop.body, symbol, o), None) is None), None)
            if found is None:
                self._against.append(_left(symbol, loop))
                continue
            self._parts[symbol] = found
            reduced.append((symbol, found))
        return replace(loop, shared=replace(shared, private=tuple(private), reduced=tuple(reduced)))

    def _changed(self, statement: s.Stmt, said: set[Symbol]) -> list[Symbol]:
        """The threads' variables, from outside of a statement, that it changes."""
        inside = said | {d.symbol for d in surface_walk.declarations(statement)}
        places = {p for e in surface_walk.expressions(statement) for p in self._all.value(e).writes}
        found = [p.symbol for p in in_turn(places) if p.symbol is not None]
        if any(p.symbol is None for p in places):
            found += sorted(self._all.exposed, key=lambda x: x.name)
        return [x for x in dict.fromkeys(found) if x in self._own | self._reduced and x not in inside]

    # ---- what each thread does --------------------------------------------------------------------------------------

    def _statement(self, statement: s.Stmt) -> Iterator[Finding]:
        if _is_done_once(statement):
            yield from self._once(statement)
        elif self._is_alone(statement):
            yield from self._put_together(statement)
        else:
            match statement:
                case s.Declare(symbol=symbol, init=init) if symbol in self._parts:
                    if init is not None:
                        yield from self._begun(symbol, init)
                case s.Evaluate(expr=s.Assign(target=target) | s.CompoundAssign(target=target)) if (
                    self._root(target) in self._reduced
                ):
                    yield from self._put_together(statement)
                case s.Evaluate(expr=s.Assign(target=target, value=value)) if (
                    (root := self._root(target)) is not None and root in self._parts and self._named(target) == {root}
                ):
                    yield from self._begun(root, value)
                case _:
                    for expr in surface_walk.own_expressions(statement):
                        yield from self._plain(expr)
                    for inner in surface_walk.inner_statements(statement):
                        yield from self._statement(inner)

    def _once(self, statement: s.Stmt) -> Iterator[Finding]:
        """What threads share out changes none of their own variables but for the parts, and asks for no part."""
        if isinstance(statement, s.For):
            inside = {part for part, _ in statement.shared.reduced} if statement.shared is not None else set()
            named = {p for e in surface_walk.expressions(statement.body) for p in self._named(e)} - inside
            head = [*surface_walk.own_expressions(statement)]
            head += [e for first in statement.init for e in surface_walk.expressions(first)]
            yield from _misused({*named, *(p for e in head for p in self._named(e))}, statement)
            return
        given = statement.given if isinstance(statement, s.Block) else ()
        yield from (_left(symbol, statement) for symbol in self._changed(statement, {*self._reduced, *given}))
        named = {p for e in surface_walk.expressions(statement) for p in self._named(e)} - self._reduced
        yield from _misused(named, statement)

    def _plain(self, expr: s.Expr) -> Iterator[Finding]:
        """An expression that each thread evaluates to the same value."""
        yield from _misused(self._named(expr), expr)
        alone = self._each.value(expr).writes
        for place in in_turn(self._all.value(expr).writes):
            if place in alone and not self._is_own(place):
                name = "memory" if place.symbol is None else f"'{place.symbol.name}'"
                yield Finding(CODE, f"{name} is written by each of them", _SINGLE, expr.span)
            elif place not in alone and place.symbol in self._own:
                yield _left(place.symbol, expr)

    def _is_own(self, place: Place) -> bool:
        return place.symbol in self._own and not place.behind and BEHIND not in place.path

    def _is_alone(self, statement: s.Stmt) -> bool:
        return any(holds(span, statement.span) for span in self._shared.alone)

    def _named(self, expr: s.Expr) -> set[Symbol]:
        return {e.symbol for e in surface_walk.walk(expr) if isinstance(e, s.VarRef) and e.symbol in self._parts}

    # ---- parts ------------------------------------------------------------------------------------------------------

    def _put_together(self, statement: s.Stmt) -> Iterator[Finding]:
        """What each thread does with its part, once in any order."""
        match statement:
            case s.Block() | s.Declare() | s.For(shared=None):
                for expr in surface_walk.own_expressions(statement):
                    yield from self._plain(expr)
                for inner in surface_walk.inner_statements(statement):
                    yield from self._put_together(inner)
            case s.Evaluate(expr=expr) if next(self._plain(expr), None) is None:
                pass
            case _ if not self._is_put_together(statement):
                parts = {p for e in surface_walk.expressions(statement) for p in self._named(e)} - self._reduced
                message = "how often this is done depends on how many of them there are"
                yield from _misused(parts, statement)
                yield Finding(CODE, message, _SINGLE, statement.span)
            case _:
                pass

    def _is_put_together(self, statement: s.Stmt) -> bool:
        match statement:
            case s.Evaluate(expr=s.Assign(target=target) | s.CompoundAssign(target=target)):
                root = self._root(target)
            case s.If(then=s.Block(statements=(s.Evaluate(expr=s.Assign(target=target)),))):
                root = self._root(target)
            case _:
                return False
        parts = {p for e in surface_walk.expressions(statement) for p in self._named(e)}
        operators = {self._parts[p] for p in parts}
        if root is None or root in self._own or parts <= {root} or len(operators) != 1:
            return False
        (operator,) = operators
        given = put_together(statement, root, operator)
        return given is not None and self._is_part(given, operator)

    def _is_part(self, expr: s.Expr, operator: str) -> bool:
        """Whether a value is a part, or for sums something that is proportional to parts."""
        match expr:
            case s.VarRef(symbol=symbol):
                return symbol in self._parts
            case s.Index(base=base, index=index):
                return self._is_part(base, operator) and not self._named(index)
            case s.Cast(operand=inner, type=type) | s.Temporary(operand=inner, type=type):
                is_exact = is_floating(type) or not is_floating(inner.type)
                return is_exact and self._is_part(inner, operator)
            case s.Unary(op=UnaryOp.NEG, operand=inner):
                return operator == "+" and self._is_part(inner, operator)
            case s.Binary(op=BinaryOp.ADD | BinaryOp.SUB, left=left, right=right):
                return operator == "+" and self._is_part(left, operator) and self._is_part(right, operator)
            case s.Binary(op=BinaryOp.MUL, left=left, right=right) if not self._named(left):
                return operator == "+" and is_floating(expr.type) and self._is_part(right, operator)
            case s.Binary(op=BinaryOp.MUL | BinaryOp.DIV, left=left, right=right) if not self._named(right):
                return operator == "+" and is_floating(expr.type) and self._is_part(left, operator)
            case _:
                return False

    def _begun(self, part: Symbol, value: s.Expr) -> Iterator[Finding]:
        """What a part begins with."""
        if not self._is_neutral(value, self._parts[part]):
            yield from _misused({part}, value)
        yield from self._plain(value)

    def _is_neutral(self, value: s.Expr, operator: str) -> bool:
        """Whether it makes no difference how often a value is put together with others by an operator."""
        while isinstance(value, s.Cast):
            value = value.operand
        if operator in ("max", "min", "&", "|", "&&", "||"):
            return not self._named(value)
        if isinstance(value, s.InitList):
            return operator != "*" and all(self._is_neutral(e, operator) for e in value.elements)
        return isinstance(value, s.Literal) and value.value == (operator == "*")

    def _root(self, target: s.Expr) -> Symbol | None:
        while isinstance(target, s.Index | s.Cast):
            target = target.base if isinstance(target, s.Index) else target.operand
        return target.symbol if isinstance(target, s.VarRef) else None


def _left(symbol: Symbol, where: s.Stmt | s.Expr) -> Finding:
    message = f"'{symbol.name}' is each thread's own: what this leaves there depends on the thread"
    hint = f"declare '{symbol.name}' in what is shared out, or outside of the region"
    return Finding(CODE, message, hint, where.span)


def _misused(parts: Iterable[Symbol], where: s.Stmt | s.Expr) -> Iterator[Finding]:
    for name in sorted(part.name for part in parts):
        yield Finding(CODE, f"'{name}' holds what one thread has of a loop", _PART, where.span)
