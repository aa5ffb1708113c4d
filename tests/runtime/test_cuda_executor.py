"""The CUDA backend's executor with a driver on plain memory in PyCUDA's place; the host runs the kernels."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import Gradient, backends, cuda_api, devices, executor_device
from cladpy.runtime.library import Library
from cladpy.source import Source
from cladpy.toolchain import compile_host
from cladpy.toolchain.entry import with_entry
from tests.runtime.tensors import Tensor

KERNEL = "__global__ void squared(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }"
WAITING = """
extern "C" __attribute__((visibility("default"))) int cladpy_wait(void *, void *) { return 0; }
extern "C" __attribute__((visibility("default"))) int cladpy_synchronize(void *) { return 0; }
extern "C" __attribute__((visibility("default"))) int cladpy_keep(void **, const void *, unsigned long long, void *) {
  return 1;
}
extern "C" __attribute__((visibility("default"))) int cladpy_release(void *, void *) { return 0; }
"""

DRIVER = """
static void *current = (void *)7, *owner = (void *)7;
static int kind = 2, ordinal = 0, asked = 0;
#define FUNCTION extern "C" __attribute__((visibility("default")))
FUNCTION int cuCtxGetCurrent(void **context) { *context = current; return 0; }
FUNCTION int cuPointerGetAttributes(unsigned, int *, void **data, unsigned long long) {
  *(void **)data[0] = owner; *(int *)data[1] = kind; *(int *)data[2] = ordinal; asked++; return 0;
}
FUNCTION void fake(long now, long of, int its_kind, int device) {
  current = (void *)now; owner = (void *)of; kind = its_kind; ordinal = device; asked = 0;
}
FUNCTION int fake_asked() { return asked; }
"""


class Refused(Exception):
    """What PyCUDA raises."""


class Allocation:
    def __init__(self, size: int, live: list[Allocation], room: list[int]) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise Refused("cuMemAlloc failed: out of memory")
        self.memory, self.live = np.zeros(size, np.uint8), live
        live.append(self)

    def __int__(self) -> int:
        return int(self.memory.ctypes.data)

    def free(self) -> None:
        self.live.remove(self)


def _failing(act: Callable[..., Any], steps: list[int]) -> Callable[..., Any]:
    """The same, unless as many calls have been made as may succeed."""

    def call(*arguments: Any) -> Any:
        steps[0] -= 1
        if steps[0] == -1:
            raise Refused("an error of the device")
        return act(*arguments)

    return call


class Destroyed(Refused):
    """What is asked of a context that a program has reset."""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What is allocated, how many allocations succeed, and the context that arrays belong to."""
    live: list[Allocation] = []
    room, owner, steps = [100], [7], [100]
    driver = SimpleNamespace(
        Error=Refused,
        LogicError=Destroyed,
        mem_alloc=_failing(lambda size: Allocation(size, live, room), steps),
        memcpy_htod=_failing(lambda to, content: ctypes.memmove(int(to), content.ctypes.data, content.nbytes), steps),
        memcpy_dtoh=_failing(
            lambda content, memory: ctypes.memmove(content.ctypes.data, int(memory), content.nbytes), steps
        ),
        Context=SimpleNamespace(
            synchronize=_failing(lambda: None, steps), get_current=lambda: SimpleNamespace(handle=7)
        ),
    )

    entered: list[int] = []

    @contextlib.contextmanager
    def context(device: int) -> Iterator[Any]:
        assert device == 0
        entered.append(device)
        yield driver.Context.get_current()

    def on_host(derivative: Derivative, arch: str | None = None) -> Library:
        assert (derivative.target, arch) == ("cuda", "sm_90")
        twin = differentiate(derivative.source, derivative.function_name, "x, y", derivative.options, "host")
        return Library(compile_host(with_entry(twin) + WAITING))

    library = ctypes.CDLL(str(compile_host(DRIVER)))
    library.fake(7, 7, 2, 0)
    monkeypatch.setattr(cuda_api, "cuda_library", lambda: library)
    monkeypatch.setattr(backends, "pycuda_version", lambda: "2026.1")
    monkeypatch.setattr(devices, "_handles", {0: 7})
    monkeypatch.setattr(cuda_api, "driver", lambda: driver)
    monkeypatch.setattr(cuda_api, "primary_context", context)
    monkeypatch.setattr(cuda_api, "current_device", lambda: 0)
    monkeypatch.setattr(cuda_api, "architecture", lambda _: "sm_90")
    monkeypatch.setattr(cuda_api, "shared_limit", lambda _: 232448)
    monkeypatch.setattr(cuda_api, "_pointer_attribute", lambda _, which, __: owner[0] if which == 1 else 0)
    monkeypatch.setattr(executor_device, "build_library", on_host)
    return SimpleNamespace(live=live, room=room, owner=owner, steps=steps, library=library, entered=entered)


