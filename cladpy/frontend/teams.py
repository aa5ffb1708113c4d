"""Parallel regions of which each thread runs more than its part of loops: a loop over the threads of the team.

One thread after the other runs all of it. What threads share out in it is the thread's own part, as OpenMP's static
schedule has it: its iterations of a loop; and `single` is the first one's. Where threads wait for each other, nothing
may go from one side to the other (`order.apart`), so that a thread needs no other to have come there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.clause_values import value_of
from cladpy.frontend.clauses import Clauses, counters
from cladpy.frontend.conversions import convert
from cladpy.frontend.copies import copied
from cladpy.frontend.destructors import Around
from cladpy.frontend.directives import Directive
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.ir.surface import (
    Assign,
    Binary,
    BinaryOp,
    Block,
    Call,
    Cast,
    CompoundAssign,
    Conditional,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    IncDec,
    Literal,
    Stmt,
    VarRef,
)
from cladpy.ir.symbols import TEAM, Role, Symbol
from cladpy.ir.types import BOOL, INT, LONG, Scalar, is_integer

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

# What means something else, or nothing, where no team is around it.
_OF_TEAMS = re.compile(r"omp (?:for|sections?|single|master|masked|barrier|ordered|parallel|workshare|scope|loop)\b")
_LOOP = re.compile(r"omp for(?: simd)?\b(.*)")
_FIRST = re.compile(r"omp (?:single( nowait)?|master|masked)")
_WAITS = "omp barrier"
# Clauses of a region, and of a loop in it, that are known here.
_OF_REGION = frozenset(("if", "num_threads", "shared", "default", "private", "firstprivate", "reduction", "proc_bind"))
_OF_LOOP = frozenset(
    ("schedule", "nowait", "private", "firstprivate", "reduction", "safelen", "simdlen", "aligned", "nontemporal")
)


@dataclass(slots=True)
class Team:
    """The threads of a region that is being read."""

    thread: Symbol
    size: Symbol
    reduced: list[tuple[Symbol, str]] = field(default_factory=list)

    def asked(self, name: str, span: Span) -> Expr | None:
        """What a function of OpenMP's gives in the region; None for others."""
        symbol = {"omp_get_thread_num": self.thread, "omp_get_num_threads": self.size}.get(name)
        return None if symbol is None else VarRef(symbol, INT, span)


def is_of_teams(directive: Directive) -> bool:
    """Whether a directive says how the threads of the team around it go on."""
    return _OF_TEAMS.match(directive.text) is not None


