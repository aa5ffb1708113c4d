"""Pieces of kernels in which each thread of a line works for itself: loops over weights and pairs, and no loops.

Each is a shape that a pass of the gradient recognises, or looks like one. A piece writes lines, and gives a number of
magnitude 3 at most that they have made.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.generator.lines import Line, leaving, loop, summed
from tests.generator.pointed import POINTED
from tests.generator.rows import (
    in_place,
    normalised,
    own_count,
    recurrence,
    rows_together,
    softmax,
    two_weights,
    until_dark,
)

# ---- weights that all threads share ----------------------------------------------------------------------------------


def weights(at: Line) -> str:
    """A short loop over neighbouring weights, or such as are not neighbours, from a place of the thread's or of all."""
    k = at.k
    count = k.rng.choice((1, 2, 3, 4, 5, 7, 8, 12, 33))
    base, largest = k.rng.choice(
        (
            ("0", 0),
            ("0", 0),
            ("3", 3),
            (f"blockIdx.x * {count}", at.grid * count),
            ("i", at.n),
            ("i", at.n),
            (f"i / 32 * {count}", at.n * count),
            (f"(i % 2) * {count}", count),
            ("b", 4),
        )
    )
    if base == "b":
        base = k.integer("b", k.rng.randrange(4))
    c, s = k.fresh("c"), k.fresh("s")
    index = k.one_of(f"{base} + {c}", f"{base} + {c}", f"{base} + {c}", f"{base} + {count - 1} - {c}")
    if k.chance(0.4):  # no neighbours
        index = f"{base} + " + k.one_of(f"2 * {c}", f"{c} * {c}", f"({c} + 1) % {count}")
    w = k.array("w", largest + count * count + 2 * count + 3)
    factor = k.one_of(at.own, f"sin({at.own} + {c})", f"({at.own} * ({c} + 1) / {count})")
    head = loop(at, c, str(count))
    return summed(at, s, head, *leaving(at, c, s), f"{s} += {w}[{index}] * {factor} / {count};")


def weights_in_nests(at: Line) -> str:
    """Weights of several rows, and inputs beside each other."""
    k = at.k
    rows, columns = k.rng.choice(((3, 3), (2, 4), (3, 2), (5, 1), (4, 9)))
    r, c, s = k.fresh("r"), k.fresh("c"), k.fresh("s")
    w = k.array("w", 2 * rows * columns + columns + 2 * rows)
    x = k.array("x", at.n + columns + rows)
    place = k.one_of(f"{r} * {columns} + {c}", f"{r} * {columns} + {c}", f"{c} * {rows} + {r}", f"{r} * 2 + {c}")
    start = k.one_of("0", "0", f"(i % 2) * {rows * columns}", f"blockIdx.x % 2 * {rows * columns}")
    k.lines += [
        f"{k.real} {s} = 0;",
        loop(at, r, str(rows)),
        f"  {loop(at, c, str(columns))} {{",
        *("    " + line for line in leaving(at, c, s)),
        f"    {s} += {w}[{start} + {place}] * {x}[i + {c}] / {rows * columns};",
        "  }",
    ]
    return s


def padded(at: Line) -> str:
    """A filter with nothing beyond the ends: elements that no iteration reads lie outside of the array."""
    k = at.k
    count = k.rng.choice((3, 4, 5))
    c, s, place = k.fresh("c"), k.fresh("s"), k.fresh("at")
    x, w = k.array("x", at.n), k.array("w", count)
    shift = count // 2
    inside = f"{place} >= 0 && {place} < n" if at.signed else f"{place} < n"
    taken = k.one_of(c, f"{count - 1} - {c}")
    return summed(
        at,
        s,
        f"for ({at.type} {c} = 0; {c} < {count}; {c}++)",
        f"const {at.type} {place} = i + {c} - {shift};",
        f"if ({inside}) {s} += {x}[{place}] * {w}[{taken}] / {count};",
    )


