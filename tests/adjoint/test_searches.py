"""What is no choice of a loop that looks for a number."""

from __future__ import annotations

from cladpy.adjoint.searches import _choice
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.types import FLOAT


def test_a_value_that_depends_on_nothing_chooses_nothing() -> None:
    found, before = core.Value("found", FLOAT), core.Value("before", FLOAT)
    expr = core.Linear(core.Const(0.0, FLOAT), (), FLOAT)
    assert _choice(core.Let(found, expr, Span("k.cu", 1, 1, 1, 2)), before) is None
