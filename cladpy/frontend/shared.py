"""Loops whose iterations the threads of OpenMP share, read as one thread runs them.

A team of one thread is a legal execution of `parallel for`, and where iterations do not depend on each other all others
give the same, with the directive or without it. What has to hold for that stands in the loop (`surface.Shared`), and is
looked at when all is read (`order.apart`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.clauses import Clauses, counters, named_outside
from cladpy.frontend.copies import copied
from cladpy.frontend.directives import Directive
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.offloading import MAPPED
from cladpy.frontend.refused import Refused
from cladpy.frontend.sections import is_sections, read_sections
from cladpy.frontend.teams import Region as TeamRegion
from cladpy.frontend.teams import is_of_teams
from cladpy.ir.surface import Binary, BinaryOp, Block, Call, Declare, For, Region, Shared, Stmt, VarRef
from cladpy.ir.surface_walk import walk
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import Scalar

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_LOOP = re.compile(r"omp (parallel for simd|parallel for|parallel loop|for simd|for|loop|simd)\b(.*)")
_PARALLEL = re.compile(r"omp parallel\b(?! (?:for|sections|loop|master|masked|workshare)\b)(.*)")
_OF_VARIABLES = ("private", "firstprivate", "lastprivate", "reduction")
_ONCE = re.compile(r"omp (?:single|master|masked)(?: copyprivate\(([^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Sharing:
    """Directives that make one loop's iterations the work of several threads or lanes."""

    directives: tuple[Directive, ...]
    clauses: Clauses
    is_parallel: bool  # not lanes of one thread only
    is_read_as_one: bool = False  # a region, as one thread of it would run all

    @staticmethod
    def of(directives: Sequence[Directive], around: Sharing | None) -> Sharing | None:
        """None for what is no such loop, or has clauses that are not known here."""
        found: list[tuple[str, str]] = [] if around is None else [*around.clauses.found]
        is_parallel = False
        for directive in directives:
            loop, region = _LOOP.fullmatch(directive.text), _PARALLEL.fullmatch(directive.text)
            clauses = Clauses.of(loop[2] if loop is not None else region[1] if region is not None else "?")
            if clauses is None or not directive.is_known:
                return None
            is_parallel |= loop is None or loop[1] != "simd"
            found += clauses.found
        if not any(_LOOP.fullmatch(d.text) for d in directives):
            return None
        return Sharing(tuple(directives), Clauses(tuple(found)), is_parallel)


def region(directives: Sequence[Directive]) -> Sharing | None:
    """The `parallel` that these begin with; None for what is none."""
    if not directives or not directives[0].is_known:
        return None
    found = _PARALLEL.fullmatch(directives[0].text)
    clauses = None if found is None else Clauses.of(found[1])
    return None if clauses is None else Sharing((directives[0],), clauses, is_parallel=True)


def read_directed(cursor: Cursor, directives: Sequence[Directive], scope: FunctionReader) -> list[Stmt]:
    """A statement with directives before it; where they may change a value, their refusal stands there too."""
    span = scope.files.span(cursor)
    if any(d.is_for_one_thread for d in directives):
        scope.alone.append(span)
    scope.barriers += [d.span for d in directives if d.text == "omp barrier"]
    telling = [d for d in directives if not d.is_harmless]
    of_teams = [d for d in directives if is_of_teams(d)]
    if scope.team is not None and of_teams:
        left = [left for d in of_teams for left in scope.left_out(d.refusal(), d.span)]
        return [*left, *scope.statements.plain(cursor)]
    around = region(telling)
    if (
        around is not None
        and len(directives) == 1
        and cursor.kind == CursorKind.COMPOUND_STMT
        and all(_is_shared_out(child, around, scope) for child in cursor.children())
    ):
        with scope.in_region(around):
            return scope.statements.plain(cursor)
    sharing = Sharing.of(telling, scope.region) if cursor.kind == CursorKind.FOR_STMT else None
    of_others = scope.region is None or scope.region.is_read_as_one
    is_elsewhere = scope.region is None and not any("parallel" in d.text for d in directives)
    if scope.region is None and not any("parallel" in d.text for d in of_teams):
        scope.program.untold += [(d.refusal(), None) for d in of_teams]
    sections = next((d for d in telling if is_sections(d)), None)
    open_scopes = scope.destructors.depth
    with scope.in_region(None):
        try:
            if sharing is not None:
                return _read_shared(cursor, span, sharing, of_others, is_elsewhere, scope)
            if around is not None:
                return _read_region(cursor, [d for d in directives if d not in around.directives], around, scope)
            if sections is not None and len(telling) == 1:
                return [read_sections(cursor, sections, scope)]
        except Refused as refused:
            scope.destructors.abandon(open_scopes)
            return scope.left_out(refused, span)
        read = [*refusals(telling, scope), *scope.statements.plain(cursor)]
    once = next((found for d in directives if (found := _ONCE.match(d.text)) is not None), None)
    if once is None or not of_others:
        return read
    return [Block(tuple(read), span, is_once=True, given=_given(cursor, once[1], scope))]


