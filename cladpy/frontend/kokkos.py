"""Kokkos' headers, for which cladpy's own stand (`custom_derivatives/kokkos`): loops as kernels, views as memory.

The real ones are read by compilers only: they take seconds, ask for what a build has configured, and deal in records of
allocations, locks and hooks of profilers, of which no derivative knows anything.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from cladpy.decoding import decoded
from cladpy.frontend.libclang import Cursor
from cladpy.source import Source

_INCLUDE = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]*["<]Kokkos_\w+\.hpp[">]')
_BESIDE = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"')
_UNKNOWN = re.compile(r"no (?:\w+ )+named '(\w+)' in (?:namespace )?'(Kokkos(?:::\w+)*)[<']")
_ASSERTED = re.compile(r"(?:static assertion failed.*|is unavailable): Kokkos: (.*)")
_OURS = "cladpy_kokkos::"
_TELLING = "Kokkos_Core.hpp"


def without_kokkos(folders: Sequence[str]) -> tuple[str, ...]:
    """The folders but for those that hold Kokkos' headers."""
    return tuple(f for f in folders if not os.path.isfile(os.path.join(f, _TELLING)))


def unknown_use(error: str) -> str | None:
    """What is known of Kokkos in place of what a program asks for, where an assertion of ours says so."""
    found = _ASSERTED.search(error)
    return None if found is None else found[1]


def unmet(assertion: Cursor) -> Iterator[str]:
    """The same of an assertion in a function's body, where it fails: clang says so for the first user only."""
    condition, *said = assertion.children()
    if said and condition.evaluate() == 0:
        yield said[0].spelling.strip('"').removeprefix("Kokkos: ")


def unknown_name(error: str) -> str | None:
    """What a program names of Kokkos that is not declared in ours, where clang says so."""
    found = _UNKNOWN.search(error)
    return None if found is None else f"{found[2]}::{found[1]}".replace(_OURS, "")


def of_kokkos(error: str) -> bool:
    """Whether an error is about what is not known of Kokkos."""
    return unknown_name(error) is not None or unknown_use(error) is not None


def target_of(source: Source) -> str:
    """What a program is written for, as far as it says so."""
    return "kokkos" if is_for_kokkos(source) else "cuda"


def is_for_kokkos(source: Source) -> bool:
    """Whether a program includes a header of Kokkos', itself or by files beside it."""
    waiting, seen = [(source.text, None if source.path is None else source.path.parent)], set()
    while waiting:
        text, folder = waiting.pop()
        if _INCLUDE.search(text):
            return True
        for name in _BESIDE.findall(text) if folder is not None else ():
            path = folder / name
            if path not in seen and path.is_file():
                seen.add(path)
                waiting.append((decoded(path.read_bytes()), path.parent))
    return False
