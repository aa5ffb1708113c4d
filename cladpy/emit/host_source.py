"""The user's files for a host compiler: `kernel<<<...>>>(...)`, which is not C++, calls the host executor.

A file that the user's includes and that launches, or includes one that does, stands in place of the #include.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cladpy.decoding import decoded
from cladpy.frontend.assembly import has_assembly, without_assembly
from cladpy.frontend.files import skip_token
from cladpy.frontend.launches import find_launches
from cladpy.frontend.pieces import DIRECTIVE, without_comments
from cladpy.ir.surface import Launch, Omission, Program
from cladpy.quoting import included, literal
from cladpy.source import Source

# Calls, increments and assignments.
_EFFECT = re.compile(r"\(|\+\+|--|(?<![=!<>])=(?!=)")
# Arguments may be there only sometimes.
_DIRECTIVE = re.compile(r"^[ \t]*#(?!#)", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)[^\n]*', re.MULTILINE)
# Where nvcc takes a specifier that C++ wants before all others, and `thread_local` is one of those.
_LATE_ALIGNMENT = re.compile(rb"(\b__shared__\s+)(alignas\s*\((?:[^()]|\([^()]*\))*\)\s*)")
# A kernel's address that loses its type, by which the host calls it.
_UNTYPED = re.compile(
    rb"(\bcudaLaunch(?:Cooperative)?Kernel\s*\(\s*)"
    rb"(\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)"
    rb"|reinterpret_cast\s*<\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*>)"
)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b[^\n]*", re.MULTILINE)


def host_source(
    source: Source,
    program: Program,
    directories: Sequence[str | Path] = (),
    without: Collection[Omission] = (),
    *,
    launches: bool = True,
) -> str | None:
    """The text with every launch written as `cladpy_host_launch([&] { kernel(...); }, grid, block, shared, stream)`;
    None where there is no launch, neither there nor in what it includes from its folder or the user's `directories`,
    and nothing is left out.

    Lines keep their numbers. The configuration comes last, since macros may stand for several parts of it. Arguments
    that may do something are evaluated before, once and not by every thread; others stay where they are, so that a
    kernel's parameters are given what they would be given. In a macro's definition, and where directives stand between
    arguments, it is `cladpy_host_launch_with`, which is given all of them. What is launched and is no name is applied:
    `table[0]->*cladpy_host_at(grid, block)(...)`. These names are words that no macro of the user's is. `without` are
    parts that are left out beside those that the program leaves out anyway; without `launches` that is all.
    """
    files = _Files(directories, {}, launches)
    for part in (*program.left_out, *without):
        files.without.setdefault(part.path, []).append(part)
    text = files.changed(source.text, program.launches, "")
    folder = None if source.path is None else source.path.parent
    if (
        not (launches and program.launches)
        and text == source.text
        and not any(files.is_changed(path) for path in files.included(text, folder))
    ):
        return None
    return _expanded(text, source.name, folder, folder, files, 0)


@dataclass(slots=True)
class _Files:
    """The files that the user's text leads to, as far as they lie beside it or in directories that the user names."""

    directories: Sequence[str | Path]
    without: dict[str, list[Omission]]  # what is left out of them, by their names
    launches: bool = True  # whether these become calls
    texts: dict[Path, str] = field(default_factory=dict)
    known: dict[Path, bool] = field(default_factory=dict)

    def text(self, path: Path) -> str:
        if path not in self.texts:
            try:
                self.texts[path] = decoded(path.read_bytes())
            except OSError:
                self.texts[path] = ""
        return self.texts[path]

    def find(self, name: re.Match[str], folder: Path | None) -> Path | None:
        """The file that an #include means."""
        named = name[1] or name[2]
        beside = [folder] if folder is not None and name[1] else [Path(os.sep)] if os.path.isabs(named) else []
        for place in (*beside, *map(Path, self.directories)):
            path = Path(os.path.realpath(place / named))
            if path.is_file():
                return path
        return None

    def changed(self, text: str, launches: Sequence[Launch], name: str) -> str:
        """The text of a file as it is to be."""
        without = self.without.get(name, ())
        return _with_calls(text, launches, without) if self.launches else _without_parts(text, without)

    def included(self, text: str, folder: Path | None) -> Iterator[Path]:
        for name in _INCLUDE.finditer(text):
            path = self.find(name, folder)
            if path is not None:
                yield path

    def is_changed(self, path: Path) -> bool:
        """Whether a file launches, or lacks something, or includes one that does."""
        if path not in self.known:
            self.known[path] = False  # while it is being looked at
            text = self.text(path)
            data = text.encode("utf-8", errors="surrogateescape")
            found = str(path) in self.without
            if self.launches:
                found = found or bool(find_launches(data)[0]) or has_assembly(data)
                found = found or any(kind.search(data) is not None for kind in (_LATE_ALIGNMENT, _UNTYPED))
            self.known[path] = found or any([self.is_changed(p) for p in self.included(text, path.parent)])
        return self.known[path]


_DEEPEST = 64  # files in files