def _given(cursor: Cursor, names: str | None, scope: FunctionReader) -> tuple[Symbol, ...]:
    """The variables of each thread's own that `copyprivate` names, and the statement."""
    declared = named_outside(cursor, scope) if names is not None else {}
    found = [declared.get(name.strip()) for name in (names or "").split(",")]
    symbols = [scope.symbol(cursor) for cursor in found if cursor is not None]
    return tuple(symbol for symbol in symbols if symbol is not None)


def refusals(directives: Sequence[Directive], scope: FunctionReader) -> list[Stmt]:
    """What stands for directives that may change a value."""
    telling = [d for d in directives if not d.is_harmless]
    return [left for d in telling for left in scope.left_out(d.refusal(), d.span)]


def _is_shared_out(cursor: Cursor, around: Sharing, scope: FunctionReader) -> bool:
    """Whether a statement of a parallel region is done once, by whichever threads, and all wait for it."""
    directives = scope.directives.at(cursor.extent()[3])
    if any(re.search(r"\bnowait\b", d.text) for d in directives):
        return False
    telling = [d for d in directives if not d.is_harmless]
    if cursor.kind == CursorKind.FOR_STMT and telling:
        return Sharing.of(telling, around) is not None
    has_own = any(name in _OF_VARIABLES for name, _ in around.clauses.found)
    return not telling and not has_own and any(_ONCE.fullmatch(d.text) for d in directives)


def _read_shared(
    cursor: Cursor, span: Span, sharing: Sharing, of_others: bool, is_elsewhere: bool, scope: FunctionReader
) -> list[Stmt]:
    """A `for` statement that is shared, by threads that are there anyway if `of_others`, for the whole function if
    `is_elsewhere`. Raises Refused where a clause names what is not known here."""
    refusal = sharing.directives[-1].refusal()
    clauses = sharing.clauses
    try:
        reduced, linear = clauses.reductions, clauses.linear
        private, first, last = (clauses.names(c) for c in ("private", "firstprivate", "lastprivate"))
    except ValueError:
        raise refusal from None
    named = named_outside(cursor, scope)
    counting = counters(cursor, clauses, scope, span)
    own_counters = [n for n in counting if n not in last and (sharing.is_parallel or n in private)]
    members = _members(cursor)

    def known(names: Sequence[str]) -> tuple[Symbol, ...]:
        """Those of the variables that the loop names."""
        found = []
        for name in names:
            declared = named.get(name)
            symbol = scope.symbol(declared) if declared is not None else None
            if symbol is not None:
                found.append(symbol)
            elif name in named or name in members:
                raise refusal
        return tuple(found)

    shared = Shared(
        directive=sharing.directives[-1].name,
        directive_span=sharing.directives[-1].span,
        is_parallel=sharing.is_parallel,
        reduced=tuple((symbol, operator) for name, operator in reduced for symbol in known([name])),
        private=known([name for name in private if name not in counting]),
        first=known(first) + (_copied_to_device(clauses, counting, named, scope) if clauses.says(MAPPED) else ()),
        last=known(last),
        counters=known(own_counters),
        alone=(),
        is_bound=of_others and sharing.is_parallel and not any("parallel" in d.text for d in sharing.directives),
        is_elsewhere=is_elsewhere and sharing.is_parallel,
        linear=tuple((symbol, step) for name, step in linear for symbol in known([name])),
    )
    depth = len(scope.alone)
    statements = scope.statements.plain(cursor)
    shared = replace(shared, alone=tuple(scope.alone[depth:]))
    if sum(isinstance(s, For) for s in statements) != 1:
        raise refusal
    return [_with_fixed_end(replace(s, shared=shared)) if isinstance(s, For) else s for s in statements]


