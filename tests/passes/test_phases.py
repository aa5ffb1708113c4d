"""What kernels become for a whole block, as text, and which do not."""

from __future__ import annotations

import re
from unittest import mock

import pytest

from cladpy.ir import code
from cladpy.ir.phases import format_phases
from cladpy.options import Options
from cladpy.passes.phases.divide import in_phases
from cladpy.pipeline import differentiate
from cladpy.resources import custom_derivatives_dir
from cladpy.source import Source

HEAD = (
    "__device__ double power(double v, int n) { return n > 0 ? v * power(v, n - 1) : 1.0; }\n"
    "__global__ void k(int n, double a, const double *x, double *y, const int *at) {\n  int t = threadIdx.x;\n"
)


def phases_of(body: str) -> str:
    """The text of what the gradient of a kernel with that body becomes; nothing where it stays as it is."""
    found: list[str] = []

    def noted(block: code.Block) -> object:
        phases = in_phases(block)
        found.append("" if phases is None else format_phases(phases))
        return phases

    with mock.patch("cladpy.emit.functions.in_phases", noted):
        differentiate(Source("k.cu", f"{HEAD}{body}\n}}\n", None), "k", "x, y", Options.make(), "host")
    (text,) = found
    return text


def test_what_is_held_and_what_is_made_again() -> None:
    text = phases_of(
        "__shared__ double s[64]; int i = blockIdx.x * 64 + t; double v = x[i]; s[t] = v * v;\n"
        "__syncthreads(); y[i] = v * s[63 - t];"
    )
    assert text == EXCHANGE


EXCHANGE = """\
held %x_i: double
held %_d_x_i: double
held %_r: double
held %_d_x_before: double
array @s: double[64]
array d@s: double[64] zeroed
threads, for %x_i, %_r, %_d_x_before {
  // forward sweep
  let %t: int = int(threadIdx.x)
  let %i: int = int(((blockIdx.x * 64) + unsigned int(%t)))
  let %x_i: double = @x[%i]
  @s[%t] = (%x_i * %x_i)
  let %_r: double = read plain d@y[%i]
  let %_d_x_before: double = d@x[%i]
}
threads with %x_i, %_r, for %_d_x_i {
  let %t: int = int(threadIdx.x)
  let %s_i: double = @s[(63 - %t)]
  // reverse sweep
  var %_d_x_i: double = (%_r * %s_i)
  plain d@s[(63 - %t)] += (%_r * %x_i)
}
threads with %x_i, %_d_x_i, %_d_x_before, for %_d_x_i {
  let %t: int = int(threadIdx.x)
  let %i: int = int(((blockIdx.x * 64) + unsigned int(int(threadIdx.x))))
  let %_r.1: double = take plain d@s[%t]
  %_d_x_i += ((%_r.1 + %_r.1) * %x_i)
  plain d@x[%i] = (%_d_x_before + %_d_x_i)
  let %_: double = take plain d@y[%i]
}
"""

