"""Which launches are repeated, and in which context they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from cladpy.diagnostics import BackendError
from cladpy.runtime import devices
from cladpy.runtime.repeats import Repeats

AT = (2, (32, 1, 1), 0)


class DeviceArray:
    def __init__(self, address: int) -> None:
        self.__cuda_array_interface__ = {"shape": (3,), "typestr": "<f8", "data": (address, False), "version": 3}


def remembered(repeats: Repeats, *values: object, at: tuple[object, ...] = AT) -> Callable[[], None]:
    def launch() -> None: ...

    repeats.remember(at, None, values, launch)
    return launch


def test_buffers_that_are_swapped_are_repeated() -> None:
    """Several launches are known, of which the oldest gives way."""
    repeats, (x, y, z) = Repeats(), map(DeviceArray, (8, 16, 24))
    first, second = remembered(repeats, x, y), remembered(repeats, y, x)
    assert repeats.find(AT, None, (x, y)) is first and repeats.find(AT, None, (y, x)) is second
    for pair in ((x, z), (z, x), (y, z)):
        remembered(repeats, *pair)
    assert repeats.find(AT, None, (x, y)) is None and repeats.find(AT, None, (y, x)) is second


def test_what_cannot_be_repeated_is_not_known() -> None:
    repeats, x = Repeats(), DeviceArray(8)
    repeats.remember(AT, None, (x,), None)
    remembered(repeats, x, None)
    remembered(repeats, np.ones(3))
    remembered(repeats, x, at=(2.0, 1, 0))
    remembered(repeats, x, at=(2, (1.0, 1), 0))
    for at, values in ((AT, (x,)), (AT, (x, None)), ((2.0, 1, 0), (x,)), ((2, (1.0, 1), 0), (x,))):
        assert repeats.find(at, None, values) is None


@pytest.mark.parametrize("at", [(2.0, AT[1], 0), (True, AT[1], 0), (2, (32, 1.0, 1), 0), (2, AT[1], False), (2, 32, 0)])
def test_extents_of_another_type_are_not_the_same(at: tuple[object, ...]) -> None:
    """They are looked at, and refused where they are no integers."""
    repeats, x = Repeats(), DeviceArray(8)
    launch = remembered(repeats, x)
    assert repeats.find((2, (30 + 2, 1, 1), 0), None, (x,)) is launch
    assert repeats.find(at, None, (x,)) is None


@pytest.mark.parametrize(("number", "other"), [(0.0, -0.0), (np.float32(0), np.float32(-0.0)), (1, 1.0), (1.0, 2.0)])
def test_numbers_that_differ_are_not_the_same(number: object, other: object) -> None:
    """Zeros of both signs are equal, but not to a division."""
    repeats, x = Repeats(), DeviceArray(8)
    launch = remembered(repeats, x, number)
    assert repeats.find(AT, None, (x, number)) is launch
    assert repeats.find(AT, None, (x, other)) is None and repeats.find(AT, 5, (x, number)) is None


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is asked of a driver with one device."""
    made: list[str] = []
    context = SimpleNamespace(push=lambda: made.append("push"))

    class Device:
        def __init__(self, number: int) -> None:
            assert number == 0

        @staticmethod
        def count() -> int:
            return 1

        def retain_primary_context(self) -> object:
            made.append("retain")
            return context

    driver = SimpleNamespace(Device=Device, Context=SimpleNamespace(pop=lambda: made.append("pop")))
    monkeypatch.setattr(devices, "driver", lambda: driver)
    monkeypatch.setattr(devices, "_contexts", {})
    devices.primary_context.cache_clear()
    yield made
    devices.primary_context.cache_clear()


def test_the_primary_context_is_current_for_each_launch(calls: list[str]) -> None:
    for _ in range(2):
        with devices.primary_context(0):
            calls.append("launch")
    with pytest.raises(ValueError, match="a launch"), devices.primary_context(0):
        raise ValueError("a launch")
    assert calls == ["retain", *["push", "launch", "pop"] * 2, "push", "pop"]
    devices.revive(0)
    with devices.primary_context(0):
        assert calls[-2:] == ["retain", "push"]


def test_a_device_that_is_not_there(calls: list[str]) -> None:
    with pytest.raises(BackendError, match="there is no CUDA device 1"):
        devices.primary_context(1)
    assert not calls
