"""Gradients in notebooks, by IPython."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

LINES = "{\n  out[threadIdx.x] = 3 * r[threadIdx.x] * r[threadIdx.x];\n}\n"
KERNEL = f"__global__ void area(const double *r, double *out) {LINES}"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=config)
    made.run_cell("%load_ext cladpy")
    yield made
    InteractiveShell.clear_instance()


def test_a_cell_defines_a_gradient_and_shows_it(shell: InteractiveShell) -> None:
    found = shell.run_cell(f"%%cladpy g --backend host --args 'out, r'\n{KERNEL}").result
    assert shell.user_ns["g"] is found
    html = shell.display_formatter.format(found)[0]["text/html"]  # type: ignore[union-attr]
    assert html.startswith("<style>") and "<body" not in html and "area_grad" in html and ">3</a><code>" in html
    r = np.array([1.0, 2.0])
    d_r, d_out = np.zeros(2), np.array([1.0, 10.0])
    found.execute_kernel(1, 2, r, np.zeros(2), d_r, d_out)
    assert d_r.tolist() == [6.0, 120.0]


@pytest.mark.parametrize(
    ("kernels", "line", "name"),
    [
        (
            "template <class T> __global__ void __launch_bounds__(64) k(T *x) { x[0] *= x[0]; }",
            "-f 'k<double>'",
            "k_grad",
        ),
        (
            "// __global__ void other(\n__global__ __launch_bounds__(64, 2) void k(double *x) { *x *= *x; }",
            "",
            "k_grad",
        ),
        ("namespace n { __device__ double f(double x) { return x * x; } }", "h -f n::f", "h"),
        ("namespace n { double f(double x) { return x * x; } }", "-f n::f", "f_grad"),
    ],
)
def test_names(kernels: str, line: str, name: str, shell: InteractiveShell) -> None:
    found = shell.run_cell(f"%%cladpy {line} --backend host\n{kernels}\n")
    assert found.success and shell.user_ns[name] is found.result


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("", "double f(double x) { return x; }", "the cell has no kernel: say with -f which function is meant"),
        ("", KERNEL + KERNEL.replace("area", "two"), "the cell has the kernels area, two: say with -f"),
        ("1g -f area", KERNEL, "'1g' is no name that Python can give"),
        ("--mystery", KERNEL, "No such option"),
        ("'", KERNEL, "No closing quotation"),
        ("-f area", KERNEL.replace("3 *", "mystery *"), "<string>.cu:3:"),
        ("-f area --diagnostics json", KERNEL.replace("3 *", "mystery *"), '"code": "CP0001"'),
        ("-f area --std c++3", KERNEL, "std"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(
    line: str, cell: str, said: str, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Any = shell.run_cell(f"%%cladpy {line}\n{cell}")
    captured = capsys.readouterr()
    assert not found.success and found.result is None
    assert said in captured.err and "Traceback" not in captured.out + captured.err


def test_help(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run_cell(f"%%cladpy -h\n{KERNEL}").result is None
    assert "--accumulate" in capsys.readouterr().out
