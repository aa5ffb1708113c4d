"""Generated source as a tree of lines: a block is the line that opens it, its lines, and the line that closes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

OPENING, CLOSING = "([{", ")]}"


@dataclass
class Node:
    """A line, or a block with the line that closes it. An `else` is a block of its own, behind the other."""

    line: str
    children: list[Node] = field(default_factory=list)
    closing: str | None = None

    def lines(self) -> Iterator[str]:
        yield self.line
        for child in self.children:
            yield from child.lines()
        if self.closing is not None:
            yield self.closing


def parse(text: str) -> list[Node]:
    root = Node("")
    stack = [root]
    for line in text.splitlines():
        if not line.strip():
            continue
        depth = _depth(line)
        starts_closed = line.lstrip().startswith("}")
        if starts_closed and depth == 0 and len(stack) > 1 and line.rstrip().endswith("{"):
            stack.pop().closing = line[: line.index("}") + 1]
            node = Node(line.replace("} ", "  ", 1))
            stack[-1].children.append(node)
            stack.append(node)
        elif depth > 0:
            node = Node(line)
            stack[-1].children.append(node)
            stack.append(node)
        elif depth < 0 and len(stack) > 1:
            stack.pop().closing = line
        else:
            stack[-1].children.append(Node(line))
    return root.children


def _depth(line: str) -> int:
    return line.count("{") - line.count("}")


def text_of(nodes: list[Node]) -> str:
    lines = [line for node in nodes for line in node.lines() if line]
    return "\n".join(lines) + "\n"


# ---- expressions -----------------------------------------------------------------------------------------------------


def parts(text: str, separators: str = ",") -> list[str]:
    """The text between separators that stand in no brackets."""
    found, depth, start = [], 0, 0
    for k, c in enumerate(text):
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth -= 1
        elif c in separators and depth == 0:
            found.append(text[start:k])
            start = k + 1
    return [*found, text[start:]]


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` is closed; -1 where it is not."""
    depth = 0
    for k in range(at, len(text)):
        if text[k] in OPENING:
            depth += 1
        elif text[k] in CLOSING:
            depth -= 1
            if depth == 0:
                return k
    return -1
