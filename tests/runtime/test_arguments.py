"""What execute calls refuse, with the text that says why; nothing is compiled or run for these."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, DOUBLE, FLOAT, INT, UINT, VOID, Array, Pointer, Reference, Scalar, ScalarKind, Type
from cladpy.options import Options
from cladpy.runtime.arguments import Slot, check, slots_of
from cladpy.runtime.arrays import view_of
from cladpy.runtime.blocks import Block
from cladpy.runtime.scalars import convert
from cladpy.runtime.shape import launch_shape
from tests.runtime.derivatives import derivative, scale

SLOTS = slots_of(scale(), gradient=True)


def good() -> list[object]:
    read_only = np.arange(4.0)
    read_only.flags.writeable = False
    return [read_only, np.zeros(4), 2.0, 4, np.zeros(4), np.zeros(4), np.zeros(1)]


def test_a_good_call() -> None:
    arguments = check("call", SLOTS, good())
    assert [a.slot.name for a in arguments] == ["x", "y", "w", "n", "_d_x", "_d_y", "_d_w"]
    assert [a.written for a in arguments] == [False, True, False, False, True, True, True]
    assert arguments[2].block.data.view(np.float64)[0] == 2.0


def test_shapes_need_not_agree_only_sizes() -> None:
    values = good()
    values[4] = np.zeros((2, 2))
    check("call", SLOTS, values)


@pytest.mark.parametrize("adjoint", [None, np.ones(4)])
def test_null_pointers(adjoint: object) -> None:
    values = good()
    values[0], values[4] = None, adjoint
    arguments = check("call", SLOTS, values)
    assert arguments[0].block.data.tobytes() == bytes(8)
    assert not arguments[0].block.places


def replaced(position: int, value: object) -> list[object]:
    values = good()
    values[position] = value
    return values


@pytest.mark.parametrize(
    ("position", "value", "error", "text"),
    [
        (0, np.zeros(4, np.float32), ArgumentTypeError, "x: expected an array of float64, got one of float32"),
        (0, np.zeros(4, ">f8"), ArgumentTypeError, "x: expected an array of float64, got one of >f8"),
        (4, None, ArgumentTypeError, "_d_x: expected an array of float64, got None"),
        (0, [1.0, 2.0], ArgumentTypeError, "x: expected an array of float64, got an object of type list"),
        (0, 3.0, ArgumentTypeError, "x: expected an array of float64, got an object of type float"),
        (0, np.zeros(8)[::2], LaunchError, "x: the array is not contiguous"),
        (0, np.asfortranarray(np.zeros((2, 2))), LaunchError, "x: the array is not contiguous"),
        (1, good()[0], ArgumentTypeError, r"y: the array is read-only, but its parameter is double \*"),
        (4, good()[0], ArgumentTypeError, r"_d_x: the array is read-only, but its parameter is double \*"),
        (4, np.zeros(3), LaunchError, "_d_x: expected 4 elements, as x has, got 3"),
        (6, np.zeros(2), LaunchError, "_d_w: the adjoint of the scalar w is an array of one element, got 2"),
        (6, 0.0, ArgumentTypeError, "_d_w: expected an array of float64, got an object of type float"),
        (2, np.zeros(1), ArgumentTypeError, r"w: expected a number \(double\), got an array"),
        (2, "2", ArgumentTypeError, r"w: expected a number \(double\), got an object of type str"),
        (2, 1j, ArgumentTypeError, r"w: expected a number \(double\), got an object of type complex"),
        (2, None, ArgumentTypeError, r"w: expected a number \(double\), got None"),
        (3, 4.5, ArgumentTypeError, r"n: expected an integer \(int\), got 4.5"),
        (3, 2**31, ArgumentTypeError, "n: 2147483648 does not fit into int"),
        (3, float("inf"), ArgumentTypeError, "n: expected an integer"),
    ],
)
def test_refused(position: int, value: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=r"^" + text):
        check("call", SLOTS, replaced(position, value))


@pytest.mark.parametrize("count", [0, 6, 8])
def test_wrong_count_lists_the_names(count: int) -> None:
    values = [*good(), 1.0][:count]
    with pytest.raises(LaunchError, match=rf"^call takes 7 arguments \(x, y, w, n, _d_x, _d_y, _d_w\), got {count}$"):
        check("call", SLOTS, values)


def test_shared_memory_between_arguments() -> None:
    both = np.zeros(8)
    with pytest.raises(LaunchError, match=r"^x and _d_x share memory; an adjoint needs its own"):
        check("call", SLOTS, [both[:4], np.zeros(4), 1.0, 4, both[3:7], np.zeros(4), np.zeros(1)])
    with pytest.raises(LaunchError, match=r"^_d_x and _d_y share memory"):
        check("call", SLOTS, [np.zeros(4), np.zeros(4), 1.0, 4, both[:4], both[:4], np.zeros(1)])
    overlapping = [both[:4], both[2:6], 1.0, 4, np.zeros(4), np.zeros(4), np.zeros(1)]
    with pytest.raises(LaunchError, match=r"^x and y share memory, and the gradient takes pointers"):
        check("call", SLOTS, overlapping)
    may_alias = Options(may_alias=True)
    with pytest.raises(
        LaunchError,
        match=r"^x and y share memory, and so must .* _d_y must begin 2 elements behind _d_x\n",
    ):
        check("call", SLOTS, overlapping, may_alias)
    other = np.zeros(8)
    check("call", SLOTS, [*overlapping[:4], other[:4], other[2:6], np.zeros(1)], may_alias)
    check("call", SLOTS[:4], overlapping[:4])  # the primal may do as it likes
    halves = [both[:4], both[4:], 1.0, 4, np.zeros(4), np.zeros(4), np.zeros(1)]
    check("call", SLOTS, halves)


def test_pointers_to_const_may_be_one_array() -> None:
    const = Pointer(DOUBLE, const=True)
    dot = derivative("dot", FunctionKind.KERNEL, [("x", const), ("y", const)], [0, 1], "")
    x = np.zeros(3)
    check("call", slots_of(dot, gradient=True), [x, x, np.zeros(3), np.zeros(3)])


def test_references_take_one_element() -> None:
    slots = (Slot("r", Reference(DOUBLE)), Slot("c", Reference(DOUBLE, const=True)))
    arguments = check("call", slots, [np.zeros(1), 2])
    target = arguments[1].block.places[0].target
    assert isinstance(target, Block) and target.data.view(np.float64)[0] == 2.0
    with pytest.raises(LaunchError, match=r"^r: expected an array of one element, got 2"):
        check("call", slots, [np.zeros(2), 2])
    with pytest.raises(ArgumentTypeError, match=r"^r: expected an array of float64"):
        check("call", slots, [1.0, 2])


def test_pointers_to_void_take_any_array() -> None:
    for dtype in (np.int8, np.float32, np.complex128):
        check("call", (Slot("p", Pointer(VOID)),), [np.zeros(3, dtype)])


def test_empty_arrays_pass() -> None:
    check("call", SLOTS, [np.zeros(0), np.zeros(0), 1.0, 0, np.zeros(0), np.zeros(0), np.zeros(1)])


@pytest.mark.parametrize(
    ("type", "value", "expected"),
    [
        (DOUBLE, 3, 3.0),
        (DOUBLE, np.float32(0.5), 0.5),
        (DOUBLE, np.array(0.25), 0.25),
        (DOUBLE, True, 1.0),
        (FLOAT, 0.1, float(np.float32(0.1))),
        (FLOAT, float("inf"), float("inf")),
        (INT, 3.0, 3),
        (INT, np.uint8(200), 200),
        (UINT, 2**32 - 1, 2**32 - 1),
        (BOOL, np.bool_(True), True),
        (BOOL, 0, False),
    ],
)
def test_numbers_convert(type: Scalar, value: object, expected: float) -> None:
    assert convert("p", type, value).value == expected


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        (FLOAT, 1e39, "p: 1e[+]39 does not fit into float"),
        (DOUBLE, 10**400, "does not fit into double"),
        (UINT, -1, "p: -1 does not fit into unsigned int"),
        (Scalar(ScalarKind.CHAR), 128, "p: 128 does not fit into char"),
        (BOOL, 2, "p: expected a bool, got 2"),
        (INT, float("nan"), "p: expected an integer"),
    ],
)
def test_numbers_that_do_not_fit(type: Scalar, value: object, text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=text):
        convert("p", type, value)


@pytest.mark.parametrize(
    ("grid", "block", "shared", "error", "text"),
    [
        (0, 1, 0, LaunchError, r"grid.x must be between 1 and 2147483647, not 0"),
        ((1, 65536), 1, 0, LaunchError, r"grid.y must be between 1 and 65535, not 65536"),
        ((1, 1, 65536), 1, 0, LaunchError, r"grid.z must be between 1 and 65535"),
        (1, 1025, 0, LaunchError, r"block.x must be between 1 and 1024, not 1025"),
        (1, (1, 1, 65), 0, LaunchError, r"block.z must be between 1 and 64"),
        (1, (32, 33), 0, LaunchError, r"block \(32, 33, 1\) has 1056 threads; at most 1024 are possible"),
        (1, (1, -1), 0, LaunchError, r"block.y must be between 1 and 1024, not -1"),
        ((), 1, 0, LaunchError, r"grid must be an integer or a tuple of one to three, not \(\)"),
        ((1, 1, 1, 1), 1, 0, LaunchError, r"grid must be an integer or a tuple of one to three"),
        (1.0, 1, 0, ArgumentTypeError, r"grid must be an integer, not 1.0"),
        (True, 1, 0, ArgumentTypeError, r"grid must be an integer, not a bool"),
        ("1", 1, 0, ArgumentTypeError, r"grid must be an integer, not '1'"),
        (1, None, 0, ArgumentTypeError, r"block must be an integer, not None"),
        (1, 1, -1, LaunchError, r"shared_mem must be between 0 and 232448 bytes, not -1"),
        (1, 1, 2**20, LaunchError, r"shared_mem must be between 0 and 232448 bytes"),
        (1, 1, 0.5, ArgumentTypeError, r"shared_mem must be an integer"),
    ],
)
def test_launch_shapes(grid: object, block: object, shared: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=r"^" + text):
        launch_shape(grid, block, shared)


class Packed:
    """An array that has nothing but DLPack."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] | None = None) -> None:
        self.array, self.device = array, device or array.__dlpack_device__()

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def test_dlpack_arrays_are_used_in_place() -> None:
    array = np.arange(6.0).reshape(2, 3)
    view = view_of(Packed(array))
    assert view is not None and view.on_host
    assert (view.pointer, view.shape, view.dtype, view.size) == (array.ctypes.data, (2, 3), np.float64, 6)
    assert view.contiguous and not view.read_only
    strided = view_of(Packed(array[:, ::2]))
    assert strided is not None and not strided.contiguous
    assert strided.pointer == array.ctypes.data


