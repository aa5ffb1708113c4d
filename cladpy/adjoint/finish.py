"""From what the sweeps write to what is emitted: the passes over a body, in their order.

Each is a module of its own, which says what it needs. First what the sweeps have written twice goes; then adjoints in
memory are accessed less often; what threads do together comes next, since it declares memory and puts barriers; and at
last statements are put where they take least time.
"""

from __future__ import annotations

from cladpy.adjoint.accumulators import with_less_traffic
from cladpy.adjoint.apart import read_before_writing, read_together
from cladpy.adjoint.barriers import with_shared_memory
from cladpy.adjoint.contracted import with_contractions
from cladpy.adjoint.doubled import without_halves
from cladpy.adjoint.early_loads import with_early_loads
from cladpy.adjoint.early_pops import with_early_pops
from cladpy.adjoint.halved_sums import with_halved_sums
from cladpy.adjoint.in_step import with_loops_in_step
from cladpy.adjoint.loads_first import with_loads_first
from cladpy.adjoint.paired_sums import with_paired_sums
from cladpy.adjoint.reciprocals import with_shared_reciprocals
from cladpy.adjoint.round_trips import without_round_trips
from cladpy.adjoint.shared_functions import with_shared_functions
from cladpy.adjoint.shared_gather import with_gathered_sums
from cladpy.adjoint.sunk import with_sunk_sums
from cladpy.adjoint.tidy import tidy, without_empty_branches
from cladpy.ir import code, core


def finished(
    swept: code.Block,
    function: core.Function,
    optional: frozenset[core.Root],
    *,
    kernel: bool,
    whole: bool,
    may_alias: bool,
) -> code.Block:
    """The body of a gradient, or where it is not `whole` of a part of one. Adjoints of `optional` memory may not be
    there."""
    block = without_halves(without_round_trips(tidy(swept)))
    moves = kernel and whole and not may_alias
    if moves:
        block = with_sunk_sums(block)
    block = with_less_traffic(block, may_alias=may_alias)
    if kernel:
        block = with_gathered_sums(with_halved_sums(block), function)
        block = with_shared_memory(read_together(block), may_alias=may_alias)
    if moves:
        block = read_before_writing(with_paired_sums(with_early_loads(block, optional)), optional)
    block = with_shared_functions(without_empty_branches(block))
    if moves:
        block = with_loads_first(with_shared_reciprocals(with_contractions(block)))
    return with_early_pops(with_loops_in_step(block, function)) if kernel else block
