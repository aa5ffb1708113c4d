"""What is differentiated in products.cu."""

from __future__ import annotations

from typing import Any

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros


def plain(rows: int, columns: int, depth: int, grid: tuple[int, ...], block: tuple[int, ...], label: str) -> Case:
    given = (single(rows * depth), single(depth * columns), zeros(rows * columns, "f4"), rows, columns, depth)
    return Case("products", "plain", "a, b, c", given, grid, block, label=label)


def product(name: str, rows: int, columns: int, depth: int, *more: Any, grid: tuple[int, ...] = (3, 3)) -> Case:
    given = (real(rows * depth), real(depth * columns), real(rows * columns), *more, rows, columns, depth)
    args = {"squashed": "a, b, c, alpha", "added": "a, b, c, beta"}[name]
    return Case("products", name, args, given, grid, (8, 4))


CASES = (
    plain(13, 21, 10, (3, 4), (8, 4), "cut"),
    plain(16, 32, 8, (2, 2), (16, 8), "whole"),
    plain(1, 1, 1, (1, 1), (1, 1), "one"),
    plain(12, 21, 10, (1, 2), (8, 4), "smaller_grid"),
    plain(4, 8, 0, (1, 1), (8, 4), "no_depth"),
    Case(
        "products", "plain", "a, c", (single(48), single(30), zeros(40, "f4"), 8, 5, 6), (1, 1), (8, 8),
        label="one_factor",
    ),
    product("squashed", 13, 9, 10, 0.3),
    product("added", 9, 17, 6, 0.5),
    Case(
        "products", "batches", "a, b, c", (real(60), real(72), zeros(90), 5, 6, 4, 24), (1, 2, 3), (8, 4),
        label="apart",
    ),
    Case(
        "products", "batches", "a, b, c", (real(60), real(24), zeros(90), 5, 6, 4, 0), (1, 2, 3), (8, 4),
        label="shared",
    ),
    Case(
        "products", "heads", "q, w, out", (real(180), real(96), zeros(80), 5, 3, 4, 6), (1, 5, 2), 8, one_launch=True,
    ),
    Case("products", "gram", "x, out", (real(60), zeros(100), 10, 6), (2, 3), (8, 4)),
    Case("products", "part", "a, b, c", (real(60), real(60), zeros(100), 10, 6, 4), (2, 3), (8, 4)),
    Case(
        "products", "tiled", "a, b, bias, c",
        (single(13 * 21), single(21 * 10), single(10), zeros(130, "f4"), 13, 10, 21), (2, 2), (8, 8), one_launch=True,
    ),
    Case(
        "products", "turned", "a, b, c", (real(384), real(384), zeros(256), 16, 3), (2, 2), (8, 8), one_launch=True,
    ),
    Case(
        "products", "in_turns", "a, b, c", (real(112), real(256), zeros(112), 7, 16), (2, 2), (8, 4), one_launch=True,
    ),
)  # fmt: skip
