"""Frameworks are imported when they are asked for, and what is missing says how to get it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name, package", [("torch", "PyTorch"), ("jax", "JAX")])
def test_only_when_it_is_asked_for(name: str, package: str) -> None:
    program = f"""
import sys
import cladpy
assert {name!r} not in sys.modules
sys.modules[{name!r}] = None  # as where it is not installed
try:
    cladpy.{name}
except ImportError as error:
    print(error)
try:
    cladpy.nothing
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    first, hint, other = done.stdout.splitlines()
    assert first.startswith(f"{package} cannot be imported: ") and hint == f"hint: pip install 'cladpy[{name}]'"
    assert other == "module 'cladpy' has no attribute 'nothing'"
