"""Which instantiations of a function template a program makes by itself: what somebody may ask for who has named the
template only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.names import qualified_name

_NODES = 100_000  # of clang's tree: a second's work, and more than anybody has written by hand
_SHOWN = 6
_NAMES = (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.CALL_EXPR)
# An argument of an explicit instantiation, which libclang does not show, that means the same in every scope.
_PLAIN = re.compile(
    rb"(?:(?:const|unsigned|signed|long|short|char|int|float|double|bool|true|false|__half|half|__nv_bfloat16|size_t"
    rb"|(?:float|double|int|uint)[1-4]|-?\d+)(?:\s*[*&])*\s*)+"
)


def instantiations(template: Cursor, program: Cursor, texts: Iterable[bytes]) -> tuple[str, ...]:
    """Names of the template's instantiations, in the order of the program, without those that C++ has no name for."""
    found = dict.fromkeys(_used(template.canonical.key, program))
    name = qualified_name(template, with_arguments=False)
    explicit = re.compile(rb"\btemplate\s+(?!<)[^;{}()<]*?\b%s\s*<([^;{}()]*?)>\s*\(" % template.spelling.encode())
    for text in texts:
        for arguments in explicit.findall(text):
            parts = [part.strip() for part in arguments.split(b",")]
            if all(map(_PLAIN.fullmatch, parts)):
                found.setdefault(f"{name}<{', '.join(part.decode() for part in parts)}>")
    return tuple(found)


def naming(template: Cursor, names: tuple[str, ...]) -> str:
    """How the template is named with arguments: as the program does, or by an example."""
    if not names:
        example = f"{qualified_name(template, with_arguments=False)}<{_example(template)}>"
        return f'name it with its arguments, such as "{example}"'
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"name it with its arguments; the program itself has {', '.join(names[:_SHOWN])}{more}"


def _example(template: Cursor) -> str:
    """Arguments for the parameters that have no defaults."""
    given = []
    for parameter in template.children():
        if parameter.kind == CursorKind.NON_TYPE_TEMPLATE_PARAMETER:
            given.append("true" if parameter.type.canonical.spelling == "bool" else "3")
        elif parameter.kind == CursorKind.TEMPLATE_TYPE_PARAMETER:
            given.append("double")
        elif parameter.kind == CursorKind.TEMPLATE_TEMPLATE_PARAMETER:
            given.append("std::vector")
    return ", ".join(given)


def _used(template: tuple[int, int], program: Cursor) -> Iterator[str]:
    """Instantiations that the user's functions name, and what these instantiate does."""
    waiting = [c for c in reversed(program.children()) if not c.in_system_header]
    entered: set[tuple[int, int]] = set()
    left = _NODES
    while waiting and left:
        left -= 1
        cursor = waiting.pop()
        if cursor.kind in (CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE):
            continue  # what it names depends on its arguments
        inside = cursor.children()
        if cursor.kind in _NAMES:
            function = cursor.referenced
            primary = None if function.is_null else function.template
            if primary is not None and function.key not in entered and not function.in_system_header:
                entered.add(function.key)
                if primary.canonical.key == template:
                    name = qualified_name(function, with_arguments=True)
                    if name.endswith(">"):
                        yield name
                inside.append(function.definition or function)
        waiting += reversed(inside)
