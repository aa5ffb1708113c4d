"""Where an lvalue lies, and what a pointer points to, while a function is being normalised."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir.types import INT, LONG, Array, Scalar, Type


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One instance of a scalar or pointer variable; an inlined function gets fresh ones. Its content is in the
    environment, as a version, never in memory."""

    name: str
    type: Type


# What a null pointer points to; nothing is ever read or written there.
NULL = core.Root("null", INT, core.RootKind.GLOBAL, NOWHERE)

Target = core.Root | Cell


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of element `offset` of one of `targets`; `tag` says which, where there are several."""

    targets: tuple[Target, ...]
    offset: core.Expr
    tag: core.Expr | None = None


ZERO = core.Const(0, INT)


def to_cell(cell: Cell) -> Pointer:
    return Pointer((cell,), ZERO)


def scalars_in(type: Type) -> int:
    """How many scalars an object holds: what a step of one moves a pointer to it, in elements of the root."""
    return type.length * scalars_in(type.element) if isinstance(type, Array) else 1


def is_integer_constant(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and isinstance(expr.value, int)


def advance(offset: core.Expr, index: core.Expr, scale: int, narrow: bool) -> core.Expr:
    """`offset + index * scale`, in int where the root is known to be small (`narrow`), else in 64 bits."""
    if isinstance(index, core.Const):
        index = core.Const(int(index.value) * scale, LONG)
        scale = 1
    if isinstance(index, core.Const) and isinstance(offset, core.Const):
        return core.Const(int(index.value) + int(offset.value), INT if narrow else LONG)
    if isinstance(index, core.Const) and index.value == 0:
        return offset
    if scale == 1 and isinstance(offset, core.Const) and offset.value == 0:
        return index
    type = INT if narrow and index.type in (INT, LONG) and offset.type in (INT, LONG) else LONG
    index = converted(index, type)
    if scale != 1:
        index = core.Binary(core.BinaryOp.MUL, index, core.Const(scale, type), type)
    if isinstance(offset, core.Const) and offset.value == 0:
        return index
    if (
        isinstance(index, core.Const)
        and isinstance(offset, core.Binary)
        and offset.op is core.BinaryOp.ADD
        and isinstance(offset.right, core.Const)
        and offset.type == type
    ):
        total = int(offset.right.value) + int(index.value)
        if total == 0:
            return offset.left
        return core.Binary(core.BinaryOp.ADD, offset.left, core.Const(total, type), type)
    return core.Binary(core.BinaryOp.ADD, converted(offset, type), index, type)


def converted(expr: core.Expr, type: Type) -> core.Expr:
    """An integer expression converted to another integer type."""
    if expr.type == type:
        return expr
    if isinstance(expr, core.Const):
        return core.Const(int(expr.value), type)
    return core.Cast(expr, type)


def is_small(target: Target) -> bool:
    """Whether every valid index of the target fits an int."""
    return isinstance(target, Cell) or (target.length is not None and target.length < 2**31)


def zero_of(type: Type) -> core.Const:
    assert isinstance(type, Scalar)
    return core.Const(0.0 if type.kind.value in ("float", "double") else 0, type)
