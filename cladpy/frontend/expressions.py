"""Expressions: clang's tree as surface expressions, with every conversion in view."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol

from cladpy.diagnostics import Span
from cladpy.frontend import complexes
from cladpy.frontend.conversions import convert, reinterpret, reinterpret_memory
from cladpy.frontend.destructors import Destructors
from cladpy.frontend.dispatch import object_of
from cladpy.frontend.exceptions import thrown_text
from cladpy.frontend.files import Files
from cladpy.frontend.indirect import function_of
from cladpy.frontend.initializers import zero
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import variable_arguments
from cladpy.frontend.objects import Objects, elided, select
from cladpy.frontend.records import path_to
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import FUNCTION, Types, is_function, refuse_another_function
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import is_lvalue, same
from cladpy.ir.symbols import FAIL, Symbol
from cladpy.ir.types import (
    BOOL,
    INT,
    LONG,
    UINT,
    VOID,
    Array,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
    Void,
    arithmetic_conversion,
    decay,
    is_floating,
    is_integer,
    promote,
    spell,
    strip_reference,
)

_LONGEST = 120  # characters of what is said about an exception
BUILTIN_VARIABLES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_COMPARISONS = (s.BinaryOp.LT, s.BinaryOp.LE, s.BinaryOp.GT, s.BinaryOp.GE, s.BinaryOp.EQ, s.BinaryOp.NE)
_SHIFTS = (s.BinaryOp.SHL, s.BinaryOp.SHR)
_BINDING = 1  # of a structured binding; a variable template's instantiation has the same kind
_VARIABLES = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)

_REFUSED_KINDS: dict[int, str] = {
    CursorKind.ADDR_LABEL_EXPR: "CP0101",
}


class Scope(Protocol):
    """What expressions need from the function around them."""

    files: Files
    types: Types
    objects: Objects
    destructors: Destructors
    defers: bool  # what is refused is left for the next stage
    may_fail: bool  # it may throw and exit: only the host runs it
    given: dict[tuple[int, int], Cursor]  # the functions that parameters stand for

    def symbol(self, declaration: Cursor) -> Symbol | None:
        """The variable's symbol; None for one that is not declared in the function or at namespace scope."""

    def call(self, cursor: Cursor) -> s.Expr:
        """A call."""

    def allocation(self, cursor: Cursor, span: Span) -> s.Expr:
        """A `new` or `delete`."""

    def together(self, cursor: Cursor, span: Span) -> s.Expr:
        """A statement expression."""

    def meaning(self, declaration: Cursor, span: Span) -> s.Expr | None:
        """What a name stands for that is not a variable of its own."""

    def constant(self, declaration: Cursor) -> int | float | None:
        """The value of a constant at namespace scope; None for other variables."""

    def function_number(self, function: Cursor) -> int | None:
        """What stands for a pointer to a function."""


# Expressions in expressions: terms of a sum, for one. Where clang is asked where such a chain stands, it goes all
# along it.
_DEEP, _DEEPEST = 200, 10_000


def _goes_on(cursor: Cursor) -> bool:
    """Whether the first operands of first operands go down too far to be read."""
    for _ in range(_DEEPEST):
        operands = cursor.children()
        if not operands:
            return False
        cursor = operands[0]
    return True


