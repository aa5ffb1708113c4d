"""The verifiers between the stages, on kernels of the table as they are made for a GPU, and on random ones. What is
made for the host is verified wherever a gradient is checked (`tests.verified`). With CLADPY_TEST_ALL in the
environment, on every kernel."""

from __future__ import annotations

import os

import pytest

from cladpy.adjoint.gradient import Gradient
from cladpy.ir.code_text import format_code
from cladpy.ir.core_text import format_function
from tests.generator import generate
from tests.ir.stages import gradient_of
from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS
from tests.verified import faults_of

ALL = bool(os.environ.get("CLADPY_TEST_ALL"))
SEEDS = range(25 if ALL else 9)
AS_TEXT = GRADIENTS if ALL else GRADIENTS[::24]
FOR_A_GPU = GRADIENTS if ALL else GRADIENTS[1::16]


def _verify(text: str, function: str, args: str, *, growable: bool) -> Gradient:
    gradient = gradient_of(text, function, args, growable=growable)
    assert faults_of(gradient) == []
    return gradient


@pytest.mark.parametrize("case", AS_TEXT, ids=lambda case: case.id)
def test_kernel_as_text(case: Case) -> None:
    gradient = _verify(str(case.path), case.function, case.args, growable=True)
    for primal in {f.primal: None for f in gradient.functions}:
        assert format_function(primal).startswith("function ")
    for generated in gradient.functions:
        assert f" {generated.name}(" in format_code(generated).split("\n", 1)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_kernel_for_the_host(seed: int) -> None:
    program = generate(seed)
    _verify(program.text, program.function, program.args, growable=True)


def test_for_a_gpu() -> None:
    """There a launch that counts may come first, which is verified too."""
    counting = 0
    jobs = [(str(case.path), case.function, case.args) for case in FOR_A_GPU]
    jobs += [(p.text, p.function, p.args) for p in map(generate, SEEDS)]
    for text, function, args in jobs:
        gradient = _verify(text, function, args, growable=False)
        counting += gradient.main.count_result is not None
    assert counting > 2
