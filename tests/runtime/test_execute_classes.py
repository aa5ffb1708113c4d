"""Class arguments through compiled code on the host backend: what C++ sees of them, and what comes back."""

from __future__ import annotations

import numpy as np
import pytest

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, LaunchError, UsageError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import DOUBLE, INT, Field, Pointer, Reference, Type
from cladpy.runtime import Gradient
from cladpy.runtime.structs import dtype_of
from cladpy.source import Source
from tests.runtime.classes import BODY, CLASSES, FLOAT4, NESTED, PAIR, VIEW, WIDE, struct
from tests.runtime.derivatives import derivative

SOURCE = (
    CLASSES
    + """
__global__ void blend(Pair p, const float4 *v, Body *bodies, int n) {
  int i = threadIdx.x;
  if (i < n) bodies[i].position[1] = p.a * v[i].y + p.b;
}
__global__ void gather(View v, double *out) { int i = threadIdx.x; if (i < v.count) out[i] = v.scale * v.data[v.index[i]]; }
__global__ void scaled(Nested n) { n.view.data[threadIdx.x] *= n.a; }
__global__ void rows(const double *const *in, double **out, int width) { out[blockIdx.x][threadIdx.x] = 2 * in[blockIdx.x][threadIdx.x]; (void)width; }
__global__ void wide(Wide *w, Wide by_value) { w[threadIdx.x].v[0] += by_value.v[3] * (reinterpret_cast<size_t>(w) % alignof(Wide) == 0); }
Pair twice(const Pair &p, Pair &out) { out.a += p.a; return Pair{2 * p.a, 2 * p.b}; }
struct Locked { const double a; explicit Locked(double x) : a(x) {} Locked(const Locked &) = default; Locked &operator=(const Locked &) = delete; };
double open(Locked l) { return l.a; }
"""  # noqa: E501
)


def made(
    function: str, parameters: list[tuple[str, Type]], adjoints: list[int], body: str, **options: object
) -> Gradient:
    kind = options.pop("kind", FunctionKind.KERNEL)
    assert isinstance(kind, FunctionKind)
    source = Source.load(SOURCE)
    result: Derivative = derivative(function, kind, parameters, adjoints, body, source=source, **options)  # type: ignore[arg-type]
    return Gradient(result, "host")


def blend() -> Gradient:
    return made(
        "blend",
        [("p", PAIR), ("v", Pointer(FLOAT4, const=True)), ("bodies", Pointer(BODY)), ("n", INT)],
        [0, 1, 2],
        "int i = threadIdx.x; if (i >= n) return; double d = _d_bodies[i].position[1]; _d_bodies[i].position[1] = 0; "
        "atomicAdd(&_d_p->a, d * v[i].y); atomicAdd(&_d_p->b, d); _d_v[i].y += p.a * d; (void)bodies;",
    )


def test_objects_and_arrays_of_objects() -> None:
    gradient = blend()
    v = np.arange(12, dtype="f4").reshape(3, 4)
    bodies = np.zeros(3, gradient.dtype_of("bodies"))
    bodies["id"] = 7
    gradient.primal.execute_kernel(1, 3, {"a": 2.0, "b": 0.5}, v, bodies, 3)
    np.testing.assert_array_equal(bodies["position"][:, 1], 2 * v[:, 1] + 0.5)
    d_p = np.zeros(1, gradient.dtype_of("p"))
    d_v = np.zeros(12, "f4")
    d_bodies = np.zeros(3, gradient.dtype_of("bodies"))
    d_bodies["position"] = d_bodies["id"] = 1
    gradient.execute_kernel(1, 3, (2.0, 0.5), v, bodies, 3, d_p, d_v, d_bodies)
    assert d_p[0].item() == (15.0, 3.0)
    assert d_v.reshape(3, 4)[:, 1].tolist() == [2, 2, 2] and d_v.sum() == 6
    assert d_bodies["position"].tolist() == [[1, 0, 1]] * 3 and d_bodies["id"].tolist() == [1] * 3
    assert bodies["id"].tolist() == [7] * 3
    with pytest.raises(UsageError, match=r"^there is no argument 'q'; there are p, v, bodies, n"):
        gradient.dtype_of("q")


def test_an_object_with_pointers() -> None:
    gradient = made(
        "gather",
        [("v", VIEW), ("out", Pointer(DOUBLE))],
        [0, 1],
        "int i = threadIdx.x; (void)out; if (i < v.count) atomicAdd(&_d_v.data[v.index[i]], v.scale * _d_out[i]);",
    )
    view = {"data": np.array([1.0, 2.0]), "index": np.array([1, 0, 1], "i4"), "count": 3, "scale": 3.0}
    out = np.zeros(3)
    gradient.primal.execute_kernel(1, 4, view, out)
    assert out.tolist() == [6, 3, 6]
    d_data = np.zeros(2)
    gradient.execute_kernel(1, 4, view, out, {"data": d_data}, np.ones(3))
    assert d_data.tolist() == [3, 6]
    addresses = np.array([(view["data"].ctypes.data, view["index"].ctypes.data, 3, 3.0)], dtype_of(VIEW))  # type: ignore[attr-defined]
    gradient.primal.execute_kernel(1, 4, addresses[0], out * 0)