def _copied_to_device(
    clauses: Clauses, counting: Sequence[str], named: Mapping[str, Cursor | None], scope: FunctionReader
) -> tuple[Symbol, ...]:
    """The scalars of which a device has copies of its own."""
    others = {name for clause in (MAPPED, *_OF_VARIABLES[:3]) for name in clauses.names(clause)}
    others |= {name for name, _ in (*clauses.reductions, *clauses.linear)} | {*counting}
    copied = [declared for name, declared in named.items() if declared is not None and name not in others]
    symbols = map(scope.symbol, copied)
    return tuple(symbol for symbol in symbols if symbol is not None and isinstance(symbol.type, Scalar))


def _read_region(cursor: Cursor, directives: Sequence[Directive], around: Sharing, scope: FunctionReader) -> list[Stmt]:
    """A region of which each thread does all that stands in it; the block has as another reading what one thread would
    do. `directives` stand between the region's and the statement."""
    span = scope.files.span(cursor)
    open_scopes = scope.destructors.depth
    with scope.directives.staying():
        try:
            each: list[Stmt] = [_read_team(cursor, directives, around, scope)]
        except Refused as refused:
            scope.destructors.abandon(open_scopes)
            each = scope.left_out(refused, span)
    depth, barriers = len(scope.alone), len(scope.barriers)
    try:
        with copied(cursor, around.clauses, scope, around.directives[-1].refusal()) as copies:
            as_one = Sharing(around.directives, Clauses(()), is_parallel=True, is_read_as_one=True)
            with scope.in_region(as_one):
                read = scope.statements.directed(cursor, directives)
    except Refused:
        scope.destructors.abandon(open_scopes)
        return each
    shared = _of_region(around, copies.reduced, scope.alone[depth:])
    one = Region(shared, Block((*copies.declared, *read), span), tuple(scope.barriers[barriers:]))
    return [Block(tuple(each), span, region=one)]


def _read_team(cursor: Cursor, directives: Sequence[Directive], around: Sharing, scope: FunctionReader) -> For:
    """The loop over a region's threads. Raises Refused where something in it is not known."""
    scope.has_teams = True
    team = TeamRegion(cursor, around.directives[-1], around.clauses, scope)
    depth = len(scope.alone)
    with scope.in_team(team.team):
        loop, waits = team.read(directives)
    shared = _of_region(around, team.team.reduced, scope.alone[depth:])
    return replace(loop, shared=replace(shared, waits=waits))


def _of_region(around: Sharing, reduced: Sequence[tuple[Symbol, str]], alone: Sequence[Span]) -> Shared:
    directive = around.directives[-1]
    return Shared(
        directive=directive.name,
        directive_span=directive.span,
        is_parallel=True,
        reduced=tuple(reduced),
        private=(),
        first=(),
        last=(),
        counters=(),
        alone=tuple(alone),
    )


_COMPARED = (BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.NE)


def _with_fixed_end(loop: For) -> For:
    """The loop with a variable for what it counts up to, where functions are called for that: OpenMP asks that it does
    not change, and as a value it says how often the loop runs."""
    test = loop.condition
    if not isinstance(test, Binary) or test.op not in _COMPARED:
        return loop
    sides = [test.left, test.right]
    calls = [any(isinstance(e, Call) for e in walk(side)) for side in sides]
    if sum(calls) != 1 or not isinstance(sides[calls.index(True)].type, Scalar):
        return loop
    end = sides[calls.index(True)]
    fixed = Symbol("end", end.type, Role.VARIABLE, end.span)
    sides[calls.index(True)] = VarRef(fixed, end.type, end.span)
    condition = replace(test, left=sides[0], right=sides[1])
    return replace(loop, init=(*loop.init, Declare(fixed, end, end.span)), condition=condition)


def _members(cursor: Cursor) -> set[str]:
    """The members that a statement names."""
    found: set[str] = set()
    waiting = [cursor]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.MEMBER_REF_EXPR:
            found.add(here.spelling)
        waiting += here.children()
    return found
