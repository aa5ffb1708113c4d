"""What callers promise, fresh and consumed: it makes gradients cheaper, and never wrong."""

from __future__ import annotations

import numpy as np
import pytest

import cladpy
from cladpy.cli import main
from cladpy.diagnostics import DifferentiationError, LaunchError
from cladpy.ir import code
from cladpy.ir.code_walk import all_statements
from cladpy.ir.walk import values
from tests.ir.stages import gradient_of
from tests.kernels.promised import CASES, PROMISES

BY_NAME = {case.function: case for case in CASES}
PLAIN = "__global__ void k(const double *x, double *y, double a) { int i = threadIdx.x; y[i] = a * x[i] * x[i]; }"


@pytest.mark.parametrize("name", PROMISES)
def test_where_promises_help(name: str) -> None:
    case, (fresh, consumed, assigned, left) = BY_NAME[name], PROMISES[name]
    text, on_host = case.path.read_text(), case.grid is None
    found = gradient_of(text, name, args=case.args, growable=on_host, fresh=fresh, consumed=consumed)
    every = list(all_statements(found.main.body))
    updates = [s for s in every if isinstance(s, code.AddElement | code.AddParameter)]
    assert sum(map(_replaces, updates)) == assigned
    assert _left(every) == left


def _replaces(s: code.AddElement | code.AddParameter) -> bool:
    """Whether an update does without what was there before: that may also be read apart, ahead of it."""
    return s.assigned and not any(v.name.endswith("_before") for v in values(s.expr))


def _left(every: list[code.Statement]) -> int:
    """How many cotangents stay where they are taken; those that are read ahead, in buffers in which nothing changes,
    as one."""
    taken = [s for s in every if isinstance(s, code.Take)]
    changed = {s.root for s in every if isinstance(s, code.AddElement | code.Take)}
    inits = (s.init for s in every if isinstance(s, code.Define))
    read = {init.root for init in inits if isinstance(init, code.Element) and init.adjoint}
    return sum(not s.zero for s in taken) + len(read - changed)


def test_all_is_taken_before_the_first_is_zeroed() -> None:
    case = BY_NAME["streamed"]
    text = cladpy.gradient(str(case.path), case.function, case.args).code
    lines = [line.strip() for line in text.splitlines() if "_d_g[" in line]
    assert [line.startswith("const double") for line in lines] == [True] * 5 + [False] * 5


def test_nothing_is_assigned_without_a_promise() -> None:
    case = BY_NAME["squared"]
    found = gradient_of(case.path.read_text(), "squared", args=case.args, growable=False)
    assert not any(isinstance(s, code.AddElement) and _replaces(s) for s in all_statements(found.main.body))


def test_arrays_that_are_not_fresh_are_refused() -> None:
    gradient = cladpy.gradient(PLAIN, "k", "x, y, a", backend="host", fresh="x, a")
    given = (np.ones(4), np.zeros(4), 2.0)
    gradient.execute_kernel(1, 4, *given, np.zeros(4), np.ones(4), np.zeros(1))
    for dx, da, name in ((np.ones(4), np.zeros(1), "x"), (np.zeros(4), np.ones(1), "a")):
        with pytest.raises(LaunchError, match=f"_d_{name} holds other numbers than zero"):
            gradient.execute_kernel(1, 4, *given, dx, np.ones(4), da)
    gradient.execute_kernel(1, 4, *given, np.full(4, -0.0), np.ones(4), np.zeros(1))


def test_whose_adjoint_is_only_read() -> None:
    def changed(text: str, **promises: str) -> list[str]:
        return sorted(cladpy.gradient(text, "k", "x, y", backend="host", **promises).derivative.changed)

    assert changed(PLAIN) == ["x", "y"] and changed(PLAIN, consumed="y") == ["x"]
    added = PLAIN.replace("y[i] =", "y[i] +=")
    assert changed(added) == ["x"]
    called = (
        "__device__ void put(double *y, double x) { *y = x; }"
        "__global__ void k(const double *x, double *y) { put(y + threadIdx.x, 2 * x[threadIdx.x]); }"
    )
    assert changed(called) == ["x", "y"], "what a pullback does with it is not looked at"


@pytest.mark.parametrize(
    ("promise", "code"),
    [({"fresh": "z"}, "CP0309"), ({"consumed": "a"}, "CP0309"), ({"fresh": "y"}, "CP0311")],
)
def test_promises_about_nothing(promise: dict[str, str], code: str) -> None:
    with pytest.raises(DifferentiationError) as caught:
        cladpy.gradient(PLAIN, "k", "x, y", backend="host", **promise)
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_what_a_promise_changes_is_explained(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(BY_NAME["squared"].path)
    for name, found in (
        ("squared", ("assigned", "which is zero before: fresh", "nobody looks at the element afterwards: consumed")),
        ("one_after_the_other", ("fresh does not help",)),
        ("stored_twice", ("consumed does not help",)),
    ):
        with pytest.raises(SystemExit):
            main(["explain", path, "-f", name, "--args", "x, y", "--fresh", "x", "--consumed", "y"])
        text = capfd.readouterr().out
        assert all(part in text for part in found), text
