"""Vectors as arguments of the function that is differentiated, and memory that it returns.

A class of the C++ library lies in memory in another way than it is read here, and a gradient's caller has arrays. So
the function is read through another one, an overload of it that is appended to the file: it takes a pointer and a
number of elements for each vector, makes the vectors, calls the function, and copies back what that may have changed.
What is returned, a vector or a pointer to numbers, it copies to memory that it takes the same way, as `result`.
"""

from __future__ import annotations

import re

from cladpy.frontend.instead import Instead
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import (
    Pointer,
    Reference,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Void,
    declare,
    is_floating,
    scalar_of,
    spell,
)

_VECTOR = "std::vector<"
_PREFIX = "cladpy_"
_SIZE = "unsigned long"


def flattened(function: s.Function) -> Instead | None:
    """None where nothing can be done: the function is a class's, or it returns what cannot be passed on."""
    symbol = function.symbol
    namespaces, name = _namespaces(symbol.qualified_name)
    memory = returned(symbol)
    if symbol.is_method or not (memory or isinstance(symbol.result, Scalar | Struct | Void)):
        return None
    taken = {p.name for p in function.parameters}
    declared, types, given, made, back = [], [], [], [], []
    counts = []
    for k, p in enumerate(function.parameters):
        own = p.name or f"{_PREFIX}{k}"
        element = _element(p.type)
        if element is None:
            declared.append(declare(p.type, own))
            types.append(declare(p.type, ""))
            given.append(own)
            continue
        const = not isinstance(p.type, Reference) or p.type.const
        count = _free(own + "_size", taken)
        counts.append((len(declared) + 1, len(declared)))
        pointer, size = f"{'const ' if const else ''}{element} *", _SIZE
        declared += [pointer + own, f"{size} {count}"]
        types += [pointer, size]
        vector = f"{_PREFIX}{own}"
        made.append(f"  std::vector<{element}> {vector}({own}, {own} + {count});")
        given.append(vector)
        if not const:
            back.append(f"  if ({vector}.size() != {count}) throw \"the length of the vector '{own}' has changed\";")
            at = f"{_PREFIX}at"
            back.append(f"  for ({size} {at} = 0; {at} < {count}; ++{at}) {own}[{at}] = {vector}[{at}];")
    call = f"::{symbol.qualified_name}({', '.join(given)});"
    if isinstance(symbol.result, Void):
        lines, result = [*made, f"  {call}", *back], "void"
    elif memory:
        own, result = _free("result", taken), "void"
        count = _free(own + "_size", taken)
        counts.append((len(declared) + 1, len(declared)))
        declared += [f"{memory} *{own}", f"{_SIZE} {count}"]
        types += [f"{memory} *", _SIZE]
        lines = [*made, *_copied(symbol, call, memory, own, count), *back]
    else:
        kept = _PREFIX + _free("result", taken)
        result = declare(symbol.result, "").strip()
        lines = [*made, f"  const {result} {kept} = {call}", *back, f"  return {kept};"]
    plain = name.partition("<")[0]
    opened, closed = "".join(f"namespace {n} {{\n" for n in namespaces), "}\n" * len(namespaces)
    text = f"\n{opened}inline {result} {plain}({', '.join(declared)}) {{\n" + "\n".join(lines) + f"\n}}\n{closed}"
    return Instead(text, f"{'::'.join([*namespaces, plain])}({', '.join(t.strip() for t in types)})", tuple(counts))


def returned(function: FunctionSymbol) -> str | None:
    """What the memory holds that a function of the host returns, as C++ text: numbers, by a pointer or in a vector."""
    if function.kind is not FunctionKind.HOST:
        return None
    match function.result:
        case Pointer(pointee=Scalar() as number) if is_floating(number):
            return spell(number)
        case result:
            return _element(result) if not isinstance(result, Reference) else None


def _copied(function: FunctionSymbol, call: str, element: str, own: str, count: str) -> list[str]:
    """Lines that call, and copy what the call returns. Only a run shows on which side a pointer leads."""
    kept, at = f"{_PREFIX}{own}", f"{_PREFIX}at"
    if isinstance(function.result, Pointer):
        copy = f"cudaMemcpy({own}, {kept}, {count} * sizeof({element}), cudaMemcpyDefault)"
        return [f"  const {element} *{kept} = {call}", f"  if ({kept}) {copy};"]
    return [
        f"  const std::vector<{element}> {kept} = {call}",
        f'  if ({kept}.size() != {count}) throw "the returned vector has another length";',
        f"  for ({_SIZE} {at} = 0; {at} < {count}; ++{at}) {own}[{at}] = {kept}[{at}];",
    ]


def _free(name: str, taken: set[str]) -> str:
    """The name, or one like it that no parameter has, which is taken from now on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def is_vector(type: Type) -> bool:
    """Whether a parameter is a vector of numbers, or of objects of the user's."""
    return _element(type) is not None


def _element(type: Type) -> str | None:
    """What a vector is made of, as C++ text, where that is numbers or objects of the user's."""
    struct = type.referee if isinstance(type, Reference) else type
    if not isinstance(struct, Struct) or not struct.spelling.startswith(_VECTOR):
        return None
    inner = _first_argument(struct.spelling[len(_VECTOR) :])
    data = next((f.type for f in struct.fields if isinstance(f.type, Pointer)), None)
    if data is None or inner in ("bool", "") or isinstance(scalar_of(data.pointee), Pointer):
        return None
    of = data.pointee
    plain = (isinstance(of, Scalar) and of.kind is not ScalarKind.BOOL) or (
        isinstance(of, Struct) and not re.match(r"(const )?std::", of.spelling)
    )
    return inner if plain else None


def _first_argument(text: str) -> str:
    """The first of template arguments, up to a comma or the end of the list."""
    depth = 0
    for i, c in enumerate(text):
        if c in "<(":
            depth += 1
        elif c in ">)":
            if not depth:
                return text[:i].strip()
            depth -= 1
        elif c == "," and not depth:
            return text[:i].strip()
    return ""


def _namespaces(qualified: str) -> tuple[list[str], str]:
    """The namespaces of a name, and the name itself with its template arguments."""
    head, sign, arguments = qualified.partition("<")
    *namespaces, name = head.split("::")
    return namespaces, name + sign + arguments
