"""`cladpy adopt`, as far as it needs no PyTorch; what it writes is tried in tests/frameworks/test_extension.py."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cladpy.cli import run
from cladpy.toolchain.cuda import unit_flags
from cladpy.toolchain.host import portable_flags

WORDS = ["adopt", "ext.cu", "-f", "forward", "-o", "made", "--call", "T[4,3], 2"]


def test_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    writer = SimpleNamespace(write_extension=lambda *args, **named: calls.append((args, named)))
    monkeypatch.setitem(sys.modules, "cladpy.frameworks.extension", writer)
    assert run([*WORDS, "--call", "T[4,3], 3", "--nondifferentiable", "1", "-DN=3", "--name", "op"]) == 0
    [(args, named)] = calls
    assert args == (Path("ext.cu"), "forward", Path("made"), ("T[4,3], 2", "T[4,3], 3"))
    assert named == {"name": "op", "nondifferentiable": (1,), "defines": (("N", "3"),)}


def test_what_it_needs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "cladpy.frameworks.extension", None)
    assert run(WORDS) == 2
    assert "hint: pip install 'cladpy[torch]'" in capsys.readouterr().err
    assert run([*WORDS, "--args", "x"]) == 2
    assert "--nondifferentiable" in capsys.readouterr().err


def test_flags_for_other_machines() -> None:
    assert "-fvisibility=hidden" in portable_flags("c++20") and "-std=c++20" in portable_flags("c++20")
    flags = unit_flags("c++17")
    assert "-shared" in flags and not any(f.startswith("-arch") for f in flags)
