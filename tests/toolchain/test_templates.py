"""Templates that an earlier process has compiled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest

from cladpy import templating
from cladpy.templating import template_named


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    templating._environment.cache_clear()
    yield tmp_path / "cache"
    templating._environment.cache_clear()


def test_they_are_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "{{ a }}"
    monkeypatch.setattr(jinja2.FileSystemLoader, "get_source", lambda *_: (text, "t.j2", lambda: True))
    assert template_named("t.j2").render(a=1) == "1"
    templating._environment.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(jinja2.Environment, "compile", None)
        assert template_named("t.j2").render(a=2) == "2"
    templating._environment.cache_clear()
    text = "{{ a + 1 }}"  # another text of the same template
    assert template_named("t.j2").render(a=2) == "3"


def test_without_a_cache(folder: Path) -> None:
    folder.write_text("no folder")
    assert template_named("entry.host.j2").name == "entry.host.j2"
