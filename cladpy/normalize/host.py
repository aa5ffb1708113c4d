"""Host code: launches of kernels, and calls that allocate, copy and fill memory.

An allocation is memory like an argument's: a root, or one for each scalar member of the objects in it. Nothing is
released here: the gradient keeps what its reverse sweep may need. What a call of the runtime says about errors is a
constant, since the gradient reports them itself.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator

from cladpy.diagnostics import Span
from cladpy.ir import core, host
from cladpy.ir import surface as s
from cladpy.ir.access import Access
from cladpy.ir.fold import binary, cast
from cladpy.ir.reach import memory_in
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionSymbol, Role, Symbol
from cladpy.ir.types import BOOL, INT, ULONG, Array, Opaque, Scalar, Struct, Type, Void, size_of, spell
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.kept import KeptCalls
from cladpy.normalize.layout import comes_apart
from cladpy.normalize.memory import Memory
from cladpy.normalize.places import NULL, ZERO, Cell, Object, Pointer, Row, Target, fitted
from cladpy.normalize.runtime_calls import (
    ALLOCATIONS,
    COPIES,
    FILLS,
    HANDLES,
    KNOWN,
    PITCH,
    PITCHED,
    RELEASES,
    ROWS,
    TO_SYMBOL,
)


class HostCalls(KeptCalls, ABC):
    on_host: bool  # whether the function that is normalised is the host's
    inlined_at: list[Span | int]  # the calls that are being inlined, and the numbers of iterations that are written out
    sites: dict[tuple[Span | int, ...], tuple[Symbol, Target]]
    sizes: dict[Symbol, core.Expr]  # the bytes of what has been allocated
    allocated: list[tuple[Symbol, list[core.Part]]]

    def is_host_call(self, expr: s.Expr) -> bool:
        """Whether a call is one of those that this file knows."""
        if not self.on_host or not isinstance(expr, s.Call) or not expr.callee.in_system_header:
            return False
        return expr.callee.name in KNOWN

    def host_call(self, expr: s.Call) -> core.Expr | None:
        """Normalises a call of the runtime; what it says is that all went well."""
        name, given = expr.callee.name, expr.arguments
        if name in ALLOCATIONS:
            _, position, _ = ALLOCATIONS[name]
            if position is not None:
                place = self.pointer(_uncast(given[position]))
                self.pointer_name = next((t.name for t in place.targets if isinstance(t, Cell | Row)), "memory")
                self.pointer_cell = place.targets[0] if len(place.targets) == 1 else None
                self.write(place, self.allocate(expr, _element(given[position].type, given[position])), expr.span)
            # else nobody keeps it
        elif name in TO_SYMBOL:
            self._copy_to_symbol(given, expr.span)
        elif name in PITCHED:
            self._pitched(given, expr.span)
        elif name in RELEASES:
            self._release(self.pointer(given[0]), expr.span)
        elif name in COPIES:
            self._copy(given, expr.span)
        elif name in FILLS:
            self._fill(given, expr.span)
        elif name in ROWS:
            self._rows(name, given, expr.span)
        elif name in HANDLES:
            for position, value in HANDLES[name]:
                place, type = self.pointer(given[position]), _pointed(given[position])
                known = core.Const(value, type) if isinstance(type, Opaque) else cast(core.Const(value, INT), type)
                self.write(place, known, expr.span)
        else:
            for argument in given:
                if isinstance(argument.type, Scalar):
                    self.discard(argument)
        return core.Const(0, expr.type) if isinstance(expr.type, Scalar) else None

    # ---- allocations -----------------------------------------------------------------------------------------------

    def is_allocation(self, expr: s.Expr) -> bool:
        """Whether an expression is a call that returns new memory."""
        return (
            self.on_host
            and isinstance(expr, s.Call)
            and expr.callee.in_system_header
            and expr.callee.name in ALLOCATIONS
            and ALLOCATIONS[expr.callee.name][1] is None
        )

    def allocate(self, expr: s.Call, element: Type) -> Pointer:
        """New memory for elements of a type."""
        name = expr.callee.name
        side, _, factors = ALLOCATIONS[name]
        bytes, *others = (cast(self.rvalue(expr.arguments[position]), ULONG) for position in factors)
        for other in others:
            bytes = binary(BinaryOp.MUL, bytes, other, ULONG)
        if name != "realloc":
            return self.new_memory(side, element, bytes, name == "calloc", expr.span)
        before = self.resolved(self.pointer(_uncast(expr.arguments[0])), expr.span)
        made = self.new_memory(side, element, bytes, False, expr.span)
        if before.targets != (NULL,):
            size = self._size_of(before, expr.span)
            fewer = binary(BinaryOp.LT, size, bytes, BOOL)
            kept = core.Select(fewer, size, bytes, ULONG)
            self._host_step(
                host.COPY, (self.address(made, expr.span), self.address(before, expr.span), kept), {0}, expr.span
            )
        return made

    def _size_of(self, pointer: Pointer, span: Span) -> core.Expr:
        target = pointer.targets[0]
        known = self.sizes.get(target.allocation) if isinstance(target, core.Root) and target.allocation else None
        if known is None or len(pointer.targets) > 1:
            raise self.refuse(
                "CP0246",
                "memory is allocated anew whose size is not known here",
                span,
                "allocate other memory, and copy what is to be kept",
            )
        return known

    def _pitched(self, given: tuple[s.Expr, ...], span: Span) -> None:
        """Rows begin at multiples of a power of two."""
        place = self.pointer(_uncast(given[0]))
        width, rows = (
            self.named(cast(self.rvalue(e), ULONG), n, span) for e, n in ((given[2], "width"), (given[3], "rows"))
        )
        step = core.Const(PITCH, ULONG)
        more = binary(BinaryOp.ADD, width, core.Const(PITCH - 1, ULONG), ULONG)
        pitch = self.named(binary(BinaryOp.MUL, binary(BinaryOp.DIV, more, step, ULONG), step, ULONG), "pitch", span)
        self.pointer_name = next((t.name for t in place.targets if isinstance(t, Cell | Row)), "memory")
        self.pointer_cell = place.targets[0] if len(place.targets) == 1 else None
        element = _element(given[0].type, given[0])
        bytes = binary(BinaryOp.MUL, pitch, rows, ULONG)
        self.write(place, self.new_memory(core.Side.DEVICE, element, bytes, False, span), span)
        self.write(self.pointer(given[1]), pitch, span)

    def new_memory(self, side: core.Side, element: Type, bytes: core.Expr, zeroed: bool, span: Span) -> Pointer:
        if not isinstance(element, Scalar | Struct):
            raise self.refuse(
                "CP0240",
                f"memory for elements of type '{spell(element)}' is allocated",
                span,
                "give the pointer the type of the numbers or objects that it leads to",
            )
        symbol, target = self._site(side, element, span)
        size = self.named(bytes, f"{symbol.name}_bytes", span)
        self.sizes[symbol] = size
        self.out.append(core.Acquire(symbol, side, element, size, zeroed, span))
        return Pointer((target,), ZERO)

    def _site(self, side: core.Side, element: Type, span: Span) -> tuple[Symbol, Target]:
        """What a call that allocates gives: the same each time, since loops are normalised more than once."""
        key = (*self.inlined_at, span)
        if key not in self.sites:
            symbol = Symbol(self.pointer_name, PointerType(element), Role.VARIABLE, span)
            parts: list[core.Part] = []
            self.allocated.append((symbol, parts))
            target = Memory(symbol, None, parts, side=side).behind_pointer(element, False)
            if isinstance(target, Object) and target.whole is not None:
                target.whole()
            self.sites[key] = symbol, target
        symbol, target = self.sites[key]
        for cell, content in ((c, k) for layer in self.layers for c, k in layer.items()):
            held = isinstance(content, Pointer) and target in content.targets and self.lookup(cell) is content
            if held and cell is not self.pointer_cell:
                raise self.refuse(
                    "CP0247",
                    f"memory is allocated in a loop, while '{cell.name}' may hold what was allocated here before",
                    span,
                    "allocate before the loop, or release the memory in the iteration that allocates it",
                )
        return symbol, target

    def _release(self, pointer: Pointer, span: Span) -> None:
        """The gradient releases its own memory, later; the caller's stays."""
        for target in pointer.targets:
            if isinstance(target, core.Root) and target.outlives and target is not NULL:
                self.sink.warning(
                    "CP0241",
                    f"'{target.name}' is the caller's: the gradient does not release it",
                    span,
                    hint="release it after the gradient",
                )

    # ---- copies ----------------------------------------------------------------------------------------------------

    def _copy(self, given: tuple[s.Expr, ...], span: Span) -> None:
        to, source = self._memory_given(given[0]), self._memory_given(given[1])
        bytes = cast(self.rvalue(given[2]), ULONG)
        stream = self._stream(given[4]) if len(given) > 4 else None
        size = bytes.value if isinstance(bytes, core.Const) else None
        if _is_variable(to) or _is_variable(source):
            self._copy_number(to, source, size, span)
            return
        self._host_step(host.COPY, (self.address(to, span), self.address(source, span), bytes), {0}, span, stream)

    def _copy_to_symbol(self, given: tuple[s.Expr, ...], span: Span) -> None:
        variable = _uncast(given[0])
        to = self.address(self.place(variable), span)
        source = self._memory_given(given[1])
        bytes = cast(self.rvalue(given[2]), ULONG)
        offset = cast(self.rvalue(given[3]), ULONG) if len(given) > 3 else core.Const(0, ULONG)
        if _is_variable(source) or any(isinstance(t, Object) and t.whole is None for t in source.targets):
            source = self._spilled(source, span)
        self._host_step(host.TO_SYMBOL, (to, self.address(source, span), bytes, offset), {0}, span)

    def _spilled(self, source: Pointer, span: Span) -> Pointer:
        """A variable of the host's in an array of one element, which has an address."""
        cell = source.targets[0]
        if len(source.targets) > 1 or not isinstance(cell, Cell) or not isinstance(cell.type, Scalar):
            raise self.refuse(
                "CP0245",
                "a copy or a launch is given the address of something that is no array of numbers",
                span,
                "copy into an array, or into memory that was allocated",
            )
        made = Pointer((self.local(cell.name, Array(cell.type, 1), span),), ZERO)
        self.write(made, self.read(source, cell.type, span), span)
        return made

    def _copy_number(self, to: Pointer, source: Pointer, size: object, span: Span) -> None:
        """A copy from or to a variable of the host, which has no address here."""
        variables = [t for p in (to, source) for t in p.targets if isinstance(t, Cell)]
        if len(variables) == 0 or not isinstance(variables[0].type, Scalar) or size != size_of(variables[0].type):
            raise self.refuse(
                "CP0242",
                "a copy from or to a variable is of another size than the variable",
                span,
                "copy into an array, or copy the whole of a number",
            )
        type = variables[0].type
        if _is_variable(to) and _is_variable(source):
            self.write(to, self.read(source, type, span), span)
        elif _is_variable(to):
            value = core.Value(variables[0].name, type)
            given = (self.address(source, span),)
            self.out.append(core.Call((core.Output(value),), host.FETCH, given, span))
            self.write(to, core.Use(value), span)
        else:
            content = self.read(source, type, span)
            assert not isinstance(content, Pointer)
            self._host_step(host.PUT, (self.address(to, span), content), {0}, span)

    def _fill(self, given: tuple[s.Expr, ...], span: Span) -> None:
        to = self._memory_given(given[0])
        byte, bytes = cast(self.rvalue(given[1]), INT), cast(self.rvalue(given[2]), ULONG)
        stream = self._stream(given[3]) if len(given) > 3 else None
        if _is_variable(to):
            cell = to.targets[0]
            assert isinstance(cell, Cell)
            zero = byte == core.Const(0, INT) and isinstance(cell.type, Scalar)
            if not zero or not isinstance(bytes, core.Const) or bytes.value != size_of(cell.type):
                raise self.refuse(
                    "CP0242",
                    "a copy from or to a variable is of another size than the variable",
                    span,
                    "copy into an array, or copy the whole of a number",
                )
            self.write(to, cast(core.Const(0, INT), cell.type), span)
            return
        self._host_step(host.FILL, (self.address(to, span), byte, bytes), {0}, span, stream)

    def _rows(self, name: str, given: tuple[s.Expr, ...], span: Span) -> None:
        def number(i: int) -> core.Expr:
            return cast(self.rvalue(given[i]), ULONG)

        to = self.address(self._memory_given(given[0]), span)
        stream = self._stream(given[-1]) if name.endswith("Async") else None
        if name.startswith("cudaMemcpy"):
            source = self.address(self._memory_given(given[2]), span)
            parts: tuple[core.Argument, ...] = (to, number(1), source, number(3), number(4), number(5))
            self._host_step(host.COPY_ROWS, parts, {0}, span, stream)
        else:
            byte = cast(self.rvalue(given[2]), INT)
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
        self.out.append(core.Call((), callee, given, span, writes=frozenset(writes), launch=launch))

    def _memory_given(self, expr: s.Expr) -> Pointer:
        """A `void *` argument, as what it was before."""
        return self.resolved(self.fixed(self.pointer(_uncast(expr)), expr.span), expr.span)

    # ---- launches --------------------------------------------------------------------------------------------------

    def launch(self, expr: s.Call) -> None:
        """`kernel<<<grid, block, shared_mem, stream>>>(...)`."""
        assert expr.launch is not None
        callee, span = expr.callee, expr.span
        grid, block = self._sizes(expr.launch.grid), self._sizes(expr.launch.block)
        shared_mem = cast(self.rvalue(expr.launch.shared_mem), ULONG)
        stream = None if expr.launch.stream is None else self._stream(expr.launch.stream)
        given = tuple(
            self._given_to_kernel(type, argument)
            for type, argument in zip(callee.parameters, expr.arguments, strict=True)
        )
        writes = frozenset(i for i in self.policy.writes_of_kernel(callee) if memory_in(given[i]))
        configuration = core.Configuration(grid, block, shared_mem, stream)
        self.out.append(core.Call((), callee, given, span, writes=writes, launch=configuration))

    def _sizes(self, expr: s.Expr) -> tuple[core.Expr, core.Expr, core.Expr]:
        place = self.fixed(self.object_of(expr), expr.span)
        assert isinstance(expr.type, Struct)
        x, y, z = (
            self.named(
                cast(leaf.expr, leaf.expr.type), f"size{leaf.member.removeprefix('{b}').replace('.', '_')}", expr.span
            )
            for leaf in self.numbers(place, expr.type, expr.span)
        )
        return x, y, z

    def _stream(self, expr: s.Expr) -> core.Expr | None:
        """The caller's streams are kept; those that the function makes itself are the default one in its gradient."""
        stream = self.rvalue(expr)
        return None if isinstance(stream, core.Const) and not stream.value else stream

    def _given_to_kernel(self, type: Type, argument: s.Expr) -> core.Argument:
        span = argument.span
        match type:
            case PointerType():
                pointer = self.resolved(self.pointer(argument), span)
                if pointer.targets == (NULL,):
                    return core.Const(0, PointerType(type.pointee))
                return self.address(pointer, span)
            case Struct() if comes_apart(type):
                leaves = self.numbers(self.object_of(argument), type, span)
                return core.ObjectArgument(type, leaves, core.Passing.VALUE)
            case Struct():
                return self._view(type, self.fixed(self.object_of(argument), span), span)
            case _:
                return cast(self.rvalue(argument), type)

    def _view(self, type: Struct, place: Pointer, span: Span) -> core.ViewArgument:
        """An object with pointers, member by member."""
        leaves: list[core.Leaf] = []
        pointers: list[tuple[str, core.MEMORY]] = []

        def take(of: Struct, place: Pointer, way: Access) -> None:
            for field in of.fields:
                here, part = way.member(field), self.part(place, field, span)
                match field.type:
                    case Scalar() as scalar if field.bits is None:
                        content = self.read(part, scalar, span, field.name)
                        assert not isinstance(content, Pointer)
                        leaves.append(core.Leaf(content, here.text, scalar))
                    case PointerType():
                        led = self.read(part, field.type, span, field.name)
                        assert isinstance(led, Pointer)
                        if led.targets != (NULL,):
                            pointers.append((here.text, self.address(self.resolved(led, span), span)))
                    case Struct() as inner if not inner.record.is_union:
                        take(inner, part, here)
                    case _:
                        raise self.refuse(
                            "CP0244",
                            f"a kernel is given an object with pointers, and with a member '{field.name}' of type "
                            f"'{spell(field.type)}'",
                            span,
                            "pass the pointers as arguments of their own",
                        )

        take(type, place, Access(type))
        return core.ViewArgument(type, tuple(leaves), tuple(pointers))

    def address(self, pointer: Pointer, span: Span) -> core.PointerArgument | core.ChosenArgument:
        """Where a pointer leads, as an argument."""
        live = [(i, t) for i, t in enumerate(pointer.targets) if t is not NULL]
        if not live:
            raise self.refuse("CP0207", "a null pointer is read", span, "initialise the pointer first")
        found = tuple(self._address_in(t, pointer.offset, span) for _, t in live)
        if len(found) == 1:
            return found[0]
        assert pointer.tag is not None
        return core.ChosenArgument(found, tuple(i for i, _ in live), pointer.tag)

    def _address_in(self, target: Target, offset: core.Expr, span: Span) -> core.PointerArgument:
        if isinstance(target, Object) and target.whole is not None:
            target = target.whole()
        if not isinstance(target, core.Root):
            raise self.refuse(
                "CP0245",
                "a copy or a launch is given the address of something that is no array of numbers",
                span,
                "copy into an array, or into memory that was allocated",
            )
        return core.PointerArgument(target, fitted(offset, target))


def _is_variable(pointer: Pointer) -> bool:
    return any(isinstance(t, Cell) for t in pointer.targets)


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