def test_dlpack_of_an_unknown_device_is_refused() -> None:
    with pytest.raises(ArgumentTypeError, match="p: an array on DLPack device type 7 cannot be passed"):
        check("call", (Slot("p", Pointer(DOUBLE)),), [Packed(np.zeros(1), (7, 0))])


def interface(**changes: object) -> object:
    described = {"data": (4096, False), "shape": (2, 3), "typestr": "<f4", "strides": None, "version": 3, **changes}
    return type("Array", (), {"__cuda_array_interface__": described})()


def test_cuda_array_interface() -> None:
    view = view_of(interface(stream=7))
    assert view is not None and not view.on_host
    assert (view.pointer, view.size, view.dtype, view.stream) == (4096, 6, np.float32, 7)
    assert view.contiguous and not view.read_only
    pairs: list[tuple[dict[str, object], Callable[[object], bool]]] = [
        ({"strides": (12, 4)}, lambda v: v.contiguous),  # type: ignore[attr-defined]
        ({"strides": (24, 4)}, lambda v: not v.contiguous),  # type: ignore[attr-defined]
        ({"strides": (99, 4), "shape": (1, 3)}, lambda v: v.contiguous),  # type: ignore[attr-defined]
        ({"data": (4096, True)}, lambda v: v.read_only),  # type: ignore[attr-defined]
        ({"typestr": ">f4"}, lambda v: not v.contiguous),  # type: ignore[attr-defined]
    ]
    for changes, holds in pairs:
        assert holds(view_of(interface(**changes))), changes


