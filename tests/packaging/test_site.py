"""The site can be made, by the command that CONTRIBUTING.md has, without a warning."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.packaging.snippets import ROOT

PAGES = ("tutorial", "api", "limitations", "compatibility", "how-it-works", "comparison", "errors/index")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    [command] = re.findall(r"^    python (-m sphinx .*)$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    words = [str(folder) if word == "build/site" else word for word in shlex.split(command)]
    assert "-W" in words
    assert str(folder) in words
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in ("href", "src") and value}


def test_pages_are_there_and_lead_somewhere(site: Path) -> None:
    for name in PAGES:
        page = site / "docs" / f"{name}.html"
        for link in _Links(page.read_text()).found:
            target = link.partition("#")[0].partition("?")[0]
            if target and "://" not in target:
                assert (page.parent / target).exists(), f"{name} leads to {link}"


def test_the_front_leads_to_the_index(site: Path) -> None:
    assert "docs/index.html" in (site / "index.html").read_text()
    menu = _Links((site / "docs" / "index.html").read_text()).found
    assert {f"{name}.html" for name in PAGES} <= menu
    assert "../README.html" in menu
