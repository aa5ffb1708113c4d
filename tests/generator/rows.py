"""Pieces of kernels in which each thread of a line goes over rows of its own, or steps of time."""

from __future__ import annotations

from tests.generator.lines import Line, leaving, loop, summed

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
        k.lines += [f"{k.real} {s} = 0;", f"{loop(at, c, m)} {s} += ({term}) / ({m} + 1);"]
        sums.append(s)
        if k.chance(0.8):
            out, c = k.array("z", at.n * value + 1, written=True), k.fresh("c")
            several = [row.format(c=c) for row in k.rng.sample(rows, k.rng.randint(2, len(rows)))]
            what = k.one_of(" * ", " * ", " + ").join([*several, s])
            op = k.one_of("=", "=", "+=")
            k.lines.append(f"{loop(at, c, m)} {out}[i * {m} + {c}] {op} {k.one_of('', 'sin')}({what});")
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
    head = loop(at, c, m)
    k.lines += [f"{k.real} {largest} = {first}, {whole} = {k.constant()};", f"{head} {step}"]
    k.lines.append(f"{loop(at, c, m)} {whole} += exp({element} - {largest}) / ({m} + 1);")
    if k.chance(0.6):
        out = k.array("z", at.n * value + 1, written=True)
        what = f"exp({element} - {largest}) / {whole}"
        k.lines.append(f"{loop(at, c, m)} {out}[i * {m} + {c}] {k.one_of('=', '+=')} {what};")
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
        body.append(f"{s} = {update};")
    head = f"for (int {t} = 0; {t} < {m}; {t}++) {{"
    k.lines += [head, *("  " + line for line in (*leaving(at, t, states[0]), *body)), "}"]
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
    head = f"for (int {t} = 0; {t} < {m}; {t}++)"
    return summed(at, s, head, *leaving(at, t, s), body, start=at.own)


def own_count(at: Line) -> str:
    """A loop that the threads of a warp leave one by one."""
    k = at.k
    t, s = k.fresh("t"), k.fresh("s")
    x = k.array("x", 8 * at.n)
    bound = k.one_of("i % 5", "i / 3 % 4") if k.chance(0.6) else f"{at.listed(0, 7)}[i]"
    element = k.one_of(f"{x}[{t} * n + i]", f"{x}[{t}]", f"{x}[i * 8 + {t}]")
    update = k.one_of(f"{s} += sin({element}) / 4", f"{s} = {s} * {element} / 2 + sin({s})")
    head = f"for ({at.type} {t} = 0; {t} < ({at.type})({bound}); {t}++)"
    return f"tanh({summed(at, s, head, *leaving(at, t, s), f'{update};', start=at.own)})"


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
