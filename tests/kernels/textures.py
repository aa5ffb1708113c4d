"""What is differentiated in textures.cu."""

from __future__ import annotations

from typing import Any

from tests.kernels.case import Case, N
from tests.kernels.making import Make, indices, members, single, zeros

WRAP, CLAMP, MIRROR, BORDER = range(4)


def texture(
    memory: Make, extents: tuple[int, int, int], address: int = BORDER, normalized: int = 0, **more: int
) -> Any:
    """One of rows that are as far apart as they are long, of one address mode; `more` are members of the class."""
    width, height, depth = extents
    sizes = {"width": width, "height": height, "depth": depth, "pitch": width}
    modes = {"address_x": address, "address_y": address, "address_z": address}
    return members(memory=memory, **sizes, **modes, normalized=normalized, **more)


LINE, IMAGE, VOLUME = (N // 2, 1, 1), (6, 5, 1), (4, 3, 3)
AROUND, BEYOND = single(N, -1.2, 2.3), single(N, -2.4, 8.7)  # some periods, and an image and what is beside it

Y = zeros(N, "f4")

CASES = (
    Case(
        "textures",
        "fetched",
        "table, quads, x, y",
        (
            texture(single(N), (N, 1, 1)),
            texture(single(4 * N), (N, 1, 1)),
            texture(indices(N, N), (N, 1, 1)),
            single(N),
            Y,
            N,
        ),
    ),
    Case(
        "textures",
        "nearest",
        "image, layers, x, y",
        (texture(single(30), IMAGE, MIRROR), texture(single(36), VOLUME), BEYOND, Y, N),
    ),
    *(
        Case("textures", "in_one", "line, x, y", (texture(single(N // 2), LINE, mode, 1), AROUND, Y, N), label=label)
        for mode, label in ((WRAP, "wrap"), (CLAMP, "clamp"), (MIRROR, "mirror"), (BORDER, "border"))
    ),
    Case("textures", "in_one", "line, x, y", (texture(single(N // 2), LINE, WRAP), BEYOND, Y, N), label="by index"),
    Case(
        "textures",
        "in_two",
        "image, x, v, y",
        (texture(single(60), IMAGE, MIRROR, 1), AROUND, single(N, -0.9, 1.7), Y, N),
    ),
    Case(
        "textures",
        "in_three",
        "volume, x, v, y",
        (texture(single(36), VOLUME, CLAMP), BEYOND, single(N, 0.2, 2.8), Y, N),
    ),
)
