"""The user's macros where emitted code stands: `size`, `block` or `N` are words of it, and of cladpy's headers, too.

What is emitted says names that the compiler has found, never a macro of the user's. So those of the user's macros that
it, or a header that is included there, has as a word are undefined around it, and are what they were behind it. Names
that C++ reserves are left: a file that defines `__global__` says what that means.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from cladpy.emit.names import words
from cladpy.ir.surface import Program
from cladpy.options import Options
from cladpy.resources import custom_derivatives_dir

_RESERVED = re.compile(r"__|_[A-Z]|CLADPY_|HIP_")
_INCLUDE = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]*[<"]((?:cladpy/)?[\w/]+\.h)[>"]')


@dataclass(frozen=True, slots=True)
class Macros:
    """The macros that the user's files define somewhere, and those that the options do, which all headers see."""

    of_files: frozenset[str]
    of_options: frozenset[str]

    def all(self) -> list[str]:
        return sorted(name for name in self.of_files | self.of_options if not _RESERVED.match(name))

    def named_by(self, said: Collection[str], *, of_options: bool = False) -> list[str]:
        """Those that are among words; `of_options` where the files' are not defined yet."""
        return [name for name in self.all() if name in said and (name in self.of_options or not of_options)]


def macros_of(program: Program, options: Options) -> Macros:
    """Those of a program."""
    return Macros(frozenset(program.macros), frozenset(name.partition("(")[0] for name, _ in options.defines))


def without(names: Iterable[str]) -> str:
    """Undefines macros, as lines."""
    return "".join(f'#pragma push_macro("{name}")\n#undef {name}\n' for name in names)


def again(names: Iterable[str]) -> str:
    """Gives these their definitions back."""
    return "".join(f'#pragma pop_macro("{name}")\n' for name in names)


def included_words(text: str) -> frozenset[str]:
    """The words of cladpy's headers that C++ text includes."""
    return frozenset().union(*map(_words_of, _INCLUDE.findall(text)))


@cache
def _words_of(header: str) -> frozenset[str]:
    """The words of a header, and of those of cladpy's that it leads to."""
    found: set[str] = set()
    known: set[str] = set()
    waiting = [header]
    while waiting:
        name = waiting.pop()
        path = custom_derivatives_dir() / name
        if name in known or not path.is_file():
            continue
        known.add(name)
        text = path.read_text(encoding="utf-8")
        found |= words(text)
        folder = name.rpartition("/")[0]
        for inner in _INCLUDE.findall(text):
            waiting += [inner, f"{folder}/{inner}" if folder else inner]
    return frozenset(found)
