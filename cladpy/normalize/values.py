"""Surface expressions to core: side effects become statements in C++17's order, what is left is a pure expression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
    Array,
    Opaque,
    Reference,
    Scalar,
    Struct,
    Type,
    is_floating,
    is_integer,
    promote,
    size_of,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.ir.walk import subexpressions
from cladpy.normalize.accesses import Places, zero
from cladpy.normalize.comparisons import Comparisons
from cladpy.normalize.handles import compared
from cladpy.normalize.here import Here
from cladpy.normalize.layout import only_number
from cladpy.normalize.objects import Objects, is_named_memory
from cladpy.normalize.places import (
    Cell,
    Flat,
    Pointer,
    Raw,
    Target,
    nested,
    scalars_in,
    unnested,
    zero_of,
)
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA, Content, is_cheap
from cladpy.order import scan

if TYPE_CHECKING:
    from cladpy.normalize.calls import Calls


@dataclass(slots=True, eq=False)
class Values:
    report: Report
    here: Here
    ssa: SSA
    objects: Objects
    places: Places
    comparisons: Comparisons
    calls: Calls = field(init=False)

    # ---- rvalues ---------------------------------------------------------------------------------------------------

    def rvalue(self, expr: s.Expr) -> core.Expr:
        """The value of a scalar expression."""
        match expr:
            case s.Literal(value=value, type=type):
                return core.Const(value, type)
            case s.Builtin(var=var, type=type):
                return core.Builtin(var, type)
            case s.VarRef(symbol=symbol):
                content = self.places.read(self.places.place(expr), expr.type, expr.span, symbol.name)
            case s.Member(field=field):
                content = self.places.read(self.places.place(expr), expr.type, expr.span, field.name)
            case s.Index() | s.Deref() | s.Assign() | s.CompoundAssign() | s.IncDec(prefix=True) | s.Temporary():
                content = self.places.read(self.places.place(expr), expr.type, expr.span)
            case s.Call(callee=callee) if isinstance(callee.result, Reference) and not callee.in_system_header:
                content = self.places.read(self.places.place(expr), expr.type, expr.span)
            case s.IncDec(target=target, delta=delta):
                place = self.places.place(target)
                content = self.places.read(place, expr.type, expr.span)
                self.step(place, target.type, delta, expr.span)
            case s.Unary(op=op, operand=operand, type=type):
                return unary(op, self.rvalue(operand), type)
            case s.Binary():
                return self._binary(expr)
            case s.Conditional():
                return self._conditional(expr)
            case s.Cast(operand=operand, type=type):
                if isinstance(operand.type, PointerType | Array):
                    return cast(self.places.addresses.number(self.places.pointer(operand), expr.span), type)
                return cast(self.rvalue(operand), type)
            case s.Comma(left=left, right=right):
                self.discard(left)
                return self.rvalue(right)
            case s.Call():
                result = self.calls.call(expr, used=True)
                assert result is not None
                return result
            case s.Unsupported(operands=operands, type=Opaque() as type) if operands is not None:
                self.discard(expr)
                return zero_of(type)  # nothing asks for its content
            case s.Unsupported():
                raise self.report.unsupported(expr)
            case _:
                raise self.report.refuse(
                    "CP0209", "this expression has no numeric value", expr.span, "use numbers, or leave it out"
                )
        assert not isinstance(content, Pointer)
        return content

    def both(self, left: core.Expr, right: s.Expr, span: Span) -> core.Expr:
        """`left && right`, where the right side is evaluated only if the left one holds."""
        return self._short_circuit(BinaryOp.AND, left, right, span)

    def discard(self, expr: s.Expr) -> None:
        """Evaluates for side effects only."""
        match expr:
            case s.Literal() | s.StringLiteral() | s.VarRef():
                pass
            case s.IncDec(target=target, delta=delta):
                self.step(self.places.place(target), target.type, delta, expr.span)
            case s.Assign() | s.CompoundAssign():
                self.assignment(expr)
            case s.Call():
                self.calls.call(expr, used=False)
            case s.Comma(left=left, right=right):
                self.discard(left)
                self.discard(right)
            case s.Conditional(condition=condition, then=then, other=other):
                self.ssa.branch(
                    self.rvalue(condition), lambda: self.discard(then), lambda: self.discard(other), expr.span
                )
            case s.Cast(operand=operand):
                self.discard(operand)
            case s.Binary(op=BinaryOp.AND, left=left, right=right):
                self.ssa.branch(self.rvalue(left), lambda: self.discard(right), lambda: None, expr.span)
            case s.Binary(op=BinaryOp.OR, left=left, right=right):
                self.ssa.branch(self.rvalue(left), lambda: None, lambda: self.discard(right), expr.span)
            case s.Construct():
                self.objects.object_of(expr)
            case s.Unsupported(operands=None):
                raise self.report.unsupported(expr)
            case s.Unsupported(operands=operands):
                for operand in operands or ():
                    self.discard(operand)
            case s.InitList(elements=elements):
                for element in elements:
                    self.discard(element)
            case s.Member(base=operand) | s.Temporary(operand=operand):
                self.discard(operand)
            case _ if isinstance(expr.type, PointerType | Array):
                self.places.pointer(expr)
            case _ if isinstance(expr.type, Scalar | Opaque):
                self.rvalue(expr)
            case _:
                self.places.place(expr)  # an object that is named

    # ---- assignments -----------------------------------------------------------------------------------------------

    def give(self, place: Callable[[], Pointer], value: s.Expr, span: Span) -> Pointer:
        """Gives a place, which is asked for after the value, that of a scalar expression. What is loaded from numbers
        of floating point as something else moves them to where such numbers lie, and so their derivatives."""
        content: Content
        if not is_named_memory(value):
            content = self.rvalue(value)
            found = place()
            self.places.write(found, content, span)
            return found
        source, type = self.places.place(value), value.type
        match source.targets:
            case (core.Root(element=Scalar() as number),) if is_integer(type) and is_floating(number):
                type = number if size_of(number) == size_of(type) else type
        moves = any(_is_seen_otherwise(t) for t in source.targets)
        if moves:
            source, found = self.fixed(source, span), place()
            if self.objects.copy_numbers(source, found, size_of(type), span):
                return found
        content = self.places.read(source, type, value.span, _name_of(value))
        if not moves:
            found = place()
            self.objects.carry(source, found)
        self.places.write(found, content, span)
        return found

    def assignment(self, expr: s.Assign | s.CompoundAssign) -> Pointer:
        """Carries out an assignment (C++17: the right side first) and gives the place assigned to."""
        self._check_target(expr.target)
        if isinstance(expr, s.Assign) and isinstance(expr.type, Struct | Array):
            source = (
                self.objects.object_of(expr.value) if isinstance(expr.type, Struct) else self.places.place(expr.value)
            )
            source = self.fixed(source, expr.span)
            place = self.fixed(self.places.place(expr.target), expr.span)
            self.objects.copy(source, place, expr.type, expr.span)
            return place
        if isinstance(expr, s.Assign):
            pointer = isinstance(expr.type, PointerType)
            symbols = list(scan.lvalue_symbols(expr.target))
            self.here.pointer_name = symbols[0].name if symbols else "memory"
            bound = self.here.frame.bindings.get(symbols[0]) if pointer and len(symbols) == 1 else None
            self.here.pointer_cell = bound if isinstance(bound, Cell) else None
            if not pointer:
                return self.give(lambda: self.places.place(expr.target), expr.value, expr.span)
            content = self.places.pointer(expr.value)
            place = self.places.place(expr.target)
            self.places.write(place, content, expr.span)
            return place
        operand = self.rvalue(expr.value)
        place = self.fixed(self.places.place(expr.target), expr.span)
        before = self.places.read(place, expr.type, expr.span)
        if isinstance(before, Pointer):
            assert isinstance(expr.type, PointerType)
            if expr.op is BinaryOp.SUB:
                operand = unary(UnaryOp.NEG, cast(operand, LONG), LONG)
            self.places.write(
                place, self.places.shifted(before, operand, scalars_in(expr.type.pointee), expr.span), expr.span
            )
            return place
        result = binary(expr.op, cast(before, expr.compute_type), operand, expr.compute_type)
        self.places.write(place, cast(result, expr.type), expr.span)
        return place

    def _check_target(self, target: s.Expr) -> None:
        if isinstance(target, s.Member) and target.field.bits is not None:
            raise self.report.refuse(
                "CP0231",
                f"the bit-field '{target.field.name}' is assigned to",
                target.span,
                "keep it in a variable, and put the bits together by shifts",
            )

    def step(self, place: Pointer, type: Type, delta: int, span: Span) -> None:
        """Increments or decrements."""
        place = self.fixed(place, span)
        before = self.places.read(place, type, span)
        if isinstance(before, Pointer):
            assert isinstance(type, PointerType)
            self.places.write(
                place, self.places.shifted(before, core.Const(delta, INT), scalars_in(type.pointee), span), span
            )
            return
        if is_floating(type):
            one: core.Expr = core.Const(1.0, type)
            result = core.Binary(BinaryOp.ADD if delta > 0 else BinaryOp.SUB, before, one, type)
        else:
            assert isinstance(type, Scalar)
            wide = INT if _narrow(type) else type
            op = BinaryOp.ADD if delta > 0 else BinaryOp.SUB
            result = cast(binary(op, cast(before, wide), core.Const(1, wide), wide), type)  # type: ignore[assignment]
        self.places.write(place, result, span)

    def fixed(self, place: Pointer, span: Span) -> Pointer:
        """The place with an index that is a name, because it is used twice."""
        if _size(place.offset) <= 3:
            return place
        offset = nested([i if _size(i) <= 3 else self.ssa.named(i, "index", span) for i in unnested(place.offset)])
        return Pointer(place.targets, offset, place.tag)

    # ---- operators with conditions ---------------------------------------------------------------------------------

    def _binary(self, expr: s.Binary) -> core.Expr:
        if expr.op in (BinaryOp.AND, BinaryOp.OR):
            return self._short_circuit(expr.op, self.rvalue(expr.left), expr.right, expr.span)
        if isinstance(expr.left.type, PointerType | Array) or isinstance(expr.right.type, PointerType | Array):
            return self.comparisons.pointer_comparison(expr)
        left, right = self.rvalue(expr.left), self.rvalue(expr.right)
        if isinstance(left.type, Opaque) and isinstance(right.type, Opaque):
            known = compared(expr.op, left, right, self.ssa, self.report, expr.span)
            if known is not None:
                return known
        return binary(expr.op, left, right, expr.type)

    def _short_circuit(self, op: BinaryOp, left: core.Expr, right: s.Expr, span: Span) -> core.Expr:
        stop = core.Const(op is BinaryOp.OR, BOOL)
        if isinstance(left, core.Const):
            return stop if left.value == stop.value else self.rvalue(right)
        found: list[core.Expr] = []
        statements, changes = self.ssa.capture(lambda: found.append(self.rvalue(right)))
        if not statements and not changes and is_cheap(found[0]):
            return binary(op, left, found[0], BOOL)
        cell = Cell("both" if op is BinaryOp.AND else "either", BOOL)
        self.ssa.layers[-1][cell] = stop

        def evaluate() -> None:
            self.ssa.out.extend(statements)
            self.ssa.layers[-1].update(changes)
            self.ssa.assign(cell, found[0], span)

        if op is BinaryOp.AND:
            self.ssa.branch(left, evaluate, lambda: None, span)
        else:
            self.ssa.branch(left, lambda: None, evaluate, span)
        return self.ssa.scalar(cell)

    def _conditional(self, expr: s.Conditional) -> core.Expr:
        condition = self.rvalue(expr.condition)
        if isinstance(condition, core.Const):
            return self.rvalue(expr.then if condition.value else expr.other)
        cell = Cell("chosen", expr.type)
        self.ssa.layers[-1][cell] = zero(expr.type)
        self.ssa.branch(
            condition,
            lambda: self._set(cell, self.rvalue(expr.then)),
            lambda: self._set(cell, self.rvalue(expr.other)),
            expr.span,
        )
        return self.ssa.scalar(cell)

    def _set(self, cell: Cell, expr: core.Expr) -> None:
        """A new version without a name of its own: the merge gives it one."""
        self.ssa.layers[-1][cell] = expr


def _narrow(type: Scalar) -> bool:
    return promote(type) != type


def _size(expr: core.Expr) -> int:
    return sum(1 for _ in subexpressions(expr))


def _name_of(memory: s.Expr) -> str:
    match memory:
        case s.VarRef(symbol=named) | s.Member(field=named):
            return named.name
        case _:
            return ""


def _is_seen_otherwise(target: Target) -> bool:
    """Whether a pointer leads to numbers as something else than they are."""
    match target:
        case Flat(object=object, element=element):
            return only_number(object.type) not in (None, element)
        case _:
            return isinstance(target, Raw)
