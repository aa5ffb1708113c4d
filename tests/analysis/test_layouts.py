"""Indices of views as what their strides are multiplied by."""

from __future__ import annotations

from cladpy.analysis.affine import Affine
from cladpy.analysis.layouts import subscripts
from cladpy.ir import core
from cladpy.ir.types import LONG


def test_subscripts() -> None:
    values = {name: core.Value(name, LONG) for name in ("i", "j", "step", "other", "k")}

    def product(*names: str) -> Affine:
        return Affine.of({tuple(core.Use(values[n]) for n in names): 1})

    strides = (values["step"], values["other"])
    index = product("i", "step").plus(product("j", "other"), 2).plus(product("k"))
    assert subscripts(index, strides) == (
        {values["step"]: product("i"), values["other"]: product("j").plus(product("j"))},
        product("k"),
    )
    assert subscripts(product("i", "step", "other"), strides) is None
