"""The rows of the tables that the shortest run compiles and runs; `python -m tests.command.choose` writes them."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).with_name("quick.txt")


def names() -> list[str]:
    """As pytest has them."""
    return FILE.read_text().splitlines()
