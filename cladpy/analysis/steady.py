"""Loads that find the same in every iteration of a loop, such as that of a sum which the block has made before.

    for (int j = t; j < n; j += blockDim.x) y[j] = x[j] / sum[0];

Where such a value has to be kept, one variable holds that of all iterations.
"""

from __future__ import annotations

from collections.abc import Mapping

from cladpy.analysis.affine import Affine, affine, led_by
from cladpy.analysis.structure import Index
from cladpy.ir import core
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.walk import begun, defined, statements, values

_LIMITS = (
    (BuiltinVar.THREAD_X, BuiltinVar.BLOCK_DIM_X),
    (BuiltinVar.THREAD_Y, BuiltinVar.BLOCK_DIM_Y),
    (BuiltinVar.THREAD_Z, BuiltinVar.BLOCK_DIM_Z),
)


def steady_in(load: core.Load, index: Index, lets: Mapping[core.Value, core.Expr]) -> frozenset[core.Loop]:
    """The loops around a load from memory of the block or the thread, from the inside out, in which it gives one value:
    its index is made outside, and nothing is stored there."""
    found: set[core.Loop] = set()
    if load.root.outlives:
        return frozenset()
    for around in reversed(index.inside(load, load.root)):
        if isinstance(around, core.Loop):
            if around.team is not None or not _is_steady(load, around, index, lets):
                break
            found.add(around)
    return frozenset(found)


def _is_steady(load: core.Load, loop: core.Loop, index: Index, lets: Mapping[core.Value, core.Expr]) -> bool:
    inside = list(statements((loop,)))
    made = {v for s in inside for v in (*defined(s), *begun(s))}
    if not made.isdisjoint(values(load.index)):
        return False
    if load.root.kind is core.RootKind.SHARED and any(isinstance(s, core.Collective) for s in inside):
        return False  # lanes may wait for what others store elsewhere
    root = index.memory(load.root)
    writing = [s for s in inside if root in index.written(s)]
    # what other threads of the block store in the loop is not read before all have waited
    waits = any(s.effects.waits.somebody for s in inside)
    return not writing or (not waits and all(_is_elsewhere(s, load, lets) for s in writing))


def _is_elsewhere(statement: core.Statement, load: core.Load, lets: Mapping[core.Value, core.Expr]) -> bool:
    """Whether a thread stores to another element than that which it loads."""
    if not isinstance(statement, core.Store) or statement.root is not load.root:
        return False
    if led_by(statement.index) or led_by(load.index):
        return False
    return are_apart(affine(statement.index, lets), affine(load.index, lets))


def are_apart(a: Affine, b: Affine) -> bool:
    """Whether two indices of one thread are different numbers."""
    return _is_negative(a.plus(b, -1)) or _is_negative(b.plus(a, -1))


def _is_negative(difference: Affine) -> bool:
    """Whether a number is less than zero: `threadIdx.x - blockDim.x` is, and so is `-blockDim.x`."""
    terms = dict(difference.terms)
    most = terms.pop((), 0)
    for thread, extent in _LIMITS:
        factor = next((terms[m] for m in terms if _is(m, thread)), 0)
        if factor > 0 and any(_is(m, extent) and terms[m] == -factor for m in terms):
            terms = {m: c for m, c in terms.items() if not _is(m, thread) and not _is(m, extent)}
            most -= factor
    for _, extent in _LIMITS:
        for m in [m for m in terms if _is(m, extent) and terms[m] < 0]:
            most += terms.pop(m)
    return not terms and most < 0


def _is(monomial: tuple[core.Expr, ...], var: BuiltinVar) -> bool:
    return len(monomial) == 1 and isinstance(monomial[0], core.Builtin) and monomial[0].var is var
