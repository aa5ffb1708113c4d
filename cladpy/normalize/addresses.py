"""Addresses as numbers, and numbers as addresses: whether memory is aligned, and bytes that are counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.names import through_names
from cladpy.ir.surface import BinaryOp
from cladpy.ir.types import BOOL, CHAR, INT, LONG, ULONG, is_integer, size_of
from cladpy.ir.types import Pointer as PointerType
from cladpy.ir.walk import children
from cladpy.normalize.casts import Casts, is_dense, step_size
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Links,
    Pointer,
    Raw,
    Row,
    Table,
    Target,
    View,
    advance,
    held_by,
    moved,
    nested,
    padded,
    root_in,
    steps_of,
)
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA

# Where memory of a thread or block lies, and other memory that no pointer of the program's leads to, is nobody's
# business but that it is aligned, and apart from other memory: far above all addresses, with much room on both sides.
_FIRST = 1 << 62
_APART = 1 << 40


@dataclass(slots=True, eq=False)
class Addresses:
    report: Report
    ssa: SSA
    casts: Casts
    places: dict[Target, int] = field(default_factory=dict)
    begins: dict[core.Expr, Pointer] = field(default_factory=dict)  # where addresses lead that others are counted from

    def number(self, pointer: Pointer, span: Span) -> core.Expr:
        """The address that a pointer holds."""
        result, *others = (self._in(target, pointer.offset, span) for target in reversed(pointer.targets))
        for tag, other in zip(reversed(range(len(others))), others, strict=True):
            assert pointer.tag is not None
            chosen = core.Binary(BinaryOp.EQ, pointer.tag, core.Const(tag, INT), BOOL)
            result = core.Select(chosen, other, result, ULONG)
        return result

    def _in(self, target: Target, offset: core.Expr, span: Span) -> core.Expr:
        if target is NULL:
            return core.Const(0, ULONG)
        if isinstance(target, Cell):
            return self._begin(target, Pointer((target,), ZERO))
        if isinstance(target, Table | Row | Links):
            raise self._refuse(span)
        inner = target.target if isinstance(target, Raw) else target
        memory = inner.root if isinstance(inner, View) else inner
        held = held_by(target)
        indices = padded(offset, steps_of(target))
        before, (*outer, last) = indices[: held.steps if held else 0], indices[held.steps if held else 0 :]
        if outer or not (is_dense(inner) or last == ZERO):
            raise self._refuse(span)
        begin = Pointer((target,), nested([*before, ZERO]))
        if held is None:
            address = self._begin(memory.memory if isinstance(memory, core.Root) else memory, begin)
        else:
            address = core.Address(root_in(target), ULONG, held, nested(before) if before else None)
            self.begins.setdefault(address, begin)
        bytes = binary(BinaryOp.MUL, cast(last, ULONG), core.Const(step_size(target), ULONG), ULONG)
        return address if bytes == core.Const(0, ULONG) else binary(BinaryOp.ADD, address, bytes, ULONG)

    def _begin(self, memory: Target, begin: Pointer) -> core.Expr:
        number = self.places.setdefault(memory, len(self.places))
        address = core.Const(_FIRST + number * _APART, ULONG)
        self.begins.setdefault(address, begin)
        return address

    # ---- numbers as addresses --------------------------------------------------------------------------------------

    def pointer(self, number: core.Expr, type: PointerType, span: Span) -> Pointer:
        """Where the pointer leads that a number becomes: to the memory whose address it was made of, as many bytes
        behind its beginning as say the numbers."""
        found = set(_begins(number, self.ssa.lets)) & self.begins.keys()
        begin = found.pop() if len(found) == 1 else None
        if begin is None:
            raise self.report.refuse(
                "CP0202",
                "a number is converted to a pointer",
                span,
                "make it of the address of one array, or index an array instead",
            )
        bytes = self._behind(begin, number)
        first = self.begins[begin]
        if isinstance(first.targets[0], Cell):
            if bytes != core.Const(0, LONG):
                raise self._refuse(span)
            return first
        return self.casts.as_type(moved(self.casts.as_type(first, CHAR, span), bytes, 1), type.pointee, span)

    def _behind(self, begin: core.Expr, number: core.Expr) -> core.Expr:
        """How many bytes a number is behind an address that it is made of."""
        match number:
            case _ if number == begin:
                return core.Const(0, LONG)
            case core.Const(value=value) if _begins(number, {}) == (begin,):
                assert isinstance(begin, core.Const)
                return core.Const(int(value) - int(begin.value), LONG)
            case core.Use(value=value) if value in self.ssa.lets:
                return self._behind(begin, self.ssa.lets[value])
            case core.Cast(operand=operand) if is_integer(operand.type) and size_of(operand.type) == 8:
                return self._behind(begin, operand)
            case core.Binary(op=BinaryOp.ADD | BinaryOp.SUB as op, left=left, right=right):
                if not _begins(right, self.ssa.lets):
                    return _moved(self._behind(begin, left), op, right)
                if op is BinaryOp.ADD and not _begins(left, self.ssa.lets):
                    return _moved(self._behind(begin, right), op, left)
        return binary(BinaryOp.SUB, cast(number, LONG), cast(begin, LONG), LONG)

    def _refuse(self, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0202",
            "a pointer into an object, or to a pointer, is converted to a number",
            span,
            "compute with indices instead, or take the address of the array",
        )


@through_names
def _begins(expr: core.Expr, again: Callable[[core.Expr], tuple[core.Expr, ...]]) -> tuple[core.Expr, ...]:
    """The addresses that a number is made of."""
    match expr:
        case core.Address():
            return (expr,)
        case core.Const(value=value, type=type) if is_integer(type):
            number = (int(value) - _FIRST + _APART // 2) // _APART
            return (core.Const(_FIRST + number * _APART, ULONG),) if number >= 0 else ()
        case _:
            return tuple(dict.fromkeys(begin for child in children(expr) for begin in again(child)))


def _moved(behind: core.Expr, op: BinaryOp, by: core.Expr) -> core.Expr:
    by = _signed(by)
    if op is BinaryOp.ADD or isinstance(by, core.Const):
        return advance(behind, by, 1 if op is BinaryOp.ADD else -1, False)
    return binary(op, behind, by, LONG)


def _signed(expr: core.Expr) -> core.Expr:
    """A number of bytes as a signed number: sums and products wrap to the same bits, and stay comparable."""
    match expr:
        case core.Binary(op=BinaryOp.ADD | BinaryOp.SUB | BinaryOp.MUL as op, left=left, right=right) if (
            size_of(expr.type) == 8
        ):
            return binary(op, _signed(left), _signed(right), LONG)
        case core.Cast(operand=operand) if size_of(expr.type) == 8 and is_integer(operand.type):
            return _signed(operand) if size_of(operand.type) == 8 else cast(operand, LONG)
        case _:
            return cast(expr, LONG)
