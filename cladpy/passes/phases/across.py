"""What each thread has to have from phase to phase.

A variable that several phases name, or that threads bring to what they do together, is held: there is one for each
thread. What is made of the thread's index and of what is the same for all, such as indices, is made again in each
phase: that takes less time than memory, and lets compilers see which elements threads come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import replace

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, changed, defined, mentions, touched_roots
from cladpy.ir.core import Value
from cladpy.ir.flow import changed_in
from cladpy.ir.phases import Count, If, Loop, Meet, Node, Nodes, Once, Phase, Phases, every
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import Opaque, Scalar, is_floating, is_half, size_of
from cladpy.ir.walk import subexpressions, substitute, values
from cladpy.passes.phases.rows import in_rows
from cladpy.passes.phases.unread import without_unread

# What threads hold has to lie on the stack of a worker: bytes of a thread, at most.
MOST = 384
# What takes sine and cosine of a number together, bytes.
_TURN = 16
# How many operations are made again rather than held.
_CHEAP = 16


def with_held(nodes: Nodes, *, tape: bool) -> Phases | None:
    """The phases with what they hold; None where that is too much, or where something is to last from phase to phase
    that cannot be held."""
    return _with_held(_map(nodes, _adding_behind), tape) or _with_held(nodes, tape)


def _adding_behind(phase: Phase) -> Phase:
    """A phase whose threads hold what they add to sums of a piece, and where. As long as each asks whether there is
    room for its element, the loop over them is none of vectors."""
    body: list[code.Statement] = []
    places: dict[core.Expr, Value] = {}
    added: list[code.AddElement] = []
    beside = any(isinstance(s, code.AddElement) and s.beside for s in phase.body)
    for s in phase.body:
        if beside or not isinstance(s, code.AddElement) or not _is_plain_sum(s):
            body.append(s)
            continue
        if s.index not in places:
            places[s.index] = Value("_at", s.index.type)
            body.append(code.Define(places[s.index], s.index))
        value = Value("_added", s.expr.type)
        body.append(code.Define(value, s.expr))
        added.append(replace(s, index=core.Use(places[s.index]), expr=core.Use(value)))
    return replace(phase, body=tuple(body), added=tuple(added))


def _is_plain_sum(s: code.AddElement) -> bool:
    half = is_half(s.root.adjoint_cell) or is_half(s.expr.type)
    return s.privatised and s.row is None and not s.optional and not half


def _with_held(nodes: Nodes, tape: bool) -> Phases | None:
    phases = [n for n in every(nodes) if isinstance(n, Phase)]
    of_all = {v for n in every(nodes) for v in _of_all(n)}
    own = {v for p in phases for v in _defined(p.body)}
    got = {n.variable for n in every(nodes) if isinstance(n, Meet) and not n.alike}
    met = {v for n in every(nodes) for v in _met(n)} & (own | got) - of_all  # parameters are the same for all
    crossing = met | own & {v for p in phases for v in _from_outside(p)}
    again = _Again(nodes, phases, crossing - met, met).all()
    held = _in_order(crossing - again.keys())
    arrays = _arrays(phases)
    size = sum(size_of(v.type) if isinstance(v.type, Scalar) else _TURN for v in held)
    size += sum(size_of(a.root.adjoint_cell if a.adjoint else a.root.element) * (a.root.length or 1) for a in arrays)
    numbers = all(isinstance(v.type, Scalar | Opaque) for v in held)
    twice = not of_all.isdisjoint(own | met)  # declared for all threads in one place and for each in another
    if not numbers or twice or size > MOST or _has_more(phases):
        return None
    return Phases(_map(nodes, lambda p: _finished(p, again, frozenset(held))), held, arrays, tape)


def _met(node: Node) -> Iterator[Value]:
    """What is asked for each thread by what is done for all of them."""
    match node:
        case Meet(_, arguments, variable, under, alike):
            yield from (v for e in arguments for v in values(e))
            if not alike:
                yield variable
            if under is not None:
                yield under
        case Phase(_, under, added=added):
            yield from (v for s in added for v in mentions(s))
            if under is not None:
                yield under
        case _:
            pass


def _of_all(node: Node) -> Iterator[Value]:
    """What is the same for all threads, where it is declared."""
    match node:
        case Once(statement):
            yield from defined(statement)
        case Meet(_, _, variable, _, True) | Count(variable):
            yield variable
        case _:
            pass


def _from_outside(phase: Phase) -> set[Value]:
    """The variables that a phase names and does not declare."""
    return {v for s in phase.body for v in mentions(s)}.difference(_defined(phase.body))


def _defined(block: code.Block) -> Iterator[Value]:
    return (v for s in all_statements(block) for v in defined(s))


class _Again:
    """What variables are made of that are made again."""

    def __init__(self, nodes: Nodes, phases: list[Phase], crossing: set[Value], met: set[Value]) -> None:
        bodies = [*(p.body for p in phases), tuple(n.statement for n in every(nodes) if isinstance(n, Once))]
        self._crossing = crossing
        self._own = met | {v for p in phases for v in _defined(p.body)}
        # what changes may be another when it is asked again
        self._changing = {v for body in bodies for v in changed_in(body)}
        self._made: dict[Value, core.Expr | None] = {}
        for p in phases:
            for s in all_statements(p.body):
                for v in defined(s):
                    init = s.init if isinstance(s, code.Define) and not isinstance(s.init, code.LOADED) else None
                    self._made[v] = init if self._made.get(v, init) == init else None

    def all(self) -> dict[Value, core.Expr]:
        return {v: whole for v in self._crossing if (whole := self._made_again(v)) is not None}

    def _made_again(self, variable: Value) -> core.Expr | None:
        made = self._made.get(variable)
        if made is None or variable in self._changing or is_floating(variable.type):
            return None
        whole = self._written_out(made)
        return whole if whole is not None and sum(1 for _ in subexpressions(whole)) <= _CHEAP else None

    def _written_out(self, expr: core.Expr, depth: int = 0) -> core.Expr | None:
        """An expression without the variables of threads; None where it cannot be made again, or not for little."""
        mapping: dict[Value, core.Expr] = {}
        for e in subexpressions(expr):
            if isinstance(e, core.Math | core.Formula | core.OfPointer) or _may_trap(e):
                return None
            if isinstance(e, core.Use):
                if e.value in self._changing or depth > _CHEAP:
                    return None
                if e.value in self._own:
                    made = self._made.get(e.value)
                    inner = None if made is None else self._written_out(made, depth + 1)
                    if inner is None:
                        return None
                    mapping[e.value] = inner
        return substitute(expr, mapping)


def _may_trap(e: core.Expr) -> bool:
    if not isinstance(e, core.Binary) or e.op not in (BinaryOp.DIV, BinaryOp.REM):
        return False
    return not (isinstance(e.right, core.Const) and bool(e.right.value))


def _finished(phase: Phase, again: dict[Value, core.Expr], held: frozenset[Value]) -> Phase:
    """A phase that makes again, loads and stores what it has to."""
    given = _from_outside(phase)
    made = (code.Define(v, again[v]) for v in _in_order(again.keys() & given))
    changes = {v for s in all_statements(phase.body) for v in changed(s)} & given
    begun = {v for s in phase.body for v in defined(s)}
    stored = held & (changes | begun)
    body = without_unread((*made, *phase.body), stored)
    left = replace(phase, body=body, stored=_in_order(stored))
    return in_rows(replace(left, loaded=_in_order(held & (_from_outside(left) | stored & given))))


def _in_order(variables: Set[Value]) -> tuple[Value, ...]:
    return tuple(sorted(variables, key=lambda v: v.number))


def _map(nodes: Nodes, f: Callable[[Phase], Phase]) -> Nodes:
    out: list[Node] = []
    for node in nodes:
        match node:
            case Phase():
                out.append(f(node))
            case If(condition, then, other):
                out.append(If(condition, _map(then, f), _map(other, f)))
            case Loop(before, condition, body):
                out.append(Loop(_map(before, f), condition, _map(body, f)))
            case Count(variable, count, body):
                out.append(Count(variable, count, _map(body, f)))
            case _:
                out.append(node)
    return tuple(out)


def _arrays(phases: list[Phase]) -> tuple[code.DeclareArray, ...]:
    """The arrays of a thread that several phases name."""
    found: dict[tuple[core.Root, bool], code.DeclareArray] = {}
    for s in (s for p in phases for s in all_statements(p.body) if isinstance(s, code.DeclareArray)):
        key = (s.root.storage, s.adjoint)
        if sum(any(key in _local(t) for t in all_statements(p.body)) for p in phases) > 1:
            found.setdefault(key, s)
    return tuple(found.values())


def _local(s: code.Statement) -> set[tuple[core.Root, bool]]:
    found = {(root.storage, adjoint) for root, adjoint in touched_roots(s)}
    if isinstance(s, code.DeclareArray):
        found.add((s.root.storage, s.adjoint))
    return found


def _has_more(phases: list[Phase]) -> bool:
    """Whether states that a loop keeps on chip are asked for in another phase."""
    kept = [
        {id(s.states) for s in all_statements(p.body) if isinstance(s, code.DeclareStates | code.Keep | code.Rewind)}
        for p in phases
    ]
    return any(one & other for k, one in enumerate(kept) for other in kept[:k])
