"""A kernel's body, divided where the threads of a block wait for each other.

    v = x[i];                        for each thread { v = x[i]; held_v[t] = v; }
    __syncthreads();         to
    y[i] = v * s[0];                 for each thread { v = held_v[t]; y[i] = v * s[0]; }

Threads of a phase come one after the other, which is one of the orders that they may come in. What waits may stand in
branches and loops. Where all threads take these alike they stand around the phases, with what they depend on, once for
the block. Else each thread notes whether it takes them, and phases inside are for those that do: as long as there are
any. So is a loop in which nobody waits, but whose threads go along memory together, a row of elements after the other
(`striding.py`): one after the other, each would go through all of it.

`across.py` finds what each thread has to have from phase to phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, expressions, inner_blocks, mentions
from cladpy.ir.core import Value
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.phases import Count, If, Loop, Meet, Node, Nodes, Once, Phase, Phases, every
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import BOOL, LONG
from cladpy.ir.walk import subexpressions
from cladpy.passes.phases.across import with_held
from cladpy.passes.phases.alike import Alike, counts_alike
from cladpy.passes.phases.steady import steady_loads, steady_loops
from cladpy.passes.phases.striding import Stride, stride_of, turn_of

# What threads do together that can be done for all of them at once: see <cladpy/host/phases.h>.
_SHUFFLES = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
_KNOWN = frozenset(
    (
        *(f"__{name}_sync" for name in _SHUFFLES),
        *(f"cladpy::{name}_adjoint{any}" for name in _SHUFFLES for any in ("", "_of_any")),
        "__ballot_sync",
        "__any_sync",
        "__all_sync",
        "__uni_sync",
        "__match_any_sync",
        "cladpy::match_all",
        *(f"__reduce_{name}_sync" for name in ("add", "min", "max", "and", "or", "xor")),
        "cladpy::warp_sum",
        "cladpy::block_sum",
    )
)
_OF_BLOCK = frozenset(("cladpy::block_sum",))
_WAITING = frozenset(("cladpy::halved_sum_pullback",))  # among the functions that are called
_TOGETHER = "cladpy::first_of_halved_sum_pullback"  # another one, which all threads of the block come to


def in_phases(block: code.Block) -> Phases | None:
    """The body of a kernel for a whole block; None where its threads do not wait, or for what cannot be divided so."""
    statements = list(all_statements(block))
    if not any(_waits(s) for s in statements) or any(_is_foreign(s) for s in statements):
        return None
    meeting: set[code.Statement] = set()
    _around(block, _stands_alone, meeting)
    first = Alike(block, meeting.__contains__)
    found = {s: stride for s in statements if s not in meeting and (stride := stride_of(s, block, first)) is not None}
    strides = {s: stride for s, stride in found.items() if found.keys().isdisjoint(_inside(s))}
    _around(block, lambda s: _stands_alone(s) or s in strides, meeting)
    if any(isinstance(s, code.Rewind) for s in meeting):  # from which step on states are made again, each thread finds
        return None
    loads = steady_loads(block, meeting)
    meeting |= steady_loops(block, meeting, loads)
    divider = _Divider(Alike(block, meeting.__contains__, loads), meeting, strides)
    nodes = divider.block(block, None)
    return with_held(nodes, tape=any(isinstance(s, code.Push | code.Pop) for s in statements))


def computes_in_loops_over_threads(block: code.Block) -> bool:
    """Whether a kernel's body becomes loops over the threads of a block, and calls functions of numbers in these alone,
    but not in loops of each thread's own."""
    phases = in_phases(block)
    if phases is None:
        return False
    loops = (s for n in every(phases.nodes) if isinstance(n, Phase) for s in all_statements(n.body) if _is_loop(s))
    inside = (e for loop in loops for s in all_statements((loop,)) for e in expressions(s))
    return not any(isinstance(part, core.Math | core.Formula) for e in inside for part in subexpressions(e))


def _is_loop(s: code.Statement) -> bool:
    return isinstance(s, code.While | code.CountDown)


def _waits(s: code.Statement) -> bool:
    return s.effects.waits.somebody or (isinstance(s, code.CallPullback) and s.name in _WAITING)


def _stands_alone(s: code.Statement) -> bool:
    """Whether it stands between phases."""
    if isinstance(s, code.CallPullback):
        return s.name in _WAITING or s.name == _TOGETHER
    return _waits(s) or (isinstance(s, code.DeclareArray) and s.root.kind is core.RootKind.SHARED)


def _is_foreign(s: code.Statement) -> bool:
    """Whether it may wait in a way that is not known here."""
    match s:
        case code.Define(_, code.Together(name)):
            return name not in _KNOWN
        case code.Define(_, code.UserCall()) | code.Invoke():
            return True
        case code.CallPullback(name):
            return name != _TOGETHER
        case _:
            return False


def _inside(s: code.Statement) -> Iterator[code.Statement]:
    return (t for block in inner_blocks(s) for t in all_statements(block))


def _around(block: code.Block, wanted: Callable[[code.Statement], bool], found: set[code.Statement]) -> bool:
    """Adds the wanted statements, and those around them, to what was found."""
    any_here = False
    for s in block:
        inside = [_around(b, wanted, found) for b in inner_blocks(s)]
        if wanted(s) or any(inside):
            found.add(s)
            any_here = True
    return any_here


@dataclass(slots=True)
class _List:
    """Nodes that are being made for a list of statements: the last ones of these are pending until a phase ends."""

    under: Value | None
    nodes: list[Node] = field(default_factory=list)
    pending: list[code.Statement] = field(default_factory=list)

    def flush(self) -> None:
        if any(not isinstance(s, code.Comment) for s in self.pending):
            self.nodes.append(Phase(tuple(self.pending), self.under))
        self.pending = []

    def add(self, *nodes: Node) -> None:
        self.flush()
        self.nodes += nodes


