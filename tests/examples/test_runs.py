"""Each example runs as its README says, and what it says in the end is that it came out right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.snippets import ROOT

EXAMPLES = ROOT / "examples"
RUNS = (
    "greeks/greeks.py",
    "inverse_heat/find_flux.py",
    "lattice_boltzmann/fit_viscosity.py",
    "molecules/relax.py",
    "splatting/fit_picture.py",
    "splatting/fit_pose.py",
    "volume/reconstruct.py",
)
OF_TORCH = ("adopted/register.py", "torch_layer/torch_layer.py")


def _run(name: str, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    command = [sys.executable, str(EXAMPLES / name), "--picture", "picture.png"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", RUNS)
def test_it_comes_out_right(name: str, tmp_path: Path) -> None:
    _run(name, tmp_path)


@pytest.mark.parametrize("name", OF_TORCH)
def test_it_comes_out_right_with_torch(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    _run(name, tmp_path)


def test_all_are_named() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    for folder in (path for path in EXAMPLES.iterdir() if path.is_dir() and any(path.glob("*.cu"))):
        text = (folder / "README.md").read_text()
        assert f"]({folder.name}/README.md)" in listed
        for script in folder.glob("*.py"):
            assert script.name in text
            runs = f"{folder.name}/{script.name}"
            assert runs in (*RUNS, *OF_TORCH) or script.name == "scene.py"
