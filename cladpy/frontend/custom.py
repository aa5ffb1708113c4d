"""Custom derivatives: functions named `*_pullback` in a namespace `custom_derivatives` of cladpy or clad."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cladpy.diagnostics import UsageError
from cladpy.frontend.files import Files
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import qualified_name
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import Types
from cladpy.frontend.unit import TranslationUnit
from cladpy.ir.surface import CustomForward, CustomPullback

_OWNERS = ("cladpy", "clad")
_NAMESPACE = "custom_derivatives"
_SUFFIX = "_pullback"
_FORWARD = "_forward"
_SHIPPED = ("cladpy/blas.h", "cladpy/sorting.h")  # have pullbacks too
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


def find_pullbacks(unit: TranslationUnit, files: Files, types: Types, texts: list[bytes]) -> tuple[CustomPullback, ...]:
    """The pullbacks that any of the user's files defines, or cladpy's own; `texts` are the contents of the former."""
    shipped = any(name.endswith(_SHIPPED) for name in unit.inclusions())
    if not shipped and not any(_NAMESPACE.encode() in text for text in texts):
        return ()
    found: dict[str, list[CustomPullback]] = {}
    for owner in unit.cursor.children():
        if owner.kind == CursorKind.NAMESPACE and owner.spelling in _OWNERS:
            for child in owner.children():
                if child.kind == CursorKind.NAMESPACE and child.spelling == _NAMESPACE:
                    for pullback in _pullbacks(child, "", files, types):
                        same = found.setdefault(pullback.qualified_name, [])
                        if all(p.parameters != pullback.parameters for p in same):
                            same.append(pullback)
    return tuple(p for same in found.values() for p in same)


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


def _pullbacks(namespace: Cursor, scope: str, files: Files, types: Types) -> Iterator[CustomPullback]:
    for child in namespace.children():
        name = child.spelling
        if child.kind == CursorKind.NAMESPACE:
            yield from _pullbacks(child, f"{scope}{name}::", files, types)
        elif child.kind == CursorKind.FUNCTION_DECL and name.endswith(_SUFFIX):
            span = files.span(child)
            try:
                parameters = tuple(types.convert(p, span) for p in child.type.canonical.parameters)
            except Refused:
                continue  # for a primal that is not supported either
            primal = scope + name.removesuffix(_SUFFIX)
            names = [p.spelling for p in child.children() if p.kind == CursorKind.PARM_DECL]
            ignored = frozenset(i for i, given in enumerate(names) if not given)
            qualified = qualified_name(child, with_arguments=False)
            yield CustomPullback(primal, qualified, parameters, span, ignored)