class Region:
    """One region."""

    def __init__(self, cursor: Cursor, directive: Directive, clauses: Clauses, scope: FunctionReader) -> None:
        """Raises Refused for clauses that are not known here."""
        self._cursor = cursor
        self._refusal = directive.refusal()
        self._scope = scope
        self._span = scope.files.span(cursor)
        if any(name not in _OF_REGION for name, _ in clauses.found):
            raise self._refusal
        self._asked = self._threads(dict(clauses.found))
        self._clauses = clauses
        self._waits: list[int] = []  # before which of the statements threads wait for each other
        self.team = Team(self._own("thread", INT), self._own("threads", INT))

    def read(self, directives: Sequence[Directive]) -> tuple[For, tuple[int, ...]]:
        """The loop over the threads, and where in its body they wait for each other; `directives` are those that stand
        between the region's and the statement."""
        scope, span = self._scope, self._span
        scope.destructors.enter(Around.LOOP)
        with copied(self._cursor, self._clauses, scope, self._refusal) as copies:
            statements = copies.declared
            self.team.reduced += copies.reduced
            if directives:
                self._statement(self._cursor, directives, statements)
            elif self._cursor.kind == CursorKind.COMPOUND_STMT:
                for child in self._cursor.children():
                    self._statement(child, scope.directives.before(child.extent()[3]), statements)
                scope.directives.before(self._cursor.extent()[6] - 1)  # at the end all wait anyway
            else:
                statements += scope.statements.plain(self._cursor)
        body = Block(tuple(scope.destructors.leave(statements, span)), span)
        thread, size = (VarRef(symbol, INT, span) for symbol in (self.team.thread, self.team.size))
        init = (
            Declare(self.team.size, Call(TEAM, (self._asked,), INT, span), span),
            Declare(self.team.thread, Literal(0, INT, span), span),
        )
        step = IncDec(thread, 1, True, INT, span)
        loop = For(init, Binary(BinaryOp.LT, thread, size, BOOL, span), step, body, span)
        return loop, tuple(w for w in dict.fromkeys(self._waits) if 0 < w < len(statements))

    def _threads(self, given: dict[str, str]) -> Expr:
        """How many threads the region asks for; zero for none in particular."""
        none, one = (Literal(number, INT, self._span) for number in (0, 1))
        asked: Expr | None = self._scope.threads or none
        if "num_threads" in given:
            asked = value_of(given["num_threads"], INT, self._scope, self._span)
        condition = given["if"].removeprefix("parallel:") if "if" in given else "1"
        is_many = value_of(condition, BOOL, self._scope, self._span)
        if asked is None or is_many is None:
            raise self._refusal
        return asked if "if" not in given else Conditional(is_many, asked, one, INT, self._span)

    def _own(self, name: str, type: Scalar) -> Symbol:
        return Symbol(name, type, Role.VARIABLE, self._span)

    def _statement(self, cursor: Cursor, directives: Sequence[Directive], statements: list[Stmt]) -> None:
        """One of the region, with what stands before it."""
        shared, first, rest = None, None, []
        for directive in directives:
            if directive.text == _WAITS:
                self._waits.append(len(statements))
            elif _LOOP.fullmatch(directive.text) and directive.is_known:
                shared = directive
            elif _FIRST.fullmatch(directive.text):
                first = directive
            else:
                rest.append(directive)
        span = self._scope.files.span(cursor)
        if shared is not None and first is None and not rest and cursor.kind == CursorKind.FOR_STMT:
            statements += self._shared_out(cursor, shared, span)
            if " nowait" not in shared.text:
                self._waits.append(len(statements))
            return
        if shared is not None:
            raise shared.refusal()
        read = self._scope.statements.directed(cursor, rest)
        if first is not None:
            self._scope.alone.append(span)
            thread = VarRef(self.team.thread, INT, span)
            is_first = Binary(BinaryOp.EQ, thread, Literal(0, INT, span), BOOL, span)
            read = [If(is_first, Block(tuple(read), span), None, span)]
        statements += read
        if first is not None and first.text == "omp single":
            self._waits.append(len(statements))

    # ---- loops ------------------------------------------------------------------------------------------------------

    def _shared_out(self, cursor: Cursor, directive: Directive, span: Span) -> list[Stmt]:
        """A loop of which each thread runs its part. Raises Refused where it does not count by a step to an end."""
        said = _LOOP.fullmatch(directive.text)
        clauses = None if said is None else Clauses.of(said[1])
        refusal = directive.refusal()
        if clauses is None or any(name not in _OF_LOOP for name, _ in clauses.found):
            raise refusal
        counting = counters(cursor, clauses, self._scope, span)
        with copied(cursor, clauses, self._scope, self._refusal, counting) as copies:
            self.team.reduced += copies.reduced
            read = self._scope.statements.plain(cursor)
            loops = [s for s in read if isinstance(s, For)]
            part = self._part(loops[0], span) if len(loops) == 1 else None
            if part is None:
                raise refusal
            done = [new for s in read for new in (part if s is loops[0] else [s])]
            return [Block((*copies.declared, *done), span)] if copies.declared else done

    def _part(self, loop: For, span: Span) -> list[Stmt] | None:
        """The iterations of this thread."""
        counted = _counted(loop)
        if counted is None:
            return None
        names = ("first", "step", "trips", "whole", "rest", "from", "to", "turn")
        first, step, trips, whole, rest, begin, end, turn = (VarRef(self._own(n, LONG), LONG, span) for n in names)
        one = Literal(1, LONG, span)

        def of(op: BinaryOp, left: Expr, right: Expr) -> Expr:
            return Binary(op, left, right, LONG, span)

        def let(name: VarRef, value: Expr) -> Declare:
            return Declare(name.symbol, value, span)

        last = convert(counted.end, LONG)
        room = of(BinaryOp.SUB, last, first) if counted.up else of(BinaryOp.SUB, first, last)
        fill = step if counted.inclusive else of(BinaryOp.SUB, step, one)
        thread, size = (convert(VarRef(s, INT, span), LONG) for s in (self.team.thread, self.team.size))
        has_more = Binary(BinaryOp.LT, thread, rest, BOOL, span)
        more = Conditional(has_more, one, Literal(0, LONG, span), LONG, span)
        before = Conditional(has_more, thread, rest, LONG, span)
        distance = of(BinaryOp.MUL, turn, step)
        value = convert(of(BinaryOp.ADD if counted.up else BinaryOp.SUB, first, distance), counted.symbol.type)
        given: Stmt = Declare(counted.symbol, value, span)
        if not counted.is_declared:
            target = VarRef(counted.symbol, counted.symbol.type, span)
            given = Evaluate(Assign(target, value, target.type, span), span)
        own = For(
            (let(turn, begin),),
            Binary(BinaryOp.LT, turn, end, BOOL, span),
            IncDec(turn, 1, True, LONG, span),
            replace(loop.body, statements=(given, *loop.body.statements)),
            loop.span,
        )
        return [
            let(first, convert(counted.begin, LONG)),
            let(step, convert(counted.step, LONG)),
            let(trips, of(BinaryOp.DIV, of(BinaryOp.ADD, room, fill), step)),
            let(whole, of(BinaryOp.DIV, trips, size)),
            let(rest, of(BinaryOp.REM, trips, size)),
            let(begin, of(BinaryOp.ADD, of(BinaryOp.MUL, thread, whole), before)),
            let(end, of(BinaryOp.ADD, of(BinaryOp.ADD, begin, whole), more)),
            own,
        ]


