"""Tapes in a workspace give back what they were given, whatever the width of their slots."""

from __future__ import annotations

import ctypes

import pytest

from cladpy.toolchain import compile_host

TEXT = """
#include <cladpy/host.h>
#include <cladpy/support.h>

template <class Tape, class T>
static int pushed_and_popped(unsigned long long *memory, int count) {
  cladpy::launch_state state = {dim3(1, 1, 1), memory, 1, static_cast<unsigned long long>(count)};
  int wrong = 0;
  cladpy::host::launch(dim3(1, 1, 1), dim3(3, 1, 1), 0, nullptr, [&] {
    Tape tape(state);
    for (int i = 0; i < count; ++i) tape.push(T(threadIdx.x * 100 + i) / T(8) - T(3));
    for (int i = count - 1; i >= 0; --i) wrong += tape.template pop<T>() != T(threadIdx.x * 100 + i) / T(8) - T(3);
  });
  return wrong;
}
#define GIVES_BACK(name, Tape, T) \\
  extern "C" int name(unsigned long long *m, int n) { return pushed_and_popped<cladpy::Tape, T>(m, n); }

// Every other slot is passed over.
template <class Tape>
static int passed_over(unsigned long long *memory, int count) {
  cladpy::launch_state state = {dim3(1, 1, 1), memory, 1, static_cast<unsigned long long>(count)};
  int wrong = 0;
  cladpy::host::launch(dim3(1, 1, 1), dim3(3, 1, 1), 0, nullptr, [&] {
    Tape tape(state);
    for (int i = 0; i < count; ++i) tape.push_if(i % 2, 5.0f + i);
    for (int i = count - 1; i >= 0; --i) wrong += tape.template pop_if<float>(i % 2) != (i % 2 ? 5.0f + i : 0.0f);
    // fetched early, in two loops
    for (int turn = 0; turn < 2; ++turn) {
      for (int i = 0; i < count; ++i) tape.push_if(i % 2, 7.0f + i);
      tape.fetch(count > 0 && (count - 1) % 2);
      for (int i = count - 1; i >= 0; --i)
        wrong += tape.template pop_if<float>(i % 2, i > 0 && (i - 1) % 2) != (i % 2 ? 7.0f + i : 0.0f);
    }
  });
  return wrong;
}
#define PASSES_OVER(name, Tape) \\
  extern "C" int name(unsigned long long *m, int n) { return passed_over<cladpy::Tape>(m, n); }
PASSES_OVER(wide_passed_over, workspace_tape)
PASSES_OVER(guarded_passed_over, guarded_tape)
PASSES_OVER(narrow_passed_over, narrow_workspace_tape)

GIVES_BACK(of_floats, workspace_tape, float)
GIVES_BACK(narrow, narrow_workspace_tape, float)
GIVES_BACK(of_integers, narrow_workspace_tape, int)
GIVES_BACK(of_doubles, workspace_tape, double)
"""


@pytest.mark.parametrize(("name", "words"), [("of_floats", 2), ("narrow", 1), ("of_integers", 1), ("of_doubles", 2)])
def test_what_is_pushed_is_popped(name: str, words: int) -> None:
    library = ctypes.CDLL(str(compile_host(TEXT)))
    count, threads = 5, 3
    memory = (ctypes.c_uint * (count * threads * words + 2))(*[7] * (count * threads * words + 2))
    assert getattr(library, name)(memory, count) == 0
    assert list(memory[count * threads * words :]) == [7, 7], "more was written than there is room for"


@pytest.mark.parametrize(("name", "words"), [("wide", 2), ("guarded", 2), ("narrow", 1)])
def test_slots_that_are_passed_over_are_not_touched(name: str, words: int) -> None:
    library = ctypes.CDLL(str(compile_host(TEXT)))
    count, threads = 5, 3
    memory = (ctypes.c_uint * (count * threads * words))(*[7] * (count * threads * words))
    assert getattr(library, f"{name}_passed_over")(memory, count) == 0
    rows = [set(memory[i * threads * words : (i + 1) * threads * words]) for i in range(count)]
    assert [row == {7} for row in rows] == [True, False, True, False, True]
