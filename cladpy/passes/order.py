"""From what the sweeps write to what is emitted: the passes over a body, in their order.

Each is a module of its own, which says what it needs. `SWEPT` joins what the sweeps write to a body. Of `ORDER`, first
what they have written twice goes; then adjoints in memory are accessed less often; what threads do together comes next,
since it declares memory and puts barriers; and then statements are put where they take least time. `LAUNCH` may change
how a body is run as well. Functions that are called have `PULLBACK` in place of the first two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from cladpy.analysis.races import Accesses
from cladpy.ir import code, core
from cladpy.ir.shared import shared_memory
from cladpy.passes.accumulators import with_less_traffic
from cladpy.passes.apart import read_before_writing, read_together
from cladpy.passes.at_once import at_once
from cladpy.passes.barriers import with_shared_memory
from cladpy.passes.bounded_zeros import with_bounded_zeros
from cladpy.passes.chosen_rows import with_meeting_sums
from cladpy.passes.contracted import with_contractions
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.doubled import without_halves
from cladpy.passes.early_loads import with_early_loads
from cladpy.passes.early_pops import with_early_pops
from cladpy.passes.evaluated_once import evaluated_once
from cladpy.passes.few_steps import with_few_steps
from cladpy.passes.guards import with_guards_apart
from cladpy.passes.halved_sums import with_halved_sums
from cladpy.passes.in_step import with_loops_in_step
from cladpy.passes.load_hoisting import with_hoisted_loads
from cladpy.passes.neighbours import with_neighbours
from cladpy.passes.paired_sums import with_paired_sums
from cladpy.passes.privatisation import marked, privatised
from cladpy.passes.reciprocals import with_shared_reciprocals
from cladpy.passes.round_trips import without_round_trips
from cladpy.passes.rows import with_rows
from cladpy.passes.shared_functions import with_shared_functions
from cladpy.passes.shared_gather import with_gathered_sums
from cladpy.passes.software_pipelining import with_pipelined_loops
from cladpy.passes.sum_sinking import with_sunk_sums
from cladpy.passes.tidy import tidy, with_conditions, without_empty_branches
from cladpy.passes.tile_gather import with_gathered_tiles
from cladpy.passes.uniform_sums import sum_at_exit, summed_over_blocks
from cladpy.passes.zeros_behind import with_zeros_behind


@dataclass(frozen=True, slots=True)
class Context:
    """What passes may ask: the primal, the memory whose adjoints may not be there, and of what the body is. The last
    are asked by passes of `SWEPT` and `LAUNCH`."""

    function: core.Function
    optional: frozenset[core.Root]
    kernel: bool
    whole: bool  # a gradient, and no part of one
    may_alias: bool
    traced: bool = False  # whether it tells where an adjoint is not finite: what it looks at stays where it is
    beside: frozenset[core.Root] = frozenset()  # in whose adjoints threads meet at sums of all of them only
    accesses: Accesses | None = None
    one_by_one: str = ""  # why no loop is run by several threads
    rows: bool = True  # whether such a loop may keep a tape for each of its iterations
    resident: bool = False  # whether blocks may run several of the original
    taped: bool = False  # whether there is a tape in the workspace

    @property
    def moves(self) -> bool:
        """Whether accesses of memory may change places."""
        return self.kernel and self.whole and not self.may_alias


@dataclass(frozen=True, slots=True)
class Pass:
    name: str
    run: Callable[[code.Block, Context], code.Block]
    when: Callable[[Context], bool]


@dataclass(frozen=True, slots=True)
class Launched:
    """A body, and how it is run: see `code.Function`. `each` is the one for the grid of the original, `plain` what it
    was before."""

    body: code.Block
    each: code.Block
    plain: code.Block
    teams: tuple[code.Shared, ...] = ()
    standing: int = 0
    privatised: tuple[code.Privatised, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchPass:
    name: str
    run: Callable[[Launched, Context], Launched]
    when: Callable[[Context], bool]


class _Conditional(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def when(self) -> Callable[[Context], bool]: ...


_P = TypeVar("_P", bound=_Conditional)


def _always(context: Context) -> bool:
    return True


def _kernel(context: Context) -> bool:
    return context.kernel


def _moves(context: Context) -> bool:
    return context.moves


def _resident(context: Context) -> bool:
    return context.kernel and context.resident


def _privatises(context: Context) -> bool:
    return context.moves and context.resident and not context.taped


def _at_once(given: Launched, context: Context) -> Launched:
    block, teams = at_once(given.body, context.function, rows=context.rows, unwanted=context.one_by_one)
    return Launched(block, block, block, teams)


def _over_blocks(given: Launched, context: Context) -> Launched:
    body, standing = summed_over_blocks(given.body)
    return replace(given, body=body, standing=standing)


def _privatised(given: Launched, context: Context) -> Launched:
    if shared_memory(given.body).launched or context.accesses is None:
        return given
    body, found = privatised(given.body, context.function, context.accesses)
    return replace(given, body=body, plain=marked(given.plain, found), privatised=found)


def _pipelined(given: Launched, context: Context) -> Launched:
    each, body = (with_pipelined_loops(block, context.optional) for block in (given.each, given.body))
    return replace(given, each=each, body=body)


# Without these a body is none yet.
_NEEDED = frozenset(("dead_code", "few_steps", "tidy", "barriers", "tidy: empty branches", "at_once"))

_DEAD_CODE = Pass("dead_code", lambda b, c: without_dead_code(b), _always)

SWEPT = (
    Pass("uniform_sums: at exit", lambda b, c: sum_at_exit(b, c.function, c.beside, may_alias=c.may_alias), _kernel),
    _DEAD_CODE,
)

ORDER = (
    Pass("few_steps", lambda b, c: with_few_steps(b, unrolled=not c.traced), _always),
    Pass("tidy", lambda b, c: tidy(b), _always),
    Pass("round_trips", lambda b, c: without_round_trips(b), _always),
    Pass("doubled", lambda b, c: without_halves(b), _always),
    Pass("sum_sinking", lambda b, c: with_sunk_sums(b), _moves),
    Pass("accumulators", lambda b, c: with_less_traffic(b, may_alias=c.may_alias), _always),
    Pass("evaluated_once", lambda b, c: evaluated_once(b), _moves),
    Pass("halved_sums", lambda b, c: with_halved_sums(b), _kernel),
    Pass("tile_gather", lambda b, c: with_gathered_tiles(b), _moves),
    Pass("shared_gather", lambda b, c: with_gathered_sums(b, c.function), _kernel),
    Pass("apart: reading together", lambda b, c: read_together(b), _kernel),
    Pass("barriers", lambda b, c: with_shared_memory(b, may_alias=c.may_alias), _kernel),
    Pass("early_loads", lambda b, c: with_early_loads(b, c.optional), _moves),
    Pass("zeros_behind", lambda b, c: with_zeros_behind(b), _moves),
    Pass("paired_sums", lambda b, c: with_paired_sums(b), _moves),
    Pass("apart: reading before writing", lambda b, c: read_before_writing(b, c.optional), _moves),
    Pass("tidy: empty branches", lambda b, c: without_empty_branches(b), _always),
    Pass("shared_functions", lambda b, c: with_shared_functions(b), _always),
    Pass("contracted", lambda b, c: with_contractions(b), _moves),
    Pass("reciprocals", lambda b, c: with_shared_reciprocals(b), _moves),
    Pass("load_hoisting", lambda b, c: with_hoisted_loads(b), _moves),
    Pass("in_step", lambda b, c: with_loops_in_step(b, c.function), _kernel),
    Pass("early_pops", lambda b, c: with_early_pops(b), _kernel),
    Pass("bounded_zeros", lambda b, c: with_bounded_zeros(b), _kernel),
    Pass("chosen_rows", lambda b, c: with_meeting_sums(b), _kernel),
    Pass("neighbours", lambda b, c: with_neighbours(b), _always),
    Pass("tidy: conditions", lambda b, c: with_conditions(b), _always),
)

PULLBACK = (
    _DEAD_CODE,
    *(one for one in ORDER if one.name in ("few_steps", "tidy", "accumulators", "shared_functions", "neighbours")),
)

LAUNCH = (
    LaunchPass("at_once", _at_once, _always),
    LaunchPass("guards", lambda g, c: replace(g, body=with_guards_apart(g.body)), _kernel),
    LaunchPass("uniform_sums: over blocks", _over_blocks, _resident),
    LaunchPass("privatisation", _privatised, _privatises),
    LaunchPass("rows", lambda g, c: replace(g, body=with_rows(g.body)), _moves),
    # what adds to rows are loops of constant length, which have no batches
    LaunchPass("software_pipelining", _pipelined, _moves),
)

Watch = Callable[[str, code.Block], None]
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def _tell(name: str, block: code.Block) -> None:
    watch = _watch.get()
    if watch is not None:
        watch(name, block)


def _for(passes: Iterable[_P], context: Context) -> Iterator[_P]:
    return (one for one in passes if one.when(context) and (not context.traced or one.name in _NEEDED))


def _run(passes: Iterable[Pass], block: code.Block, context: Context) -> code.Block:
    for one in _for(passes, context):
        block = one.run(block, context)
        _tell(one.name, block)
    return block


def joined(swept: Sequence[code.Statement], context: Context) -> code.Block:
    """The body of a gradient as the sweeps have written it."""
    block = tuple(swept)
    _tell("sweep", block)
    return _run(SWEPT, block, context)


def finished(block: code.Block, context: Context) -> code.Block:
    """The body of a gradient, or of a part of one, after all passes that are for it."""
    return _run(ORDER, block, context)


def called(swept: Sequence[code.Statement], context: Context) -> code.Block:
    """The same of a pullback."""
    block = tuple(swept)
    _tell("sweep", block)
    return _run(PULLBACK, block, context)


def launched(block: code.Block, context: Context) -> Launched:
    """How a finished body is run."""
    found = Launched(block, block, block)
    for one in _for(LAUNCH, context):
        found = one.run(found, context)
        _tell(one.name, found.body)
    return found


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """While this is open, `watch` is told what the sweeps have written ("sweep"), and what it is after each pass, with
    the pass's name."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)
