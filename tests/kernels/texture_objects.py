"""What is differentiated in texture_objects.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N
from tests.kernels.making import indices, single
from tests.kernels.textures import AROUND, BEYOND, CLAMP, IMAGE, LINE, MIRROR, VOLUME, WRAP, Y, texture

POINT, LINEAR = ({"filter": filter} for filter in range(2))
ONE, TWO, FOUR = ({"texel": 4 * channels} for channels in (1, 2, 4))  # bytes of a texel

CASES = (
    Case(
        "texture_objects",
        "fetched",
        "table, quads, x, y",
        (
            texture(single(N), (N, 1, 1), **POINT, **ONE),
            texture(single(4 * N), (N, 1, 1), **POINT, **FOUR),
            texture(lambda rng: indices(N, N)(rng).view("f4"), (N, 1, 1), **POINT, **ONE),
            single(N),
            Y,
            N,
        ),
    ),
    *(
        Case(
            "texture_objects",
            function,
            f"image, line, {'x, v, y' if filter is LINEAR else 'y'}",
            (
                texture(single(60), IMAGE, MIRROR, 1, **filter, **TWO),
                texture(single(N // 2), LINE, WRAP, 1, **LINEAR, **ONE),
                AROUND,
                single(N, -0.9, 1.7),
                Y,
                N,
            ),
            label=label,
        )
        for function, filter, label in (
            ("in_two", POINT, "point"),
            ("in_two", LINEAR, "linear"),
            ("of_levels", LINEAR, "levels"),
        )
    ),
    Case(
        "texture_objects",
        "in_three",
        "volume, x, y",
        (texture(single(36), VOLUME, CLAMP, **LINEAR, **ONE), BEYOND, Y, N),
    ),
)
