"""Calls: inlined, kept for a pullback of their own, or turned into core operations.

A function that only reads memory may be kept: its pullback then recomputes what it needs. One that writes through a
pointer, or gets the address of a local variable, is inlined, so that forward and reverse sweep share its values.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cladpy import derivatives
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast, unary
from cladpy.ir.surface import BinaryOp, UnaryOp
from cladpy.ir.surface_rules import unqualified
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Symbol
from cladpy.ir.types import (
    BOOL,
    INT,
    VOID,
    Array,
    Reference,
    Scalar,
    Struct,
    Type,
    Void,
    is_floating,
    is_integer,
    scalar_of,
    spell,
    strip_reference,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize import scan
from cladpy.normalize.builder import FALSE
from cladpy.normalize.exits import Exits
from cladpy.normalize.expressions import Expressions, Frame
from cladpy.normalize.objects import is_local
from cladpy.normalize.places import ZERO, Cell, Pointer, fitted, moved

# Calls that are carried out once per thread for their effect and give nothing.
EFFECTS = frozenset({"printf", "vprintf", "__assert_fail", "__assertfail", "puts"})
LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"})
# A call tree of more expression nodes than this is not inlined merely to save work.
SMALL = 2000
# Nor is anything inlined beyond this: the emitted code would explode.
LARGEST = 200_000


@dataclass(slots=True)
class Policy:
    """Which calls are inlined. Later stages add to `inline` and have the function normalised again."""

    functions: dict[FunctionSymbol, s.Function]
    custom: frozenset[str] = frozenset()  # qualified names with a user's pullback
    may_alias: bool = False  # whether pointer arguments may overlap
    forwards: dict[str, s.CustomForward] = field(default_factory=dict)  # their forward halves, by the same names
    inline: set[FunctionSymbol] = field(default_factory=set)
    globals: dict[Symbol, core.Root] = field(default_factory=dict)  # one root per variable, in all functions
    _readers: dict[FunctionSymbol, bool] = field(default_factory=dict)
    _sizes: dict[FunctionSymbol, int] = field(default_factory=dict)
    _sites: dict[FunctionSymbol, int] = field(default_factory=dict)
    _callees: dict[FunctionSymbol, tuple[FunctionSymbol, ...]] = field(default_factory=dict)
    _reachable: dict[FunctionSymbol, frozenset[FunctionSymbol]] = field(default_factory=dict)

    def only_reads(self, symbol: FunctionSymbol) -> bool:
        """Whether a function, with all that it calls, writes nothing but its own variables."""
        if symbol not in self._readers:
            self._readers[symbol] = True  # while a recursion is being looked at
            function = self.functions[symbol]
            self._readers[symbol] = not scan.writes_memory(function) and all(
                self.only_reads(c) if c in self.functions else c.name not in EFFECTS for c in scan.callees(function)
            )
        return self._readers[symbol]

    def size(self, symbol: FunctionSymbol) -> int:
        """The size of a function with everything inlined, as far as that is finite."""
        if symbol not in self._sizes:
            self._sizes[symbol] = LARGEST
            function = self.functions[symbol]
            total = scan.size(function)
            for e in (e for expr in scan.expressions(function.body) for e in scan.walk(expr)):
                callee = scan.called(e)
                if callee is not None and callee in self.functions:
                    total += self.size(callee)
            self._sizes[symbol] = min(total, LARGEST)
        return self._sizes[symbol]

    def call_sites(self, symbol: FunctionSymbol) -> int:
        """In how many places of the program a function is called."""
        if not self._sites:
            for function in self.functions.values():
                for e in (e for expr in scan.expressions(function.body) for e in scan.walk(expr)):
                    callee = scan.called(e)
                    if callee is not None:
                        self._sites[callee] = self._sites.get(callee, 0) + 1
        return self._sites.get(symbol, 0)

    def recursive(self, symbol: FunctionSymbol) -> bool:
        """Whether a function can reach itself."""
        return symbol in self.reachable(symbol)

    def reachable(self, symbol: FunctionSymbol) -> frozenset[FunctionSymbol]:
        """The functions with a body that a function calls, directly or not."""
        if symbol not in self._reachable:
            seen: dict[FunctionSymbol, None] = {}
            stack = list(self._direct(symbol))
            while stack:
                here = stack.pop()
                if here in seen:
                    continue
                seen[here] = None
                known = self._reachable.get(here)
                if known is not None:
                    seen.update(dict.fromkeys(known))
                else:
                    stack += self._direct(here)
            self._reachable[symbol] = frozenset(seen)
        return self._reachable[symbol]

    def _direct(self, symbol: FunctionSymbol) -> tuple[FunctionSymbol, ...]:
        """The functions with a body that a function calls itself."""
        if symbol not in self._callees:
            found = scan.callees(self.functions[symbol])
            self._callees[symbol] = tuple(c for c in found if c in self.functions)
        return self._callees[symbol]

    def globals_below(self, symbol: FunctionSymbol) -> frozenset[Symbol]:
        """The variables at namespace scope that a function, or what it calls, names."""
        below = (symbol, *self.reachable(symbol))
        return frozenset(g for f in below for g in scan.globals_of(self.functions[f]))

    def is_worth_inlining(self, symbol: FunctionSymbol) -> bool:
        """Whether sharing a callee's values with its caller may pay: it is small, or called in one place only."""
        return self.size(symbol) <= SMALL or (self.call_sites(symbol) == 1 and self.size(symbol) < LARGEST)


