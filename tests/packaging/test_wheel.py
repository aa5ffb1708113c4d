"""The built wheel, installed into an environment of its own and used away from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import cladpy

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("wheel")  # built and installed once


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is built of it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True)
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    [found] = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment's bin directory, with the wheel and its dependencies only."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=True)
    binaries = folder / "bin"
    pip = [str(binaries / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", str(wheel)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return binaries


def run(environment: Path, folder: Path, *command: str) -> str:
    """Runs a program of the environment in `folder`, with nothing of the checkout in sight, nor what other tests
    compile with; gives its output."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "CLADPY_"))}
    variables["CLADPY_CACHE_DIR"] = str(folder / "cache")
    argv = [str(environment / command[0]), *command[1:]]
    done = subprocess.run(argv, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_templates_headers_modules_and_types(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("templates", "custom_derivatives", "cmake", "docs/errors"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"cladpy/_resources/{folder}/{path.relative_to(ROOT / folder).as_posix()}" in names
    for path in (ROOT / "cladpy").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(ROOT).as_posix() in names
    assert not [name for name in names if name.startswith(("tests/", "examples/", "benchmarks/"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_what_is_uploaded_is_in_order(built: Path, wheel: Path) -> None:
    python = [sys.executable, "-m"]
    subprocess.run([*python, "twine", "check", "--strict", *map(str, built.iterdir())], check=True)
    subprocess.run([*python, "check_wheel_contents", str(wheel)], cwd=ROOT, check=True)
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CITATION.cff", "docs/index.md", "tests/__main__.py", "examples/README.md"} <= names


def test_nothing_in_it_has_a_licence_of_its_own(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith("LICENSE"):
                text = archive.read(name).decode(errors="replace")
                assert not re.search(r"copyright \(c\)|©|licensed under|SPDX-License", text, re.IGNORECASE), name


def test_the_version_stands_in_one_place(wheel: Path) -> None:
    version = wheel.name.split("-")[1]
    assert version == cladpy.__version__
    for name, line in (("CITATION.cff", f"version: {version}"), ("conda/recipe.yaml", f"  version: {version}")):
        assert line in (ROOT / name).read_text().splitlines()


def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    recipe = (ROOT / "conda" / "recipe.yaml").read_text().partition("  run:\n")[2].partition("\ntests:")[0]
    found = {line.strip()[2:].replace(" ", "") for line in recipe.splitlines() if line.strip().startswith("- ")}
    text = (ROOT / "pyproject.toml").read_text()
    [listed] = re.findall(r"^dependencies = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    [python] = re.findall(r'^requires-python = "(.*)"', text, re.MULTILINE)
    assert found == {*(name.lower() for name in re.findall(r'^ *"(.*?)"', listed, re.MULTILINE)), f"python{python}"}


def test_the_example_runs_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    for name in ("quickstart.py", "black_scholes.cu"):
        (tmp_path / name).write_bytes((ROOT / "examples" / name).read_bytes())
    output = run(environment, tmp_path, "python", "quickstart.py")
    assert "black_scholes_grad" in output
    assert "the gradient agrees with the oracle" in output


def test_the_command_runs_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    source = tmp_path / "axpy.cu"
    source.write_bytes((ROOT / "examples" / "axpy.cu").read_bytes())
    run(environment, tmp_path, "cladpy", "gradient", "axpy.cu", "-f", "axpy", "-o", "axpy_grad.cu")
    assert "axpy_grad" in (tmp_path / "axpy_grad.cu").read_text()
    launch = ("--grid", "2", "--block", "32", "--set", "n=40", "--set", "a=2", "--set", "x=random:40")
    output = run(environment, tmp_path, "cladpy", "check", "axpy.cu", "-f", "axpy", *launch, "--set", "y=random:40")
    assert "the gradient agrees with the oracle" in output
    assert "host" in run(environment, tmp_path, "cladpy", "doctor")
    folder = run(environment, tmp_path, "python", "-c", "import cladpy; print(cladpy.cmake_dir())").strip()
    assert Path(folder).parent.name == "_resources"
    assert (Path(folder) / "CladpyGradient.cmake").is_file()
    assert "adjoint updates" in run(environment, tmp_path, "cladpy", "explain", "axpy.cu", "-f", "axpy")
    assert run(environment, tmp_path, "cladpy", "explain", "CP0301").startswith("CP0301\n")
    assert run(environment, tmp_path, "cladpy", "--version").startswith("cladpy ")
