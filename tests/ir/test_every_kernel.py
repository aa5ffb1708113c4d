"""The verifiers between the stages, on every kernel of the table and on random ones."""

from __future__ import annotations

import pytest

from cladpy.ir import code_verify, core_verify
from cladpy.ir.code_text import format_code
from cladpy.ir.core_text import format_function
from tests.generator import generate
from tests.ir.stages import gradient_of
from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS

SEEDS = range(25)


def _verify(text: str, function: str, args: str, growable: bool) -> list[str]:
    gradient = gradient_of(text, function, args, growable=growable)
    gather = gradient.gather
    gathering = () if gather is None else (gather.cells, *(() if gather.rest is None else (gather.rest,)))
    every = (*gradient.functions, *gathering)
    faults = code_verify.verify(every, {root for g in gradient.globals for root in g.roots})
    for primal in {f.primal: None for f in gradient.functions}:
        faults += core_verify.verify(primal, partials=True)
        assert format_function(primal).startswith("function ")
    for generated in every:
        assert f" {generated.name}(" in format_code(generated).split("\n", 1)[0]
    return faults


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda case: case.id)
def test_kernel_for_the_host(case: Case) -> None:
    assert _verify(str(case.path), case.function, case.args, True) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_random_kernel_for_the_host(seed: int) -> None:
    program = generate(seed)
    assert _verify(program.text, program.function, program.args, True) == []


def test_for_a_gpu() -> None:
    """There a launch that counts may come first, which is verified too."""
    counting = 0
    jobs = [(str(case.path), case.function, case.args) for case in GRADIENTS[::3]]
    jobs += [(p.text, p.function, p.args) for p in map(generate, SEEDS)]
    for text, function, args in jobs:
        gradient = gradient_of(text, function, args, growable=False)
        assert code_verify.verify(gradient.functions, {root for g in gradient.globals for root in g.roots}) == []
        counting += gradient.main.count_result is not None
    assert counting > 5
