"""Calls of functions by another name: an argument of a template, a reference, a pointer that never changes, one in a
table or an object that never change, and what another function is given as an argument."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from cladpy.frontend.held import Held, is_held, is_invoker
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.names import qualified_name

_FUNCTIONS = (TypeKind.FUNCTION_PROTO, TypeKind.FUNCTION_NO_PROTO)
_SCOPES = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR)
_PARTS = (CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.MEMBER_REF_EXPR)
_WRAPPED = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.UNARY_OPERATOR, CursorKind.DECL_REF_EXPR)


def known_function(
    expression: Cursor | None, given: Mapping[tuple[int, int], Cursor] = MappingProxyType({})
) -> Cursor | None:
    """The function that an expression stands for or points to, where that is always one. `given` are those that
    parameters stand for."""
    while expression is not None and expression.kind in (*_WRAPPED, *_PARTS):
        if expression.kind in _PARTS:
            expression = _part(expression)
            continue
        declaration = expression.referenced
        if expression.kind == CursorKind.DECL_REF_EXPR and not declaration.is_null:
            return declaration if declaration.kind == CursorKind.FUNCTION_DECL else function_of(declaration, given)
        inner = [c for c in expression.children() if is_expression(c.kind)]
        expression = inner[0] if len(inner) == 1 else None
    return None


def function_of(variable: Cursor, given: Mapping[tuple[int, int], Cursor]) -> Cursor | None:
    """The function that a variable or a parameter always leads to."""
    if variable.kind == CursorKind.PARM_DECL:
        return given.get(variable.key)
    return known_function(variable.initializer, given) if names_function(variable) else None


def chosen_functions(expression: Cursor | None) -> tuple[Cursor, tuple[Cursor, ...]] | None:
    """The index by which a function is chosen from a table that never changes, and the functions there."""
    while expression is not None and expression.kind in _WRAPPED and expression.kind != CursorKind.DECL_REF_EXPR:
        inner = [c for c in expression.children() if is_expression(c.kind)]
        expression = inner[0] if len(inner) == 1 else None
    if expression is None or expression.kind != CursorKind.ARRAY_SUBSCRIPT_EXPR:
        return None
    index = expression.children()[1]
    if index.evaluate() is not None:
        return None
    found = [known_function(e) for e in _elements(expression)]
    functions = tuple(f for f in found if f is not None)
    return (index, functions) if functions and len(functions) == len(found) else None


def pointer_called(callee: Cursor) -> Cursor | None:
    """The pointer that a call goes by, without conversions, parentheses and `*` around it."""
    while callee.kind in _WRAPPED and callee.kind != CursorKind.DECL_REF_EXPR:
        inner = [c for c in callee.children() if is_expression(c.kind)]
        if len(inner) != 1:
            return None
        callee = inner[0]
    return callee if leads_to_function(callee.type.canonical) else None


class Numbers:
    """Pointers to functions that hold different ones as numbers: each function that a pointer is made to has one, among
    those of its type. What is not seen here, such as in a destructor, has none."""

    def __init__(self, roots: Iterable[Cursor]) -> None:
        self._found: dict[str, dict[tuple[int, int], Cursor]] = {}
        self.held = Held()
        seen: set[tuple[int, int]] = set()
        waiting = [r for r in roots if r.definition is not None]
        while waiting:
            function = waiting.pop(0)
            if function.canonical.key in seen:
                continue
            seen.add(function.canonical.key)
            body = function.definition
            if body is not None and (
                not body.in_system_header or qualified_name(body, with_arguments=False).startswith("std::")
            ):
                waiting += self._named_in(body)

    def of(self, function: Cursor) -> int | None:
        """That of a function; the first is 1."""
        keys = list(self._found.get(signature(function.type), ()))
        return 1 + keys.index(function.canonical.key) if function.canonical.key in keys else None

    def functions(self, pointer: ClangType) -> tuple[Cursor, ...]:
        """Those that a pointer of this type may lead to, in their order."""
        return tuple(self._found.get(signature(pointer), {}).values())

    def _named_in(self, body: Cursor) -> Iterator[Cursor]:
        waiting = [(body, False)]
        while waiting:
            cursor, called = waiting.pop()
            named = cursor.referenced
            if not named.is_null and named.kind in _SCOPES:
                yield named
                if is_held(named):
                    self.held.add(named)
                elif cursor.kind == CursorKind.DECL_REF_EXPR and not called and _may_be_pointed_to(named, body):
                    of_type = self._found.setdefault(signature(named.type), {})
                    of_type.setdefault(named.canonical.key, named)
            children = cursor.children()
            calls = cursor.kind == CursorKind.CALL_EXPR and named.kind != CursorKind.CONSTRUCTOR
            through = called and cursor.kind in _WRAPPED
            waiting += [(c, through or (calls and i == 0)) for i, c in reversed(list(enumerate(children)))]


def _may_be_pointed_to(function: Cursor, body: Cursor) -> bool:
    """Whether the name of a function in a body may become a pointer that something calls."""
    if body.in_system_header:
        return is_invoker(function)
    return function.kind == CursorKind.FUNCTION_DECL or function.is_static_method


def signature(type: ClangType) -> str:
    """The type of a function, or of what a pointer leads to, whatever it says of exceptions: pointers are converted
    without a word about them."""
    canonical = type.canonical.pointee if leads_to_function(type.canonical) else type.canonical
    return canonical.spelling.removesuffix(" noexcept")


def is_called_by_result(call: Cursor) -> bool:
    """Whether what is called is what another call gives: `chosen(n)(x)`, `chosen(n)<<<1, 32>>>(x)`."""
    first = next(iter(call.children()), None)
    pointer = None if first is None else pointer_called(first)
    return pointer is not None and pointer.kind == CursorKind.CALL_EXPR


def _part(expression: Cursor) -> Cursor | None:
    """What an element of a table or a member of an object was initialised with, which never change."""
    elements = _elements(expression)
    if expression.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
        at = expression.children()[1].evaluate()
    else:
        fields = [f.spelling for f in _whole(expression).type.canonical.fields]
        at = fields.index(expression.spelling) if expression.spelling in fields else None
    return elements[at] if isinstance(at, int) and 0 <= at < len(elements) else None


def _elements(part: Cursor) -> tuple[Cursor, ...]:
    """The initialisers in the table or object that a part is taken of, if that never changes."""
    expression = _whole(part)
    declaration = expression.referenced
    if expression.kind != CursorKind.DECL_REF_EXPR or not holds_functions(declaration):
        return ()
    initializer = declaration.initializer
    assert initializer is not None
    return tuple(c for c in initializer.children() if is_expression(c.kind))


def holds_functions(declaration: Cursor) -> bool:
    """Whether a variable is a table of functions, or an object with nothing but functions in it, that never changes."""
    if declaration.kind != CursorKind.VAR_DECL or declaration.initializer is None:
        return False
    type = declaration.type.canonical
    is_table = type.kind == TypeKind.CONSTANT_ARRAY
    parts = [type.element] if is_table else [f.type for f in type.fields] if type.kind == TypeKind.RECORD else []
    if not parts or not all(leads_to_function(p.canonical) for p in parts):
        return False
    if declaration.initializer.kind != CursorKind.INIT_LIST_EXPR:
        return False
    is_constant = type.is_const or (is_table and type.element.canonical.is_const)
    return is_constant or _is_only_read(declaration, inside=True)


def names_function(declaration: Cursor) -> bool:
    """Whether a variable is a reference to a function, or a pointer to one that does not change."""
    if declaration.kind != CursorKind.VAR_DECL:
        return False
    type = declaration.type.canonical
    if not leads_to_function(type):
        return False
    return type.kind != TypeKind.POINTER or type.is_const or _is_only_read(declaration)


def _is_only_read(variable: Cursor, *, inside: bool = False) -> bool:
    """Whether a local variable keeps its first value: wherever it is named, a conversion takes its value at once, or
    that of a part `inside`. What assigns to it, takes its address, or refers to it names it without."""
    if variable.initializer is None or variable.parent.kind not in _SCOPES:
        return False
    waiting = [variable.parent]
    while waiting:
        here = waiting.pop()
        for child in here.children():
            named = child.kind == CursorKind.DECL_REF_EXPR and child.referenced.key == variable.key
            is_part = inside and child.kind in _PARTS and _whole(child).referenced.key == variable.key
            if is_part or (named and not inside):
                if here.kind != CursorKind.UNEXPOSED_EXPR:
                    return False
                waiting += child.children()[1:]
            elif named:
                return False
            else:
                waiting.append(child)
    return True


def _whole(part: Cursor) -> Cursor:
    """What a part is taken of."""
    whole = next(iter(part.children()), part)
    while whole.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR) and len(whole.children()) == 1:
        whole = whole.children()[0]
    return whole


def leads_to_function(type: ClangType) -> bool:
    """Whether a canonical type is a reference to a function, or a pointer to one."""
    pointers = (TypeKind.POINTER, TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE)
    return type.kind in pointers and type.pointee.kind in _FUNCTIONS
