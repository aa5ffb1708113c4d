"""Overload resolution among constructors, where libclang does not show what was chosen: inside of braces."""

from __future__ import annotations

from collections.abc import Sequence

from cladpy.frontend.records import path_to
from cladpy.ir.surface_rules import same
from cladpy.ir.types import BOOL, Array, Pointer, Scalar, Struct, Type, Void, is_integer, promote, strip_reference

_EXACT, _PROMOTION, _CONVERSION = range(3)


def choose(candidates: Sequence[Sequence[Type]], arguments: Sequence[Type], *, exact: bool) -> int | None:
    """The candidate that is best for every argument ([over.match.best]); None where there is none, or where it is
    not clear. With `exact`, as where templates take part, only one that needs no conversion at all."""
    ranked = []
    for i, parameters in enumerate(candidates):
        ranks = [_rank(a, strip_reference(p)) for a, p in zip(arguments, parameters, strict=False)]
        if all(r is not None and not (exact and r != _EXACT) for r in ranks):
            ranked.append((i, [r for r in ranks if r is not None]))
    best = [(i, ranks) for i, ranks in ranked if all(other is ranks or _is_better(ranks, other) for _, other in ranked)]
    return best[0][0] if len(best) == 1 else None


def _is_better(ranks: list[int], other: list[int]) -> bool:
    pairs = list(zip(ranks, other, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def _rank(source: Type, target: Type) -> int | None:
    """How good a conversion is; None where there is none that the front end makes."""
    if same(source, target):
        return _EXACT
    match source, target:
        case Scalar(), Scalar():
            if is_integer(source) and promote(source) == target and promote(source) != source:
                return _PROMOTION
            if source.kind.value == "float" and target.kind.value == "double":
                return _PROMOTION
            return _CONVERSION
        case Array(element), Pointer(pointee):
            return _EXACT if same(element, pointee) else None
        case Pointer(own) as source, Pointer(other) as target:
            if same(own, other):
                return None if source.const and not target.const else _PROMOTION  # a qualification
            return _CONVERSION if isinstance(other, Void) else None
        case Pointer(), Scalar():
            return _CONVERSION if target == BOOL else None
        case Struct(), Struct():
            return _CONVERSION if path_to(source, target) else None
    return None
