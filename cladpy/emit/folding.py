"""Lines of emitted code are as long as a reader wants them: at most 120 columns, where they can be broken."""

from __future__ import annotations

from cladpy.emit.origins import divided

WIDTH = 120
_INDENT = 4  # of what goes on, further than what it belongs to


def folded(text: str) -> str:
    """The text with long lines broken behind commas. Directives, comments and what has text in it stay as they are."""
    lines = map(divided, text.split("\n"))
    return "\n".join(part + mark for line, mark in lines for part in _parts(line))


def _parts(line: str) -> list[str]:
    if len(line) <= WIDTH or '"' in line or "//" in line or line.lstrip().startswith("#") or line.endswith("\\"):
        return [line]
    first, *others = line.split(", ")
    further = " " * (len(line) - len(line.lstrip()) + _INDENT)
    parts = [first]
    for piece in others:
        longer = f"{parts[-1]}, {piece}"
        if len(longer) < WIDTH:  # with the comma behind it
            parts[-1] = longer
        else:
            parts[-1] += ","
            parts.append(further + piece)
    return parts
