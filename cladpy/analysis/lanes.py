"""Which lanes of a warp run a collective: what the masks of the original leave to the hardware is written down.

A thread of the original that has returned counts in no mask. In a gradient it merely skips, and would be waited for. So
where control that is not the same for a warp surrounds a collective, the lanes that go that way are asked for, by a
ballot where control divides, and the mask becomes those of its lanes that are here. A ballot is a value like any other:
the reverse sweep has the lanes of each collective, and all of them run it again when it does.

A loop that lanes leave at different times carries the lanes that are still in it:

    while (test) body    becomes    go = test; live = ballot(here, go);
                                    while (go) { body; go = test; live = ballot(live, go) }
"""

from __future__ import annotations

from dataclasses import replace

from cladpy.analysis.uniform import LANES, Varying
from cladpy.analysis.warps import varying_lanes
from cladpy.diagnostics import Note, Sink, Span
from cladpy.ir import core, reach
from cladpy.ir.fold import cast
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import INT, UINT
from cladpy.ir.walk import begun, copied, defined, regions, statements, substitute, touched, with_regions

Names = dict[core.Value, core.Expr]


def with_lanes(function: core.Function, sink: Sink, *, may_alias: bool) -> core.Function:
    """The function with masks that name the lanes that take part.

    Reports CP0262 where lanes of one mask may meet in different places, and CP0263 for collectives in what is no
    kernel: only that knows which lanes there are.
    """
    function = _without_syncs(function, may_alias)
    first = next((s for s in statements(function.body) if isinstance(s, core.Collective)), None)
    if first is None:
        return function
    if function.symbol.kind is not FunctionKind.KERNEL:
        sink.error(
            "CP0263",
            f"'{first.callee.name}' is called by a function that is differentiated by itself",
            first.span,
            hint="differentiate the kernel that calls it",
        )
    rewriter = _Lanes(varying_lanes(function), sink, function.span)
    body = rewriter.region(function.body, None)
    return replace(function, body=(*rewriter.head, *body))


def _without_syncs(function: core.Function, may_alias: bool) -> core.Function:
    """Without barriers of warps where threads exchange nothing through memory, which they would order."""
    syncs = {s for s in statements(function.body) if isinstance(s, core.Collective) and s.is_barrier}
    if not syncs or _exchanges(function, may_alias):
        return function
    return replace(function, body=_less(function.body, syncs))


def _exchanges(function: core.Function, may_alias: bool) -> bool:
    """Whether what one thread stores may be read or overwritten by another: in the reverse sweep, who overwrites an
    element takes its adjoint before who has stored it does. Memory that is nothing but added to, or read, is accessed
    in no order."""
    accesses: dict[core.Root | None, int] = {}
    ordered: set[core.Root | None] = set()
    added: set[core.Root | None] = set()
    read: set[core.Root | None] = set()

    def note(root: core.Root, times: int, kind: set[core.Root | None]) -> None:
        if root.kind is not core.RootKind.LOCAL:
            memory = None if may_alias and root.outlives else root.memory
            accesses[memory] = accesses.get(memory, 0) + times
            kind.add(memory)

    def visit(region: core.Region, times: int) -> None:
        for s in region:
            match s:
                case core.AtomicAdd(root=root, value=None):
                    note(root, times, added)
                case _:
                    written = set(reach.written(s, function))
                    for root in reach.touched(s, function) if isinstance(s, core.Call) else touched(s):
                        note(root, times, ordered if root in written else read)
            for inner in regions(s):
                visit(inner, 2 if isinstance(s, core.Loop) else times)  # a loop runs again

    visit(function.body, 1)
    return any(accesses[memory] > 1 for memory in ordered | (added & read))


def _less(region: core.Region, gone: set[core.Collective]) -> core.Region:
    out: list[core.Statement] = []
    for s in region:
        match s:
            case core.If():
                s = with_regions(s, lambda inner: _less(inner, gone))
                if s.then or s.other or s.merges:
                    out.append(s)
            case core.Collective() if s in gone:
                pass
            case _:
                out.append(with_regions(s, lambda inner: _less(inner, gone)))
    return tuple(out)


def _together(region: core.Region) -> bool:
    return any(isinstance(s, core.Collective) for s in statements(region))


