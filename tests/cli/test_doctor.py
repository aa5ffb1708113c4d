"""`cladpy doctor`: what is there, what is not, and how to get it."""

from __future__ import annotations

from importlib import metadata

import pytest

from cladpy import doctor
from cladpy.diagnostics import BackendError
from cladpy.runtime import Availability


def test_what_is_missing_comes_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Availability("nvcc", False, "nvcc was not found", "install the CUDA toolkit")
    found = [missing, Availability("g++", True, "12", "")]
    monkeypatch.setattr(doctor, "availability", lambda: found)
    lines = doctor.report().splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith("missing  nvcc"))
    assert lines[place].split() == ["missing", "nvcc", "nvcc", "was", "not", "found"]
    assert lines[place + 1].strip() == "to get it: install the CUDA toolkit"
    assert any(line.split() == ["ok", "g++", "12"] for line in lines)


def test_each_backend_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def select(backend: str) -> str:
        if backend == "cuda":
            raise BackendError("no device\nhint: get one")
        return "host"

    monkeypatch.setattr(doctor, "select_backend", select)
    lines = [line.strip() for line in doctor.report().splitlines()]
    assert "backend auto  works: host" in lines
    assert "backend host  works" in lines
    place = lines.index("backend cuda  does not: no device")
    assert lines[place + 1] == "hint: get one"


def test_libclang_beside_libclang_ng_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"libclang-ng": "22.1.4", "libclang": "18.1.1", "cladpy": "0"}
    monkeypatch.setattr(doctor, "availability", list)
    monkeypatch.setattr(doctor, "BACKENDS", ())
    monkeypatch.setattr(metadata, "version", versions.__getitem__)
    text = doctor.report()
    assert "missing  libclang-ng" in text
    assert "installed beside 'libclang', which overwrites its files" in text
    assert "pip uninstall libclang" in text
