"""The compile cache: libraries by the digest of everything that went into them.

An entry is a payload `KEY-DIGEST.so` and, written after it, a manifest `KEY.json` that names the payload and its
digest. Both appear by renaming, so a reader never sees half of one; an entry that does not verify is a miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from cladpy.diagnostics import ToolchainError

# Entries kept; the least recently used go first.
LIMIT = 4096

_SCHEMA = "1"


def digest_of(parts: Iterable[str | bytes]) -> str:
    """sha256 over the parts, each with its length before it, so that no two lists of parts look alike."""
    total = hashlib.sha256(_SCHEMA.encode())
    for part in parts:
        data = part.encode("utf-8", errors="surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()


def digest_of_files(paths: Iterable[str | Path]) -> Iterator[str]:
    """Path and digest of each file; a file that cannot be read counts as absent."""
    for path in paths:
        yield str(path)
        try:
            yield hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            yield "absent"


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
        entry = json.loads(manifest.read_text(encoding="utf-8"))
        name, digest = entry["payload"], entry["sha256"]
        if not isinstance(name, str) or Path(name).name != name:
            return None
        payload = folder / name
        if hashlib.sha256(payload.read_bytes()).hexdigest() != digest:
            return None
        os.utime(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return payload


def store(key: str, built: Path) -> Path:
    """Takes a copy of the library `built` as the entry of this key; its path."""
    folder = cache_dir()
    data = built.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    payload = folder / f"{key}-{digest[:16]}.so"
    try:
        _write(payload, data)
        text = json.dumps({"payload": payload.name, "sha256": digest, "bytes": len(data)})
        _write(folder / f"{key}.json", text.encode())
        _prune(folder)
    except OSError as error:
        raise ToolchainError(f"the compile cache cannot be written: {error}{_HINT}") from None
    return payload


def _write(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".new-")
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


def _prune(folder: Path) -> None:
    """Drops the least recently used entries beyond the limit. A library that is loaded stays loaded."""
    manifests = list(folder.glob("*.json"))
    if len(manifests) <= LIMIT:
        return
    aged = []
    for manifest in manifests:
        with contextlib.suppress(OSError):
            aged.append((manifest.stat().st_mtime, manifest))
    aged.sort()
    for _, manifest in aged[: len(aged) - LIMIT]:
        for path in (manifest, *folder.glob(f"{manifest.stem}-*.so")):
            with contextlib.suppress(OSError):
                path.unlink()