def call(*arrays: Any) -> None:
    derivative = differentiate(Source.load(KERNEL), "squared", "x, y", Options.make(), "cuda")
    Gradient(derivative, "cuda").execute_kernel(1, 3, *arrays)


def test_numpy_arrays_are_copied(machine: SimpleNamespace) -> None:
    dx, dy = np.ones(3), np.ones(3)
    call(np.arange(3.0), np.zeros(3), dx, dy)
    assert list(dx) == [1, 3, 5] and not dy.any() and not machine.live


@pytest.mark.parametrize("allocations", range(4))
def test_nothing_is_left_where_memory_runs_out(machine: SimpleNamespace, allocations: int) -> None:
    machine.room[0] = allocations
    with pytest.raises(BackendError, match="cuMemAlloc failed: out of memory"):
        call(np.arange(3.0), np.zeros(3), np.ones(3), np.ones(3))
    assert not machine.live


def test_nothing_is_left_where_any_step_fails(machine: SimpleNamespace) -> None:
    """Allocations, copies in both directions and waiting fail one after the other; the next call is right."""
    failed = 0
    while True:
        machine.steps[0] = failed
        arrays = np.arange(3.0), np.zeros(3), np.ones(3), np.ones(3)
        try:
            call(*arrays)
        except BackendError as error:
            assert "an error of the device" in str(error)
            assert not machine.live
            failed += 1
            machine.steps[0] = 100
            arrays = np.arange(3.0), np.zeros(3), np.ones(3), np.ones(3)
            call(*arrays)
            assert list(arrays[2]) == [1, 3, 5] and not machine.live
        else:
            break
    assert failed >= 10, "four arrays there, three back"


class DeviceArray:
    """As PyCUDA's: it does not say of which device it is."""

    def __init__(self, memory: np.ndarray, **more: object) -> None:
        where = (memory.ctypes.data, False)
        self.memory = memory
        self.__cuda_array_interface__ = {"shape": (3,), "typestr": "<f8", "data": where, "version": 3, **more}


def test_device_arrays_stay_where_they_are(machine: SimpleNamespace) -> None:
    memory = [np.arange(3.0), np.zeros(3), np.zeros(3), np.ones(3)]
    arrays = [*map(DeviceArray, memory)]
    call(*arrays)
    assert list(memory[2]) == [0, 2, 4] and not machine.live
    machine.owner[0] = 8
    with pytest.raises(ArgumentTypeError, match="x: the array belongs to another CUDA context than the primary one"):
        call(*arrays)