@dataclass(frozen=True, slots=True)
class _Counted:
    """A loop that counts with an integer, by a step to an end."""

    symbol: Symbol
    is_declared: bool  # in the loop
    begin: Expr
    end: Expr
    step: Expr
    up: bool
    inclusive: bool


_MIRRORED = {
    BinaryOp.LT: BinaryOp.GT,
    BinaryOp.LE: BinaryOp.GE,
    BinaryOp.GT: BinaryOp.LT,
    BinaryOp.GE: BinaryOp.LE,
}


def _counted(loop: For) -> _Counted | None:
    match loop.init:
        case (Declare(symbol=symbol, init=begin),) if begin is not None:
            is_declared = True
        case (Evaluate(expr=Assign(target=VarRef(symbol=symbol), value=begin)),):
            is_declared = False
        case _:
            return None
    test, step = loop.condition, _step(loop.step, symbol)
    if not is_integer(symbol.type) or not isinstance(test, Binary) or test.op not in _MIRRORED or step is None:
        return None
    op, end = test.op, test.right
    if not _is(test.left, symbol):
        if not _is(test.right, symbol):
            return None
        op, end = _MIRRORED[op], test.left
    up = op in (BinaryOp.LT, BinaryOp.LE)
    if up != step[1]:
        return None
    return _Counted(symbol, is_declared, begin, end, step[0], up, op in (BinaryOp.LE, BinaryOp.GE))


def _step(step: Expr | None, symbol: Symbol) -> tuple[Expr, bool] | None:
    """By how much a loop counts, and whether up."""
    match step:
        case IncDec(target=target, delta=delta) if _is(target, symbol):
            return Literal(1, LONG, step.span), delta > 0
        case CompoundAssign(op=BinaryOp.ADD | BinaryOp.SUB as op, target=target, value=value) if _is(target, symbol):
            return value, op is BinaryOp.ADD
        case Assign(target=target, value=value) if _is(target, symbol):
            inner = _bare(value)
            if isinstance(inner, Binary) and inner.op in (BinaryOp.ADD, BinaryOp.SUB):
                if _is(inner.left, symbol):
                    return inner.right, inner.op is BinaryOp.ADD
                if _is(inner.right, symbol) and inner.op is BinaryOp.ADD:
                    return inner.left, True
    return None


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def _is(expr: Expr, symbol: Symbol) -> bool:
    bare = _bare(expr)
    return isinstance(bare, VarRef) and bare.symbol is symbol
