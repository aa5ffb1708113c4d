"""The programs in a page: its blocks of Python are run in order, as one program, in a folder that has what it names.

A block of another language that begins with a comment of one name, `// axpy.cu`, is that file. `examples` is there as
in the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"(?://|#) ([\w./-]+\.\w+)\n")


def blocks(page: Path, language: str) -> list[str]:
    return [text for found, text in _BLOCK.findall(page.read_text()) if found == language]


def files(page: Path) -> dict[str, str]:
    """Those that the page shows."""
    named = ((_NAMED.match(text), text) for _, text in _BLOCK.findall(page.read_text()))
    return {match[1]: text for match, text in named if match is not None}


def run(page: Path, folder: Path, options: tuple[str, ...] = ()) -> str:
    """What the page's programs print."""
    for name, text in files(page).items():
        (folder / name).write_text(text)
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "page.py").write_text("\n".join(blocks(page, "python")))
    paths = os.pathsep.join((str(folder), str(ROOT)))
    done = subprocess.run(
        [sys.executable, *options, "page.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commands(page: Path, folder: Path) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Of blocks of the console, `$ command` and what it prints: the command, what is expected, with anything for `…`
    in a line and any lines for one of it, and what it does print, to both of its streams."""
    for text in blocks(page, "console"):
        command, _, expected = text.removeprefix("$ ").partition("\n")
        lines = [
            r"(?:.*\n)*" if line == "…\n" else _any_where_dots(line) for line in expected.splitlines(keepends=True)
        ]
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        yield command, re.compile("".join(lines)), done.stdout


def _any_where_dots(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.split("…"))
