"""Inputs, ordinary and special, by the name of their kind.

They are the same for ever: drawn by a generator of our own, from a seed that is the name of what they are for. All are
exact in half precision (but for `tiny`, which are exact in single), so that kernels of any type are at the same point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from zlib import crc32


class Draw:
    """Knuth's linear congruential generator, seeded by a text."""

    def __init__(self, seed: str) -> None:
        self._state = crc32(seed.encode())
        for _ in range(4):
            self.below(2)

    def below(self, bound: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % bound

    def sign(self) -> float:
        return 1.0 if self.below(2) else -1.0

    def uniform(self) -> float:
        """In (-1, 1)."""
        return self.below(2**30) / 2**29 - 1.0

    def distinct(self, count: int, bound: int) -> list[int]:
        """Different numbers below `bound`."""
        left = list(range(bound))
        return [left.pop(self.below(len(left))) for _ in range(count)]


Shape = tuple[int, ...]
Kind = Callable[[Draw, Shape], list[float]]


def _each(one: Callable[[Draw], float]) -> Kind:
    return lambda draw, shape: [one(draw) for _ in range(math.prod(shape))]


def _choice(*numbers: float) -> Kind:
    """Each of these in turn, then any: all occur where there is room."""

    def make(draw: Draw, shape: Shape) -> list[float]:
        count = math.prod(shape)
        order = [numbers[k] for k in draw.distinct(len(numbers), len(numbers))]
        return [*order, *(numbers[draw.below(len(numbers))] for _ in range(count - len(order)))][:count]

    return make


def _ordinary(draw: Draw, shape: Shape) -> list[float]:
    """Different numbers in (-2, 2), none closer than 1/256 to another or to a multiple of 1/2."""
    spread = [k for k in range(-511, 512) if k % 128]
    return [spread[k] / 256 for k in draw.distinct(math.prod(shape), len(spread))]


def _equal(draw: Draw, shape: Shape) -> list[float]:
    """One number in each row."""
    rows = [draw.below(1024) / 256 - 2 for _ in range(math.prod(shape[:-1]))]
    return [row for row in rows for _ in range(shape[-1])]


def _duplicates(draw: Draw, shape: Shape) -> list[float]:
    """Each row is made of few different numbers."""
    numbers: list[float] = []
    for _ in range(math.prod(shape[:-1])):
        few = [(k - 500) / 256 for k in draw.distinct(max(1, shape[-1] // 3), 1000)]
        numbers += [few[draw.below(len(few))] for _ in range(shape[-1])]
    return numbers


def _one_infinite(draw: Draw, shape: Shape) -> list[float]:
    """Some numbers of each row are -inf, as a mask makes them."""
    numbers = _ordinary(draw, shape)
    columns = shape[-1]
    for row in range(len(numbers) // columns):
        for _ in range(max(1, columns // 4)):
            numbers[row * columns + 1 + draw.below(columns - 2)] = -math.inf  # the first and the last stay
    return numbers


KINDS: dict[str, Kind] = {
    "ordinary": _ordinary,
    "positive": lambda draw, shape: [abs(v) for v in _ordinary(draw, shape)],
    "zeros": _each(lambda draw: 0.0),
    "signed": _each(lambda draw: math.copysign(0.0, draw.sign())),
    "ones": _each(lambda draw: 1.0),
    "ties": _choice(-1.0, 0.0, 1.0),
    "equal": _equal,
    "duplicates": _duplicates,
    "some_zeros": lambda draw, shape: [v if draw.below(3) else 0.0 for v in _ordinary(draw, shape)],
    "tiny": _each(lambda draw: (draw.below(257) - 128) * 2.0**-140),
    "large": _choice(-300.0, -96.0, -40.0, 40.0, 96.0, 300.0),
    "minus_inf": _one_infinite,
    "integers": _each(lambda draw: draw.below(9) - 4.0),
    "halves": _each(lambda draw: (draw.below(7) - 3) / 2),
    "counts": _each(lambda draw: float(draw.below(5))),
    "bits": _each(lambda draw: float(draw.below(2))),
    "signs": _each(lambda draw: draw.sign()),
    "knees": _choice(-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 7.0, 20.0, -0.0, 4.0),
    "unit": _each(lambda draw: (draw.below(255) + 1) / 256),  # in (0, 1)
    "edges": _choice(0.0, 1.0, 0.25, 0.5, 0.75),  # of the unit interval, and between
}


def values(kind: str, name: str, shape: Shape) -> list[float]:
    """The numbers of a kind; `name` tells those of one kind and shape apart."""
    return KINDS[kind](Draw(f"{name} {kind} {shape}"), shape)


def cotangents(name: str, shape: Shape) -> list[float]:
    """Of both signs, none near zero, exact in half precision."""
    draw = Draw(f"cotangent {name} {shape}")
    return [draw.sign() * (16 + draw.below(80)) / 64 for _ in range(math.prod(shape))]
