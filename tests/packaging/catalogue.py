"""`python -m tests.packaging.catalogue` prints docs/errors/index.md from the places where diagnostics are reported
and from docs/errors/pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "cladpy"
# What is written by hand: why, a program that is refused, and one that is not.
PAGES = Path(__file__).parents[2] / "docs" / "errors" / "pages"
# What `cladpy fix` does about some of them.
PATCHES = Path(__file__).parents[2] / "docs" / "diagnostics.md"
_PATCH = re.compile(r"(?m)^\| \[(CP\d{4})\]\S+ \| (.*) \|$")
_CODE = re.compile(r"CP\d{4}")
_GROUPS = {
    "00": "The program and the function asked for",
    "01": "Constructs of C++",
    "02": "Memory, pointers and calls",
    "03": "Arguments and activity",
    "04": "Derivative rules",
    "05": "Storage and calls in the reverse sweep",
    "09": "The oracle of `cladpy check`",
    "99": "Faults of cladpy",
}
_HEAD = """\
# Diagnostics

Generated from the source and from `pages` by `python -m tests.packaging.catalogue`; do not edit. The first line of a
program says what is asked for: a function, and the arguments to differentiate by; options follow by their names.

Each diagnostic has a code that stays the same between versions. Errors end the run; warnings do not. `…` stands for
what is taken from your program.
"""


@dataclass(slots=True)
class Entry:
    """What is said under a code, in the order of the source."""

    messages: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)


def catalogue() -> dict[str, Entry]:
    """All codes that the package reports."""
    entries: dict[str, Entry] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for code, message, hint in _reports(ast.parse(path.read_text())):
            entry = entries.setdefault(code, Entry())
            if message and message not in entry.messages:
                entry.messages.append(message)
            if hint and hint not in entry.hints:
                entry.hints.append(hint)
    return dict(sorted(entries.items()))


def document() -> str:
    """The text of docs/errors/index.md."""
    lines, group = [_HEAD], ""
    patches = dict(_PATCH.findall(PATCHES.read_text()))
    for code, entry in catalogue().items():
        title = _GROUPS.get(code[2:4], "Others")
        if title != group:
            lines.append(f"\n## {title}\n")
            group = title
        lines.append(f"\n### {code}\n\n")
        lines += [f"> {message}\n>\n" for message in entry.messages[:-1]]
        lines += [f"> {message}\n" for message in entry.messages[-1:]]
        lines += [f"\nWhat to do: {hint}.\n" for hint in entry.hints]
        lines += [f"\nWhat `cladpy fix` does: {patches[code]}\n"] if code in patches else []
        if (written := PAGES / f"{code}.md").exists():
            text = written.read_text().strip().replace("](../../", "](../")  # links lead on from a folder less
            lines.append(f"\n{text}\n")
    return "".join(lines)


def _assignments(tree: ast.Module) -> list[tuple[int, str, str]]:
    """Line, name and text of every assignment of a string to a name, in the order of the source."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            text = _text(node.value)
            if text is not None:
                found.append((node.lineno, node.targets[0].id, text))
    return sorted(found)


def _reports(tree: ast.Module) -> Iterator[tuple[str, str | None, str | None]]:
    """Code, message and hint of every call that carries a code, and of the tables that map codes to such calls."""
    assignments = _assignments(tree)

    def resolved(node: ast.expr | None) -> str | None:
        """A string, or what was last assigned to the name that stands there."""
        if isinstance(node, ast.Name):
            known = [text for line, name, text in assignments if name == node.id and line <= node.lineno]
            return known[-1] if known else None
        return _text(node)

    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                code = _text(key)
                if code and _CODE.fullmatch(code) and isinstance(value, ast.Call):
                    texts = [_text(a) for a in value.args]
                    yield code, texts[0] if texts else None, texts[1] if len(texts) > 1 else None
        elif isinstance(node, ast.Call) and not _is_refused(node):
            texts = [resolved(argument) for argument in node.args]
            named = next((resolved(k.value) for k in node.keywords if k.arg == "hint"), None)
            for position, text in enumerate(texts):
                if text and _CODE.fullmatch(text):
                    # the message follows the code, in `Diagnostic` after the severity; a hint may come later
                    later = [t for t in texts[position + 1 :] if t]
                    if later and any(texts[position + 1 : position + 3]):
                        yield text, later[0], named or (later[1] if len(later) > 1 else None)


def _is_refused(node: ast.Call) -> bool:
    """Whether this names a construct of the front end's table rather than giving a message."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name == "Refused" or (name == "refuse" and isinstance(node.func, ast.Name))


def _text(node: ast.expr | None) -> str | None:
    """A string, with … for what is computed; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text.replace("{name}", "…")
        case ast.JoinedStr(values=values):
            return "".join(_text(v) or "…" for v in values)
        case ast.IfExp(body=body):
            return _text(body)
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            texts = (_text(left), _text(right))
            return None if None in texts else "".join(t for t in texts if t)
    return None


if __name__ == "__main__":
    print(document(), end="")
