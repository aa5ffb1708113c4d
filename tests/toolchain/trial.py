"""`python -m tests.toolchain.trial --rounds N --kills K`: processes that use one cache at once, are killed at random
moments, meet entries that are cut or belong to other keys, and a full disk. No load may ever be wrong.

What stands in for a library says what key it is for and how often that was built, and carries its own digest.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from cladpy.diagnostics import ToolchainError
from cladpy.toolchain import cache

PROCESSES = 8
KEYS = ("one", "another")
_SIZE = 20_000
_FULL = 4096  # bytes that a file may have where the disk is full


def library(key: str, number: int) -> bytes:
    text = f"{key}:{number}:".encode().ljust(_SIZE, b"x")
    return text + hashlib.sha256(text).digest()


def is_right(key: str, data: bytes) -> bool:
    """Whether this is a whole library of that key."""
    return data.startswith(f"{key}:".encode()) and hashlib.sha256(data[:-32]).digest() == data[-32:]


def work(rounds: int, seed: int, vandal: bool, full: bool) -> int:
    """One process's rounds of finding and building one key; the number of wrong loads."""
    rng = random.Random(seed)
    if full:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FULL, _FULL))
    wrong = 0
    for number in range(rounds):
        key = KEYS[0] if rng.random() < 0.9 else KEYS[1]
        found = cache.look_up(key)
        if found is not None:
            with contextlib.suppress(FileNotFoundError):  # cleared a moment ago: no load at all
                wrong += _is_wrong(key, found)
        if found is None or rng.random() < 0.3:
            _store(key, seed * 1_000_000 + number)
        if vandal:
            _damage(rng)
    return wrong


def _is_wrong(key: str, found: Path) -> bool:
    """Whether the cache vouches for something that is no library of this key. What somebody has put there since has
    another digest than the name says."""
    data = found.read_bytes()
    return not is_right(key, data) and hashlib.sha256(data).hexdigest().startswith(found.stem.rpartition("-")[2])


def _store(key: str, number: int) -> None:
    try:
        with cache.building() as folder:
            made = folder / "unit.so"
            made.write_bytes(library(key, number))
            cache.store(key, made)
    except (ToolchainError, OSError):  # the disk is full, or the cache has been cleared under it
        pass


def _damage(rng: random.Random) -> None:
    """What must be noticed: a file that is cut, an entry under another's name, a payload that is another's; or that all
    is gone. Whole files take the places of others, as the cache's own do: what is written to where a reader has it open
    is no file of the cache's."""
    folder = cache.cache_dir()
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix in (".so", ".json"))
        if not files:
            return
        victim, other = rng.choice(files), rng.choice(files)
        match rng.randrange(6):
            case 0:
                _replace(victim, victim.read_bytes()[: rng.randrange(_SIZE)])
            case 1:
                _replace(victim, other.read_bytes())
            case 2:
                _replace(victim, b"")
            case 3:
                victim.unlink()
            case 4:
                _replace(folder / f"{rng.choice(KEYS)}.json", _foreign(folder, rng))
            case _:
                cache.clear()
    except (OSError, ValueError):  # others are at it too
        pass


def _foreign(folder: Path, rng: random.Random) -> bytes:
    """The manifest of one key, as if it were another's."""
    entry = json.loads((folder / f"{rng.choice(KEYS)}.json").read_text() or "{}")
    return json.dumps({**entry, "key": rng.choice(KEYS)}).encode()


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".vandal-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, target)


def trial(folder: Path, rounds: int, kills: int, seed: int) -> str:
    """What was wrong; the empty string for nothing."""
    environment = {**os.environ, "CLADPY_CACHE_DIR": str(folder)}

    def start(number: int, count: int, *flags: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.toolchain.trial", "--work", str(count), "--seed", str(number), *flags]
        return subprocess.Popen(command, env=environment)

    # all at once, then with one that damages and one whose disk is full
    for phase, flags in enumerate(([()] * PROCESSES, [()] * (PROCESSES - 2) + [("--vandal",), ("--full",)])):
        running = [start(seed + 100 * phase + i, rounds, *flag) for i, flag in enumerate(flags)]
        bad = [process.args for process in running if process.wait() != 0]
        if bad:
            return f"wrong loads, or a failure, in {bad}"
    rng = random.Random(seed)
    for number in range(kills):
        process = start(seed + 1000 + number, 1_000_000)
        time.sleep(0.15 + rng.random() * 0.15)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            return f"the process that was to be killed ended with {process.returncode}"
        with mock.patch.dict(os.environ, environment):
            loads = [(key, cache.look_up(key)) for key in KEYS]
        if any(found is not None and not is_right(key, found.read_bytes()) for key, found in loads):
            return f"a wrong load after kill {number}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.toolchain.trial")
    parser.add_argument("--rounds", type=int, default=1000, help="of each of the processes")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=int, default=None, help="rounds of this process: used by the command itself")
    parser.add_argument("--vandal", action="store_true")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    if options.work is not None:
        return 1 if work(options.work, options.seed, options.vandal, options.full) else 0
    with tempfile.TemporaryDirectory(prefix="cache-trial-") as name:
        wrong = trial(Path(name) / "cache", options.rounds, options.kills, options.seed)
    print(wrong or f"no wrong load in 2 times {PROCESSES} processes of {options.rounds} rounds, {options.kills} kills")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
