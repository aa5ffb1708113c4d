"""Other ways to write a random program: each takes its text, and gives another text that computes the same numbers, or
None where the program has nothing that it could change."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.fuzz.text_tree import Node, parse, text_of

Change = Callable[[str, random.Random], str | None]

# Of the generator's names those that no class has among its members.
_NAME = re.compile(r"\b(?:[acdeghjknopqrtuvwf]|x|y)\d+\b(?!\s*\()")
_DECLARATION = re.compile(r"^(\s*)(float|double) (v\d+) = (.+);$")
_NUMBER = re.compile(r"\b(?:\d+\.\d*f?|\d+)\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_MATH = frozenset(["sin", "cos", "tanh", "atan", "erf", "sqrt", "log", "exp", "fabs", "fmax", "fmin", "int", "double"])


def renamed(text: str, source: random.Random) -> str | None:
    """Variables have other names, those of arguments kept."""
    body = text[text.index("__global__") :]
    head = body[: body.index("{")]
    names = sorted({m[0] for m in _NAME.finditer(text)} - set(_WORD.findall(head)))
    # what is named at namespace scope, or is a member, keeps its name
    names = [n for n in names if not re.search(rf"(?m)^[^ ].*\b{n}\b", text) and not re.search(rf"[.>]{n}\b", text)]
    others = [f"name_{k}" for k in range(len(names))]
    source.shuffle(others)
    table = dict(zip(names, others, strict=True))
    made = _WORD.sub(lambda m: table.get(m[0], m[0]), text)
    return made if made != text else None


def plus_zero(text: str, source: random.Random) -> str | None:
    """Zero is added to what variables are initialised with."""
    lines = [
        f"{m[1]}{m[2]} {m[3]} = ({m[4]}) + {'0.0f' if m[2] == 'float' else '0.0'};" if m else line
        for line in text.splitlines()
        for m in [_DECLARATION.match(line)]
    ]
    made = "\n".join(lines) + "\n"
    return made if made != text else None


def reordered(text: str, source: random.Random) -> str | None:
    """Declarations that do not depend on each other change places."""
    lines = text.splitlines()
    k, found = 0, False
    while k + 1 < len(lines):
        first, second = _DECLARATION.match(lines[k]), _DECLARATION.match(lines[k + 1])
        if first and second and first[1] == second[1] and _apart(first, second):
            lines[k], lines[k + 1] = lines[k + 1], lines[k]
            found = True
            k += 1
        k += 1
    return "\n".join(lines) + "\n" if found else None


def _apart(first: re.Match[str], second: re.Match[str]) -> bool:
    return _quiet(first[4]) and _quiet(second[4]) and not re.search(rf"\b{first[3]}\b", second[4])


def _quiet(expression: str) -> bool:
    """Whether it does nothing but compute: calls of the program's own functions might do more."""
    return not re.search(r"\b(?:f|r|o)\d+(?:\.\w+)?\(|blend|pick|mixed|folded|block_sum|shfl|=[^=]|\+\+|--", expression)


def outlined(text: str, source: random.Random) -> str | None:
    """What variables are initialised with is computed by functions."""
    functions: list[str] = []
    lines = []
    for line in text.splitlines():
        m = _DECLARATION.match(line)
        words = (
            [] if m is None else list(dict.fromkeys(w for w in _WORD.findall(_NUMBER.sub("", m[4])) if w not in _MATH))
        )
        if m is not None and words and all(re.fullmatch(r"v\d+|s\d|p\d+", w) for w in words) and "[" not in m[4]:
            types = [_type_of(text, w) for w in words]
            if None not in types:
                name = f"outlined_{len(functions)}"
                given = ", ".join(f"{t} {w}" for t, w in zip(types, words, strict=True))
                functions.append(f"__device__ {m[2]} {name}({given}) {{ return {m[4]}; }}")
                line = f"{m[1]}{m[2]} {m[3]} = {name}({', '.join(words)});"
        lines.append(line)
    if not functions:
        return None
    # behind the macros
    return "\n".join([*_macros(lines), *functions, *lines[len(_macros(lines)) :]]) + "\n"


def _macros(lines: list[str]) -> list[str]:
    last = max((k for k, line in enumerate(lines) if line.startswith("#")), default=-1)
    return lines[: last + 1]


def _type_of(text: str, name: str) -> str | None:
    """The type of a number, if it is declared once and is no pointer."""
    found = set(re.findall(rf"\b(float|double) &?{name}\b(?!\[)", text))
    pointer = re.search(rf"(?:\*|\()\s*{name}\b[^;]*\*|\*\s*{name}\b\s*[,;=)]", text)
    return found.pop() if len(found) == 1 and not pointer else None


def unrolled(text: str, source: random.Random) -> str | None:
    """Loops of a constant number of iterations, which nothing leaves, are written out."""
    nodes = parse(text)
    found = [False]

    def walk(among: list[Node]) -> list[Node]:
        made: list[Node] = []
        for node in among:
            node.children = walk(node.children)
            m = re.match(r"^(\s*)for \(int (k\d+) = 0; \2 < (\d); (?:\+\+\2|\2\+\+)\) \{$", node.line)
            inside = "\n".join(line for child in node.children for line in child.lines())
            if m is None or re.search(rf"\b(?:break|continue)\b|\b{m[2]}\b\s*[-+*/]?=[^=]|static|__shared__", inside):
                made.append(node)
                continue
            found[0] = True
            for k in range(int(m[3])):
                made.append(Node(f"{m[1]}{{ const int {m[2]} = {k};", list(node.children), f"{m[1]}}}"))
        return made

    made = walk(nodes)
    return text_of(made) if found[0] else None


CHANGES: tuple[Change, ...] = (renamed, plus_zero, reordered, outlined, unrolled)
