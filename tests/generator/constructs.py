"""Rarer statements: chosen pointers, rows of matrices, macros, commas, narrow integers, loops that the data ends."""

from __future__ import annotations

from tests.generator.expressions import (
    call,
    condition,
    element,
    index,
    number,
    small_integer,
    squash,
    stored,
)
from tests.generator.scope import Array, Scope, Value, Variable

Lines = list[str]

# Macros that every program begins with, so that statements may use them.
MACROS = """#define DAMP(v, by) do { (v) *= 0.25; if ((by) > 0.7313291) break; (v) += 0.3 * (by); } while (0)
#define SWAP(T, a, b) do { T swapped = (a); (a) = (b); (b) = swapped; } while (0)
#define HALF(v) ((v) * 0.5)
"""


def indented(lines: Lines) -> Lines:
    return ["  " + line for line in lines]


def chosen_pointer(scope: Scope) -> Lines:
    """A pointer to one of two arrays, re-aimed in a loop; it stays in scope."""
    rng = scope.rng
    flat = [a for a in scope.arrays if len(a.lengths) == 1]
    if not flat:
        return []
    a = rng.choice(flat)
    b = rng.choice([other for other in flat if other.type == a.type])
    writable = a.writable and b.writable and rng.random() < 0.6
    p, n, k, s = (scope.fresh(stem) for stem in ("p", "m", "k", "v"))
    const = "" if writable else "const "
    if rng.random() < 0.5:
        c = scope.fresh("c")
        lines = [f"bool {c} = {condition(scope)};", f"{const}{a.type} *{p} = {c} ? {a.name} : {b.name};"]
        lines.append(f"int {n} = {c} ? {a.lengths[0]} : {b.lengths[0]};")
    else:
        lines = [f"{const}{a.type} *{p} = {a.name};", f"int {n} = {a.lengths[0]};"]
        lines.append(f"if ({condition(scope)}) {{ {p} = {b.name}; {n} = {b.lengths[0]}; }}")
    lines.append(f"double {s} = {number(scope, 0.2, 1.0, 'double')};")
    if rng.random() < 0.6:
        inner = scope.inner()
        inner.integers.append(k)
        inner.variables.append(Variable(s, "double"))
        lines.append(f"for (int {k} = 0; {k} < {rng.randint(2, 4)}; ++{k}) {{")
        lines.append(f"  {s} = {s} * 0.5 + sin({s} * {p}[{k} % {n}]);")
        if writable:
            lines.append(f"  {p}[({k} + 1) % {n}] = {stored(inner, 2).text};")
        aim = rng.choice((a, b))
        lines.append(f"  if ({condition(inner)}) {{ {p} = {aim.name}; {n} = {aim.lengths[0]}; }}")
        lines.append("}")
    scope.variables.append(Variable(s, "double"))
    scope.arrays.append(Array(p, a.type, (n,), writable, chosen=True))
    return lines


def macro(scope: Scope) -> Lines:
    rng = scope.rng
    places = [v for v in scope.variables if v.writable]
    if not places:
        return []
    v = rng.choice(places)
    form = rng.randrange(3)
    if form == 0:
        return [f"DAMP({v.name}, {squash(scope, stored(scope, 2)).text});"]
    if form == 1:
        other = rng.choice([w for w in places if w.type == v.type])
        return [f"SWAP({v.type}, {v.name}, {other.name});"]
    return [f"{v.name} = HALF({stored(scope, 2).text});"]


def once(scope: Scope) -> Lines:
    """A block that is left early: do { ... } while (0)."""
    inner = scope.inner(breakable=True, continuable=True)
    body = scope.statements(inner, scope.rng.randint(1, 3))
    leave = f"if ({condition(scope)}) {scope.rng.choice(('break', 'continue'))};"
    return ["do {", *indented([leave, *body]), "} while (0);"]


def comma(scope: Scope) -> Lines:
    places = [v for v in scope.variables if v.writable]
    if not places:
        return []
    v = scope.rng.choice(places)
    name, type = scope.fresh("v"), scope.type()
    lines = [f"{type} {name} = ({v.name} = {stored(scope, 2).text}, {stored(scope, 2).text});"]
    scope.variables.append(Variable(name, type))
    return lines


