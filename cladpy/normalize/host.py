"""Host code: calls that allocate, copy and fill memory.

An allocation is memory like an argument's: a root, or one for each scalar member of the objects in it. Nothing is
released here: the gradient keeps what its reverse sweep may need. What a call of the runtime says about errors is a
constant, since the gradient reports them itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import core, host
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionSymbol, Role, Symbol
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
    ULONG,
    Array,
    Opaque,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Void,
    size_of,
    spell,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Places
from cladpy.normalize.casts import Casts
from cladpy.normalize.decisions import Site
from cladpy.normalize.here import Here
from cladpy.normalize.launches import Launches
from cladpy.normalize.layout import comes_apart, number_at
from cladpy.normalize.links import PointersInMemory
from cladpy.normalize.memory import Memory
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import NULL, ZERO, Cell, Object, Pointer, Row, Target, element_of, moved, zero_of
from cladpy.normalize.policy import Policy
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import MADE, SSA
from cladpy.normalize.values import Values


@dataclass(slots=True, eq=False)
class HostCalls:
    report: Report
    here: Here
    ssa: SSA
    casts: Casts
    links: PointersInMemory
    objects: Objects
    places: Places
    values: Values
    launches: Launches
    policy: Policy
    sizes: dict[Symbol, core.Expr] = field(default_factory=dict)  # the bytes of what has been allocated
    handles: dict[Site, Row] = field(default_factory=dict)
    located: dict[Symbol, Target] = field(default_factory=dict)  # the variables of the device's
    beginning: list[core.Statement] = field(default_factory=list)  # what is done before all else

    def is_host_call(self, expr: s.Expr) -> bool:
        """Whether a call is one of those that this file knows."""
        if not self.here.on_host or not isinstance(expr, s.Call) or not expr.callee.in_system_header:
            return False
        return isinstance(known.of(expr.callee.name), known.HostCall)

    def host_call(self, expr: s.Call) -> core.Expr | None:
        """Normalises a call of the runtime; what it says is that all went well."""
        given = expr.arguments
        row = known.of(expr.callee.name)
        match row:
            case known.Allocation(place=None):
                pass  # nobody keeps it
            case known.Allocation(place=int() as position):
                place = self.places.pointer(_uncast(given[position]))
                self.here.pointer_name = next((t.name for t in place.targets if isinstance(t, Cell | Row)), "memory")
                self.here.pointer_cell = place.targets[0] if len(place.targets) == 1 else None
                self.places.write(
                    place, self.allocate(expr, _element(given[position].type, given[position])), expr.span
                )
            case known.SymbolCopy(inwards=inwards):
                self._copy_symbol(inwards, given, expr.span)
            case known.SymbolAddress():
                self.places.write(self.places.pointer(_uncast(given[0])), self._symbol_place(given[1]), expr.span)
            case known.Pitched():
                self._pitched(row.multiple, given, expr.span)
            case known.Release():
                self._release(self.places.pointer(given[0]), expr.span)
            case known.Copy():
                self._copy(given, expr.span)
            case known.Fill():
                self._fill(given, expr.span)
            case known.Rows():
                self._rows(row, given, expr.span)
            case known.Mirrors():
                memory = [self.launches.address(self._memory_given(e), expr.span) for e in given[:2]]
                count, when = (self.values.rvalue(e) for e in given[2:])
                self._host_step(host.MIRRORS, (*memory, count, when), set(), expr.span)
            case known.Handle(value=value):
                place, type = self.places.pointer(given[0]), _pointed(given[0])
                number = core.Const(MADE, type) if isinstance(type, Opaque) else cast(core.Const(value, INT), type)
                self.places.write(place, number, expr.span)
            case _:
                for argument in given:
                    if isinstance(argument.type, Scalar):
                        self.values.discard(argument)
        return core.Const(0, expr.type) if isinstance(expr.type, Scalar) else None

    # ---- allocations -----------------------------------------------------------------------------------------------

    def is_allocation(self, expr: s.Expr) -> bool:
        """Whether an expression is a call that returns new memory."""
        if not self.here.on_host or not isinstance(expr, s.Call) or not expr.callee.in_system_header:
            return False
        row = known.of(expr.callee.name)
        return isinstance(row, known.Allocation) and row.place is None

    def allocate(self, expr: s.Call, element: Type) -> Pointer:
        """New memory for elements of a type."""
        row = known.of(expr.callee.name)
        assert isinstance(row, known.Allocation)
        bytes, *others = (cast(self.values.rvalue(expr.arguments[position]), ULONG) for position in row.factors)
        for other in others:
            bytes = binary(BinaryOp.MUL, bytes, other, ULONG)
        if not row.grows:
            return self.new_memory(row.side, element, bytes, row.zeroed, expr.span)
        before = self.places.resolved(self.places.pointer(_uncast(expr.arguments[0])), expr.span)
        made = self.new_memory(row.side, element, bytes, False, expr.span)
        if before.targets != (NULL,):
            size = self._size_of(before, expr.span)
            fewer = binary(BinaryOp.LT, size, bytes, BOOL)
            kept = core.Select(fewer, size, bytes, ULONG)
            self._host_step(
                host.COPY,
                (self.launches.address(made, expr.span), self.launches.address(before, expr.span), kept),
                {0},
                expr.span,
            )
        return made

    def _size_of(self, pointer: Pointer, span: Span) -> core.Expr:
        target = pointer.targets[0]
        known = self.sizes.get(target.allocation) if isinstance(target, core.Root) and target.allocation else None
        if known is None or len(pointer.targets) > 1:
            raise self.report.refuse(
                "CP0246",
                "memory is allocated anew whose size is not known here",
                span,
                "allocate other memory, and copy what is to be kept",
            )
        return known

    def _pitched(self, multiple: int, given: tuple[s.Expr, ...], span: Span) -> None:
        """Rows begin at multiples of a power of two."""
        place = self.places.pointer(_uncast(given[0]))
        width, rows = (
            self.ssa.named(cast(self.values.rvalue(e), ULONG), n, span)
            for e, n in ((given[2], "width"), (given[3], "rows"))
        )
        step = core.Const(multiple, ULONG)
        more = binary(BinaryOp.ADD, width, core.Const(multiple - 1, ULONG), ULONG)
        pitch = self.ssa.named(
            binary(BinaryOp.MUL, binary(BinaryOp.DIV, more, step, ULONG), step, ULONG), "pitch", span
        )
        self.here.pointer_name = next((t.name for t in place.targets if isinstance(t, Cell | Row)), "memory")
        self.here.pointer_cell = place.targets[0] if len(place.targets) == 1 else None
        element = _element(given[0].type, given[0])
        bytes = binary(BinaryOp.MUL, pitch, rows, ULONG)
        self.places.write(place, self.new_memory(core.Side.DEVICE, element, bytes, False, span), span)
        self.places.write(self.places.pointer(given[1]), pitch, span)

    def new_memory(self, side: core.Side, element: Type, bytes: core.Expr, zeroed: bool, span: Span) -> Pointer:
        # the statements of a stand-in have one span, and so have the functions that are made of its templates
        site = (*self.here.inlined_at, span, self.here.pointer_name, spell(element))
        if isinstance(element, Void):
            element = self.policy.decisions.typed.get(site, element)
        untyped = isinstance(element, Void)  # what libraries are given to work in
        if untyped:
            element = Scalar(ScalarKind.UCHAR)
        if isinstance(element, Opaque) and side is core.Side.HOST:
            return Pointer((self._handles(site, element),), ZERO)
        pointers = isinstance(element, PointerType) and side is core.Side.HOST
        if not isinstance(element, Scalar | Struct) and not pointers:
            raise self.launches.refuse_untyped(spell(element), span)
        symbol, target = self._site(site, side, element, span)
        size = self.ssa.named(bytes, f"{symbol.name}_bytes", span)
        if site not in self.policy.decisions.several:
            self.sizes[symbol] = size
        if untyped:
            self.casts.untyped[symbol] = site
        self.ssa.out.append(core.Acquire(symbol, side, element, size, zeroed, span))
        return self.links.next_of(site, target, span)

    def _handles(self, site: Site, element: Opaque) -> Row:
        """Streams and events, of which the gradient makes none."""
        if site not in self.handles:
            cell = Cell(self.here.pointer_name, element)
            self.ssa.layers[0][cell] = zero_of(element)
            self.handles[site] = Row(cell.name, (cell,), all_null=True)
        return self.handles[site]

    def _site(self, site: Site, side: core.Side, element: Type, span: Span) -> tuple[Symbol, Target]:
        """What a call that allocates gives: the same each time, since loops are normalised more than once."""
        if site not in self.links.sites:
            symbol = Symbol(self.here.pointer_name, PointerType(element), Role.VARIABLE, span)
            target = self.links.new_site(site, symbol, element, side, span)
            if isinstance(target, Object) and target.whole is not None:
                target.whole()
            self.links.sites[site] = symbol, target
        symbol, target = self.links.sites[site]
        for cell, content in ((c, k) for layer in self.ssa.layers for c, k in layer.items()):
            held = isinstance(content, Pointer) and target in content.targets and self.ssa.lookup(cell) is content
            if held and cell is not self.here.pointer_cell and site not in self.policy.decisions.several:
                raise self.links.told_apart(site)
        return symbol, target

    def _release(self, pointer: Pointer, span: Span) -> None:
        """The gradient releases its own memory, later; the caller's stays."""
        for target in pointer.targets:
            if isinstance(target, core.Root) and target.outlives and target is not NULL:
                self.report.sink.warning(
                    "CP0241",
                    f"'{target.name}' is the caller's: the gradient does not release it",
                    span,
                    hint="release it after the gradient",
                )

    # ---- copies ----------------------------------------------------------------------------------------------------

    def _copy(self, given: tuple[s.Expr, ...], span: Span) -> None:
        to, source = self._memory_given(given[0]), self._memory_given(given[1])
        bytes = cast(self.values.rvalue(given[2]), ULONG)
        stream = self.launches.stream(given[4]) if len(given) > 4 else None
        self._copy_between((to, _pointee(given[0])), (source, _pointee(given[1])), bytes, span, stream)

    def _copy_between(
        self,
        to: tuple[Pointer, Type],
        source: tuple[Pointer, Type],
        bytes: core.Expr,
        span: Span,
        stream: core.Expr | None,
    ) -> None:
        """A copy between places, of objects of some types. Local objects have no address: memory that has one stands
        for them."""
        size = bytes.value if isinstance(bytes, core.Const) else None
        if _is_variable(to[0]) or _is_variable(source[0]):
            self._copy_number(to[0], source[0], size, span)
            return
        from_, into = (self._stand_in(*side, bytes, span) if _is_apart(side[0]) else side[0] for side in (source, to))
        self._host_step(
            host.COPY, (self.launches.address(into, span), self.launches.address(from_, span), bytes), {0}, span, stream
        )
        if into is not to[0]:
            self.objects.copy(into, to[0], to[1], span)

    def _stand_in(self, local: Pointer, type: Type, bytes: core.Expr, span: Span) -> Pointer:
        """Memory that holds what a local object, or an array of objects, does."""
        object = self._whole_of(local, type, bytes, span)
        self.here.pointer_name, self.here.pointer_cell = object.name, None
        made = self.new_memory(core.Side.HOST, element_of(type), core.Const(size_of(type), ULONG), False, span)
        self.objects.copy(local, made, type, span)
        return made

    def _whole_of(self, local: Pointer, type: Type, bytes: core.Expr, span: Span) -> Object:
        """The local object of a type, or the objects of an array, where these are the bytes of it."""
        object = local.targets[0]
        whole = isinstance(type, Array) or bytes == core.Const(size_of(type), ULONG)
        if len(local.targets) > 1 or not isinstance(object, Object) or element_of(type) != object.type or not whole:
            raise self.launches.no_array(span)
        return object

    def _copy_symbol(self, inwards: bool, given: tuple[s.Expr, ...], span: Span) -> None:
        """To or from a variable of the device's, some bytes after its beginning."""
        variable = self._symbol_place(given[0 if inwards else 1])
        other = self._memory_given(given[1 if inwards else 0])
        bytes = cast(self.values.rvalue(given[2]), ULONG)
        offset = cast(self.values.rvalue(given[3]), ULONG) if len(given) > 3 else core.Const(0, ULONG)
        stream = self.launches.stream(given[5]) if len(given) > 5 else None
        if offset != core.Const(0, ULONG):
            variable = self._bytes_on(variable, offset, span)
        sides = (variable, given[0 if inwards else 1].type), (other, _pointee(given[1 if inwards else 0]))
        to, source = sides if inwards else sides[::-1]
        self._copy_between(to, source, bytes, span, stream)

    def _bytes_on(self, pointer: Pointer, bytes: core.Expr, span: Span) -> Pointer:
        """Some bytes on: at another element, or at a number within an object."""
        target = pointer.targets[0]
        if not isinstance(target, core.Root | Object) or len(pointer.targets) > 1:
            raise self.launches.no_array(span)
        element = target.element if isinstance(target, core.Root) else target.type
        size = size_of(element)
        if isinstance(bytes, core.Const):
            index, rest = divmod(int(bytes.value), size)
            there = moved(pointer, core.Const(index, LONG), 1)
            return there if rest == 0 else self._number_within(there, rest, span)
        if isinstance(target, Object) and not _is_multiple(bytes, size):
            raise self.launches.no_array(span)
        elements = binary(BinaryOp.DIV, bytes, core.Const(size, ULONG), ULONG)
        return moved(pointer, self.ssa.named(cast(elements, LONG), "offset", span), 1)

    def _number_within(self, place: Pointer, bytes: int, span: Span) -> Pointer:
        object = place.targets[0]
        number = number_at(object.type, bytes) if isinstance(object, Object) else None
        if number is None:
            raise self.launches.no_array(span)
        assert isinstance(object, Object)
        position = core.Const(bytes // size_of(number), INT)
        return self.places.resolved(
            Pointer((self.casts.flat(object, number),), core.Nested(place.offset, position, None)), span
        )

    def device_variable(self, symbol: Symbol) -> Target | None:
        """A variable of the device's that host code handles, by its address there."""
        kernels = self.policy.kernels
        if not self.here.on_host or kernels is None or not kernels.is_passed(symbol):
            return None
        return self._located(symbol)

    def _symbol_place(self, expr: s.Expr) -> Pointer:
        """A variable that is named as one of the device's, whether or not a kernel uses it."""
        inner = _uncast(expr)
        while isinstance(inner, s.Cast):
            inner = inner.operand
        if isinstance(inner, s.VarRef) and inner.symbol.role is Role.GLOBAL and _is_plain(inner.symbol.type):
            return Pointer((self._located(inner.symbol),), ZERO)
        return self.places.place(_uncast(expr))

    def _located(self, symbol: Symbol) -> Target:
        if symbol not in self.located:
            element = element_of(symbol.type)
            pointer = Symbol(f"{symbol.name.rpartition('::')[2]}_at", PointerType(element), Role.VARIABLE, symbol.span)
            parts: list[core.Part] = []
            self.links.allocated.append((pointer, parts))
            target = Memory(pointer, None, parts, side=core.Side.DEVICE).behind_pointer(element, False)
            if isinstance(target, Object) and target.whole is not None:
                target.whole()
            self.located[symbol] = target
            size = core.Const(size_of(symbol.type), ULONG)
            self.beginning.append(
                core.Acquire(pointer, core.Side.DEVICE, element, size, False, symbol.span, variable=symbol)
            )
        return self.located[symbol]

    def _copy_number(self, to: Pointer, source: Pointer, size: object, span: Span) -> None:
        """A copy from or to a variable of the host, which has no address here."""
        variables = [t for p in (to, source) for t in p.targets if isinstance(t, Cell)]
        if len(variables) == 0 or not isinstance(variables[0].type, Scalar) or size != size_of(variables[0].type):
            raise self._refuse_part(span)
        type = variables[0].type
        # of objects, the number that lies there
        to, source = (self.places.resolved(self.casts.as_type(p, type, span), span) for p in (to, source))
        if _is_variable(to) and _is_variable(source):
            self.places.write(to, self.places.read(source, type, span), span)
        elif _is_variable(to):
            value = core.Value(variables[0].name, type)
            given = (self.launches.address(source, span),)
            self.ssa.out.append(core.Call((core.Output(value),), host.FETCH, given, span))
            self.places.write(to, core.Use(value), span)
        else:
            content = self.places.read(source, type, span)
            assert not isinstance(content, Pointer)
            self._host_step(host.PUT, (self.launches.address(to, span), content), {0}, span)

    def _refuse_part(self, span: Span) -> Abandon:
        return self.report.refuse(
            "CP0242",
            "a copy from or to a variable is of another size than the variable",
            span,
            "copy into an array, or copy the whole of a number",
        )

    def _fill(self, given: tuple[s.Expr, ...], span: Span) -> None:
        to = self._memory_given(given[0])
        byte, bytes = cast(self.values.rvalue(given[1]), INT), cast(self.values.rvalue(given[2]), ULONG)
        stream = self.launches.stream(given[3]) if len(given) > 3 else None
        if _is_variable(to):
            cell = to.targets[0]
            assert isinstance(cell, Cell)
            zero = byte == core.Const(0, INT) and isinstance(cell.type, Scalar)
            if not zero or not isinstance(bytes, core.Const) or bytes.value != size_of(cell.type):
                raise self._refuse_part(span)
            self.places.write(to, cast(core.Const(0, INT), cell.type), span)
            return
        if _is_apart(to) and byte == core.Const(0, INT):  # of the whole of it: numbers are zero, and pointers null
            object, type = self._whole_of(to, _pointee(given[0]), bytes, span), _pointee(given[0])
            zeroed = Pointer((self.objects.storage.local(object.name, type, span),), ZERO)
            self.objects.copy(zeroed, to, type, span)
            return
        filled = self.launches.address(to, span, is_read=False)
        self._host_step(host.FILL, (filled, byte, bytes), {0}, span, stream)

    def _rows(self, row: known.Rows, given: tuple[s.Expr, ...], span: Span) -> None:
        def number(i: int) -> core.Expr:
            return cast(self.values.rvalue(given[i]), ULONG)

        to = self.launches.address(self._memory_given(given[0]), span)
        stream = self.launches.stream(given[-1]) if row.has_stream else None
        if row.copied:
            source = self.launches.address(self._memory_given(given[2]), span)
            parts: tuple[core.Argument, ...] = (to, number(1), source, number(3), number(4), number(5))
            self._host_step(host.COPY_ROWS, parts, {0}, span, stream)
        else:
            byte = cast(self.values.rvalue(given[2]), INT)
            self._host_step(host.FILL_ROWS, (to, number(1), byte, number(3), number(4)), {0}, span, stream)

    def _host_step(
        self,
        callee: FunctionSymbol,
        given: tuple[core.Argument, ...],
        writes: set[int],
        span: Span,
        stream: core.Expr | None = None,
    ) -> None:
        launch = None
        if stream is not None:
            one = core.Const(1, ULONG)
            launch = core.Configuration((one, one, one), (one, one, one), core.Const(0, ULONG), stream)
        self.ssa.out.append(core.Call((), callee, given, span, writes=frozenset(writes), launch=launch))

    def _memory_given(self, expr: s.Expr) -> Pointer:
        """A `void *` argument, as what it was before."""
        return self.places.resolved(self.values.fixed(self.places.pointer(_uncast(expr)), expr.span), expr.span)


def _is_plain(type: Type) -> bool:
    """Whether a variable is numbers, or objects made of numbers."""
    element = element_of(type)
    return isinstance(element, Scalar) or (isinstance(element, Struct) and comes_apart(element))


def _is_variable(pointer: Pointer) -> bool:
    return any(isinstance(t, Cell) for t in pointer.targets)


def _is_multiple(bytes: core.Expr, size: int) -> bool:
    """Whether a number of bytes is one of whole elements, as far as one can see."""
    match bytes:
        case core.Const(value=value):
            return int(value) % size == 0
        case core.Binary(op=BinaryOp.ADD | BinaryOp.SUB, left=left, right=right):
            return _is_multiple(left, size) and _is_multiple(right, size)
        case core.Binary(op=BinaryOp.MUL, left=left, right=right):
            return _is_multiple(left, size) or _is_multiple(right, size)
        case core.Cast(operand=operand):
            return _is_multiple(operand, size)
        case _:
            return False


def _uncast(expr: s.Expr) -> s.Expr:
    """A pointer before it was converted to `void *` or `void **`."""
    while (
        isinstance(expr, s.Cast)
        and isinstance(expr.type, PointerType)
        and isinstance(expr.operand.type, PointerType | Array)
    ):
        if not any(isinstance(t, Void) for t in _behind(expr.type)):
            break
        expr = expr.operand
    return expr


def _is_apart(pointer: Pointer) -> bool:
    """Whether what is copied are local objects, which are variables and arrays."""
    return any(isinstance(t, Object) and t.whole is None for t in pointer.targets)


def _pointee(expr: s.Expr) -> Type:
    """What a `void *` argument leads to: an array as a whole, where it is one."""
    inner = _uncast(expr)
    if isinstance(inner, s.Cast) and isinstance(inner.operand.type, Array):
        return inner.operand.type
    return inner.type.pointee if isinstance(inner.type, PointerType) else inner.type


def _pointed(expr: s.Expr) -> Type:
    assert isinstance(expr.type, PointerType)
    return expr.type.pointee


def _behind(type: Type) -> Iterator[Type]:
    while isinstance(type, PointerType):
        type = type.pointee
        yield type


def _element(type: Type, expr: s.Expr) -> Type:
    """What the pointer leads to whose address an expression is."""
    found = _uncast(expr).type
    pointer = found.pointee if isinstance(found, PointerType) else type
    return pointer.pointee if isinstance(pointer, PointerType) else pointer
