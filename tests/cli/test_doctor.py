"""`cladpy doctor`: what is there, what is not, and how to get it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import cladpy
from cladpy import doctor
from cladpy.diagnostics import BackendError
from cladpy.frontend.native import REMEDY, native_folder
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
    versions = {"libclang-ng": "22.1.4", "libclang": "18.1.1", "cladpy": "0", "torch": "2.9", "jax": "0.8"}
    versions |= {"pygments": "2.17", "ipython": "9"}
    monkeypatch.setattr(doctor, "availability", list)
    monkeypatch.setattr(doctor, "BACKENDS", ())
    monkeypatch.setattr(metadata, "version", versions.__getitem__)
    text = doctor.report()
    assert "missing  libclang-ng" in text
    assert "installed beside 'libclang', which overwrites its files" in text
    assert "pip uninstall -y libclang; pip install --force-reinstall --no-deps 'libclang-ng" in text


@pytest.mark.parametrize("left", [None, b"", b"older"], ids=["taken along", "empty", "another's"])
def test_a_libclang_that_is_not_libclang_ngs(left: bytes | None, tmp_path: Path) -> None:
    """What the package libclang leaves, when it was installed over libclang-ng or removed after that."""
    native = tmp_path / "clang" / "native"
    native.mkdir(parents=True)
    (native / "resource").symlink_to(native_folder() / "resource")
    (tmp_path / "clang" / "__init__.py").touch()
    if left is not None:
        (native / "libclang.so").write_bytes(left)
    if left:
        (tmp_path / "older.c").write_text("void *clang_createIndex(void) { return 0; }\n")
        subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "older.c", "-o", native / "libclang.so"], check=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    (tmp_path / "k.cu").write_text("__global__ void k(double *x) { x[0] *= 2; }\n")
    for words in (["doctor"], ["gradient", str(tmp_path / "k.cu"), "-f", "k"]):
        command = [sys.executable, "-m", "cladpy", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        assert "libclang-ng's shared object cannot be used" in said
        assert f"{'to get it' if words == ['doctor'] else 'hint'}: {REMEDY}" in said
        assert "internal error" not in said and "Traceback" not in said


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_framework_that_is_not_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == name:
            raise metadata.PackageNotFoundError(package)
        return "3"

    monkeypatch.setattr(doctor, "availability", list)
    monkeypatch.setattr(metadata, "version", version)
    found = {row.name: row for row in doctor._frameworks()}
    assert [row.ok for row in found.values()] == [other != name for other in ("torch", "jax")]
    assert found[name].detail == f"not installed: cladpy.{name} needs it"
    assert found[name].remedy == f"pip install 'cladpy[{name}]'"


def test_another_version_than_the_installed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "availability", list)
    monkeypatch.setattr(doctor, "BACKENDS", ())
    for version, good in (("0.0.7", False), (cladpy.__version__, True)):
        monkeypatch.setattr(metadata, "version", {"libclang-ng": "22", "cladpy": version}.get)
        row = next(r for r in doctor.rows() if r.name == "cladpy")
        assert row.ok is good
        assert (f"{cladpy.__version__} runs, at " in row.detail) is not good
