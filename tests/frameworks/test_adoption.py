"""The driver that tries functions of public extensions, on one of the tests' own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tests.oracle  # noqa: F401  how units of tests are compiled

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

from benchmarks.adoption import cases, outcome, tried  # noqa: E402  which needs it

EXTENSION = Path(__file__).parent / "extension.cu"
CASES = f"""
import torch
def made(function, args, **more):
    return dict(files=[{str(EXTENSION)!r}], function=function, args=args, **more)
def cases():
    x, y = torch.linspace(-1, 1, 6).double(), torch.zeros(6).double()
    return {{
        "changed in place": made("scale", lambda: [x, y, 3.0]),
        "several": made("squares", lambda: [x.reshape(2, 3)]),
        "differences that are too wide": made("swish", lambda: [x, x], step=3.0, fixed=[1]),
        "of nobody": made("absent", lambda: [x]),
    }}
"""


def test_cases_are_tried(tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text(CASES)
    known = cases(file)
    for name in ("changed in place", "several"):
        found = tried(known[name], is_first=True)
        assert found["agree"] and found["processor"] > 0 and set(found["errors"]) != {0.0}, found
    assert not tried(known["differences that are too wide"], is_first=True)["agree"]
    assert "no member named 'absent'" in tried(known["of nobody"], is_first=True)["error"]
    assert outcome(file, "of nobody", 0.01) == "| of nobody | more than 0.01 s | | |"
