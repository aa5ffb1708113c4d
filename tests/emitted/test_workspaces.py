"""What the launch function of a gradient with a workspace does on a GPU, done on the host: it finds out how many slots
a thread needs, allocates them, and runs fewer blocks than the grid has. Tapes stop a kernel that would leave them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from cladpy.check.gradient_check import check
from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError
from cladpy.emit.host_source import host_source
from cladpy.frontend.launches import find_launches
from cladpy.resources import include_dirs
from cladpy.runtime.gradient import Gradient
from cladpy.source import Source
from tests.emitted.units import derivative_of
from tests.kernels.case import Case
from tests.kernels.cases import CASES

# Whose number of slots the host knows, and whose is counted.
AT_LAUNCH = {
    "batches-squared_in_place-of_21_by_4",  # loops with a stride
    "batches-carried_on-of_38_by_4",
    "block_learning-softmax-of_96",
    "block_learning-cross_entropy-of_33",
    "block_stencils-burgers_in_place-of_33",
    "block_stencils-pyramid",
    "divided-tree",
    "divided-in_nest",
    "divided-in_nest-none",
    "fields-likelihood",
    "kept_under-both_sides",  # slots that are passed over
    "kept_under-nested",
    "kept_under-triangle-ragged",
    "launch_bounds-triangle",  # loops that threads run unequally often
    "launch_bounds-up_to",
    "launch_bounds-inside",
    "launch_bounds-chunks",
    "memory-own_rows",
    "put_back-chosen",
    "put_back-two_loops-ragged",
    "recurrences-heston",
    "reinterpreted-array_of_objects_as_numbers",
    "sampling-deformable_im2col<float, long long>",  # narrow slots
    "warps-nested_rounds",
}
COUNTED = {
    "block_reductions-product-of_33",
    "in_step-nested",
    "kept_under-loop_in_branch",
    "launch_bounds-unknown",
    "launch_bounds-differences",
    "launch_bounds-shifted",
    "memory-in_place_while",  # with a log
    "science-cholesky",
    "warps-unequal_trips",
}
CHOSEN = [case for case in CASES if case.id in AT_LAUNCH | COUNTED]

GUARDED = """
template <class Tape>
struct within_its_slots : Tape {
  unsigned long long left, slots;
  explicit within_its_slots(const cladpy::launch_state &state) : Tape(state), left(state.slots), slots(left) {}
  template <class T>
  void push(T value) {
    if (left-- == 0) __trap();
    Tape::push(value);
  }
  template <class T>
  void push_if(bool kept, T value) {
    if (left-- == 0) __trap();
    Tape::push_if(kept, value);
  }
  template <class T>
  T pop_if(bool kept) {
    ++left;
    return Tape::template pop_if<T>(kept);
  }
  template <class T>
  T pop_if(bool kept, bool soon) {
    ++left;
    if (soon && left == slots) __trap();  // nothing is below
    return Tape::template pop_if<T>(kept, soon);
  }
  void fetch(bool soon) {
    if (soon && left == slots) __trap();  // nothing is on it
    Tape::fetch(soon);
  }
  template <class T>
  T pop() {
    ++left;
    return Tape::template pop<T>();
  }
};
"""


def library_of_launches() -> str:
    """The text of <cladpy/launch.h>, in which the launches are: as it is for a GPU, also when the host compiles it."""
    found = (Path(folder, "cladpy", "launch.h") for folder in include_dirs())
    text = next(path for path in found if path.exists()).read_text().replace("#pragma once\n", "")
    elsewhere = "#elif defined(CLADPY_HOST_H)\n"
    assert text.count(elsewhere) == 1
    return text.replace(elsewhere, "#elif 0\n")


def on_the_host(derivative: Derivative, launching: str = "") -> Derivative:
    """A derivative for CUDA, to be compiled for the host as programs that launch are."""
    text = derivative.code.replace(
        "#include <cuda_runtime.h>", f"#include <cladpy/host.h>\n#include <cladpy/support.h>{GUARDED}"
    ).replace("#include <cladpy/launch.h>", launching or library_of_launches())
    for tape in ("workspace_tape", "narrow_workspace_tape"):
        text = text.replace(f"cladpy::{tape} _tape(", f"within_its_slots<cladpy::{tape}> _tape(")
    launches, complete = find_launches(text.encode())
    assert complete
    program = replace(derivative.program, launches=launches)
    code = host_source(Source("emitted.cu", text, None), program)
    assert code is not None
    return replace(derivative, code=code, target="host")


def test_one_slot_less_is_noticed() -> None:
    case = next(case for case in CHOSEN if case.id == "divided-tree")
    derivative = derivative_of(str(case.path), case.function, "x, y", "cuda")
    launching = library_of_launches()
    less = launching.replace("tape.reserve(tape.most())", "tape.reserve(tape.most() - 1)")
    assert less != launching
    arguments = case.arguments()
    with pytest.raises(BackendError, match="launch failure"):
        gradient = Gradient(on_the_host(derivative, less), "host")
        gradient.execute_kernel(case.grid, case.block, *arguments, *(a.copy() for a in arguments[:2]))


@pytest.mark.parametrize("case", CHOSEN if os.environ.get("CLADPY_TEST_ALL") else CHOSEN[::2], ids=lambda case: case.id)
def test_slots_are_enough(case: Case) -> None:
    derivative = derivative_of(str(case.path), case.function, case.args, "cuda")
    assert (case.id in AT_LAUNCH) == ("_slots(dim3" in derivative.code.replace("[[maybe_unused]] ", "")), (
        derivative.code
    )
    gradient = Gradient(on_the_host(derivative), "host")
    how = {"variables": case.contents(), "shared_mem": case.shared_mem}
    report = check(gradient, case.grid, case.block, case.arguments(), differences=False, **how)
    assert report.ok, report.text()