# What is looked for in the text, by what the kernel does.
FOUND = (
    (
        "double v = x[t]; for (int k = 16; k > 0; k >>= 1) v += __shfl_xor_sync(0xffffffffu, v, k); y[t] = v * v;",
        ["while (%k > 0) {", "each %shfl_xor_sync = meet __shfl_xor_sync(4294967295, %v, %k, warpSize)"],
    ),
    (
        "double v = x[t];\nif (t % 32 < 16) v *= __shfl_xor_sync(0xffffu, v, 1); else v += v * v;\ny[t] = v * v;",
        ["let %_some = meet any(%_taken)", "threads under %_taken", "threads under %_left"],
    ),
    (
        "double v = x[t];\nif (n > 3) { v *= __shfl_xor_sync(~0u, v, 1); } else { v *= __shfl_xor_sync(~0u, v, 2); }\n"
        "y[t] = v * v;",
        ["if (%n > 3) {", "} else {"],
    ),
    (
        "double v = 0; for (int c = t; c < n; c += blockDim.x) v += x[c] * x[c];\n"
        "v *= __shfl_xor_sync(~0u, v, 1); y[t] = v;",
        ["var %_offset: int = 0", "while %_some {", "%_offset += int(blockDim.x)", "meet largest(%_count)"],
    ),
    (
        "double v = x[t]; int last = at[t]; for (int k = 0; k < last; ++k) {\n"
        "v *= 1.0 + 0.5 * __shfl_xor_sync(__ballot_sync(~0u, k < last), v, 0); }\ny[t] = v;",
        ["while %_some {", "threads under %_there"],
    ),
    (
        "__shared__ double s[32]; s[t] = x[t]; int many = __syncthreads_count(s[t] > 0.5);\n"
        "y[t] = s[31 - t] * (many > 3 ? a : 2.0 * a);",
        ["meet __syncthreads_count(%_given)"],
    ),
    (
        "double v[2] = {x[t], x[t + 32]};\nv[n % 2] *= __shfl_xor_sync(~0u, v[0], 1);\n"
        "__syncwarp(); y[t] = v[0] * v[1];",
        ["held array @v: double[2]", "held array d@v: double[2]"],
    ),
    (
        "double v = x[t];\nif (t % 32 < 16) { v += v * v; if (t % 8 < 4) v *= __shfl_xor_sync(0x0f0fu, v, 1); }\n"
        "y[t] = v;",
        ["threads, for %_taken", "threads under %_taken with %_taken"],
    ),
    (
        "__shared__ double s[32]; s[t] = x[t]; __syncwarp(); y[t] = s[31 - t] * s[t];",
        ["threads with %s_i, %s_i.1, %_r {"],
    ),
    (  # what takes long is held
        "int i = t / n, j = abs(t - 5); double w[2] = {a, a * a}; double v = x[i] * w[n % 2] + x[j];\n"
        "v *= __shfl_xor_sync(~0u, v, 1); y[i + 64 * j] = v;",
        ["held %i: int", "held %abs_: int"],
    ),
    (  # these go in other steps, or are asked for later
        "double v = 0; int c = t; for (; c < n; c += blockDim.x) v += x[c] * x[c];\n"
        "for (int k = t; k < n; k += n / 2) v += x[k]; for (int k = at[t]; k < n; k += blockDim.x) v += x[k];\n"
        "for (int k = t; k < n; ) { k += blockDim.x; v += x[k]; }\n"
        "v *= __shfl_xor_sync(~0u, v, 1); y[c] = v;",
        ["while (%c < %n)"],
    ),
    (
        "__shared__ double s[64]; double v = 0; for (int c = t; c < n; c += 64) v += x[c] * x[c]; s[t] = v;\n"
        "__syncthreads(); for (int h = 32; h > 0; h /= 2) { if (t < h) s[t] += s[t + h]; __syncthreads(); }\n"
        "if (t == 0) y[0] = s[0];",
        ["\ncladpy::first_of_halved_sum_pullback(&d@s[0], 32)\n", "count %_k down from int(%_most)"],
    ),
    (  # what threads add to sums of a piece they do behind their loop
        "int lane = t % 32, row = (blockIdx.x * blockDim.x + t) / 32; double v = 0;\n"
        "for (int c = lane; c < n; c += 32) v += y[row * n + c];\nv += __shfl_xor_sync(~0u, v, 1);\n"
        "for (int c = lane; c < n; c += 32) y[row * n + c] = v * x[c] + x[c + 1];",
        ["\n  add privatised atomic d@x[%_at] += %_added\n", "held %_at: int", "held %_added: double"],
    ),
)


@pytest.mark.parametrize(("body", "lines"), FOUND)
def test_found(body: str, lines: list[str]) -> None:
    text = phases_of(body)
    assert [line for line in lines if line not in text] == []


def test_parameters_are_not_held() -> None:
    """They are there already, also for what lanes do together."""
    text = phases_of("double v = x[t]; for (int d = 1; d < n; d *= 2) v += __shfl_up_sync(~0u, v, d, n); y[t] = v * v;")
    assert "meet __shfl_up_sync" in text and ", %n)" in text
    assert "held %n" not in text and "with %n" not in text


def test_sums_that_would_be_too_much_to_hold() -> None:
    """They are made in the loop over threads."""
    body = next(body for body, lines in FOUND if any("add privatised" in line for line in lines))
    with mock.patch("cladpy.passes.phases.across.MOST", 88):
        text = phases_of(body)
    assert "\n      privatised atomic d@x[%c.1] += (%_r.1 * %v.1)\n" in text and "%_added" not in text


def test_parts_of_a_row() -> None:
    """What divides a thread's number is evaluated once for each part, and where threads are in it counts up."""
    text = phases_of(
        "int i = blockIdx.x * blockDim.x + t, row = i / warpSize, lane = t & 31; double v = x[row * n + lane];\n"
        "v *= __shfl_xor_sync(~0u, v, 1); y[i] = v;"
    )
    assert PARTS in text


PARTS = """\
rows of 32 of the grid as %_place {
  let %_first: int = int((threadIdx.x % 32))
  let %row: int = int((((blockIdx.x * blockDim.x) + threadIdx.x) / 32))
  threads, for %row, %x_i {
    // forward sweep
    let %lane: int = (%_first + %_place)
    let %x_i: double = @x[((%row * %n) + %lane)]
  }
}
"""


def test_parts_that_are_none() -> None:
    """By what is no power of two, by less threads than are worth it, by what data say, of another number."""
    of_others = ("t / 24", "t / 4", "t / n", "(t + n) / 32", "t * 2 / 32", "(t + t) % 32", "(char)t / 32", "at[t] / 32")
    for index in of_others:
        text = phases_of(f"double v = x[{index}]; v *= __shfl_xor_sync(~0u, v, 1); y[t] = v;")
        assert "threads" in text and "rows of" not in text


