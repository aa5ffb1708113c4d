"""The names and forms that the talk shows for device pullbacks: suffixes of the positions of global arguments."""

from __future__ import annotations

import re

from cladpy.derivative import Derivative
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

BY_VALUE = """
__device__ double device_fn(double *in, double val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  return in[index] + val;
}
__global__ void kernel(double *out, double *in, double val) {
  int index = threadIdx.x;
  out[index] = device_fn(in, val);
}
"""
BY_POINTER = """
__device__ double device_fn(double *in, double *val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  return in[index] + *val;
}
__global__ void kernel(double *out, double *in, double *val) {
  int index = threadIdx.x;
  out[index] = device_fn(in, val);
}
"""
NESTED = """
__device__ double inner(double *in, double *val) { return in[threadIdx.x] * *val; }
__device__ double outer(double *in, double val) { return inner(in, &val) * val; }
__device__ double middle(double *in, double *val) { return inner(in, val) + 1.0; }
__global__ void local_address(double *out, double *in, double val) { out[threadIdx.x] = outer(in, val); }
__global__ void two_levels(double *out, double *in, double *val) { out[threadIdx.x] = middle(in, val); }
"""


def gradient(text: str, args: str, function: str = "kernel", target: str = "cuda") -> Derivative:
    return differentiate(Source.load(text), function, args, Options.make(), target)


def pullbacks(derivative: Derivative) -> dict[str, str]:
    """The bodies of the pullbacks by name."""
    definition = re.compile(r"^__device__ inline void (\w+)\([^;{]*\) \{\n(.*?)^}", re.MULTILINE | re.DOTALL)
    return dict(definition.findall(derivative.code))


def test_a_value_argument_is_local() -> None:
    derivative = gradient(BY_VALUE, "out, val")
    assert derivative.gradient_name == "kernel_grad_0_2"
    found = pullbacks(derivative)
    assert list(found) == ["device_fn_pullback_0"]
    assert "atomic" not in found["device_fn_pullback_0"]  # local to each thread
    assert "*_d_val += " in found["device_fn_pullback_0"]


def test_a_global_pointer_takes_atomics() -> None:
    found = pullbacks(gradient(BY_POINTER, "out, val"))
    assert list(found) == ["device_fn_pullback_0_1_3"]
    assert "cladpy::atomic_add(&_d_val[0], _d_return)" in found["device_fn_pullback_0_1_3"]


def test_the_set_of_global_arguments_names_the_pullback() -> None:
    found = pullbacks(gradient(BY_POINTER, "out, in, val"))
    assert list(found) == ["device_fn_pullback_0_1_3_4"]
    body = found["device_fn_pullback_0_1_3_4"]
    assert "cladpy::atomic_add(&_d_val[0], _d_return)" in body
    # every thread has its own element of `in`: no atomic where threads cannot meet
    assert "_d_in[index] += _d_return" in body


def test_different_sets_are_different_functions() -> None:
    names = {args: list(pullbacks(gradient(BY_POINTER, args))) for args in ("out, in", "out, val", "out, in, val")}
    assert names["out, in"] == ["device_fn_pullback_0_1_3"]
    assert names["out, in, val"] == ["device_fn_pullback_0_1_3_4"]


def test_one_function_called_in_two_ways() -> None:
    text = BY_POINTER.replace(
        "out[index] = device_fn(in, val);", "out[index] = device_fn(in, val) * 2.0 + device_fn(val, val);"
    )
    derivative = gradient(text, "out, in")
    assert len(pullbacks(derivative)) == len(set(pullbacks(derivative)))


def test_addresses_of_locals_never_take_atomics() -> None:
    code = gradient(NESTED, "out, val", "local_address").code
    assert "atomic_add" not in code
    assert code.count("cladpy::block_add(_d_val,") == 1  # the scalar argument itself, which all threads share


def test_global_arguments_are_tracked_through_nested_calls() -> None:
    found = pullbacks(gradient(NESTED, "out, in, val", "two_levels"))
    assert list(found) == ["inner_pullback_0_1_3_4", "middle_pullback_0_1_3_4"]
    assert "cladpy::atomic_add(&_d_val[0]" in found["inner_pullback_0_1_3_4"]
