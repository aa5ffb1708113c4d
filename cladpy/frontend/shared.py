"""Loops whose iterations the threads of OpenMP share, read as one thread runs them.

A team of one thread is a legal execution of `parallel for`, and where iterations do not depend on each other all others
give the same, with the directive or without it. What has to hold for that stands in the loop (`surface.Shared`), and is
looked at when all is read (`order.apart`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.directives import Directive
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.loops import for_parts
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Binary, BinaryOp, Call, Declare, For, Shared, Stmt, VarRef
from cladpy.ir.surface_walk import walk
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import Scalar

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_LOOP = re.compile(r"omp (parallel for simd|parallel for|for simd|for|simd)\b(.*)")
_PARALLEL = re.compile(r"omp parallel\b(?! (?:for|sections|loop|master|masked|workshare)\b)(.*)")
_CLAUSE = re.compile(r"\s*(\w+)\s*(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?")
# Clauses: how the work is shared out, and what becomes of variables.
_KNOWN = frozenset(
    (
        *("schedule", "num_threads", "if", "proc_bind", "nowait", "collapse", "ordered", "order", "shared", "default"),
        *("safelen", "simdlen", "aligned", "nontemporal", "private", "firstprivate", "lastprivate", "reduction"),
    )
)
_OF_VARIABLES = ("private", "firstprivate", "lastprivate", "reduction")
_ONCE = re.compile(r"omp (?:single|master|masked)")
_EFFECTS = re.compile(r"\+\+|--|(?<![=<>!])=(?!=)|\b(?!omp_)\w+\s*\(")
_REDUCTION = re.compile(r"(?:default\s*,\s*)?([+*&|^-]|&&|\|\||min|max)\s*:(.*)")
_ITEM = re.compile(r"\s*(\w+)\s*(?:\[[^,]*\])?\s*")


@dataclass(frozen=True, slots=True)
class Clauses:
    """What a directive says: for each clause its text, in their order."""

    found: tuple[tuple[str, str], ...]

    @staticmethod
    def of(text: str) -> Clauses | None:
        """None for clauses that are not known here."""
        found, at = [], 0
        text = text.rstrip()
        while at < len(text):
            clause = _CLAUSE.match(text, at)
            if clause is None or clause[1] not in _KNOWN:
                return None
            name, given = clause[1], clause[2] or ""
            if name == "default" and given not in ("shared", "none"):
                return None
            if name in ("num_threads", "if", "schedule") and _EFFECTS.search(given):
                return None
            found.append((name, given))
            at = clause.end()
        return Clauses(tuple(found))

    def names(self, clause: str) -> list[str]:
        """The variables in clauses of this name. Raises ValueError for what is no variable."""
        return [_name(item) for name, given in self.found if name == clause for item in given.split(",")]

    @property
    def reductions(self) -> list[tuple[str, str]]:
        """The variables that are reduced, each with the operator. Raises ValueError for one of the user's own."""
        found = []
        for name, given in self.found:
            if name == "reduction":
                reduction = _REDUCTION.fullmatch(given)
                if reduction is None:
                    raise ValueError(given)
                found += [(_name(item), reduction[1]) for item in reduction[2].split(",")]
        return found


def _name(item: str) -> str:
    name = _ITEM.fullmatch(item)
    if name is None:
        raise ValueError(item)
    return name[1]


@dataclass(frozen=True, slots=True)
class Sharing:
    """Directives that make one loop's iterations the work of several threads or lanes."""

    directives: tuple[Directive, ...]
    clauses: Clauses
    is_parallel: bool  # not lanes of one thread only

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
    """The `parallel` around loops whose iterations its threads share; None for what is none."""
    if len(directives) != 1 or not directives[0].is_known:
        return None
    found = _PARALLEL.fullmatch(directives[0].text)
    clauses = None if found is None else Clauses.of(found[1])
    return None if clauses is None else Sharing(tuple(directives), clauses, is_parallel=True)


