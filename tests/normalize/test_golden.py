"""The core form of small functions, and that it holds what the grammar promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.ir.core_text import format_function
from cladpy.ir.core_verify import verify
from tests.golden import golden, names
from tests.ir.stages import core_of

FOLDER = Path(__file__).parent / "programs"


def produce(name: str) -> str:
    return format_function(core_of(str(FOLDER / f"{name}.cu")))


@pytest.mark.parametrize("name", names(FOLDER))
def test_core(name: str) -> None:
    assert produce(name) == golden(FOLDER, name), "if this is meant: python -m tests.golden"
    assert verify(core_of(str(FOLDER / f"{name}.cu"))) == []
