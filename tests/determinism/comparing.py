"""One run in each environment, and what differs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What must make no difference. A Python that takes all text for ASCII is one of them.
ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {
    "hash seed 0": {"PYTHONHASHSEED": "0"},
    "hash seed 1, ASCII": {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "hash seed 4294967295, another place and time": {
        "PYTHONHASHSEED": "4294967295",
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "tr",
        "TZ": "Pacific/Kiritimati",
        "COLUMNS": "20",
    },
}


def run(python: str, variables: Mapping[str, str], every: int, folder: str) -> dict[str, str]:
    """The digests of one run in a working directory of its own."""
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    command = [python, "-m", "tests.determinism.emitting", str(every)]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def differences(every: int, pythons: Sequence[str] = ()) -> tuple[int, list[str]]:
    """How many texts were compared, and which differ in which run from the first one."""
    runs = [(name, sys.executable, variables) for name, variables in ENVIRONMENTS.items()]
    runs += [(python, python, {"PYTHONHASHSEED": str(7 + i)}) for i, python in enumerate(pythons)]
    first: dict[str, str] = {}
    wrong: list[str] = []
    for name, python, variables in runs:
        with tempfile.TemporaryDirectory(prefix="elsewhere ") as folder:
            found = run(python, variables, every, folder)
        first = first or found
        wrong += [f"{name}: {text}" for text in first if found.get(text) != first[text]]
    return len(first), wrong
