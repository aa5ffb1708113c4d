"""The README's commands are those that CI runs, and its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "custom_derivatives" / "README.md"]
PAGES += sorted((ROOT / "examples").rglob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def quick_start() -> list[str]:
    """The commands of the `bash` blocks under the heading."""
    section = (ROOT / "README.md").read_text().split("\n## Quick start\n")[1].split("\n## ")[0]
    return re.findall(r"^```bash\n(.*?)^```$", section, flags=re.DOTALL | re.MULTILINE)


def test_there_are_two_blocks_of_valid_bash() -> None:
    blocks = quick_start()
    assert len(blocks) == 2
    for block in blocks:
        subprocess.run(["bash", "-n", "-c", block], check=True)
    assert "python examples/quickstart.py" in blocks[0]


def test_ci_runs_the_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text().splitlines()
    for line in quick_start()[1].splitlines():
        assert _words(line) in [_words(other) for other in script], line


def _words(line: str) -> list[str]:
    """A command without its options."""
    return [word for word in line.replace("'", "").split() if not word.startswith("-") or word == "-m"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)  # lambdas look like links
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
