"""Writing the result of a command to a file: whole or not at all, and never over the program that it came from."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
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


def write(target: Path, text: str) -> None:
    """Writes `text` so that a reader sees the old file or the new one, never a part.

    A link is followed, and an existing file keeps its permissions. Raises UsageError where writing fails.
    """
    final = Path(os.path.realpath(target))
    data = text.encode("utf-8", errors="surrogateescape")
    try:
        if final.exists() and not final.is_file():  # a pipe or a device is written to, not replaced
            final.write_bytes(data)
            return
        _replace(final, data)
    except OSError as error:
        raise UsageError(f"cannot write {str(target)!r}: {error.strerror or error}") from None


def _replace(final: Path, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=final.parent, prefix=f".{final.name[:64]}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), _mode(final))
        os.replace(temporary, final)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(final: Path) -> int:
    """The permissions of the file that is there, else those which an ordinary new file gets."""
    if final.exists():
        return stat.S_IMODE(final.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
