"""Host programs under a budget of copies: the gradient is that of the oracle, and the budget holds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import check
from cladpy.runtime import Gradient
from cladpy.runtime.host_runtime import RuntimeWatch, watching_runtime
from tests.programs.case import Program
from tests.programs.cases import CASES

STATE = 40 * 8  # bytes of a buffer of these programs


def _program(name: str) -> Program:
    return next(case for case in CASES if case.id == name)


def _gradient(case: Program, checkpoint: str) -> Gradient:
    return cladpy.gradient(str(case.path), case.function, case.args, backend="host", checkpoint=checkpoint)


# What does not fit: all that the program overwrites.
@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("time_loops-by_std_swap", 2),
        ("time_loops-in_place", 3),
        ("time_loops-ring", 5),
        ("time_loops-on_the_callers", 2),
        ("budgets-until", 5),
        ("budgets-host_state", 2),
        ("budgets-by_force", 14),
        ("budgets-managed", 8),
        ("budgets-rounds", 6),
        ("budgets-by_symbol", 2),
        ("budgets-by_list", 14),
    ],
)
def test_gradient_within_a_budget(name: str, states: int) -> None:
    case = _program(name)
    budget = states * STATE
    gradient = _gradient(case, f"binomial:{budget}")
    assert check(gradient, None, None, case.arguments(), exact_values=True).ok
    report = gradient.report
    assert report is not None
    assert 0 < report.total <= budget
    assert report.repeated > 0


def _run(gradient: Gradient, case: Program, fail_at: int = 0) -> tuple[RuntimeWatch, list[Any]]:
    names = [p.name for p in gradient.derivative.parameters]
    args = case.arguments()
    given = [np.asarray(args[names.index(n.strip())]) for n in case.args.split(",")]
    adjoints = [np.ones(value.shape or 1, value.dtype) for value in given]
    with watching_runtime(fail_at) as watch:
        try:
            gradient.execute(*args, *adjoints)
        finally:
            assert watch.left == 0
    return watch, adjoints


def test_a_budget_that_is_too_small_says_what_is_needed() -> None:
    """The caller's two arrays must hold what they held before; memory of the program's own need not."""
    case = _program("time_loops-on_the_callers")
    with pytest.raises(cladpy.LaunchError, match=f"the budget is 300 bytes, but at least {STATE} bytes"):
        _run(_gradient(case, "binomial:300"), case)
    with pytest.raises(cladpy.LaunchError, match=f"the budget is {STATE} bytes, but at least {2 * STATE} bytes"):
        _run(_gradient(case, f"binomial:{STATE}"), case)
    _run(_gradient(case, f"binomial:{2 * STATE}"), case)
    own = _gradient(_program("time_loops-by_std_swap"), "binomial:1")
    _run(own, _program("time_loops-by_std_swap"))
    assert own.report is not None
    assert own.report.total == 0


def test_a_failure_at_any_call_leaks_nothing() -> None:
    case = _program("budgets-by_force")
    gradient = _gradient(case, f"binomial:{14 * STATE}")
    watch, expected = _run(gradient, case)
    told = 0
    for call in range(1, watch.calls + 1):
        try:
            found = _run(gradient, case, call)[1]
        except cladpy.BackendError as error:
            told += 1
            assert re.search(r"made to fail|out of memory|invalid argument|too many resources", str(error))
            continue
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    assert told > watch.calls // 2


def test_steps_made_again() -> None:
    """Binomially many: with s checkpoints and r repetitions (s + r)! / (s! r!) steps can be reversed."""
    case, states = _program("time_loops-in_place"), 5
    gradient, kept = _gradient(case, f"binomial:{states * STATE}"), _gradient(case, "all")
    for length, repeats in ((4, 0), (50, 2), (333, 6)):
        values = [*case.arguments()[:1], 0.01, 40, length]
        found = [[np.ones(40), np.zeros(1)] for _ in range(2)]
        kept.execute(*values, *found[0])
        gradient.execute(*values, *found[1])
        for one, other in zip(*found, strict=True):
            np.testing.assert_array_equal(one, other)
        assert kept.report is not None
        assert gradient.report is not None
        assert kept.report.total == length * STATE
        assert kept.report.repeated == 0
        assert gradient.report.total <= states * STATE
        assert gradient.report.repeated <= repeats * length
        assert bool(gradient.report.repeated) == bool(repeats)


@pytest.mark.parametrize(
    "given", ["binomial", "binomial:", "binomial:0", "binomial:-3", "binomial:1x", "binomial:1.5G"]
)
def test_what_is_no_budget(given: str) -> None:
    with pytest.raises(cladpy.UsageError, match=r"checkpoint must be one of .* BYTES is a number above zero"):
        cladpy.gradient("x.cu", "f", checkpoint=given)


def test_a_kernel_that_does_something_else_each_time_is_not_launched_again() -> None:
    """Here threads always come in the same order, so that no number would tell."""
    text = _gradient(_program("budgets-by_list"), "binomial:16K").code
    assert re.findall(r'_program\.run\("(\w+)"', text) == ["gather", "scatter", "grow"]
    assert re.search(r"_program\.save\(\{list, count\}, nullptr\);\s+_program\.check\(.*\bchoose\(", text)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        # two copies of the caller's 1,600 bytes, and 64 threads keep two numbers of 8 bytes in each of the other steps
        ("kept_values-lattice-5", 2 * 1600 + 3 * 1024),
        ("kept_values-lattice_of_its_own", 5 * 1024),
        ("kept_values-loops", 2 * 1280 + 4 * 512),
        ("kept_values-fields", 3 * 240 + 3 * 256),
        ("kept_values-lattice_of_its_own-all", 5 * 1600),
    ],
)
def test_values_are_kept_where_that_is_less(name: str, most: int) -> None:
    case = _program(name)
    gradient = _gradient(case, "auto")
    _run(gradient, case)
    assert gradient.report is not None
    assert gradient.report.total == most
