"""What is learnt on the way is one frozen thing, and each program starts again until there is nothing more to learn."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from cladpy.deep import run_deep
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir.types import FLOAT
from cladpy.ir.walk import statements
from cladpy.normalize import Decisions, Policy, Restart, decided, normalize
from cladpy.options import Options
from cladpy.pipeline import read
from cladpy.source import Source

BY_VALUE = """
struct Pair { double v[2]; };
__global__ void k(Pair p, double *y) { p.v[0] *= y[0]; y[0] = p.v[0] + p.v[1]; }
"""
BYTES = """
__global__ void k(const float *x, float *y) {
  __shared__ char memory[16];
  float *tile = reinterpret_cast<float *>(memory);
  tile[0] = x[0];
  y[0] = tile[0];
}
"""
AS_BITS = """
__device__ int sign(const int *bits) { return *bits < 0; }
__global__ void k(const float *x, float *y) { y[0] = sign(reinterpret_cast<const int *>(x)) ? -x[0] : x[0]; }
"""
LOOP = """
#include <cstdlib>
double k(const double *x, int n) {
  double *last = nullptr, *next = nullptr;
  for (int i = 0; i < n; i++) {
    last = next;
    next = (double *)malloc(8);
    next[0] = last ? last[0] + x[i] : x[i];
  }
  return next[0];
}
"""


def _decisions(text: str) -> tuple[Decisions, core.Function]:
    """What has been decided when `k` is in core form."""
    source = Source.load(text)
    sink = Sink({source.name: source.text})
    program = read(source, "k", Options.make(), sink, "cuda")
    seen: list[Decisions] = []

    def attempt(decisions: Decisions) -> core.Function:
        seen.append(decisions)
        return normalize(program.functions[program.entry], Policy(program.functions, decisions=decisions), sink)

    function = run_deep(lambda: decided(attempt))
    return seen[-1], function


def test_an_array_passed_by_value_that_is_written_to_is_copied() -> None:
    decisions, function = _decisions(BY_VALUE)
    assert decisions == Decisions().with_copies(function.symbol, 0)


def test_bytes_are_memory_of_the_type_that_they_are_used_as() -> None:
    decisions, _ = _decisions(BYTES)
    assert list(decisions.typed.values()) == [FLOAT]


def test_what_cannot_be_given_an_address_is_inlined() -> None:
    decisions, function = _decisions(AS_BITS)
    assert [f.name for f in decisions.inline] == ["sign"]
    assert not any(isinstance(t, core.Call) for t in statements(function.body))


def test_allocations_of_which_several_are_there_are_told_apart() -> None:
    decisions, _ = _decisions(LOOP)
    (site,) = decisions.several
    assert site[-2:] == ("next", "double")


def test_a_policy_is_not_written_to() -> None:
    policy = Policy({})
    with pytest.raises(FrozenInstanceError):
        policy.decisions = Decisions()  # type: ignore[misc]


def test_who_asks_for_a_restart_has_learnt_something() -> None:
    def attempt(decisions: Decisions) -> int:
        if decisions.deepest > 1:
            raise Restart(replace(decisions, deepest=decisions.deepest // 2))
        return decisions.deepest

    def restless(decisions: Decisions) -> int:
        raise Restart(decisions)

    assert decided(attempt) == 1
    with pytest.raises(AssertionError, match="something was learnt"):
        decided(restless)
