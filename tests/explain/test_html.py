"""The page of a gradient: complete, linked, and as it stands in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cladpy.cli import run
from cladpy.diagnostics import Diagnostic, Severity
from cladpy.explain.html import as_html
from cladpy.explain.lines import Annotated
from cladpy.explain.report import Kind
from cladpy.options import Options
from cladpy.pipeline import annotate, differentiate
from cladpy.source import Source
from tests.explain.test_golden import FOLDER, FUNCTION
from tests.golden import names


def made(name: str, target: str = "cuda") -> Annotated:
    return annotate(Source.load(str(FOLDER / f"{name}.cu")), FUNCTION, "", Options.make(), target)


class _Page(HTMLParser):
    """What is looked for in a page: elements' names, ids and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]


@pytest.mark.parametrize(("name", "target"), [*((name, "cuda") for name in names(FOLDER)), ("teams", "host")])
def test_every_line_is_there_and_every_update_has_its_colour(name: str, target: str) -> None:
    found = made(name, target)
    emitted = differentiate(Source.load(str(FOLDER / f"{name}.cu")), FUNCTION, "", Options.make(), target)
    assert "\n".join(line.text for line in found.lines) == emitted.fragment
    pane = as_html(found).partition('<div class="pane"><h2>')[2].partition("<table>")[0]
    rows = re.findall('<div class="row.*<code>(.*)</code>', pane)
    assert [unescape(re.sub("<[^>]*>", "", row)) for row in rows] == emitted.fragment.removesuffix("\n").split("\n")
    coloured = {(line.kind, line.takes, line.span) for line in found.lines}
    for function in found.report.functions:
        for u in function.updates:
            span = None if u.target.startswith("*") else u.span  # of an argument by value
            assert u.kind is Kind.REGISTER or (u.kind, u.takes, span) in coloured, u


def test_the_page_stands_by_itself() -> None:
    text = as_html(made("pullback"))
    page = _Page(text)
    assert not {"script", "link", "img", "iframe", "details"} & set(page.tags)
    assert "url(" not in text and "@import" not in text and "http" not in text
    assert len(page.ids) == len(set(page.ids))
    assert page.links and {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "horner_pullback" in text


def test_lines_are_linked_both_ways() -> None:
    found = made("tape")
    text = as_html(found)
    [key] = set(re.findall(r'class="cladpy" id="(\w+)"', text))
    number = next(k for k, line in enumerate(found.lines, 1) if line.span is not None and line.span.line == 8)
    assert f'<div class="row l8" id="{key}-s8"><a href="#{key}-g{number}">8</a>' in text
    assert f'<div class="row l8" id="{key}-g{number}"><a href="#{key}-s8">8</a>' in text
    assert "keeps window_i0: 8 bytes \N{MULTIPLICATION SIGN} 4" in text


def test_what_a_header_has_is_named_and_no_link(tmp_path: Path) -> None:
    (tmp_path / "f.h").write_text("__device__ double f(const double *w) {\n  return w[0] * w[1];\n}\n")
    source = '#include "f.h"\n__global__ void k(double *y, const double *w) { y[threadIdx.x] = f(w); }\n'
    (tmp_path / "k.cu").write_text(source)
    text = as_html(annotate(Source.load(tmp_path / "k.cu"), "k", "", Options.make(), "cuda"))
    assert f"{tmp_path}/f.h:2:" in text


def test_warnings_stand_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(double *y, const double *x) { y[threadIdx.x] = x[0]; }\n")
    found = annotate(Source.load(tmp_path / "k.cu"), "k", "y, x", Options.make(), "cuda")
    assert not found.warnings and 'class="warning"' not in as_html(found)
    said = replace(found, warnings=(Diagnostic("CP0000", Severity.WARNING, "less than <it> seems"),))
    assert "less than &lt;it&gt; seems [CP0000]" in as_html(said)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    program = str(FOLDER / "proofs.cu")
    assert run(["explain", program, "-f", "k", "--html", "-o", str(page)]) == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert run(["explain", program, "-f", "k", "-o", str(page)]) == 0
    assert page.read_text().startswith("k_grad: the gradient of 'k'")
    assert run(["explain", program, "-f", "k", "--html", "-o", program]) == 2
    assert "it is the same file as the input" in capsys.readouterr().err
    assert run(["explain", program, "-f", "k", "--html", "--diagnostics", "json"]) == 2
    assert "with --html a page" in capsys.readouterr().err


# What a browser makes of it, which a script of the test's writes into the page.
_LOOK = """<script>
const at = s => document.querySelector(s).getBoundingClientRect();
const [left, right] = [at('.source'), at('.pane:last-child')];
const hidden = [...document.querySelectorAll('.cladpy *')].filter(e => e.tagName !== 'STYLE' && !e.checkVisibility());
document.body.innerHTML = 'LOOK ' + [
  left.right <= right.left, left.bottom <= right.top, hidden.length,
  document.documentElement.scrollWidth - innerWidth,
  getComputedStyle(document.querySelector('.cladpy')).backgroundColor,
  getComputedStyle(document.querySelector('.row.reduced .chip')).color].join('; ') + ' END';
</script>"""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.parametrize(
    ("width", "dark", "seen"),
    [
        (1500, False, "true; false; 0; 0; rgb(255, 255, 255); rgb(188, 76, 0)"),
        (500, False, "false; true; 0; 0; rgb(255, 255, 255); rgb(188, 76, 0)"),
        (1500, True, "true; false; 0; 0; rgb(13, 17, 23); rgb(240, 136, 62)"),
    ],
)
def test_in_a_browser(width: int, dark: bool, seen: str, tmp_path: Path) -> None:
    """Side by side in a wide window, one below the other in a narrow one; nothing is hidden, or beyond the edge."""
    page = tmp_path / "page.html"
    page.write_text(as_html(made("tape")).replace("</body>", f"{_LOOK}</body>"))
    options = [f"--window-size={width},900", f"--user-data-dir={tmp_path}/profile", "--no-sandbox", "--hide-scrollbars"]
    scheme = [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
    command = ["chromium", "--headless", *options, *scheme, "--dump-dom", page.as_uri()]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stderr
    assert re.search("LOOK (.*) END", found.stdout[found.stdout.rindex("<body") :])[1] == seen  # type: ignore[index]
