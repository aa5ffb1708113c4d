"""Calls: which function is meant, and what is passed to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.library import CACHED_LOADS, CONSTANTS, TRANSPARENT
from cladpy.frontend.refused import REFUSED_TYPE, AlreadyReported, Refused
from cladpy.ir.surface import Call, Deref, Expr, Literal
from cladpy.ir.surface_rules import is_lvalue, same
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import CHAR, Array, Pointer, Reference, Scalar, Type, is_floating, spell, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_INDIRECT = (CursorKind.VAR_DECL, CursorKind.PARM_DECL, 6)  # 6: a member
_LAUNCH = ("__cudaPushCallConfiguration", "cudaConfigureCall")


class Calls:
    """Reads the calls of one function. Raises Refused for what cannot be called."""

    def __init__(self, scope: FunctionReader, symbol: Callable[[Cursor, Span], FunctionSymbol]) -> None:
        self._scope = scope
        self._symbol = symbol

    def read(self, cursor: Cursor) -> Expr:
        span = self._scope.files.span(cursor)
        callee = cursor.referenced
        name = cursor.spelling
        children = cursor.children()
        if len(children) > 1 and children[1].kind == CursorKind.CALL_EXPR and children[1].spelling in _LAUNCH:
            raise Refused("CP0123", span, f"'{name}'")
        if callee.is_null or callee.kind in _INDIRECT:
            raise Refused("CP0105", span, f"'{name}'" if name else "a computed callee")
        if callee.kind == CursorKind.CXX_METHOD:
            return self._method(cursor, callee, span)
        if callee.kind != CursorKind.FUNCTION_DECL:
            raise Refused("CP0107", span, f"'{name}'")
        arguments = cursor.arguments
        system = callee.in_system_header or name.startswith("__builtin_")
        if system:
            special = self._special(cursor, name, arguments, span)
            if special is not None:
                return special
        function = self._symbol(callee, span)
        if REFUSED_TYPE in (function.result, *function.parameters):
            raise AlreadyReported
        passed = []
        for i, argument in enumerate(arguments):
            parameter = function.parameters[i] if i < len(function.parameters) else None
            passed.append(self._argument(argument, parameter, callee, i, span))
        return Call(function, tuple(passed), strip_reference(function.result), span)

    def _special(self, cursor: Cursor, name: str, arguments: tuple[Cursor, ...], span: Span) -> Expr | None:
        """Calls of the library that are something simpler."""
        if name in TRANSPARENT:
            expressions = self._scope.statements.expressions
            return convert(expressions.read(arguments[0]), expressions.type(cursor, span), span)
        if name in CACHED_LOADS:
            pointer = self._scope.statements.expressions.read(arguments[0])
            if isinstance(pointer.type, Pointer):
                return Deref(pointer, pointer.type.pointee, span)
        if name in CONSTANTS:
            return self._constant(cursor, span)
        return None

    def _constant(self, cursor: Cursor, span: Span) -> Expr | None:
        value = cursor.evaluate()
        type = self._scope.statements.expressions.type(cursor, span)
        if value is None or not isinstance(type, Scalar):
            return None
        return Literal(float(value) if is_floating(type) else int(value), type, span)

    def _method(self, cursor: Cursor, callee: Cursor, span: Span) -> Expr:
        if callee.is_virtual:
            raise Refused("CP0104", span, f"'{callee.spelling}'")
        if "(lambda at" in callee.parent.type.spelling:
            raise Refused("CP0106", span)
        if callee.in_system_header:  # std::numeric_limits<float>::max()
            constant = self._constant(cursor, span)
            if constant is not None:
                return constant
        raise Refused("CP0107", span, f"member function '{callee.spelling}'")

    def _argument(self, cursor: Cursor, parameter: Type | None, callee: Cursor, position: int, span: Span) -> Expr:
        expressions = self._scope.statements.expressions
        if cursor.kind == CursorKind.UNEXPOSED_EXPR and not any(is_expression(c.kind) for c in cursor.children()):
            cursor = self._default(cursor, callee, position, span)
        value = expressions.read(cursor)
        if parameter is None:
            if isinstance(value.type, Array):
                return convert(value, Pointer(value.type.element, value.type.element == CHAR))
            return value
        if not isinstance(parameter, Reference):
            return convert(value, parameter)
        if same(value.type, parameter.referee) and (is_lvalue(value) or parameter.const):
            return value
        if parameter.const and isinstance(parameter.referee, Scalar):
            return convert(value, parameter.referee)  # a temporary
        raise Refused("CP0113", span, f"from '{spell(value.type)}' to '{spell(parameter)}'")

    def _default(self, cursor: Cursor, callee: Cursor, position: int, span: Span) -> Cursor:
        """The expression of a default argument, which clang does not show at the call."""
        if cursor.extent()[1]:
            return cursor  # something else without children, such as `double()`
        for declaration in (callee, callee.canonical, callee.definition, callee.template):
            if declaration is None:
                continue
            parameters = [c for c in declaration.children() if c.kind == CursorKind.PARM_DECL]
            if position < len(parameters):
                values = [c for c in parameters[position].children() if is_expression(c.kind)]
                if values:
                    return values[-1]
        raise Refused("CP0199", span, f"a default argument of '{callee.spelling}'")
