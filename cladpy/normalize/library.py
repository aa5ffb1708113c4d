"""Calls of library functions: numbers by a rule, barriers, what is printed, and functions with several results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from cladpy import derivatives, known
from cladpy.diagnostics import Span
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role
from cladpy.ir.types import (
    BOOL,
    INT,
    Array,
    Opaque,
    Scalar,
    Type,
    is_floating,
    is_integer,
    strip_reference,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.normalize.accesses import Places
from cladpy.normalize.atomics import Atomics
from cladpy.normalize.collectives import Collectives
from cladpy.normalize.places import Cell, Pointer, moved, text_of
from cladpy.normalize.policy import Policy
from cladpy.normalize.report import Report
from cladpy.normalize.ssa import SSA
from cladpy.normalize.values import Values


@dataclass(slots=True, eq=False)
class LibraryCalls:
    report: Report
    ssa: SSA
    places: Places
    values: Values
    collectives: Collectives
    atomics: Atomics
    policy: Policy
    # what barriers that all threads have come to gave, by the `id` of their calls
    answers: dict[int, core.Expr | None] = field(default_factory=dict)

    def call(self, expr: s.Call, used: bool) -> core.Expr | None:
        callee, span = expr.callee, expr.span
        name = callee.name
        row = known.of(name)
        if isinstance(row, known.Effect):
            parts = [self._printed(a) for a in expr.arguments]
            if used:
                raise self.report.refuse(
                    "CP0228", f"the result of '{name}' is used", span, "call it for its effect only, as a statement"
                )
            if row.ends or None not in parts:  # text that is not known is not printed
                printed = (core.Text('""') if p is None else p for p in parts)
                self.ssa.out.append(core.Effect(callee, tuple(printed), span))
            return None
        if isinstance(row, known.Barrier):
            return self.barrier(expr, used)
        if isinstance(
            row, known.Fence
        ):  # they order what threads see of each other's stores; the barriers of a block do too
            return None
        if isinstance(row, known.Atomic):
            return self.atomics.atomic(expr, used)
        if isinstance(row, known.Clock):
            now = core.Value(name.rpartition("::")[2], expr.type)
            self.ssa.out.append(core.Call((core.Output(now),), callee, (), span))
            return core.Use(now)
        if isinstance(row, known.Collective):
            return self.collectives.collective(expr, used)
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
            cast(self.values.rvalue(a), strip_reference(t))
            for t, a in zip(callee.parameters, expr.arguments, strict=True)
        )
        return self.ssa.named(core.Math(callee, arguments, expr.type), name.strip("_") + "_", span)

    def barrier(self, expr: s.Call, used: bool) -> core.Expr | None:
        """A barrier of the block. What all threads are given of the predicates is a value."""
        if id(expr) in self.answers:
            return self.answers.pop(id(expr))
        if not expr.arguments:
            self.ssa.out.append(core.Barrier(expr.callee, expr.span))
            return None
        predicate = cast(self.values.rvalue(expr.arguments[0]), INT)
        value = core.Value(expr.callee.name.strip("_"), INT)
        self.ssa.out.append(core.Barrier(expr.callee, expr.span, predicate, value))
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
                self.values.discard(inner)
                return None
            case s.Call(callee=callee, arguments=arguments, type=PointerType()) if callee not in self.policy.functions:
                for argument in arguments:  # cudaGetErrorString and its like
                    self.values.discard(argument)
                return None
            case _ if isinstance(inner.type, PointerType | Array):
                letters = text_of(self.places.pointer(inner))
                return None if letters is None else core.Text(letters)
            case _:
                return self.values.rvalue(expr)

    def _unknown(self, expr: s.Call) -> Exception:
        name = expr.callee.name
        if isinstance(known.of(f"{name}_sync"), known.Collective):  # as it was called before lanes had to be named
            return self.report.refuse(
                "CP0264",
                f"'{name}' does not say which lanes of the warp take part",
                expr.span,
                f"call '{name}_sync' with their mask, 0xffffffff for a whole warp",
                self.report.sink.follows(expr.span, rf"{name}\s*\(\s*", f"{name}_sync(0xffffffff, "),
            )
        if name == "__barrier_of_grid":
            return self.report.refuse(
                "CP0273",
                "all blocks of the grid wait for each other here, and a gradient's blocks run in any order",
                expr.span,
                "split the kernel here into two that are launched one after the other, and differentiate each",
            )
        if name.startswith("omp_"):
            return self.report.refuse(
                "CP0283",
                f"what '{name}' gives or does depends on the threads of OpenMP that run the program",
                expr.span,
                "leave it out of the function that is differentiated: pass what it gives as an argument; how work is "
                "shared out is said by directives",
            )
        if name.startswith(("cudaGraph", "cudaStreamBeginCapture", "cudaStreamEndCapture")):
            return self.report.refuse(
                "CP0256",
                f"'{name}': graphs of launches have no gradient",
                expr.span,
                "launch the kernels on the stream, and capture that only where no gradient is asked for",
            )
        if name == "cudaBindTexture":
            return self.report.refuse(
                "CP0284",
                "which memory a texture reference is bound to is not followed",
                expr.span,
                "give the kernel the memory as an argument, p[i] in place of tex1Dfetch(t, i); or differentiate the "
                "kernel, which reads the memory that is bound when it runs",
            )
        if name.startswith(("__sync", "__barrier")):
            return self.report.refuse(
                "CP0223",
                f"'{name}', by which threads work together, is not supported yet",
                expr.span,
                "differentiate the functions that it joins one by one",
            )
        return self.report.refuse(
            "CP0224",
            f"nothing is known about the function '{expr.callee.qualified_name}'",
            expr.span,
            f"write its derivative: void {name}_pullback(arguments..., d_result, pointers to adjoints...) "
            "in namespace cladpy::custom_derivatives, and pass the header with custom_derivatives; "
            "if another file of the program has its body, name that file too",
        )

    def _multi_output(self, expr: s.Call, multi: derivatives.MultiOutput) -> core.Expr | None:
        """`sincos(x, &s, &c)` as `s = sin(x); c = cos(x)`."""
        span = expr.span
        inputs = [self.values.rvalue(a) for a in expr.arguments[: multi.inputs]]
        inputs = [self.ssa.named(cast(x, t), "x", span) for x, t in zip(inputs, expr.callee.parameters, strict=False)]
        places = [
            (self.values.fixed(self.places.pointer(expr.arguments[i]), span), name, i) for i, name in multi.outputs
        ]
        values = []
        for place, name, i in places:
            pointer = expr.callee.parameters[i]
            assert isinstance(pointer, PointerType)
            values.append((place, self._math(name, inputs, pointer.pointee, span)))
        result = None if multi.result is None else self._math(multi.result, inputs, expr.type, span)
        for place, value in values:
            self.places.write(place, value, span)
        return result

    def _math(self, name: str, arguments: Iterable[core.Expr], result: Type, span: Span) -> core.Expr:
        arguments = tuple(arguments)
        plain = name.rpartition("::")[2]
        symbol = FunctionSymbol(
            plain, name, result, tuple(a.type for a in arguments), FunctionKind.HOST_DEVICE, span, True
        )
        return self.ssa.named(core.Math(symbol, arguments, result), plain + "_", span)

    def _norm(self, expr: s.Call, reciprocal: bool) -> core.Expr:
        """`norm(n, p)` as the root of a sum of squares over a loop, scaled by a power of two that another finds."""
        span, type = expr.span, expr.type
        assert isinstance(type, Scalar) and is_floating(type)
        count = self._math("cladpy::norm_count", [cast(self.values.rvalue(expr.arguments[0]), INT)], INT, span)
        base = self.values.fixed(self.places.pointer(expr.arguments[1]), span)
        float_ = "f" if type.kind.value == "float" else ""

        def over(name: str, step: Callable[[core.Expr, core.Expr], core.Expr]) -> core.Expr:
            """What a loop over the numbers makes of zero."""
            i, total = Cell("i", INT), Cell(name, type)
            self.ssa.layers[-1][i] = core.Const(0, INT)
            self.ssa.layers[-1][total] = core.Const(0.0, type)

            def body() -> None:
                x = self.places.read(moved(base, self.ssa.scalar(i), 1), type, span, "x")
                assert not isinstance(x, Pointer)
                self.ssa.assign(total, step(self.ssa.scalar(total), x), span)
                self.ssa.assign(i, core.Binary(BinaryOp.ADD, self.ssa.scalar(i), core.Const(1, INT), INT), span)

            self.ssa.loop([i, total], lambda: binary(BinaryOp.LT, self.ssa.scalar(i), count, BOOL), body, span)
            return self.ssa.scalar(total)

        def larger(total: core.Expr, x: core.Expr) -> core.Expr:
            return self._math("fmax" + float_, [total, self._math("fabs" + float_, [x], type, span)], type, span)

        def added(total: core.Expr, x: core.Expr) -> core.Expr:
            scaled = self.ssa.named(core.Binary(BinaryOp.MUL, x, unit, type), "scaled", span)
            return core.Binary(BinaryOp.ADD, total, core.Binary(BinaryOp.MUL, scaled, scaled, type), type)

        unit = self._math("cladpy::norm_unit", [over("largest", larger)], type, span)
        squares = over("squares", added)
        if reciprocal:
            return core.Binary(BinaryOp.MUL, self._math("rsqrt" + float_, [squares], type, span), unit, type)
        return core.Binary(BinaryOp.DIV, self._math("cladpy::norm_root" + float_, [squares], type, span), unit, type)
