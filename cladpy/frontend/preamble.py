"""The headers that a file includes first, compiled once: they are most of what clang reads, and stay as they are while
a kernel is edited.

The leading includes of a file that lead to no file of the user's, and to no pullbacks, are parsed alone, and what comes
of that lies in the compile cache, by all that clang was given. It holds while each file that was read is as it was, and
no other has come to be found before one of them. A program that has errors behind it is read as a whole.
"""

from __future__ import annotations

import os
import pickle
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.frontend.native import native_folder
from cladpy.frontend.unit import TranslationUnit
from cladpy.resources import custom_derivatives_dir
from cladpy.toolchain import cache

WORTH = 0.2  # seconds that clang takes for the headers: what takes less is read again as quickly
_MAIN = os.path.abspath(os.sep + "cladpy-preamble.cu")  # no file: nothing that a program quotes lies beside it
_SPACE = re.compile(rb"(?:\s|//[^\n\\]*\n|/\*[^*\\]*\*+(?:[^/*\\][^*\\]*\*+)*/)*")
_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*("[^"\n\\]+"|<[^>\n\\]+>)[ \t]*(?://[^\n\\]*)?\r?\n')
_NAMED = re.compile(rb'(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)')
_ASKED = re.compile(rb'__has_include(?:_next)?[ \t]*\([ \t]*[<"]([^>"\n]+)')
_OF_PULLBACKS = b"custom_derivatives"  # a namespace whose functions are looked for in the program's tree
_PATHS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")  # of the environment, where clang looks too
_DEPTH = 5  # of the names in includes
_ERROR = 3
_TICK = 20_000_000  # nanoseconds: as exact as the times of files are


@dataclass(frozen=True, slots=True)
class _Made:
    """The files that clang has read, by the line of the program that leads there; those of them that are not given to
    it, with digests; what was asked for by __has_include; and when folders changed in which headers are looked for.
    `compiled` is the key of what came of it, and empty where that is of no use."""

    lines: tuple[tuple[str, int], ...] = ()
    digests: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    folders: tuple[tuple[str, int], ...] = ()
    compiled: str = ""

    def holds(self, directories: Sequence[str]) -> bool:
        """Whether all would be found again and be the same, where the user's directories come first."""
        names = self.digests[::2]
        ways = {*self.asked, *(way for name in names for way in _ends(name))}
        return (
            not any(os.path.isfile(os.path.join(folder, way)) for folder in directories for way in ways)
            and all(_changed(folder) == when for folder, when in self.folders)
            and tuple(cache.digest_of_files(names)) == self.digests
        )

    def look_up(self) -> Path | None:
        """Where what came of it lies."""
        return cache.look_up(self.compiled) if self.compiled else None


def read_behind(
    path: str,
    arguments: Sequence[str],
    texts: Mapping[str, bytes],
    own: Mapping[str, bytes],
    directories: Sequence[str],
    limits: tuple[int, int],
) -> TranslationUnit | None:
    """A program as clang reads it behind the headers that it begins with. `texts` are the user's files, `own` those
    that clang is given besides. None where there are no such headers, or where it is to be read as a whole."""
    leading = _leading(
        path, texts[path], directories, tuple(a for a in arguments if a.startswith(str(custom_derivatives_dir())))
    )
    if not leading or any(os.environ.get(variable) for variable in _PATHS):
        return None
    with suppress(ToolchainError, OSError):
        key = _key(leading, arguments, own)
        made = _known(key, directories) or _make(key, leading, arguments, own, directories, limits)
        compiled = made.look_up()
        if compiled is None and made.compiled:  # it is there no longer
            made = _make(key, leading, arguments, own, directories, limits)
            compiled = made.look_up()
        if compiled is None:
            return None
        others = [a for a, before in zip(arguments, ("", *arguments), strict=False) if "-include" not in (a, before)]
        blank = re.sub(rb"[^\r\n]", b" ", leading)
        files = {**texts, **own, path: blank + texts[path][len(leading) :]}
        others += ["-include-pch", str(compiled), "-Xclang", "-fno-validate-pch"]  # which minds when files were written
        unit = TranslationUnit(path, others, files, limits, before=made.lines)
        if not any(m.severity >= _ERROR for m in unit.messages()):
            return unit
        unit.close()
    return None


