"""The compile cache: libraries by the digest of everything that went into them.

An entry is a payload `KEY-DIGEST.so` and, written after it, a manifest `KEY.json` that names its key, the payload and
its digest. Both appear by renaming, so a reader never sees half of one; an entry that does not verify is a miss. What
processes that were killed have left goes after a day.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import ToolchainError

# Entries and bytes kept; the least recently used go first.
LIMIT = 4096
BYTES = 4 << 30

_SCHEMA = "2"
_ABANDONED = 24 * 3600  # seconds after which a file that belongs to no entry is nobody's any more
_BUILDING = ".build-"
_WRITING = ".new-"


def digest_of(parts: Iterable[str | bytes]) -> str:
    """sha256 over the parts, each with its length before it, so that no two lists of parts look alike."""
    total = hashlib.sha256(_SCHEMA.encode())
    for part in parts:
        data = part.encode("utf-8", errors="surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()


def is_building(folder: Path) -> bool:
    """Whether that is, or was, a folder in which something was compiled."""
    return folder.name.startswith(_BUILDING)


def digest_of_files(paths: Iterable[str | Path]) -> Iterator[str]:
    """Path and digest of each file; a file that cannot be read counts as absent."""
    for path in paths:
        yield str(path)
        try:
            yield hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            yield "absent"


# What files held when their status was this one.
_known: dict[str, tuple[tuple[int, int, int], str]] = {}


def digest_of_tree(folder: Path) -> Iterator[str]:
    """Path and digest of each file in a folder of cladpy's own; one that looks as it did is not read again."""
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(place, name)
            try:
                status = os.stat(path)
                seen = (status.st_mtime_ns, status.st_size, status.st_ino)
                if _known.get(path, ((), ""))[0] != seen:
                    _known[path] = (seen, hashlib.sha256(Path(path).read_bytes()).hexdigest())
            except OSError:  # gone by now
                continue
            yield from (path, _known[path][1])


