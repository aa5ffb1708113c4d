"""Pieces of kernels in which each thread of a line works for itself: loops over rows, weights, pairs and time.

Each is a shape that a pass of the gradient recognises, or looks like one. A piece writes lines, and gives a number of
magnitude 3 at most that they have made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.generator.making import Making


@dataclass
class Line:
    """The threads of a launch in one dimension: `i` is below `n`, an integer of the type `type`."""

    k: Making
    n: int
    grid: int
    block: int
    type: str
    own: str  # a number of the thread's own

    def listed(self, low: int, high: int, each: int = 1) -> str:
        """A table with so many integers for each thread."""
        return self.k.table("t", [int(v) for v in self.k.fill.integers(low, high, self.n * each)])

    @property
    def signed(self) -> bool:
        return self.type in ("int", "long long")


def _loop(at: Line, counter: str, count: str, *, type: str = "") -> str:
    """A loop from 0 to below `count`, forwards or from the end."""
    k = at.k
    type = type or k.one_of("int", "int", "unsigned", "long", "size_t")
    if type in ("int", "long") and k.chance(0.25):
        return f"for ({type} {counter} = {count} - 1; {counter} >= 0; --{counter})"
    step = k.one_of(f"++{counter}", f"{counter}++", f"{counter} += 1")
    bound = count if count.isdigit() else f"({type}){count}"
    return f"for ({type} {counter} = 0; {counter} < {bound}; {step})"


def _leaving(at: Line, counter: str, sum: str) -> list[str]:
    """Perhaps a way out of an iteration, or out of the loop."""
    k = at.k
    pick = k.rng.random()
    if pick < 0.12:
        return [f"  if (({counter} + i) % 3 == {k.rng.randrange(3)}) continue;"]
    if pick < 0.2:
        return [f"  if ({counter} == {k.rng.randrange(5)}) continue;"]
    if pick < 0.3:
        return [f"  if ({sum} > {k.constant(0.3, 1.0)}) break;"]
    return []


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
    k.lines += [
        f"{k.real} {s} = 0;",
        f"{_loop(at, c, str(count))} {{",
        *_leaving(at, c, s),
        f"  {s} += {w}[{index}] * {factor} / {count};",
        "}",
    ]
    return s


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
        _loop(at, r, str(rows)),
        f"  {_loop(at, c, str(columns))} {{",
        *("  " + line for line in _leaving(at, c, s)),
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
    k.lines += [
        f"{k.real} {s} = 0;",
        f"for ({at.type} {c} = 0; {c} < {count}; {c}++) {{",
        f"  const {at.type} {place} = i + {c} - {shift};",
        f"  if ({inside}) {s} += {x}[{place}] * {w}[{taken}] / {count};",
        "}",
    ]
    return s


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
    k.lines += [
        f"{k.real} {s} = {start};",
        f"{_loop(at, j, m)} {{",
        *(_leaving(at, j, s) if k.chance(0.2) else []),
        f"  {s} += {element} * {x}[{taken}] / ({m} + 1);",
        "}",
    ]
    return s


def pairs(at: Line) -> str:
    """All pairs, with a softening, and with a reach beyond which nothing happens."""
    k = at.k
    j, s, d, r = k.fresh("j"), k.fresh("s"), k.fresh("d"), k.fresh("r")
    x, q = k.array("x", at.n), k.array("q", at.n)
    soft = k.number("e") if k.chance(0.5) else k.constant()
    force = k.one_of(f"{q}[{j}] * {d} / ({r} * sqrt({r}))", f"{q}[{j}] * exp(-{r})", f"{q}[i] * {q}[{j}] / {r}")
    test = k.rng.choice(("", f"if ({r} < {k.constant(0.5, 1.5)}) ", f"if ({j} != ({at.type})i) "))
    k.lines += [
        f"{k.real} {s} = 0;",
        f"for ({at.type} {j} = 0; {j} < n; {j}++) {{",
        f"  const {k.real} {d} = {x}[i] - {x}[{j}], {r} = {d} * {d} + {soft};",
        f"  {test}{s} += {force} / n;",
        "}",
    ]
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
    k.lines += [
        f"{k.real} {s} = 0;",
        f"for ({at.type} {j} = 0; {j} < n; {j}++) {{",
        f"  const {k.real} {d} = {x}[i] - {others}[{j}], {r} = sqrt({square});",
        f"  {k.real} {p} = {q}[{j}] / ({r} + {r});",
        f"  if ({r} == 0) {p} = 0;",
        f"  {s} += {k.real}(0.01) * {p} * sqrt({r}) + {d} / n;",
        "}",
    ]
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
    k.lines += [
        f"{k.real} {s} = 0;",
        f"for (int {j} = 0; {j} < {bound}; {j}++) {{",
        f"  const int {o} = {listed}[{place}];",
        *(_leaving(at, j, s) if k.chance(0.4) else []),
        f"  {s} += sin({x}[i] - {x}[{o}]) * {k.one_of(f'{x}[{o}]', at.own)} / {most};",
        "}",
    ]
    return s


# ---- rows ------------------------------------------------------------------------------------------------------------


def normalised(at: Line) -> str:
    """A row of the thread's own: its mean, its variance, and what is made of all three."""
    k = at.k
    m, value = k.count()
    row, c = k.fresh("row"), k.fresh("c")
    mean, spread, scale = k.fresh("mean"), k.fresh("var"), k.fresh("rs")
    x, g = k.array("x", at.n * value + 1), k.array("g", value + 1)
    out = k.array("z", at.n * value + 1, written=True)
    own = k.one_of(f"{x} + i * {m}", f"&{x}[i * {m}]")
    type = k.one_of("int", "int", "unsigned")
    head = f"for ({type} {c} = 0; {c} < ({type}){m}; {c}++)"
    last = k.rng.choice((head, head, f"for (int {c} = {m} - 1; {c} >= 0; {c}--)"))
    difference = f"({row}[{c}] - {mean})"
    what = f"{difference} * {scale}"
    given = k.rng.choice((what, f"{what} * {g}[{c}]", f"{what} * {g}[{c}] + {g}[0]", f"tanh({what}) + {row}[{c}]"))
    op = k.one_of("=", "=", "=", "+=")
    k.lines += [
        f"const {k.real} *{row} = {own};",
        f"{k.real} {mean} = 0, {spread} = 0;",
        f"{head} {mean} += {k.one_of(f'{row}[{c}]', f'{row}[{c}] * {row}[{c}]')};",
        f"{mean} /= {m} + {k.one_of('1', '2')};",
        f"{head} {spread} += {k.one_of(f'{difference} * {difference}', f'{difference} * {difference} * {g}[{c}]')};",
        f"const {k.real} {scale} = {k.one_of('1 / sqrt', 'rsqrt')}({spread} / ({m} + 1) + {k.constant()});",
        f"{last} {out}[i * {m} + {c}] {op} {given};",
    ]
    return k.one_of(mean, scale, f"({mean} * {scale})")


