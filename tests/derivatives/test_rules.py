"""Every rule against the derivative that mpmath finds of its own function, by numeric differentiation at 40 digits."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mpmath import mpf

from cladpy.derivatives import MathRule
from tests.derivatives.judgement import CONVENTIONS, DTYPE, EPSILON, SAMPLES, conventions, disagreement, sample
from tests.derivatives.program import entries, integer_operand, program
from tests.derivatives.reference import reference

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("rules")  # compiled once


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("rules")
    source = folder / "rules.cpp"
    source.write_text("#include <cladpy/host.h>\n" + program())
    flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    include = f"-I{ROOT / 'custom_derivatives'}"
    output = folder / "rules.so"
    subprocess.run(["g++", *flags, include, str(source), "-o", str(output)], check=True)
    return ctypes.CDLL(str(output))


def evaluate(library: ctypes.CDLL, entry: str, precision: str, operands: list[np.ndarray]) -> list[np.ndarray]:
    """The value and the partials at all samples."""
    count = len(operands[0])
    results = [np.zeros(count, DTYPE[precision]) for _ in range(len(operands) + 1)]
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*operands, *results)]
    getattr(library, entry)(ctypes.c_int(count), *pointers)
    return results


ENTRIES = list(entries())


@pytest.mark.parametrize(("entry", "rule", "precision"), ENTRIES, ids=[f"{r.name}-{p}" for _, r, p in ENTRIES])
def test_partials_are_the_derivatives(library: ctypes.CDLL, entry: str, rule: MathRule, precision: str) -> None:
    operands = sample(rule, precision)
    _, *partials = evaluate(library, entry, precision, operands)
    for position in range(rule.arity):
        if not integer_operand(rule.name, position):
            wrong = disagreement(rule, precision, operands, position, partials[position])
            assert not wrong, wrong


def test_values_are_those_of_the_reference(library: ctypes.CDLL) -> None:
    """The reference is of the same function: its value is that of the library up to the library's accuracy."""
    for entry, rule, precision in ENTRIES:
        operands = sample(rule, precision)
        value, *_ = evaluate(library, entry, precision, operands)
        for k in range(SAMPLES):
            wanted = reference(rule.name)(*(mpf(a[k].item()) for a in operands))
            error = abs(mpf(value[k].item()) - wanted)
            assert error <= 256 * EPSILON[precision] * max(abs(wanted), mpf(0.1)), (rule.name, [a[k] for a in operands])


@pytest.mark.parametrize(("name", "point", "partials"), CONVENTIONS)
def test_conventions_at_kinks(
    library: ctypes.CDLL, name: str, point: tuple[float, ...], partials: tuple[float, ...]
) -> None:
    checked = 0
    for entry, rule, precision in ENTRIES:
        for here, wanted in conventions(rule, precision):
            if here == point and rule.name.removesuffix("f") == name.removesuffix("f"):
                _, *found = evaluate(library, entry, precision, [np.array([v], DTYPE[precision]) for v in point])
                np.testing.assert_allclose([f[0] for f in found], wanted, rtol=8 * EPSILON[precision], atol=0.0)
                checked += 1
    assert checked


def test_singular_rules_are_those_with_unbounded_partials(library: ctypes.CDLL) -> None:
    """A rule that is not marked singular gives finite partials at every finite operand that is tried."""
    common = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 800.0, -800.0]
    trials = {"double": [*common, 1e-300, 1e300, -1e300], "float": [*common, 1e-30, 1e30, -1e30]}
    for entry, rule, precision in ENTRIES:
        if rule.singular or any(integer_operand(rule.name, k) for k in range(rule.arity)):
            continue
        grid = np.array(np.meshgrid(*[trials[precision]] * rule.arity)).reshape(rule.arity, -1)
        kind = "double" if rule.name.startswith("__double2float") else precision
        operands = [np.ascontiguousarray(row, DTYPE[kind]) for row in grid]
        _, *partials = evaluate(library, entry, precision, operands)
        for partial in partials:
            bad = ~np.isfinite(partial)
            assert not bad.any(), f"{rule.name} is not marked singular: {[o[bad][0] for o in operands]}"
