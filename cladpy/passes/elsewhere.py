"""Whether a statement of generated code comes to another element of an adjoint than the one that is meant, for one
thread: its index differs from that of the other by a number other than zero."""

from __future__ import annotations

from collections.abc import Mapping

from cladpy.analysis.affine import affine, differ, led_by
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements
from cladpy.ir.flow import changed_in, constants
from cladpy.ir.walk import values


def lasting(block: code.Block) -> dict[core.Value, core.Expr]:
    """What constants are made of that stays what it is."""
    changing = changed_in(block)
    return {v: e for v, e in constants(all_statements(block)).items() if changing.isdisjoint(values(e))}


def is_elsewhere(s: code.Statement, root: core.Root, index: core.Expr, lets: Mapping[core.Value, core.Expr]) -> bool:
    """Whether the element that a statement has to do with is not the adjoint's at `index`, of whose values none has
    changed in between; `lets` says what constants are made of."""
    match s:
        case code.AddElement(row=None) | code.Take():
            mine, at = s.root, s.index
        case code.Define(_, code.Element(mine, at)):
            pass
        case _:
            return False
    return mine is root and led_by(at) == led_by(index) and differ(affine(at, lets), affine(index, lets))
