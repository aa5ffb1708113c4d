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
from cladpy.runtime import Gradient, cuda_api, executor_device
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

    @contextlib.contextmanager
    def context(device: int) -> Iterator[Any]:
        assert device == 0
        yield driver.Context.get_current()

    def on_host(derivative: Derivative, arch: str | None = None) -> Library:
        assert (derivative.target, arch) == ("cuda", "sm_90")
        twin = differentiate(derivative.source, derivative.function_name, "x, y", derivative.options, "host")
        return Library(compile_host(with_entry(twin) + WAITING))

    monkeypatch.setattr(cuda_api, "driver", lambda: driver)
    monkeypatch.setattr(cuda_api, "primary_context", context)
    monkeypatch.setattr(cuda_api, "current_device", lambda: 0)
    monkeypatch.setattr(cuda_api, "architecture", lambda _: "sm_90")
    monkeypatch.setattr(cuda_api, "shared_limit", lambda _: 232448)
    monkeypatch.setattr(cuda_api, "_pointer_attribute", lambda _, which, __: owner[0] if which == 1 else 0)
    monkeypatch.setattr(executor_device, "build_library", on_host)
    return SimpleNamespace(live=live, room=room, owner=owner, steps=steps)


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


def test_device_arrays_stay_where_they_are(machine: SimpleNamespace) -> None:
    memory = [np.arange(3.0), np.zeros(3), np.zeros(3), np.ones(3)]
    arrays = [
        SimpleNamespace(
            __cuda_array_interface__={"shape": (3,), "typestr": "<f8", "data": (m.ctypes.data, False), "version": 3}
        )
        for m in memory
    ]
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


def test_other_tensors_of_the_same_kind(machine: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch that was made is made again with them, on the stream that is current; what is of another kind is looked
    at as the first was."""
    current = SimpleNamespace(cuda_stream=0)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda _: current)))
    looked_at: list[str] = []
    check = executor_device.DeviceExecutor._look_at
    monkeypatch.setattr(
        executor_device.DeviceExecutor, "_look_at", lambda *given: looked_at.append("") or check(*given)
    )
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