# Where what a function returns is put: a scalar, pointer or reference in a variable, an object at its place.
Result = Cell | Pointer | None


class Calls(Expressions):
    policy: Policy
    active_calls: list[FunctionSymbol]
    outer_references: list[Pointer]
    exits: Exits
    result: Result

    @abstractmethod
    def sequence(self, statements: Sequence[s.Stmt]) -> None:
        """Normalises statements: they are made of calls, and calls of them (statements.py)."""

    def call(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee = expr.callee
        if callee.qualified_name in self.policy.custom and callee.kind is not FunctionKind.KERNEL:
            return self._keep(expr)
        if callee not in self.policy.functions:
            return self._library_function(expr, used)
        if self._is_kept(expr):
            return self._keep(expr)
        result = self._inline(callee, expr.arguments, expr.span, last_first=expr.last_first)
        return self.scalar(result) if isinstance(result, Cell) and isinstance(result.type, Scalar) else None

    def pointer_of_call(self, expr: s.Call) -> Pointer:
        if expr.callee not in self.policy.functions:
            raise self.refuse(
                "CP0206",
                f"'{expr.callee.name}' returns a pointer",
                expr.span,
                "pass memory to the function, and pointers into it",
            )
        result = self._inline(expr.callee, expr.arguments, expr.span, last_first=expr.last_first)
        assert isinstance(result, Cell)
        content = self.content(result)
        assert isinstance(content, Pointer)
        return content

    def object_of_call(self, expr: s.Call | s.Construct, name: str) -> Pointer:
        if isinstance(expr, s.Construct):
            made = Pointer((self.local(name, expr.type, expr.span),), ZERO)
            self._inline(expr.constructor, expr.arguments, expr.span, made)
            return made
        result = self._inline(expr.callee, expr.arguments, expr.span, last_first=expr.last_first)
        assert isinstance(result, Pointer)
        return result

    # ---- the user's functions --------------------------------------------------------------------------------------

    def _is_kept(self, expr: s.Call) -> bool:
        callee = expr.callee
        return (
            callee not in self.policy.inline
            and _has_simple_types(callee)
            and self.policy.only_reads(callee)
            and not any(self._passes_local(t, a) for t, a in zip(callee.parameters, expr.arguments, strict=True))
        )

    def _passes_local(self, type: Type, argument: s.Expr) -> bool:
        """Whether a pointer or reference argument may point to local memory. Looks without side effects."""
        if isinstance(type, Reference):
            if type.const and not _is_lvalue(argument):
                return True
            return self._may_be_local(argument)
        return isinstance(type, PointerType) and self._may_be_local(argument)

    def _may_be_local(self, expr: s.Expr) -> bool:
        """Whether an lvalue or a pointer expression may denote local memory, or more than one thing."""
        match expr:
            case s.VarRef(symbol=symbol):
                bound = self.frame.bindings.get(symbol)
                if isinstance(bound, Cell):
                    content = self.lookup(bound)
                    return not isinstance(content, Pointer) or _may_be_local(content)
                if isinstance(bound, Pointer):
                    return _may_be_local(bound)
                return bound is not None and is_local(bound)
            case s.Index(base=base) | s.Member(base=base):
                return self._may_be_local(base)
            case s.Deref(operand=operand) | s.AddressOf(operand=operand) | s.Cast(operand=operand):
                return self._may_be_local(operand)
            case s.Binary(left=left, right=right):
                return self._may_be_local(left if isinstance(left.type, PointerType) else right)
            case _:
                return True

    def _keep(self, expr: s.Call) -> core.Expr | None:
        callee = expr.callee
        arguments: list[core.Argument] = []
        for type, argument in zip(callee.parameters, expr.arguments, strict=True):
            if isinstance(type, Reference | PointerType):
                by_reference = isinstance(type, Reference)
                place = self.place(argument) if by_reference else self.pointer(argument)
                place = self.resolved(place, argument.span)
                target = place.targets[0]
                if len(place.targets) != 1 or not isinstance(target, core.Root):
                    raise self.refuse(
                        "CP0222",
                        f"the address passed to '{callee.name}' is that of a local variable, or chosen at run time",
                        argument.span,
                        "pass the element by value, or call in both branches",
                    )
                arguments.append(core.PointerArgument(target, fitted(place.offset, target), by_reference))
            else:
                arguments.append(self.rvalue(argument))
        value = None if callee.result == VOID else core.Value(callee.name + "_", callee.result)
        forward = self.policy.forwards.get(callee.qualified_name)
        name = None if forward is None else forward.qualified_name
        states = () if forward is None else self._states(callee, forward)
        self.out.append(core.Call(value, callee, tuple(arguments), expr.span, name, states))
        return None if value is None else core.Use(value)

    def _states(self, callee: FunctionSymbol, forward: s.CustomForward) -> tuple[core.Value, ...]:
        """The intermediate values that a forward half gives: what its parameters after the result's point to."""
        taken = len(callee.parameters) + 1
        kept = [t.pointee for t in forward.parameters[taken:] if isinstance(t, PointerType) and not t.const]
        own = tuple(map(unqualified, (*callee.parameters, PointerType(callee.result))))
        fits = tuple(map(unqualified, forward.parameters[:taken])) == own and isinstance(callee.result, Scalar)
        fits = fits and forward.result == VOID
        if not fits or len(kept) != len(forward.parameters) - taken or not all(isinstance(t, Scalar) for t in kept):
            listed = ", ".join(spell(t) for t in (*callee.parameters, PointerType(callee.result)))
            raise self.refuse(
                "CP0406",
                f"the forward half '{forward.qualified_name}' of a custom derivative does not have the signature that "
                "is called",
                forward.span,
                f"it must be void, with the parameters ({listed}, pointers to intermediate numbers...)",
            )
        return tuple(core.Value(f"{callee.name}_state", t) for t in kept)

    def _inline(
        self,
        callee: FunctionSymbol,
        arguments: tuple[s.Expr, ...],
        span: Span,
        made: Pointer | None = None,
        last_first: bool = False,
    ) -> Result:
        """Normalises a function's body in place of its call; a constructor's makes the object `made`."""
        self._check_inlining(callee, span)
        function = self.policy.functions[callee]
        frame = Frame()
        parameters = function.parameters
        if made is not None:
            this = Cell("this", parameters[0].type)
            frame.bindings[parameters[0]] = this
            self.layers[-1][this] = made
            parameters = parameters[1:]
        bindings = list(zip(parameters, arguments, strict=True))
        for parameter, argument in reversed(bindings) if last_first else bindings:
            self._bind(frame, parameter, argument)
        saved = (self.frame, self.exits, self.result)
        self.outer_references += [b for b in self.frame.bindings.values() if isinstance(b, Pointer)]
        mark = len(self.outer_references)
        returned = Cell("returned", BOOL)
        self.layers[-1][returned] = FALSE
        self.frame, self.exits = frame, Exits(returned)
        result = self.result = self.new_result(callee, span)
        self.active_calls.append(callee)
        try:
            self.sequence(function.body.statements)
        finally:
            self.active_calls.pop()
            self.frame, self.exits, self.result = saved
            own = sum(isinstance(b, Pointer) for b in self.frame.bindings.values())
            del self.outer_references[mark - own :]
        return result

    def _check_inlining(self, callee: FunctionSymbol, span: Span) -> None:
        if callee not in self.policy.functions:
            raise self.refuse(
                "CP0224",
                f"nothing is known about the function '{callee.qualified_name}'",
                span,
                "define it where it is called from",
            )
        if callee in self.active_calls or self.policy.recursive(callee):
            raise self.refuse(
                "CP0220",
                f"'{callee.name}' is recursive and writes through its arguments, or is given local memory or objects",
                span,
                "let the recursive function return its result and read global memory only",
            )
        if self.policy.size(callee) >= LARGEST:
            raise self.refuse(
                "CP0221",
                f"the calls below '{callee.name}' are too many to be inlined",
                span,
                "return results instead of writing them through pointers",
            )

    def new_result(self, callee: FunctionSymbol, span: Span) -> Result:
        """A place for what a function returns."""
        type, name = callee.result, callee.name + "_"
        match type:
            case Scalar() | PointerType() | Reference():
                cell = self.local(name, type, span)
                assert isinstance(cell, Cell)
                return cell
            case Struct():
                return Pointer((self.local(name, type, span),), ZERO)
            case _:
                return None

    def give(self, value: s.Expr, span: Span) -> None:
        """What `return value` does, but for leaving."""
        result = self.result
        match result:
            case None:
                self.discard(value)
            case Pointer():
                self.copy(self.object_of(value), result, value.type, span)
            case Cell() if isinstance(self.active_calls[-1].result, Reference):
                self.assign(result, self.place(value), span)
            case Cell(type=PointerType()):
                self.assign(result, self.pointer(value), span)
            case Cell():
                self.assign(result, self.rvalue(value), span)

    def _bind(self, frame: Frame, parameter: Symbol, argument: s.Expr) -> None:
        match parameter.type:
            case Reference():
                frame.bindings[parameter] = self.fixed(self.place(argument), argument.span)
            case PointerType() as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.assign(cell, self.pointer(argument), argument.span)
            case Scalar() as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.assign(cell, self.rvalue(argument), argument.span)
            case Struct():
                frame.bindings[parameter] = self.new_object(argument, parameter.name)
            case _:
                raise self.refuse(
                    "CP0212",
                    f"a parameter of this type ('{parameter.name}') is not supported",
                    argument.span,
                    "numbers, classes, pointers to them and arrays of them are",
                )

    # ---- library functions -----------------------------------------------------------------------------------------

    def _library_function(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        name = callee.name
        if name in EFFECTS:
            parts = tuple(
                core.Text(a.text) if isinstance(a, s.StringLiteral) else self._printed(a) for a in expr.arguments
            )
            if used:
                raise self.refuse(
                    "CP0228", f"the result of '{name}' is used", span, "call it for its effect only, as a statement"
                )
            self.out.append(core.Effect(callee, parts, span))
            return None
        if name in scan.ATOMICS:
            return self._atomic(expr, used)
        if name in LOADS:
            content = self.read(self.pointer(expr.arguments[0]), expr.type, span)
            assert not isinstance(content, Pointer)
            return content
        multi = derivatives.multi_output(callee.qualified_name)
        if multi is not None:
            return self._multi_output(expr, multi)
        norm = derivatives.vector_norm(callee.qualified_name)
        if norm is not None and len(expr.arguments) == 2:
            return self._norm(expr, reciprocal=norm.name.startswith("r"))
        if not all(isinstance(strip_reference(t), Scalar) for t in callee.parameters) or not isinstance(
            strip_reference(callee.result), Scalar
        ):
            raise self._unknown(expr)
        known = (
            derivatives.lookup(callee.qualified_name, len(expr.arguments)) is not None
            or derivatives.is_inactive(callee.qualified_name, integer_result=is_integer(expr.type))
            or derivatives.is_pure(callee.qualified_name)
        )
        if not known:
            raise self._unknown(expr)
        arguments = tuple(
            cast(self.rvalue(a), strip_reference(t)) for t, a in zip(callee.parameters, expr.arguments, strict=True)
        )
        return self.named(core.Math(callee, arguments, expr.type), name.strip("_") + "_", span)

    def _printed(self, expr: s.Expr) -> core.Expr | core.Text:
        """An argument of printf: a number, or a string."""
        inner = expr
        while isinstance(inner, s.Cast):
            inner = inner.operand
        if isinstance(inner, s.StringLiteral):
            return core.Text(inner.text)
        return self.rvalue(expr)

    def _unknown(self, expr: s.Call) -> Exception:
        name = expr.callee.name
        if name.startswith(("__sync", "__barrier", "__shfl", "__ballot", "__any", "__all", "__match", "__reduce")):
            return self.refuse(
                "CP0223",
                f"'{name}', by which threads work together, is not supported yet",
                expr.span,
                "differentiate the functions that it joins one by one",
            )
        return self.refuse(
            "CP0224",
            f"nothing is known about the function '{expr.callee.qualified_name}'",
            expr.span,
            f"write its derivative: void {name}_pullback(arguments..., d_result, pointers to adjoints...) "
            "in namespace cladpy::custom_derivatives, and pass the header with custom_derivatives",
        )

    def _atomic(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        if not callee.name.startswith(("atomicAdd", "atomicSub")):
            raise self.refuse(
                "CP0225", f"'{callee.name}' is not supported yet", span, "atomicAdd is, where its result is not used"
            )
        if used:
            raise self.refuse(
                "CP0226",
                f"the value that '{callee.name}' returns depends on the order of the threads",
                span,
                "split the kernel: one that counts, one that uses the result",
            )
        place = self.resolved(self.pointer(expr.arguments[0]), span)
        operand = cast(self.rvalue(expr.arguments[1]), strip_reference(callee.parameters[1]))
        if callee.name.startswith("atomicSub"):
            operand = unary(UnaryOp.NEG, operand, operand.type)
        live = [t for t in place.targets if isinstance(t, core.Root)]
        if len(live) == 1 and live[0].kind is not core.RootKind.LOCAL:
            self.out.append(core.AtomicAdd(live[0], fitted(place.offset, live[0]), operand, callee, span))
            return None
        raise self.refuse(
            "CP0227",
            f"'{callee.name}' acts on local memory, or on an address chosen at run time",
            span,
            "call it in both branches",
        )

    def _multi_output(self, expr: s.Call, multi: derivatives.MultiOutput) -> core.Expr | None:
        """`sincos(x, &s, &c)` as `s = sin(x); c = cos(x)`."""
        span = expr.span
        inputs = [self.rvalue(a) for a in expr.arguments[: multi.inputs]]
        inputs = [self.named(cast(x, t), "x", span) for x, t in zip(inputs, expr.callee.parameters, strict=False)]
        places = [(self.fixed(self.pointer(expr.arguments[i]), span), name, i) for i, name in multi.outputs]
        values = []
        for place, name, i in places:
            pointer = expr.callee.parameters[i]
            assert isinstance(pointer, PointerType)
            values.append((place, self._math(name, inputs, pointer.pointee, span)))
        result = None if multi.result is None else self._math(multi.result, inputs, expr.type, span)
        for place, value in values:
            self.write(place, value, span)
        return result

    def _math(self, name: str, arguments: Iterable[core.Expr], result: Type, span: Span) -> core.Expr:
        arguments = tuple(arguments)
        plain = name.rpartition("::")[2]
        symbol = FunctionSymbol(
            plain, name, result, tuple(a.type for a in arguments), FunctionKind.HOST_DEVICE, span, True
        )
        return self.named(core.Math(symbol, arguments, result), plain + "_", span)

    def _norm(self, expr: s.Call, reciprocal: bool) -> core.Expr:
        """`norm(n, p)` as the square root of a sum over a loop."""
        span, type = expr.span, expr.type
        assert isinstance(type, Scalar) and is_floating(type)
        count = self.named(cast(self.rvalue(expr.arguments[0]), INT), "count", span)
        base = self.fixed(self.pointer(expr.arguments[1]), span)
        i, total = Cell("i", INT), Cell("squares", type)
        self.layers[-1][i] = core.Const(0, INT)
        self.layers[-1][total] = core.Const(0.0, type)

        def body() -> None:
            x = self.read(moved(base, self.scalar(i), 1), type, span, "x")
            assert not isinstance(x, Pointer)
            square = core.Binary(BinaryOp.MUL, x, x, type)
            self.assign(total, core.Binary(BinaryOp.ADD, self.scalar(total), square, type), span)
            self.assign(i, core.Binary(BinaryOp.ADD, self.scalar(i), core.Const(1, INT), INT), span)

        self.loop([i, total], lambda: binary(BinaryOp.LT, self.scalar(i), count, BOOL), body, span)
        float_ = "f" if type.kind.value == "float" else ""
        return self._math(("rsqrt" if reciprocal else "sqrt") + float_, [self.scalar(total)], type, span)


def _is_lvalue(expr: s.Expr) -> bool:
    return isinstance(expr, s.VarRef | s.Index | s.Deref)


def _may_be_local(pointer: Pointer) -> bool:
    return len(pointer.targets) != 1 or any(is_local(t) for t in pointer.targets)


def _has_simple_types(symbol: FunctionSymbol) -> bool:
    """Whether a function has a pullback's signature: numbers, and pointers and references to numbers; it returns a
    number."""
    return isinstance(symbol.result, Scalar | Void) and all(
        isinstance(scalar_of(t), Scalar) and not _is_deep(t) for t in symbol.parameters
    )


def _is_deep(type: Type) -> bool:
    """Whether a pointer leads to another pointer."""
    inner = type.pointee if isinstance(type, PointerType) else strip_reference(type)
    while isinstance(inner, Array):
        inner = inner.element
    return inner is not type and isinstance(inner, PointerType)
