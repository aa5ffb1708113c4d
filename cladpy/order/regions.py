"""Which of two readings a region of OpenMP's threads has: what each of several does, or what one alone would do.

The first is right for values that depend on how many there are, and where no thread uses what another has done. Where
that is not so, or not known, one thread stands for all, if `as_one.py` finds that the value is the same then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.order.as_one import AsOne, alone
from cladpy.order.effects import Summaries, Within
from cladpy.order.reductions import Finding
from cladpy.order.shared import THREADS, Checked, refused
from cladpy.order.unawaited import unawaited
from cladpy.order.uses import within


def settled(program: s.Program) -> s.Program:
    """The program with one reading of each region."""
    with_regions = [f for f in program.functions.values() if any(_regions(f.body))]
    if not with_regions:
        return program
    settled = _Settled(program)
    return replace(program, functions={**program.functions, **{f.symbol: settled.function(f) for f in with_regions}})


def _regions(body: s.Stmt) -> Iterator[s.Block]:
    return (here for here in within(body) if isinstance(here, s.Block) and here.region is not None)


class _Settled:
    def __init__(self, program: s.Program) -> None:
        self._untold = program.untold
        self._summaries = Summaries(program.functions)
        self._alone = Summaries({symbol: alone(f) for symbol, f in program.functions.items()})

    def function(self, function: s.Function) -> s.Function:
        while (found := next(_regions(function.body), None)) is not None:
            function = self._with_one(function, found)
        return function

    def _with_one(self, function: s.Function, block: s.Block) -> s.Function:
        """The function with one reading of a region, the innermost ones first."""

        def instead(new: s.Block) -> s.Function:
            return replace(function, body=_replaced(function.body, block, new))

        assert block.region is not None
        found = next(unawaited(block.region, Within(instead(block.region.block), self._summaries)), None)
        if found is not None:
            return instead(s.Block((refused(THREADS, block.region.shared, found),), block.span))
        each = replace(block, region=None)
        untold = [told for told, known in self._untold if known is not function.symbol]
        if not untold and not _is_refused(each):
            plain = instead(each)
            loops = [here for here in each.statements if isinstance(here, s.For) and here.shared is not None]
            checked = Checked(plain, self._summaries)
            if all(next(checked.found(loop), None) is None for loop in loops):
                return plain
        one = block.region.block
        judge = AsOne(instead(one), block.region, self._summaries, self._alone)
        found = self._against(judge, instead(judge.block))
        if found is None:
            return instead(judge.block)
        if _is_refused(one) or not (untold or _is_refused(each)):
            told = tuple(s.Evaluate(t, t.span) for t in untold)
            return instead(replace(each, statements=(*told, *each.statements)))
        said = refused(THREADS, block.region.shared, found)
        return instead(s.Block((said,), each.span))

    def _against(self, judge: AsOne, function: s.Function) -> Finding | None:
        """What is said against what one thread would do."""
        checked = Checked(function, self._summaries)
        loops = [here for here in within(judge.block) if isinstance(here, s.For) and here.shared is not None]
        found = next(judge.findings(), None)
        return found or next((f for loop in loops for f in checked.found(loop)), None)


def _replaced(body: s.Block, old: s.Block, new: s.Block) -> s.Block:
    def inner(statement: s.Stmt) -> s.Stmt:
        return new if statement is old else surface_walk.rebuilt(statement, _same, inner)

    return new if body is old else surface_walk.rebuilt(body, _same, inner)


_same: Callable[[s.Expr], s.Expr] = lambda e: e  # noqa: E731


def _is_refused(block: s.Block) -> bool:
    """Whether something in a reading is not supported, or known to OpenMP's threads alone."""
    return any(
        (isinstance(e, s.Unsupported) and e.code == "CP0134") or (isinstance(e, s.Call) and e.callee.name in _NUMBERS)
        for expr in surface_walk.expressions(block)
        for e in surface_walk.walk(expr)
    )


_NUMBERS = ("omp_get_thread_num", "omp_get_num_threads")
