"""Which launches are repeated, and in which context they are."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from cladpy.diagnostics import BackendError
from cladpy.runtime import devices
from cladpy.runtime.repeats import Repeats

AT = (2, (32, 1, 1), 0)


class Launch:
    """A launch of two numbers."""

    def __init__(self) -> None:
        self.made: list[object] = []

    def launch(self, values: tuple[object, ...], stream: object) -> tuple[None] | None:
        if len(values) != 2:
            return None
        self.made.append((*values, stream))
        return (None,)


def test_several_launches_are_known() -> None:
    """Of which the oldest gives way."""
    repeats, launches = Repeats(), [Launch() for _ in range(5)]
    for k, launch in enumerate(launches):
        repeats.remember((k, 1, 0), launch)  # type: ignore[arg-type]
    repeats.remember(AT, None)
    assert [bool(repeats.again((k, 1, 0), None, (1, 2))) for k in range(5)] == [False, True, True, True, True]
    assert [len(launch.made) for launch in launches] == [0, 1, 1, 1, 1]
    assert not repeats.again((4, 1, 0), None, (1,)) and len(launches[4].made) == 1


@pytest.mark.parametrize("at", [(2.0, AT[1], 0), (True, AT[1], 0), (2, (32, 1.0, 1), 0), (2, AT[1], False), (2, 32, 0)])
def test_extents_of_another_type_are_not_the_same(at: tuple[object, ...]) -> None:
    """They are looked at, and refused where they are no integers."""
    repeats, launch = Repeats(), Launch()
    repeats.remember(at, launch)  # type: ignore[arg-type]
    assert bool(repeats.again(at, None, (1, 2))) == (at == (2, 32, 0))
    repeats.remember(AT, launch)  # type: ignore[arg-type]
    assert repeats.again((2, (30 + 2, 1, 1), 0), 5, (1, 2)) and launch.made[-1] == (1, 2, 5)
    assert bool(repeats.again(at, None, (1, 2))) == (at == (2, 32, 0))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is asked of a driver with one device."""
    made: list[str] = []
    context = SimpleNamespace(push=lambda: made.append("push"), handle=7)

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
