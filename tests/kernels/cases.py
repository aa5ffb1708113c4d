"""The table of kernels whose gradients are checked: where they are, what is differentiated, how they are launched.

An argument is written as what it is made of: `real(64)`, `shaped(8, 3)`, `single(64)`, `zeros(64)`,
`indices(64, below)` or a number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent

Make = Callable[[np.random.Generator], Any]


def real(n: int, low: float = 0.2, high: float = 1.2) -> Make:
    return lambda rng: rng.uniform(low, high, n)


def shaped(*extents: int) -> Make:
    return lambda rng: rng.uniform(0.2, 1.2, extents)


def single(n: int, low: float = 0.2, high: float = 1.2) -> Make:
    return lambda rng: rng.uniform(low, high, n).astype(np.float32)


def zeros(n: int, dtype: str = "f8") -> Make:
    return lambda rng: np.zeros(n, dtype)


def spheres(n: int) -> Make:
    """An array of `Sphere`s of recursion.cu."""
    sphere = np.dtype([("center", [("x", "f8"), ("y", "f8"), ("z", "f8")]), ("radius", "f8"), ("shine", "f8")])

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, sphere)
        made.view("f8")[:] = rng.uniform(0.3, 1.2, 5 * n)
        return made

    return make


def pairs(n: int) -> Make:
    return lambda rng: rng.uniform(0.3, 1.2, 2 * n).view([("x", "f8"), ("y", "f8")])


def vectors(n: int, low: float = 0.3, high: float = 1.2) -> Make:
    vector = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])
    return lambda rng: rng.uniform(low, high, 3 * n).view(vector)


def blank(*extents: int, dtype: str = "f8") -> Make:
    """Zeros for a result of several numbers per element."""
    return lambda rng: np.zeros(extents, dtype)


def single_rows(n: int, k: int) -> Make:
    return lambda rng: rng.uniform(0.2, 1.2, (n, k)).astype(np.float32)


def shaped_in(n: int, *ranges: tuple[float, float], dtype: str = "f8") -> Make:
    """Rows whose columns are drawn from ranges of their own."""
    return lambda rng: np.stack([rng.uniform(low, high, n) for low, high in ranges], 1).astype(dtype)


def index_rows(n: int, *below: int) -> Make:
    """Rows of different indices, each below its own bound."""
    return lambda rng: np.stack([rng.permutation(b)[np.arange(n) % b] for b in below], 1).astype(np.int32)


def triangles(n: int, points: int) -> Make:
    return lambda rng: np.array([rng.permutation(points)[:3] for _ in range(n)], np.int32)


def record(**members: Any) -> Make:
    """An object's members by name; members that are made from random numbers too."""
    return lambda rng: {name: m(rng) if callable(m) else m for name, m in members.items()}


def ring(n: int, width: int) -> Make:
    """For each of n elements the next `width` of them, as the second array of a list of neighbours."""
    return lambda rng: (np.arange(n)[:, None] + np.arange(1, width + 1)).ravel().astype(np.int32) % n


def every(step: int, n: int) -> Make:
    return lambda rng: np.arange(0, step * n + 1, step, dtype=np.int32)


def increasing(n: int) -> Make:
    """A grid from 0 to 1.3, a little irregular."""
    return lambda rng: np.linspace(0.0, 1.3, n) + np.r_[0.0, rng.uniform(-0.2, 0.2, n - 2) / n, 0.0]


def particles(n: int) -> Make:
    """An array of `Particle`s of classes.cu."""
    vector = [("x", "f8"), ("y", "f8"), ("z", "f8")]
    particle = np.dtype(
        [("position", vector), ("velocity", vector), ("mass", "f8"), ("kind", "i4"), ("history", "f8", 3)], align=True
    )

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, particle)
        for part in ("position", "velocity"):
            for axis in "xyz":
                made[part][axis] = rng.uniform(0.2, 1.2, n)
        made["mass"] = rng.uniform(0.5, 1.5, n)
        made["kind"] = rng.integers(0, 3, n)
        made["history"] = rng.uniform(0.2, 1.2, (n, 3))
        return made

    return make


