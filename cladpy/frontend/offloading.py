"""Directives that have another device do the work, as the host does it where there is none: its memory is the device's,
so that maps copy nothing, and a loop that teams share out is one that threads do."""

from __future__ import annotations

import re

_MOVES = re.compile(r"omp target (?:enter data|exit data|update|data)\b(.*)")
_SHARES = re.compile(
    r"omp (?:target(?: teams)?|teams) "
    r"(?:distribute parallel for|distribute|loop|parallel for|parallel loop)(?: simd)?\b(.*)"
)
_CLAUSE = re.compile(r"\s*(\w+)\s*(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?\s*,?\s*")
# Clauses that say where work is done, by how many teams, and from where to where numbers are copied for that.
_OF_DEVICES = frozenset(
    (
        *("map", "num_teams", "thread_limit", "device", "is_device_ptr", "use_device_ptr", "has_device_addr"),
        *("use_device_addr", "dist_schedule", "to", "from", "defaultmap"),
    )
)
_AT_ONCE = frozenset(("nowait", "depend"))  # the host goes on meanwhile
MAPPED = "mapped"  # a clause of ours: of other scalars the device has copies


def on_host(text: str) -> str:
    """The directive that means the same to the host; others as they are."""
    moves, shares = _MOVES.fullmatch(text), _SHARES.fullmatch(text)
    said = moves or shares
    clauses = None if said is None else _clauses(said[1])
    if clauses is None or any(name in _AT_ONCE or "scalar" in given for name, given in clauses):
        return text
    if moves is not None:
        return "omp flush" if all(name in _OF_DEVICES or name == "if" for name, _ in clauses) else text
    left = [(name, given) for name, given in clauses if name not in _OF_DEVICES]
    if text.startswith("omp target"):
        items = [given.rpartition(":")[2] if "[" not in given else given for name, given in clauses if name == "map"]
        names = [name for item in items for name in re.findall(r"\b[A-Za-z_]\w*", item)]
        left.append((MAPPED, ", ".join(dict.fromkeys(names))))
    return "".join(["omp parallel for", *(f" {name}({given})" if given else f" {name}" for name, given in left)])


def _clauses(text: str) -> list[tuple[str, str]] | None:
    """None for what are no clauses."""
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        clause = _CLAUSE.match(text, at)
        if clause is None:
            return None
        found.append((clause[1], clause[2] or ""))
        at = clause.end()
    return found