class _Lanes:
    def __init__(self, varying: Varying, sink: Sink, span: Span) -> None:
        self.varying = varying
        self.sink = sink
        self.span = span
        self.head: list[core.Statement] = []  # what the function begins with

    def lanes(self) -> core.Expr:
        """The lanes that the warp has."""
        if not self.head:
            callee = FunctionSymbol(LANES.rpartition("::")[2], LANES, UINT, (), FunctionKind.DEVICE, self.span, True)
            self.head.append(core.Let(core.Value("_lanes", UINT), core.Math(callee, (), UINT), self.span))
        let = self.head[0]
        assert isinstance(let, core.Let)
        return core.Use(let.value)

    def region(self, region: core.Region, here: core.Expr | None) -> core.Region:
        """`here` are the lanes that run the region, None where that is the whole warp."""
        out: list[core.Statement] = []
        for statement in region:
            match statement:
                case core.Collective(mask=mask) if mask is not None and here is not None:
                    out.append(replace(statement, mask=_both(mask, here)))
                case core.If() | core.Loop() if _together((statement,)):
                    if not self.varying.expr(statement.condition):
                        out.append(with_regions(statement, lambda inner: self.region(inner, here)))
                    elif isinstance(statement, core.If):
                        self._divided(statement, here, out)
                    else:
                        self._left_one_by_one(statement, here, out)
                case _:
                    out.append(statement)
        return tuple(out)

    def _ballot(
        self, here: core.Expr, condition: core.Expr, span: Span, out: list[core.Statement], value: core.Value
    ) -> core.Expr:
        symbol = FunctionSymbol("__ballot_sync", "__ballot_sync", UINT, (UINT, INT), FunctionKind.DEVICE, span, True)
        out.append(core.Collective(value, symbol, here, (cast(condition, INT),), span))
        return core.Use(value)

    def _divided(self, statement: core.If, here: core.Expr | None, out: list[core.Statement]) -> None:
        """Lanes go different ways."""
        self._check_meeting(statement)
        all_here = self.lanes() if here is None else here
        then, other, span = statement.then, statement.other, statement.span
        taking = self._ballot(all_here, statement.condition, span, out, core.Value("_here", UINT))
        if _together(then):
            then = self.region(then, taking)
        if _together(other):
            left = core.Value("_here", UINT)
            rest = _both(all_here, core.Unary(UnaryOp.BIT_NOT, taking, UINT))
            other = (core.Let(left, rest, span), *self.region(other, core.Use(left)))
        out.append(replace(statement, then=then, other=other))

    def _check_meeting(self, statement: core.If) -> None:
        """The hardware lets lanes meet that call the same intrinsic, with the same mask, in different places."""
        asked = {_meeting(s): s for s in statements(statement.then) if isinstance(s, core.Collective)}
        for other in statements(statement.other):
            if isinstance(other, core.Collective) and other.mask is not None and _meeting(other) in asked:
                self.sink.error(
                    "CP0262",
                    f"lanes of a warp may meet in '{other.callee.name}' from both branches of an if",
                    other.span,
                    notes=(Note("the other branch", asked[_meeting(other)].span),),
                    hint="call it once, after the if or before it, or give each branch a mask of its own lanes",
                )
                return

    def _left_one_by_one(self, loop: core.Loop, here: core.Expr | None, out: list[core.Statement]) -> None:
        """A loop that lanes leave at different times."""
        all_here = self.lanes() if here is None else here
        span = loop.span
        first = self._test(loop, {c.value: c.init for c in loop.carried}, here, out)
        entering = self._ballot(all_here, first, span, out, core.Value("_live", UINT))
        go = core.Value("_go", first.type)
        live = core.Value("_live", UINT)
        body = list(self.region(loop.body, core.Use(live)))
        again = self._test(loop, {c.value: c.next for c in loop.carried}, core.Use(live), body)
        still = self._ballot(core.Use(live), again, span, body, core.Value("_live", UINT))
        carried = (
            *loop.carried,
            core.Carried(go, first, again, core.Value("_go", first.type)),
            core.Carried(live, entering, still, core.Value("_live", UINT)),
        )
        out.append(core.Loop(carried, (), core.Use(go), tuple(body), span, all_here))

    def _test(self, loop: core.Loop, given: Names, here: core.Expr | None, out: list[core.Statement]) -> core.Expr:
        """Writes the loop's test for other carried values; gives its result."""
        names = dict(given)
        out += self.region(_copied(loop.before, names, self.varying), here)
        value = core.Value("_go", loop.condition.type)
        out.append(core.Let(value, substitute(loop.condition, names), loop.span))
        return core.Use(value)


def _meeting(collective: core.Collective) -> tuple[str, core.Expr | None]:
    return collective.callee.name, collective.mask


def _both(mask: core.Expr, here: core.Expr) -> core.Expr:
    if isinstance(mask, core.Const) and mask.value == 0xFFFFFFFF:
        return here
    return core.Binary(BinaryOp.BIT_AND, mask, here, UINT)


def _copied(region: core.Region, names: Names, varying: Varying) -> core.Region:
    """A region once more, with values of its own, which are added to `names`, and vary where those of the region do."""
    every = list(statements(region))
    fits = (isinstance(s, core.Call | core.Collective) or s.effects.only_computes for s in every)
    assert all(fits), "a loop's condition has side effects"
    again = copied(region, names)
    for value in [v for s in every for v in (*defined(s), *begun(s)) if v in varying.values]:
        use = names[value]
        assert isinstance(use, core.Use)
        varying.values.add(use.value)
    return again