def bodies(n: int) -> Make:
    """An array of `Body`s of classes.cu."""
    point = [("x_", "f8"), ("y_", "f8")]
    body = np.dtype([("Point", point), ("mass", "f8"), ("weights_", "f4", 2)], align=True)

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, body)
        for axis in ("x_", "y_"):
            made["Point"][axis] = rng.uniform(0.2, 1.2, n)
        made["mass"] = rng.uniform(0.5, 1.5, n)
        made["weights_"] = rng.uniform(0.2, 1.2, (n, 2))
        return made

    return make


def with_bit_fields(n: int) -> Make:
    """Objects of two bytes of bit-fields, which have no name in NumPy, two of padding, and a float."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype({"names": ["v"], "formats": ["f4"], "offsets": [4], "itemsize": 8}))
        made.view(np.uint8).reshape(n, 8)[:, :2] = rng.integers(0, 256, (n, 2))
        made["v"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


def rows(count: int, n: int) -> Make:
    """A table of pointers to rows."""
    return lambda rng: [rng.uniform(0.2, 1.2, n) for _ in range(count)]


def members(**values: Any) -> Make:
    """An object by its members."""
    return lambda rng: {name: v(rng) if callable(v) else v for name, v in values.items()}


def indices(n: int, below: int) -> Make:
    return lambda rng: rng.integers(0, below, n).astype(np.int32)


def chars(n: int, below: int) -> Make:
    return lambda rng: rng.integers(0, below, n).astype(np.uint8)


def shapes(n: int) -> Make:
    """An array of `Shape`s of enums.cu."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype([("side", "i4"), ("width", "f8")], align=True))
        made["side"] = rng.integers(0, 2, n)
        made["width"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


def lamps(n: int) -> Make:
    """An array of `Lamp`s of enums.cu."""

    def make(rng: np.random.Generator) -> Any:
        made = np.zeros(n, np.dtype([("colour", "i4"), ("kind", "u1"), ("power", "f8")], align=True))
        made["colour"] = rng.integers(0, 2, n)
        made["power"] = rng.uniform(0.2, 1.2, n)
        return made

    return make


def permutation(n: int) -> Make:
    return lambda rng: rng.permutation(n).astype(np.int32)


@dataclass(frozen=True)
class Case:
    file: str
    function: str
    args: str  # the arguments that are differentiated, as `cladpy.gradient` takes them
    values: tuple[Make | int | float, ...]
    grid: int | tuple[int, ...] | None = 2  # None: no kernel
    block: int | tuple[int, ...] | None = 32
    label: str = ""

    @property
    def path(self) -> Path:
        return HERE / f"{self.file}.cu"

    @property
    def id(self) -> str:
        return f"{self.file}-{self.function}{'-' + self.label if self.label else ''}"

    def arguments(self, seed: int = 7) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [v(rng) if callable(v) else v for v in self.values]


N = 60  # fewer than the 64 threads of the usual launch, so that guards matter
X = real(N)
Y = zeros(N)

OPERATORS = (
    Case("operators", "arithmetic", "a, b, y", (X, X, Y, N)),
    Case("operators", "compound_local", "a, b, y", (X, X, Y, N)),
    Case("operators", "compound_memory", "a, b", (X, X, N)),
    Case("operators", "increments", "a, y", (X, Y, N)),
    Case("operators", "conditional", "a, b, y", (X, X, Y, N)),
    Case("operators", "logical", "a, b, y", (X, X, Y, N)),
    Case("operators", "chained_assignment", "a, b, y", (X, X, Y, N)),
    Case("operators", "integer_operators", "a, y", (X, Y, N)),
    Case("operators", "comparison_as_number", "a, b, y", (X, X, Y, N)),
    Case("operators", "same_operand", "a, y", (X, Y, N)),
    Case("operators", "store_in_expression", "a, y, z", (X, Y, Y, N)),
    Case("operators", "arithmetic", "a, y", (X, X, Y, N), label="subset"),
)

CASTS = (
    Case("casts", "float_in_double", "a, b, y", (single(N), X, Y, N)),
    Case("casts", "float_only", "a, b, y", (single(N), single(N), zeros(N, "f4"), N)),
    Case("casts", "double_literals_in_float", "a, y", (single(N), zeros(N, "f4"), N)),
    Case("casts", "integers_in_double", "a, y", (X, indices(N, 9), Y, N)),
    Case("casts", "truncation", "a, y", (X, Y, N)),
    Case("casts", "explicit_casts", "a, y", (X, zeros(N, "f4"), N)),
    Case("casts", "compound_mixed", "a, y", (X, zeros(N, "f4"), N)),
    Case("casts", "narrow_integers", "a, y", (X, Y, N)),
    Case("casts", "bool_conversions", "a, y", (X, Y, N)),
    Case("casts", "mixed_ternary", "a, b, y", (single(N), X, Y, N)),
)

CONTROL = (
    *(
        Case("control", name, "x, y", (X, Y, N))
        for name in (
            "branches",
            "early_return",
            "return_in_nested_loops",
            "break_and_continue",
            "while_loop",
            "do_loop",
            "switch_fallthrough",
            "switch_default_first",
            "switch_in_loop",
            "loop_in_switch_in_loop",
            "inner_bound_from_data",
            "several_loop_variables",
            "nothing_runs",
            "carried_through_branches",
        )
    ),
    Case("control", "data_dependent_trips", "x, y", (X, indices(N, 12), Y, N)),
    Case("control", "declared_in_condition", "x, y", (X, indices(N, 12), Y, N)),
    Case("control", "nonlinear_state", "x, y", (X, Y, N, 25)),
    Case("control", "nonlinear_state", "x, y", (X, Y, N, 0), label="no_steps"),
)

MEMORY = (
    *(
        Case("memory", name, "x, y", (X, Y, N))
        for name in (
            "local_array",
            "local_matrix",
            "overwritten_array",
            "walking_pointer",
            "pointers_compared",
            "pointer_to_local",
            "references",
            "overwrites_with_constant",
            "integer_array",
            "insertion_sort",
        )
    ),
    Case("memory", "pointer_stores", "x, y", (X, zeros(3 * N), N)),
    Case("memory", "in_place", "x", (X, N)),
    Case("memory", "in_place_until", "x", (X, N, 9)),
    Case("memory", "in_place_while", "x, y", (X, single(N), indices(N, 3), N)),
    Case("memory", "in_place_loop", "x", (X, N, 7)),
    Case("memory", "read_after_write", "x, y, z", (X, Y, X, N)),
    Case("memory", "own_rows", "a", (real(12 * 6), 12, 6)),
    Case("memory", "swap_rows", "x, y", (X, X, N)),
    Case("memory", "gather", "x, y", (X, indices(N, N), Y, N)),
    Case("memory", "scatter_own", "x, y", (X, Y, permutation(N), N)),
)

PARAMS = members(stiffness=0.8, damping=0.3, steps=5, weights=real(4))
VEC = shaped(N, 3)

CLASSES = (
    Case("classes", "fields", "v, y", (VEC, Y, N)),
    Case("classes", "store_fields", "x, v", (X, VEC, N)),
    Case("classes", "passed_around", "a, b, y", (VEC, VEC, Y, N)),
    Case("classes", "nested", "p, force, dt", (particles(N), X, 0.1, N)),
    Case("classes", "by_value", "params, x, y", (PARAMS, X, Y, N)),
    Case("classes", "view_of_arrays", "view", (members(**{"in": X, "out": Y, "n": N}),)),
    Case("classes", "chosen_object", "grid, y", (VEC, Y, N)),
    Case("classes", "julia", "z0, c, y", (shaped(N, 2), members(re=-0.3, im=0.4), Y, N)),
    Case("classes", "class_templates", "x, y", (X, Y, N)),
    Case("classes", "local_objects", "v, y", (VEC, Y, N)),
    Case("classes", "rows_of_pointers", "rows, y", (rows(3, N), Y, N)),
    Case(
        "classes",
        "vectors",
        "a, b, c, y",
        (single(4 * N), shaped(N, 2), zeros(4 * N, "f4"), Y, N),
    ),
    Case("classes", "private_members", "bodies, y, where", (bodies(N), Y, members(x_=0.4, y_=0.3), N)),
    Case("classes", "private_stores", "bodies, x", (bodies(N), X, N)),
    Case("classes", "downcasts", "s, y", (shaped(N, 2), Y, N)),
    Case("classes", "bits_of_inactive", "x, y", (X, single(N), Y, N)),
)

CLASSES_MORE = (
    Case("classes_more", "trace", "s, eye, image", (shaped(N, 8), VEC, VEC, N)),
    Case("classes_more", "indexed_components", "v, y", (VEC, Y, N)),
    Case("classes_more", "chained", "a, b, c", (VEC, VEC, VEC, N)),
    Case("classes_more", "ternaries", "a, b, y", (VEC, VEC, Y, N)),
    Case("classes_more", "hidden", "d, y", (VEC, Y, N)),
    Case(
        "classes_more",
        "ambiguous_value",
        "d, e, x, y",
        (
            members(L=members(v=0.3), R=members(v=0.4), w=0.5),
            members(B1=members(a=0.6, b=0.7), a=0.8),
            X,
            Y,
            N,
        ),
    ),
    Case("classes_more", "gemv", "A, x, y", (members(m_data=X, m_rows=3, m_cols=3), X, Y, N)),
    Case(
        "classes_more",
        "privates",
        "a, b, c, y",
        (shaped(N, 8), shaped(N, 8), members(re=0.3, im=0.4, hist=[1, 2, 3], inner=members(q=0.5, r=[0.2, 0.7])), Y, N),
    ),
    Case(
        "classes_more",
        "tensor",
        "t, u, y",
        (members(data=real(15), stride=[3, 1]), members(data=real(3), stride=[1]), X, N),
    ),
    Case("classes_more", "pointer_branches", "a, b, y", (shaped(N, 2), shaped(N, 2), Y, N)),
    Case("classes_more", "swapped_rows", "x, y", (X, Y, N)),
    Case("classes_more", "bit_fields_in_memory", "b, x", (with_bit_fields(N), with_bit_fields(1), single(N), N)),
    Case("classes_more", "private_base", "a, y", (shaped(N, 9), X, N)),
)

FUNCTION_OBJECTS = (
    Case("function_objects", "captures", "x, y, w", (X, Y, 0.8, N)),
    Case("function_objects", "functors", "x, y", (X, Y, N)),
    Case("function_objects", "packs", "x, y", (X, Y, N)),
    Case("function_objects", "library_classes", "x, y", (X, Y, N)),
    Case("function_objects", "complex_numbers", "x, w", (0.4, 0.3), None, None),
    Case("function_objects", "mapped<Affine>", "x, y, op", (X, Y, N, members(slope=0.7, offset=0.2))),
    Case("function_objects", "mapped<Square>", "x, y", (X, Y, N, members())),
)

REINTERPRETED = (
    Case("reinterpreted", "floats_as_vectors", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("reinterpreted", "members_as_array", "v, y", (VEC, Y, N)),
    Case("reinterpreted", "array_of_objects_as_numbers", "v, scale", (VEC, 0.7, N)),
    Case("reinterpreted", "union_of_forms", "x, y", (X, Y, N)),
    Case("reinterpreted", "bits_by_pointer", "x, y", (X, single(N), Y, N)),
    Case("reinterpreted", "rows_by_bytes", "in, out", (single(64), zeros(64, "f4"), 64, 14, 4)),
    Case("reinterpreted", "objects_by_bytes", "in, out", (single(256), zeros(60, "f4"), 256, 15, 4), (1, 4), (16, 1)),
    Case("reinterpreted", "through_other_sizes", "x, y", (X, Y, N)),
)

ENUMS = (
    Case("enums", "modes", "x, y", (X, Y, 5, 1, N)),
    Case("enums", "kinds_in_memory", "x, y", (X, Y, chars(3, 3), chars(N, 3), N)),
    Case("enums", "sides", "all, one, y", (shapes(N), members(side=1, width=0.7), Y, N)),
    Case("enums", "kinds_in_globals", "x, y", (X, Y, N)),
    Case("enums", "hidden_kinds", "x, lamps, y", (X, lamps(N), Y, N)),
)

FUNCTIONS = (
    *(
        Case("functions", name, "x, y", (X, Y, N))
        for name in (
            "nested_values",
            "pointers_to_locals",
            "by_reference",
            "stores_in_callee",
            "early_return_in_callee",
            "switch_in_callee",
            "local_array_to_callees",
            "hashed_gather",
            "discarded_result",
            "null_pointer",
        )
    ),
    Case("functions", "global_pointers", "a, b, y", (real(4 * N), real(4), Y, N, 4)),
    Case("functions", "global_pointers", "b, y", (real(4 * N), real(4), Y, N, 4), label="shared_only"),
    Case("functions", "same_callee_local_and_global", "a, b, y", (X, real(4), Y, N, 4)),
    Case("functions", "builtins_in_callee", "in, out, val", (real(64), zeros(64), 0.7)),
    Case("functions", "conversions_at_calls", "x, w, y", (X, single(N), Y, N)),
    Case("functions", "output_parameters", "x, y, z", (X, Y, Y, N)),
    Case("functions", "namespaces_and_templates", "x, w, y", (X, single(N), Y, N)),
    Case("functions", "template_kernel<double, 3>", "x, y", (X, Y, N)),
    Case("functions", "template_kernel<float, 4>", "x, y", (single(N), zeros(N, "f4"), N)),
)

THREADS = (
    Case("threads", "scalar_arguments", "x, y, a, b", (X, Y, 0.7, np.float32(1.3), N)),
    Case("threads", "scalar_arguments", "y, a", (X, Y, 0.7, np.float32(1.3), N), label="one_scalar"),
    Case("threads", "scalar_in_loop", "x, y, a", (X, Y, 0.7, N)),
    Case("threads", "two_dimensions", "x, y", (real(70), zeros(70), 10, 7), (3, 2), (4, 4)),
    Case("threads", "three_dimensions", "x, y, w", (real(96), zeros(96), real(4)), (2, 3, 2), (2, 2, 2)),
    Case("threads", "grid_stride", "x, y", (real(150), zeros(150), 150)),
    Case("threads", "block_in_index", "x, y", (real(64), zeros(64))),
    Case("threads", "atomic_sum", "x, total", (X, zeros(1), N)),
    Case("threads", "weighted_histogram", "x, w, bins", (X, X, zeros(6), N, 6)),
    Case("threads", "atomic_float", "x, y", (single(N), zeros(4, "f4"), N)),
    Case("threads", "cloud_in_cell", "position, charge, grid", (X, X, zeros(9), N, 9)),
    Case("threads", "all_to_one", "w, x, y", (real(3), X, Y, N)),
    Case("threads", "one_thread", "x, y", (real(30), zeros(1), 30), 1, 1),
)

TALK = (
    Case("talk", "kernel", "a", (real(1),), 1, 1),
    Case("talk", "add_kernel_4", "in, out", (zeros(70), real(70), 70)),
    Case("talk", "kernel_with_device_call", "out, val", (zeros(32), real(32), 0.7), 1),
    Case("talk", "kernel_with_device_call", "out, in, val", (zeros(32), real(32), 0.7), 1, label="all"),
    Case("talk", "kernel_with_device_call_2", "out, in", (zeros(32), real(32), real(1)), 1),
    Case("talk", "kernel_with_device_call_2", "out, val", (zeros(32), real(32), real(1)), 1, label="val"),
    Case("talk", "kernel_with_device_call_2", "out, in, val", (zeros(32), real(32), real(1)), 1, label="all"),
    Case("talk", "kernel_with_nested_device_call", "out, in, val", (zeros(32), real(32), real(1)), 1),
    Case("talk", "copy_kernel", "out, in", (Y, X, N)),
)

SCIENCE = (
    Case("science", "black_scholes", "spot, strike, years, rate, vol, call, put", (X, X, X, 0.05, 0.3, Y, Y, N)),
    Case(
        "science",
        "lennard_jones",
        "position, force, energy, epsilon, sigma",
        (real(60, 0.0, 3.0), zeros(60), zeros(1), 0.7, 0.9, 20),
        1,
    ),
    Case("science", "heat_stencil", "u, next, alpha", (real(80), zeros(80), 0.1, 10, 8), (3, 2), (4, 4)),
    Case("science", "gemv", "a, x, y, alpha, beta", (real(40 * 9), real(9), real(40), 0.8, 0.3, 40, 9)),
    Case("science", "gemm", "a, b, c", (single(42), single(56), zeros(48, "f4"), 6, 8, 7), (2, 2), (4, 4)),
    Case("science", "rms_norm", "x, weight, y", (single(120), single(10), zeros(120, "f4"), 12, 10), 1),
    Case("science", "biquad", "x, y, b0, b1, a1, a2", (real(120), zeros(120), 0.6, 0.2, -0.5, 0.1, 6, 20), 1),
    Case("science", "newton", "a, root", (X, Y, N)),
    Case("science", "table_lookup", "grid, value, at, y", (increasing(17), real(17), X, Y, N, 17)),
    Case(
        "science",
        "cross_sections",
        "energy_grid, xs, energy, density, total",
        (increasing(12), real(4 * 12 * 3), X, indices(N, 16), real(4), Y, N, 12, 4),
    ),
    Case("science", "escape_time", "re, im, y", (real(N, -1.0, 0.5), real(N, -1.0, 1.0), Y, N)),
    Case("science", "horner", "c, x, y", (real(9), X, Y, N, 8)),
    Case("science", "clenshaw", "c, x, y", (real(9), real(N, -0.9, 0.9), Y, N, 8)),
    Case("science", "runge_kutta", "state, sigma, rho, beta, h", (real(30), 10.0, 28.0, 2.6, 0.01, 8, 10), 1),
    Case("science", "monte_carlo", "spot, vol, payoff", (1.0, 0.4, Y, 12345, 6, N)),
    Case(
        "science",
        "cubic_spline",
        "knot, a, b, c, d, at, y",
        (increasing(9), real(9), real(9), real(9), real(9), X, Y, N, 9),
    ),
    Case("science", "convolution", "x, w, y", (real(63, -1, 1), real(9, -1, 1), zeros(63), 9, 7, 1), (3, 2), (4, 4)),
    Case("science", "softmax", "x, y", (real(100, -2, 2), zeros(100), 10, 10), 1),
    Case("science", "log_sum_exp", "x, y", (single(100, -2, 2), zeros(10, "f4"), 10, 10), 1),
    Case("science", "quaternion_rotation", "q, v, out", (real(80, -1, 1), real(60), zeros(60), 20), 1),
    Case("science", "inverse_3x3", "a, inverse", (real(90), zeros(90), 10), 1),
    Case("science", "cholesky", "a, factor", (real(160), zeros(160), 10), 1),
    Case("science", "thomas", "lower, diagonal, upper, rhs", (real(48), real(48), real(48), real(48), 6, 8), 1),
    Case(
        "science",
        "ray_sphere",
        "origin, direction, sphere, depth",
        (real(90, -1, 0), real(90), real(20), zeros(30), 30, 5),
        1,
    ),
    Case("science", "bilinear", "image, u, v, y", (single(80), single(N), single(N), zeros(N, "f4"), 10, 8, N)),
    Case("science", "cumulative_product", "x, y", (real(80), zeros(80), 10, 8), 1),
    Case("science", "branch_game", "x, y", (X, Y, N, 15)),
    Case("science", "adam_step", "w, g, m, v, rate", (X, X, X, X, 0.1, N)),
    Case("science", "pendulum", "angle, energy, length, h", (X, Y, 1.3, 0.05, 30, N)),
    Case(
        "science",
        "dense_layers",
        "x, w1, w2, y",
        (single(80), single(32, -1, 1), single(24, -1, 1), zeros(60, "f4"), 20),
        1,
    ),
    Case("science", "trapezoid", "a, b, y", (real(N, -1, 0), X, Y, N, 12)),
)

MATH = (
    *(
        Case("math", name, "x, y", (X, Y, N))
        for name in (
            "trigonometric",
            "exponential",
            "rounding",
            "special",
            "sine_and_cosine",
            "at_kinks",
            "words_of_integers",
        )
    ),
    Case("math", "single_precision", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("math", "fast_forms", "x, y", (single(N), zeros(N, "f4"), N)),
)

TABLES = (
    Case("tables", "gauss_legendre", "a, b, y", (real(N, -1, 0), X, Y, N)),
    Case("tables", "table_rows", "x, y", (X, Y, N)),
    Case("tables", "chosen_table", "x, y", (X, Y, N)),
    Case("tables", "static_constants", "x, y", (X, Y, N)),
    Case("tables", "counted", "x, y", (X, Y, N)),
    Case("tables", "rows_of_three", "m, w, y", (real(60), real(60), zeros(20), 20), 1),
    Case("tables", "blocks_of_four", "m, f, y", (real(80), single(40), zeros(20), 20), 1),
    Case("tables", "blocks_of_four", "m, f", (shaped(20, 2, 2), single(40), zeros(20), 20), 1, label="shaped"),
    Case("tables", "fixed_sizes", "a, b", (real(3), real(4)), None, None),
)

VARIABLES = (
    Case("variables", "read_variables", "x, y, weights, bias, table, fixed, scale, gravity", (X, Y, N)),
    Case("variables", "read_variables", "y, model::weights", (X, Y, N), label="subset"),
    Case("variables", "write_variables", "x, temporary, bias, result", (X, N)),
    Case("variables", "overwrite_variable", "x, y, result, total", (X, Y, N)),
    Case("variables", "hidden_variable", "x, y, bias, ::bias, weights", (X, Y, 1.3, N)),
    Case("variables", "chosen_variable", "x, y, temporary, result", (X, Y, N)),
    Case("variables", "host_variable", "x, counted_on_host", (0.8,), None, None),
)

OBJECTS = (
    Case("objects", "polar", "r, a", (0.7, 0.3), None, None),
    Case("objects", "early", "p, limit", (members(x=0.7, y=0.3), 0.5), None, None),
    Case("objects", "early", "p", (members(x=0.7, y=0.3), 0.9), None, None, label="other_branch"),
    Case("objects", "moments", "v", (real(6), 6), None, None),
)

RECURSION = (
    Case("recursion", "render", "spheres, aim, image", (spheres(3), X, Y, N)),
    Case("recursion", "render", "aim, image", (spheres(3), X, Y, N), label="subset"),
    Case("recursion", "horner", "x, y, given", (X, Y, members(terms=real(4), scale=0.7, last=3), N), 1, 64),
    Case("recursion", "spirals", "v, out", (vectors(N), vectors(N, 0, 0), N)),
    Case("recursion", "local_memory", "x, y", (X, Y, N), 1, 64),
)

CUSTOM = tuple(
    Case("custom", name, "x, v, y", (X, pairs(N), Y, N), 1, 64)
    for name in (
        "lengths",
        "scaled",
        "bumped",
        "added_to",
        "called",
        "made",
        "added",
        "turned_twice",
        "summed",
        "swapped",
        "in_a_loop",
        "deciding",
        "elements",
        "referred",
    )
)

MARKS = (
    Case("marks", "marked_functions", "x, y, z", (X, Y, X, N)),
    Case("marks", "marked_variables", "", (X, Y, Y, N)),
)

MIXED = (
    Case("mixed", "statement_macros", "x, y", (X, Y, N)),
    Case("mixed", "commas_and_chosen_places", "x, y", (X, Y, N)),
    Case("mixed", "narrow_indices", "x, f, y", (X, single(N), Y, N, 7, 3)),
    Case("mixed", "calls_in_conditions", "x, y", (X, Y, N)),
    Case("mixed", "sweeps", "a, y", (real(100), zeros(20), 20, 5), 1),
    Case("mixed", "matrix_row_by_row", "x, y", (X, Y, N)),
    Case(
        "mixed",
        "unguarded_plane",
        "x, even, odd, scale, shift",
        (real(48), zeros(48), zeros(48, "f4"), 1.3, 0.4, 3),
        (2, 3),
        (4, 2),
    ),
)

FIELDS = (
    Case(
        "fields", "gravity", "bodies, accelerations, softening", (single_rows(N, 4), blank(N, 3, dtype="f4"), 0.05, N)
    ),
    Case(
        "fields",
        "gray_scott",
        "u, v, nu, nv, r, h",
        (real(35), real(35), zeros(35), zeros(35), record(feed=0.04, kill=0.06, du=0.16, dv=0.08), 0.5, 7, 5),
        (2, 2),
        (4, 4),
    ),
    Case("fields", "reach", "angles, lengths, ends", (real(40), real(4), blank(10, 2), 4, 10), 1),
    Case("fields", "lstm", "x, weights, recurrent, hidden", (real(7), shaped(9, 4), shaped(9, 4), zeros(9), 7, 9), 1),
    *(
        Case("fields", f"density<{name}>", "at, mass, rho, h", (shaped(20, 2), real(20), zeros(20), 0.4, 20), 1)
        for name in ("CubicSpline", "Gaussian")
    ),
    Case(
        "fields",
        "neo_hooke",
        "rest, now, energy, mu, lambda",
        (shaped(8, 2), shaped(8, 2), triangles(12, 8), zeros(12), 1.3, 0.7, 12),
        1,
    ),
    Case(
        "fields",
        "sabr",
        "strikes, volatilities, model, forward, expiry",
        (X, Y, record(alpha=0.3, beta=0.6, rho=-0.4, nu=0.5), 0.8, 1.5, N),
    ),
    Case(
        "fields",
        "orbits::positions",
        "elements, at",
        (shaped_in(N, (1.0, 2.0), (0.1, 0.9), (0.2, 3.0)), blank(N, 2), N),
    ),
    Case("fields", "shallow_water", "cells, next, ratio", (shaped(N, 2), blank(N, 2), 0.1, N)),
    Case(
        "fields",
        "unsaturated",
        "head, soils, content, flow",
        (
            single(N, -1.5, 0.3),
            shaped_in(3, (0.05, 0.1), (0.4, 0.5), (0.5, 2.0), (1.5, 2.5), (0.5, 1.5), dtype="f4"),
            indices(N, 3),
            zeros(N, "f4"),
            zeros(N, "f4"),
            N,
        ),
    ),
    Case(
        "fields",
        "enzymes",
        "substrate, product, kinetics, h",
        (real(20), zeros(20), record(forward=2.0, backward=0.5, catalysis=0.8), 0.1, 9, 20),
        1,
    ),
    Case(
        "fields",
        "reprojection",
        "cameras, points, pixels, error",
        (
            shaped_in(4, *[(0.1, 0.5)] * 5, (2.0, 3.0), (0.9, 1.1), (0.01, 0.05), (0.01, 0.02)),
            shaped(10, 3),
            index_rows(24, 4, 10),
            shaped(24, 2),
            zeros(24),
            24,
        ),
        1,
    ),
    Case("fields", "likelihood", "model, logarithm", (shaped(1, 24), indices(60, 4), zeros(10), 6, 10), 1),
    Case(
        "fields",
        "ewald",
        "at, charge, box, eta, energy",
        (shaped(20, 3), real(20), record(first=every(4, 20), list=ring(20, 4)), 1.0, 1.7, zeros(20), 20),
        1,
    ),
    Case("fields", "harmonics<0, 1, 2, 5>", "x, weights, y", (X, real(4), Y, N)),
)

CASES: tuple[Case, ...] = (
    *OPERATORS, *CASTS, *CONTROL, *MEMORY, *CLASSES, *CLASSES_MORE, *FUNCTION_OBJECTS, *REINTERPRETED, *ENUMS,
    *FUNCTIONS, *THREADS, *TALK, *SCIENCE, *MATH, *TABLES, *VARIABLES, *OBJECTS, *RECURSION, *CUSTOM, *MARKS, *MIXED,
    *FIELDS,
)  # fmt: skip
