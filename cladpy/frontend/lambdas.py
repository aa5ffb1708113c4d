"""Lambda expressions: which variable each field of a closure holds.

libclang shows a lambda's body with the names of the variables outside, and the closure's fields without names. Explicit
captures come first among the fields, in the order in which they are written; implicit ones follow, in the order of
their first use. Shared memory of the kernel around a lambda is no capture: it is named as a variable of the program is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.marks import is_marked_variable
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import Types
from cladpy.ir.surface_rules import same
from cladpy.ir.types import Field, Pointer, Struct, Type, strip_reference

_VARIABLE_REF = 50
_OF_RANGES = ("__range", "__begin", "__end")  # the compiler's own, in loops over ranges: nobody declares them
_BINDING = 1  # of a structured binding; libclang has no kind of its own for it
_VARIABLES = (CursorKind.VAR_DECL, CursorKind.PARM_DECL, _BINDING)
FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.CONVERSION_FUNCTION)


@dataclass(frozen=True, slots=True)
class Capture:
    field: Field
    variable: Cursor | None  # None for the object of the member function around the lambda
    is_initialised: bool = False  # [x = value]: the variable exists in the closure only


class Lambdas:
    """The closures of one program."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._known: dict[str, tuple[Capture, ...]] = {}

    def captures(self, struct: Struct, expression: Cursor | None, span: Span) -> tuple[Capture, ...]:
        """What a closure holds, in the order of its fields; `expression` is the lambda where it is at hand."""
        if struct.entity not in self._known:
            if not struct.fields:
                self._known[struct.entity] = ()
                return ()
            expression = expression or self.find(struct)
            if expression is None:
                raise Refused("CP0106", span)
            found = self._resolve(struct, expression, span)
            self._known[struct.entity] = found
            struct.record.fields = tuple(c.field for c in found)
        return self._known[struct.entity]

    def find(self, struct: Struct) -> Cursor | None:
        """The lambda expression, in the function around it."""
        declaration = self._types.records.declaration(struct)
        if declaration is None or declaration.parent.kind not in FUNCTIONS:
            return None
        key = declaration.canonical.key
        for cursor in walk(declaration.parent.definition or declaration.parent):
            if cursor.kind == CursorKind.LAMBDA_EXPR and cursor.type.canonical.declaration.canonical.key == key:
                return cursor
        return None

    def _resolve(self, struct: Struct, expression: Cursor, span: Span) -> tuple[Capture, ...]:
        explicit, implicit, uses_this = _free_variables(expression)
        candidates = [*((v, False) for v in explicit), *((v, _is_known(v)) for v in implicit)]
        typed = [(v, strip_reference(self._types.convert(v.type, span)), known) for v, known in candidates]
        held = _held(struct.fields, typed, False) or (_held(struct.fields, typed, True) if uses_this else None)
        if held is None:
            raise Refused("CP0106", span)
        start, end = expression.extent()[3], expression.extent()[6]
        captures = []
        for field, variable in zip(struct.fields, held, strict=True):
            if variable is None:
                captures.append(Capture(replace(field, name="captured_this"), None))
                continue
            inside = start <= variable.extent()[3] < end
            marked = field.nondifferentiable or is_marked_variable(variable)
            named = replace(field, name=variable.spelling, nondifferentiable=marked, hidden=False)
            captures.append(Capture(named, variable, inside))
        return tuple(captures)


def is_shared(variable: Cursor) -> bool:
    return any(c.kind == CursorKind.CUDA_SHARED_ATTR for c in variable.children())


def is_shared_with_lambdas(variable: Cursor) -> bool:
    """Whether lambdas name shared memory that the function around them declares."""
    around = variable.parent.definition or variable.parent
    lambdas = (c for c in walk(around) if c.kind == CursorKind.LAMBDA_EXPR)
    return is_shared(variable) and any(
        c.kind == CursorKind.DECL_REF_EXPR and c.referenced.key == variable.key for f in lambdas for c in walk(f)
    )


def _held(
    fields: tuple[Field, ...], named: list[tuple[Cursor, Type, bool]], with_this: bool
) -> list[Cursor | None] | None:
    """Which of the variables each field holds, in their order; None stands for the object, wherever it may be. Those
    of which it is said that they may be left out need no field.

    Where several choices fit, they differ in fields of one type, and any of them gives the same program: a constant
    that no field holds is declared again where it is used.
    """

    @cache
    def rest(field: int, variable: int, this: bool) -> list[Cursor | None] | None:
        if field == len(fields):
            return [] if not this and all(optional for *_, optional in named[variable:]) else None
        found: list[Cursor | None] | None = None
        if variable < len(named):
            cursor, type, optional = named[variable]
            if _fits(fields[field], type) and (found := rest(field + 1, variable + 1, this)) is not None:
                return [cursor, *found]
            if optional and (found := rest(field, variable + 1, this)) is not None:
                return found
        if this and _fits(fields[field], None) and (found := rest(field + 1, variable, False)) is not None:
            return [None, *found]
        return None

    return rest(0, 0, with_this)