def _leading(path: str, text: bytes, directories: Sequence[str], own: tuple[str, ...]) -> bytes:
    """The text up to the last of the leading includes that lead to no file of the user's, and not to pullbacks in
    cladpy's `own` folders."""
    end = 0
    while True:
        space = _SPACE.match(text, end)
        found = _INCLUDE.match(text, space.end() if space is not None else end)
        if found is None:
            break
        name = os.fsdecode(found[1][1:-1])
        folders = [os.path.dirname(path), *directories] if found[1].startswith(b'"') else directories
        if any(os.path.isfile(os.path.join(folder, name)) for folder in folders) or _has_pullbacks(name, own):
            break
        end = found.end()
    return text[:end]


@lru_cache(maxsize=256)
def _has_pullbacks(header: str, own: tuple[str, ...]) -> bool:
    """Whether a header in these folders, or one there that it leads to, may declare some."""
    names = [header]
    for name in names:  # which grow
        text = next((p.read_bytes() for folder in own if (p := Path(folder, name)).is_file()), b"")
        if _OF_PULLBACKS in text:
            return True
        names += dict.fromkeys(n for n in map(os.fsdecode, _NAMED.findall(text)) if n not in names)
    return False


def _key(leading: bytes, arguments: Sequence[str], own: Mapping[str, bytes]) -> str:
    status = [(p.name, s.st_mtime_ns, s.st_size) for p in sorted(native_folder().iterdir()) if (s := p.stat())]
    files = [part for name in sorted(own) for part in (name, own[name])]
    return cache.digest_of(["preamble 1", repr(status), leading, *arguments, "", *files])


def _known(key: str, directories: Sequence[str]) -> _Made | None:
    """What was made before, if it holds."""
    found = cache.look_up(key)
    if found is None:
        return None
    made: _Made = pickle.loads(found.read_bytes())  # noqa: S301  as it was written
    return made if not made.compiled or made.holds(directories) else None


def _make(
    key: str,
    leading: bytes,
    arguments: Sequence[str],
    own: Mapping[str, bytes],
    directories: Sequence[str],
    limits: tuple[int, int],
) -> _Made:
    begun, start = time.time_ns(), time.process_time()
    with TranslationUnit(_MAIN, arguments, {**own, _MAIN: leading}, limits) as unit, cache.building() as folder:
        took = time.process_time() - start
        lines = unit.included_by()
        read = [name for name in unit.inclusions() if name != _MAIN]
        names = [name for name in read if name not in own]
        contents = [Path(name).read_bytes() for name in names]
        made = _Made(
            tuple((name, lines.get(name, 0)) for name in read),
            tuple(cache.digest_of_files(names)),
            tuple({os.fsdecode(name) for text in contents for name in _ASKED.findall(text)}),
            tuple((place, _changed(place)) for place in sorted(_folders(names, arguments))),
            cache.digest_of([key, *contents]),
        )
        if any(os.stat(name).st_ctime_ns > begun - _TICK for name in names) or not made.holds(directories):
            return _Made()  # files may have been others when they were read, or are the user's
        is_good = (
            took >= WORTH
            and not any(m.severity >= _ERROR for m in unit.messages())
            and not any(_OF_PULLBACKS in text for text in contents)
            and unit.save(folder / "compiled")
        )
        if is_good:
            cache.store(made.compiled, folder / "compiled")
        else:
            made = _Made()
        (folder / "made").write_bytes(pickle.dumps(made))
        cache.store(key, folder / "made")
    return made


def _folders(names: Sequence[str], arguments: Sequence[str]) -> set[str]:
    """Where headers are looked for: below each place that clang is told of, and where they were found."""
    places = {a for a in arguments if os.path.isabs(a) and os.path.isdir(a)} | {"/usr/local/include"}
    ends = {end for name in names for end in _ends(os.path.dirname(name))}
    return {os.path.dirname(name) for name in names} | places | {os.path.join(p, end) for p in places for end in ends}


def _ends(name: str) -> Iterator[str]:
    """The last parts of a path: `a/b/c` as `c`, `b/c`, and so on."""
    parts = name.strip(os.sep).split(os.sep)
    return (os.sep.join(parts[-n:]) for n in range(1, 1 + min(_DEPTH, len(parts))))


def _changed(folder: str) -> int:
    """When files came into a folder, or went; 0 where there is none."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0
