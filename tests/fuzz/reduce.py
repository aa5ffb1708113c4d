"""Makes a failing program smaller while it fails in the same way: statements and functions are left out, blocks opened,
expressions replaced by a part of them, parameters dropped, the launch made smaller.

A candidate that is no valid program is told by what becomes of it: it fails in another way, or its values are not those
of the oracle, which counts as invalid.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.text_tree import Node, closing, parse, parts, text_of
from tests.generator import GeneratedProgram

Fails = Callable[[GeneratedProgram], bool]


class Reducer:
    """`fails` says whether a program still fails in the way that is looked at; at most `seconds` are spent."""

    def __init__(self, fails: Fails, seconds: float = 600.0) -> None:
        self._fails = fails
        self._end = time.monotonic() + seconds
        self._known: set[str] = set()
        self.tried = 0

    def reduce(self, program: GeneratedProgram) -> GeneratedProgram:
        passes = (self._statements, self._unwrapped, self._parameters, self._expressions, self._launch)
        while True:
            before = program
            for step in passes:
                program = step(program)
            if program == before or self._late():
                return program

    def _late(self) -> bool:
        return time.monotonic() > self._end

    def _works(self, candidate: GeneratedProgram) -> bool:
        key = f"{candidate.text}\0{candidate.args}\0{candidate.grid}{candidate.block}{len(candidate.values)}"
        if key in self._known or self._late():
            return False
        self._known.add(key)
        self.tried += 1
        return self._fails(candidate)

    # ---- statements -------------------------------------------------------------------------------------------------

    def _statements(self, program: GeneratedProgram) -> GeneratedProgram:
        """Delta debugging on the lines of each block, outermost first."""
        nodes = parse(program.text)

        def works() -> bool:
            return self._works(replace(program, text=text_of(nodes)))

        self._shrink(nodes, works)
        return replace(program, text=text_of(nodes))

    def _shrink(self, nodes: list[Node], works: Callable[[], bool]) -> None:
        size = len(nodes)
        while size >= 1:
            at = 0
            while at < len(nodes):
                held = nodes[at : at + size]
                del nodes[at : at + size]
                if not works():
                    nodes[at:at] = held
                    at += size
            size //= 2
        for node in list(nodes):
            if node.children:
                self._shrink(node.children, works)

    def _unwrapped(self, program: GeneratedProgram) -> GeneratedProgram:
        """A block's lines in place of the block."""
        nodes = parse(program.text)

        def works() -> bool:
            return self._works(replace(program, text=text_of(nodes)))

        def walk(among: list[Node]) -> None:
            at = 0
            while at < len(among):
                node = among[at]
                if node.children and node.line.startswith(" "):
                    among[at : at + 1] = node.children
                    if works():
                        continue
                    among[at : at + len(node.children)] = [node]
                walk(node.children)
                at += 1

        walk(nodes)
        return replace(program, text=text_of(nodes))

    # ---- expressions ------------------------------------------------------------------------------------------------

    def _expressions(self, program: GeneratedProgram) -> GeneratedProgram:
        """Each line with a simpler expression, until there is none."""
        lines = program.text.splitlines()
        at = 0
        while at < len(lines):
            for candidate in simpler(lines[at]):
                changed = [*lines[:at], candidate, *lines[at + 1 :]]
                if self._works(replace(program, text="\n".join(changed) + "\n")):
                    lines = changed
                    break
            else:
                at += 1
        return replace(program, text="\n".join(lines) + "\n")

    # ---- parameters -------------------------------------------------------------------------------------------------

    def _parameters(self, program: GeneratedProgram) -> GeneratedProgram:
        """Parameters of functions, with the arguments of all calls; those of the entry with their values."""
        heads = re.findall(
            r"(?m)^(?:static |template.*> |__global__ |__device__ )*[\w ]+?[ *](\w+)\(.*\) \{$", program.text
        )
        for name in [program.function, *dict.fromkeys(h for h in heads if h != program.function)]:
            k = 0
            while True:
                found = re.search(rf"\b{name}\(", program.text)
                if found is None:
                    break
                given = _arguments(program.text, found.end() - 1)
                if given is None or k >= len(given):
                    break
                candidate = replace(program, text=_without(program.text, name, k))
                if name == program.function:
                    lost = re.findall(r"\w+", given[k])[-1:]
                    named = [a for a in candidate.args.split(", ") if a not in lost]
                    values = [v for j, v in enumerate(program.values) if j != k]
                    candidate = replace(candidate, args=", ".join(named), values=values)
                if candidate.args and self._works(candidate):
                    program = candidate
                else:
                    k += 1
        names = program.args.split(", ")
        for name in list(names):
            fewer = [n for n in names if n != name]
            if fewer and self._works(replace(program, args=", ".join(fewer))):
                names = fewer
                program = replace(program, args=", ".join(fewer))
        return program

    def _launch(self, program: GeneratedProgram) -> GeneratedProgram:
        if program.grid is None or program.block is None:
            return program
        for grid in ((1, 1, 1), (2, 1, 1)):
            if program.grid != grid and self._works(replace(program, grid=grid)):
                program = replace(program, grid=grid)
                break
        for block in ((1, 1, 1), (2, 1, 1), (4, 1, 1), (8, 1, 1)):
            if program.block != block and self._works(replace(program, block=block)):
                return replace(program, block=block)
        return program


