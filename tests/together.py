"""Units of tests that are compiled together: most of the time of a small one goes to what all of them begin with.

Each of them has a namespace of its own in one unit, behind what they all begin with. What is compiled is copied for
each, with its number in it, to the compile cache: whoever compiles one of the units then finds it there, and cannot
tell the difference, since a copy has its own variables. What cannot be one unit with others is compiled when it is
asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from cladpy.check import oracle
from cladpy.check.oracle import Oracle
from cladpy.derivative import Derivative
from cladpy.diagnostics import ToolchainError
from cladpy.runtime import built
from cladpy.runtime.built import build_library
from cladpy.toolchain import build, compile_host, host

_FLAGS = "CLADPY_HOST_FLAGS"
_ENTRY = re.compile(r'^extern "C".*?\b(cladpy_\w+)\(', re.MULTILINE)
_OWN = re.compile(r"^#include <cladpy/.*\n", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*\n", re.MULTILINE)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_GUARD = re.compile(r"\A(?://.*\n)*#ifndef (\w+)\n#define \1\n")
# The user's text in the unit of an oracle.
_SOURCE = re.compile(r'^# 1 "[^\n]*" 3\n.*^# 1 "<oracle>" 2\n', re.MULTILINE | re.DOTALL)
# What says which of its units a library is to be.
_MARK = b"cladpy_together:"
_NUMBER = 4  # bytes
# The namespace of a unit, in its text, and the one in which all is that an oracle defines.
_HERE = "cladpy_part"
_ORACLE = "program"


@dataclass(frozen=True)
class Part:
    """A unit. Those can be one that have the same `head`, but for headers of cladpy's, the same `middle` and entries,
    and are compiled in the same way."""

    head: str  # what stands before all of them, once
    body: str
    text: str  # all of it
    how: dict[str, Any]  # the other arguments of `compile_host`
    middle: str = ""  # what stands behind all bodies, once
    tail: str = ""  # what stands behind that, for each
    flags: str = field(default_factory=lambda: os.environ.get(_FLAGS, ""))

    @property
    def entries(self) -> list[str]:
        return _ENTRY.findall(self.body)

    @property
    def needs(self) -> frozenset[str]:
        """The headers of cladpy's that it includes."""
        return frozenset(_OWN.findall(self.head))

    @property
    def names(self) -> list[str]:
        """Those that would occur twice."""
        return [*self.entries, _HERE, *([_ORACLE] if f"namespace {_ORACLE} {{" in self.body else [])]

    @property
    def key(self) -> tuple[object, ...]:
        how = {name: value for name, value in self.how.items() if name != "source" or self.has_file}
        return (_OWN.sub("", self.head), self.middle, self.flags, tuple(self.entries), repr(sorted(how.items())))

    @property
    def has_file(self) -> bool:
        source = self.how.get("source")
        return source is not None and source.path is not None


def part_of_gradient(derivative: Derivative, *, workers: bool = False) -> Part | None:
    """The unit of a gradient; None where it is not made as most are."""
    if derivative.program.appended or derivative.options.custom_derivatives:
        return None
    text, how = _compiled(built, lambda: build_library(derivative, workers=workers))
    code, entry = _GUARD.sub("", derivative.code), text[len(derivative.code) :]
    own = derivative.source.path is None  # and all that the program is stands in the unit
    for variable in derivative.globals:
        names = [variable.adjoint, *([variable.name] if own else [])]
        entry = _in_namespace(entry, [name for name in names if name])
    if own:
        head, body = _parted(code.rstrip().removesuffix("#endif"))
    else:
        body = _INCLUDE.split(derivative.fragment)[-1]
        head, found, rest = code.rpartition(body.strip())
        if not found or rest.split() != ["#endif"]:
            return None
    more, entry = _parted(entry)
    return Part(head + more, f"namespace {_HERE} {{\n{body}{entry}\n}}\n", text, how)


def part_of_oracle(judge: Oracle) -> Part:
    """The unit of an oracle."""
    text, how = _compiled(oracle, judge._loaded)
    found = _SOURCE.search(text)
    if found is None:
        return Part(*_parted(text), text, how)
    head, body = _parted(text[: found.start()])
    source, tail = found[0], text[found.end() :]
    if judge.source is not None and judge.source.path is None:
        more, source = _parted(source)
        tail = _in_namespace(tail, [variable.name for variable in judge._variables])
        return Part(head + more, f"{body}namespace {_HERE} {{\n{source}\n}}\n{tail}", text, how)
    return Part(head, body, text, how, source, tail)


