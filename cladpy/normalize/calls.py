"""Calls: inlined, kept for a pullback of their own, or turned into core operations.

A function that only reads memory may be kept: its pullback then recomputes what it needs. One that writes through a
pointer, or gets the address of a local variable, is inlined, so that forward and reverse sweep share its values.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from cladpy import derivatives, known
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FAIL, FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import (
    BOOL,
    INT,
    Array,
    Opaque,
    Reference,
    Scalar,
    Struct,
    Type,
    is_floating,
    is_integer,
    spell,
    strip_reference,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Frame, pointee
from cladpy.normalize.atomics import Atomics
from cladpy.normalize.builder import FALSE, Abandon
from cladpy.normalize.collectives import Collectives
from cladpy.normalize.customs import given_back
from cladpy.normalize.decisions import Restart
from cladpy.normalize.exits import Exits
from cladpy.normalize.marks import DETACHED
from cladpy.normalize.places import ZERO, Cell, Pointer, moved, text_of
from cladpy.normalize.policy import LARGEST
from cladpy.normalize.standins import at_call

# Where what a function returns is put: a scalar, pointer or reference in a variable, an object at its place.
Result = Cell | Pointer | None


# How many calls of recursive functions are written out at most, and how many levels at least.
MOST_LEVELS = 160
LEAST = 3


class Calls(Collectives, Atomics):
    on_host: bool  # whether the function that is normalised is the host's
    levels: int  # how many of a recursion have been written out
    outer_references: list[Pointer]
    exits: Exits
    result: Result
    answers: dict[int, core.Expr]  # what barriers that all threads have come to gave, by the `id` of their calls

    @abstractmethod
    def sequence(self, statements: Sequence[s.Stmt]) -> None:
        """Normalises statements: they are made of calls, and calls of them (statements.py)."""

    def call(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee = expr.callee
        if expr.launch is not None:
            self.launch(expr)
            return None
        if self.is_host_call(expr):
            return self.host_call(expr)
        if self.is_kept(expr):
            kept = self.keep(callee, expr.arguments, expr.span)
            return core.Use(kept.outputs[0].value) if isinstance(callee.result, Scalar) else None
        if callee not in self.policy.functions:
            return self._library_function(expr, used)
        result = self._inline(callee, expr.arguments, expr.span, last_first=expr.last_first)
        return self.scalar(result) if isinstance(result, Cell) and isinstance(result.type, Scalar | Opaque) else None

    def pointer_of_call(self, expr: s.Call) -> Pointer:
        if self.policy.is_custom(expr.callee):
            return self._given_back(expr)
        if self.is_allocation(expr):
            pointee = expr.type.pointee if isinstance(expr.type, PointerType) else expr.type
            return self.allocate(expr, pointee)
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

    def _given_back(self, expr: s.Call) -> Pointer:
        """What a function with a derivative of its own gives: one of its arguments, which it may have changed."""
        callee = expr.callee
        position = given_back(callee, self.policy.functions.get(callee))
        if position is not None:
            place = self.keep(callee, expr.arguments, expr.span).places.get(position)
            if place is not None:
                result = callee.result
                to = result.referee if isinstance(result, Reference) else pointee(result)
                return self.as_type(place, to, expr.span)
        raise self.refuse(
            "CP0239",
            f"'{callee.name}' has a derivative of its own, and returns a pointer or reference to something other than "
            "an argument that it changes",
            expr.span,
            "return the number or object itself, or remove the derivative: cladpy then finds it from the function",
        )

    def object_of_call(self, expr: s.Call | s.Construct, name: str) -> Pointer:
        if isinstance(expr, s.Call) and expr.callee.qualified_name == DETACHED:
            made = self.new_object(expr.arguments[0], name)
            self.detach(made, expr.type, expr.span)
            return made
        if isinstance(expr, s.Construct) and self.policy.is_custom(expr.constructor):
            assert isinstance(expr.type, Struct)
            kept = self.keep(expr.constructor, expr.arguments, expr.span, expr.type)
            return self.assembled(kept, expr.type, name, expr.span)
        if isinstance(expr, s.Call) and isinstance(known.of(expr.callee.name), known.Atomic):
            self.atomic(expr, used=True)
        if isinstance(expr, s.Call) and self.is_kept(expr):
            return self.assembled(self.keep(expr.callee, expr.arguments, expr.span), expr.type, name, expr.span)
        if isinstance(expr, s.Construct):
            made = Pointer((self.local(name, expr.type, expr.span),), ZERO)
            self._inline(expr.constructor, expr.arguments, expr.span, made)
            return made
        result = self._inline(expr.callee, expr.arguments, expr.span, last_first=expr.last_first)
        assert isinstance(result, Pointer)
        return result

    # ---- the user's functions --------------------------------------------------------------------------------------

    def _inline(
        self,
        callee: FunctionSymbol,
        arguments: tuple[s.Expr, ...],
        span: Span,
        made: Pointer | None = None,
        last_first: bool = False,
    ) -> Result:
        """Normalises a function's body in place of its call; a constructor's makes the object `made`."""
        if self._is_written_out(callee, span):
            return self.new_result(callee, span)
        self._check_inlining(callee, span)
        function = self.policy.functions[callee]
        if function.of_system:
            function = at_call(function, span)
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
        self.inlined_at.append(span)
        try:
            self.sequence(function.body.statements)
        finally:
            self.active_calls.pop()
            self.inlined_at.pop()
            self.frame, self.exits, self.result = saved
            own = sum(isinstance(b, Pointer) for b in self.frame.bindings.values())
            del self.outer_references[mark - own :]
        return result

    def _is_written_out(self, callee: FunctionSymbol, span: Span) -> bool:
        """Recursion of a host program is written out level by level. Whether a call is one level too deep: then there
        is no gradient, which the program says when it comes to it."""
        if not self._is_recursive_program(callee):
            return False
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise self._too_many_levels(callee, span)
        deepest = self.decisions.deepest
        if self.active_calls.count(callee) < deepest:
            return False
        message = f'"recursion of {callee.name} is deeper than {deepest} levels, for which it has no gradient"'
        self.out.append(core.Effect(FAIL, (core.Text(message),), span))
        return True

    def _too_many_levels(self, callee: FunctionSymbol, span: Span) -> Abandon | Restart:
        """A recursion calls itself more than once, so that fewer levels can be written out."""
        deepest = 2 * self.decisions.deepest // 3
        if deepest >= LEAST:
            return Restart(replace(self.decisions, deepest=deepest))
        return self.refuse(
            "CP0220",
            f"'{callee.name}' launches, and calls itself in too many places to be written out",
            span,
            "write the recursion as a loop",
        )

    def _is_recursive_program(self, callee: FunctionSymbol) -> bool:
        return self.on_host and self.policy.recursive(callee) and self.policy.is_program(callee)

    def _check_inlining(self, callee: FunctionSymbol, span: Span) -> None:
        if callee not in self.policy.functions:
            raise self.refuse(
                "CP0224",
                f"nothing is known about the function '{callee.qualified_name}'",
                span,
                "define it where it is called from",
            )
        if self._is_recursive_program(callee):
            return
        if callee in self.active_calls or self.policy.recursive(callee):
            raise self.refuse(
                "CP0220",
                f"'{callee.name}' is recursive, and takes objects with pointers, prints, adds atomically or writes "
                "memory that it is not given",
                span,
                "let the recursive function return its result, or write through pointers to numbers or objects without "
                "pointers",
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
            case Scalar() | Opaque() | PointerType() | Reference():
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
        assert result is not None, "what a function gives that gives nothing is evaluated before it returns"
        match result:
            case Pointer():
                self.copy(self.object_of(value), result, value.type, span)
            case Cell() if isinstance(self.active_calls[-1].result, Reference):
                self.assign(result, self.place(value), span)
            case Cell(type=PointerType()):
                self.assign(result, self.pointer(value), span)
            case _:
                self.assign(result, self.rvalue(value), span)

    def _bind(self, frame: Frame, parameter: Symbol, argument: s.Expr) -> None:
        match parameter.type:
            case Reference():
                frame.bindings[parameter] = self.fixed(self.place(argument), argument.span)
            case PointerType() as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.assign(cell, self.pointer(argument), argument.span)
            case (Scalar() | Opaque()) as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.assign(cell, self.rvalue(argument), argument.span)
            case Struct():
                frame.bindings[parameter] = self.new_object(argument, parameter.name)
            case type:
                raise AssertionError(f"a parameter of type '{spell(type)}'")

    # ---- library functions -----------------------------------------------------------------------------------------

    def _library_function(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        name = callee.name
        row = known.of(name)
        if isinstance(row, known.Effect):
            parts = [self._printed(a) for a in expr.arguments]
            if used:
                raise self.refuse(
                    "CP0228", f"the result of '{name}' is used", span, "call it for its effect only, as a statement"
                )
            printed = tuple(p for p in parts if p is not None)
            if len(printed) == len(parts):  # text that is not known is not printed
                self.out.append(core.Effect(callee, printed, span))
            return None
        if isinstance(row, known.Barrier):
            return self.barrier(expr, used)
        if isinstance(
            row, known.Fence
        ):  # they order what threads see of each other's stores; the barriers of a block do too
            return None
        if isinstance(row, known.Atomic):
            return self.atomic(expr, used)
        if isinstance(row, known.Clock):
            now = core.Value(name.rpartition("::")[2], expr.type)
            self.out.append(core.Call((core.Output(now),), callee, (), span))
            return core.Use(now)
        if isinstance(row, known.Collective):
            return self.collective(expr, used)
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
        free = (
            derivatives.lookup(callee.qualified_name, len(expr.arguments)) is not None
            or derivatives.is_inactive(callee.qualified_name, integer_result=is_integer(expr.type))
            or derivatives.is_pure(callee.qualified_name)
        )
        if not free:
            raise self._unknown(expr)
        arguments = tuple(
            cast(self.rvalue(a), strip_reference(t)) for t, a in zip(callee.parameters, expr.arguments, strict=True)
        )
        return self.named(core.Math(callee, arguments, expr.type), name.strip("_") + "_", span)

    def barrier(self, expr: s.Call, used: bool) -> core.Expr | None:
        """A barrier of the block. What all threads are given of the predicates is a value."""
        if id(expr) in self.answers:
            return self.answers.pop(id(expr))
        if not expr.arguments:
            self.out.append(core.Barrier(expr.callee, expr.span))
            return None
        predicate = cast(self.rvalue(expr.arguments[0]), INT)
        value = core.Value(expr.callee.name.strip("_"), INT)
        self.out.append(core.Barrier(expr.callee, expr.span, predicate, value))
        return core.Use(value)

    def _printed(self, expr: s.Expr) -> core.Expr | core.Text | None:
        """An argument of printf: a number, a string, or a file such as stderr. None for text that is not known."""
        inner = expr
        while isinstance(inner, s.Cast):
            inner = inner.operand
        match inner:
            case s.StringLiteral(text=text):
                return core.Text(text)
            case s.VarRef(symbol=symbol, type=Opaque()) if symbol.role is Role.GLOBAL:
                return core.Text(symbol.name)
            case s.Unsupported():
                self.discard(inner)
                return None
            case s.Call(callee=callee, arguments=arguments, type=PointerType()) if callee not in self.policy.functions:
                for argument in arguments:  # cudaGetErrorString and its like
                    self.discard(argument)
                return None
            case _ if isinstance(inner.type, PointerType | Array):
                letters = text_of(self.pointer(inner))
                return None if letters is None else core.Text(letters)
            case _:
                return self.rvalue(expr)

    def _unknown(self, expr: s.Call) -> Exception:
        name = expr.callee.name
        if isinstance(known.of(f"{name}_sync"), known.Collective):  # as it was called before lanes had to be named
            return self.refuse(
                "CP0264",
                f"'{name}' does not say which lanes of the warp take part",
                expr.span,
                f"call '{name}_sync' with their mask, 0xffffffff for a whole warp",
            )
        if name == "__barrier_of_grid":
            return self.refuse(
                "CP0273",
                "all blocks of the grid wait for each other here, and a gradient's blocks run in any order",
                expr.span,
                "split the kernel here into two that are launched one after the other, and differentiate each",
            )
        if name.startswith("omp_"):
            return self.refuse(
                "CP0283",
                f"what '{name}' gives or does depends on the threads of OpenMP that run the program",
                expr.span,
                "leave it out of the function that is differentiated: pass what it gives as an argument; how work is "
                "shared out is said by directives",
            )
        if name.startswith(("cudaGraph", "cudaStreamBeginCapture", "cudaStreamEndCapture")):
            return self.refuse(
                "CP0256",
                f"'{name}': graphs of launches have no gradient",
                expr.span,
                "launch the kernels on the stream, and capture that only where no gradient is asked for",
            )
        if name.startswith(("__sync", "__barrier")):
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
        """`norm(n, p)` as the root of a sum of squares over a loop, scaled by a power of two that another finds."""
        span, type = expr.span, expr.type
        assert isinstance(type, Scalar) and is_floating(type)
        count = self._math("cladpy::norm_count", [cast(self.rvalue(expr.arguments[0]), INT)], INT, span)
        base = self.fixed(self.pointer(expr.arguments[1]), span)
        float_ = "f" if type.kind.value == "float" else ""

        def over(name: str, step: Callable[[core.Expr, core.Expr], core.Expr]) -> core.Expr:
            """What a loop over the numbers makes of zero."""
            i, total = Cell("i", INT), Cell(name, type)
            self.layers[-1][i] = core.Const(0, INT)
            self.layers[-1][total] = core.Const(0.0, type)

            def body() -> None:
                x = self.read(moved(base, self.scalar(i), 1), type, span, "x")
                assert not isinstance(x, Pointer)
                self.assign(total, step(self.scalar(total), x), span)
                self.assign(i, core.Binary(BinaryOp.ADD, self.scalar(i), core.Const(1, INT), INT), span)

            self.loop([i, total], lambda: binary(BinaryOp.LT, self.scalar(i), count, BOOL), body, span)
            return self.scalar(total)

        def larger(total: core.Expr, x: core.Expr) -> core.Expr:
            return self._math("fmax" + float_, [total, self._math("fabs" + float_, [x], type, span)], type, span)

        def added(total: core.Expr, x: core.Expr) -> core.Expr:
            scaled = self.named(core.Binary(BinaryOp.MUL, x, unit, type), "scaled", span)
            return core.Binary(BinaryOp.ADD, total, core.Binary(BinaryOp.MUL, scaled, scaled, type), type)

        unit = self._math("cladpy::norm_unit", [over("largest", larger)], type, span)
        squares = over("squares", added)
        if reciprocal:
            return core.Binary(BinaryOp.MUL, self._math("rsqrt" + float_, [squares], type, span), unit, type)
        return core.Binary(BinaryOp.DIV, self._math("cladpy::norm_root" + float_, [squares], type, span), unit, type)
