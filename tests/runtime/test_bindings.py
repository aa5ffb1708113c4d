"""The CUDA backend's executor through a driver on plain memory in the place of NVIDIA's bindings."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, BackendError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import Gradient, backends, bindings_api, cuda_api, executor_device
from cladpy.runtime.library import Library
from cladpy.source import Source
from cladpy.toolchain import compile_host
from cladpy.toolchain.entry import with_entry
from tests.runtime.test_cuda_executor import DRIVER, KERNEL, WAITING


class FakeBindings:
    """Functions give a status and what they give; `fails` is what the next one of a name says."""

    CUdevice_attribute = SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR="major",
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR="minor",
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN="shared",
    )

    def __init__(self) -> None:
        self.live: dict[int, Any] = {}
        self.stack: list[int] = []
        self.fails: dict[str, int] = {}
        self.retained = 0
        for name in [n for n in dir(self) if n.startswith("cu") and n != "cuGetErrorString"]:
            setattr(self, name, self._failing(name))

    def _failing(self, name: str) -> Any:
        act = getattr(self, name)

        def call(*arguments: Any) -> tuple[Any, ...]:
            status = self.fails.pop(name, 0)
            return (status, None) if status else act(*arguments)

        return call

    def cuGetErrorString(self, status: int) -> tuple[int, bytes]:  # noqa: N802
        return 0, b"refused"

    def cuDeviceGetCount(self) -> tuple[int, int]:  # noqa: N802
        return 0, 1

    def cuDeviceGet(self, k: int) -> tuple[int, int]:  # noqa: N802
        return 0, k

    def cuDeviceGetName(self, room: int, device: int) -> tuple[int, bytes]:  # noqa: N802
        return 0, b"NVIDIA H200\0\0"

    def cuDeviceGetAttribute(self, which: str, device: int) -> tuple[int, int]:  # noqa: N802
        return 0, {"major": 9, "minor": 0, "shared": 232448}[which]

    def cuDevicePrimaryCtxRetain(self, device: int) -> tuple[int, int]:  # noqa: N802
        self.retained += 1
        return 0, 7

    def cuCtxGetCurrent(self) -> tuple[int, int]:  # noqa: N802
        return 0, self.stack[-1] if self.stack else 0

    def cuCtxGetDevice(self) -> tuple[int, int]:  # noqa: N802
        return 0, 0

    def cuCtxPushCurrent(self, context: int) -> tuple[int]:  # noqa: N802
        self.stack.append(context)
        return (0,)

    def cuCtxPopCurrent(self) -> tuple[int, int]:  # noqa: N802
        return 0, self.stack.pop()

    def cuCtxSynchronize(self) -> tuple[int]:  # noqa: N802
        return (0,)

    def cuMemAlloc(self, size: int) -> tuple[int, int]:  # noqa: N802
        memory = np.zeros(size, np.uint8)
        self.live[memory.ctypes.data] = memory
        return 0, memory.ctypes.data

    def cuMemFree(self, memory: int) -> tuple[int]:  # noqa: N802
        del self.live[memory]
        return (0,)

    def cuMemcpyHtoD(self, to: int, content: int, size: int) -> tuple[int]:  # noqa: N802
        ctypes.memmove(to, content, size)
        return (0,)

    cuMemcpyDtoH = cuMemcpyHtoD  # noqa: N815


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    fake, owner = FakeBindings(), [7]

    def on_host(derivative: Derivative, arch: str | None = None) -> Library:
        assert (derivative.target, arch) == ("cuda", "sm_90")
        twin = differentiate(derivative.source, derivative.function_name, "x, y", derivative.options, "host")
        return Library(compile_host(with_entry(twin) + WAITING))

    library = ctypes.CDLL(str(compile_host(DRIVER)))
    library.fake(7, 7, 2, 0)
    monkeypatch.setattr(backends, "pycuda_version", lambda: None)
    monkeypatch.setattr(backends, "bindings_version", lambda: "13.0")
    monkeypatch.setattr(bindings_api, "bindings", lambda: fake)
    monkeypatch.setattr(cuda_api, "cuda_library", lambda: library)
    monkeypatch.setattr(cuda_api, "_pointer_attribute", lambda _, which, __: owner[0] if which == 1 else 0)
    monkeypatch.setattr(executor_device, "build_library", on_host)
    return SimpleNamespace(fake=fake, owner=owner, library=library)


def made() -> Gradient:
    return Gradient(differentiate(Source.load(KERNEL), "squared", "x, y", Options.make(), "cuda"), "cuda")


def arrays() -> list[Any]:
    return [np.arange(3.0), np.zeros(3), np.ones(3), np.ones(3)]


def test_numpy_arrays_are_copied(machine: SimpleNamespace) -> None:
    given = arrays()
    made().execute_kernel(1, 3, *given)
    assert list(given[2]) == [1, 3, 5] and not given[3].any()
    assert not machine.fake.live and not machine.fake.stack


@pytest.mark.parametrize("name", ["cuMemAlloc", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuCtxSynchronize"])
def test_nothing_is_left_where_a_step_fails(machine: SimpleNamespace, name: str) -> None:
    gradient = made()
    machine.fake.fails[name] = 2
    with pytest.raises(BackendError, match="2: refused"):
        gradient.execute_kernel(1, 3, *arrays())
    assert not machine.fake.live and not machine.fake.stack
    given = arrays()
    gradient.execute_kernel(1, 3, *given)
    assert list(given[2]) == [1, 3, 5]


def test_a_context_that_a_program_has_reset(machine: SimpleNamespace) -> None:
    """It is made anew."""
    given = arrays()
    machine.fake.fails["cuMemAlloc"] = 709
    made().execute_kernel(1, 3, *given)
    assert list(given[2]) == [1, 3, 5] and machine.fake.retained == 2


def test_device_arrays_stay_where_they_are(machine: SimpleNamespace) -> None:
    """Also in launches that are made again, for which the context need not be entered."""
    memory = [np.arange(3.0), np.zeros(3), np.zeros(3), np.ones(3)]
    given = [
        SimpleNamespace(
            __cuda_array_interface__={"shape": (3,), "typestr": "<f8", "data": (m.ctypes.data, False), "version": 3}
        )
        for m in memory
    ]
    gradient = made()
    for k in range(3):
        memory[3][:] = 1
        gradient.execute_kernel(1, 3, *given)
        assert list(memory[2]) == [0, 2 * (k + 1), 4 * (k + 1)]
    assert not machine.fake.live and not machine.fake.stack
    machine.owner[0] = 8
    with pytest.raises(ArgumentTypeError, match="x: the array belongs to another CUDA context than the primary one"):
        made().execute_kernel(1, 3, *given)


def test_devices(machine: SimpleNamespace) -> None:
    assert bindings_api.bindings_device_names() == ["NVIDIA H200"]
    api = bindings_api.BindingsApi()
    assert api.architecture(0) == "sm_90" and api.shared_limit(0) == 232448 and api.current_device() == 0
    with pytest.raises(BackendError, match="there is no CUDA device 1"):
        api.active(1)
    machine.fake.fails["cuDeviceGetCount"] = 100
    assert bindings_api.bindings_device_names() == []
