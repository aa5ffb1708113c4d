"""Closures that generated code has to name, since kernels are launched with them: C++ has no name for their classes.

A class is written in place of each, behind the original. What the lambda captures are its members, and its call
operator is the lambda's own text. What that names of the functions, classes and namespaces around it is declared again;
where that cannot be, there is no class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite

from cladpy.diagnostics import Span
from cladpy.frontend.files import Files, skip_token
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.lambdas import FUNCTIONS, Capture, Lambdas, walk
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import PARAMETERS, qualified_name, template_argument, without_paths
from cladpy.frontend.records import Records
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Closure
from cladpy.ir.types import Reference, Struct, Type, declare, scalar_of

_CLASSES = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.UNION_DECL, CursorKind.ENUM_DECL)
_ALIASES = (CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL)
_QUALIFIERS = (CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF, CursorKind.NAMESPACE_REF)
_WORD = re.compile(r"[A-Za-z_]\w*")


class _Unwritten(Exception):
    """Why a lambda has no class."""


class Closures:
    """Those of one program, in the order in which their classes are to be defined."""

    def __init__(self, records: Records, lambdas: Lambdas, files: Files) -> None:
        self._records = records
        self._lambdas = lambdas
        self._files = files
        self._made: dict[str, Closure] = {}  # by entity

    @property
    def made(self) -> tuple[Closure, ...]:
        """Closures that are spelled alike are several of one text: none of them has a class of its own."""
        spelled = [c.spelling for c in self._made.values()]
        several = "it stands in a template that is made for several types"
        return tuple(
            Closure(c.spelling, refusal=several) if spelled.count(c.spelling) > 1 else c for c in self._made.values()
        )

    def name(self, text: str, span: Span) -> None:
        """Sees to the classes of all closures that a text names."""
        for struct in self._records.closures():
            if struct.spelling in text and struct.entity not in self._made:
                self._make(struct, span)

    def _make(self, struct: Struct, span: Span) -> None:
        try:
            expression = self._lambdas.find(struct)
            if expression is None:
                raise _Unwritten("it is not found")
            captures = self._lambdas.captures(struct, expression, span)
            for capture in captures:
                self.name(declare(capture.field.type, ""), span)
            closure = self._written(struct, expression, captures)
        except (_Unwritten, Refused) as reason:
            said = str(reason) if isinstance(reason, _Unwritten) else "what it captures cannot be told"
            closure = Closure(struct.spelling, refusal=said)
        self._made[struct.entity] = closure

    def _written(self, struct: Struct, expression: Cursor, captures: Sequence[Capture]) -> Closure:
        for capture in captures:
            if capture.variable is None:
                raise _Unwritten("it captures the object around it")
            if isinstance(capture.field.type, Reference):
                raise _Unwritten(f"it captures '{capture.field.name}' by reference")
            if _is_local(capture.field.type):
                raise _Unwritten(f"it captures '{capture.field.name}', of a class that a function declares")
        text = self._files.written(expression)
        scopes = list(_around(expression.type.canonical.declaration))
        words = set(_WORD.findall(text))
        lines = [*_meanings(scopes, words), *self._constants(expression, captures)]
        lines += [f"{declare(c.field.type, c.field.name)};" for c in captures]
        lines.append(_operator(text))
        return Closure(struct.spelling, tuple(self._of_namespaces(expression)), tuple(lines))

    @staticmethod
    def _of_namespaces(expression: Cursor) -> Iterator[str]:
        """Declares what is named without its namespace. Raises _Unwritten for a name of several things."""
        meant: dict[str, str] = {}
        for cursor in _parts(expression):
            if cursor.kind not in (CursorKind.DECL_REF_EXPR, CursorKind.OVERLOADED_DECL_REF, *_QUALIFIERS):
                continue
            for named in cursor.overloads or (cursor.referenced,):
                whole = named.parent if named.parent.kind == CursorKind.ENUM_DECL else named
                scope = whole.parent
                while scope.kind == CursorKind.LINKAGE_SPEC:
                    scope = scope.parent
                if scope.kind not in (CursorKind.NAMESPACE, CursorKind.TRANSLATION_UNIT) or _is_qualified(cursor):
                    continue
                name = named.spelling
                around = qualified_name(whole, with_arguments=False).rpartition("::")[0]
                path = f"::{around}::{name}" if around else f"::{name}"
                if meant.setdefault(name, path) != path and not name.startswith("operator"):
                    raise _Unwritten(f"it names '{name}', which means several things around it")
                if scope.kind == CursorKind.NAMESPACE:
                    is_namespace = cursor.kind == CursorKind.NAMESPACE_REF
                    yield f"namespace {name} = {path};" if is_namespace else f"using {path};"

    def _constants(self, expression: Cursor, captures: Sequence[Capture]) -> Iterator[str]:
        """Declares what is named without being captured. Raises _Unwritten for what has no name there."""
        held = {c.variable.key for c in captures if c.variable is not None}
        start, end = expression.extent()[3], expression.extent()[6]
        file = expression.extent()[0]
        seen: set[tuple[int, int]] = set()
        for cursor in _parts(expression):
            named = cursor.referenced
            if cursor.kind == CursorKind.MEMBER_REF_EXPR and any(is_expression(c.kind) for c in cursor.children()):
                continue  # a member of an object that is named there
            if cursor.kind not in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR) or named.is_null:
                continue
            place = named.extent()
            is_inner = place[0] == file and start <= place[3] < end
            if named.key in held | seen or is_inner or named.spelling.startswith("operator"):
                continue
            seen.add(named.key)
            owner = named.parent
            while owner.kind == CursorKind.ENUM_DECL:
                owner = owner.parent
            type = named.type.canonical.spelling.removeprefix("const ")
            value = named.evaluate() if owner.kind in FUNCTIONS and named.kind == CursorKind.VAR_DECL else None
            if value is not None and isfinite(value) and re.fullmatch(r"[a-z ]+", type):
                yield f"static constexpr {type} {named.spelling} = {value!r};"
            elif owner.kind in FUNCTIONS:
                raise _Unwritten(f"it names '{named.spelling}', which the function around it declares")
            elif owner.kind in _CLASSES and not _is_qualified(cursor):
                raise _Unwritten(f"it names '{named.spelling}', a member of the class around it")


def _is_qualified(name: Cursor) -> bool:
    return any(c.kind in _QUALIFIERS for c in name.children())


def _parts(expression: Cursor) -> Iterator[Cursor]:
    """All of a lambda's parameters and of its body."""
    for part in expression.children():
        if part.kind in (CursorKind.PARM_DECL, CursorKind.COMPOUND_STMT):
            yield from walk(part)