@dataclass(frozen=True, slots=True)
class _Divider:
    alike: Alike
    meeting: set[code.Statement]
    strides: dict[code.Statement, Stride]

    def block(self, block: code.Block, under: Value | None) -> Nodes:
        out = _List(under)
        stepping = {stride.variable for stride in self.strides.values()}
        for s in block:
            if s in self.meeting:
                self._meeting(s, out)
            elif isinstance(s, code.Define) and s.variable in stepping:
                pass  # each turn has a variable of its own
            elif isinstance(s, code.Define) and self.alike.variable(s.variable) and self.alike.defined(s):
                out.nodes.append(Once(s))  # what is pending changes nothing that it is made of
            elif isinstance(s, code.Assign | code.Add) and self.alike.variable(s.variable):
                if any(s.variable in mentions(p) for p in out.pending):
                    out.flush()
                out.nodes.append(Once(s))
            else:
                out.pending.append(s)
        out.flush()
        return tuple(out.nodes)

    def _meeting(self, s: code.Statement, out: _List) -> None:
        match s:
            case code.DeclareArray() | code.CallPullback():
                out.add(Once(s))
            case code.Synchronize(callee, predicate, variable):
                if predicate is not None and variable is not None:
                    given = self._given((predicate,), out)
                    out.add(Meet(callee.qualified_name, given, variable, out.under, alike=True))
                out.flush()
            case code.Define(variable, code.Together(name, arguments)):
                given = self._given(arguments, out)
                out.add(Meet(name, given, variable, out.under, alike=name in _OF_BLOCK))
            case code.Branch():
                self._branch(s, out)
            case code.While():
                self._while(s, out)
            case code.CountDown():
                self._count_down(s, out)
            case _:
                out.flush()  # what orders memory within a warp

    def _given(self, arguments: tuple[core.Expr, ...], out: _List) -> tuple[core.Expr, ...]:
        """The arguments of what threads do together: what is the same for all, or a variable that each has."""
        given: list[core.Expr] = []
        for e in arguments:
            if not self.alike.expr(e) and not isinstance(e, core.Use):
                variable = Value("_given", e.type)
                out.pending.append(code.Define(variable, e))
                e = core.Use(variable)
            given.append(e)
        return tuple(given)

    # ---- branches and loops ------------------------------------------------------------------------------------------

    def _branch(self, s: code.Branch, out: _List) -> None:
        if self.alike.expr(s.condition):
            out.add(If(s.condition, self.block(s.then, out.under), self.block(s.other, out.under)))
            return
        taken = self._noted("_taken", s.condition, out)
        left = self._noted("_left", unary(UnaryOp.NOT, s.condition, BOOL), out) if s.other else None
        out.add(*self._for_any(taken, self.block(s.then, taken)))
        if left is not None:
            out.add(*self._for_any(left, self.block(s.other, left)))

    def _noted(self, name: str, condition: core.Expr, out: _List) -> Value:
        """Whether each thread comes here and finds that the condition holds."""
        note = Value(name, BOOL)
        if out.under is None:
            out.pending.append(code.Define(note, condition))
        else:
            out.add(Phase((code.Define(note, core.Const(False, BOOL), mutable=True),)))
            out.pending.append(code.Assign(note, condition))
        out.flush()
        return note

    def _for_any(self, note: Value, nodes: Nodes) -> tuple[Node, ...]:
        """Nodes that are for the threads of a note: where there are any, so that what is done once for all of them is
        done by one at least."""
        some = Value("_some", BOOL)
        return Meet("any", (core.Use(note),), some, alike=True), If(core.Use(some), nodes)

    def _while(self, s: code.While, out: _List) -> None:
        if self.alike.expr(s.condition):
            out.add(Loop(self.block(s.before, out.under), s.condition, self.block(s.body, out.under)))
            return
        there = self._noted("_there", core.Const(True, BOOL), out)
        some = Value("_some", BOOL)
        stride = self.strides.get(s)
        before: list[Node]
        if stride is not None:
            turn = turn_of(s, stride)
            out.add(*map(Once, turn.begin))
            goes_on = (code.Define(turn.place, turn.at), code.Assign(there, turn.goes_on))
            before = [*map(Once, turn.each), Phase(goes_on, there)]
            body: Nodes = (*self.block(turn.body, there), *map(Once, turn.end))
        else:
            before = [*self.block(s.before, there), Phase((code.Assign(there, s.condition),), there)]
            body = self.block(s.body, there)
        before.append(Meet("any", (core.Use(there),), some, alike=True))
        out.add(Loop(tuple(before), core.Use(some), body))

    def _count_down(self, s: code.CountDown, out: _List) -> None:
        if counts_alike(s, self.alike):
            out.add(Count(s.variable, s.count, self.block(s.body, out.under)))
            return
        count = Value("_count", LONG)
        out.pending.append(code.Define(count, cast(s.count, LONG)))
        most = Value("_most", LONG)
        out.add(Meet("largest", (core.Use(count),), most, out.under, alike=True))
        inside = _List(out.under)
        here = binary(BinaryOp.LT, cast(core.Use(s.variable), LONG), core.Use(count), BOOL)
        there = self._noted("_there", here, inside)
        inside.add(*self.block(s.body, there))
        out.add(Count(s.variable, cast(core.Use(most), s.variable.type), tuple(inside.nodes)))
