"""Products of adjoints with what they are multiplied with, one after the other: their constants are multiplied here."""

from __future__ import annotations

from cladpy.ir import core
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import Type, is_floating, is_half


def product(seed: core.Expr, factor: core.Expr, type: Type) -> core.Expr:
    """The seed times a factor. Constants of ordinary size come last, and are multiplied with each other here: compilers
    may not do that."""
    match seed, factor:
        case core.Binary(BinaryOp.MUL, rest, core.Const() as old), core.Const() if (
            rest.type == type and _is_moderate(old) and _is_moderate(factor)
        ):
            both = core.Const(old.value * factor.value, type)
            return core.Binary(BinaryOp.MUL, rest, both, type) if both.value != 1 else rest
        case core.Binary(BinaryOp.MUL, rest, core.Const() as old), _ if rest.type == type and _is_moderate(old):
            return core.Binary(BinaryOp.MUL, core.Binary(BinaryOp.MUL, rest, factor, type), old, type)
        case _:
            return core.Binary(BinaryOp.MUL, seed, factor, type)


def _is_moderate(constant: core.Const) -> bool:
    """Whether multiplying with it later than written changes nothing but the last digits: what is made before that
    neither overflows nor vanishes unless what is made in the end nearly does."""
    return is_floating(constant.type) and not is_half(constant.type) and 1e-3 <= abs(constant.value) <= 1e3
