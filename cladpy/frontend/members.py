"""Member functions, function objects and lambdas by name.

A gradient is a function at namespace scope, and so is what it is the gradient of. A member function is read through
one that is appended to the file: its first argument, `self`, is the object, and what a variable or a lambda holds is
called without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cladpy.frontend.files import Files
from cladpy.frontend.instead import Instead
from cladpy.frontend.kinds import CursorKind
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.marks import is_marked_variable
from cladpy.frontend.names import template_arguments, without_paths

_CALL = "operator()"
# What the function is called that calls an operator.
_OPERATORS = {
    "()": "call",
    "[]": "subscript",
    "*": "star",
    "+": "plus",
    "-": "minus",
    "/": "slash",
    "=": "assign",
    "+=": "plus_assign",
    "-=": "minus_assign",
    "*=": "star_assign",
    "/=": "slash_assign",
}
_MARK = '__attribute__((annotate("nondifferentiable"))) '
_ATTRIBUTES = {CursorKind.CUDA_HOST_ATTR: "__host__ ", CursorKind.CUDA_DEVICE_ATTR: "__device__ "}


def through_object(method: Cursor, owner: ClangType, files: Files) -> Instead | None:
    """The function that calls a member function of a class; None where no type can be spelled."""
    of = without_paths(owner.canonical.spelling)
    qualifiers = _qualifiers(method)
    name = f"{_identifier(of)}_{_plain(method.spelling)}"
    member = f"{method.spelling}{template_arguments(method)}"
    if method.is_static_method:
        return _calling(method, f"::{of}::{member}", name, files)
    cv = "const " if "const" in qualifiers else ""  # volatile members can be called of any object
    own = "self"
    while own in {p.spelling for p in method.arguments}:
        own += "_"
    object = f"static_cast<{cv}{of} &&>({own})" if "&&" in qualifiers else own
    return _calling(method, f"{object}.{member}", name, files, f"{cv}{of} &{own}")


def through_variable(variable: Cursor, name: str, files: Files) -> Instead | None:
    """The function that calls what a variable at namespace scope holds; None where that cannot be called."""
    call = call_operator(variable)
    return None if call is None else _calling(call, f"::{name}", f"{_identifier(name)}_call", files)


def through_copy(variable: Cursor, name: str, files: Files) -> Instead | None:
    """The function that calls a lambda of another function, which is written there once more."""
    call = call_operator(variable)
    written = next((c for c in _inside(variable) if c.kind == CursorKind.LAMBDA_EXPR), None)
    if call is None or written is None:
        return None
    return _calling(call, f"({files.written(written)})", _identifier(name), files)


def call_operator(variable: Cursor) -> Cursor | None:
    """The one call operator of the class that a variable is of."""
    found = [m for m in variable.type.canonical.methods if m.spelling == _CALL]
    return found[0] if len(found) == 1 else None


def methods(type: ClangType, name: str) -> Iterator[Cursor]:
    """A class's member functions of a name, else those of its bases."""
    own = [m for m in type.methods if m.spelling == name and m.kind == CursorKind.CXX_METHOD]
    yield from own
    if not own:
        for base in type.bases:
            yield from methods(base.type.canonical, name)


def local_lambda(name: str, program: Cursor) -> Cursor | None:
    """The variable of a function that is called so, `f::g`, and holds a lambda."""
    *scopes, last = name.split("::")
    found = [
        c
        for f in _functions(program, scopes)
        for c in _inside(f)
        if c.kind == CursorKind.VAR_DECL and c.spelling == last and call_operator(c) is not None
    ]
    return found[0] if len(found) == 1 else None


def _functions(scope: Cursor, names: list[str]) -> Iterator[Cursor]:
    for child in scope.children():
        if child.kind == CursorKind.LINKAGE_SPEC:
            yield from _functions(child, names)
        elif names and child.spelling == names[0] and not child.in_system_header:
            if len(names) == 1:
                yield child
            else:
                yield from _functions(child, names[1:])


def _inside(cursor: Cursor) -> Iterator[Cursor]:
    for child in cursor.children():
        yield child
        yield from _inside(child)


def _calling(function: Cursor, called: str, name: str, files: Files, object: str | None = None) -> Instead | None:
    """A function at namespace scope that calls something with the arguments of a function."""
    type = function.type.canonical
    declared, given = [] if object is None else [object], []
    cursors = function.arguments
    for k, parameter in enumerate(type.parameters):
        cursor = cursors[k] if k < len(cursors) else None
        own = (cursor.spelling if cursor is not None else "") or f"unnamed_{k}"
        if any(re.search(rf"\b{own}\b[^\w]*$", d) for d in declared):
            own = f"{own}_{k}"  # out of one pack
        spelled = without_paths(parameter.canonical.spelling)
        mark = _MARK if cursor is not None and is_marked_variable(cursor) else ""
        declared.append(mark + _declared(spelled, own))
        given.append(f"static_cast<{spelled}>({own})" if spelled.endswith("&&") else own)
    # of a reference that is returned, what it refers to
    result = re.sub(r"^const |\s*&+$", "", without_paths(type.result.canonical.spelling))
    if any("(lambda" in t or "(anonymous" in t or "(unnamed" in t for t in (result, *declared)):
        return None
    kinds = {c.kind for c in function.children()}
    attributes = "".join(text for kind, text in _ATTRIBUTES.items() if kind in kinds)
    texts = list(files.texts())
    while any(re.search(rb"\b%s\b" % name.encode(), t) for t in texts):
        name += "_"
    returned = "" if result == "void" else "return "
    body = f"{{ {returned}{called}({', '.join(given)}); }}"
    text = f"\n{attributes}inline {result} {name}({', '.join(declared)}) {body}\n"
    return Instead(text, name, calls=files.span(function))


def _declared(type: str, name: str) -> str:
    """A parameter of a type as clang spells it."""
    inner = re.search(r"\([*&]+\)", type)
    if inner is None:
        return f"{type} {name}"
    return f"{type[: inner.end() - 1]}{name}{type[inner.end() - 1 :]}"


def _qualifiers(method: Cursor) -> list[str]:
    """What stands behind the parameters of a member function."""
    return method.type.canonical.spelling.rpartition(")")[2].split()


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _plain(name: str) -> str:
    """A member function's name as part of another."""
    sign = name.removeprefix("operator").strip()
    if sign == name or re.match(r"\w", sign):
        return _identifier(name)
    return _OPERATORS.get(sign, "operator")
