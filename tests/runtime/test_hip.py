"""The hip backend: its executor with a runtime on plain memory, where kernels run on the host; hipcc's libraries."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cladpy
from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError, NonfiniteError, UsageError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import Gradient, availability, executor_device, hip_api, select_backend
from cladpy.runtime.built import build_library
from cladpy.runtime.library import Library
from cladpy.runtime.shape import launch_shape
from cladpy.runtime.tape import Tape
from cladpy.source import Source
from cladpy.toolchain import compile_host
from cladpy.toolchain.discovery import Tool, find_host_compiler
from cladpy.toolchain.entry import with_entry
from tests.emitted.units import HIP, HIP_MISSING

KERNEL = """
__global__ void product(const double *x, const double *w, double *y, int n) {
  extern __shared__ double unused[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * *w + unused[0] * 0;
}
"""
FUNCTION = "__device__ double cubed(double x, const double *w) { return x * x * x * *w; }"
VARIABLE = """
__device__ double table[3] = {1.0, 2.0, 3.0};
__global__ void looked_up(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * table[threadIdx.x]; }
"""

# What a library for a device has besides; the stream 13 is one that fails.
WAITING = """
extern "C" void fake_say(const char *);
extern "C" __attribute__((visibility("default"))) int cladpy_wait(void *consumer, void *producer) {
  char text[64];
  snprintf(text, sizeof text, "wait%ld-%ld", reinterpret_cast<long>(consumer), reinterpret_cast<long>(producer));
  return fake_say(text), reinterpret_cast<long>(producer) == 13;
}
extern "C" __attribute__((visibility("default"))) int cladpy_synchronize(void *stream) {
  return fake_say("synchronize"), reinterpret_cast<long>(stream) == 13;
}
extern "C" int hipMalloc(void **, size_t);
extern "C" int hipFree(void *);
extern "C" __attribute__((visibility("default"))) int cladpy_keep(
    void **copy, const void *memory, unsigned long long bytes, void *stream) {
  char text[64];
  snprintf(text, sizeof text, "keep%ld", reinterpret_cast<long>(stream));
  fake_say(text);
  if (const int failed = hipMalloc(copy, bytes)) return failed;
  return memcpy(*copy, memory, bytes), 0;
}
extern "C" __attribute__((visibility("default"))) int cladpy_release(void *copy, void *stream) {
  char text[64];
  snprintf(text, sizeof text, "release%ld", reinterpret_cast<long>(stream));
  return fake_say(text), hipFree(copy);
}
"""


@pytest.fixture(scope="module")
def runtime_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hip") / "libfake_hip.so"
    source = Path(__file__).with_name("fake_hip.cpp")
    subprocess.run([find_host_compiler().path, "-shared", "-fPIC", "-O1", source, "-o", path], check=True)
    return path


class Fake:
    """The runtime, what it is asked, and memory of it."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        self.library.fake_calls.restype = ctypes.c_char_p
        self.library.fake_memory.restype = ctypes.c_void_p
        self.library.fake_memory.argtypes = [ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int]
        self.library.fake_reset()
        self.architectures: list[str | None] = []

    @property
    def calls(self) -> list[str]:
        return bytes(self.library.fake_calls()).decode().split()

    @property
    def live(self) -> int:
        return int(self.library.fake_live())

    def array(self, values: list[float], device: int = 0, type: int = 1, managed: int = 0, **more: Any) -> DeviceArray:
        return DeviceArray(self.library.fake_memory(8 * len(values), device, type, managed), values, more)


class DeviceArray:
    """As CuPy's and PyTorch's arrays show themselves on ROCm."""

    def __init__(self, address: int, values: list[float], more: dict[str, Any]) -> None:
        self.content = np.ctypeslib.as_array((ctypes.c_double * len(values)).from_address(address))
        self.content[:] = values
        self.__cuda_array_interface__ = {
            "shape": self.content.shape,
            "typestr": "<f8",
            "data": (address, False),
            "version": 3,
            **more,
        }


@pytest.fixture
def fake(runtime_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """A machine with two AMD GPUs, whose kernels the host runs."""
    found = Fake(runtime_path)
    runtime = hip_api.HipRuntime(str(runtime_path))
    monkeypatch.setattr(hip_api, "hip_runtime", lambda: runtime)
    monkeypatch.setattr("cladpy.runtime.backends.find_hipcc", lambda: Tool("/usr/bin/hipcc", "HIP version: 6.4.1"))

    def on_host(derivative: Derivative, arch: str | None = None) -> Library:
        assert derivative.target == "hip"
        found.architectures.append(arch)
        adjoints = ", ".join(a.name.removeprefix("_d_") for a in derivative.adjoints)
        names = ", ".join([adjoints, *(g.name for g in derivative.globals if g.adjoint)])
        twin = differentiate(derivative.source, derivative.function_name, names, derivative.options, "host")
        return Library(compile_host(with_entry(twin) + WAITING, source=twin.source), has_state=bool(twin.globals))

    monkeypatch.setattr(executor_device, "build_library", on_host)
    yield found
    found.library.fake_reset()


def gradient_of(text: str, function: str, args: str) -> Gradient:
    return cladpy.gradient(text, function, args, backend="hip")


def arrays() -> list[Any]:
    return [np.arange(8.0), np.array([3.0]), np.zeros(8), 8]


def adjoints() -> list[NDArray[Any]]:
    return [np.zeros(8), np.zeros(1), np.arange(1.0, 9.0)]


def test_numpy_arrays_are_copied(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")
    assert gradient.backend == "hip" and "hipMalloc" not in gradient.code and "hip/hip_runtime.h" in gradient.code
    given, (dx, dw, dy) = arrays(), adjoints()
    gradient.primal.execute_kernel(2, 4, *given, shared_mem=8)
    assert np.array_equal(given[2], 3 * np.arange(8.0))
    gradient.execute_kernel(2, 4, *given, dx, dw, dy, shared_mem=8)
    assert np.array_equal(dx, 3 * np.arange(1.0, 9.0)) and not dy.any()
    assert dw[0] == float(np.arange(8.0) @ np.arange(1.0, 9.0))
    assert fake.live == 0 and fake.architectures == ["gfx90a"]
    # x and w are not written, and come back from no call
    assert fake.calls.count("in") == 3 + 6 and fake.calls.count("out") == 1 + 4
    assert fake.calls[-1] == "device0"


def test_device_arrays_stay_where_they_are(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")
    x, w, y = fake.array([1, 2], 1), fake.array([3], 1), fake.array([0, 0], 1, stream=7)
    dx, dw, dy = fake.array([0, 0], 1, stream=1), fake.array([0], 1, stream=5), fake.array([1, 10], 1)
    gradient.execute_kernel(1, 2, x, w, y, 2, dx, dw, dy, shared_mem=8, stream=5)
    assert list(dx.content) == [3, 30] and list(dw.content) == [21] and list(dy.content) == [0, 0]
    # on their device, after what is on the arrays' streams, without waiting; the device before is current again
    assert fake.calls == ["device1", "wait5-7", "wait5-0", "device0"]
    assert fake.live == 6 and fake.architectures == ["gfx1030"]


ROOTS = """
__global__ void k(double *y, const double *x) { y[threadIdx.x] = sqrt(x[threadIdx.x]); }
void program(double *y, const double *x) { k<<<1, 2>>>(y, x); }
"""


@pytest.mark.parametrize("function", ["k", "program"])
def test_what_is_not_finite_is_told(fake: Fake, function: str) -> None:
    """After each call the library is asked; launches are not made again unseen."""
    gradient = cladpy.gradient(ROOTS, function, backend="hip", trace_nonfinite=True)
    run = partial(gradient.execute_kernel, 1, 2) if function == "k" else gradient.execute
    for x in ([1.0, 0.0], [1.0, 4.0], [1.0, 0.0]):
        given = np.zeros(2), np.array(x), np.ones(2), np.zeros(2)
        if x[1]:
            run(*given)
            continue
        with pytest.raises(NonfiniteError, match=r"the adjoint of 'x.threadIdx.x.' is inf") as raised:
            run(*given)
        assert (raised.value.kernel, raised.value.line, raised.value.thread) == ("k", 2, (1, 0, 0))
    if function == "k":
        arrays = (fake.array([0, 0]), fake.array([1, 0]), fake.array([1, 1]), fake.array([0, 0]))
        for _ in range(2):
            with pytest.raises(NonfiniteError):
                run(*arrays)


def squared(fake: Fake, stream: int = 0) -> tuple[Gradient, DeviceArray, Tape]:
    gradient = gradient_of("__global__ void k(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }", "k", "x")
    x = fake.array([3, 4])
    return gradient, x, gradient.forward(1, 2, x, stream=stream)[1]


def test_a_tape_on_the_device(fake: Fake) -> None:
    """The copy is made and given back in the order of streams; nobody waits for anything."""
    gradient, x, tape = squared(fake, 5)
    assert list(x.content) == [9, 16] and fake.live == 2 and tape.nbytes == 16
    dx = fake.array([1, 1])
    x.content[:] = 0
    gradient.reverse(tape, dx, stream=7)
    assert list(dx.content) == [6, 8] and list(x.content) == [0, 0] and fake.live == 2
    assert [c for c in fake.calls if not c.startswith("device")] == ["keep5", "wait7-5", "release7"]


def test_a_tape_that_is_closed_or_forgotten(fake: Fake) -> None:
    gradient, _, tape = squared(fake, 5)
    tape.close()
    assert fake.live == 1 and fake.calls[-2:] == ["release5", "device0"]
    del tape
    gradient, _, tape = squared(fake)
    assert fake.live == 3
    del tape
    assert fake.live == 2 and fake.calls[-2:] == ["release0", "device0"]
    fake.library.fake_fail_after(0)
    x = fake.array([1, 2])
    with pytest.raises(BackendError):
        gradient.forward(1, 2, x)
    assert list(x.content) == [1, 2] and fake.live == 3


def test_a_tape_of_numpy_arrays(fake: Fake) -> None:
    gradient = gradient_of("__global__ void k(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }", "k", "x")
    x, dx = np.array([3.0, 4.0]), np.ones(2)
    _, tape = gradient.forward(1, 2, x)
    assert list(x) == [9, 16] and fake.live == 0
    gradient.reverse(tape, dx)
    assert list(dx) == [6, 8] and list(x) == [9, 16] and fake.live == 0


def test_both_kinds_of_arrays(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, y")
    x, dx, dy = fake.array([1, 2]), fake.array([5, 5]), np.array([1.0, 10.0])
    gradient.execute_kernel(1, 2, x, np.array([2.0]), np.zeros(2), 2, dx, dy, shared_mem=8)
    assert list(dx.content) == [7, 25] and not dy.any() and fake.live == 2


def test_a_function_gives_its_value(fake: Fake) -> None:
    gradient = gradient_of(FUNCTION, "cubed", "x, w")
    assert gradient.primal.execute(2.0, np.array([0.5])) == 4.0
    dx, dw = np.zeros(1), np.zeros(1)
    gradient.execute(2.0, np.array([0.5]), dx, dw, cotangent=2.0)
    assert (dx[0], dw[0], fake.live) == (12.0, 16.0, 0)


def test_variables(fake: Fake) -> None:
    gradient = gradient_of(VARIABLE, "looked_up", "y, table")
    assert list(gradient.primal.value_of("table")) == [1, 2, 3]
    gradient.execute_kernel(1, 3, np.arange(3.0), np.zeros(3), np.ones(3))
    assert list(gradient.adjoint_of("table")) == [0, 1, 2]
    assert fake.live == 0


@pytest.mark.parametrize("allocations", range(6))
def test_nothing_is_left_where_memory_runs_out(fake: Fake, allocations: int) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")
    fake.library.fake_fail_after(allocations)
    with pytest.raises(BackendError, match="hipMalloc: out of memory"):
        gradient.execute_kernel(2, 4, *arrays(), *adjoints(), shared_mem=8)
    assert fake.live == 0 and fake.calls[-1] == "device0"


def test_nothing_is_left_where_a_call_fails(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")
    given = adjoints()
    with pytest.raises(BackendError):
        gradient.execute_kernel(2, 4, *arrays(), *given, shared_mem=8, stream=13)
    assert fake.live == 0 and not given[0].any()


def test_memory_that_cannot_be_used(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")

    def call(*given: Any) -> None:
        gradient.execute_kernel(1, 2, *given, shared_mem=8)

    good: Callable[[], DeviceArray] = lambda: fake.array([1, 2])  # noqa: E731
    unknown = good()
    unknown.__cuda_array_interface__["data"] = (np.zeros(2).ctypes.data, False)
    with pytest.raises(ArgumentTypeError, match="x: HIP does not know the array's memory"):
        call(unknown, good(), good(), 2, good(), good(), good())
    shared = "the array is in memory that the device shares with the host, where atomic additions may be lost\nhint"
    for version in (50200000, 60200000):
        fake.library.fake_version(version)
        with pytest.raises(ArgumentTypeError, match=f"_d_w: {shared}"):
            call(good(), fake.array([4]), good(), 2, good(), fake.array([0], managed=1), good())
        with pytest.raises(ArgumentTypeError, match=f"_d_x: {shared}"):
            call(good(), good(), good(), 2, fake.array([0, 0], type=0), good(), good())
        # what is only read may lie there
        dx = fake.array([0, 0])
        call(fake.array([1, 2], managed=1), fake.array([4], type=0), good(), 2, dx, fake.array([0]), good())
        assert list(dx.content) == [4, 8]
    with pytest.raises(LaunchError, match="the arrays are on different devices: x on device 0, w on device 1"):
        call(good(), fake.array([1], 1), good(), 2, good(), fake.array([0]), good())


def test_limits_are_the_devices(fake: Fake) -> None:
    gradient = gradient_of(KERNEL, "product", "x, w, y")
    with pytest.raises(LaunchError, match="65536"):
        gradient.execute_kernel(1, 8, *arrays(), *adjoints(), shared_mem=70000)
    assert fake.live == 0


@pytest.mark.usefixtures("fake")
def test_what_is_there() -> None:
    assert select_backend("hip") == "hip"
    assert availability()[-1] == ("HIP device", True, "Fake 0, Fake 1", "a machine with an AMD GPU and its driver")
    api = hip_api.HipApi()
    assert (api.architecture(0), api.architecture(1), api.shared_limit(1)) == ("gfx90a", "gfx1030", 65536)
    with pytest.raises(BackendError, match="hipSetDevice: invalid argument"), api.active(2):
        pass
    assert api.device_of(12345) is None


@pytest.mark.skipif(HIP_MISSING, reason="no hipcc (Debian: apt install hipcc)")
@pytest.mark.parametrize(
    ("text", "function", "args"), [(KERNEL, "product", "x, w, y"), (FUNCTION, "cubed", ""), (VARIABLE, "looked_up", "")]
)
def test_hipcc_makes_a_library(text: str, function: str, args: str) -> None:
    """Without a device it says so, and does nothing else."""
    derivative = differentiate(Source.load(text), function, args, Options.make(), "hip")
    library = build_library(derivative, "gfx1030")
    for name in (
        "cladpy_wait",
        "cladpy_synchronize",
        "cladpy_keep",
        "cladpy_release",
        "cladpy_run_gradient",
        "cladpy_run_primal",
    ):
        assert getattr(library.handle, name)
    if not hip_api.hip_device_names():
        with pytest.raises(BackendError):
            library.run("cladpy_run_primal", launch_shape(1, 1, 0), 0, [ctypes.c_ulonglong(0)] * 4)
    with pytest.raises(UsageError, match="arch must be like 'gfx90a', not 'sm_90'"):
        build_library(replace(derivative, options=Options.make(arch="sm_90")))


@pytest.mark.parametrize("target", [HIP])
def test_programs_for_cuda_are_compiled_as_they_are(target: str) -> None:
    """Their headers and the runtime functions that their host code calls are CUDA's."""
    text = """#include <cuda_runtime.h>
    #include <math_constants.h>
    __constant__ double scale = 2.0;
    __global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * scale * CUDART_PI; }
    int main() {
      double *x = nullptr, host = 3.0;
      cudaStream_t stream;
      if (cudaMalloc(&x, 8) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) return 1;
      cudaMemcpyToSymbol(scale, &host, sizeof host);
      cudaMemcpyAsync(x, &host, 8, cudaMemcpyHostToDevice, stream);
      k<<<1, 1, 0, stream>>>(x, x);
      const cudaError_t error = cudaGetLastError();
      cudaFree(x);
      return error == cudaErrorMemoryAllocation;
    }
    """
    derivative = differentiate(Source.load(text), "k", "", Options.make(), target)
    assert build_library(derivative, "gfx90a").handle.cladpy_run_gradient


def test_launches_are_repeated(fake: Fake) -> None:
    """With the same arrays nothing is looked at again; with others the runtime says where these are."""
    gradient = gradient_of("__global__ void k(const double *x, double *y, double s) { *y = *x * *x * s; }", "k", "x, y")
    x, y, dx, dy = fake.array([3]), fake.array([0]), fake.array([0]), fake.array([1])
    looked_at: list[object] = []
    original = gradient._executor.run
    gradient._executor.run = lambda *given: (looked_at.append(given), original(*given))  # type: ignore[method-assign]
    for count in (1, 2, 3):
        dy.content[:] = 1
        gradient.execute_kernel(1, 1, x, y, 2.0, dx, dy)
        assert list(dx.content) == [12 * count] and len(looked_at) == 1
    x.content[:] = 5  # what an array holds is none of an argument
    dy.content[:], dx.content[:] = 1, 0
    gradient.execute_kernel(1, 1, x, y, 2.0, dx, dy)
    assert list(dx.content) == [20] and len(looked_at) == 1
    dy.content[:], dx.content[:] = 1, 0
    gradient.execute_kernel(1, 1, x, y, 3.0, dx, dy)
    assert list(dx.content) == [30] and len(looked_at) == 1
    other = fake.array([7])
    x.__cuda_array_interface__["data"] = other.__cuda_array_interface__["data"]
    dy.content[:], dx.content[:] = 1, 0
    gradient.execute_kernel(1, 1, x, y, 3.0, dx, dy)
    assert list(dx.content) == [42] and len(looked_at) == 1
    with pytest.raises(ArgumentTypeError, match=r"_d_x: the array is in memory that the device shares"):
        gradient.execute_kernel(1, 1, x, y, 3.0, fake.array([0], managed=1), dy)
    looked_at.clear()
    gradient.execute_kernel(1, 1, x, y, 3.0, dx, dy, stream=5)
    with pytest.raises(LaunchError):
        gradient.execute_kernel(1, 2000, x, y, 3.0, dx, dy)
    with pytest.raises(LaunchError):
        gradient.execute_kernel(1, 1, x, y, 3.0, dx)
    assert len(looked_at) == 1


def test_launches_are_repeated_with_other_arrays_of_a_device(fake: Fake) -> None:
    """With arrays that say which device they are of, as CuPy's."""
    gradient = gradient_of("__global__ void k(const double *x, double *y, double s) { *y = *x * *x * s; }", "k", "x, y")
    looked_at: list[object] = []
    original = gradient._executor.run
    gradient._executor.run = lambda *given: (looked_at.append(given), original(*given))  # type: ignore[method-assign]

    def arrays(*values: float, **more: object) -> list[DeviceArray]:
        made = [fake.array([value], **more) for value in values]
        for array in made:
            array.device = SimpleNamespace(id=0)  # type: ignore[attr-defined]
        return made

    for count in (1, 2, 3):
        x, y, dx, dy = arrays(count, 0, 0, 1)
        gradient.execute_kernel(1, 1, x, y, 2.0 + count, dx, dy)
        assert list(dx.content) == [2 * count * (2.0 + count)] and len(looked_at) == 1
    x, y, dx, dy = arrays(3, 0, 0, 1)
    gradient.execute_kernel(1, 1, x, y, 2.0, dx, dy, stream=5)
    assert list(dx.content) == [12] and len(looked_at) == 2
    x, y, dx, dy = arrays(3, 0, 0, 1, stream=7)
    gradient.execute_kernel(1, 1, x, y, 2.0, dx, dy)
    assert list(dx.content) == [12] and len(looked_at) == 3


def test_repeated_launches_keep_no_array_alive(fake: Fake) -> None:
    gradient = gradient_of("__global__ void k(const double *x, double *y) { *y = *x * *x; }", "k", "x, y")
    given = [fake.array([1]) for _ in range(4)]
    gradient.execute_kernel(1, 1, *given)
    seen = [weakref.ref(array) for array in given]
    del given
    gc.collect()
    assert not any(array() for array in seen)


def test_a_repeated_launch_has_its_device(fake: Fake) -> None:
    gradient = gradient_of("__global__ void k(const double *x, double *y) { *y = *x * *x; }", "k", "x, y")
    given = [fake.array([1]) for _ in range(4)]
    gradient.primal.execute_kernel(1, 1, *given[:2])
    gradient.primal.execute_kernel(1, 1, *given[:2])
    assert fake.calls.count("device0") == 2  # current for the first, and as before after it
    with hip_api.HipApi().active(1):
        gradient.primal.execute_kernel(1, 1, *given[:2])
    said = [call for call in fake.calls if call.startswith("device")]
    assert said[-4:] == ["device1", "device0", "device1", "device0"]
