"""The kernels of docs/recipes.md have gradients, and keep what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cladpy.ir.code_text import format_code
from tests.ir.stages import gradient_of

PAGE = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text()
BLOCKS = re.findall(r"```cuda\n// (\w+)\(([^)\n]*)\)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("function", "args", "text"), BLOCKS, ids=[f"{i}-{b[0]}" for i, b in enumerate(BLOCKS)])
def test_gradient(function: str, args: str, text: str) -> None:
    assert gradient_of(text, function, args, growable=False).main.name.startswith(f"{function}_grad")


def test_what_is_said_about_plain_additions() -> None:
    (text,) = (b[2] for b in BLOCKS if "if (i >= n) return;" in b[2])
    assert "plain d@x" in format_code(gradient_of(text, args="x, y").main)
    assert "plain d@x" not in format_code(gradient_of(text.replace("* x[i]", "* x[i + 1]"), args="x, y").main)


def test_what_is_said_about_loops() -> None:
    (text,) = (b[2] for b in BLOCKS if "forty values" in b[2])
    gradient = gradient_of(text, args="x, y", growable=False)
    assert gradient.main.tape_slots == 40
    assert gradient.main.count_result is None
