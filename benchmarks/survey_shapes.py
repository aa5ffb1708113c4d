"""How a program launches a kernel: the numbers between `<<<` and `>>>`, as far as its text says them."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Extent = tuple[int, ...]
Known = dict[str, list[str]]  # what the text says of a name, in its order: which holds, a condition may decide

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.LShift: operator.lshift,
}
_DEEP = 8  # names that are made of others
_MOST_THREADS = 1024
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)", re.MULTILINE)
_NUMBER = re.compile(
    r"\b(?:int|unsigned|size_t|long|auto|uint|uint32_t)\s+(\w+)\s*(?:=\s*([^;,={}]+)|\{([^{}]*)\})\s*[;,]"
)
_DIM3 = re.compile(r"\bdim3\s+(\w+)\s*(?:=\s*(?:dim3\s*)?)?[({]([^;{}]*)[)}]\s*;")
_CAST = re.compile(r"\(\s*(?:unsigned|int|size_t|long|unsigned int)\s*\)")


@dataclass(frozen=True, slots=True)
class Launch:
    """What is known of one launch; None where the text does not say it."""

    grid: Extent | None
    block: Extent | None
    shared_mem: int | None


def launches(name: str, texts: list[str], defines: tuple[str, ...]) -> Iterator[Launch]:
    """The launches of a kernel in a program's files."""
    plain = [_COMMENT.sub(" ", t.replace("\\\n", " ")) for t in texts]
    known: Known = {d.partition("=")[0]: [d.partition("=")[2] or "1"] for d in defines}
    for text in plain:
        for kind in (_MACRO, _NUMBER, _DIM3):
            for found in kind.finditer(text):
                known.setdefault(found[1], []).append(found[2] or found[kind.groups] or "")
    simple = re.escape(re.sub(r"<.*", "", name).rpartition("::")[2])
    for text in plain:
        for found in re.finditer(rf"\b{simple}\s*(?:<[^;(){{}}]*>)?\s*<<<(.*?)>>>", text, re.DOTALL):
            given = [_extent(part, known) for part in _parts(found[1])]
            if len(given) >= 2:
                shared = given[2] if len(given) > 2 else (0,)
                yield Launch(given[0], given[1], None if shared is None else shared[0])


def _parts(text: str) -> list[str]:
    """At the commas that are in no brackets."""
    parts, deep = [""], 0
    for character in text:
        deep += (character in "({[") - (character in ")}]")
        if character == "," and deep == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _extent(text: str, known: Known) -> Extent | None:
    text = text.strip()
    more = next((t for t in known.get(text, ()) if len(_parts(t)) > 1), None)
    text = text if more is None else f"dim3({more})"
    inside = re.fullmatch(r"dim3\s*[({](.*)[)}]", text, re.DOTALL)
    found = [_number(part, known, _DEEP) for part in _parts(inside[1] if inside else text)]
    numbers = [n for n in found if n is not None and n >= 0]
    return tuple(numbers) if len(numbers) == len(found) else None


def _number(text: str, known: Known, deep: int) -> int | None:
    text = re.sub(r"\bsizeof\s*\(\s*(\w+)\s*\)", lambda m: "8" if m[1] == "double" else "4", _CAST.sub("", text))
    text = re.sub(r"(?<=\d)[uUlL]+\b", "", text.strip())
    try:
        return _value(ast.parse(text, mode="eval").body, known, deep)
    except (SyntaxError, ValueError, StopIteration, ZeroDivisionError, RecursionError):
        return None


def _value(node: ast.expr, known: Known, deep: int) -> int:
    match node:
        case ast.Constant(int() as value):
            return value
        case ast.Name(name) if deep:
            found = (_number(text, known, deep - 1) for text in known.get(name, ()))
            return next(n for n in (*found, None) if n is not None)
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, known, deep), _value(right, known, deep))
        case _:
            raise ValueError(ast.dump(node))


def usable(block: Extent | None) -> bool:
    """Whether a block can be launched."""
    threads = 1
    for extent in block or (0,):
        threads *= extent
    return 0 < threads <= _MOST_THREADS and len(block or ()) <= 3