def _is_known(variable: Cursor) -> bool:
    """Whether a variable is constant, so that naming it need not capture it."""
    type, initializer = variable.type.canonical, variable.initializer
    if initializer is None or variable.kind != CursorKind.VAR_DECL:
        return False
    if type.kind in (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE):
        return _is_fixed(initializer)
    if type.is_const and variable.evaluate() is not None:
        return True
    return "constexpr" in variable.printed.partition("=")[0].split()


def _is_fixed(object: Cursor) -> bool:
    """Whether an expression names the same object wherever it stands: a variable of the program, a part of one."""
    children = object.children()
    match object.kind:
        case CursorKind.DECL_REF_EXPR:
            return object.referenced.parent.kind not in FUNCTIONS and object.referenced.kind == CursorKind.VAR_DECL
        case CursorKind.ARRAY_SUBSCRIPT_EXPR:
            return _is_fixed(children[0]) and children[1].evaluate() is not None
        case CursorKind.MEMBER_REF_EXPR | CursorKind.UNEXPOSED_EXPR | CursorKind.PAREN_EXPR:
            return len(children) == 1 and _is_fixed(children[0])
    return False


def _fits(field: Field, type: Type | None) -> bool:
    if type is None:
        inner = field.type.pointee if isinstance(field.type, Pointer) else field.type
        return isinstance(inner, Struct)
    return same(strip_reference(field.type), type)


def walk(cursor: Cursor) -> Iterator[Cursor]:
    for child in cursor.children():
        if child.kind != CursorKind.UNARY_EXPR:  # what sizeof is asked of is not used
            yield child
            yield from walk(child)


def _free_variables(expression: Cursor) -> tuple[list[Cursor], list[Cursor], bool]:
    """The variables captured explicitly, those that the body uses besides, and whether it uses `this`."""
    explicit = [c.referenced for c in expression.children() if c.kind == _VARIABLE_REF]
    known = {c.key for c in explicit}
    body = [c for c in expression.children() if c.kind == CursorKind.COMPOUND_STMT]
    own = {c.key for c in walk(expression) if c.kind in _VARIABLES}
    implicit: list[Cursor] = []
    uses_this = False
    for cursor in walk(body[-1]) if body else ():
        if cursor.kind == CursorKind.DECL_REF_EXPR:
            variable = cursor.referenced
            if not _is_declared(variable) or variable.key in known | own:
                continue
            if variable.parent.kind in FUNCTIONS and not variable.is_static_storage:
                known.add(variable.key)
                implicit.append(variable)
        uses_this = uses_this or _is_this(cursor)
    # `[this]` and `[*this]` need not use it.
    uses_this = uses_this or any(c.kind == CursorKind.UNARY_OPERATOR for c in expression.children())
    return explicit, implicit, uses_this


def locals_named(body: Cursor) -> tuple[list[Cursor], bool]:
    """The variables of functions around a piece of code that it names, and whether it uses `this`."""
    parts = list(walk(body))
    known = {c.key for c in parts if c.kind in _VARIABLES}
    found: list[Cursor] = []
    for cursor in parts:
        variable = cursor.referenced if cursor.kind == CursorKind.DECL_REF_EXPR else None
        if variable is None or not _is_declared(variable) or variable.key in known:
            continue
        if variable.parent.kind in FUNCTIONS:
            known.add(variable.key)
            found.append(variable)
    return found, any(map(_is_this, parts))


def _is_declared(variable: Cursor) -> bool:
    """Whether it is a variable that somebody has declared."""
    return not variable.is_null and variable.kind in _VARIABLES and not variable.spelling.startswith(_OF_RANGES)


def _is_this(cursor: Cursor) -> bool:
    if cursor.kind == CursorKind.THIS_EXPR:
        return True
    if cursor.kind != CursorKind.MEMBER_REF_EXPR or any(is_expression(c.kind) for c in cursor.children()):
        return False
    return cursor.referenced.kind in (CursorKind.FIELD_DECL, CursorKind.CXX_METHOD)