class Expressions:
    """Reads expressions of one function. Every method raises Refused for what is not supported."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._depth = 0
        self._readers: dict[int, Callable[[Cursor, Span], s.Expr]] = {
            CursorKind.UNEXPOSED_EXPR: self._unexposed,
            CursorKind.DECL_REF_EXPR: self._declaration_reference,
            CursorKind.MEMBER_REF_EXPR: self._member,
            CursorKind.CALL_EXPR: self._call,
            CursorKind.INTEGER_LITERAL: self._literal,
            CursorKind.FLOATING_LITERAL: self._literal,
            CursorKind.CHARACTER_LITERAL: self._literal,
            CursorKind.BOOL_LITERAL_EXPR: self._literal,
            CursorKind.UNARY_EXPR: self._literal,
            CursorKind.SIZEOF_PACK_EXPR: self._literal,
            CursorKind.REQUIRES_EXPR: self._literal,
            CursorKind.STRING_LITERAL: self._string,
            CursorKind.NULLPTR_LITERAL_EXPR: self._null,
            CursorKind.GNU_NULL_EXPR: self._null,
            CursorKind.PAREN_EXPR: self._transparent,
            CursorKind.UNARY_OPERATOR: self._unary,
            CursorKind.ARRAY_SUBSCRIPT_EXPR: self._subscript,
            CursorKind.BINARY_OPERATOR: self._binary,
            CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: self._compound,
            CursorKind.CONDITIONAL_OPERATOR: self._conditional,
            CursorKind.CSTYLE_CAST_EXPR: self._cast,
            CursorKind.STATIC_CAST_EXPR: self._cast,
            CursorKind.FUNCTIONAL_CAST_EXPR: self._cast,
            CursorKind.CONST_CAST_EXPR: self._cast,
            CursorKind.REINTERPRET_CAST_EXPR: self._cast,
            CursorKind.DYNAMIC_CAST_EXPR: self._dynamic_cast,
            CursorKind.INIT_LIST_EXPR: self._init_list,
            CursorKind.COMPOUND_LITERAL_EXPR: self._cast,
            CursorKind.LAMBDA_EXPR: lambda cursor, span: scope.objects.closure(cursor, span),
            CursorKind.THROW_EXPR: self._throw,
            CursorKind.NEW_EXPR: lambda cursor, span: scope.allocation(cursor, span),
            CursorKind.DELETE_EXPR: lambda cursor, span: scope.allocation(cursor, span),
            CursorKind.THIS_EXPR: lambda cursor, span: scope.objects.this(span),
            CursorKind.STMT_EXPR: lambda cursor, span: scope.together(cursor, span),
        }

    def read(self, cursor: Cursor) -> s.Expr:
        if self._depth == _DEEP and _goes_on(cursor):
            raise Refused("CP0007", None)
        span = self._scope.files.span(cursor)
        reader = self._readers.get(cursor.kind)
        if reader is None:
            if cursor.kind in _REFUSED_KINDS:
                raise Refused(_REFUSED_KINDS[cursor.kind], span)
            raise Refused("CP0199", span, kind_name(cursor))
        self._depth += 1
        try:
            return reader(cursor, span)
        finally:
            self._depth -= 1

    def builtin_variable(self, variable: Cursor, converted: Cursor) -> s.Expr | None:
        """`threadIdx` as an object of the class that it is converted to; None for other variables."""
        while variable.kind == CursorKind.UNEXPOSED_EXPR and len(_operands(variable)) == 1:
            variable = _operands(variable)[0]
        if variable.spelling not in BUILTIN_VARIABLES or not variable.referenced.in_system_header:
            return None
        span = self._scope.files.span(variable)
        return _builtin_components(variable.spelling, self.type(converted, span), span)

    def condition(self, cursor: Cursor) -> s.Expr:
        return convert(self.read(cursor), BOOL)

    def type(self, cursor: Cursor, span: Span) -> Type:
        """The type of an expression, never a reference."""
        return strip_reference(self._scope.types.convert(cursor.type, span))

    def initializer(self, cursor: Cursor, type: Type) -> s.Expr:
        """The initial value of a variable of this type, which is not a reference."""
        return self._scope.objects.initializer(cursor, type)

    # ---- leaves -----------------------------------------------------------------------------------------------------

    def _literal(self, cursor: Cursor, span: Span) -> s.Expr:
        return self._constant(cursor.evaluate(), self.type(cursor, span), span)

    @staticmethod
    def _constant(value: int | float | None, type: Type, span: Span) -> s.Expr:
        if value is None or not isinstance(type, Scalar):
            raise Refused("CP0199", span, "a constant whose value is not known")
        if type == BOOL:
            return s.Literal(bool(value), type, span)
        return s.Literal(float(value) if is_floating(type) else int(value), type, span)

    def _string(self, cursor: Cursor, span: Span) -> s.Expr:
        return s.StringLiteral(cursor.spelling, self.type(cursor, span), span)

    def _null(self, cursor: Cursor, span: Span) -> s.Expr:
        return s.Literal(0, Pointer(VOID), span)

    def _declaration_reference(self, cursor: Cursor, span: Span) -> s.Expr:
        declaration = cursor.referenced
        if declaration.is_null:
            # A template's value parameter in its instantiation: the value stands below.
            inner = _operands(cursor)
            if len(inner) == 1:
                return convert(self.read(inner[0]), self.type(cursor, span), span)
            raise Refused("CP0199", span, "a name without meaning")
        if declaration.kind == CursorKind.ENUM_CONSTANT_DECL:
            return self._constant(declaration.enum_value, self.type(cursor, span), span)
        meaning = self._scope.meaning(declaration, span) if declaration.kind in (*_VARIABLES, _BINDING) else None
        if meaning is not None:
            return meaning
        if declaration.kind == _BINDING and declaration.type.canonical.is_const:  # a variable template
            type, initializer = self.type(cursor, span), declaration.initializer
            if isinstance(type, Struct) and initializer is not None:
                return s.Temporary(self.initializer(initializer, type), type, span)
            return self._constant(cursor.evaluate(), type, span)
        if declaration.kind not in _VARIABLES and variable_arguments(declaration) is None:
            if declaration.kind in (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD):
                number = self._scope.function_number(declaration)
                if number is not None:
                    return s.Literal(number, FUNCTION, span)
                raise Refused("CP0105", span, f"'{declaration.spelling}'")
            raise Refused("CP0199", span, f"'{cursor.spelling}'")
        name = cursor.spelling
        if name == "warpSize" and declaration.in_system_header:
            return s.Builtin(s.BuiltinVar.WARP_SIZE, INT, span)
        if name in BUILTIN_VARIABLES and declaration.in_system_header:
            return _builtin_components(name, self.type(cursor, span), span)
        return self._variable(cursor, declaration, span)

    def variable(self, declaration: Cursor, span: Span) -> s.Expr:
        """What the name of a variable means here."""
        return self._scope.meaning(declaration, span) or self._variable(declaration, declaration, span)

    def _variable(self, cursor: Cursor, declaration: Cursor, span: Span) -> s.Expr:
        value = self._scope.constant(declaration)
        if value is not None:
            return self._constant(value, self.type(cursor, span), span)
        symbol = self._scope.symbol(declaration)
        if symbol is None:
            name = cursor.spelling
            function = function_of(declaration, self._scope.given)
            number = None if function is None else self._scope.function_number(function)
            if number is not None:
                return s.Literal(number, FUNCTION, span)
            raise Refused("CP0199", span, f"the variable '{name}', which is not declared where it can be seen")
        return s.VarRef(symbol, strip_reference(symbol.type), span)

    def _member(self, cursor: Cursor, span: Span) -> s.Expr:
        base = object_of(cursor)
        declaration = cursor.referenced
        if base is not None and base.kind == CursorKind.DECL_REF_EXPR:
            variable = base.spelling
            if variable in BUILTIN_VARIABLES and base.referenced.in_system_header and cursor.spelling in "xyz":
                return s.Builtin(s.BuiltinVar(f"{variable}.{cursor.spelling}"), UINT, span)
        if not declaration.is_null and declaration.kind == CursorKind.VAR_DECL:
            return self._variable(cursor, declaration, span)
        if declaration.kind == CursorKind.ENUM_CONSTANT_DECL:
            return self._constant(declaration.enum_value, self.type(cursor, span), span)
        if declaration.kind != CursorKind.FIELD_DECL:
            raise Refused("CP0199", span, f"the member '{cursor.spelling}'")
        return self._scope.objects.member(base, declaration, span)

    # ---- what only wraps --------------------------------------------------------------------------------------------

    def _transparent(self, cursor: Cursor, span: Span) -> s.Expr:
        return self.read(self._only(cursor, span))

    def _unexposed(self, cursor: Cursor, span: Span) -> s.Expr:
        inner = _operands(cursor)
        if len(inner) > 1:
            raise Refused("CP0198", span)
        if not inner and isinstance(pointer := self.type(cursor, span), Pointer):
            spelled = self._scope.files.spelled(cursor)
            if spelled.startswith(b"__builtin_FILE"):  # also in what a macro such as `assert` is made of
                return s.StringLiteral(json.dumps(span.file), pointer, span)
            if spelled.startswith(b"__builtin_"):
                raise Refused("CP0199", span, "an expression whose meaning libclang does not show")
            return s.Literal(0, pointer, span)  # `T()`
        if not inner:
            return self._constant(cursor.evaluate(), self.type(cursor, span), span)
        if inner[0].type.canonical.kind == TypeKind.CONSTANT_ARRAY and cursor.type.canonical.kind == TypeKind.RECORD:
            return self._scope.objects.initializer_list(self.read(inner[0]), self.type(cursor, span), span)
        if cursor.spelled_at() != inner[0].spelled_at():
            # Not an implicit conversion, which begins where its operand does: noexcept(x), __builtin_bit_cast(T, x).
            raise Refused("CP0199", span, "an expression whose meaning libclang does not show")
        operand = self.read(inner[0])
        type = self.type(cursor, span)
        if isinstance(type, Array) and isinstance(operand.type, Pointer):
            return operand  # a parameter declared as an array: libclang shows what was written
        if type == FUNCTION and isinstance(operand, s.Literal) and isinstance(operand.type, Pointer):
            return s.Literal(0, FUNCTION, span)  # null
        return convert(operand, type, span)

    def _cast(self, cursor: Cursor, span: Span) -> s.Expr:
        inner = _operands(cursor)
        if not inner:
            return self._constant(cursor.evaluate(), self.type(cursor, span), span)
        if inner[-1].kind == CursorKind.INIT_LIST_EXPR:
            return _as_value(self.initializer(inner[-1], self.type(cursor, span)), span)
        operand = self.read(inner[-1])
        is_null = isinstance(operand, s.Literal) and operand.value == 0
        if not is_null and cursor.type.canonical.kind not in (TypeKind.VOID, TypeKind.BOOL):
            refuse_another_function(inner[-1].type, cursor.type, span)
        if cursor.kind == CursorKind.CONST_CAST_EXPR and is_lvalue(operand) and not isinstance(operand.type, Pointer):
            # Types of expressions know nothing of const: the pointer does.
            constant = s.AddressOf(operand, Pointer(operand.type, const=True), span)
            return s.Deref(s.Cast(constant, Pointer(operand.type), span), operand.type, span)
        # `double(x)`, where x is read, and no `static_cast<double &&>(x)`
        is_lasting = inner[-1].kind != CursorKind.UNEXPOSED_EXPR
        if is_lasting and is_lvalue(operand):
            return reinterpret_memory(operand, self.type(cursor, span), span)
        made = reinterpret(operand, self.type(cursor, span), span)
        is_read = not is_lasting and not inner[-1].type.canonical.is_const
        return _as_value(made, span) if is_read else made

    def _dynamic_cast(self, cursor: Cursor, span: Span) -> s.Expr:
        """To the class itself or a base it is any other cast; else the object's own class decides."""
        source, target = (strip_reference(self.type(c, span)) for c in (_operands(cursor)[-1], cursor))
        if isinstance(source, Pointer) and isinstance(target, Pointer):
            source, target = source.pointee, target.pointee
        if not isinstance(source, Struct) or not isinstance(target, Struct) or path_to(source, target) is None:
            raise Refused("CP0199", span, f"a dynamic_cast to '{cursor.type.spelling}'")
        return self._cast(cursor, span)

    def _init_list(self, cursor: Cursor, span: Span) -> s.Expr:
        return self._scope.objects.list(cursor, self.type(cursor, span), span)

    def _only(self, cursor: Cursor, span: Span) -> Cursor:
        inner = _operands(cursor)
        if len(inner) != 1:
            raise Refused("CP0199", span, kind_name(cursor))
        return inner[0]

    # ---- operators --------------------------------------------------------------------------------------------------

    def _unary(self, cursor: Cursor, span: Span) -> s.Expr:
        op = cursor.unary_operator
        operand = self.read(self._only(cursor, span))
        match op:
            case "x++" | "x--" | "++x" | "--x":
                return s.IncDec(operand, 1 if "+" in op else -1, op.endswith("x"), operand.type, span)
            case "&" | "*" if is_function(self._only(cursor, span).type) or is_function(cursor.type):
                return operand
            case "&":
                if not is_lvalue(operand):
                    raise Refused("CP0199", span, "the address of a temporary")
                return s.AddressOf(operand, self.type(cursor, span), span)
            case "*":
                if isinstance(operand.type, Array):
                    operand = convert(operand, Pointer(operand.type.element))
                if not isinstance(operand.type, Pointer):
                    raise Refused("CP0199", span, "operator *")
                if isinstance(operand, s.AddressOf) and _only_operand(cursor).spelling.startswith("__begin"):
                    return operand.operand  # the element that a range-based for has come to
                return s.Deref(operand, operand.type.pointee, span)
            case "__real" | "__imag":
                if not isinstance(operand.type, Struct):
                    raise Refused("CP0199", span, op)
                return select(operand, operand.type.fields[0 if op == "__real" else 1], span)
            case "!":
                return s.Unary(s.UnaryOp.NOT, convert(operand, BOOL), BOOL, span)
            case "+" | "-" | "~":
                type = self.type(cursor, span)
                if isinstance(type, Struct) and op != "+":
                    return complexes.negate(operand, type, span, conjugate=op == "~")
                return s.Unary(s.UnaryOp(op), convert(operand, type), type, span)
            case "__extension__":
                return operand
            case "co_await":
                raise Refused("CP0118", span)
            case _:
                raise Refused("CP0199", span, f"operator {op}")

    def _subscript(self, cursor: Cursor, span: Span) -> s.Expr:
        inner = _operands(cursor)
        if len(inner) != 2:
            raise Refused("CP0199", span, "a subscript")
        base, index = self.read(inner[0]), self.read(inner[1])
        if isinstance(base.type, Scalar):
            base, index = index, base
        # The array itself, not the pointer to its first element, is what is indexed.
        base = undecayed(base)
        match base.type:
            case Pointer(pointee) | Array(pointee, _):
                if isinstance(index.type, Scalar) and not is_floating(index.type):
                    return s.Index(base, convert(index, promote(index.type)), pointee, span)
        raise Refused("CP0199", span, "operator []")

    def _binary(self, cursor: Cursor, span: Span) -> s.Expr:
        operands = _operands(cursor)
        op = cursor.binary_operator
        if len(operands) != 2 or op == "?":
            raise Refused("CP0199", span, "a binary operator")
        left = self.read(operands[0])
        right = self._arm(operands[1]) if op in ("&&", "||") else self.read(operands[1])
        if op == ",":
            return s.Comma(left, right, right.type, span)
        if op == "=":
            return s.Assign(left, convert(right, left.type), left.type, span)
        return self._operate(s.BinaryOp(op), left, right, decay(self.type(cursor, span)), span)

    def _operate(self, op: s.BinaryOp, left: s.Expr, right: s.Expr, type: Type, span: Span) -> s.Expr:
        if op in (s.BinaryOp.AND, s.BinaryOp.OR):
            return s.Binary(op, convert(left, BOOL), convert(right, BOOL), BOOL, span)
        if isinstance(left.type, Scalar) and isinstance(right.type, Scalar):
            if op in _SHIFTS:
                return s.Binary(op, convert(left, type), convert(right, promote(right.type)), type, span)
            common = arithmetic_conversion(left.type, right.type)
            if op in _COMPARISONS:
                return s.Binary(op, convert(left, common), convert(right, common), BOOL, span)
            return s.Binary(op, convert(left, type), convert(right, type), type, span)
        if complexes.takes_part(left.type, right.type):
            whole = next(t for t in (type, left.type, right.type) if isinstance(t, Struct))
            return complexes.operate(op, left, right, whole, span)
        left, right = _decayed(left), _decayed(right)
        if op in _COMPARISONS:
            if isinstance(left.type, Pointer) and isinstance(right, s.Literal):
                return s.Binary(op, left, convert(right, left.type), BOOL, span)
            if isinstance(right.type, Pointer) and isinstance(left, s.Literal):
                return s.Binary(op, convert(left, right.type), right, BOOL, span)
            if isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
                return s.Binary(op, left, right, BOOL, span)
            if op in (s.BinaryOp.EQ, s.BinaryOp.NE) and any(isinstance(e.type, Opaque) for e in (left, right)):
                handle = left.type if isinstance(left.type, Opaque) else right.type
                return s.Binary(op, convert(left, handle), convert(right, handle), BOOL, span)
        elif op is s.BinaryOp.SUB and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
            return s.Binary(op, left, right, LONG, span)
        elif op in (s.BinaryOp.ADD, s.BinaryOp.SUB):
            if op is s.BinaryOp.ADD and isinstance(right.type, Pointer):
                left, right = right, left  # the order of evaluation is open in C++
            if isinstance(left.type, Pointer) and isinstance(right.type, Scalar) and is_integer(right.type):
                return s.Binary(op, left, convert(right, promote(right.type)), type, span)
        raise Refused("CP0199", span, f"'{spell(left.type)}' {op.value} '{spell(right.type)}'")

    def _compound(self, cursor: Cursor, span: Span) -> s.Expr:
        operands = _operands(cursor)
        spelled = cursor.binary_operator
        if len(operands) != 2 or not spelled.endswith("="):
            raise Refused("CP0199", span, "a compound assignment")
        op = s.BinaryOp(spelled[:-1])
        target, value = self.read(operands[0]), self.read(operands[1])
        type = target.type
        if isinstance(type, Scalar) and isinstance(value.type, Scalar):
            if op in _SHIFTS:
                compute, needed = promote(type), promote(value.type)
            else:
                compute = needed = arithmetic_conversion(type, value.type)
            return s.CompoundAssign(op, target, convert(value, needed), compute, type, span)
        if isinstance(type, Pointer) and isinstance(value.type, Scalar) and op in (s.BinaryOp.ADD, s.BinaryOp.SUB):
            return s.CompoundAssign(op, target, convert(value, promote(value.type)), type, type, span)
        if isinstance(type, Struct) and complexes.takes_part(type, type):
            return s.Assign(target, complexes.operate(op, target, value, type, span), type, span)
        raise Refused("CP0199", span, f"'{spell(type)}' {spelled} '{spell(value.type)}'")

    def _conditional(self, cursor: Cursor, span: Span) -> s.Expr:
        operands = _operands(cursor)
        if len(operands) != 3:
            raise Refused("CP0199", span, "a conditional")
        condition = self.condition(operands[0])
        then, other = self._arm(operands[1]), self._arm(operands[2])
        type = self.type(cursor, span)
        if not isinstance(type, Void):
            then, other = (self._or_thrown(arm, type) for arm in (then, other))
        if isinstance(type, Array) and not (isinstance(then.type, Array) and isinstance(other.type, Array)):
            type = next(e.type for e in (then, other) if isinstance(e.type, Pointer))  # as for `_unexposed`
        if not (isinstance(type, Array) and same(then.type, other.type)):
            then, other = convert(then, type), convert(other, type)
        if isinstance(then, s.Temporary) or isinstance(other, s.Temporary):  # a copy of one of them
            return s.Temporary(s.Conditional(condition, elided(then), elided(other), type, span), type, span)
        return s.Conditional(condition, then, other, type, span)

    @staticmethod
    def _or_thrown(arm: s.Expr, type: Type) -> s.Expr:
        """An operand that throws, as one of the type of the other."""
        return s.Comma(arm, zero(type, arm.span), type, arm.span) if isinstance(arm.type, Void) else arm

    def _throw(self, cursor: Cursor, span: Span) -> s.Expr:
        if not self._scope.may_fail:
            raise Refused("CP0103", span)
        return self.failure(cursor, span)

    def failure(self, cursor: Cursor, span: Span) -> s.Expr:
        """What ends the program as a call that says how: the text and the line of what does it, and the message that it
        gives where that does not stand there, as in a macro."""
        text = " ".join(self._scope.files.written(cursor).split())[:_LONGEST]
        message = thrown_text(cursor)
        if message and message not in text:
            text = f"{text}: {message}"[:_LONGEST]
        spelled = text.replace("\\", "\\\\").replace('"', '\\"')
        why = s.StringLiteral(f'"line {span.line}: {spelled}"', FAIL.parameters[0], span)
        return s.Call(FAIL, (why,), VOID, span)

    def _arm(self, cursor: Cursor) -> s.Expr:
        """An operand that need not be evaluated: in host code it is refused where it is."""
        try:
            with self._scope.destructors.uncertain():
                return self.read(cursor)
        except Refused as refused:
            if not self._scope.defers:
                raise
            span = self._scope.files.span(cursor)
            return refused.instead(decay(self.type(cursor, span)), span)

    def _call(self, cursor: Cursor, span: Span) -> s.Expr:
        return self._scope.call(cursor)


