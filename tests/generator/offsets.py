"""Random statements that reach elements from elsewhere: from a pointer behind them, and by counting bytes."""

from __future__ import annotations

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, number, small_integer, stored
from tests.generator.scope import Array, Scope, Variable

# What statements of this file name; a program has it where one does.
READERS = """template <class T>
__device__ T taken(const char **p) {
  T v = *(const T *)*p;
  *p += sizeof(T);
  return v;
}
template <class T>
__device__ void put(char **p, T v) {
  *(T *)*p = v;
  *p += sizeof(T);
}
"""
_SIGNED = ("int", "int", "long", "short", "ptrdiff_t", "signed char")
_COUNTED = ("int", "int", "unsigned", "long", "size_t", "short", "unsigned short")


def _flat(scope: Scope) -> Array | None:
    fits = [a for a in scope.arrays if len(a.lengths) == 1]
    return scope.rng.choice(fits) if fits else None


def _const(a: Array) -> str:
    return "" if a.writable else "const "


def _length(a: Array) -> str:
    return a.lengths[0] if a.lengths[0].isdigit() else f"(int)({a.lengths[0]})"


# ---- from behind -----------------------------------------------------------------------------------------------------


def from_behind(scope: Scope) -> Lines:
    """A pointer behind an element, or behind the last one, from which the array is read and written backwards."""
    a = _flat(scope)
    if a is None:
        return []
    rng, n = scope.rng, _length(a)
    p, at, type = scope.fresh("p"), scope.fresh("m"), f"{_const(a)}{a.type}"
    before = rng.choice((f"({small_integer(scope)}) % {n}", f"{n} - 1"))
    lines = [f"const int {at} = (int)({before});"]
    base = rng.choice(
        (f"{a.name} + 1 + {at}", f"{a.name} + ({at} + 1)", f"&{a.name}[{at}] + 1", f"1 + {at} + {a.name}")
    )
    if rng.random() < 0.7:
        lines.append(f"{type} *{p} = {base};")
    else:
        lines += [f"{type} *{p} = {a.name};", f"{p} += {at};", f"++{p};"]
    place = rng.choice((p, p, p, f"(({type} *)({base}))"))
    k = scope.fresh("k")
    form = rng.randrange(3)
    if form == 0:
        signed = rng.choice(_SIGNED)
        lines.append(f"const {signed} {k} = -1 - (int)({small_integer(scope)}) % ({at} + 1);")
        scope.variables.append(Variable(f"{place}[{k}]", a.type, a.writable))
    elif form == 1 and scope.loops < 3:
        s = scope.fresh("v")
        inner = scope.inner(loops=scope.loops + 1)
        head = rng.choice(
            (
                f"for (int {k} = -1 - {at}; {k} < 0; ++{k})",
                f"for (int {k} = -1; {k} + {at} >= -1; --{k})",
                f"for (long {k} = -1 - {at}; {k} < 0; {k} += 2)",
            )
        )
        body = [f"{s} = {s} * 0.5 + 0.4 * sin({place}[{k}] * {s});"]
        if a.writable and rng.random() < 0.6:
            inner.variables.append(Variable(f"{place}[{k}]", a.type, False))
            body.append(f"{place}[{k}] = {stored(inner, 2).text};")
        lines += [f"double {s} = {number(scope, 0.2, 1.0, 'double')};", f"{head} {{", *indented(body), "}"]
        scope.variables.append(Variable(s, "double"))
    else:
        scope.variables.append(Variable(f"{place}[-1]", a.type, a.writable))
    scope.arrays.append(Array(f"({place} - 1 - {at})", a.type, a.lengths, a.writable, a.chosen))
    return lines


# ---- bytes -----------------------------------------------------------------------------------------------------------


def _moved(scope: Scope, a: Array, by: str) -> str:
    """A pointer so many bytes behind the begin of the array."""
    const, byte = _const(a), scope.rng.choice(("char", "char", "unsigned char"))
    return scope.rng.choice(
        (
            f"({const}{a.type} *)(({const}{byte} *){a.name} + {by})",
            f"({const}{a.type} *)(({const}{byte} *)({a.name}) + {by})",
            f"reinterpret_cast<{const}{a.type} *>(reinterpret_cast<{const}{byte} *>(&{a.name}[0]) + {by})",
            f"({const}{a.type} *)&(({const}{byte} *){a.name})[{by}]",
        )
    )


def pitched(scope: Scope) -> Lines:
    """A row of an array whose rows are so many bytes apart."""
    a = _flat(scope)
    if a is None:
        return []
    n, width, pitch, row, p = _length(a), *(scope.fresh(stem) for stem in ("n", "pitch", "m", "p"))
    type = scope.rng.choice(_COUNTED)
    lines = [
        f"const int {width} = 1 + (int)({small_integer(scope)}) % {n};",
        f"const {type} {pitch} = {width} * sizeof({a.type});",
        f"const int {row} = (int)({small_integer(scope)}) % ({n} / {width});",
        f"{_const(a)}{a.type} *{p} = {_moved(scope, a, scope.rng.choice((f'{row} * {pitch}', f'{pitch} * {row}')))};",
    ]
    scope.arrays += [Array(p, a.type, (width,), a.writable, a.chosen)] * 2
    return lines


