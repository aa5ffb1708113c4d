"""Calls with every wrong value for every argument, each by place and by name: an exception of cladpy's that names the
argument, nothing launched, no array changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import CladpyError, LaunchError
from cladpy.runtime import Gradient
from tests.runtime.test_options import VALUES

PROGRAM = """
struct View { const float *data; double gain; int n; };
__global__ void k(int n, double a, const double *x, double *y, unsigned char flags, bool on, View v,
                  const float *last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += on ? a * x[i] * v.gain * v.data[i] * last[0] : flags;
}
double f(int n, double a, const double *x, double *y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i];
  return a * x[0];
}
"""
N = 4


class _Broken:
    """Says that it is an array, and is none."""

    shape = (N,)
    dtype = np.dtype(np.float64)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("not to be had")


def read_only() -> np.ndarray[Any, Any]:
    array = np.ones(N)
    array.flags.writeable = False
    return array


try:
    import torch
except ImportError:  # which is no dependency: these are looked at where it is installed
    TENSORS: tuple[Any, ...] = ()
else:
    TENSORS = (
        torch.ones(N, dtype=torch.float64),
        torch.ones(N),
        torch.ones((), dtype=torch.float64),
        torch.ones(2 * N, dtype=torch.float64)[::2],
        torch.ones(N, dtype=torch.complex64),
        torch.ones(N, dtype=torch.float64).to_sparse(),
        torch.ones(N, dtype=torch.float64, device="meta"),
    )

# Whatever anybody might pass, beside what is no option's value.
GIVEN: tuple[Any, ...] = (
    *VALUES,
    _Broken(),
    read_only(),
    np.ones(N, np.float32),
    np.ones(N, np.float16),
    np.ones(N, np.int64),
    np.ones(N, ">f8"),
    np.ones(N, bool),
    np.ones(N, object),
    np.ones(N, complex),
    np.ones(N - 1),
    np.ones(N + 1),
    np.ones((2, N)),
    np.ones((N, 2))[:, 0],
    np.ones(2 * N)[::2],
    np.ones(1),
    np.ones(()),
    np.float32(2),
    np.int8(1),
    np.array(["a"] * N),
    np.ones(N, [("a", "f8")]),
    *TENSORS,
    np.ma.masked_array(np.ones(N)),
    memoryview(bytearray(8 * N)),
    bytearray(8 * N),
    [1.0] * N,
    (1.0,) * N,
    [[1.0] * N],
    range(N),
    {"data": 1},
    {"data": np.ones(N, np.float32), "gain": "1", "n": N},
    {"data": np.ones(N, np.float32), "gain": 1.0},
    {"data": np.ones(N, np.float32), "gain": 1.0, "n": N, "more": 1},
    2**31,
    -(2**31) - 1,
    256,
    2.5,
    float("inf"),
    np.datetime64("2020-01-01"),
    1 << 40,
)


def good() -> dict[str, Any]:
    return {
        "n": N,
        "a": 2.0,
        "x": np.arange(1.0, N + 1),
        "y": np.zeros(N),
        "flags": 1,
        "on": True,
        "v": {"data": np.ones(N, np.float32), "gain": 3.0, "n": N},
        "last": np.ones(1, np.float32),
    }


def adjoints() -> dict[str, Any]:
    return {
        "d_a": np.zeros(1),
        "d_x": np.zeros(N),
        "d_y": np.ones(N),
        "d_v": {"data": np.zeros(N, np.float32), "gain": np.zeros(1)},
        "d_last": np.zeros(1, np.float32),
    }


def _is_tensor(value: Any) -> bool:
    return type(value).__module__ == "torch"


def _contiguous(value: Any, dtype: Any, size: int | None) -> bool:
    """Whether it is an array as a pointer takes it."""
    if _is_tensor(value):
        if value.device.type != "cpu" or value.layout != torch.strided or value.is_complex():
            return False
        value = value.numpy() if value.is_contiguous() else np.ones((2, 2)).T
    if not isinstance(value, np.ndarray) or not value.flags.c_contiguous or not value.dtype.isnative:
        return False
    return bool(value.dtype == dtype and (size is None or value.size == size))


def _number(value: Any) -> Any:
    """The number that a value is; None for what is none."""
    if (isinstance(value, np.ndarray) or _is_tensor(value)) and value.ndim == 0:
        value = value.item()
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, int | float) else None


def _integer(low: int, high: int) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        number = _number(value)
        return number is not None and number == number and low <= number <= high and number == int(number)

    return fits


def _floating(value: Any) -> bool:
    return _number(value) is not None


def _writable(value: Any) -> bool:
    return not isinstance(value, np.ndarray) or value.flags.writeable


def _null(value: Any) -> bool:
    return value is None


# What is right, or cannot be known to be wrong, for each argument.
FITS: dict[str, Callable[[Any], bool]] = {
    "n": _integer(-(2**31), 2**31 - 1),
    "a": _floating,
    "x": lambda v: _null(v) or _contiguous(v, np.float64, None),
    "y": lambda v: _null(v) or (_contiguous(v, np.float64, None) and _writable(v)),
    "flags": _integer(0, 255),
    "on": _integer(0, 1),
    "v": lambda v: False,
    "last": lambda v: _null(v) or _contiguous(v, np.float32, None),
    "d_a": lambda v: _contiguous(v, np.float64, 1) and _writable(v),
    "d_x": lambda v: _contiguous(v, np.float64, N) and _writable(v),
    "d_y": lambda v: _contiguous(v, np.float64, N) and _writable(v),
    "d_v": lambda v: False,
    "d_last": lambda v: _contiguous(v, np.float32, 1) and _writable(v),
}


@pytest.fixture(scope="module")
def kernel() -> Gradient:
    return cladpy.gradient(PROGRAM, "k", "a, x, y, v, last", backend="host")


@pytest.fixture(scope="module")
def function() -> Gradient:
    return cladpy.gradient(PROGRAM, "f", "a, x, y", backend="host")


def wrong(name: str, act: Callable[[], object]) -> str:
    """What is wrong with the answer to a call that must be refused; the empty string for nothing."""
    try:
        act()
    except CladpyError as error:
        text = str(error)
        spelled = name.removesuffix("_")
        return "" if spelled in text else f"{spelled} is not named in: {text}"
    except BaseException as error:
        return f"it raises {type(error).__name__}: {error}"
    return "it raises nothing"


def _bytes(values: dict[str, Any]) -> list[bytes]:
    flat = [v for value in values.values() for v in (value.values() if isinstance(value, dict) else [value])]
    return [v.tobytes() for v in flat if isinstance(v, np.ndarray)]


@pytest.mark.parametrize("name", FITS)
def test_every_value_of_every_argument(name: str, kernel: Gradient) -> None:
    """By place, and by name; of the gradient, its primal, the halves and the functional form."""
    found: dict[int, str] = {}
    for k, value in enumerate(GIVEN):
        if FITS[name](value):
            continue
        arguments, others = good(), adjoints()
        (others if name.startswith("d_") else arguments)[name] = value
        before = _bytes(arguments | others)
        calls: list[Callable[[], object]] = [
            lambda a=arguments, o=others: kernel.execute_kernel(1, N, *a.values(), *o.values()),  # type: ignore[misc]
            lambda a=arguments, o=others: kernel.execute_kernel(1, N, **a, **o),  # type: ignore[misc]
        ]
        if not name.startswith("d_"):
            calls += [
                lambda a=arguments: kernel.primal.execute_kernel(1, N, **a),  # type: ignore[misc]
                lambda a=arguments: kernel.forward(1, N, **a),  # type: ignore[misc]
                lambda a=arguments: kernel(1, N, **a, cotangents={"y": 1.0}),  # type: ignore[misc]
            ]
        for act in calls:
            answer = wrong(name, act)
            if answer:
                found[k] = f"{value!r:.60}: {answer}"
        if _bytes(arguments | others) != before:
            found[k] = f"{value!r:.60}: an array has changed"
    assert found == {}


EXTENTS = {
    "grid": lambda v: _extent(v, 2**31 - 1),
    "block": lambda v: _extent(v, 1024),
    "shared_mem": lambda v: type(v) in (int, np.int8) and 0 <= v <= 227 * 1024,
    "stream": lambda v: v is None or (isinstance(v, int | np.integer) and not isinstance(v, bool)),
}


def _extent(value: Any, most: int) -> bool:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return isinstance(value, int | np.int8) and not isinstance(value, bool) and 1 <= value <= most


@pytest.mark.parametrize("name", EXTENTS)
def test_every_value_of_the_launch(name: str, kernel: Gradient) -> None:
    found: dict[int, str] = {}
    for k, value in enumerate(GIVEN):
        if EXTENTS[name](value):
            continue
        launch = {"grid": 1, "block": N} | {name: value}
        for call, values in (
            (kernel.execute_kernel, good() | adjoints()),
            (kernel.primal.execute_kernel, good()),
            (kernel.forward, good()),
        ):
            answer = wrong(name, lambda c=call, v=values, at=launch: c(**at, **v))  # type: ignore[misc]
            if answer:
                found[k] = f"{value!r:.60}: {answer}"
    assert found == {}


def test_every_cotangent_of_a_value(function: Gradient) -> None:
    found: dict[int, str] = {}
    arguments = {key: good()[key] for key in ("n", "a", "x", "y")}
    others = {key: adjoints()[key] for key in ("d_a", "d_x", "d_y")}
    for k, value in enumerate(GIVEN):
        if _floating(value):
            continue
        _, tape = function.forward(**arguments)
        for name, act in (
            ("cotangent", lambda v=value: function.execute(**arguments, **others, cotangent=v)),
            ("cotangent", lambda v=value, t=tape: function.reverse(t, **others, cotangent=v)),
            ("cotangent", lambda v=value: function(**arguments, cotangents={"return": v})),
        ):
            answer = wrong(name, act)  # type: ignore[arg-type]
            if answer:
                found[k] = f"{value!r:.60}: {answer}"
        tape.close()
    assert found == {}


def _as_cotangent(value: Any) -> bool:
    if isinstance(value, bool | np.bool_):
        return False
    if isinstance(value, int | float | np.number):
        return not isinstance(value, complex | np.complexfloating | np.timedelta64)
    if _is_tensor(value):
        return value.device.type == "cpu" and value.numel() == N and value.dtype in (torch.float32, torch.float64)
    return isinstance(value, np.ndarray) and value.size == N and value.dtype.kind in "fi" and value.ndim == 1


def test_every_cotangent_of_an_output(kernel: Gradient) -> None:
    found: dict[int, str] = {}
    for k, value in enumerate(GIVEN):
        if _as_cotangent(value):
            continue
        answer = wrong("y", lambda v=value: kernel(1, N, **good(), cotangents={"y": v}))  # type: ignore[misc]
        if answer:
            found[k] = f"{value!r:.60}: {answer}"
    assert found == {}


@pytest.mark.parametrize("what", ["dtype_of", "adjoint_of", "set_adjoint", "value_of", "set_value", "cotangents"])
def test_every_value_where_a_name_is_asked_for(what: str, kernel: Gradient) -> None:
    acts: dict[str, Callable[[Any], object]] = {
        "dtype_of": kernel.dtype_of,
        "adjoint_of": kernel.adjoint_of,
        "set_adjoint": lambda v: kernel.set_adjoint(v, 0),
        "value_of": kernel.primal.value_of,
        "set_value": lambda v: kernel.primal.set_value(v, 0),
        "cotangents": lambda v: kernel(1, N, **good(), cotangents=v),
    }
    found = {}
    for k, value in enumerate(GIVEN):
        if isinstance(value, str) and value == "x" and what == "dtype_of":
            continue
        answer = wrong("", lambda v=value: acts[what](v))  # type: ignore[misc]
        if answer:
            found[k] = f"{value!r:.60}: {answer}"
    assert found == {}


# ---- by name --------------------------------------------------------------------------------------------------------


def test_every_number_of_places(kernel: Gradient) -> None:
    """The first so many arguments by their place, the rest by name, in another order."""
    order = [*good(), *adjoints()]
    expected = None
    for count in range(len(order) + 1):
        values = good() | adjoints()
        rest = {name: values[name] for name in reversed(order[count:])}
        kernel.execute_kernel(1, N, *[values[name] for name in order[:count]], **rest)
        found = _bytes({name: values[name] for name in adjoints()})
        expected = expected or found
        assert found == expected
    values = good() | {f"_{name}": value for name, value in adjoints().items()}  # as C++ calls them
    kernel.execute_kernel(grid=1, block=N, **values)
    assert _bytes({name: values[f"_{name}"] for name in adjoints()}) == expected


@pytest.mark.parametrize("name", [*good(), *adjoints()])
def test_every_name_that_is_missing_or_wrong(name: str, kernel: Gradient) -> None:
    values = good() | adjoints()
    missing = {key: value for key, value in values.items() if key != name}
    with pytest.raises(LaunchError, match=f"execute_kernel: {name} is missing"):
        kernel.execute_kernel(1, N, **missing)
    with pytest.raises(LaunchError, match=f"has no argument '{name}{name}'; (did you mean|there are n, a)"):
        kernel.execute_kernel(1, N, **missing, **{2 * name: values[name]})
    order = list(values)
    first = [values[key] for key in order[: order.index(name) + 1]]
    rest = {key: values[key] for key in order[order.index(name) :]}
    with pytest.raises(LaunchError, match=f"{name} is given twice, by its place and by its name"):
        kernel.execute_kernel(1, N, *first, **rest)


def test_twice_by_two_names(kernel: Gradient) -> None:
    values = good() | adjoints()
    with pytest.raises(LaunchError, match="d_x is given twice, by two names"):
        kernel.execute_kernel(1, N, **values, _d_x=np.zeros(N))
    with pytest.raises(LaunchError, match="grid is given twice"):
        kernel.execute_kernel(1, N, grid=1, **values)
    with pytest.raises(LaunchError, match=r"takes 13 arguments \(n, a, x"):
        kernel.execute_kernel(1, N, *values.values(), 0, n=N)


def test_names_that_are_not_pythons() -> None:
    """Keywords of Python's get a dash; what is called as the launch's extents are is given by its place."""
    text = """
    __global__ void k(const double *in, double *lambda, double grid, double stream, double d_in) {
      lambda[0] = in[0] * grid * stream * d_in;
    }
    """
    grad = cladpy.gradient(text, "k", "in, lambda", backend="host")
    assert [p.name for p in grad.signature.parameters] == [
        "in_",
        "lambda_",
        "grid",
        "stream",
        "d_in",
        "_d_in",
        "d_lambda",
    ]
    d_in, d_out = np.zeros(1), np.ones(1)
    grad.execute_kernel(1, 1, np.ones(1), np.zeros(1), 2.0, 3.0, 4.0, _d_in=d_in, d_lambda=d_out)
    assert d_in[0] == 24.0
    found = grad(1, 1, np.ones(1), np.zeros(1), 2.0, 3.0, d_in=4.0, cotangents={"lambda": 1})
    assert found["in"] == [24.0]
    grad.execute_kernel(
        1, 1, np.ones(1), np.zeros(1), grid=2.0, d_in=4.0, _d_in=d_in, d_lambda=d_out
    ) if False else None


SIGNATURE = """\
execute_kernel(grid, block, n, a, x, y, flags, on, v, last, d_a, d_x, d_y, d_v, d_last, *, shared_mem=0, stream=None)
  n       int             a number
  a       double          a number
  x       const double *  an array of float64
  y       double *        an array of float64, which the original writes
  flags   unsigned char   a number
  on      bool            a number
  v       View            a dict
  last    const float *   an array of float32
  d_a     double *        the adjoint of a: an array of one float64
  d_x     double *        the adjoint of x: an array of float64
  d_y     double *        the adjoint of y: an array of float64; before the call, the cotangent
  d_v     View            the adjoint of v: a dict with those of its members
  d_last  float *         the adjoint of last: an array of float32"""


def test_the_signature(kernel: Gradient, function: Gradient) -> None:
    assert str(kernel.signature) == SIGNATURE
    first, *_ = str(function.signature).splitlines()
    assert first == "execute(n, a, x, y, d_a, d_x, d_y, *, cotangent=1.0)"
    assert repr(function) == "<gradient of f(n, a, x, y) on host>"
    y = function.signature.parameters[3]
    assert (y.name, y.type, y.adjoint_of, str(y)) == ("y", "double *", None, "y: double *")
    assert function.signature.parameters[-1].adjoint_of == "y"
