"""Calls: inlined, kept for a pullback of their own, or turned into core operations.

A function that only reads memory may be kept: its pullback then recomputes what it needs. One that writes through a
pointer, or gets the address of a local variable, is inlined, so that forward and reverse sweep share its values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import core, surface_walk
from cladpy.ir import surface as s
from cladpy.ir.symbols import FAIL, FunctionSymbol, Symbol
from cladpy.ir.types import (
    BOOL,
    Opaque,
    Reference,
    Scalar,
    Struct,
    spell,
)
from cladpy.ir.types import Pointer as PointerType
from cladpy.known.library import is_name_of_library
from cladpy.normalize.accesses import Places, pointee
from cladpy.normalize.atomics import Atomics
from cladpy.normalize.casts import Casts
from cladpy.normalize.customs import given_back
from cladpy.normalize.decisions import Restart
from cladpy.normalize.exits import Exits
from cladpy.normalize.here import Frame, Here, Result
from cladpy.normalize.host import HostCalls
from cladpy.normalize.kept import KeptCalls
from cladpy.normalize.launches import Launches
from cladpy.normalize.library import LibraryCalls
from cladpy.normalize.marks import DETACHED
from cladpy.normalize.objects import Objects
from cladpy.normalize.places import ZERO, Cell, Pointer
from cladpy.normalize.policy import LARGEST, Policy
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.ssa import FALSE, SSA
from cladpy.normalize.standins import at_call
from cladpy.normalize.storage import Storage
from cladpy.normalize.values import Values

if TYPE_CHECKING:
    from cladpy.normalize.statements import Statements


# How many calls of recursive functions are written out at most, and how many levels at least.
MOST_LEVELS = 160
LEAST = 3


@dataclass(slots=True, eq=False)
class Calls:
    report: Report
    here: Here
    ssa: SSA
    casts: Casts
    storage: Storage
    objects: Objects
    places: Places
    values: Values
    launches: Launches
    host: HostCalls
    kept: KeptCalls
    atomics: Atomics
    library: LibraryCalls
    policy: Policy
    levels: int = 0  # how many of a recursion have been written out
    statements: Statements = field(init=False)

    def call(self, expr: s.Call, used: bool) -> core.Expr | None:
        """Normalises a call; gives its result where that is a scalar."""
        callee = expr.callee
        if id(expr) in self.library.answers:
            return self.library.answers.pop(id(expr))
        if expr.launch is not None:
            self.launches.launch(expr)
            return None
        if self.host.is_host_call(expr):
            return self.host.host_call(expr)
        if self.kept.is_kept(expr):
            kept = self.kept.keep(callee, expr.arguments, expr.span)
            return core.Use(kept.outputs[0].value) if isinstance(callee.result, Scalar) else None
        if callee not in self.policy.functions:
            return self.library.call(expr, used)
        result = self._inline(callee, expr.arguments, expr.span, last_first=expr.last_first)
        return (
            self.ssa.scalar(result) if isinstance(result, Cell) and isinstance(result.type, Scalar | Opaque) else None
        )

    def pointer_of_call(self, expr: s.Call) -> Pointer:
        """The pointer that a function returns, or what a returned reference refers to."""
        if self.policy.is_custom(expr.callee):
            return self._given_back(expr)
        if self.host.is_allocation(expr):
            pointee = expr.type.pointee if isinstance(expr.type, PointerType) else expr.type
            return self.host.allocate(expr, pointee)
        if expr.callee not in self.policy.functions:
            if is_name_of_library(expr.callee.name):
                raise self.report.refuse(
                    "CP0206",
                    "where the C++ library puts what this holds is not known in differentiated code",
                    expr.span,
                    "in place of a map, a set or a list take std::vector or std::array, with integers to find elements "
                    "by; what has no derivative may be found before, and passed as an argument",
                )
            raise self.report.refuse(
                "CP0206",
                f"'{expr.callee.name}' returns a pointer",
                expr.span,
                "pass memory to the function, and pointers into it; if another file of the program has its body, name "
                "that file too",
            )
        result = self._inline(expr.callee, expr.arguments, expr.span, last_first=expr.last_first)
        assert isinstance(result, Cell)
        content = self.ssa.content(result)
        assert isinstance(content, Pointer)
        return content

    def _given_back(self, expr: s.Call) -> Pointer:
        """What a function with a derivative of its own gives: one of its arguments, which it may have changed."""
        callee = expr.callee
        position = given_back(callee, self.policy.functions.get(callee))
        if position is not None:
            place = self.kept.keep(callee, expr.arguments, expr.span).places.get(position)
            if place is not None:
                result = callee.result
                to = result.referee if isinstance(result, Reference) else pointee(result)
                return self.casts.as_type(place, to, expr.span)
        raise self.report.refuse(
            "CP0239",
            f"'{callee.name}' has a derivative of its own, and returns a pointer or reference to something other than "
            "an argument that it changes",
            expr.span,
            "return the number or object itself, or remove the derivative: cladpy then finds it from the function",
        )

    def object_of_call(self, expr: s.Call | s.Construct, name: str) -> Pointer:
        """The object that a function returns or a constructor makes."""
        if isinstance(expr, s.Call) and expr.callee.qualified_name == DETACHED:
            made = self.objects.new_object(expr.arguments[0], name)
            self.objects.detach(made, expr.type, expr.span)
            return made
        if isinstance(expr, s.Construct) and self.policy.is_custom(expr.constructor):
            assert isinstance(expr.type, Struct)
            kept = self.kept.keep(expr.constructor, expr.arguments, expr.span, expr.type)
            return self.kept.assembled(kept, expr.type, name, expr.span)
        if isinstance(expr, s.Call) and isinstance(known.of(expr.callee.name), known.Atomic):
            self.atomics.atomic(expr, used=True)
        if isinstance(expr, s.Call) and self.kept.is_kept(expr):
            return self.kept.assembled(
                self.kept.keep(expr.callee, expr.arguments, expr.span), expr.type, name, expr.span
            )
        if isinstance(expr, s.Construct):
            made = Pointer((self.storage.local(name, expr.type, expr.span),), ZERO)
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
            self.ssa.layers[-1][this] = made
            parameters = parameters[1:]
        bindings = list(zip(parameters, arguments, strict=True))
        for parameter, argument in reversed(bindings) if last_first else bindings:
            self._bind(frame, parameter, argument)
        return self._within(frame, callee, arguments, span, lambda: self.statements.sequence(function.body.statements))

    def inline_together(self, call: s.Call, run: Callable[[Sequence[s.Stmt], Sequence[s.Stmt]], None]) -> Result:
        """The same where the threads of a block go through the body together: `run` is given the declarations of its
        parameters and the body."""
        callee, span = call.callee, call.span
        self._check_inlining(callee, span)
        function = self.policy.functions[callee]
        given = [s.Declare(p, a, a.span) for p, a in zip(function.parameters, call.arguments, strict=True)]
        frame = Frame(dict(self.here.frame.bindings))  # by which the arguments have their names
        ordered = given[::-1] if call.last_first else given
        return self._within(frame, callee, (), span, lambda: run(ordered, function.body.statements))

    def _within(
        self,
        frame: Frame,
        callee: FunctionSymbol,
        arguments: tuple[s.Expr, ...],
        span: Span,
        body: Callable[[], None],
    ) -> Result:
        """Normalises a function's body by `body`, with what its names mean in `frame`; gives its result."""
        saved = (self.here.frame, self.here.exits, self.here.result)
        self.here.outer_references += [b for b in self.here.frame.bindings.values() if isinstance(b, Pointer)]
        mark = len(self.here.outer_references)
        returned = Cell("returned", BOOL)
        self.ssa.layers[-1][returned] = FALSE
        self.here.frame, self.here.exits = frame, Exits(returned)
        result = self.here.result = self.new_result(callee, span)
        self.here.active_calls.append(callee)
        # calls in a stand-in have one span: what they are given tells them apart
        self.here.inlined_at.append(_told(callee, arguments) if span in self.here.inlined_at else span)
        try:
            body()
        finally:
            self.here.active_calls.pop()
            self.here.inlined_at.pop()
            self.here.frame, self.here.exits, self.here.result = saved
            own = sum(isinstance(b, Pointer) for b in self.here.frame.bindings.values())
            del self.here.outer_references[mark - own :]
        return result

    def _is_written_out(self, callee: FunctionSymbol, span: Span) -> bool:
        """Recursion of a host program is written out level by level. Whether a call is one level too deep: then there
        is no gradient, which the program says when it comes to it."""
        if not self._is_recursive_program(callee):
            return False
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise self._too_many_levels(callee, span)
        deepest = self.policy.decisions.deepest
        if self.here.active_calls.count(callee) < deepest:
            return False
        message = f'"recursion of {callee.name} is deeper than {deepest} levels, for which it has no gradient"'
        self.ssa.out.append(core.Effect(FAIL, (core.Text(message),), span))
        return True

    def _too_many_levels(self, callee: FunctionSymbol, span: Span) -> Abandon | Restart:
        """A recursion calls itself more than once, so that fewer levels can be written out."""
        deepest = 2 * self.policy.decisions.deepest // 3
        if deepest >= LEAST:
            return Restart(replace(self.policy.decisions, deepest=deepest))
        return self.report.refuse(
            "CP0220",
            f"'{callee.name}' launches, and calls itself in too many places to be written out",
            span,
            "write the recursion as a loop",
        )

    def _is_recursive_program(self, callee: FunctionSymbol) -> bool:
        return self.here.on_host and self.policy.recursive(callee) and self.policy.is_program(callee)

    def _check_inlining(self, callee: FunctionSymbol, span: Span) -> None:
        if callee not in self.policy.functions:
            raise self.report.refuse(
                "CP0224",
                f"nothing is known about the function '{callee.qualified_name}'",
                span,
                "define it where it is called from",
            )
        if self._is_recursive_program(callee):
            return
        if callee in self.here.active_calls or self.policy.recursive(callee):
            raise self.report.refuse(
                "CP0220",
                f"'{callee.name}' is recursive, and takes lambdas or objects with pointers, prints, adds atomically or "
                "writes memory that it is not given",
                span,
                "let the recursive function return its result, or write through pointers to numbers or objects without "
                "pointers; in place of a lambda that calls itself write a function",
            )
        if self.policy.size(callee) >= LARGEST:
            raise self.report.refuse(
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
                cell = self.storage.local(name, type, span)
                assert isinstance(cell, Cell)
                return cell
            case Struct():
                return Pointer((self.storage.local(name, type, span),), ZERO)
            case _:
                return None

    def give(self, value: s.Expr, span: Span) -> None:
        """What `return value` does, but for leaving."""
        result = self.here.result
        assert result is not None, "what a function gives that gives nothing is evaluated before it returns"
        match result:
            case Pointer():
                self.objects.copy(self.objects.object_of(value), result, value.type, span)
            case Cell() if isinstance(self.here.active_calls[-1].result, Reference):
                self.ssa.assign(result, self.places.place(value), span)
            case Cell(type=PointerType()):
                self.ssa.assign(result, self.places.pointer(value), span)
            case _:
                self.ssa.assign(result, self.values.rvalue(value), span)

    def _bind(self, frame: Frame, parameter: Symbol, argument: s.Expr) -> None:
        match parameter.type:
            case Reference():
                frame.bindings[parameter] = self.values.fixed(self.places.place(argument), argument.span)
            case PointerType() as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.ssa.assign(cell, self.places.pointer(argument), argument.span)
            case (Scalar() | Opaque()) as type:
                cell = Cell(parameter.name, type)
                frame.bindings[parameter] = cell
                self.ssa.assign(cell, self.values.rvalue(argument), argument.span)
            case Struct():
                frame.bindings[parameter] = self.objects.new_object(argument, parameter.name)
            case type:
                raise AssertionError(f"a parameter of type '{spell(type)}'")


def _told(callee: FunctionSymbol, arguments: tuple[s.Expr, ...]) -> str:
    """A call by what is called and what stands in its arguments."""
    parts = (e for argument in arguments for e in surface_walk.walk(argument))
    names = (e.symbol.name if isinstance(e, s.VarRef) else type(e).__name__ for e in parts)
    return " ".join((callee.qualified_name, *names))
