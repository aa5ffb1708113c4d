"""The rules as device code: they compile without a warning, with partials of the result's type."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.derivatives.program import entries, program

ROOT = Path(__file__).parents[2]


def nvcc() -> str:
    """nvcc of the machine, or of the PyPI package that the extra `dev` brings."""
    packaged = Path(sysconfig.get_path("purelib")) / "nvidia" / "cu13" / "bin" / "nvcc"
    return shutil.which("nvcc") or str(packaged)


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("device")
    source, output = folder / "rules.cu", folder / "rules.ptx"
    source.write_text(program("__global__"))
    flags = ["-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "--expt-relaxed-constexpr", "-ptx"]
    include = f"-I{ROOT / 'custom_derivatives'}"
    subprocess.run([nvcc(), *flags, include, str(source), "-o", str(output)], check=True)
    return output.read_text()


def test_every_rule_is_there(assembly: str) -> None:
    expected = {entry for entry, rule, _ in entries() if rule.name != "std::hypot"}
    assert expected - set(re.findall(r"\.entry (\w+)", assembly)) == set()