def _parted(text: str) -> tuple[str, str]:
    """What a text includes, and what it holds besides."""
    names = dict.fromkeys(_MACRO.findall(text))
    return "".join(_INCLUDE.findall(text)), _INCLUDE.sub("", text) + "".join(f"\n#undef {name}\n" for name in names)


def _in_namespace(text: str, names: Iterable[str]) -> str:
    """With variables at namespace scope in the unit's own."""
    for name in names:
        text = re.sub(rf"(?<![\w>])::{name}\b", f"{_HERE}::{name}", text)
    return text


def compile_together(parts: Iterable[Part]) -> None:
    """Compiles those that can be one unit so. None of them must find a header of cladpy's there that it does not
    include: each includes what those before it do."""
    groups: dict[tuple[object, ...], dict[str, Part]] = {}
    for part in parts:
        groups.setdefault(part.key, {})[part.text] = part
    for group in groups.values():
        chains: list[list[Part]] = []
        for part in sorted(group.values(), key=lambda part: len(part.needs)):
            chain = next((chain for chain in chains if chain[-1].needs <= part.needs), None)
            if chain is None:
                chains.append([part])
            else:
                chain.append(part)
        for chain in chains:
            if len(chain) > 1:
                _compile(chain)


class _Asked(Exception):
    """What was to be compiled."""

    def __init__(self, text: str, **how: Any) -> None:
        self.text, self.how = text, how


def _compiled(user: Any, load: Callable[[], object]) -> tuple[str, dict[str, Any]]:
    """The arguments with which `load`, a function of the module `user`, compiles."""

    def ask(text: str, **how: Any) -> None:
        raise _Asked(text, **how)

    with mock.patch.object(user, "compile_host", ask):
        try:
            load()
        except _Asked as asked:
            return asked.text, asked.how
    raise AssertionError("it was compiled before")


def _compile(parts: list[Part]) -> None:
    how = parts[0].how
    with mock.patch.dict(os.environ, {_FLAGS: parts[0].flags}):
        try:
            made = compile_host(_one_unit(parts), **how).read_bytes()
        except ToolchainError:
            return  # some of them have to be alone
        at = made.index(_MARK) + len(_MARK)
        for number, part in enumerate(parts):
            copy = made[:at] + number.to_bytes(_NUMBER, "little") + made[at + _NUMBER :]
            with _giving(copy):
                compile_host(part.text, **part.how)


@contextmanager
def _giving(made: bytes) -> Iterator[None]:
    """While this is open, the compiler's part is played by a library that is there."""

    def instead(*args: Any) -> Path:
        def compile_in(folder: Path) -> Path:
            (folder / "unit.so").write_bytes(made)
            return folder / "unit.so"

        return build.build(*args[:-1], compile_in)

    with mock.patch.object(host, "build", instead):
        yield


def _one_unit(parts: list[Part]) -> str:
    """The text: each entry of the library is that of the unit whose number it holds."""
    texts = [parts[0].head]
    known = parts[0].needs
    for number, part in enumerate(parts):
        texts += [*sorted(part.needs - known), _numbered(part.body, number, part.names)]
        known |= part.needs
    texts.append(parts[0].middle)
    texts += [_numbered(part.tail, number, part.names) for number, part in enumerate(parts)]
    letters = ", ".join(f"'{letter}'" for letter in _MARK.decode())
    texts += [
        'extern "C" __attribute__((visibility("default"))) const volatile struct {',
        f"  char mark[{len(_MARK)}];",
        "  int number;",
        f"}} cladpy_together = {{{{{letters}}}, 0}};",
    ]
    texts += [_chosen(name, parts) for name in parts[0].entries]
    return "\n".join([*texts, ""])


def _numbered(text: str, number: int, names: Iterable[str]) -> str:
    """With a number behind these names."""
    if not text:
        return ""
    renaming = [f"#define {name} {name}_{number}" for name in names]
    return "\n".join([*renaming, text, *(f"#undef {name}" for name in names)])


def _chosen(name: str, parts: list[Part]) -> str:
    """An entry, which the loader of libraries finds by calling a function."""
    lines = [f'extern "C" void *choose_{name}() {{', "  switch (cladpy_together.number) {"]
    for number, part in enumerate(parts):
        place = f"{_HERE}_{number}::" if part.body.startswith(f"namespace {_HERE}") else ""
        lines.append(f"    case {number}: return reinterpret_cast<void *>(&{place}{name}_{number});")
    lines += ["  }", "  return nullptr;", "}"]
    declared = f'extern "C" __attribute__((visibility("default"), ifunc("choose_{name}"))) void {name}();'
    return "\n".join([*lines, declared])
