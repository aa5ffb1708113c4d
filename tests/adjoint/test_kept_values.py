"""Gradients of launched kernels in two: what is generated keeps to its grammar, and the second kernel reads no memory
that the program changes."""

from __future__ import annotations

import pytest

from cladpy.analysis.cuts import minimum_cut
from cladpy.ir import code_verify
from cladpy.ir.code_walk import all_statements, touched_roots
from cladpy.variants.kept_values import KeptValues
from tests.ir.test_every_kernel import gradient_of
from tests.programs.cases import CASES

WANTED = {"lattice-1": 16, "loops": 8, "fields": 4, "blocks": 16}  # bytes per thread


@pytest.mark.parametrize("name", WANTED)
def test_the_two_kernels(name: str) -> None:
    case = next(c for c in CASES if c.id == f"kept_values-{name}")
    gradient = gradient_of(str(case.path), case.function, case.args, growable=True)
    (kernel,) = gradient.kernels
    (kept,) = (form for form in kernel.asked if isinstance(form, KeptValues))
    assert kept.bytes == WANTED[name]
    assert code_verify.verify((*kernel.functions[:-1], kept.keep, kept.reverse)) == []
    read = {root.name for s in all_statements(kept.reverse.body) for root, adjoint in touched_roots(s) if not adjoint}
    assert read.isdisjoint({"in", "u", "v", "w"})
    assert not any(adjoint for s in all_statements(kept.keep.body) for _, adjoint in touched_roots(s))


def test_a_cut_is_the_cheapest_and_the_closest_to_the_sinks() -> None:
    edges = {"load": ["a", "b"], "a": ["sum"], "b": ["sum"], "sum": ["root"], "root": ["effect"], "b2": ["effect"]}
    costs = {"a": 4, "b": 4, "sum": 8, "root": 8}
    assert minimum_cut(edges, costs, ["load"], ["effect"], 100) == {"root"}
    assert minimum_cut(edges, {**costs, "root": 9}, ["load"], ["effect"], 100) == {"sum"}
    assert minimum_cut(edges, {**costs, "a": 3, "sum": 8}, ["load"], ["effect"], 100) == {"a", "b"}
    assert minimum_cut(edges, costs, ["load"], ["effect"], 8) is None
    assert minimum_cut({**edges, "load": ["a", "b", "effect"]}, costs, ["load"], ["effect"], 100) is None
