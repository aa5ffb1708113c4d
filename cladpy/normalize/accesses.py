"""Names, places and memory: where an lvalue lies, what a pointer may point to, and how content is read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import (
    ASIDE,
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
    scalar_of,
    size_of,
    spell,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize import handles
from cladpy.normalize.addresses import Addresses
from cladpy.normalize.bits import joined, part, reinterpreted
from cladpy.normalize.casts import Casts, parts_of
from cladpy.normalize.decisions import Decisions, Restart
from cladpy.normalize.here import Here
from cladpy.normalize.links import PointersInMemory
from cladpy.normalize.memory import Variables
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import (
    NULL,
    ZERO,
    Cell,
    Flat,
    Links,
    Object,
    Pointer,
    Raw,
    Row,
    Table,
    Target,
    View,
    advance,
    converted,
    element_of,
    fitted,
    is_text,
    letters,
    moved,
    nested,
    scalars_in,
    to_cell,
    unnested,
    zero_of,
)
from cladpy.normalize.rebound import ReboundPointers
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import SSA, UNSURE, Content
from cladpy.normalize.storage import Storage

if TYPE_CHECKING:
    from cladpy.normalize.calls import Calls
    from cladpy.normalize.host import HostCalls
    from cladpy.normalize.values import Values


# A list leads to itself for ever: no more pointers in memory than these are followed.
DEEPEST = 6


@dataclass(slots=True, eq=False)
class Places:
    report: Report
    here: Here
    ssa: SSA
    casts: Casts
    storage: Storage
    links: PointersInMemory
    rebound: ReboundPointers
    objects: Objects
    decisions: Decisions
    globals: Variables
    addresses: Addresses
    values: Values = field(init=False)
    host: HostCalls = field(init=False)
    calls: Calls = field(init=False)

    # ---- names -----------------------------------------------------------------------------------------------------

    def place_of(self, symbol: Symbol, span: Span) -> Pointer:
        bound = self.here.frame.bindings.get(symbol)
        if bound is None:
            bound = self._global(symbol, span)
        if isinstance(bound, Pointer):
            return bound
        return Pointer((bound,), ZERO)

    def _global(self, symbol: Symbol, span: Span) -> Target:
        assert symbol.role is Role.GLOBAL, f"{symbol.name} is not bound"
        if symbol.space is Space.SHARED:
            return self.storage.block_memory(symbol, span)
        if symbol.type == ASIDE:
            cell = Cell(symbol.name, ASIDE)
            self.ssa.layers[0][cell] = zero_of(ASIDE)
            return cell
        held = element_of(scalar_of(symbol.type))
        if not isinstance(held, Scalar | Struct | Opaque) or isinstance(symbol.type, Reference):
            raise self.report.refuse(
                "CP0201",
                f"the variable '{symbol.name}' at namespace scope has a type that is not supported",
                span,
                "numbers, classes, pointers to them and arrays of them are",
            )
        return self.host.device_variable(symbol) or self.globals.target(symbol)

    # ---- lvalues ---------------------------------------------------------------------------------------------------

    def place(self, expr: s.Expr) -> Pointer:
        """Where an lvalue expression lies."""
        match expr:
            case s.VarRef(symbol=symbol, span=span):
                return self.place_of(symbol, span)
            case s.Index(base=base, index=index, type=type):
                pointer = self.pointer(base)
                return self.shifted(pointer, self.values.rvalue(index), scalars_in(type), expr.span)
            case s.Deref(operand=operand):
                return self.pointer(operand)
            case s.Assign() | s.CompoundAssign():
                return self.values.assignment(expr)
            case s.IncDec(target=target, delta=delta, prefix=True):
                place = self.place(target)
                self.values.step(place, target.type, delta, expr.span)
                return place
            case s.Comma(left=left, right=right):
                self.values.discard(left)
                return self.place(right)
            case s.Conditional(condition=condition, then=then, other=other) if is_lvalue(expr):
                cell = Cell("chosen", PointerType(expr.type))
                self.ssa.layers[-1][cell] = Pointer((NULL,), ZERO)
                self.ssa.branch(
                    self.values.rvalue(condition),
                    lambda: self.ssa.assign(cell, self.place(then), expr.span),
                    lambda: self.ssa.assign(cell, self.place(other), expr.span),
                    expr.span,
                )
                found = self.ssa.content(cell)
                assert isinstance(found, Pointer)
                return found
            case s.Member(base=base, field=field, span=span):
                return self.objects.member(self.objects.object_of(base), field, span)
            case s.Call(callee=callee) if isinstance(callee.result, Reference):
                return self.calls.pointer_of_call(expr)
            case s.Unsupported(type=type) if not isinstance(type, Opaque):
                raise self.report.unsupported(expr)
            case s.Temporary(operand=operand, type=Struct()):
                return self.objects.new_object(operand, "temporary")
            case s.Temporary(operand=operand):
                return self.place(operand) if not is_lvalue(operand) else self._copied(operand)
            case _ if isinstance(expr.type, Struct):
                return self.objects.object_of(expr)
            case s.StringLiteral():
                return Pointer((letters(expr),), ZERO)
            case s.InitList(type=Array() as type):
                made = Pointer((self.storage.local("temporary", type, expr.span),), ZERO)
                self.objects.fill(made, type, expr)
                return made
            case _:
                return self._copied(expr)  # a temporary bound to a reference to const

    def shifted(self, pointer: Pointer, index: core.Expr, scale: int, span: Span) -> Pointer:
        """A pointer moved by an index, within what it leads to."""
        if isinstance(index, core.Const) and index.value == 0:
            return pointer
        for target in pointer.targets:
            if (isinstance(target, core.Root) and target.members) or (isinstance(target, Object) and not target.dense):
                raise self.report.refuse(
                    "CP0235",
                    f"a pointer or reference to the member '{target.name}' is moved",
                    span,
                    "take the address of the member where it is moved from, or index an array",
                )
        self.step_of(pointer.targets, span)
        return moved(pointer, index, scale)

    def step_of(self, targets: tuple[Target, ...], span: Span) -> int:
        """How far an offset moves for a step of one: by the numbers of an object where numbers are seen as objects. It
        must be the same in all targets."""
        live = [t for t in targets if t is not NULL]
        views = [t for t in live if isinstance(t, View)]
        if views and (len(views) != len(live) or len({v.count for v in views}) != 1):
            raise self.casts.refuse_mixed(live, span)
        return views[0].count if views else 1

    def resolved(self, place: Pointer, span: Span) -> Pointer:
        """The place without a detour by the position in an object."""
        if len(place.targets) == 1 and isinstance(place.targets[0], Flat):
            found = self.objects.number(place.targets[0], place.offset, span)
            return place if found is None else found
        return place

    def with_number(self, place: Pointer, act: Callable[[Pointer], None], span: Span) -> None:
        """Does something with the number that a place stands for, in a branch for each that it may be."""
        live = [t for t in place.targets if t is not NULL]
        if len(live) > 1:
            self._choose(place, live, span, lambda t: self.with_number(Pointer((t,), place.offset), act, span))
            return
        place = self.resolved(Pointer((live[0],), place.offset) if live else place, span)
        match place.targets[0]:
            case Flat() as flat:
                self.objects.each_number(flat, place.offset, act, span)
            case Raw(target=Object()) as raw:
                self.with_number(self.casts.number_in_objects(raw, place.offset, span), act, span)
            case _:
                act(place)

    def _copied(self, expr: s.Expr) -> Pointer:
        """A scalar or pointer in a variable of its own."""
        cell = Cell("temporary", expr.type)
        self.ssa.layers[-1][cell] = (
            self.pointer(expr) if isinstance(expr.type, PointerType) else self.values.rvalue(expr)
        )
        return to_cell(cell)

    def pointer(self, expr: s.Expr) -> Pointer:
        """The value of an expression of pointer type, or of an array that decays."""
        if isinstance(expr.type, Array) and not isinstance(expr, s.StringLiteral):
            return self.place(expr)
        match expr:
            case s.Literal():
                return Pointer((NULL,), ZERO)
            case s.StringLiteral():
                return Pointer((letters(expr),), ZERO)
            case s.AddressOf(operand=s.Member(base=owner, field=field, span=span)):
                return self.objects.address_of_member(self.objects.object_of(owner), field, span)
            case s.AddressOf(operand=operand):
                return self.place(operand)
            case s.Cast(operand=operand, type=type):
                if not isinstance(operand.type, PointerType | Array):
                    assert isinstance(type, PointerType)
                    return self.addresses.pointer(self.values.rvalue(operand), type, expr.span)
                if isinstance(operand, s.Call) and isinstance(type, PointerType) and self.host.is_allocation(operand):
                    return self.host.allocate(operand, type.pointee)
                before = self.pointer(operand)
                return self.casts.as_type(before, type.pointee, expr.span) if isinstance(type, PointerType) else before
            case s.Binary(op=op, left=left, right=right):
                base, index = self.pointer(left), self.values.rvalue(right)
                if op is BinaryOp.SUB:
                    index = unary(UnaryOp.NEG, cast(index, LONG), LONG)
                return self.shifted(base, index, scalars_in(pointee(left.type)), expr.span)
            case s.Conditional():
                cell = Cell("chosen", expr.type)
                self.ssa.layers[-1][cell] = Pointer((NULL,), ZERO)
                self.ssa.branch(
                    self.values.rvalue(expr.condition),
                    lambda: self.ssa.assign(cell, self.pointer(expr.then), expr.span),
                    lambda: self.ssa.assign(cell, self.pointer(expr.other), expr.span),
                    expr.span,
                )
                found = self.ssa.content(cell)
            case s.IncDec(target=target, delta=delta, prefix=False):
                place = self.place(target)
                found = self.read(place, expr.type, expr.span)
                self.values.step(place, target.type, delta, expr.span)
            case s.Comma(left=left, right=right):
                self.values.discard(left)
                return self.pointer(right)
            case s.Call(callee=callee) if not isinstance(callee.result, Reference):
                return self.calls.pointer_of_call(expr)
            case _:
                found = self.read(self.place(expr), expr.type, expr.span)
        assert isinstance(found, Pointer)
        return found

    # ---- reading and writing ---------------------------------------------------------------------------------------

    def read(self, place: Pointer, type: Type, span: Span, name: str = "") -> Content:
        """The content of a place. Where it may be one of several, the tag decides at run time."""
        live = [t for t in place.targets if t is not NULL]
        if not live:
            self.ssa.null_is("read", span)
            return Pointer((NULL,), ZERO) if isinstance(type, PointerType) else zero_of(type)
        if len(live) == 1:
            return self._read_one(live[0], place.offset, type, span, name)
        result = Cell(name or "chosen", type)
        self.ssa.layers[-1][result] = Pointer((NULL,), ZERO) if isinstance(type, PointerType) else zero(type)
        self._choose(
            place,
            live,
            span,
            lambda t: self.ssa.assign(result, self._read_one(t, place.offset, type, span, name), span),
        )
        return self.ssa.content(result)

    def _read_one(self, target: Target, offset: core.Expr, type: Type, span: Span, name: str) -> Content:
        if isinstance(target, Raw) and isinstance(target.target, core.Root) and _is_of_size(target, type):
            target = target.target  # numbers of one size, of another type
        match target:
            case Cell(type=held):
                content = self.ssa.content(target)
                return content if held == type else self._as(content, type, target.name, span)
            case Flat():
                return self._read_number(target, offset, type, span, name)
            case Raw(target=Object()) if isinstance(type, Scalar) and size_of(type) == target.unit:
                return self.read(self.casts.number_in_objects(target, offset, span), type, span, name)
            case Raw(target=core.Root()) if isinstance(type, Scalar):
                return self._read_bits(target, offset, type, span, name)
            case View() | Raw():
                raise self.casts.refuse_raw(target, span)
            case Table(name=chain, pointers=pointers) if pointers > DEEPEST:
                raise self.report.refuse(
                    "CP0234",
                    f"memory is reached through more than {DEEPEST} pointers in memory ('{chain}')",
                    span,
                    "keep what a list or tree holds in arrays, and use indices for links",
                )
            case Table():
                cell = self.rebound.cell(target, offset, span)
                if cell is not None:
                    return self._as(self.ssa.content(cell), type, target.name, span)
                found = Pointer((target.target(),), core.Nested(offset, ZERO, None))
                return self._as(found, type, target.name, span)
            case Links():
                return self._as(self.links.follow(target, offset, span), type, target.name, span)
            case Row(all_null=True):
                return core.Const(UNSURE, type)
            case Row(cells=cells):
                return self._as(self._read_row(cells, unnested(offset)[-1], span), type, target.name, span)
            case Object(type=of):
                raise self._of_another_class(of, span)
        if is_text(target):
            raise self.report.refuse("CP0209", "the letters of a text are used", span, "use numbers, or leave it out")
        value = core.Value(name or f"{target.name}_i", target.element)
        self.ssa.out.append(core.Load(value, target, fitted(offset, target), span))
        return self._as(core.Use(value), type, target.name, span)

    def _read_bits(self, raw: Raw, offset: core.Expr, type: Scalar, span: Span, name: str) -> Content:
        """A number of another size than those in memory: made of several, or a part of one."""
        root = raw.target
        assert isinstance(root, core.Root)
        if root.untyped is not None or (is_floating(type) and is_floating(root.element)):
            raise self.casts.refuse_raw(raw, span)

        def number(index: core.Expr) -> core.Expr:
            content = self._read_one(root, index, root.element, span, "")
            assert not isinstance(content, Pointer)
            return content

        if (several := self._numbers_in(raw, type, offset)) is not None:
            found = joined([number(index) for index in several], type)
        elif (one := self._number_around(raw, type, offset)) is not None:
            found = part(number(one[0]), one[1], type)
        else:
            found = None
        if found is None:
            raise self.casts.refuse_raw(raw, span)
        return self.ssa.named(found, name or f"{root.name}_bits", span)

    def _write_bits(self, raw: Raw, offset: core.Expr, content: core.Expr, span: Span) -> None:
        """A number of another size than those in memory, which it fills. Those of which it is a part belong to others
        as well."""
        root = raw.target
        assert isinstance(root, core.Root)
        several = self._numbers_in(raw, content.type, offset)
        if several is None or root.untyped is not None or (is_floating(content.type) and is_floating(root.element)):
            raise self.casts.refuse_raw(raw, span)
        whole = self.ssa.named(content, f"{root.name}_bits", span)
        for i, index in enumerate(several):
            assert isinstance(root.element, Scalar)
            bits = part(whole, core.Const(i, INT), root.element)
            if bits is None:
                raise self.casts.refuse_raw(raw, span)
            self._write_one(root, index, bits, span)

    @staticmethod
    def _numbers_in(raw: Raw, type: Type, offset: core.Expr) -> list[core.Expr] | None:
        """Where the numbers lie that one of a larger type covers."""
        root, *outer, last = raw.target, *unnested(offset)
        assert isinstance(root, core.Root)
        count, rest = divmod(raw.unit, size_of(root.element))
        if root.members or rest or size_of(type) != raw.unit:
            return None
        first = advance(ZERO, last, count, False)
        return [nested([*outer, advance(first, core.Const(i, LONG), 1, False)]) for i in range(count)]

    @staticmethod
    def _number_around(raw: Raw, type: Type, offset: core.Expr) -> tuple[core.Expr, core.Expr] | None:
        """Where the number lies that one of a smaller type is a part of, and which part."""
        root, *outer, last = raw.target, *unnested(offset)
        assert isinstance(root, core.Root)
        count, rest = divmod(size_of(root.element), raw.unit)
        if root.members or rest or size_of(type) != raw.unit:
            return None
        whole, within = parts_of(last, count)
        if whole is None:  # which may lie before what a pointer leads to: not a quotient
            last = converted(last, LONG)
            whole = binary(BinaryOp.SHR, last, core.Const(count.bit_length() - 1, INT), LONG)
            within = binary(BinaryOp.BIT_AND, last, core.Const(count - 1, LONG), LONG)
        return nested([*outer, whole]), within

    def _read_number(self, flat: Flat, offset: core.Expr, type: Type, span: Span, name: str) -> Content:
        known = self.objects.number(flat, offset, span)
        if known is not None:
            return self.read(known, type, span, name)
        chosen = Cell(name or "chosen", type)
        self.ssa.layers[-1][chosen] = zero(type)
        self.objects.each_number(
            flat, offset, lambda p: self.ssa.assign(chosen, self.read(p, type, span, name), span), span
        )
        return self.ssa.content(chosen)

    def _as(self, content: Content, type: Type, name: str, span: Span) -> Content:
        """What is kept as one type, read or written through a pointer to another. A pointer leads to what its type says
        then, as by a conversion."""
        if isinstance(content, Pointer):
            if not isinstance(type, PointerType):
                raise self.casts.refuse_view(name, span)
            return self.casts.as_type(content, type.pointee, span)
        found = reinterpreted(content, type)
        if found is None:
            raise self.report.refuse(
                "CP0232",
                f"'{name}' holds '{spell(content.type)}' and is used as '{spell(type)}'",
                span,
                "declare the pointer with the type of what it points to",
            )
        return found

    def _read_row(self, cells: tuple[Cell, ...], index: core.Expr, span: Span) -> Content:
        if isinstance(index, core.Const):
            return self.ssa.content(cells[int(index.value)])
        type = cells[0].type
        chosen = Cell("chosen", type)
        self.ssa.layers[-1][chosen] = Pointer((NULL,), ZERO) if isinstance(type, PointerType) else zero_of(type)
        self._each_of(cells, index, lambda c: self.ssa.assign(chosen, self.ssa.content(c), span), span)
        return self.ssa.content(chosen)

    def _each_of(self, cells: tuple[Cell, ...], index: core.Expr, act: Callable[[Cell], None], span: Span) -> None:
        """Does something with the variable that an index chooses at run time."""
        index = self.ssa.named(index, "index", span)

        def from_(i: int) -> None:
            if i == len(cells) - 1:
                act(cells[i])
                return
            test = binary(BinaryOp.EQ, index, core.Const(i, index.type), BOOL)
            self.ssa.branch(test, lambda: act(cells[i]), lambda: from_(i + 1), span)

        from_(0)

    def write(self, place: Pointer, content: Content, span: Span) -> None:
        """Gives a place another content."""
        live = [t for t in place.targets if t is not NULL]
        if not live:
            self.ssa.null_is("written to", span)
        elif len(live) == 1:
            self._write_one(live[0], place.offset, content, span)
        else:
            self._choose(place, live, span, lambda t: self._write_one(t, place.offset, content, span))

    def _write_one(self, target: Target, offset: core.Expr, content: Content, span: Span) -> None:
        if isinstance(target, Raw) and isinstance(target.target, core.Root) and not isinstance(content, Pointer):
            target = target.target if _is_of_size(target, content.type) else target
        match target:
            case Cell():
                self.ssa.assign(target, self._as(content, target.type, target.name, span), span)
                return
            case Links():
                assert isinstance(content, Pointer)
                self.links.link(target, offset, content, span)
                return
            case Row(name=name, all_null=True):
                if not (isinstance(content, core.Const) and content.value <= 0):
                    raise self.report.refuse(
                        "CP0240",
                        f"'{name}', of whose length nothing is known here, holds handles that are not made there",
                        span,
                        "give the array a constant length",
                    )
                return
            case Row(cells=cells):
                index = unnested(offset)[-1]
                content = self._as(content, cells[0].type, target.name, span)
                if isinstance(index, core.Const):
                    self.ssa.assign(cells[int(index.value)], content, span)
                else:
                    self._each_of(cells, index, lambda c: self.ssa.assign(c, content, span), span)
                return
            case Flat():
                known = self.objects.number(target, offset, span)
                if known is not None:
                    self.write(known, content, span)
                else:
                    self.objects.each_number(target, offset, lambda p: self.write(p, content, span), span)
                return
            case Raw(target=Object()) if isinstance(content, core.Expr) and size_of(content.type) == target.unit:
                self.write(self.casts.number_in_objects(target, offset, span), content, span)
                return
            case Raw(target=core.Root()) if isinstance(content, core.Expr):
                self._write_bits(target, offset, content, span)
                return
            case View() | Raw():
                raise self.casts.refuse_raw(target, span)
            case Table(name=name, of_vector=True):
                raise self._another_length(name, span)
            case Table():
                self._write_one(self.rebound.changed(target, offset, span), ZERO, content, span)
                return
            case Object(type=of):
                raise self._of_another_class(of, span)
        if isinstance(content, Pointer):
            raise self.report.refuse(
                "CP0232",
                f"a pointer is stored to '{target.name}', which holds '{spell(target.element)}'",
                span,
                "keep pointers in variables of pointer type",
            )
        stored = self._as(content, target.element, target.name, span)
        assert not isinstance(stored, Pointer)
        if target.by_value and target.position is not None:
            raise self.copy_of_arrays(target.position)
        if target.path and target.path[-1].endswith("()"):
            raise self._another_length(target.name.rpartition(".")[0], span)
        if not target.writable:
            raise self.report.refuse(
                "CP0208", f"'{target.name}' is not writable here", span, "write to an argument instead"
            )
        self.ssa.out.append(core.Store(target, fitted(offset, target), handles.stored(stored, self.ssa), span))

    def _of_another_class(self, type: Struct, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0232",
            f"an object of type '{type.spelling}' is used as one of another type",
            span,
            "declare the pointer with the type of what it points to",
        )

    def _another_length(self, vector: str, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0233",
            f"the vector '{vector}', which is an argument's, gets other memory or another length",
            span,
            "give it its length before the function is called; what grows can be a vector of the function's own",
        )

    def copy_of_arrays(self, position: int) -> Restart:
        """An array in an object that is passed by value is written to: a local copy of it is, from the start."""
        return Restart(self.decisions.with_copies(self.here.active_calls[0], position))

    def _choose(self, place: Pointer, live: list[Target], span: Span, act: object) -> None:
        assert callable(act) and place.tag is not None
        tag = place.tag

        def from_(i: int) -> None:
            if i == len(live) - 1:
                act(live[i])
                return
            test = binary(BinaryOp.EQ, tag, core.Const(place.targets.index(live[i]), INT), BOOL)
            self.ssa.branch(test, lambda: act(live[i]), lambda: from_(i + 1), span)

        from_(0)


def _is_of_size(raw: Raw, type: Type) -> bool:
    """Whether the memory's numbers are of the size that it is used in."""
    return isinstance(raw.target, core.Root) and size_of(raw.target.element) == raw.unit == size_of(type)


def pointee(type: Type) -> Type:
    """What a pointer points to; arrays have been converted to one."""
    assert isinstance(type, PointerType)
    return type.pointee


def zero(type: Type) -> core.Const:
    return core.Const(0.0 if is_floating(type) else 0, type)