def byte_offset(scope: Scope) -> Lines:
    """An element by its distance in bytes, which is kept in an integer of some type."""
    a = _flat(scope)
    if a is None:
        return []
    at, rng, n = scope.fresh("m"), scope.rng, _length(a)
    if rng.random() < 0.3:
        text = f"const unsigned char {at} = (int)({small_integer(scope)}) % 16 % {n} * sizeof({a.type});"
    else:
        text = f"const {rng.choice(_COUNTED)} {at} = (int)({small_integer(scope)}) % {n} * sizeof({a.type});"
    scope.variables += [Variable(f"(*{_moved(scope, a, at)})", a.type, a.writable)] * 2
    return [text]


def wrapped_offset(scope: Scope) -> Lines:
    """Elements of four by a distance that is too large for its type, which leaves the right one."""
    rng, type = scope.rng, scope.type()
    name, at = scope.fresh("a"), scope.fresh("m")
    given = ", ".join(f"{type}({stored(scope, 1).text})" for _ in range(4))
    by = f"{at} / (64 / sizeof({type}))"
    a = Array(name, type, ("4",), True)
    scope.arrays.append(a)
    lines = [
        f"{type} {name}[4] = {{{given}}};",
        f"const unsigned char {at} = (unsigned char)((int)({small_integer(scope)}) * {rng.choice((64, 192, 320))});",
    ]
    scope.variables += [Variable(f"(*{_moved(scope, a, by)})", type)] * 2
    return lines


def byte_walk(scope: Scope) -> Lines:
    """A walk over an array, byte by byte so many at a time."""
    a = _flat(scope)
    if a is None or scope.loops >= 3:
        return []
    rng, n, const = scope.rng, _length(a), _const(a)
    s, p, end = scope.fresh("v"), scope.fresh("p"), scope.fresh("e")
    size, type = f"sizeof({a.type})", f"{const}{a.type}"
    form = rng.randrange(3 if a.chosen else 4)
    inner = scope.inner(loops=scope.loops + 1)
    if form == 0:
        place = f"*({type} *)(({const}char *){a.name} + {p})"
        head = f"for ({rng.choice(_COUNTED)} {p} = 0; {p} < {n} * {size}; {p} += {size})"
        lines = []
    elif form == 1:
        place = f"*({type} *){p}"
        k = scope.fresh("k")
        lines = [f"{const}char *{p} = ({const}char *){a.name};"]
        head = f"for (int {k} = 0; {k} < {n}; ++{k}, {p} += {size})"
    elif form == 2:
        place = f"(({type} *){p})[0]"
        k = scope.fresh("k")
        lines = [f"{const}char *{p} = ({const}char *)({a.name} + {n});"]
        head = f"for (int {k} = {n}; {k}-- > 0 && ({p} -= {size}); )"
    else:
        place = f"*({type} *){p}"
        lines = [f"{const}char *{p} = ({const}char *){a.name};"]
        head = f"for ({const}char *{end} = {p} + {n} * {size}; {end} - {p} > 0; {p} += {size})"
    body = [f"{s} = {s} * 0.5 + 0.4 * sin({place} * {s});"]
    if a.writable and rng.random() < 0.6:
        inner.variables.append(Variable(f"({place})", a.type, False))
        body.append(f"{place} = {stored(inner, 2).text};")
    lines += [f"double {s} = {number(scope, 0.2, 1.0, 'double')};", f"{head} {{", *indented(body), "}"]
    scope.variables.append(Variable(s, "double"))
    return lines


def read_along(scope: Scope) -> Lines:
    """Numbers that functions take from bytes or put there, one behind the other."""
    a = _flat(scope)
    if a is None or scope.loops >= 3:
        return []
    rng, n, const = scope.rng, _length(a), _const(a)
    p, k, s = scope.fresh("p"), scope.fresh("k"), scope.fresh("v")
    lines = [f"{const}char *{p} = ({const}char *){a.name};", f"double {s} = {number(scope, 0.2, 1.0, 'double')};"]
    inner = scope.inner(loops=scope.loops + 1)
    inner.integers.append(k)
    inner.variables.append(Variable(s, "double"))
    given = f"(const char **)&{p}" if a.writable else f"&{p}"
    form = rng.randrange(4 if a.writable else 2)
    if form == 0:
        body = [f"{s} = {s} * 0.5 + 0.4 * sin(taken<{a.type}>({given}) * {s});"]
    elif form == 1:
        body = [
            f"if ({condition(inner)}) {p} += sizeof({a.type});",
            f"else {s} = 0.7 * sin({s} * taken<{a.type}>({given}));",
        ]
    elif form == 2:
        body = [f"put<{a.type}>(&{p}, {stored(inner, 2).text});"]
    else:
        body = [
            f"{s} = {s} * 0.5 + 0.4 * taken<{a.type}>({given});",
            f"{p} -= sizeof({a.type});",
            f"put<{a.type}>(&{p}, sin({s}));",
        ]
    lines += [f"for (int {k} = 0; {k} < {n}; ++{k}) {{", *indented(body), "}"]
    scope.variables.append(Variable(s, "double"))
    return lines


OFFSETS = (
    from_behind,
    from_behind,
    from_behind,
    pitched,
    pitched,
    byte_offset,
    byte_offset,
    wrapped_offset,
    byte_walk,
    read_along,
)
