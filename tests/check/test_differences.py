"""Derivatives by differences, of functions of one number: what they say of right and wrong ones."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from cladpy.check.by_element import sought
from cladpy.check.differences import BFLOAT16, DOUBLE, FLOAT, HALF, Line, Point, Precision, Shape, Verdict, judge

Function = Callable[[float], float]
TYPES = {DOUBLE: np.float64, FLOAT: np.float32, HALF: np.float16, BFLOAT16: np.float32}


def judged(f: Function, at: float, value: float, precision: Precision = DOUBLE, weight: float = 1.0) -> Verdict:
    """Of a derivative of `f`, whose result is rounded to the precision."""
    rounded = TYPES[precision]

    def numbers(x: float) -> np.ndarray:
        try:
            return np.array([float(rounded(f(x)))])
        except (ValueError, ZeroDivisionError):
            return np.array([math.nan])

    def after(step: float) -> Point:
        return Point(step, np.array([step]), numbers(at + step))

    none = np.full(1, -1)
    line = Line(after, numbers(at), np.array([weight]), np.zeros(1), none, precision.eps)
    return judge(line, max(1.0, 2.0 ** math.floor(math.log2(abs(at) or 1.0))), weight * value, precision)


SMOOTH: dict[str, tuple[Function, float, float]] = {
    "parabola": (lambda x: x * x, 0.0, 0.0),
    "fourth power": (lambda x: x**4, 0.0, 0.0),
    "between": (lambda x: abs(x) ** 1.5, 0.0, 0.0),
    "sine": (math.sin, 2.0, math.cos(2.0)),
    "steep": (lambda x: math.exp(5 * x), 1.0, 5 * math.exp(5.0)),
    "softplus": (lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))), 0.0, 0.5),
    "beside a kink": (lambda x: abs(x - 1.0), 1.02, 1.0),
    "constant": (lambda x: 3.0, 1.0, 0.0),
}


@pytest.mark.parametrize("precision", [DOUBLE, FLOAT], ids=["double", "float"])
@pytest.mark.parametrize("case", SMOOTH.values(), ids=list(SMOOTH))
def test_where_a_function_is_smooth_its_derivative_is_right_and_no_other(
    case: tuple[Function, float, float], precision: Precision
) -> None:
    f, at, right = case
    found = judged(f, at, right, precision)
    assert found.decided and found.right and found.slope is not None
    assert found.slope.shape is Shape.SMOOTH
    for wrong in (right + 0.5 * max(abs(right), 0.5), 2 * right + 1, -right - 1, math.nan, math.inf):
        found = judged(f, at, wrong, precision, weight=-0.7)
        assert found.decided and not found.right, wrong


@pytest.mark.parametrize("precision", TYPES, ids=["double", "float", "half", "bfloat16"])
def test_at_a_kink_what_lies_between_both_sides_is_right(precision: Precision) -> None:
    for value, right in ((-1.0, True), (0.0, True), (0.3, True), (2.0, True), (2.5, False), (-1.5, False)):
        found = judged(lambda x: 2 * x if x > 0 else -x, 0.0, value, precision)
        assert found.decided and found.right == right, value
        assert found.slope is not None and found.slope.shape is Shape.KINK


@pytest.mark.parametrize("precision", [DOUBLE, FLOAT, HALF], ids=["double", "float", "half"])
def test_at_a_jump_the_side_of_the_value_decides(precision: Precision) -> None:
    for value, right in ((2.0, True), (1.0, False), (0.0, False)):
        found = judged(lambda x: 2 * x + 5 if x >= 1 else x, 1.0, value, precision)
        assert found.decided and found.right == right
        assert found.slope is not None and found.slope.shape is Shape.JUMP


def test_a_step_that_fails_is_no_side() -> None:
    assert judged(lambda x: x + math.sqrt(x) * x, 0.0, 1.0).right
    assert not judged(lambda x: x + math.sqrt(x) * x, 0.0, 2.0).right


@pytest.mark.parametrize(
    ("f", "at"),
    [
        (lambda x: 1e17 + x, 1.0),  # no step changes it
        (lambda x: 1e14 + 1e-3 * x, 1.0),  # a few units in the last place
        (lambda x: math.sqrt(max(x, 0.0)), 0.0),  # infinite
        (lambda x: math.copysign(1.0, math.sin(1e12 * x)) * x, 1.0),  # jumps everywhere
        (lambda x: 5.0 if x == 1 else x, 1.0),  # from neither side
    ],
    ids=["lost", "noisy", "infinite", "jumps", "alone"],
)
def test_nothing_is_said_where_steps_tell_nothing(f: Function, at: float) -> None:
    for value in (0.5, 1e-3, 3.0):
        found = judged(f, at, value)
        lost = found.slope is not None and found.slope.size == 0  # which the check asks the oracle of
        assert not found.decided or (lost and not found.right)


def test_a_staircase_is_constant_between_its_steps() -> None:
    found = judged(lambda x: math.floor(x * 1000) / 1000, 1.0005, 0.0, FLOAT)
    assert found.right or not found.decided
    assert judged(lambda x: math.floor(x * 1000) / 1000, 1.0005, 0.0, DOUBLE).right


def test_what_the_function_leaves_alone_is_no_measure_of_the_rest() -> None:
    """The element ends as it began, with a weight of 1; beside it stands a number that depends on it a little."""

    def after(step: float) -> Point:
        return Point(step, np.array([step]), np.array([0.5 + step, 1e-4 * math.sin(0.5 + step)]))

    for own, factor, right in ((0, 1.0, True), (0, 2.0, False), (-1, 2.0, True)):
        line = Line(after, after(0.0).numbers, np.array([1.0, 0.5]), np.zeros(2), np.array([own]), FLOAT.eps)
        found = judge(line, 0.5, 1.0 + factor * 0.5e-4 * math.cos(0.5), FLOAT)
        assert found.decided and found.right == right


def test_large_numbers_that_do_not_change_hide_nothing() -> None:
    def after(step: float) -> Point:
        return Point(step, np.array([step]), np.array([1e30, (0.5 + step) ** 2]))

    line = Line(after, after(0.0).numbers, np.ones(2), np.zeros(2), np.full(1, -1), FLOAT.eps)
    assert judge(line, 0.5, 1.0, FLOAT).right
    found = judge(line, 0.5, 2.0, FLOAT)
    assert found.decided and not found.right and found.slope is not None
    assert line.unseen(found.slope, np.array([0.0, 1.0]), 1e30) == 0  # the large one does not depend on the element
    assert line.unseen(found.slope, np.array([3.0, 1.0]), 1e30) == pytest.approx(3)  # and here it may


def test_those_that_differ_are_sought_out() -> None:
    def differs(group: object) -> bool:
        return bool({3, 50, 51} & set(group))  # type: ignore[call-overload]

    assert sought(range(100), differs, 5) == ([3, 50, 51], True)
    assert sought(range(100), differs, 2) == ([3, 50], False)
    assert sought(range(100), lambda group: len(group) > 20, 5) == ([], False)