def _expanded(text: str, name: str, folder: Path | None, main: Path | None, files: _Files, depth: int) -> str:
    """The text with what launches in place of its #include. What a file in another folder includes from beside itself
    is named in full."""

    def replaced(found: re.Match[str]) -> str:
        path = files.find(found, folder)
        if path is None or depth >= _DEEPEST:
            return found[0]
        if not files.is_changed(path):
            moved = folder != main and found[1] and folder is not None and path.parent.is_relative_to(folder)
            return f'#include "{included(str(path))}"' if moved else found[0]
        inner = files.text(path)
        launches, _ = find_launches(inner.encode("utf-8", errors="surrogateescape"))
        inner = _expanded(
            files.changed(inner, launches, str(path)),
            str(path),
            path.parent,
            main,
            files,
            depth + 1,
        )
        if _ONCE.search(inner):
            guard = "CLADPY_ONCE_" + re.sub(r"\W", "_", str(path)).upper()
            inner = f"#ifndef {guard}\n#define {guard}\n# 1 {literal(str(path))} 3\n{_ONCE.sub('', inner)}\n#endif"
        line = text.count("\n", 0, found.start()) + 2
        return f"# 1 {literal(str(path))} 3\n{inner}\n# {line} {literal(name)} 3"

    return _INCLUDE.sub(replaced, text)


def _without_parts(text: str, without: Collection[Omission]) -> str:
    data = text.encode("utf-8", errors="surrogateescape")
    for part in sorted(_outermost(without), key=lambda at: at.start, reverse=True):
        data = _without_part(data, part)
    return data.decode("utf-8", errors="surrogateescape")


def _outermost(without: Collection[Omission]) -> list[Omission]:
    return [w for w in without if not any(_is_inside(w.start, w.end, other) for other in without if other is not w)]


def _with_calls(text: str, launches: Sequence[Launch], without: Collection[Omission] = ()) -> str:
    """The text with calls of the executor in place of its launches, and without some parts."""
    data = without_assembly(text.encode("utf-8", errors="surrogateescape"))
    whole = _outermost(without)
    kept = [at for at in launches if not any(_is_inside(at.start, at.end, w) for w in whole)]
    parts: list[Launch | Omission] = [*kept, *whole]
    for launch in sorted(parts, key=lambda at: at.start, reverse=True):
        if isinstance(launch, Omission):
            data = _without_part(data, launch)
            continue
        configuration = ", ".join(map(_without_comments, launch.configuration))
        arguments = [_without_comments(argument) for argument in launch.arguments]
        line = b"\\\n" if launch.in_macro else b"\n"
        if not launch.kernel:
            data = _replaced(data, launch, f"->*::cladpy_host_at({configuration})", line)
            continue
        if launch.in_macro or any(map(_DIRECTIVE.search, arguments)):
            data = _replaced(data, launch, _call_with(launch.kernel, configuration, arguments), line)
            continue
        effects = [i for i, argument in enumerate(arguments) if _EFFECT.search(argument)]
        given = [f"cladpy_{i}" if i in effects else argument for i, argument in enumerate(arguments)]
        call = f"::cladpy_host_launch([&] {{ {launch.kernel}({', '.join(given)}); }}, {configuration})"
        if effects:
            lets = "".join(f"auto cladpy_{i} = {arguments[i]}; " for i in effects)
            call = f"[&] {{ {lets}return {call}; }}()"
        data = _replaced(data, launch, call, b"\n")
    data = _UNTYPED.sub(lambda found: found[1] + b"\n" * found[2].count(b"\n"), data)
    return _LATE_ALIGNMENT.sub(rb"\2\1", data).decode("utf-8", errors="surrogateescape")


def _is_inside(start: int, end: int, part: Omission) -> bool:
    return part.start <= start and end <= part.end


def _without_part(data: bytes, part: Omission) -> bytes:
    """The text without a body, for which something stands, or a declaration, whose directives remain."""
    if part.is_body:
        return _replaced(data, part, "{ ::cladpy_host_left_out(); }", b"\n")
    inner = data[part.start : part.end]
    kept = [] if inner.startswith(b"#") else [d.span() for d in DIRECTIVE.finditer(without_comments(inner))]
    parts, at = [], 0
    for start, end in [*kept, (len(inner), len(inner))]:
        parts += [b"\n" * inner.count(b"\n", at, start), inner[start:end]]
        at = end
    return data[: part.start] + b"".join(parts) + data[part.end :]


def _without_comments(text: str) -> str:
    """A part of a launch, which stands before another on one line."""
    data = text.encode("utf-8", errors="surrogateescape")
    kept, at = [], 0
    while at < len(data):
        end = skip_token(data, at)
        kept.append(b" " if data.startswith((b"//", b"/*"), at) else data[at:end])
        at = end
    return b"".join(kept).decode("utf-8", errors="surrogateescape").strip(" ")


def _call_with(kernel: str, configuration: str, arguments: Sequence[str]) -> str:
    """A launch whose arguments are not known one by one, in a macro or among directives: they are evaluated once, as
    those of a call."""
    given = [a if a != "__VA_ARGS__" else "##__VA_ARGS__" for a in arguments]  # which may be none
    body = f"[&](auto &&...cladpy_given) {{ {kernel}(cladpy_given...); }}"
    at = f"::cladpy_host_at({configuration})"
    return f"::cladpy_host_launch_with({', '.join([at, body, *map(_on_lines, given)])})"


def _on_lines(argument: str) -> str:
    """An argument with lines of their own for the directives that it begins or ends with."""
    lines = argument.split("\n")
    before, after = ("\n" if _DIRECTIVE.match(line) else "" for line in (lines[0], lines[-1]))
    return f"{before}{argument}{after}"


def _replaced(data: bytes, launch: Launch | Omission, call: str, line: bytes) -> bytes:
    """The text with a call in place of a launch, on as many lines."""
    missing = data[launch.start : launch.end].count(b"\n") - call.count("\n")
    text = call.encode("utf-8", errors="surrogateescape")
    return data[: launch.start] + text + line * max(0, missing) + data[launch.end :]
