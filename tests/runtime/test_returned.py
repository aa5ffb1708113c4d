"""Numbers of objects that a call changes in memory of ours come back to where they were given."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.types import DOUBLE, ULONG, Array, Field, Pointer, Type
from cladpy.runtime.blocks import Block
from cladpy.runtime.executor_device import DeviceExecutor
from cladpy.runtime.passing import block_for
from tests.runtime.classes import PAIR, VIEW, struct

STATE = struct(
    "State",
    Field("data", Pointer(DOUBLE), 0),
    Field("time", DOUBLE, 8),
    Field("gain", Array(DOUBLE, 2), 16),
    Field("pair", PAIR, 32),
    size=48,
    alignment=8,
)
VECTOR = struct(
    "std::vector<double>",
    Field("data_", Pointer(DOUBLE), 0, reader="{b}.data()"),
    Field("size_", ULONG, 8, reader="{b}.size()"),
    Field("capacity_", ULONG, 16, reader="{b}.capacity()"),
    size=24,
    alignment=8,
)
HELD = struct("Held", Field("", VECTOR, 0, base=True), size=24, alignment=8)
OWNER = struct("Owner", Field("values", HELD, 0), Field("time", DOUBLE, 24), size=32, alignment=8)


def made(type: Type, value: object, *, adjoint: bool = False) -> Block:
    """The object that a pointer leads to."""
    block = block_for("p", Pointer(type), value, adjoint=adjoint)
    target = block.places[0].target
    assert isinstance(target, Block)
    return target


def changed(value: Any) -> Any:
    """What the caller has when a call has doubled all numbers."""
    block = made(STATE, value)
    block.data[8:].view(np.float64)[:] *= 2
    copy = block.replaced(lambda place, array: array)
    copy.data[8:16].view(np.float64)[:] *= 2
    block.take(copy)
    block.bring_back()
    return value


def test_numbers_come_back() -> None:
    gain = np.array([1.0, 2.0])
    found = changed({"data": None, "time": 0.5, "gain": gain, "pair": [3.0, 4.0]})
    assert found["time"] == 2 and found["gain"] is gain and gain.tolist() == [2, 4] and list(found["pair"]) == [6, 8]
    time = np.array([0.5])
    found = changed({"data": None, "time": time, "gain": [1, 2], "pair": {"a": 3.0, "b": 0.0}})
    assert time[0] == 2 and found["gain"] == [2, 4] and found["pair"] == {"a": 6, "b": 0}
    held = changed(SimpleNamespace(data=None, time=0.5, gain=(0.0, 0.0), pair=np.array([3.0, 4.0])))
    assert held.time == 2 and held.gain == (0.0, 0.0) and held.pair.tolist() == [6, 8]


def test_vectors_know_their_end() -> None:
    values = np.arange(3.0)
    block = made(OWNER, {"values": values, "time": 0.0})
    block.fill(lambda place: values.ctypes.data)
    first = values.ctypes.data
    assert block.data[:24].view(np.uint64).tolist() == [first, first + 24, first + 24]
    assert [p.name for p in block.places] == ["p.values"] and made(OWNER, {"values": None, "time": 0.0}).places == ()
    with pytest.raises(ArgumentTypeError, match=r"p\.values: expected an array of float64"):
        made(OWNER, {"values": np.arange(3), "time": 0.0})


def test_adjoints_have_numbers() -> None:
    block = made(VIEW, {"data": np.ones(2), "scale": np.array([2.0])}, adjoint=True)
    assert block.data[24:32].view(np.float64)[0] == 2 and [r.key for r in block.returned] == ["scale"]


def test_vectors_of_thrust_stay_off_a_gpu() -> None:
    """Their layout there is Thrust's own."""
    size = Field("size_", ULONG, 8, reader="{b}.size()")
    vector = struct("Vector", Field("data_", Pointer(DOUBLE), 0, reader="{b}.data()"), size, size=16, alignment=8)
    domain = struct("Domain", Field("x", vector, 0), size=16, alignment=8)
    argument = SimpleNamespace(block=block_for("p", Pointer(domain), {"x": np.zeros(3)}, adjoint=False))
    with pytest.raises(LaunchError, match=r"p.x: a vector of Thrust's, .*\nhint: call the gradient from C\+\+"):
        DeviceExecutor._look_at(SimpleNamespace(), None, 0, 0, [argument])  # type: ignore[arg-type]