def uniform(at: Line) -> str:
    """Elements that all threads read, or those of a block."""
    k = at.k
    w = k.array("w", max(at.n, at.grid) + 3)
    return k.one_of(
        f"({w}[0] * {at.own})",
        f"({w}[0] * {w}[i])",
        f"({w}[1] * {at.own} - {w}[0] * {w}[1])",
        f"({w}[blockIdx.x] * {at.own})",
        f"({w}[i % 3] * {w}[2] * {at.own})",
    )


def counted(at: Line) -> str:
    """Atomics at few elements."""
    k = at.k
    h = k.array("h", max(at.n, 40), written=True)
    place = k.one_of("i % 3", "i / 2", "0")
    if k.chance(0.3):
        place = f"{at.listed(0, 40)}[i]"
    k.lines.append(f"atomicAdd(&{h}[{place}], {k.real}(0.1) * {at.own});")
    return at.own


# ---- what all threads run alike --------------------------------------------------------------------------------------


def columns(at: Line) -> str:
    """A product of a matrix and a vector: a thread for each row, or for each column."""
    k = at.k
    m, value = k.count()
    j, s = k.fresh("j"), k.fresh("s")
    a, x = k.array("A", at.n * value + 1), k.array("x", 2 * value + 2)
    index = k.one_of(f"{j} * n + i", f"i * {m} + {j}", f"i + n * {j}", f"{j} * n + i")
    taken = k.rng.choice((j, j, j, f"{m} - 1 - {j}", f"2 * {j} + 1", f"{j} / 2"))
    element = k.one_of(f"{a}[{index}]", f"sin({a}[{index}])")
    start = k.one_of("0", "0", at.own)
    head = loop(at, j, m)
    left = leaving(at, j, s) if k.chance(0.2) else []
    return summed(at, s, head, *left, f"{s} += {element} * {x}[{taken}] / ({m} + 1);", start=start)


def pairs(at: Line) -> str:
    """All pairs, with a softening, and with a reach beyond which nothing happens."""
    k = at.k
    j, s, d, r = k.fresh("j"), k.fresh("s"), k.fresh("d"), k.fresh("r")
    x, q = k.array("x", at.n), k.array("q", at.n)
    soft = k.number("e") if k.chance(0.5) else k.constant()
    force = k.one_of(f"{q}[{j}] * {d} / ({r} * sqrt({r}))", f"{q}[{j}] * exp(-{r})", f"{q}[i] * {q}[{j}] / {r}")
    test = k.rng.choice(("", f"if ({r} < {k.constant(0.5, 1.5)}) ", f"if ({j} != ({at.type})i) "))
    summed(
        at,
        s,
        f"for ({at.type} {j} = 0; {j} < n; {j}++)",
        f"const {k.real} {d} = {x}[i] - {x}[{j}], {r} = {d} * {d} + {soft};",
        f"{test}{s} += {force} / n;",
    )
    return k.one_of(s, f"tanh({s})")


def pairs_with_zeros(at: Line) -> str:
    """Distances, of which some are zero: what is infinite there is discarded."""
    k = at.k
    j, s, d, r, p = (k.fresh(stem) for stem in ("j", "s", "d", "r", "p"))
    x, q = k.array("x", at.n), k.array("q", at.n, active=0.5)
    others = x
    if k.chance(0.5):
        others = k.array("o", at.n, active=0.3)
        k.values[-1][::2] = k.values[-3][::2]  # that is where x is
    square = k.one_of(f"{d} * {d}", f"{d} * {d} + {q}[i] * {d} * {d}")
    summed(
        at,
        s,
        f"for ({at.type} {j} = 0; {j} < n; {j}++)",
        f"const {k.real} {d} = {x}[i] - {others}[{j}], {r} = sqrt({square});",
        f"{k.real} {p} = {q}[{j}] / ({r} + {r});",
        f"if ({r} == 0) {p} = 0;",
        f"{s} += {k.real}(0.01) * {p} * sqrt({r}) + {d} / n;",
    )
    return f"sin({s})"


