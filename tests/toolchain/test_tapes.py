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
