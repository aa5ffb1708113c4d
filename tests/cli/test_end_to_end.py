"""The command as users run it, in a process of its own, on the example programs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cladpy import gradient

ROOT = Path(__file__).parents[2]
WITHOUT_NUMPY = """
import sys
from cladpy.cli import run
status = run(sys.argv[1:])
sys.exit(3 if "numpy" in sys.modules else status)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for example in (ROOT / "examples").glob("*.cu"):
        shutil.copy(example, tmp_path)
    return tmp_path


def cladpy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cladpy", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("function", ["axpy", "black_scholes", "recurrence"])
def test_the_output_is_the_same_every_time(folder: Path, function: str) -> None:
    first, second = (cladpy(folder, "gradient", f"{function}.cu", "-f", function) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert f"{function}_grad" in first.stdout
    assert first.stdout == second.stdout


def test_the_file_includes_the_original_from_where_it_lies(folder: Path) -> None:
    (folder / "generated").mkdir()
    done = cladpy(folder, "gradient", "axpy.cu", "-f", "axpy", "-o", "generated/axpy_grad.cu")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    text = (folder / "generated" / "axpy_grad.cu").read_text()
    assert '#include "../axpy.cu"' in text
    fragment = cladpy(folder, "gradient", "axpy.cu", "-f", "axpy", "--fragment")
    assert fragment.returncode == 0
    assert 'axpy.cu"' not in fragment.stdout
    assert "axpy_grad" in fragment.stdout


def test_generating_code_does_not_load_numpy(folder: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_NUMPY, "gradient", "axpy.cu", "-f", "axpy"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_refusal_shows_the_place(folder: Path) -> None:
    text = "__device__ double unknown(double x);\n__global__ void k(double *a) {\n    *a = unknown(*a);\n}\n"
    (folder / "k.cu").write_text(text)
    done = cladpy(folder, "gradient", "k.cu", "-f", "k")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "k.cu:3:10: error: " in done.stderr
    assert "    3 |     *a = unknown(*a);\n      |          ^" in done.stderr
    assert "unknown_pullback" in done.stderr
    as_json = cladpy(folder, "gradient", "k.cu", "-f", "k", "--diagnostics", "json")
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)[0]["span"]["line"] == 3


def test_an_unknown_function_is_named(folder: Path) -> None:
    done = cladpy(folder, "gradient", "axpy.cu", "-f", "nothing")
    assert done.returncode in (1, 2)
    assert "nothing" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_agrees(folder: Path) -> None:
    values = ["n=5", "growth=random:5", "start=random:5", "steps=[3,0,1,7,2]", "end=zeros:5"]
    settings = [word for value in values for word in ("--set", value)]
    launch = ["--grid", "1", "--block", "32"]
    done = cladpy(folder, "check", "recurrence.cu", "-f", "recurrence", *launch, *settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the gradient agrees with the oracle" in done.stdout


def test_check_names_a_missing_value(folder: Path) -> None:
    done = cladpy(folder, "check", "axpy.cu", "-f", "axpy", "--grid", "1", "--block", "32", "--set", "n=20")
    assert done.returncode == 2
    assert "no value for 'a', 'x', 'y'" in done.stderr


def test_doctor_and_version(folder: Path) -> None:
    done = cladpy(folder, "doctor")
    assert done.returncode == 0, done.stderr
    assert "libclang-ng" in done.stdout


SQUARED = """static const float half = 0.5f;
static __device__ float scaled(float x) { return 2 * half * x; }
__device__ float squared(const float *x, int i) {
  return x[i] * scaled(x[i]);
}
"""
FILLED = """__device__ float squared(const float *x, int i);
static const float half = 0.25f;
static __device__ float scaled(float x) { return 4 * half * x; }
__global__ void fill(const float *x, float *y) {
  const int i = threadIdx.x;
  y[i] = scaled(x[i]) * squared(x, i);
}
void run(const float *x, float *y) {
  fill<<<1, 32>>>(x, y);
}
"""


def test_a_program_of_two_files(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    files = {"fill.cu": FILLED, "squared.cu": SQUARED}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    alone = cladpy(tmp_path, "gradient", "fill.cu", "-f", "fill")
    assert alone.returncode == 1
    assert "if another file of the program has its body, name that file too" in alone.stderr
    arguments = (*files, "-f", "fill", "--depfile", "out/fill.d", "-o", "out/fill_grad.cu")
    done = cladpy(tmp_path, "gradient", *arguments)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "fill_grad.cu").read_text()
    assert '#include "../fill.cu"\n#define half half_of_2\n' in text  # each file has one for itself
    assert '#include "../squared.cu"\n#undef half\n' in text
    assert {"fill.cu", "squared.cu"} <= {Path(f).name for f in (tmp_path / "out" / "fill.d").read_text().split()}
    program = gradient([tmp_path / f for f in files], "run", backend="host")
    x, d_x = np.arange(32, dtype="f4") / 8, np.zeros(32, "f4")
    program.execute(x, np.zeros(32, "f4"), d_x, np.ones(32, "f4"))
    np.testing.assert_allclose(d_x, 3 * x * x, rtol=1e-6)
