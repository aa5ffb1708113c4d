"""Pieces of kernels whose threads of a line reach their elements from elsewhere: from behind, in rows that are so many
bytes apart, by a pointer that is chosen, and where a bit is set."""

from __future__ import annotations

from tests.generator.lines import Line, leaving, loop, summed


def behind(at: Line) -> str:
    """Neighbours by a pointer behind them."""
    k = at.k
    reach = k.rng.choice((1, 2, 3))
    written = k.chance(0.2)
    x, p = k.array("x", at.n + 2 * reach), k.fresh("p")
    base = k.one_of(f"{x} + {reach} + i", f"{x} + i + {reach}", f"&{x}[i + {reach}]", f"{x} + (i + {reach})")
    k.lines.append(f"const {k.real} *{p} = {base};")
    place = k.one_of(p, p, f"((const {k.real} *)({base}))")
    if k.chance(0.5):
        c, s = k.fresh("c"), k.fresh("s")
        head = k.one_of(
            f"for (int {c} = -{reach}; {c} <= {reach}; ++{c})",
            f"for (int {c} = {reach}; {c} >= -{reach}; --{c})",
            f"for (long {c} = -{reach}; {c} < 0; {c}++)",
        )
        w = k.array("w", 2 * reach + 1)
        weight = k.one_of("", f" * {w}[{c} + {reach}]", f" * ({w} + {reach})[{c}]")
        term = k.one_of(f"{place}[{c}]", f"sin({place}[{c}] * {at.own})", f"{place}[{c}] * {place}[-{c}]")
        made = summed(at, s, head, *leaving(at, c, s), f"{s} += {term}{weight} / {2 * reach + 1};")
    else:
        made = k.one_of(
            f"({place}[-1] * {place}[0])",
            f"({place}[-{reach}] - 2 * {place}[0] + {place}[{reach}])",
            f"({p}[-1] * sin(*({p} - 1) + *{p}))",
        )
    if written:
        z, q = k.array("z", at.n + reach, written=True), k.fresh("q")
        k.lines += [f"{k.real} *{q} = {z} + {reach} + i;", f"{q}[-{reach}] {k.one_of('=', '+=', '*=')} {made};"]
    return made


def rows_in_bytes(at: Line) -> str:
    """A row of the thread's own, which begins so many bytes behind the last one."""
    k = at.k
    columns, pad = k.rng.choice((1, 2, 3, 5, 8)), k.rng.choice((0, 0, 1, 3))
    m = k.integer("m", columns)
    size = 8 if k.real == "double" else 4
    pitch = k.integer("pitch", (columns + pad) * size, k.one_of("int", "size_t", "unsigned", "long long"))
    if k.chance(0.3):
        type, own_pitch = k.one_of("size_t", "int", "unsigned", "short"), k.fresh("pitch")
        k.lines.append(f"const {type} {own_pitch} = ({columns} + {pad}) * sizeof({k.real});")
        pitch = own_pitch
    whole = at.n * (columns + pad)
    a, w = k.array("A", whole), k.array("w", columns)
    byte = k.one_of("char", "char", "unsigned char")
    of = k.one_of(f"i * {pitch}", f"{pitch} * i", f"(size_t)i * {pitch}")
    row, c, s = k.fresh("row"), k.fresh("c"), k.fresh("s")
    k.lines.append(f"const {k.real} *{row} = (const {k.real} *)((const {byte} *){a} + {of});")
    here = k.one_of(f"{row}[{c}]", f"{row}[{c}]", f"*(const {k.real} *)((const char *){row} + {c} * sizeof({k.real}))")
    term = k.one_of(f"{here} * {w}[{c}]", f"sin({here} * {at.own})", f"{here} * {row}[{m} - 1 - {c}]")
    summed(at, s, loop(at, c, m), *leaving(at, c, s), f"{s} += {term} / {columns};")
    if k.chance(0.5):
        z, out, c = k.array("z", whole, written=True), k.fresh("out"), k.fresh("c")
        k.lines.append(f"{k.real} *{out} = ({k.real} *)(({byte} *){z} + {of});")
        what = k.one_of(f"{row}[{c}] * {s}", f"{s} * {w}[{c}]", f"{out}[{c}] * sin({row}[{c}])")
        k.lines.append(f"{loop(at, c, m)} {out}[{c}] {k.one_of('=', '=', '+=')} {what};")
    return s


def chosen(at: Line) -> str:
    """A pointer to one of two arrays, or to memory or a local."""
    k = at.k
    x, u = k.array("x", at.n + 1), k.array("u", at.n + 1)
    test = k.one_of("i % 2 == 0", f"{x}[i] > {k.constant(0.4, 1.0)}", f"{at.own} < {k.constant(0.4, 1.0)}")
    p, local = k.fresh("p"), k.fresh("v")
    form = k.rng.randrange(4)
    if form == 0:
        k.lines.append(f"const {k.real} *{p} = {test} ? {x} : {u};")
        return f"({p}[i] * {p}[{k.one_of('0', 'i + 1', 'n - 1 - i')}])"
    k.lines.append(f"{k.real} {local} = {at.own} * {u}[i];")
    if form == 1:
        k.lines.append(f"const {k.real} *{p} = {test} ? &{x}[i] : &{local};")
        return f"(*{p} * sin(*{p} + {local}))"
    if form == 2:
        k.lines.append(f"const {k.real} *{p} = {test} ? {x} + i : nullptr;")
        return f"({p} ? *{p} * {local} : {local})"
    z = k.array("z", at.n, written=True)
    k.lines += [f"{k.real} *{p} = {test} ? {z} + i : &{local};", f"*{p} {k.one_of('=', '+=', '*=')} {x}[i] * {at.own};"]
    return local


def where_bits_are_set(at: Line) -> str:
    """Terms of which the bits of an integer of the thread's, or of all, say whether they count."""
    k = at.k
    count = k.rng.choice((3, 4, 6))
    x, c, s = k.array("x", max(at.n, count)), k.fresh("c"), k.fresh("s")
    own = k.one_of("(unsigned)i", f"(unsigned){at.listed(0, 64)}[i]", f"(unsigned){k.integer('bits', 45)}")
    bits = k.fresh("b")
    k.lines.append(f"const unsigned {bits} = {own};")
    element = k.one_of(f"{x}[{c}]", f"{x}[{c}] * {at.own}", f"sin({x}[i] * ({c} + 1))")
    if k.chance(0.3):
        left = k.fresh("b")
        head = f"for (unsigned {left} = {bits} & {(1 << count) - 1}u; {left}; {left} &= {left} - 1)"
        return summed(at, s, head, f"const int {c} = __ffs({left}) - 1;", f"{s} += {element} / {count};")
    test = k.one_of(
        f"{bits} >> {c} & 1", f"({bits} & 1u << {c}) != 0", f"__popc({bits} >> {c}) % 2", f"!({bits} & {c})"
    )
    return summed(at, s, f"for (int {c} = 0; {c} < {count}; ++{c})", f"if ({test}) {s} += {element} / {count};")


POINTED = (behind, behind, rows_in_bytes, rows_in_bytes, chosen, where_bits_are_set)