def read_directed(cursor: Cursor, directives: Sequence[Directive], scope: FunctionReader) -> list[Stmt]:
    """A statement with directives before it; where they may change a value, their refusal stands there too."""
    span = scope.files.span(cursor)
    if any(d.is_for_one_thread for d in directives):
        scope.alone.append(span)
    telling = [d for d in directives if not d.is_harmless]
    around = region(telling) if cursor.kind == CursorKind.COMPOUND_STMT else None
    if around is not None and all(_is_shared_out(child, around, scope) for child in cursor.children()):
        with scope.in_region(around):
            return scope.statements.plain(cursor)
    sharing = Sharing.of(telling, scope.region) if cursor.kind == CursorKind.FOR_STMT else None
    with scope.in_region(None):
        try:
            if sharing is not None:
                return _read_shared(cursor, span, sharing, scope)
        except Refused as refused:
            return scope.left_out(refused, span)
        return [*refusals(telling, scope), *scope.statements.plain(cursor)]


def refusals(directives: Sequence[Directive], scope: FunctionReader) -> list[Stmt]:
    """What stands for directives that may change a value."""
    telling = [d for d in directives if not d.is_harmless]
    return [left for d in telling for left in scope.left_out(d.refusal(), d.span)]


def _is_shared_out(cursor: Cursor, around: Sharing, scope: FunctionReader) -> bool:
    """Whether a statement of a parallel region is done once, by whichever threads."""
    directives = scope.directives.at(cursor.extent()[3])
    telling = [d for d in directives if not d.is_harmless]
    if cursor.kind == CursorKind.FOR_STMT and telling:
        return Sharing.of(telling, around) is not None
    has_own = any(name in _OF_VARIABLES for name, _ in around.clauses.found)
    return not telling and not has_own and any(_ONCE.fullmatch(d.text) for d in directives)


def _read_shared(cursor: Cursor, span: Span, sharing: Sharing, scope: FunctionReader) -> list[Stmt]:
    """A `for` statement that is shared. Raises Refused where a clause names what is not known here."""
    refusal = sharing.directives[-1].refusal()
    clauses = sharing.clauses
    try:
        reduced = clauses.reductions
        private, first, last = (clauses.names(c) for c in ("private", "firstprivate", "lastprivate"))
    except ValueError:
        raise refusal from None
    named = _named(cursor, scope)
    counting = _counters(cursor, clauses, scope, span)
    counters = [n for n in counting if n not in last and (sharing.is_parallel or n in private)]
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
        first=known(first),
        last=known(last),
        counters=known(counters),
        alone=(),
    )
    depth = len(scope.alone)
    statements = scope.statements.plain(cursor)
    shared = replace(shared, alone=tuple(scope.alone[depth:]))
    if sum(isinstance(s, For) for s in statements) != 1:
        raise refusal
    return [_with_fixed_end(replace(s, shared=shared)) if isinstance(s, For) else s for s in statements]


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


def _named(cursor: Cursor, scope: FunctionReader) -> dict[str, Cursor | None]:
    """The variables declared outside of a statement that it names; None for a name that several have."""
    path, start, end = scope.files.place(cursor)
    found: dict[str, Cursor | None] = {}
    waiting = [cursor]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.DECL_REF_EXPR:
            declared = here.referenced
            if declared.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                place, at, _ = scope.files.place(declared)
                if place != path or not start <= at < end:
                    known = found.setdefault(declared.spelling, declared)
                    if known is not None and known.key != declared.key:
                        found[declared.spelling] = None
        waiting += here.children()
    return found


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


def _counters(cursor: Cursor, clauses: Clauses, scope: FunctionReader, span: Span) -> list[str]:
    """The variables that the shared loops count with, where these are declared outside of them: each thread has its
    own."""
    depth = next((int(given) for name, given in clauses.found if name == "collapse"), 1)
    found: list[str] = []
    loop = cursor
    for _ in range(depth):
        if loop.kind != CursorKind.FOR_STMT:
            break
        parts = for_parts(loop, scope.files, span)
        init = parts.init
        if init is not None and init.kind != CursorKind.DECL_STMT and init.children():
            target = init.children()[0]
            if target.kind == CursorKind.DECL_REF_EXPR:
                found.append(target.spelling)
        loop = parts.body
        while loop.kind == CursorKind.COMPOUND_STMT and len(loop.children()) == 1:
            loop = loop.children()[0]
    return found