def _is_local(type: Type) -> bool:
    inner = scalar_of(type)
    return isinstance(inner, Struct) and inner.record.is_local


def _around(declaration: Cursor) -> Iterator[Cursor]:
    """The functions, classes and namespaces around a class, from within."""
    scope = declaration.parent
    while scope.kind in (*FUNCTIONS, *_CLASSES, CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC):
        yield scope
        scope = scope.parent


def _meanings(scopes: Sequence[Cursor], words: set[str]) -> list[str]:
    """Declares the types, and the parameters of templates, that the scopes around call by one of the words. Raises
    _Unwritten for a class of a function."""
    found: dict[str, str] = {}
    for scope in scopes:
        if scope.kind not in (*FUNCTIONS, *_CLASSES):
            continue
        template = scope.template
        parameters = [] if template is None else [c for c in template.children() if c.kind in PARAMETERS]
        for i, parameter in enumerate(parameters):
            if parameter.spelling not in words:
                continue
            text = template_argument(scope, i, parameter)
            if text is None:
                raise _Unwritten(f"it names '{parameter.spelling}', a parameter of the template around it")
            is_type = parameter.kind == CursorKind.TEMPLATE_TYPE_PARAMETER
            type = without_paths(parameter.type.canonical.spelling)
            head = f"using {parameter.spelling}" if is_type else f"static constexpr {type} {parameter.spelling}"
            _add(found, parameter.spelling, f"{head} = {text};")
        inner = walk(scope.definition or scope) if scope.kind in FUNCTIONS else scope.children()
        for child in inner:
            if child.spelling not in words or child.kind not in (*_ALIASES, *_CLASSES):
                continue
            spelling = without_paths(child.type.canonical.spelling)
            local = child.kind in _CLASSES and scope.kind in FUNCTIONS
            if local or any(mark in spelling for mark in ("(lambda", "(unnamed", "(anonymous")):
                raise _Unwritten(f"it names '{child.spelling}', a class that the function around it declares")
            _add(found, child.spelling, f"using {child.spelling} = {spelling};")
    return list(found.values())


def _add(found: dict[str, str], name: str, line: str) -> None:
    if found.setdefault(name, line) != line:
        raise _Unwritten(f"it names '{name}', which means several things around it")


def _operator(text: str) -> str:
    """The call operator with the text of a lambda: `[=] __device__ (double x) mutable -> double { ... }`. Raises
    _Unwritten for one that comes out of a macro."""
    data = text.encode()
    if not text.startswith("[") or not text.endswith("}"):
        raise _Unwritten("it comes out of a macro")
    template, at = "", _closing(data, 0) + 1
    qualifiers = b""
    while data[at : at + 1] not in (b"(", b"{", b"", b"-"):
        after = skip_token(data, at)
        if data[at : at + 1] == b"<":
            after = _closing(data, at) + 1
            template = f"template {data[at:after].decode()} "
        else:
            qualifiers += data[at:after]
            if data[at:after] == b"__attribute__":
                at, after = after, _closing(data, data.index(b"(", after)) + 1
                qualifiers += data[at:after]
        at = after
    end = _closing(data, at) + 1 if data[at : at + 1] == b"(" else at
    parameters = data[at:end].decode() or "()"
    body = data.index(b"{", end)
    says = data[end:body].decode()
    const = "" if re.search(r"\bmutable\b", says) else " const"
    says = re.sub(r"\b(mutable|constexpr)\b", "", says).strip()
    parameters, count = _numbered(parameters)
    if count and template:
        raise _Unwritten("it has parameters of type 'auto' beside those of a template")
    if count:
        template = f"template <{', '.join(f'class cladpy_{i}' for i in range(count))}> "
    head = f"{template}{qualifiers.decode().strip()} auto operator()"
    return f"{head}{parameters}{const}{f' {says}' if says else ''} {data[body:].decode()}".strip()


def _numbered(parameters: str) -> tuple[str, int]:
    """The parameters with a class of a template for each `auto`, and how many these are."""
    count = 0

    def one(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"cladpy_{count - 1}"

    return re.sub(r"\bauto\b", one, parameters), count


def _closing(text: bytes, at: int) -> int:
    """Where the bracket at `at` closes."""
    pairs = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
    opening, closing, depth = text[at : at + 1], pairs[text[at : at + 1]], 0
    while at < len(text):
        here = text[at : at + 1]
        depth += (here == opening) - (here == closing)
        if depth == 0:
            return at
        at = skip_token(text, at)
    raise _Unwritten("it comes out of a macro")
