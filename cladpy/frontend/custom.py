"""Custom derivatives: functions named `*_pullback` in a namespace `custom_derivatives` of cladpy or clad."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import Span, UsageError
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import Types
from cladpy.frontend.unit import TranslationUnit
from cladpy.ir.surface import CustomForward, CustomPullback
from cladpy.ir.types import Type

_OWNERS = ("cladpy", "clad")
_NAMESPACE = "custom_derivatives"
_SUFFIX = "_pullback"
_FORWARD = "_forward"
_SHIPPED = ("cladpy/blas.h", "cladpy/sorting.h")  # have pullbacks too
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE)
_PATTERNS = ("*.h", "*.cuh", "*.hpp")


def header_files(places: tuple[str, ...]) -> list[Path]:
    """The headers named, and those in the folders named. Raises UsageError for what does not exist."""
    found: list[Path] = []
    for place in places:
        path = Path(place)
        if path.is_dir():
            headers = sorted(h for pattern in _PATTERNS for h in path.glob(pattern))
            if not headers:
                raise UsageError(f"there are no headers ({', '.join(_PATTERNS)}) in {place!r}")
            found += headers
        elif path.is_file():
            found.append(path)
        else:
            raise UsageError(f"custom derivatives: {place!r} does not exist")
    return [path.resolve() for path in found]


@dataclass(frozen=True, slots=True)
class Declared:
    """What is named like a pullback, in a namespace for them; a template, or a specialisation of one, is none yet."""

    primal_name: str
    qualified_name: str
    span: Span
    pullback: CustomPullback | None
    first: str | None = None  # what the first parameter of a template is, or leads to, if it is not a type of its own


def type_name(spelling: str) -> str:
    """What a type is or leads to, without scopes, arguments and qualifiers: `const ns::Vec<T> *` as `Vec`."""
    return re.sub(r"\bconst\b|[\s*&]|<.*>", "", spelling).rpartition("::")[2]


def find_pullbacks(unit: TranslationUnit, files: Files, types: Types, texts: list[bytes]) -> tuple[Declared, ...]:
    """The pullbacks that any of the user's files declares, or cladpy's own; `texts` are the contents of the former."""
    shipped = any(name.endswith(_SHIPPED) for name in unit.inclusions())
    if not shipped and not any(_NAMESPACE.encode() in text for text in texts):
        return ()
    found: dict[str, list[Declared]] = {}
    for owner in unit.cursor.children():
        if owner.kind == CursorKind.NAMESPACE and owner.spelling in _OWNERS:
            for child in owner.children():
                if child.kind == CursorKind.NAMESPACE and child.spelling == _NAMESPACE:
                    for declared in _pullbacks(child, "", files, types):
                        same = found.setdefault(declared.qualified_name, [])
                        if declared.pullback is None or declared.pullback.parameters not in map(_parameters, same):
                            same.append(declared)
    return tuple(d for same in found.values() for d in same)


def _parameters(declared: Declared) -> tuple[Type, ...] | None:
    return None if declared.pullback is None else declared.pullback.parameters


def find_forwards(
    unit: TranslationUnit, files: Files, types: Types, pullbacks: tuple[CustomPullback, ...]
) -> tuple[CustomForward, ...]:
    """The forward halves that stand beside pullbacks, in the same namespace."""
    primals = {p.qualified_name.removesuffix(_SUFFIX) + _FORWARD: p.primal_name for p in pullbacks}
    found: dict[str, CustomForward] = {}
    if primals:
        for function in _functions(unit.cursor):
            name = qualified_name(function, with_arguments=False)
            if name not in primals:
                continue
            span = files.span(function)
            try:
                type = function.type.canonical
                result = types.convert(type.result, span)
                parameters = tuple(types.convert(p, span) for p in type.parameters)
            except Refused:
                continue  # for a primal that is not supported either
            found[name] = CustomForward(primals[name], name, result, parameters, span)
    return tuple(found.values())


def _functions(scope: Cursor, inside: bool = False) -> Iterator[Cursor]:
    """The functions in the namespaces of custom derivatives whose names end as those of forward halves do."""
    for child in scope.children():
        if child.kind == CursorKind.NAMESPACE and (inside or child.spelling in (*_OWNERS, _NAMESPACE)):
            yield from _functions(child, inside or child.spelling == _NAMESPACE)
        elif inside and child.kind == CursorKind.FUNCTION_DECL and child.spelling.endswith(_FORWARD):
            yield child


def _pullbacks(namespace: Cursor, scope: str, files: Files, types: Types) -> Iterator[Declared]:
    for child in namespace.children():
        name = child.spelling
        if child.kind == CursorKind.NAMESPACE:
            yield from _pullbacks(child, f"{scope}{name}::", files, types)
        elif child.kind in _FUNCTIONS and name.endswith(_SUFFIX):
            span = files.span(child)
            primal = scope + name.removesuffix(_SUFFIX)
            qualified = qualified_name(child, with_arguments=False)
            if child.kind == CursorKind.FUNCTION_TEMPLATE or child.template is not None:
                template = child.template or child
                own = {c.spelling for c in template.children() if c.kind == CursorKind.TEMPLATE_TYPE_PARAMETER}
                given = [type_name(c.type.spelling) for c in template.children() if c.kind == CursorKind.PARM_DECL]
                first = given[0] if given and given[0] not in own else None
                yield Declared(primal, qualified, span, None, first)
                continue
            try:
                parameters = tuple(types.convert(p, span) for p in child.type.canonical.parameters)
            except Refused:
                continue  # for a primal that is not supported either
            names = [p.spelling for p in child.children() if p.kind == CursorKind.PARM_DECL]
            ignored = frozenset(i for i, given in enumerate(names) if not given)
            yield Declared(primal, qualified, span, CustomPullback(primal, qualified, parameters, span, ignored))