def test_keeps_memory_alive() -> None:
    view = view_of(Packed(np.arange(3.0)))
    assert view is not None
    flat = (ctypes.c_double * 3).from_address(view.pointer)
    assert list(flat) == [0.0, 1.0, 2.0]


def test_types_of_slots() -> None:
    kinds: list[Type] = [s.type for s in SLOTS]
    assert kinds[4:] == [Pointer(DOUBLE)] * 3
    assert [s.adjoint_of for s in SLOTS] == [None] * 4 + [0, 1, 2]


def test_rows_take_flat_arrays_and_arrays_with_the_rows_extents() -> None:
    slots = (Slot("m", Pointer(Array(Array(DOUBLE, 2), 3))), Slot("v", Reference(Array(FLOAT, 4), const=True)))
    v = np.zeros(4, "f4")
    for shape in ((12,), (2, 3, 2), (5, 2, 3, 2)):
        check("call", slots, [np.zeros(shape), v])
    check("call", slots, [np.zeros(6), v.reshape(1, 4)])
    for shape in ((7,), (3, 4), (2, 2, 3)):
        with pytest.raises(LaunchError, match=r"m: an array of shape .* does not fit double \(\*\)\[3\]\[2\]"):
            check("call", slots, [np.zeros(shape), v])
    with pytest.raises(LaunchError, match="v: expected an array of 4 elements, got 8"):
        check("call", slots, [np.zeros(6), np.zeros(8, "f4")])
    with pytest.raises(ArgumentTypeError, match="m: expected an array of float64, got one of float32"):
        check("call", slots, [np.zeros(6, "f4"), v])