def chosen_update(scope: Scope) -> Lines:
    """A compound assignment to one of two places."""
    places = [v for v in scope.variables if v.writable]
    arrays = [a for a in scope.arrays if a.writable]
    if not places:
        return []
    a = scope.rng.choice(places)
    others = [v.name for v in places if v.type == a.type]
    others += [element(scope, b.name, b.lengths) for b in arrays if b.type == a.type]
    b = scope.rng.choice(others)
    return [f"({condition(scope)} ? {a.name} : {b}) *= {squash(scope, stored(scope, 2)).text} * 0.6;"]


def narrow_integer(scope: Scope) -> Lines:
    name = scope.fresh("n")
    type = scope.rng.choice(
        ("long", "size_t", "unsigned", "unsigned char", "char", "short", "unsigned short", "long long", "bool")
    )
    below = 2 if type == "bool" else scope.rng.randint(2, 9)
    lines = [f"{type} {name} = {small_integer(scope)} % {below};"]
    scope.integers.append(name)
    return lines


def narrow_loop(scope: Scope) -> Lines:
    if scope.loops >= 3:
        return []
    k = scope.fresh("k")
    count = f"{small_integer(scope)} % {scope.rng.randint(2, 5)}"
    head = scope.rng.choice(
        (
            f"for (size_t {k} = {count}; {k}-- > 0; )",
            f"for (unsigned char {k} = 0; {k} < {count}; ++{k})",
            f"for (long {k} = {count}; {k}; {k} >>= 1)",
            f"for (unsigned {k} = 1; {k} < 20u; {k} *= 3)",
            f"for (short {k} = 4; {k} > {count}; {k} -= 2)",
        )
    )
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    if "short" not in head:
        inner.integers.append(k)
    places = [v for v in scope.variables if v.writable and "[" not in v.name]
    lines = [f"{head} {{", *indented(scope.statements(inner, scope.rng.randint(1, 3))), "}"]
    if places and scope.chance(0.4):
        lines.append(f"for (int {k}b = 0; {k}b < 3; {k}b++, {scope.rng.choice(places).name} *= 0.9) {{")
        lines += [*indented(scope.statements(scope.inner(breakable=True, continuable=True, loops=3), 1)), "}"]
    return lines


def shrinking_loop(scope: Scope) -> Lines:
    """A loop that ends when a number computed in it is small enough, often with another such loop inside."""
    rng = scope.rng
    if scope.loops >= 3:
        return []
    r, g = scope.fresh("v"), scope.fresh("g")
    type = scope.type()
    start = squash(scope, stored(scope, 2)).text
    limit = number(scope, 0.05, 0.4, type)
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.variables.append(Variable(r, type))
    factor = f"(0.35 + 0.25 * sin({stored(inner, 1).text}))"
    body = [f"{r} = {r} * {factor};"]
    if rng.random() < 0.5:
        body += shrinking_loop(inner)
    body += scope.statements(inner, rng.randint(1, 3))
    if rng.random() < 0.3:
        body.append(f"if ({condition(inner)}) continue;")
    lines = [f"{type} {r} = 0.6 + fabs({start});", f"int {g} = 0;"]
    lines += [f"while ({r} > {limit} && {g}++ < 7) {{", *indented(body), "}"]
    scope.variables.append(Variable(r, type))
    return lines


def triangular_update(scope: Scope) -> Lines:
    """Elements of one array, read after they were written, in nested loops that may be left."""
    rng = scope.rng
    flat = [a for a in scope.arrays if a.writable and len(a.lengths) == 1]
    if not flat or scope.loops >= 2:
        return []
    a = rng.choice(flat)
    j, k = scope.fresh("j"), scope.fresh("k")
    inner = scope.inner(loops=scope.loops + 2, breakable=True, continuable=True)
    inner.integers += [j, k]
    first, second = f"{a.name}[{j}]", f"{a.name}[{k}]"
    start = f"{j} + 1" if rng.random() < 0.4 else "0"
    end = a.lengths[0] if start != "0" or rng.random() < 0.5 else f"{j} + 1"
    update = rng.choice(
        (
            f"{first} = sin({first} * 0.7 + {second});",
            f"{first} -= 0.3 * {second} * {first}; {first} = {squash(scope, Value(first, a.type, 9.0)).text};",
            f"{second} = 0.5 * {second} + 0.4 * tanh({first} * {second});",
        )
    )
    return [
        f"for (int {j} = 0; {j} < {a.lengths[0]}; ++{j}) {{",
        f"  for (int {k} = {start}; {k} < {end}; ++{k}) {{",
        f"    if ({condition(inner)}) {rng.choice(('break', 'continue'))};",
        f"    {update}",
        *indented(indented(scope.statements(inner, 1))),
        "  }",
        f"  if ({first} > {rng.uniform(0.5, 1.5):.7f}) break;",
        "}",
    ]


