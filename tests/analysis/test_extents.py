"""Bounds of integers that are surely not negative."""

from __future__ import annotations

import pytest

from cladpy.analysis.extents import at_most
from cladpy.ir import core
from cladpy.ir.surface import BinaryOp, BuiltinVar
from cladpy.ir.types import CHAR, INT, LONG, UINT, Type

N = core.Value("n", INT)
THREAD = core.Builtin(BuiltinVar.THREAD_X, UINT)


def _number(value: int, type: Type = INT) -> core.Const:
    return core.Const(value, type)


@pytest.mark.parametrize(
    ("expr", "bound"),
    [
        (THREAD, 1023),
        (core.Use(N), 300),
        (core.Cast(THREAD, INT), 1023),
        (core.Cast(THREAD, CHAR), None),  # 200 is -56
        (core.Cast(_number(100), CHAR), 100),
        (core.Binary(BinaryOp.BIT_AND, core.Cast(core.Use(N), CHAR), _number(4095), INT), None),
        (core.Binary(BinaryOp.ADD, core.Cast(core.Use(N), LONG), _number(5, LONG), LONG), 305),
        (core.Binary(BinaryOp.SUB, core.Use(N), _number(5), INT), None),
    ],
)
def test_bounds(expr: core.Expr, bound: int | None) -> None:
    assert at_most(expr, {N: _number(300)}) == bound