def rows_together(at: Line) -> str:
    """Rows of several arrays, each of which one loop sums and another one writes."""
    k = at.k
    m, value = k.count()
    rows = [f"{k.array('r', at.n * value + 1)}[i * {m} + {{c}}]" for _ in range(k.rng.randint(2, 3))]
    sums: list[str] = []
    for _ in range(k.rng.randint(1, 2)):
        s, c = k.fresh("s"), k.fresh("c")
        chosen = [row.format(c=c) for row in k.rng.sample(rows, 2)]
        if sums and k.chance(0.5):
            chosen.append(sums[-1])
        term = k.one_of(" * ", " * ", " - ").join(chosen)
        k.lines += [f"{k.real} {s} = 0;", f"{_loop(at, c, m)} {s} += ({term}) / ({m} + 1);"]
        sums.append(s)
        if k.chance(0.8):
            out, c = k.array("z", at.n * value + 1, written=True), k.fresh("c")
            several = [row.format(c=c) for row in k.rng.sample(rows, k.rng.randint(2, len(rows)))]
            what = k.one_of(" * ", " * ", " + ").join([*several, s])
            op = k.one_of("=", "=", "+=")
            k.lines.append(f"{_loop(at, c, m)} {out}[i * {m} + {c}] {op} {k.one_of('', 'sin')}({what});")
    return " * ".join(sums)


def softmax(at: Line) -> str:
    """The largest of a row, and the sums that need it."""
    k = at.k
    m, value = k.count()
    c, largest, whole = k.fresh("c"), k.fresh("largest"), k.fresh("whole")
    x = k.array("x", at.n * value + 1)
    element = k.one_of(f"{x}[i * {m} + {c}]", f"{x}[{c} * n + i]", f"({x}[i * {m} + {c}] * {at.own})")
    fmax = "fmaxf" if k.real == "float" else "fmax"
    if k.chance(0.2):
        fmax = fmax.replace("max", "min")
    first = k.one_of(f"{k.real}({'9' if 'min' in fmax else '-9'})", at.own)
    if k.chance(0.25):
        step = f"if ({element} > {largest}) {largest} = {element};"
    else:
        step = f"{largest} = {fmax}({largest}, {element});"
    head = _loop(at, c, m)
    k.lines += [f"{k.real} {largest} = {first}, {whole} = {k.constant()};", f"{head} {step}"]
    k.lines.append(f"{_loop(at, c, m)} {whole} += exp({element} - {largest}) / ({m} + 1);")
    if k.chance(0.6):
        out = k.array("z", at.n * value + 1, written=True)
        what = f"exp({element} - {largest}) / {whole}"
        k.lines.append(f"{_loop(at, c, m)} {out}[i * {m} + {c}] {k.one_of('=', '+=')} {what};")
    return k.one_of(f"({largest} / (1 + {largest} * {largest}))", f"sin({largest} + log({whole}))")


