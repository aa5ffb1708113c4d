"""Tests in the order in which they matter, and only as long as there is time: `-p tests.command.plugin`.

`--first FILE` names a list of files of tests that come before the others, `--drawn TEXT` has the others in an order
that the text decides, file by file. `--until SECONDS`, since the epoch, leaves out what has not begun by then; each
file of which something was left out is named at the end.
"""

from __future__ import annotations

import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

_LEFT = "left for another run"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cladpy")
    group.addoption("--first", type=Path, help="a file with the names of files of tests that come first")
    group.addoption("--drawn", default="", help="a text that decides the order of the others")
    group.addoption("--until", type=float, help="when to begin no more, in seconds since the epoch")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    first, drawn = config.getoption("first"), config.getoption("drawn")
    known = set(first.read_text().split()) if first is not None else set()
    if not known and not drawn:
        return

    def place(item: pytest.Item) -> tuple[bool, str]:
        file = item.nodeid.partition("::")[0]
        return file not in known, sha256(f"{drawn} {_scope(item)}".encode()).hexdigest()

    items.sort(key=place)


def _scope(item: pytest.Item) -> str:
    """What is run by one process: the rows of a file of a table, or a file of tests."""
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark is not None and mark.args else item.nodeid.partition("::")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("until")
    if until is not None and time.time() > until:
        pytest.skip(_LEFT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left = Counter(
        report.nodeid.partition("::")[0]
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple) and report.longrepr[2].endswith(_LEFT)
    )
    if left:
        terminalreporter.section(_LEFT)
        for file, count in sorted(left.items()):
            terminalreporter.line(f"{file}: {count}")