def neighbours(at: Line) -> str:
    """A list of others for each thread, perhaps of a length of its own."""
    k = at.k
    most = k.rng.choice((1, 2, 4, 6))
    listed = at.listed(0, at.n, most)
    x = k.array("x", at.n)
    j, o, s = k.fresh("j"), k.fresh("o"), k.fresh("s")
    bound = str(most)
    if k.chance(0.5):
        bound = f"{at.listed(0, most + 1)}[i]"
    place = k.one_of(f"i * {most} + {j}", f"{j} * n + i")
    return summed(
        at,
        s,
        f"for (int {j} = 0; {j} < {bound}; {j}++)",
        f"const int {o} = {listed}[{place}];",
        *(leaving(at, j, s) if k.chance(0.4) else []),
        f"{s} += sin({x}[i] - {x}[{o}]) * {k.one_of(f'{x}[{o}]', at.own)} / {most};",
    )


# ---- without loops ---------------------------------------------------------------------------------------------------


def divided(at: Line) -> str:
    """Several numbers by one divisor."""
    k = at.k
    x, d = k.array("x", 3 * at.n), k.fresh("d")
    k.lines.append(f"const {k.real} {d} = {k.constant(1.5, 2.5)} + {k.one_of(at.own, f'sin({x}[i])')};")
    parts = [f"{x}[i] / {d}", f"{x}[i + n] / {d}", f"{x}[3 * i] / ({d} * {d})", f"{at.own} / {d}"]
    return "(" + k.one_of(" + ", " - ").join(k.rng.sample(parts, k.rng.randint(2, 4))) + ")"


def turned(at: Line) -> str:
    """A sine and a cosine of one number."""
    k = at.k
    x, t = k.array("x", 2 * at.n), k.fresh("t")
    f = "f" if k.real == "float" else ""
    k.lines.append(f"const {k.real} {t} = {x}[i] * {k.number('w') if k.chance(0.5) else k.constant()};")
    sine, cosine = f"sin{f}({t})", f"cos{f}({t})"
    if k.chance(0.3):
        return f"({t} > {k.constant()} ? {sine} : {cosine} * {at.own})"
    return f"({x}[i + n] * {sine} - {at.own} * {cosine})"


def vectors(at: Line) -> str:
    """Four numbers at a time."""
    k = at.k
    x, v = k.array("x", 4 * at.n, real="float"), k.fresh("v")
    k.lines.append(f"const float4 {v} = reinterpret_cast<const float4 *>({x})[{k.one_of('i', 'n - 1 - i', 'i / 2')}];")
    return f"{k.real}({v}.x * {v}.y + {v}.w * {v}.{k.one_of('z', 'x')})"


def early(at: Line) -> str:
    """Much arithmetic, and numbers that are read behind it."""
    k = at.k
    x, s = k.array("x", 3 * at.n), k.fresh("s")
    k.lines.append(f"const {k.real} {s} = exp(-{at.own}) * log(1 + {at.own} * {at.own});")
    return f"({s} * {x}[i] + {x}[2 * i] * sin({x}[i + n] * {s}))"


def around(at: Line) -> str:
    """Neighbours in a line, which may be a ring."""
    k = at.k
    x = k.array("x", at.n + 2)
    far = k.rng.choice((1, 1, 1, 2))
    down, up = f"(i + n - {far}) % n", f"(i + {far}) % n"
    form = k.rng.randrange(5)
    if form == 1:
        down, up = f"(i >= {far} ? i - {far} : i + n - {far})", f"(i + {far} < n ? i + {far} : i + {far} - n)"
    elif form == 2:
        down, up = f"(i >= {far} ? i - {far} : 0)", f"(i + {far} < n ? i + {far} : n - 1)"
    elif form >= 3:
        down, up = "i", k.one_of("i + 1", "i + 2")
    return k.one_of(
        f"({x}[{down}] * {x}[{up}])",
        f"({x}[{down}] - 2 * {x}[i] + {x}[{up}])",
        f"({x}[{up}] * sin({x}[i]))",
    )


PIECES: tuple[Callable[[Line], str], ...] = (
    weights, weights, weights_in_nests, padded, uniform, counted, columns, columns, columns, pairs, pairs,
    pairs_with_zeros, pairs_with_zeros, neighbours, normalised, normalised, rows_together, rows_together, softmax,
    softmax, softmax, in_place, recurrence, recurrence, two_weights, two_weights, own_count, until_dark, divided,
    turned, vectors, early, around, around, around, *POINTED,
)  # fmt: skip