def in_place(at: Line) -> str:
    """What each iteration stores to a row that the next one reads, or not."""
    k = at.k
    m, value = k.count()
    v = k.array("v", at.n * (value + 2), written=True)
    c = k.fresh("c")
    here, there = f"{v}[i * ({m} + 2) + {c}]", f"{v}[i * ({m} + 2) + {c} + {k.rng.choice((0, 1, 2))}]"
    what = k.one_of(f"sin({there} * {at.own})", f"{there} * {there} / 3", f"tanh({there} + {here})")
    k.lines.append(f"for (int {c} = 0; {c} < {m}; {c}++) {here} {k.one_of('=', '=', '-=')} {what};")
    return at.own


# ---- time ------------------------------------------------------------------------------------------------------------


def recurrence(at: Line) -> str:
    """One to three numbers that a loop carries, with parameters or inputs that it reads."""
    k = at.k
    m, value = k.count()
    if k.chance(0.3):
        m, value = k.integer("m", 37), 37
    states = [k.fresh("s") for _ in range(k.rng.choice((1, 1, 2, 2, 3)))]
    t = k.fresh("t")
    pick = k.rng.random()
    if pick < 0.4:
        p = k.number("p")
    elif pick < 0.6:
        p = at.own
    else:
        x = k.array("x", max(value, 1) * at.n)
        p = k.one_of(f"{x}[{t}]", f"{x}[{t} * n + i]", f"{x}[i]")
    k.lines += [f"{k.real} {s} = {k.one_of(at.own, k.constant())};" for s in states]
    body = []
    for number, s in enumerate(states):
        other = states[number - 1]
        update = k.one_of(
            f"{s} * {p} / 2 + {k.constant()} * sin({other})",
            f"{p} * cos({other} - {s}) / 2",
            f"{s} / (1 + {p} * {other} * {other})",
            f"({other} > {k.constant()} ? {k.real}(0.8) * {s} * {p} : {k.real}(0.9) * {s} + {k.real}(0.05) * {p})",
        )
        body.append(f"  {s} = {update};")
    head = f"for (int {t} = 0; {t} < {m}; {t}++) {{"
    k.lines += [head, *_leaving(at, t, states[0]), *body, "}"]
    return f"tanh({' + '.join(states)})"


def two_weights(at: Line) -> str:
    """Two arrays, or three, that all threads read at one index."""
    k = at.k
    m, value = k.count()
    t, s = k.fresh("t"), k.fresh("s")
    a, b = k.array("a", value + 2), k.array("b", value + 2)
    there = k.rng.choice((t, t, t, f"{t} + 1"))
    body = k.one_of(
        f"{s} = {a}[{t}] * {s} / 2 + {b}[{there}] * sin({s}) / 3;",
        f"{s} += ({a}[{t}] * {at.own} + {b}[{there}] * {at.own} * {at.own}) / ({m} + 1);",
        f"{s} += {a}[{t}] * {at.own} / ({m} + 1); if ((i + {t}) % 2 == 0) {s} = {s} / 2 + {b}[{there}] * {s} / 4;",
    )
    k.lines += [f"{k.real} {s} = {at.own};", f"for (int {t} = 0; {t} < {m}; {t}++) {{"]
    k.lines += [*_leaving(at, t, s), f"  {body}", "}"]
    return s


def own_count(at: Line) -> str:
    """A loop that the threads of a warp leave one by one."""
    k = at.k
    t, s = k.fresh("t"), k.fresh("s")
    x = k.array("x", 8 * at.n)
    bound = k.one_of("i % 5", "i / 3 % 4") if k.chance(0.6) else f"{at.listed(0, 7)}[i]"
    element = k.one_of(f"{x}[{t} * n + i]", f"{x}[{t}]", f"{x}[i * 8 + {t}]")
    update = k.one_of(f"{s} += sin({element}) / 4", f"{s} = {s} * {element} / 2 + sin({s})")
    k.lines += [
        f"{k.real} {s} = {at.own};",
        f"for ({at.type} {t} = 0; {t} < ({at.type})({bound}); {t}++) {{",
        *_leaving(at, t, s),
        f"  {update};",
        "}",
    ]
    return f"tanh({s})"


def until_dark(at: Line) -> str:
    """A loop that the data ends."""
    k = at.k
    m, value = k.count()
    x = k.array("x", max(1, value) * at.n)
    t, s, light, a = (k.fresh(stem) for stem in ("t", "s", "light", "a"))
    k.lines += [
        f"{k.real} {light} = 1, {s} = 0;",
        f"for (int {t} = 0; {t} < {m}; {t}++) {{",
        f"  const {k.real} {a} = {x}[{k.one_of(f'{t} * n + i', f'i * {m} + {t}')}] * {at.own};",
        f"  {s} += {a} * {light};",
        f"  {light} *= 1 - {k.real}(0.4) * {a};",
        f"  if ({light} < {k.constant(0.2, 0.7)}) break;",
        "}",
    ]
    return s


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
    turned, vectors, early, around, around, around,
)  # fmt: skip
