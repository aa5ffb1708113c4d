"""The gradients of small kernels in the grammar of generated code, and that they hold what it promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.ir.code_text import format_code
from cladpy.ir.code_verify import verify
from tests.golden import golden, names
from tests.ir.stages import gradient_of

FOLDER = Path(__file__).parent / "programs"


def produce(name: str) -> str:
    """All functions of the gradient by every floating-point argument, as for a GPU."""
    gradient = gradient_of(str(FOLDER / f"{name}.cu"), growable=False)
    return "\n".join(format_code(function) for function in gradient.functions)


@pytest.mark.parametrize("name", names(FOLDER))
def test_gradient(name: str) -> None:
    assert produce(name) == golden(FOLDER, name), "if this is meant: python -m tests.golden"
    assert verify(gradient_of(str(FOLDER / f"{name}.cu"), growable=False).functions) == []
