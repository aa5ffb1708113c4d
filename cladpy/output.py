"""Writing the result of a command to a file: whole or not at all, and never over the program that it came from."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from cladpy.diagnostics import UsageError


def check_target(target: Path, inputs: Iterable[Path]) -> None:
    """Raises UsageError where `target` cannot be a file to write, or is one of the inputs under whatever name."""
    if target.is_dir():
        raise UsageError(f"cannot write {str(target)!r}: it is a directory")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {str(target)!r}: there is no directory {str(target.parent)!r}")
    if not target.exists():
        return
    for path in inputs:
        # compares device and inode: a symbolic or hard link to the input is the input
        if path.exists() and os.path.samefile(target, path):
            raise UsageError(f"cannot write {str(target)!r}: it is the same file as the input {str(path)!r}")


def include_spelling(target: Path, source: Path) -> str:
    """How a file at `target` includes `source`: relative to the folder of `target`."""
    folder = os.path.realpath(target.parent)
    return Path(os.path.relpath(os.path.realpath(source), folder)).as_posix()


def depfile(target: Path, inputs: Iterable[str]) -> str:
    """What `make`, Ninja and CMake read of a command that wrote `target`: the files that it has read, each once.

    Raises UsageError for a name that such a file cannot hold.
    """
    names = [_in_rule(str(target)) + ":", *map(_in_rule, dict.fromkeys(inputs))]
    return " \\\n  ".join(names) + "\n"


def _in_rule(name: str) -> str:
    if "\n" in name:
        raise UsageError(f"a dependency file cannot name {name!r}, which has a line break")
    # backslashes before a blank or a sharp are read in pairs, and are themselves elsewhere
    return re.sub(r"(\\*)([ \t#])", r"\1\1\\\2", name).replace("$", "$$")


def write(target: Path, text: str) -> None:
    """Writes `text` so that a reader sees the old file or the new one, never a part; see `write_together`."""
    write_together({target: text})


def write_together(texts: Mapping[Path, str]) -> None:
    """Writes all of the files, or none where one of them cannot be written; the last one named is the last to change.

    A link is followed, and an existing file keeps its permissions. Raises UsageError where writing fails.
    """
    with ExitStack() as staged:
        finishing: list[tuple[Path, Callable[[], object]]] = []
        for target, text in texts.items():
            data = text.encode("utf-8", errors="surrogateescape")
            final = Path(os.path.realpath(target))
            with _said(target):
                if final.exists() and not final.is_file():  # a pipe or a device is written to, not replaced
                    finishing.append((target, partial(final.write_bytes, data)))
                else:
                    temporary = _stage(final, data)
                    staged.callback(_discard, temporary)
                    finishing.append((target, partial(os.replace, temporary, final)))
        for target, finish in finishing:
            with _said(target):
                finish()


@contextlib.contextmanager
def _said(target: Path) -> Iterator[None]:
    """An error in words that name the file as the user does."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {str(target)!r}: {error.strerror or error}") from None


def _stage(final: Path, data: bytes) -> str:
    """A file beside the final one that holds the data, to take its place; its path."""
    descriptor, temporary = tempfile.mkstemp(dir=final.parent, prefix=f".{final.name[:64]}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), _mode(final))
    except BaseException:
        _discard(temporary)
        raise
    return temporary


def _discard(temporary: str) -> None:
    """What has taken its place already is not there any more."""
    with contextlib.suppress(OSError):
        os.unlink(temporary)


def _mode(final: Path) -> int:
    """The permissions of the file that is there, else those which an ordinary new file gets."""
    if final.exists():
        return stat.S_IMODE(final.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
