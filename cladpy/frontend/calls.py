"""Calls: which function is meant, and what is passed to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.frontend.allocations import read_end
from cladpy.frontend.asides import concerns_text, left_aside, logged, only_logs
from cladpy.frontend.clocks import seconds, shown
from cladpy.frontend.conversions import convert
from cladpy.frontend.devices import asked
from cladpy.frontend.dispatch import is_resolved, object_of
from cladpy.frontend.held import is_conversion, is_held, is_invoker
from cladpy.frontend.indirect import (
    chosen_functions,
    is_called_by_result,
    known_function,
    leads_to_function,
    pointer_called,
)
from cladpy.frontend.kernels import call_with_kernel
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.library import (
    BUILT_IN,
    THROWING,
    ends_program,
    has_rule,
    is_of_library,
    is_read,
)
from cladpy.frontend.moves import cleared_elements, moved_elements
from cladpy.frontend.refused import REFUSED_TYPE, AlreadyReported, Refused
from cladpy.frontend.types import half_kind
from cladpy.ir import surface_walk
from cladpy.ir.surface import (
    Assign,
    Binary,
    BinaryOp,
    Call,
    CompoundAssign,
    Conditional,
    Configuration,
    Deref,
    Expr,
    IncDec,
    InitList,
    Literal,
)
from cladpy.ir.symbols import NANOSECONDS, FunctionKind, FunctionSymbol
from cladpy.ir.types import (
    BOOL,
    CHAR,
    INT,
    STREAM,
    ULONG,
    VOID,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
    is_floating,
    spell,
    strip_reference,
)

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_INDIRECT = (CursorKind.VAR_DECL, CursorKind.PARM_DECL, 6)  # 6: a member
_ASSIGNMENTS = frozenset(f"operator{op}=" for op in ("", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
_LAUNCH = ("__cudaPushCallConfiguration", "cudaConfigureCall")


class Calls:
    """Reads the calls of one function. Raises Refused for what cannot be called."""

    def __init__(self, scope: FunctionReader, symbol: Callable[..., FunctionSymbol]) -> None:
        self._scope = scope
        self._symbol = symbol

    def read(self, cursor: Cursor) -> Expr:
        span = self._scope.files.span(cursor)
        callee = cursor.referenced
        name = cursor.spelling
        children = cursor.children()
        if len(children) > 1 and children[1].kind == CursorKind.CALL_EXPR and children[1].spelling in _LAUNCH:
            return self._launch(cursor, children[1], span)
        if (callee.is_null or callee.kind in _INDIRECT) and children:
            callee = known_function(children[0], self._scope.given) or callee
        if callee.is_null or callee.kind in _INDIRECT or is_called_by_result(cursor):
            call = partial(self._one_of, cursor, span=span)
            chosen = self._chosen(cursor, call, span) or self.by_number(children[0], call, span)
            if chosen is None:
                raise Refused("CP0105", span, f"'{name}'" if name else "a computed callee")
            return chosen
        if self._scope.is_host and concerns_text(callee):
            return left_aside(cursor, callee, self._scope, span)
        if callee.kind == CursorKind.CONSTRUCTOR:
            return self._scope.objects.construct(cursor, callee, span)
        if callee.kind in (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION):
            return self._method(cursor, callee, span)
        if callee.kind == CursorKind.DESTRUCTOR:
            base = _method_base(cursor, callee)
            if base is None or callee.is_virtual or not self._scope.may_fail:
                raise Refused("CP0131", span, f"'{name}'")
            return read_end(self._scope.objects.object(base[0], span), self._scope, span)
        if callee.kind != CursorKind.FUNCTION_DECL:
            raise Refused("CP0199", span, f"the call of '{name}'")
        arguments = cursor.arguments
        system = callee.in_system_header or name.startswith("__builtin_")
        if system:
            special = self._special(cursor, name, arguments, span) or self._forwarded(callee, arguments, span)
            if special is not None:
                return special
            if self._scope.is_host and isinstance(known.of(name), known.Query):
                values = [self._read(a) for a in arguments]
                answer = asked(name, values, self._scope.statements.expressions.type(cursor, span), self._scope, span)
                if answer is not None:
                    return answer
            about = call_with_kernel(cursor, callee, self._scope, span) if self._scope.is_host else None
            if about is not None:
                return about
        elif callee.is_variadic and self._scope.is_host and only_logs(callee, arguments):
            return logged(cursor, callee, self._scope, span)
        if callee.is_variadic and name.startswith(BUILT_IN) and not callee.type.canonical.parameters:
            numbers = tuple(self._read(a) for a in arguments)  # of any type, as `__builtin_isnan` takes them
            result = self._scope.types.convert(callee.type.canonical.result, span)
            function = self._scope.program.library_symbol(callee, result, tuple(n.type for n in numbers))
            return Call(function, numbers, result, span)
        given = self._functions_given(callee, arguments)
        return self._called(
            callee,
            given,
            lambda function: self._arguments(arguments, callee, function, 0, span, given),
            span,
            _is_assignment(cursor, callee),
        )

    def _called(
        self,
        callee: Cursor,
        given: tuple[Cursor | None, ...],
        passed: Callable[[FunctionSymbol], list[Expr]],
        span: Span,
        last_first: bool = False,
    ) -> Expr:
        """A call; a statement of its own where what the function throws is followed."""
        exceptions = self._scope.statements.exceptions
        function = self._symbol(callee, span, given)
        sites = () if function.kind is not FunctionKind.HOST else exceptions.escaping(callee)
        if not sites or not self._scope.program.may_leave_early(function):
            return Call(function, tuple(passed(function)), strip_reference(function.result), span, last_first)
        function = self._symbol(callee, span, given, sites)
        own = exceptions.variables(sites, span)
        call = Call(function, (*passed(function), *own), function.result, span, last_first)
        return self._scope.destructors.hoist(call, len(own), lambda: exceptions.behind(sites, span), span)

    def _functions_given(self, callee: Cursor, arguments: tuple[Cursor, ...]) -> tuple[Cursor | None, ...]:
        """The arguments that are functions, where it is known which; none where none is one."""
        found = tuple(
            known_function(argument, self._scope.given) if leads_to_function(type) else None
            for argument, type in zip(arguments, callee.type.canonical.parameters, strict=False)
        )
        of_library = callee.kind == CursorKind.FUNCTION_DECL and callee.in_system_header and not is_read(callee)
        return found if any(found) and callee.definition is not None and not of_library else ()

    def _launch(self, cursor: Cursor, configuration: Cursor, span: Span) -> Expr:
        """`kernel<<<grid, block, shared_mem, stream>>>(...)`: a call with a second one inside, of what takes the
        configuration."""
        callee = known_function(cursor.children()[0], self._scope.given) or cursor.referenced
        if callee.is_null or callee.kind != CursorKind.FUNCTION_DECL or is_called_by_result(cursor):
            call = partial(self._launched, cursor, configuration, span=span)
            chosen = self._chosen(cursor, call, span) or self.by_number(cursor.children()[0], call, span)
            if chosen is None:
                raise Refused("CP0105", span, f"'{cursor.spelling}'" if cursor.spelling else "a computed kernel")
            return chosen
        return self._launched(cursor, configuration, callee, span=span)

    def _launched(self, cursor: Cursor, configuration: Cursor, callee: Cursor, *, span: Span) -> Expr:
        given = configuration.arguments
        types = [self._scope.types.convert(t, span) for t in configuration.referenced.type.canonical.parameters]
        types[3:] = [STREAM]
        parts = [
            self._scope.objects.passed(self._read(_handle(argument)), type, span)
            for argument, type in zip(given, types, strict=False)
            if argument.extent()[1] or any(is_expression(c.kind) for c in argument.children())
        ]
        shared_mem = parts[2] if len(parts) > 2 else Literal(0, ULONG, span)
        stream = parts[3] if len(parts) > 3 else None
        function = self._symbol(callee, span)
        passed = self._arguments(cursor.arguments, callee, function, 0, span)
        self._scope.program.closures.name(" ".join([function.qualified_name, *map(spell, function.parameters)]), span)
        return Call(function, tuple(passed), VOID, span, launch=Configuration(parts[0], parts[1], shared_mem, stream))

    def _chosen(self, cursor: Cursor, call: Callable[[Cursor], Expr], span: Span) -> Expr | None:
        """A call of a function from a table: of each of them, one of which is made."""
        found = chosen_functions(next(iter(cursor.children()), None))
        if found is None:
            return None
        return _one_that_equals(convert(self._read(found[0]), INT), dict(enumerate(found[1])), call, span)

    def by_number(self, callee: Cursor, call: Callable[[Cursor], Expr], span: Span) -> Expr | None:
        """A call of the function that a pointer leads to: of each that there are pointers to, one of which is made."""
        pointer = pointer_called(callee)
        if pointer is None or pointer.kind != CursorKind.DECL_REF_EXPR:
            return None
        functions = self._scope.program.numbers.functions(pointer.type)
        if not functions:
            return None
        return _one_that_equals(self._read(pointer), dict(enumerate(functions, 1)), call, span)

    def _one_of(self, cursor: Cursor, callee: Cursor, *, span: Span) -> Expr:
        of_library = callee.in_system_header and not is_invoker(callee) and not has_rule(callee.spelling)
        if of_library or self._scope.statements.exceptions.escaping(callee):
            raise Refused("CP0105", span, f"'{callee.spelling}'")
        return self._called(callee, (), lambda f: self._arguments(cursor.arguments, callee, f, 0, span), span)

    def arguments(self, cursor: Cursor, callee: Cursor, function: FunctionSymbol, first: int, span: Span) -> list[Expr]:
        """What is passed to the parameters from `first` on."""
        return self._arguments(cursor.arguments, callee, function, first, span)

    def _arguments(
        self,
        arguments: tuple[Cursor, ...],
        callee: Cursor,
        function: FunctionSymbol,
        first: int,
        span: Span,
        given: tuple[Cursor | None, ...] = (),
    ) -> list[Expr]:
        """What is passed; nothing for the functions that are `given`."""
        if REFUSED_TYPE in (function.result, *function.parameters):
            raise AlreadyReported
        parameters = iter(function.parameters[first:])
        return [
            self.argument(argument, next(parameters, None), callee, i, span)
            for i, argument in enumerate(arguments)
            if not (i < len(given) and given[i])
        ]

    def defaults(self, callee: Cursor, function: FunctionSymbol, first: int, span: Span) -> list[Expr]:
        """The default arguments of all parameters from `first` on; the object of a member function counts."""
        objects, read = self._scope.objects, self._scope.statements.expressions.read
        object = 1 if function.is_method else 0
        return [
            objects.passed(read(self._default_of(callee, i - object, span)), function.parameters[i], span)
            for i in range(first, len(function.parameters))
        ]

    def _special(self, cursor: Cursor, name: str, arguments: tuple[Cursor, ...], span: Span) -> Expr | None:
        """Calls of the library that are something simpler."""
        row = known.of(name)
        if (ends_program(name) or name.startswith(THROWING)) and self._scope.may_fail:
            return self._scope.statements.expressions.failure(cursor, span)
        if self._scope.team is not None and (asked_of := self._scope.team.asked(name, span)) is not None:
            return asked_of
        if name.endswith("is_constant_evaluated"):
            return Literal(False, BOOL, span)
        if name == "__builtin_constant_p" and cursor.in_system_header:  # both ways do the same there
            return Literal(0, INT, span)
        if isinstance(row, known.Transparent):
            expressions = self._scope.statements.expressions
            return convert(expressions.read(arguments[0]), expressions.type(cursor, span), span)
        if isinstance(row, known.CachedLoad):
            pointer = self._scope.statements.expressions.read(arguments[0])
            if isinstance(pointer.type, Pointer):
                return Deref(pointer, pointer.type.pointee, span)
        if isinstance(row, known.CachedStore) and len(arguments) >= 2:  # what follows says for whom
            pointer, value = (self._read(a) for a in arguments[:2])
            if isinstance(pointer.type, Pointer):
                return self._scope.objects.assign(Deref(pointer, pointer.type.pointee, span), value, span)
        if isinstance(row, known.Move) or (isinstance(row, known.Copy) and row.in_kernels and self._scope.on_device):
            target, source, size = (self._read(a) for a in arguments)
            whole = not self._scope.on_device
            return moved_elements(target, source, convert(size, ULONG), self._scope, span, whole=whole)
        if isinstance(row, known.Fill) and row.in_kernels and self._scope.on_device:
            target, value, size = (self._read(a) for a in arguments)
            return cleared_elements(target, value, convert(size, ULONG), self._scope, span)
        if isinstance(row, known.Time) and self._scope.is_host:
            if row.place is None:
                return seconds(span)
            type = self._scope.statements.expressions.type(cursor, span)
            assert isinstance(type, Scalar)
            return shown(row, row.place, [self._read(a) for a in arguments], type, span)
        if isinstance(row, known.Constant):
            return self._constant(cursor, span, row.value)
        return None

    def _forwarded(self, callee: Cursor, arguments: tuple[Cursor, ...], span: Span) -> Expr | None:
        """`std::move(x)` and its like: casts that are written as calls."""
        row = known.of(callee.spelling)
        if len(arguments) != 1 or not isinstance(row, known.Forwarding | known.Address) or not is_of_library(callee):
            return None
        value = self._read(arguments[0])
        if isinstance(row, known.Forwarding):
            return value
        return self._scope.objects.address(value, self._scope.types.convert(callee.type.canonical.result, span), span)

    def _constant(self, cursor: Cursor, span: Span, known_value: float | None = None) -> Expr | None:
        value = cursor.evaluate()
        value = known_value if value is None else value
        type = self._scope.statements.expressions.type(cursor, span)
        if value is None or not isinstance(type, Scalar):
            return None
        return Literal(float(value) if is_floating(type) else int(value), type, span)

    def _method(self, cursor: Cursor, callee: Cursor, span: Span) -> Expr:
        if callee.in_system_header:  # std::numeric_limits<float>::max()
            constant = self._constant(cursor, span)
            if constant is not None:
                return constant
        objects = self._scope.objects
        arguments = cursor.arguments
        base = _method_base(cursor, callee)
        if callee.is_virtual and not is_resolved(cursor, callee, base[0] if base else arguments[0]):
            raise Refused("CP0104", span, f"'{callee.spelling}'")
        if callee.kind == CursorKind.CONVERSION_FUNCTION and base and base[0] is not None:
            whole = self._scope.statements.expressions.builtin_variable(base[0], cursor)
            if whole is not None:
                return whole
        if callee.kind == CursorKind.CONVERSION_FUNCTION and base and half_kind(callee.parent.type) is not None:
            type = self._scope.statements.expressions.type(cursor, span)
            return convert(objects.object(base[0], span), type, span)
        if callee.is_defaulted and callee.spelling == "operator=":
            target = objects.object(base[0], span) if base else self._read(arguments[0])
            value = self._read(arguments[-1])
            return objects.assign(target, value, span, moves=callee.is_move_assignment)
        if callee.is_static_method and callee.in_system_header:
            if callee.spelling == "now":
                return self._now(callee, span)
            if is_held(callee):
                return objects.held(self._read(arguments[0]), callee.result_type, span)
            if is_conversion(callee):
                return self._read(arguments[0])
        if callee.is_static_method:
            if base is None:
                # a static operator()
                arguments = arguments[len(arguments) - len(callee.type.canonical.parameters) :]
            given = self._functions_given(callee, arguments)
            return self._called(
                callee, given, lambda function: self._arguments(arguments, callee, function, 0, span, given), span
            )
        if base is None:
            base, arguments = (arguments[0],), arguments[1:]
        receiver = objects.receiver(base[0], callee, span)  # first: it may have been refused before
        given = self._functions_given(callee, arguments)

        def passed(function: FunctionSymbol) -> list[Expr]:
            others = self._arguments(arguments, callee, function, 1, span, given)
            return [objects.address(receiver, function.parameters[0], span), *others]

        return self._called(callee, given, passed, span, _is_assignment(cursor, callee))

    def _now(self, clock: Cursor, span: Span) -> Expr:
        """What a clock of std::chrono shows: a point in time is a class around a duration around a number."""
        type = self._scope.types.convert(clock.result_type, span)
        wrapped = []
        while isinstance(type, Struct) and len(type.fields) == 1:
            wrapped.append(type)
            type = type.fields[0].type
        if not wrapped or not isinstance(type, Scalar):
            raise Refused("CP0005", span, f"'{clock.spelling}'")
        now = convert(Call(NANOSECONDS, (), NANOSECONDS.result, span), type)
        for around in reversed(wrapped):
            now = InitList((now,), around, span)
        return now

    def _read(self, cursor: Cursor) -> Expr:
        return self._scope.statements.expressions.read(cursor)

    def argument(self, cursor: Cursor, parameter: Type | None, callee: Cursor, position: int, span: Span) -> Expr:
        """What is passed to the parameter at a position; None for one of a function without a fixed list."""
        expressions = self._scope.statements.expressions
        if cursor.kind == CursorKind.UNEXPOSED_EXPR and not any(is_expression(c.kind) for c in cursor.children()):
            cursor = self._default(cursor, callee, position, span)
        value = expressions.read(cursor)
        if parameter is None:
            if isinstance(value.type, Array):
                return convert(value, Pointer(value.type.element, value.type.element == CHAR))
            return value
        return self._scope.objects.passed(value, parameter, span)

    def _default(self, cursor: Cursor, callee: Cursor, position: int, span: Span) -> Cursor:
        """The expression of a default argument, which clang does not show at the call."""
        if cursor.extent()[1]:
            return cursor  # something else without children, such as `double()`
        return self._default_of(callee, position, span)

    @staticmethod
    def _default_of(callee: Cursor, position: int, span: Span) -> Cursor:
        for declaration in (callee, callee.canonical, callee.definition, callee.template):
            if declaration is None:
                continue
            parameters = [c for c in declaration.children() if c.kind == CursorKind.PARM_DECL]
            if position < len(parameters):
                value = parameters[position].initializer
                if value is not None:
                    return value
        raise Refused("CP0199", span, f"a default argument of '{callee.spelling}'")


def _one_that_equals(
    chosen: Expr, functions: Mapping[int, Cursor], call: Callable[[Cursor], Expr], span: Span
) -> Expr | None:
    """A call of the function whose number is `chosen`; None where that would be asked more than once, and does
    something."""
    if any(isinstance(e, Assign | CompoundAssign | IncDec | Call) for e in surface_walk.walk(chosen)):
        return None
    *others, (_, last) = functions.items()
    made = call(last)
    for number, function in reversed(others):
        here = Binary(BinaryOp.EQ, chosen, Literal(number, chosen.type, span), BOOL, span)
        other = call(function)
        made = Conditional(here, other, made, made.type, span)
    return made


def _handle(argument: Cursor) -> Cursor:
    """A stream without its conversion to what some headers have in its place, `void *`."""
    inner = [c for c in argument.children() if is_expression(c.kind)]
    is_converted = argument.kind == CursorKind.UNEXPOSED_EXPR and len(inner) == 1
    return inner[0] if is_converted and argument.type.canonical.spelling == "void *" else argument


def _is_assignment(cursor: Cursor, callee: Cursor) -> bool:
    """Whether the call is written `a += b`: then it is evaluated like an assignment of numbers, from the right."""
    return callee.spelling in _ASSIGNMENTS and _method_base(cursor, callee) is None


def _method_base(cursor: Cursor, callee: Cursor) -> tuple[Cursor | None] | None:
    """What a member function is called on, None in it where that is not written; None for `a + b` and `a(b)`."""
    children = cursor.children()
    first = children[0] if children else None
    while first is not None and first.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        inner = [c for c in first.children() if is_expression(c.kind)]
        first = inner[0] if len(inner) == 1 else None
    if first is None or first.kind not in (CursorKind.MEMBER_REF_EXPR, CursorKind.DECL_REF_EXPR):
        return None
    if first.referenced.canonical.key != callee.canonical.key:
        return None
    return (object_of(first),)
