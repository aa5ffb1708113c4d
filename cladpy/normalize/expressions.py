"""Surface expressions to core: side effects become statements in C++17's order, what is left is a pure expression."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
    Array,
    Scalar,
    Type,
    is_floating,
    promote,
    scalar_of,
    strip_reference,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.ir.walk import subexpressions
from cladpy.normalize.builder import FALSE, Builder, Content, is_cheap, tag_in, union
from cladpy.normalize.places import NULL, ZERO, Cell, Pointer, Target, advance, converted, is_small, scalars_in, to_cell

Binding = Cell | core.Root | Pointer


@dataclass(slots=True)
class Frame:
    """What the names of one function mean while its body is being normalised."""

    bindings: dict[Symbol, Binding] = field(default_factory=dict)


class Expressions(Builder, ABC):
    frame: Frame
    globals: dict[Symbol, core.Root]

    # ---- names -----------------------------------------------------------------------------------------------------

    def place_of(self, symbol: Symbol, span: Span) -> Pointer:
        bound = self.frame.bindings.get(symbol)
        if bound is None:
            bound = self._global(symbol, span)
        if isinstance(bound, Pointer):
            return bound
        if isinstance(bound, Cell):
            return to_cell(bound)
        return Pointer((bound,), ZERO)

    def _global(self, symbol: Symbol, span: Span) -> core.Root:
        if symbol.role is not Role.GLOBAL:
            raise AssertionError(f"{symbol.name} is not bound")
        root = self.globals.get(symbol)
        if root is None:
            element = scalar_of(symbol.type)
            if not isinstance(element, Scalar) or not isinstance(symbol.type, Scalar | Array):
                raise self.refuse(
                    "CP0201",
                    f"global variable '{symbol.name}' is neither a number nor an array of numbers",
                    span,
                    "pass it as an argument of the kernel",
                )
            access = f"(&{symbol.name})"
            if isinstance(symbol.type, Array):
                depth = _dimensions(symbol.type)
                access = symbol.name if depth == 1 else f"(&{symbol.name}{'[0]' * depth})"
            root = core.Root(symbol.name, element, core.RootKind.GLOBAL, symbol.span, access=access)
            self.globals[symbol] = root
        return root

    # ---- lvalues ---------------------------------------------------------------------------------------------------

    def place(self, expr: s.Expr) -> Pointer:
        """Where an lvalue expression lies."""
        match expr:
            case s.VarRef(symbol=symbol, span=span):
                if symbol.space is Space.SHARED:
                    raise self.refuse(
                        "CP0205",
                        f"shared memory ('{symbol.name}') is not supported yet",
                        span,
                        "use a local array, or global memory, in the function to be differentiated",
                    )
                return self.place_of(symbol, span)
            case s.Index(base=base, index=index, type=type):
                pointer = self.pointer(base)
                return self.moved(pointer, self.rvalue(index), scalars_in(type))
            case s.Deref(operand=operand):
                return self.pointer(operand)
            case s.Assign() | s.CompoundAssign():
                return self.assignment(expr)
            case s.IncDec(target=target, delta=delta, prefix=True):
                place = self.place(target)
                self.step(place, target.type, delta, expr.span)
                return place
            case s.Comma(left=left, right=right):
                self.discard(left)
                return self.place(right)
            case s.Conditional(condition=condition, then=then, other=other):
                cell = Cell("chosen", PointerType(expr.type))
                self.layers[-1][cell] = Pointer((NULL,), ZERO)
                self.branch(
                    self.rvalue(condition),
                    lambda: self.assign(cell, self.place(then), expr.span),
                    lambda: self.assign(cell, self.place(other), expr.span),
                    expr.span,
                )
                found = self.content(cell)
                assert isinstance(found, Pointer)
                return found
            case s.Cast(operand=operand, type=type) if strip_reference(type) == operand.type:
                return self.place(operand)
            case _:
                # a temporary bound to a reference to const
                cell = Cell("temporary", expr.type)
                self.layers[-1][cell] = self.rvalue(expr)
                return to_cell(cell)

    def moved(self, pointer: Pointer, index: core.Expr, scale: int) -> Pointer:
        narrow = all(is_small(t) for t in pointer.targets)
        return Pointer(pointer.targets, advance(pointer.offset, index, scale, narrow), pointer.tag)

    def pointer(self, expr: s.Expr) -> Pointer:
        """The value of an expression of pointer type, or of an array that decays."""
        if isinstance(expr.type, Array):
            return self.place(expr)
        match expr:
            case s.Literal():
                return Pointer((NULL,), ZERO)
            case s.AddressOf(operand=operand):
                return self.place(operand)
            case s.Cast(operand=operand):
                if not isinstance(operand.type, PointerType | Array):
                    raise self.refuse(
                        "CP0202", "a number is converted to a pointer", expr.span, "index an array instead"
                    )
                return self.pointer(operand)
            case s.Binary(op=op, left=left, right=right):
                if isinstance(left.type, PointerType | Array):
                    base = self.pointer(left)
                    index, element = self.rvalue(right), _pointee(left.type)
                else:
                    index = self.rvalue(left)
                    base, element = self.pointer(right), _pointee(right.type)
                if op is BinaryOp.SUB:
                    index = unary(UnaryOp.NEG, cast(index, LONG), LONG)
                return self.moved(base, index, scalars_in(element))
            case s.Conditional():
                cell = Cell("chosen", expr.type)
                self.layers[-1][cell] = Pointer((NULL,), ZERO)
                self.branch(
                    self.rvalue(expr.condition),
                    lambda: self.assign(cell, self.pointer(expr.then), expr.span),
                    lambda: self.assign(cell, self.pointer(expr.other), expr.span),
                    expr.span,
                )
                found = self.content(cell)
            case s.IncDec(target=target, delta=delta, prefix=False):
                place = self.place(target)
                found = self.read(place, expr.type, expr.span)
                self.step(place, target.type, delta, expr.span)
            case s.Comma(left=left, right=right):
                self.discard(left)
                return self.pointer(right)
            case s.Call():
                raise self.refuse(
                    "CP0206",
                    f"'{expr.callee.name}' returns a pointer",
                    expr.span,
                    "return an index, or write the result through a reference",
                )
            case _:
                found = self.read(self.place(expr), expr.type, expr.span)
        assert isinstance(found, Pointer)
        return found

    # ---- reading and writing ---------------------------------------------------------------------------------------

    def read(self, place: Pointer, type: Type, span: Span, name: str = "") -> Content:
        """The content of a place. Where it may be one of several, the tag decides at run time."""
        live = [t for t in place.targets if t is not NULL]
        if not live:
            raise self.refuse("CP0207", "a null pointer is read", span, "initialise the pointer first")
        if len(live) == 1:
            return self._read_one(live[0], place.offset, span, name)
        result = Cell(name or "chosen", type)
        self.layers[-1][result] = Pointer((NULL,), ZERO) if isinstance(type, PointerType) else _zero(type)
        self._choose(
            place, live, span, lambda t: self.assign(result, self._read_one(t, place.offset, span, name), span)
        )
        return self.content(result)

    def _read_one(self, target: Target, offset: core.Expr, span: Span, name: str) -> Content:
        if isinstance(target, Cell):
            return self.content(target)
        value = core.Value(name or f"{target.name}_i", target.element)
        self.out.append(core.Load(value, target, offset, span))
        return core.Use(value)

    def write(self, place: Pointer, content: Content, span: Span) -> None:
        live = [t for t in place.targets if t is not NULL]
        if not live:
            raise self.refuse("CP0207", "a null pointer is written to", span, "initialise the pointer first")
        if len(live) == 1:
            self._write_one(live[0], place.offset, content, span)
        else:
            self._choose(place, live, span, lambda t: self._write_one(t, place.offset, content, span))

    def _write_one(self, target: Target, offset: core.Expr, content: Content, span: Span) -> None:
        if isinstance(target, Cell):
            self.assign(target, content, span)
            return
        assert not isinstance(content, Pointer)
        if not target.writable:
            raise self.refuse("CP0208", f"'{target.name}' is not writable here", span, "write to an argument instead")
        self.out.append(core.Store(target, offset, content, span))

    def _choose(self, place: Pointer, live: list[Target], span: Span, act: object) -> None:
        assert callable(act) and place.tag is not None
        tag = place.tag

        def from_(i: int) -> None:
            if i == len(live) - 1:
                act(live[i])
                return
            test = binary(BinaryOp.EQ, tag, core.Const(place.targets.index(live[i]), INT), BOOL)
            self.branch(test, lambda: act(live[i]), lambda: from_(i + 1), span)

        from_(0)

    # ---- rvalues ---------------------------------------------------------------------------------------------------

    def rvalue(self, expr: s.Expr) -> core.Expr:
        """The value of a scalar expression."""
        match expr:
            case s.Literal(value=value, type=type):
                return core.Const(value, type)
            case s.Builtin(var=var, type=type):
                return core.Builtin(var, type)
            case s.VarRef(symbol=symbol):
                content = self.read(self.place(expr), expr.type, expr.span, symbol.name)
            case s.Index() | s.Deref() | s.Assign() | s.CompoundAssign() | s.IncDec(prefix=True):
                content = self.read(self.place(expr), expr.type, expr.span)
            case s.IncDec(target=target, delta=delta):
                place = self.place(target)
                content = self.read(place, expr.type, expr.span)
                self.step(place, target.type, delta, expr.span)
            case s.Unary(op=op, operand=operand, type=type):
                return unary(op, self.rvalue(operand), type)
            case s.Binary():
                return self._binary(expr)
            case s.Conditional():
                return self._conditional(expr)
            case s.Cast(operand=operand, type=type):
                if isinstance(operand.type, PointerType | Array):
                    if type == BOOL:
                        return unary(UnaryOp.NOT, self._is_null(self.pointer(operand), expr.span), BOOL)
                    raise self.refuse(
                        "CP0202", "a pointer is converted to a number", expr.span, "compute with indices instead"
                    )
                return cast(self.rvalue(operand), type)
            case s.Comma(left=left, right=right):
                self.discard(left)
                return self.rvalue(right)
            case s.Call():
                result = self.call(expr, used=True)
                assert result is not None
                return result
            case s.InitList(elements=elements, type=type) if len(elements) <= 1:
                return cast(self.rvalue(elements[0]), type) if elements else _zero(type)
            case s.StringLiteral() | s.AddressOf() | s.InitList():
                raise self.refuse(
                    "CP0209", "this expression has no numeric value", expr.span, "use numbers, or leave it out"
                )
        assert not isinstance(content, Pointer)
        return content

    @abstractmethod
    def call(self, expr: s.Call, used: bool) -> core.Expr | None:
        """Normalises a call (calls.py); gives its result where it has one."""

    def both(self, left: core.Expr, right: s.Expr, span: Span) -> core.Expr:
        """`left && right`, where the right side is evaluated only if the left one holds."""
        return self._short_circuit(BinaryOp.AND, left, right, span)

    def discard(self, expr: s.Expr) -> None:
        """Evaluates for side effects only."""
        match expr:
            case s.IncDec(target=target, delta=delta):
                self.step(self.place(target), target.type, delta, expr.span)
            case s.Assign() | s.CompoundAssign():
                self.assignment(expr)
            case s.Call():
                self.call(expr, used=False)
            case s.Comma(left=left, right=right):
                self.discard(left)
                self.discard(right)
            case s.Conditional(condition=condition, then=then, other=other):
                self.branch(self.rvalue(condition), lambda: self.discard(then), lambda: self.discard(other), expr.span)
            case s.Cast(operand=operand):
                self.discard(operand)
            case s.Binary(op=BinaryOp.AND, left=left, right=right):
                self.branch(self.rvalue(left), lambda: self.discard(right), lambda: None, expr.span)
            case s.Binary(op=BinaryOp.OR, left=left, right=right):
                self.branch(self.rvalue(left), lambda: None, lambda: self.discard(right), expr.span)
            case _ if isinstance(expr.type, PointerType | Array):
                self.pointer(expr)
            case s.Literal() | s.StringLiteral() | s.VarRef():
                pass
            case _ if isinstance(expr.type, Scalar):
                self.rvalue(expr)
            case _:
                raise self.refuse(
                    "CP0209", "this expression has no numeric value", expr.span, "use numbers, or leave it out"
                )

    # ---- assignments -----------------------------------------------------------------------------------------------

    def assignment(self, expr: s.Assign | s.CompoundAssign) -> Pointer:
        """Carries out an assignment (C++17: the right side first) and gives the place assigned to."""
        if isinstance(expr, s.Assign):
            pointer = isinstance(expr.type, PointerType)
            content: Content = self.pointer(expr.value) if pointer else self.rvalue(expr.value)
            place = self.place(expr.target)
            self.write(place, content, expr.span)
            return place
        operand = self.rvalue(expr.value)
        place = self.fixed(self.place(expr.target), expr.span)
        before = self.read(place, expr.type, expr.span)
        if isinstance(before, Pointer):
            assert isinstance(expr.type, PointerType)
            if expr.op is BinaryOp.SUB:
                operand = unary(UnaryOp.NEG, cast(operand, LONG), LONG)
            self.write(place, self.moved(before, operand, scalars_in(expr.type.pointee)), expr.span)
            return place
        result = binary(expr.op, cast(before, expr.compute_type), operand, expr.compute_type)
        self.write(place, cast(result, expr.type), expr.span)
        return place

    def step(self, place: Pointer, type: Type, delta: int, span: Span) -> None:
        """Increments or decrements."""
        place = self.fixed(place, span)
        before = self.read(place, type, span)
        if isinstance(before, Pointer):
            assert isinstance(type, PointerType)
            self.write(place, self.moved(before, core.Const(delta, INT), scalars_in(type.pointee)), span)
            return
        if is_floating(type):
            one: core.Expr = core.Const(1.0, type)
            result = core.Binary(BinaryOp.ADD if delta > 0 else BinaryOp.SUB, before, one, type)
        else:
            assert isinstance(type, Scalar)
            wide = INT if _narrow(type) else type
            op = BinaryOp.ADD if delta > 0 else BinaryOp.SUB
            result = cast(binary(op, cast(before, wide), core.Const(1, wide), wide), type)  # type: ignore[assignment]
        self.write(place, result, span)

    def fixed(self, place: Pointer, span: Span) -> Pointer:
        """The place with an index that is a name, because it is used twice."""
        if isinstance(place.targets[0], Cell) or _size(place.offset) <= 3:
            return place
        return Pointer(place.targets, self.named(place.offset, "index", span), place.tag)

    # ---- operators with conditions ---------------------------------------------------------------------------------

    def _binary(self, expr: s.Binary) -> core.Expr:
        if expr.op in (BinaryOp.AND, BinaryOp.OR):
            return self._short_circuit(expr.op, self.rvalue(expr.left), expr.right, expr.span)
        if isinstance(expr.left.type, PointerType | Array) or isinstance(expr.right.type, PointerType | Array):
            return self._pointer_comparison(expr)
        left = self.rvalue(expr.left)
        return binary(expr.op, left, self.rvalue(expr.right), expr.type)

    def _short_circuit(self, op: BinaryOp, left: core.Expr, right: s.Expr, span: Span) -> core.Expr:
        stop = core.Const(op is BinaryOp.OR, BOOL)
        if isinstance(left, core.Const):
            return stop if left.value == stop.value else self.rvalue(right)
        found: list[core.Expr] = []
        statements, changes = self.capture(lambda: found.append(self.rvalue(right)))
        if not statements and not changes and is_cheap(found[0]):
            return binary(op, left, found[0], BOOL)
        cell = Cell("both" if op is BinaryOp.AND else "either", BOOL)
        self.layers[-1][cell] = stop

        def evaluate() -> None:
            self.out.extend(statements)
            self.layers[-1].update(changes)
            self.assign(cell, found[0], span)

        if op is BinaryOp.AND:
            self.branch(left, evaluate, lambda: None, span)
        else:
            self.branch(left, lambda: None, evaluate, span)
        return self.scalar(cell)

    def _conditional(self, expr: s.Conditional) -> core.Expr:
        condition = self.rvalue(expr.condition)
        if isinstance(condition, core.Const):
            return self.rvalue(expr.then if condition.value else expr.other)
        cell = Cell("chosen", expr.type)
        self.layers[-1][cell] = _zero(expr.type)
        self.branch(
            condition,
            lambda: self._set(cell, self.rvalue(expr.then)),
            lambda: self._set(cell, self.rvalue(expr.other)),
            expr.span,
        )
        return self.scalar(cell)

    def _set(self, cell: Cell, expr: core.Expr) -> None:
        """A new version without a name of its own: the merge gives it one."""
        self.layers[-1][cell] = expr

    def _is_null(self, pointer: Pointer, span: Span) -> core.Expr:
        if pointer.targets == (NULL,):
            return core.Const(True, BOOL)
        if len(pointer.targets) == 1:
            target = pointer.targets[0]
            if isinstance(target, core.Root) and target.kind is core.RootKind.ARGUMENT:
                if pointer.offset == ZERO:
                    return core.IsNull(target, BOOL)
                raise self.refuse(
                    "CP0210", "a pointer that has been moved is compared with null", span, "compare it before it moves"
                )
            return FALSE
        if all(t is NULL or isinstance(t, Cell) or t.kind is not core.RootKind.ARGUMENT for t in pointer.targets):
            if NULL not in pointer.targets:
                return FALSE
            assert pointer.tag is not None
            return binary(BinaryOp.EQ, pointer.tag, core.Const(pointer.targets.index(NULL), INT), BOOL)
        raise self.refuse(
            "CP0210",
            "a pointer chosen at run time is compared with null",
            span,
            "compare the pointers it is chosen from",
        )

    def _pointer_comparison(self, expr: s.Binary) -> core.Expr:
        left, right = self.pointer(expr.left), self.pointer(expr.right)
        if expr.op in (BinaryOp.EQ, BinaryOp.NE) and (NULL,) in (left.targets, right.targets):
            test = self._is_null(right if left.targets == (NULL,) else left, expr.span)
            return test if expr.op is BinaryOp.EQ else unary(UnaryOp.NOT, test, BOOL)
        if not set(left.targets) & set(right.targets):
            raise self.refuse(
                "CP0211",
                "pointers into different arrays are compared or subtracted",
                expr.span,
                "compare indices instead",
            )
        a, b = left.offset, right.offset
        if expr.op in (BinaryOp.EQ, BinaryOp.NE) and (len(left.targets) > 1 or len(right.targets) > 1):
            both = union(left.targets, right.targets)
            same = binary(BinaryOp.EQ, tag_in(left, both), tag_in(right, both), BOOL)
            here = binary(BinaryOp.EQ, converted(a, LONG), converted(b, LONG), BOOL)
            equal = binary(BinaryOp.AND, same, here, BOOL)
            return equal if expr.op is BinaryOp.EQ else unary(UnaryOp.NOT, equal, BOOL)
        # the others ask for two pointers into one array, so that the offsets say it all
        if a.type != b.type or expr.op is BinaryOp.SUB:
            a, b = converted(a, LONG), converted(b, LONG)
        if expr.op is not BinaryOp.SUB:
            return binary(expr.op, a, b, BOOL)
        difference = binary(BinaryOp.SUB, a, b, LONG)
        scale = scalars_in(_pointee(expr.left.type))
        return difference if scale == 1 else core.Binary(BinaryOp.DIV, difference, core.Const(scale, LONG), LONG)


def _pointee(type: Type) -> Type:
    """What a pointer, or an array that decays to one, points to."""
    if isinstance(type, PointerType):
        return type.pointee
    assert isinstance(type, Array)
    return type.element


def _narrow(type: Scalar) -> bool:
    return promote(type) != type


def _dimensions(type: Type) -> int:
    return 1 + _dimensions(type.element) if isinstance(type, Array) else 0


def _size(expr: core.Expr) -> int:
    return sum(1 for _ in subexpressions(expr))


def _zero(type: Type) -> core.Const:
    return core.Const(0.0 if is_floating(type) else 0, type)
