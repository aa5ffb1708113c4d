"""From what the sweeps write to what is emitted: the passes over a body, in their order.

Each is a module of its own, which says what it needs. First what the sweeps have written twice goes; then adjoints in
memory are accessed less often; what threads do together comes next, since it declares memory and puts barriers; and at
last statements are put where they take least time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from cladpy.ir import code, core
from cladpy.passes.accumulators import with_less_traffic
from cladpy.passes.apart import read_before_writing, read_together
from cladpy.passes.barriers import with_shared_memory
from cladpy.passes.contracted import with_contractions
from cladpy.passes.doubled import without_halves
from cladpy.passes.early_loads import with_early_loads
from cladpy.passes.early_pops import with_early_pops
from cladpy.passes.halved_sums import with_halved_sums
from cladpy.passes.in_step import with_loops_in_step
from cladpy.passes.load_hoisting import with_loads_first
from cladpy.passes.paired_sums import with_paired_sums
from cladpy.passes.reciprocals import with_shared_reciprocals
from cladpy.passes.round_trips import without_round_trips
from cladpy.passes.shared_functions import with_shared_functions
from cladpy.passes.shared_gather import with_gathered_sums
from cladpy.passes.sum_sinking import with_sunk_sums
from cladpy.passes.tidy import tidy, with_conditions, without_empty_branches


@dataclass(frozen=True, slots=True)
class Context:
    """What passes may ask: the primal, the memory whose adjoints may not be there, and of what the body is."""

    function: core.Function
    optional: frozenset[core.Root]
    kernel: bool
    whole: bool  # a gradient, and no part of one
    may_alias: bool
    traced: bool = False  # whether it tells where an adjoint is not finite: what it looks at stays where it is

    @property
    def moves(self) -> bool:
        """Whether accesses of memory may change places."""
        return self.kernel and self.whole and not self.may_alias


@dataclass(frozen=True, slots=True)
class Pass:
    name: str
    run: Callable[[code.Block, Context], code.Block]
    when: Callable[[Context], bool]


def _always(context: Context) -> bool:
    return True


def _kernel(context: Context) -> bool:
    return context.kernel


def _moves(context: Context) -> bool:
    return context.moves


# Without these a body is none yet.
_NEEDED = frozenset(("tidy", "barriers", "tidy: empty branches"))

ORDER = (
    Pass("tidy", lambda b, c: tidy(b), _always),
    Pass("round_trips", lambda b, c: without_round_trips(b), _always),
    Pass("doubled", lambda b, c: without_halves(b), _always),
    Pass("sum_sinking", lambda b, c: with_sunk_sums(b), _moves),
    Pass("accumulators", lambda b, c: with_less_traffic(b, may_alias=c.may_alias), _always),
    Pass("halved_sums", lambda b, c: with_halved_sums(b), _kernel),
    Pass("shared_gather", lambda b, c: with_gathered_sums(b, c.function), _kernel),
    Pass("apart: reading together", lambda b, c: read_together(b), _kernel),
    Pass("barriers", lambda b, c: with_shared_memory(b, may_alias=c.may_alias), _kernel),
    Pass("early_loads", lambda b, c: with_early_loads(b, c.optional), _moves),
    Pass("paired_sums", lambda b, c: with_paired_sums(b), _moves),
    Pass("apart: reading before writing", lambda b, c: read_before_writing(b, c.optional), _moves),
    Pass("tidy: empty branches", lambda b, c: without_empty_branches(b), _always),
    Pass("shared_functions", lambda b, c: with_shared_functions(b), _always),
    Pass("contracted", lambda b, c: with_contractions(b), _moves),
    Pass("reciprocals", lambda b, c: with_shared_reciprocals(b), _moves),
    Pass("load_hoisting", lambda b, c: with_loads_first(b), _moves),
    Pass("in_step", lambda b, c: with_loops_in_step(b, c.function), _kernel),
    Pass("early_pops", lambda b, c: with_early_pops(b), _kernel),
    Pass("tidy: conditions", lambda b, c: with_conditions(b), _always),
)

Watch = Callable[[str, code.Block], None]
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def finished(swept: code.Block, context: Context) -> code.Block:
    """The body of a gradient, or of a part of one, after all passes that are for it."""
    watch = _watch.get()
    block = swept
    if watch is not None:
        watch("sweep", block)
    for one in ORDER:
        if one.when(context) and (not context.traced or one.name in _NEEDED):
            block = one.run(block, context)
            if watch is not None:
                watch(one.name, block)
    return block


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """While this is open, `watch` is told what the sweeps have written ("sweep"), and what it is after each pass, with
    the pass's name."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)
