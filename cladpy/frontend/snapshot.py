"""The user's files as they were when they were first read: what is parsed is that, and what is compiled later must be
the same."""

from __future__ import annotations

import hashlib
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from cladpy.frontend.native import native_folder
from cladpy.frontend.toolkit import packages_include, toolkit_include
from cladpy.resources import custom_derivatives_dir

_INCLUDE = re.compile(rb'(?m)^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)')
_DEFINED = re.compile(rb"(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)")
_CONTINUED = re.compile(rb"\\\r?\n")
_SYSTEM = ("/usr/include/", "/usr/lib", "/usr/local/cuda", "/opt/rocm", "/lib/")
_MOST = 20_000  # files: beyond that nobody has written them


@dataclass(slots=True)
class Snapshot:
    """The main file, as clang is given it, and those of the user's that it leads to, by the names that they were first
    found by: a link may lead elsewhere by the next run. A byte order mark is no part of a text: clang would count it as
    columns."""

    main: str
    directories: Sequence[str]
    texts: dict[str, bytes] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)  # where files were looked for before they were found, or not
    _names: dict[str, str] = field(default_factory=dict)  # of the files, by their real paths
    _digests: dict[str, str] = field(default_factory=dict)  # of all but the main one, as they lie on the disk

    @staticmethod
    def of(main: str, text: bytes, directories: Sequence[str]) -> Snapshot:
        """Reads what the text includes, and what that includes, be it under a condition."""
        snapshot = Snapshot(main, directories)
        snapshot.texts[main] = text
        snapshot._names[os.path.realpath(main)] = main
        snapshot._follow(main, text)
        return snapshot

    def with_main(self, text: bytes) -> Snapshot:
        """The same files with another text of the main one, which includes no others."""
        return replace(self, texts={**self.texts, self.main: text}, _names=self._names, _digests=self._digests)

    def add(self, paths: Iterable[str]) -> bool:
        """Reads those of the files that are the user's and that it does not hold yet. False where there are none."""
        before = len(self.texts)
        for path in paths:
            self._read(path)
        return len(self.texts) > before

    def text(self, path: str) -> bytes | None:
        """What a file holds; None for one that is not the user's."""
        return self.texts.get(path) or self.texts.get(self._names.get(os.path.realpath(path), ""))

    def digests(self) -> tuple[tuple[str, str], ...]:
        """The files but for the main one, each with a digest of what it holds."""
        return tuple((path, self._digests[path]) for path in sorted(self.texts) if path != self.main)

    def macros(self) -> tuple[str, ...]:
        """The names that the files define, be it under a condition."""
        found = {name for text in self.texts.values() for name in _DEFINED.findall(_CONTINUED.sub(b"", text))}
        return tuple(sorted(name.decode() for name in found))

    def _read(self, path: str) -> None:
        name, real = os.path.abspath(path), os.path.realpath(path)
        if real in self._names or is_system(real) or len(self.texts) > _MOST:
            return
        try:
            text = Path(real).read_bytes()
        except OSError:
            return
        if os.path.realpath(name) != real:  # it goes up from where a link leads
            name = real
        self._names[real] = name
        self._digests[name] = hashlib.sha256(text).hexdigest()
        self.texts[name] = text = text.removeprefix(BOM_UTF8)
        self._follow(path, text)

    def _follow(self, path: str, text: bytes) -> None:
        for found in self._included(path, text):
            self._read(found)

    def _included(self, path: str, text: bytes) -> Iterator[str]:
        for quoted, angled in _INCLUDE.findall(text):
            name = os.fsdecode(quoted or angled)
            for folder in (*([os.path.dirname(path)] if quoted else []), *self.directories):
                candidate = os.path.join(folder, name)
                if os.path.isfile(candidate):
                    yield candidate
                    break
                self.absent.add(candidate)


def is_system(real: str) -> bool:
    """Whether a file, by its real path, is none of the user's: one of the system's, of a toolkit, or of cladpy's."""
    return real.startswith(_SYSTEM) or real.startswith(_others(toolkit_include(), packages_include()))


@cache
def _others(*toolkits: Path | None) -> tuple[str, ...]:
    folders = [native_folder(), Path(__file__).parent / "headers", custom_derivatives_dir(), *toolkits]
    return tuple(os.path.realpath(f) + os.sep for f in folders if f is not None)