def _arguments(text: str, at: int) -> list[str] | None:
    end = closing(text, at)
    return None if end < 0 or end == at + 1 else parts(text[at + 1 : end])


def _without(text: str, name: str, k: int) -> str:
    """The text with the k-th argument of each call, and parameter of each definition, left out."""
    at = 0
    while True:
        found = re.search(rf"\b{name}(?:<<<.*?>>>)?\(", text[at:])
        if found is None:
            return text
        start = at + found.end() - 1
        given = _arguments(text, start)
        if given is not None and k < len(given):
            kept = ", ".join(a.strip() for j, a in enumerate(given) if j != k)
            text = text[: start + 1] + kept + text[closing(text, start) :]
        at = start + 1


# ---- one line --------------------------------------------------------------------------------------------------------

_OPERATOR = re.compile(r" (?:[-+*/%<>^|&]|<=|>=|==|!=|&&|\|\||<<|>>|\?|:) ")
_KEYWORDS = ("if", "for", "while", "switch", "return", "sizeof", "static_cast")


def simpler(line: str) -> Iterator[str]:
    """The line with one expression replaced by a simpler one, the largest changes first."""
    assigned = re.match(r"^(\s*[^=()]*?[^=<>!+\-*/%&|^ ] )(?:[-+*/]?=)( )(.+)(;)$", line)
    if assigned:
        for number in ("0.5", "1"):
            if assigned[3] != number and not re.fullmatch(r"[\d.]+f?", assigned[3]):
                yield f"{assigned[1]}={assigned[2]}{number};"
        for part in _operands(assigned[3]):
            yield f"{assigned[1]}={assigned[2]}{part};"
    heads = [m.start() for m in re.finditer(r"[(\[]", line)]
    for at in heads:
        end = closing(line, at)
        if end < 0:
            continue
        inside = line[at + 1 : end]
        name = re.search(r"[\w:.<>]*$", line[:at])
        called = name[0] if name else ""
        before, after = line[: at - len(called)], line[end + 1 :]
        if line[at] == "[":
            if inside != "0" and not inside.isdigit():
                yield f"{line[: at + 1]}0{line[end:]}"
            continue
        if called.strip() in _KEYWORDS or line.startswith(("__", "template", "struct")):
            for part in _operands(inside):
                yield f"{line[: at + 1]}{part}{line[end:]}"
            continue
        if not called:
            for part in _operands(inside):
                yield f"{before}{part}{after}" if _atomic(part) else f"{before}({part}){after}"
            if not re.fullmatch(r"[\w.]+", inside):
                yield f"{before}0.5{after}"
            elif not inside.startswith(("int", "float", "double", "unsigned", "long")):
                yield f"{before}{inside}{after}"
        else:
            for part in parts(inside):
                if part.strip():
                    yield f"{before}({part.strip()}){after}"
            yield f"{before}0.5{after}"


def _atomic(text: str) -> bool:
    return re.fullmatch(r"[\w.]+", text) is not None


def _operands(text: str) -> list[str]:
    """What stands between operators of an expression, outside of brackets."""
    found, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        elif depth == 0:
            operator = _OPERATOR.match(text, at)
            if operator:
                found.append(text[start:at].strip())
                at = start = operator.end()
                continue
        at += 1
    found.append(text[start:].strip())
    return [part for part in found if part] if len(found) > 1 else []
