"""What core says of a loop whose iterations the threads of OpenMP share."""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.types import Pointer, Scalar


def team_of(shared: s.Shared) -> core.Team | None:
    """None for lanes of one thread. What several iterations store to one after the other, under `critical` or as an
    array that is reduced, is no iteration's own; nor is an array of which the directive gives each thread one, since
    here all iterations have one."""
    if not shared.is_parallel:
        return None
    own = (*(symbol for symbol, _ in shared.reduced), *shared.private, *shared.first, *shared.last)
    apart = not shared.alone and all(isinstance(symbol.type, Scalar | Pointer) for symbol in own)
    return core.Team(shared.directive, shared.directive_span, apart)
