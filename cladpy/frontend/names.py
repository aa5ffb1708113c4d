"""Names of declarations as C++ must spell them."""

from __future__ import annotations

import re

from cladpy.frontend.kinds import CursorKind, TypeKind
from cladpy.frontend.libclang import Cursor

_PLACE = re.compile(r"\((lambda|anonymous \w+|unnamed \w+) at [^\n]*?:(\d+:\d+)\)")
_SCOPES = (
    CursorKind.NAMESPACE,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
)
PARAMETERS = (
    CursorKind.TEMPLATE_TYPE_PARAMETER,
    CursorKind.NON_TYPE_TEMPLATE_PARAMETER,
    CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
)
_UNSIGNED = (TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG)


# Types as clang writes them into the names by which it tells declarations apart.
_CODES = {
    **{"b": "bool", "c": "unsigned char", "C": "char", "r": "signed char", "s": "unsigned short", "S": "short"},
    **{"i": "unsigned int", "I": "int", "l": "unsigned long", "L": "long", "k": "unsigned long long"},
    **{"K": "long long", "f": "float", "d": "double"},
}
_ARGUMENT = re.compile(rf"#(?:([{''.join(_CODES)}])|V([{''.join(_CODES)}])(-?\d+)|\$((?:@N@\w+)*)@[SE]@(\w+))")


def qualified_name(cursor: Cursor, *, with_arguments: bool) -> str:
    """`ns::kernel<double, 3>`: without unnamed and inline namespaces, with template arguments where asked for."""
    parts = [cursor.spelling]
    if with_arguments:
        parts[0] += template_arguments(cursor)
    scope = cursor.parent
    while scope.kind in _SCOPES or scope.kind == CursorKind.LINKAGE_SPEC:
        if scope.kind != CursorKind.LINKAGE_SPEC and not scope.is_anonymous and not scope.is_inline_namespace:
            parts.append(scope.spelling)
        scope = scope.parent
    return "::".join(reversed(parts))


def variable_arguments(cursor: Cursor) -> str | None:
    """The arguments of a variable template's instance, `<double, 3>`, which libclang tells in the name by which
    it tells declarations apart; None for other variables, and where an argument is no number, integer or class."""
    _, of_template, given = cursor.usr.rpartition(">")
    if not of_template or _ARGUMENT.sub("", given):
        return None
    spelled = []
    for found in _ARGUMENT.finditer(given):
        type, value_type, value, scopes, name = found.groups()
        if value_type:
            truth = {"b0": "false", "b1": "true"}.get(value_type + value)
            spelled.append(truth or value + ("u" if value_type in "csilk" else ""))
        else:
            spelled.append(_CODES[type] if type else "::".join([*scopes.split("@N@")[1:], name]))
    return f"<{', '.join(spelled)}>"


def without_paths(spelling: str) -> str:
    """A type's spelling where clang puts the whole path of the file into the names of what has none."""
    return _PLACE.sub(r"(\1 at \2)", spelling).replace("(anonymous namespace)::", "")


def without_qualifiers(spelling: str) -> str:
    """A pointer's type without what is said of the pointer itself."""
    return re.sub(r"(\*)\s*(?:(?:const|__restrict|__restrict__)\b\s*)+$", r"\1", spelling)


def template_arguments(cursor: Cursor) -> str:
    """The arguments of a specialisation; empty for other functions, and where one has no name, so that C++ must deduce
    it."""
    template = cursor.template
    if template is None:
        return ""
    parameters = [c for c in template.children() if c.kind in PARAMETERS]
    spelled = []
    for i in range(cursor.template_argument_count):
        text = template_argument(cursor, i, parameters[i] if i < len(parameters) else None)
        if text is None:
            return _printed_arguments(cursor)
        spelled.append(text)
    return f"<{', '.join(spelled)}>" if spelled else ""


def template_argument(cursor: Cursor, i: int, parameter: Cursor | None) -> str | None:
    """One of them, for this parameter; None for a pack or a function."""
    text = cursor.template_argument(i)
    if text is not None and parameter is not None and parameter.kind == CursorKind.NON_TYPE_TEMPLATE_PARAMETER:
        type = parameter.type.canonical
        if type.kind == TypeKind.BOOL:
            text = "true" if text != "0" else "false"
        elif type.kind == TypeKind.ENUM:
            text = f"static_cast<{type.spelling}>({text})"
        elif type.kind in _UNSIGNED and text.startswith("-"):  # libclang gives the bits as a signed number
            text = f"{int(text) % (1 << 8 * type.size)}u"
    return None if text is None else without_paths(text)


def _printed_arguments(cursor: Cursor) -> str:
    """The arguments as clang prints them, where one is a pack or a function: `f<1, <2, 3>>` is spelled `<1, 2, 3>`."""
    printed = cursor.printed
    start = printed.find(f"{cursor.spelling}<")
    if start < 0:
        return ""
    pieces, depth, piece = [], 0, ""
    for letter in printed[start + len(cursor.spelling) :]:
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(letter, 0)
        if depth == 0 or (depth == 1 and letter == ","):
            pieces.append(piece.strip())
            piece = ""
            if depth == 0:
                break
        elif piece or letter != "<" or depth > 1:
            piece += letter
    spelled = []
    for i, piece in enumerate(pieces):
        argument = piece[1:-1] if cursor.is_template_pack(i) else piece
        if argument:
            spelled.append(argument)
    text = ", ".join(spelled)
    return "" if "(lambda" in text or "(unnamed" in text or "(anonymous" in text else f"<{text}>"