def test_pointers_in_nested_objects() -> None:
    gradient = made("scaled", [("n", NESTED)], [0], "_d_n.view.data[threadIdx.x] *= n.a;")
    data = np.array([1.0, 2.0])
    value = {"a": 3.0, "b": 0.0, "view": {"data": data, "index": None, "count": 2, "scale": 0.0}}
    gradient.primal.execute_kernel(1, 2, value)
    assert data.tolist() == [3, 6]
    adjoint = np.ones(2)
    gradient.execute_kernel(1, 2, value, {"view": {"data": adjoint}})
    assert adjoint.tolist() == [3, 3]


def test_tables_of_pointers() -> None:
    const = Pointer(Pointer(DOUBLE, const=True))
    body = (
        "double d = _d_out[blockIdx.x][threadIdx.x]; _d_out[blockIdx.x][threadIdx.x] = 0; "
        "_d_in[blockIdx.x][threadIdx.x] += 2 * d; (void)in; (void)out; (void)width;"
    )
    parameters = [("in", const), ("out", Pointer(Pointer(DOUBLE))), ("width", INT)]
    gradient = made("rows", parameters, [0, 1], body)
    rows = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
    out = np.zeros((2, 2))
    gradient.primal.execute_kernel(2, 2, rows, out, 2)
    assert out.tolist() == [[2, 4], [6, 8]]
    addresses = np.array([r.ctypes.data for r in rows], np.uint64)
    gradient.primal.execute_kernel(2, 2, addresses, out * 0, 2)
    d_in, d_out = [np.ones(2), np.ones(2)], [np.ones(2), np.array([0.0, 3.0])]
    gradient.execute_kernel(2, 2, rows, out, 2, d_in, d_out)
    assert [d.tolist() for d in d_in] == [[3, 3], [1, 7]]
    assert [d.tolist() for d in d_out] == [[0, 0], [0, 0]]


def test_memory_is_aligned_as_the_class_asks_for() -> None:
    gradient = made("wide", [("w", Pointer(WIDE)), ("by_value", WIDE)], [], "(void)w; (void)by_value;")
    memory = np.zeros(4 * 64 + 64, "u1")
    first = -memory.ctypes.data % 64 + 8
    w = memory[first : first + 128].view(dtype_of(WIDE))
    assert w.ctypes.data % 64 == 8
    gradient.primal.execute_kernel(1, 2, w, {"v": [0, 0, 0, 2.5]})
    assert w["v"][:, 0].tolist() == [2.5, 2.5]


def test_functions_of_objects_return_objects() -> None:
    gradient = made(
        "twice",
        [("p", Reference(PAIR, const=True)), ("out", Reference(PAIR))],
        [0, 1],
        "_d_p->a += 2 * cotangent.a + _d_out->a; _d_p->b += 2 * cotangent.b; (void)p; (void)out;",
        kind=FunctionKind.HOST,
        result=PAIR,
    )
    out = np.zeros(1, dtype_of(PAIR))
    value = gradient.primal.execute({"a": 1, "b": 2}, out)
    assert isinstance(value, np.void) and value.item() == (2.0, 4.0)
    assert out["a"][0] == 1
    d_p, d_out = np.zeros(2), np.array([5.0, 0.0])
    gradient.execute((1, 2), out, d_p, d_out, cotangent={"a": 1, "b": 10})
    assert d_p.tolist() == [7, 20]
    with pytest.raises(ArgumentTypeError, match=r"^cotangent: expected 2 numbers, .* \(Pair\), got an object"):
        gradient.execute((1, 2), out, d_p, d_out)


def test_a_class_that_cannot_be_assigned_or_made_from_nothing() -> None:
    locked = struct("Locked", Field("a", DOUBLE, 0), size=8, alignment=8)
    gradient = made("open", [("l", locked)], [], "(void)l; (void)cotangent;", kind=FunctionKind.HOST, result=DOUBLE)
    assert gradient.primal.execute({"a": 4.5}) == 4.5


def test_nothing_runs_with_a_part_that_does_not_fit() -> None:
    gradient = blend()
    bodies = np.zeros(3, gradient.dtype_of("bodies"))
    with pytest.raises(ArgumentTypeError, match=r"^p\.b: no value is given \(double\)"):
        gradient.primal.execute_kernel(1, 3, {"a": 2.0}, np.zeros((3, 4), "f4"), bodies, 3)
    with pytest.raises(LaunchError, match=r"^v: an array of shape \(9,\) does not fit const float4 \*"):
        gradient.primal.execute_kernel(1, 3, (1, 2), np.zeros(9, "f4"), bodies, 3)
    assert not bodies["position"].any()
