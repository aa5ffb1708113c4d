"""One compilation: a folder of its own, the text and the user's source in it, a compiler's run, the cache around it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.quoting import literal
from cladpy.resources import custom_derivatives_dir
from cladpy.source import Source
from cladpy.toolchain import cache
from cladpy.toolchain.discovery import Tool

TIMEOUT_SECONDS = 1800

# Variables by which compilers are told of more files and flags.
VARIABLES = (
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "NVCC_CCBIN",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """What is compiled. `text` includes `source` by its name; `dependencies` are the files that both include."""

    text: str
    source: Source | None = None
    dependencies: Sequence[str | Path] = field(default=())


def include_name(source: Source) -> str:
    """The name by which emitted code includes the user's source."""
    return Path(source.name).name


def build(unit: Unit, tool: Tool, suffix: str, key_flags: Sequence[str], compile_in: Callable[[Path], Path]) -> Path:
    """The library of this unit, from the cache or by `compile_in(folder)`, which returns the path of what it made.

    The folder holds `unit<suffix>`, and in `source/` the user's source. `key_flags` is all else that decides the
    result. Raises ToolchainError.
    """
    for _ in range(_ATTEMPTS):
        key = _key(unit, tool, suffix, key_flags)
        found = cache.look_up(key)
        if found is not None:
            return found
        with cache.building() as folder:
            with _said():
                _lay_out(unit, suffix, folder)
            made = compile_in(folder)
            # the library must be made of what the key says
            if _key(unit, tool, suffix, key_flags) == key:
                return cache.store(key, made)
    raise ToolchainError("the files that are compiled change all the while")


_ATTEMPTS = 3
EXPORTS = "exports"  # the linker's list in the folder


def _key(unit: Unit, tool: Tool, suffix: str, key_flags: Sequence[str]) -> str:
    """The digest of all that the library depends on."""
    source = [] if unit.source is None else [unit.source.name, str(unit.source.path), unit.source.text]
    return cache.digest_of(
        [
            tool.path,
            tool.version,
            *tool.flags,
            suffix,
            "flags",
            *key_flags,
            _exports(unit),
            "environment",
            *(f"{name}={os.environ.get(name, '')}" for name in VARIABLES),
            "source",
            *source,
            "text",
            unit.text,
            *cache.digest_of_tree(custom_derivatives_dir()),
            *cache.digest_of_files(unit.dependencies),
        ]
    )


def _lay_out(unit: Unit, suffix: str, folder: Path) -> None:
    """Writes what is compiled into the folder, and what the library exports."""
    (folder / EXPORTS).write_text(_exports(unit), encoding="utf-8")
    (folder / f"unit{suffix}").write_text(unit.text, encoding="utf-8", errors="surrogateescape")
    (folder / "source").mkdir()
    if unit.source is not None:
        _copy_source(unit.source, folder / "source" / include_name(unit.source))
        if unit.source.path is not None:
            # a name without blanks or commas, which nvcc does not pass on whole
            (folder / "beside").symlink_to(unit.source.path.parent)


@contextlib.contextmanager
def _said() -> Iterator[None]:
    """A full disk, for one, as an error of the toolchain."""
    try:
        yield
    except OSError as error:
        raise ToolchainError(f"the program cannot be laid out to be compiled: {error}") from None


def _copy_source(source: Source, target: Path) -> None:
    """The user's text as it was differentiated, as a system header: its warnings are not ours to report."""
    shown = str(source.path) if source.path is not None else source.name
    text = f"#pragma GCC system_header\n#line 1 {literal(shown)}\n{source.text}\n"
    target.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")


# How the user's source is found, and what it includes beside itself.
SOURCE_FLAGS = ("-iquote", "source", "-iquote", "beside")


def user_flags(include_dirs: Sequence[str | Path], defines: Sequence[tuple[str, str]]) -> list[str]:
    """The user's -I and -D. Include directories are absolute, since compilers run in a folder of their own."""
    flags = [flag for folder in include_dirs for flag in ("-I", os.path.abspath(folder))]
    return flags + [f"-D{name}={value}" if value else f"-D{name}" for name, value in defines]


def mentions(what: re.Pattern[str], text: str, source: Source | None, dependencies: Sequence[str | Path]) -> bool:
    """Whether the program, or one of the files that it is made of, has something."""
    texts = [text, "" if source is None else source.text]
    for path in dependencies:
        try:
            texts.append(Path(path).read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
    return any(what.search(t) for t in texts)


def _exports(unit: Unit) -> str:
    """Of a program of the user's the entries alone: what of it no entry reaches is left out with all that it refers to,
    functions of other files, for one."""
    return "{ local: main; _Z*; };\n" if unit.source is None else "{ global: cladpy_*; local: *; };\n"


def run_compiler(
    tool: Tool,
    arguments: Sequence[str],
    folder: Path,
    explained: Callable[[str, str], ToolchainError | None] = lambda name, output: None,
) -> None:
    """Runs the compiler in the folder. Raises ToolchainError where it fails, with its output, unless this can be
    `explained`, given the compiler's name."""
    command = [tool.path, *tool.flags, *arguments]
    environment = {**os.environ, "LC_ALL": "C", **tool.environment}
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ToolchainError(f"{Path(tool.path).name} did not end within {TIMEOUT_SECONDS} s") from None
    except OSError as error:
        raise ToolchainError(f"{tool.path} could not be run: {error}") from None
    if done.returncode != 0:
        output = done.stdout.decode("utf-8", errors="replace").strip()
        name = Path(tool.path).name
        raise explained(name, output) or ToolchainError(f"{name} failed (exit {done.returncode}):\n{output}")