# Kernels that stay as they are: nobody waits; who is there the hardware says; a function is called; too much would be
# held; what a loop keeps is asked for in another phase.
AS_THEY_ARE = (
    "double v = 0; for (int k = t; k < n; k *= 2) v += x[k] * v; v *= __shfl_xor_sync(~0u, v, 1); y[t] = v;",
    "y[t] = x[t] * x[t];",
    "double v = x[t]; if (__activemask() == 3u) v *= v; __syncwarp(); y[t] = v;",
    "double v = power(x[t], n); v *= __shfl_xor_sync(~0u, v, 1); y[t] = v * v;",
    "double v[64]; for (int k = 0; k < 64; ++k) v[k] = x[k + t] * k;\nfor (int k = 0; k < n; ++k) {\n"
    "v[k] *= __shfl_xor_sync(~0u, v[k + 1] * v[k], 1); }\ny[t] = v[n];",
)


@pytest.mark.parametrize("body", AS_THEY_ARE)
def test_as_they_are(body: str) -> None:
    assert phases_of(body) == ""


def test_states_that_are_made_again() -> None:
    """A loop in which threads go along memory together, in one whose states are made again: by each thread for itself,
    also where what keeps these and what asks for them would be in one phase."""
    body = (
        "double v = x[t]; for (int k = 0; k < n; ++k) { double s = 0;\n"
        "for (int i = t; i < 64; i += 32) s += x[i];\nv = v * v + s; } v *= __shfl_xor_sync(~0u, v, 1); y[t] = v;"
    )
    with mock.patch("cladpy.passes.phases.across._has_more", return_value=False):
        assert phases_of(body) == ""


def test_names_that_the_loops_declare() -> None:
    """No text says what the macro of a loop over threads declares: parameters of that name are called otherwise."""
    text = (
        "__global__ void k(double _t_end, const double *_t_x, double *_t_runs) {\n  __shared__ double s[32];\n"
        "  s[threadIdx.x] = _t_x[threadIdx.x] * _t_end;\n  __syncthreads();\n"
        "  _t_runs[threadIdx.x] = s[31 - threadIdx.x] * _t_end;\n}\n"
    )
    made = differentiate(Source("k.cu", text, None), "k", "_t_end, _t_x, _t_runs", Options.make(), "host")
    body = made.code[made.code.index("k_grad_block") :]
    code = re.sub("//.*", "", body)
    assert "CLADPY_EACH_THREAD(_t, _block_threads)" in code
    assert re.findall(r"\b_t_(?:begin|count|end|runs|x)\b", code) == []
    header = (custom_derivatives_dir() / "cladpy" / "host" / "phases.h").read_text()
    assert set(re.findall(r"\bt##(_\w+)", header)) == {"_begin", "_count", "_end", "_runs", "_x"}


def test_what_is_the_same_for_all_threads_is_done_once() -> None:
    """Loads of shared memory that nobody stores to before the next barrier, loops of these, and what comes of them."""
    text = phases_of(
        "__shared__ double s[64]; double v = x[t]; s[t] = v * v; __syncthreads();\n"
        "double sum = s[0]; for (int k = 1; k < n; k++) { double p = s[k]; if (p > a) sum += p; }\n"
        "double scale = 1.0 / sum; y[t] = v * scale;"
    )
    assert "let %s_i: double = @s[0]\nvar %sum: double = %s_i\n" in text
    assert "\nwhile (%k < %n) {\n  let %s_i.1: double = @s[%k]\n" in text
    assert "\nlet %scale: double = (1.0 / %sum)\n" in text


@pytest.mark.parametrize(
    "loop",
    [
        "for (int k = 0; k < n; k++) sum += s[k] * s[t];",  # of a thread's own
        "for (int k = 0; k < t; k++) sum += s[k];",
        "s[t] = a; __syncwarp(); for (int k = 0; k < n; k++) sum += s[k];",  # stored to where it is read
        "for (int k = 0; k < n; k++) sum += s[k]; __syncwarp(); if (t == 0) s[0] = a;",
        "for (int k = 0; k < n; k++) if (k < t) sum += s[k];",
        "for (int k = 0; k < n; k++) { sum += s[k] * sum; y[64 + k] = sum; }",
    ],
)
def test_what_is_not_the_same_is_each_threads_own(loop: str) -> None:
    text = phases_of(
        f"__shared__ double s[64]; s[t] = x[t]; __syncthreads(); double sum = a; {loop}\n"
        "__syncthreads(); y[t] = sum * s[t];"
    )
    assert "\nwhile" not in text
    assert "\nlet %sum" not in text
    assert "\nvar %sum" not in text


def test_a_second_name_is_not_held_beside_the_first() -> None:
    text = phases_of(
        "__shared__ double s[64]; double v = x[t]; for (int k = 0; k < n; k++) v *= v; double w = v;\n"
        "s[t] = v; __syncthreads(); y[t] = w * s[63 - t];"
    )
    assert not re.search(r"held %w\b", text)