def _builtin_components(name: str, type: Type, span: Span) -> s.Expr:
    """A built-in variable as a whole, as in `dim3 block = blockIdx`."""
    if not isinstance(type, Struct):
        raise Refused("CP0199", span, name)
    return s.InitList(tuple(s.Builtin(s.BuiltinVar(f"{name}.{c}"), UINT, span) for c in "xyz"), type, span)


def undecayed(expr: s.Expr) -> s.Expr:
    """An array lvalue instead of the pointer that it was converted to."""
    match expr:
        case s.Cast(operand, Pointer(pointee)) if isinstance(operand.type, Array) and same(
            operand.type.element, pointee
        ):
            return operand
        case _:
            return expr


def _decayed(expr: s.Expr) -> s.Expr:
    return convert(expr, Pointer(expr.type.element)) if isinstance(expr.type, Array) else expr


def _only_operand(cursor: Cursor) -> Cursor:
    return _operands(cursor)[0]


def _operands(cursor: Cursor) -> list[Cursor]:
    """The children that are expressions: names of types and attributes stand among them."""
    return [c for c in cursor.children() if is_expression(c.kind)]


def kind_name(cursor: Cursor) -> str:
    """What a node is called where it is refused: in words, or as clang calls it."""
    try:
        return CursorKind(cursor.kind).name.lower().replace("_", " ")
    except ValueError:
        return f"clang's {cursor.kind_name}"


def _as_value(expr: s.Expr, span: Span) -> s.Expr:
    """What a cast gives of a number or a pointer: no variable, even where it is of the same type."""
    is_variable = is_lvalue(expr) and isinstance(expr.type, Scalar | Pointer)
    return s.Cast(expr, expr.type, span) if is_variable else expr
