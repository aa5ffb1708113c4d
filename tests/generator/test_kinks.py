"""Random programs at their kinks: where a program is smooth although a choice in it is not, its gradient is the smooth
one, and elsewhere that of some side; see `tests/sides.py`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from cladpy.adjoint import prepare
from tests.fuzz.__main__ import SIZE_AT_KINKS
from tests.generator import FORMS_AT_KINKS, GeneratedProgram, generate_at_kinks
from tests.made import Made, rows_of
from tests.oracle import Judged, judged_random, parts_of
from tests.sides import check_sides

# Longer runs are a command of their own: python -m tests.fuzz --kinks.
SEEDS = {"patterns": (6, 15, 17, 32, 34, 36, 37, 44, 150, 277), "threads": (0, 4), "blocks": (1, 6)}
PLANTED = 210  # a pattern that chooses by `?:`; none that was differentiated before
LOOKED_AT = range(60)

# What is wrong where a program is smooth, and why it stays so. `x` is 0.
KNOWN = {
    "fmax(fmax(x, 0.0), x) + fmin(x, 0.0)": (
        "it is x: 1.25 where 1 is right. Each choice shares by itself, and the outer one does not know that its first "
        "number has a kink at the same place"
    ),
    "fabs(fmin(x, 0.0)) + fmin(x, 0.0)": (
        "it is 0: 0.5 where 0 is right. A number that is never positive has an absolute value without a kink"
    ),
    "(x > 0 ? x : 0) + (x < 0 ? sin(x) : 0)": (
        "it is smooth: 0 where 1 is right. Two branches that are taken, on different sides, and one computes what the "
        "other did not"
    ),
}


@dataclass(frozen=True)
class Drawn:
    form: str
    seed: int

    @property
    def id(self) -> str:
        return f"{self.form}-{self.seed}"

    @property
    def file(self) -> str:
        """As if all were of one file."""
        return "kinks"

    def program(self) -> GeneratedProgram:
        return generate_at_kinks(self.form, self.seed, SIZE_AT_KINKS[self.form])


def rows() -> list[Any]:
    return rows_of("kinks", [Drawn(form, seed) for form, seeds in SEEDS.items() for seed in seeds])


def judged_whole(case: Drawn) -> Judged:
    return replace(judged_random(case.program()), split=False)


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Judged]:
    return Made(request, judged_whole, parts_of)


@pytest.mark.parametrize("case", rows())
def test_gradient_at_kinks(case: Drawn, made: Made[Judged]) -> None:
    report = check_sides(case.program(), case.seed, made.of(case))
    assert report.ok, report.text()


def test_what_is_known_to_be_wrong_still_is() -> None:
    lines = "".join(f"  {{ const double x = p[{k}]; y[{k}] = {e}; }}\n" for k, e in enumerate(KNOWN))
    text = f"__global__ void kernel(const double *p, double *y) {{\n{lines}}}\n"
    program = GeneratedProgram(text, "kernel", "p, y", (1, 1, 1), (1, 1, 1), [np.zeros(len(KNOWN))] * 2, kinks=True)
    report = check_sides(program, 1)
    wrong = {f.what.split(",")[0] for f in report.findings if not f.ok}
    assert wrong >= {f"direction along p[{k}]" for k in range(len(KNOWN))}, report.text()


def test_a_gradient_without_shares_is_found() -> None:
    """As if choices were nothing but branches."""
    program = generate_at_kinks("patterns", PLANTED, SIZE_AT_KINKS["patterns"])
    with mock.patch.object(prepare, "with_ties", lambda function, activity, **_: function):
        assert not check_sides(program, PLANTED).ok


@pytest.mark.parametrize("form", FORMS_AT_KINKS)
def test_a_seed_gives_one_program(form: str) -> None:
    first, again = generate_at_kinks(form, 11, 8), generate_at_kinks(form, 11, 8)
    assert first.text == again.text and first.text != generate_at_kinks(form, 12, 8).text
    assert all(np.array_equal(a, b) for a, b in zip(first.values, again.values, strict=True))


def test_every_construct_occurs() -> None:
    text = "\n".join(
        generate_at_kinks(form, seed, SIZE_AT_KINKS[form]).text for form in FORMS_AT_KINKS for seed in LOOKED_AT
    )
    for construct in (
        "fmax(", "fmin(", "fmaxf(", "fminf(", "max(", "min(", "fabs(", "fdim(", "__saturatef(", "log1p(exp(-fabs(",
        "expm1(fmin(", "cbrt(fmax(", "-INFINITY", "INFINITY", " : -INFINITY", " > m ? ", "__shfl_xor_sync(",
        "__shfl_sync(", "__shfl_up_sync(", "__shfl_down_sync(", "there < at", "at > there", "const bool up", "s[p + 1]",
        " < 0) v", "m + log(sum)", "u - m - log(sum)", "e / sum",
    ):  # fmt: skip
        assert construct in text, construct


def test_values_are_at_kinks() -> None:
    arrays = [
        v for seed in LOOKED_AT for v in generate_at_kinks("threads", seed, 8).values if isinstance(v, np.ndarray)
    ]
    numbers = np.concatenate([a.astype(np.float64) for a in arrays if a.dtype.kind == "f"])
    assert len(np.unique(numbers)) < 12
    assert (np.signbit(numbers) & (numbers == 0)).any() and ((numbers > 0) & (numbers < 1e-40)).any()
