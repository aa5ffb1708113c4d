"""Which functions of the package each work of `tests.covered` has come to, as its last run recorded it.

The record is local (`build/` is not in the repository): whoever runs `python -m tests --all` has one.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import coverage

ROOT = Path(__file__).parents[2]
FILE = ROOT / "build" / "tests" / "record.json"


@dataclass(frozen=True)
class Record:
    """`takers` has for each function, as `cladpy/adjoint/ties.py:Ties.share`, the works that came to it."""

    takers: dict[str, frozenset[str]]

    @staticmethod
    def read(file: Path = FILE) -> Record | None:
        """None where nothing was recorded."""
        if not file.is_file():
            return None
        content = json.loads(file.read_text())
        works = content["works"]
        return Record({name: frozenset(_of_mask(works, mask)) for name, mask in content["functions"].items()})

    def write(self, file: Path = FILE) -> None:
        works = sorted(set().union(*self.takers.values()))
        numbers = {work: number for number, work in enumerate(works)}
        masks = {name: f"{sum(1 << numbers[w] for w in takers):x}" for name, takers in sorted(self.takers.items())}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"works": works, "functions": masks}))


def _of_mask(works: list[str], mask: str) -> Iterable[str]:
    bits = int(mask, 16)
    return (work for number, work in enumerate(works) if bits >> number & 1)


def recorded(data: coverage.CoverageData) -> Record:
    """What was measured, with the name of a work as the context of its lines."""
    takers: dict[str, set[str]] = {}
    for path in data.measured_files():
        file = Path(path)
        functions = functions_of(file.read_text())
        name = file.relative_to(ROOT).as_posix()
        for line, works in data.contexts_by_lineno(path).items():
            if (function := functions.get(line)) is not None:
                takers.setdefault(f"{name}:{function}", set()).update(w for w in works if w)
    return Record({name: frozenset(works) for name, works in takers.items() if works})


def functions_of(text: str) -> dict[int, str]:
    """The innermost function, of those that others name, that has each line of a module in its body or its head; a
    function inside of another counts as that."""
    found: dict[int, str] = {}

    def enter(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min((d.lineno for d in child.decorator_list), default=child.lineno)
                found.update(dict.fromkeys(range(first, (child.end_lineno or first) + 1), prefix + child.name))
            elif isinstance(child, ast.ClassDef):
                enter(child, f"{prefix}{child.name}.")
            else:
                enter(child, prefix)

    enter(ast.parse(text), "")
    return found
