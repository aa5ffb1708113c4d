"""What emitted code needs of cladpy's own, for targets whose files include nothing of it: copies of what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

_DEPTH = re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[{}()]")
_CLASS = re.compile(r"(?:struct|class|using) (\w+)")
_FUNCTION = re.compile(r"(\w+)\(")
_NAMED = re.compile(r"([A-Za-z_]\w*)[(<{]")
_QUALIFIERS = (("__host__ __device__ inline", "KOKKOS_INLINE_FUNCTION"), ("__host__ __device__", "KOKKOS_FUNCTION"))


def copies(named: str, files: Sequence[Path]) -> str:
    """The definitions that a text names as members of `cladpy`, and those that these name, in the order of the files.
    What an earlier file defines a later one does not."""
    known: dict[str, list[tuple[int, str]]] = {}
    number = 0
    for file in files:
        here: dict[str, list[tuple[int, str]]] = {}
        for name, text in _definitions(file):
            number += 1
            here.setdefault(name, []).append((number, text))
        known = {**here, **known}
    waiting = [name for name in re.findall(r"\bcladpy::(\w+)", named) if name in known]
    found: dict[int, str] = {}
    while waiting:
        for at, text in known.pop(waiting.pop(), ()):
            found[at] = text
            waiting += (word for word in _NAMED.findall(text) if word in known)
    return "\n\n".join(found[at] for at in sorted(found))


@cache
def _definitions(file: Path) -> tuple[tuple[str, str], ...]:
    """The definitions at namespace scope of a header, by their names, with the comments before them."""
    return tuple(_parts(_without_conditions(file.read_text())))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    lines: list[str] = []
    depth = 0
    for line in re.sub(r"\\\n", "", text).splitlines():
        if depth == 0 and (not line.strip() or line.startswith(("namespace ", "}  // namespace", "#"))):
            lines = []
            continue
        lines.append(line)
        depth += sum({"{": 1, "(": 1, "}": -1, ")": -1}.get(token, 0) for token in _DEPTH.findall(line))
        if depth == 0 and line.endswith(("}", ";")):
            whole = "\n".join(lines)
            for before, after in _QUALIFIERS:
                whole = whole.replace(before, after)
            code = re.sub(r"(?m)^//.*\n|^template <[^<>]*>\s", "", whole)
            named = _CLASS.match(code) or _FUNCTION.search(code)
            if named is not None:
                yield named[1], whole
            lines = []


def _without_conditions(text: str) -> str:
    """The text as it is where no macro is defined that it asks for."""
    kept: list[str] = []
    taken: list[bool] = []
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.startswith("#") and line.strip() else ""
        if word in ("#if", "#ifdef", "#ifndef"):
            taken.append(_holds(line))
        elif word == "#else":
            taken[-1] = not taken[-1]
        elif word == "#endif":
            taken.pop()
        elif all(taken):
            kept.append(line)
    return "\n".join(kept)


def _holds(condition: str) -> bool:
    """Whether a condition on macros holds where none is defined: of a conjunction all parts have to be negations."""
    word, _, rest = condition.partition(" ")
    if word != "#if":
        return word == "#ifndef"
    return any(all(part.strip().startswith("!") for part in either.split("&&")) for either in rest.split("||"))