def test_a_context_that_a_program_has_reset(machine: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next call makes it anew."""
    revived: list[int] = []
    allocate = cuda_api.driver().mem_alloc

    def mem_alloc(size: int) -> Any:
        if not revived:
            raise Destroyed("cuMemAlloc failed: context is destroyed")
        return allocate(size)

    monkeypatch.setattr(cuda_api.driver(), "mem_alloc", mem_alloc)
    monkeypatch.setattr(cuda_api, "revive", revived.append)
    dx, dy = np.ones(3), np.ones(3)
    call(np.arange(3.0), np.zeros(3), dx, dy)
    assert list(dx) == [1, 3, 5] and not dy.any() and not machine.live
    assert revived == [0]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Has an entry for each launch whose arguments were checked."""
    found: list[str] = []
    check = executor_device.DeviceExecutor._look_at
    monkeypatch.setattr(executor_device.DeviceExecutor, "_look_at", lambda *given: found.append("") or check(*given))
    return found


def test_other_arrays_of_the_same_kind(machine: SimpleNamespace, looked_at: list[str]) -> None:
    """The driver is asked of which device an array is, unless it is the last one again; the context is entered where it
    is not current."""
    derivative = differentiate(Source.load(KERNEL), "squared", "x, y", Options.make(), "cuda")
    gradient = Gradient(derivative, "cuda")
    known = [DeviceArray(np.array([3.0, 4.0, 5.0])), *(DeviceArray(np.ones(3)) for _ in range(3))]

    def launched(*, driver: tuple[int, int, int, int] = (7, 7, 2, 0), **others: DeviceArray) -> tuple[bool, int, int]:
        """Whether nothing was looked at again, of how many arrays the driver was asked, and how often a context was
        entered."""
        machine.library.fake(*driver)
        machine.entered.clear()
        looked_at.clear()
        given = dict(zip(("x", "y", "d_x", "d_y"), known, strict=True)) | others
        before = given["d_x"].memory.copy()
        given["d_y"].memory[:] = 1
        gradient.execute_kernel(grid=1, block=3, **given)
        np.testing.assert_array_equal(given["d_x"].memory, before + 2 * given["x"].memory)
        return not looked_at, machine.library.fake_asked(), len(machine.entered)

    def other(**more: object) -> DeviceArray:
        return DeviceArray(np.array([6.0, 7.0, 8.0]), **more)

    assert launched() == (False, 0, 1) and launched() == (True, 0, 0)
    first = other()
    assert launched(x=first, y=other()) == (True, 2, 0) and launched(x=first) == (True, 1, 0)
    assert launched(x=other(), driver=(7, 0, 2, 0)) == (True, 1, 0), "memory of a pool"
    assert launched(x=first, driver=(8, 7, 2, 0)) == (True, 1, 1), "another context is current"
    for driver in ((7, 8, 2, 0), (7, 7, 0, 0), (7, 7, 2, 1)):
        assert not launched(x=other(), driver=driver)[0]
    assert not launched(x=other(strides=(8,)))[0] and not launched(x=other(stream=3))[0]
    read_only = other()
    read_only.__cuda_array_interface__["data"] = (read_only.memory.ctypes.data, True)
    assert not launched(x=read_only)[0]
    with pytest.raises(LaunchError, match="_d_x and _d_y share memory"):
        launched(d_x=first, d_y=first)


@pytest.mark.usefixtures("machine")
def test_other_tensors_of_the_same_kind(looked_at: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch that was made is made again with them, on the stream that is current; what is of another kind is looked
    at as the first was."""
    current = SimpleNamespace(cuda_stream=0)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda _: current)))
    derivative = differentiate(Source.load(KERNEL), "squared", "x, y", Options.make(), "cuda")
    gradient = Gradient(derivative, "cuda")

    def launched(*, n: int = 3, stream: object = None, **others: Tensor) -> bool:
        """Whether nothing was looked at again."""
        looked_at.clear()
        x = np.random.default_rng(n).random(n)
        given = {"x": Tensor(x, device="cuda", index=0)}
        given |= {name: Tensor(np.ones(n), device="cuda", index=0) for name in ("y", "d_x", "d_y")} | others
        gradient.execute_kernel(1, 3, *given.values(), stream=stream)
        np.testing.assert_array_equal(given["d_x"].array, 1 + 2 * x * (np.arange(n) < 3))
        return not looked_at

    assert not launched() and launched() and launched()
    assert not launched(n=4) and launched(n=4) and launched()
    current.cuda_stream = 5
    assert not launched() and launched(stream=5) and launched(stream=current) and not launched(stream=6)
    shared = Tensor(np.ones(3), device="cuda", index=0)
    with pytest.raises(LaunchError, match="_d_x and _d_y share memory"):
        launched(d_x=shared, d_y=shared)
    with pytest.raises(LaunchError, match="the arrays are on different devices"):
        launched(y=Tensor(np.ones(3), device="cuda", index=1))
    with pytest.raises(LaunchError, match="contiguous"):
        launched(y=Tensor(np.ones(6)[::2], device="cuda", index=0))


@pytest.mark.usefixtures("machine")
def test_null_again(looked_at: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on a device says who follows null, so that a launch with it is made again as others are."""
    current = SimpleNamespace(cuda_stream=0)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda _: current)))
    source = (
        "__global__ void k(const double *x, double *y, const double *w, int n) {\n"
        "  int i = threadIdx.x;\n"
        "  if (i < n) y[i] = x[i] * x[i] * (w ? w[i] : 1.0);\n"
        "}\n"
    )
    gradient = Gradient(differentiate(Source.load(source), "k", "x, y", Options.make(), "cuda"), "cuda")
    for again, w in ((False, None), (True, None), (False, np.full(3, 2.0)), (True, None)):
        looked_at.clear()
        x = np.arange(3.0)
        given = [Tensor(a, device="cuda", index=0) for a in (x, np.zeros(3), np.zeros(3), np.ones(3))]
        others = None if w is None else Tensor(w, device="cuda", index=0)
        gradient.execute_kernel(1, 3, given[0], given[1], others, 3, given[2], given[3])
        np.testing.assert_array_equal(given[2].array, 2 * x * (1 if w is None else w))
        assert (not looked_at) == again