def loop_on_call(scope: Scope) -> Lines:
    """A device function decides how often a loop runs, changing what its arguments point to as it goes."""
    functions = [f for f in scope.functions if f.type != "void"]
    if not functions or scope.loops >= 3:
        return []
    called = call(scope, scope.rng.choice(functions))
    if called is None:
        return []
    g = scope.fresh("g")
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    body = scope.statements(inner, scope.rng.randint(1, 2))
    test = f"{g}++ < 4 && {called.text} {scope.rng.choice('<>')} {scope.rng.uniform(-0.5, 0.9):.7f}"
    if scope.chance(0.5):
        return [f"int {g} = 0;", f"while ({test}) {{", *indented(body), "}"]
    return [f"for (int {g} = 0; {test}; ) {{", *indented(body), "}"]


def rows(scope: Scope) -> Lines:
    """A matrix whose rows are passed to device functions one after the other."""
    rng = scope.rng
    functions = [f for f in scope.functions if any(p.kind in ("array", "out") for p in f.parameters)]
    type = scope.type()
    name, q, r = scope.fresh("a"), scope.fresh("q"), scope.fresh("q")
    count = rng.randint(2, 4)
    inner = scope.inner()
    inner.integers += [q, r]
    lines = [
        f"{type} {name}[{count}][3];",
        f"for (int {q} = 0; {q} < {count}; ++{q}) for (int {r} = 0; {r} < 3; ++{r})"
        f" {name}[{q}][{r}] = {stored(inner, 2).text};",
    ]
    matrix = Array(name, type, (str(count), "3"), True)
    scope.arrays.append(matrix)
    fits = [f for f in functions if any(p.kind in ("array", "out") and p.type == type for p in f.parameters)]
    if fits:
        passing = scope.inner()
        passing.integers.append(q)
        row = Array(f"{name}[{q}]", type, ("3",), True)
        passing.arrays = [a for a in passing.arrays if a.type != type or len(a.lengths) > 1] + [row]
        called = call(passing, rng.choice(fits))
        if called is not None:
            lines.append(f"for (int {q} = 0; {q} < {count}; ++{q}) {{ {called.text}; }}")
    return lines


def walked_rows(scope: Scope) -> Lines:
    """A pointer to rows of a matrix."""
    matrices = [a for a in scope.arrays if len(a.lengths) == 2]
    if not matrices:
        return rows(scope)
    a = scope.rng.choice(matrices)
    p, s = scope.fresh("p"), scope.fresh("v")
    const = "" if a.writable else "const "
    at = index(scope, a.lengths[1])
    lines = [
        f"double {s} = 0.3;",
        f"for ({const}{a.type} (*{p})[{a.lengths[1]}] = {a.name}; {p} != {a.name} + {a.lengths[0]}; ++{p}) {{",
        f"  {s} = 0.5 * {s} + sin((*{p})[{at}] * {s} + {p}[0][{index(scope, a.lengths[1])}]);",
    ]
    if a.writable:
        inner = scope.inner()
        inner.variables.append(Variable(f"(*{p})[{at}]", a.type))
        lines.append(f"  (*{p})[{at}] = {stored(inner, 2).text};")
    scope.variables.append(Variable(s, "double"))
    return [*lines, "}"]


CONSTRUCTS = (
    chosen_pointer, macro, once, comma, chosen_update, narrow_integer, narrow_loop, shrinking_loop, triangular_update,
    loop_on_call, rows, walked_rows,
)  # fmt: skip
