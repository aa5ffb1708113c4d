"""What the passes do to the body of a gradient, one after the other, and which of them are for it."""

from __future__ import annotations

import itertools

import pytest

import cladpy
from cladpy.ir import code
from cladpy.options import Options
from cladpy.passes.order import LAUNCH, ORDER, PULLBACK, SWEPT, Context
from cladpy.pipeline import dump
from cladpy.source import Source

ROWS = """
__global__ void rows(int n, const double *a, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < 8; ++k) sum += a[8 * i + k] * (0.5 * x[i]);
  y[i] = sum;
}
"""
SINES = "double waves(double x) { return std::sin(x) * std::cos(x); }"
SUMS = """
__global__ void sums(int n, const double *x, const double *w, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * w[0];
}
"""
FEW = """
__global__ void k(const double *x, double *y) {
  double p = x[threadIdx.x];
  for (int j = 0; j < 3; ++j) p = p * p * x[threadIdx.x] + sin(p);
  y[threadIdx.x] = p;
}
"""
PARTS = {"tidy: empty branches", "apart: reading together", "apart: reading before writing"}


def passes(text: str, function: str, args: str) -> dict[str, str]:
    """The text of the body after each pass that changed it, in their order."""
    printed = dump(Source.load(text), function, args, Options.make(), "passes")
    names, texts = [], []
    for part in printed.split("==== ")[1:]:
        name, _, body = part.partition("\n")
        names.append(name)
        texts.append(body.strip("\n"))
    assert len(set(names)) == len(names)
    return dict(zip(names, texts, strict=True))


def test_each_pass_that_changes_something_is_told() -> None:
    found = passes(ROWS, "rows", "a, x, y")
    known = ["sweep", *(one.name for one in (*SWEPT, *ORDER, *LAUNCH))]
    assert list(found) == [name for name in known if name in found] and {"sweep", "tidy", "accumulators"} <= set(found)
    bodies = list(found.values())
    assert all(one != other for one, other in itertools.pairwise(bodies))
    # what the loop adds to one element is summed in a variable
    before, after = found["tidy"], found["accumulators"]
    assert before.count("dx") == after.count("dx") and before != after


def test_a_function_has_those_of_kernels_not() -> None:
    found = passes(SINES, "waves", "x")
    assert "shared_functions" in found and "early_pops" not in found


@pytest.mark.parametrize("kernel", [False, True])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("may_alias", [False, True])
def test_nothing_is_made_of_nothing(kernel: bool, whole: bool, may_alias: bool) -> None:
    context = Context(None, frozenset(), kernel, whole, may_alias)  # type: ignore[arg-type]
    assert context.moves == (kernel and whole and not may_alias)
    block: code.Block = ()
    for one in (*SWEPT, *ORDER):
        if one.when(context) and one.name not in (
            "shared_gather",
            "in_step",
            "uniform_sums: at exit",
        ):  # which look at the function
            block = one.run(block, context)
    assert block == ()


def test_passes_that_change_the_launch_are_told() -> None:
    found = passes(SUMS, "sums", "x, w, y")
    assert next(iter(found)) == "sweep" and {"uniform_sums: at exit", "uniform_sums: over blocks"} <= set(found)


def test_passes_have_names_of_modules() -> None:
    names = [one.name for one in (*SWEPT, *ORDER, *LAUNCH)]
    assert all(name.partition(":")[0].isidentifier() for name in names)
    assert len(set(names)) == len(names) and set(names) >= PARTS
    pullback = ["dead_code", "few_steps", "tidy", "accumulators", "shared_functions", "neighbours"]
    assert [one.name for one in PULLBACK] == pullback


def test_what_a_few_steps_keep_is_in_arrays_where_other_passes_are_left_out() -> None:
    gradient = cladpy.gradient(FEW, "k", "x, y", trace_nonfinite=True)
    assert "p_of[" in gradient.code and "_tape" not in gradient.code