def cache_dir() -> Path:
    """CLADPY_CACHE_DIR, else `cladpy` in the user's cache directory; made if need be, and closed to other users.

    Raises ToolchainError where it cannot be made, or belongs to somebody else: what lies there is run.
    """
    chosen = os.environ.get("CLADPY_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        if chosen:
            folder = Path(chosen)
        elif base and Path(base).is_absolute():
            folder = Path(base) / "cladpy"
        else:
            folder = Path.home() / ".cache" / "cladpy"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            raise ToolchainError(f"the cache directory {folder} belongs to another user{_HINT}")
        if stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(0o700)
        return folder.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: no home directory; ToolchainError is one too
        if isinstance(error, ToolchainError):
            raise
        raise ToolchainError(f"the cache directory cannot be used: {error}{_HINT}") from None


_HINT = "\nhint: set CLADPY_CACHE_DIR to a directory of your own"


def look_up(key: str) -> Path | None:
    """The library of this key, if there is one and it is as it was written."""
    folder = cache_dir()
    manifest = folder / f"{key}.json"
    try:
        entry = json.loads(_read(manifest))
        digest = entry["sha256"]
        payload = folder / _payload_name(key, digest)
        if entry["key"] != key or entry["payload"] != payload.name:
            return None
        if hashlib.sha256(_read(payload)).hexdigest() != digest:
            return None
        os.utime(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return payload


def store(key: str, built: Path) -> Path:
    """Takes a copy of the library `built` as the entry of this key; its path. Raises ToolchainError."""
    folder = cache_dir()
    try:
        data = built.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        payload = folder / _payload_name(key, digest)
        _write(payload, data)
        text = json.dumps({"key": key, "payload": payload.name, "sha256": digest, "bytes": len(data)})
        _write(folder / f"{key}.json", text.encode())
        _make_room(folder, payload, len(data))
    except OSError as error:
        raise ToolchainError(f"the compile cache cannot be written: {error}{_HINT}") from None
    return payload


@contextlib.contextmanager
def building() -> Iterator[Path]:
    """A folder to compile in, beside the entries; it goes afterwards. Raises ToolchainError where there is no room."""
    try:
        folder = tempfile.mkdtemp(prefix=_BUILDING, dir=cache_dir())
    except OSError as error:
        raise ToolchainError(f"the compile cache cannot be written: {error}{_HINT}") from None
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Info:
    """What there is: entries, and the bytes of all files; `leftovers` are files that belong to no entry."""

    folder: Path
    entries: int
    bytes: int
    leftovers: int


def info() -> Info:
    """What the cache holds. Raises ToolchainError where it cannot be used."""
    folder = cache_dir()
    entries, others = _contents(folder)
    total = sum(e.bytes for e in entries) + sum(_size(path) for path in others)
    return Info(folder, len(entries), total, len(others))


def clear() -> Info:
    """Removes all that the cache has made, and gives what there was. Other files in its folder stay."""
    found = info()
    entries, others = _contents(found.folder)
    for entry in entries:
        entry.remove()
    for path in others:
        _remove(path)
    return found


# ---- files ----------------------------------------------------------------------------------------------------------


def _payload_name(key: str, digest: str) -> str:
    return f"{key}-{digest[:16]}.so"


def _read(path: Path) -> bytes:
    """The contents of a file; OSError for a link, which would lead elsewhere."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        return file.read()


def _write(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=_WRITING)  # for the owner only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


@dataclass(frozen=True, slots=True, order=True)
class _Entry:
    used: float
    manifest: Path
    payloads: tuple[Path, ...]
    bytes: int

    def remove(self) -> None:
        """The manifest first, so that there never is one without its payload."""
        for path in (self.manifest, *self.payloads):
            _remove(path)


def _contents(folder: Path) -> tuple[list[_Entry], list[Path]]:
    """The entries, and files that the cache has made but that belong to none."""
    manifests: dict[str, Path] = {}
    payloads: dict[str, list[Path]] = {}
    others: list[Path] = []
    for path in folder.iterdir():
        if path.name.startswith((_BUILDING, _WRITING)):
            others.append(path)
        elif path.suffix == ".json":
            manifests[path.stem] = path
        elif path.suffix == ".so" and "-" in path.stem:
            payloads.setdefault(path.stem.rpartition("-")[0], []).append(path)
    entries = []
    for key, manifest in manifests.items():
        files = tuple(sorted(payloads.pop(key, ())))
        with contextlib.suppress(OSError):
            entries.append(_Entry(manifest.stat().st_mtime, manifest, files, sum(map(_size, (manifest, *files)))))
    return sorted(entries), others + [path for paths in payloads.values() for path in paths]


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _remove(path: Path) -> None:
    """A file, or a folder with all that is in it, unless somebody was quicker."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


# For each folder the entries and bytes that this process may add before it looks again: half of what there was room
# for, since other processes add to it too.
_room: dict[Path, tuple[int, int]] = {}


def _make_room(folder: Path, newest: Path, size: int) -> None:
    """Prunes where this entry may be beyond the limits: a look at thousands of entries takes as long as a small
    compilation."""
    entries, left = _room.get(folder, (0, 0))
    if entries > 0 and left >= size:
        _room[folder] = (entries - 1, left - size)
    else:
        kept, total = _prune(folder, newest)
        _room[folder] = ((LIMIT - kept) // 2, (BYTES - total) // 2)


def _prune(folder: Path, newest: Path) -> tuple[int, int]:
    """Drops the least recently used entries beyond the limits, but never the newest; the number of those that stay, and
    their bytes. A library that is loaded stays loaded."""
    entries, others = _contents(folder)
    total = sum(e.bytes for e in entries)
    kept = len(entries)
    for number, entry in enumerate(entries):
        if len(entries) - number <= LIMIT and total <= BYTES:
            break
        if newest not in entry.payloads:
            entry.remove()
            total -= entry.bytes
            kept -= 1
    now = time.time()
    for path in others:
        with contextlib.suppress(OSError):
            if now - path.lstat().st_mtime > _ABANDONED:
                _remove(path)
    return kept, total
