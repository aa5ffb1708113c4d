"""Views that kernels are given: different subscripts are different elements, whatever the strides are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from cladpy.analysis.affine import Affine, Monomial
from cladpy.ir import core

ZERO = Affine.of({})
Strides = frozenset[core.Value]


def strides_of(function: core.Function) -> Mapping[core.Root, Strides]:
    """The strides of the views that a function's parameters are made of, by their memory."""
    memory: dict[int, list[core.Root]] = defaultdict(list)
    strides: dict[int, set[core.Value]] = defaultdict(set)
    for parameter in function.parameters:
        if parameter.layout is not None:
            for content in parameter.contents:
                if isinstance(content, core.Root):
                    memory[parameter.layout.view].append(content)
                else:
                    strides[parameter.layout.view].add(content)
    return {root: frozenset(strides[view]) for view, roots in memory.items() for root in roots}


def subscripts(index: Affine, strides: Collection[core.Value]) -> tuple[dict[core.Value, Affine], Affine] | None:
    """What each stride is multiplied by in an index, and the rest of it; None where it is no sum of such products."""
    found: dict[core.Value, dict[Monomial, int]] = defaultdict(dict)
    rest: dict[Monomial, int] = {}
    for monomial, coefficient in index.terms:
        of = [atom.value for atom in monomial if isinstance(atom, core.Use) and atom.value in strides]
        if not of:
            rest[monomial] = coefficient
        elif len(of) == 1:
            others = tuple(a for a in monomial if not (isinstance(a, core.Use) and a.value is of[0]))
            found[of[0]][others] = coefficient
        else:
            return None
    return {stride: Affine.of(terms) for stride, terms in found.items()}, Affine.of(rest)
