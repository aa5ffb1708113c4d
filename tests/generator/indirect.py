"""Statements by ways round: pointers into the middle of arrays, templates, lambdas, vectors of CUDA's, recurrences in
place."""

from __future__ import annotations

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, number, small_integer, squash, stored
from tests.generator.scope import Array, Scope, Variable

# Templates that every program begins with, so that statements may use them.
TEMPLATES = """template <class T, int K>
__device__ T folded(const T *a, int n, T start) {
  T r = start;
  for (int k = 0; k < K; ++k) r = T(0.5) * r + T(0.4) * sin(r * a[k % n]);
  return r;
}
template <class T>
struct Span {
  T *data;
  int n;
  __device__ T &operator[](int k) const { return data[k % n]; }
  __device__ Span from(int k) const { return {data + k % n, n - k % n}; }
};
template <bool LEFT, class T>
__device__ void settle(T &a, T b) {
  if constexpr (LEFT)
    a = T(0.6) * a + T(0.3) * tanh(a * b);
  else
    a -= T(0.25) * a * a / (T(2) + b * b);
}
"""


def _flat(scope: Scope, writable: bool = False) -> Array | None:
    fits = [a for a in scope.arrays if len(a.lengths) == 1 and (a.writable or not writable)]
    return scope.rng.choice(fits) if fits else None


def offset(scope: Scope) -> Lines:
    """A pointer into the middle of an array, behind which and before which elements are read; the rest of the array
    stays in scope as one of its own."""
    a = _flat(scope)
    if a is None:
        return []
    p, at, s, const = scope.fresh("p"), scope.fresh("m"), scope.fresh("v"), "" if a.writable else "const "
    lines = [
        f"int {at} = (int)({small_integer(scope)}) % (int)({a.lengths[0]});",
        scope.rng.choice(
            (
                f"{const}{a.type} *{p} = {a.name} + {at};",
                f"{const}{a.type} *{p} = &{a.name}[{at}];",
                f"{const}{a.type} *{p} = {a.name}; {p} += {at};",
            )
        ),
        f"double {s} = 0.5 * {p}[0] + 0.3 * {p}[-((int)({small_integer(scope)}) % ({at} + 1))];",
    ]
    rest = scope.fresh("n")
    lines.append(f"int {rest} = (int)({a.lengths[0]}) - {at};")
    scope.variables += [Variable(s, "double"), Variable(f"{p}[{rest} - 1]", a.type, a.writable)]
    # walk() and what a function is given may compare pointers, which is right within one array
    scope.arrays.append(Array(p, a.type, (rest,), a.writable, a.chosen))
    return lines


def fold(scope: Scope) -> Lines:
    a = _flat(scope)
    if a is None:
        return []
    v = scope.fresh("v")
    start = squash(scope, stored(scope, 2)).text
    lines = [f"double {v} = folded<{a.type}, {scope.rng.randint(1, 4)}>({a.name}, {a.lengths[0]}, {start});"]
    scope.variables.append(Variable(v, "double"))
    return lines


def settled(scope: Scope) -> Lines:
    places = [v for v in scope.variables if v.writable]
    if not places:
        return []
    v = scope.rng.choice(places)
    left = scope.rng.choice(("true", "false"))
    return [f"settle<{left}, {v.type}>({v.name}, {v.type}({squash(scope, stored(scope, 2)).text}));"]


def span(scope: Scope) -> Lines:
    """An object that holds a pointer to an array."""
    a = _flat(scope, writable=True)
    if a is None:
        return []
    o, v = scope.fresh("o"), scope.fresh("v")
    lines = [f"Span<{a.type}> {o} = {{{a.name}, (int)({a.lengths[0]})}};"]
    if scope.chance(0.4):
        lines.append(f"{o} = {o}.from({small_integer(scope)});")
    lines.append(f"{o}[{small_integer(scope)}] = {stored(scope, 2).text};")
    lines.append(f"double {v} = {o}[{small_integer(scope)}] * 0.5;")
    scope.variables.append(Variable(v, "double"))
    return lines


def lambda_call(scope: Scope) -> Lines:
    """A closure that reads what is around it, or changes it."""
    f, p, v = scope.fresh("f"), scope.fresh("p"), scope.fresh("v")
    by = scope.rng.choice(("[&]", "[=]"))
    inner = scope.inner(leaves=False)
    inner.result = "double"
    for place in list(inner.variables):
        if by == "[=]":
            inner.variables[inner.variables.index(place)] = Variable(place.name, place.type, False)
    if by == "[=]":  # what it has copied is const, arrays too
        inner.arrays = [Array(a.name, a.type, a.lengths, False, a.chosen) for a in inner.arrays]
        inner.objects = []
    inner.variables.append(Variable(p, "double"))
    body = [f"{p} = {stored(inner, 2).text};"]
    if by == "[&]" and scope.chance(0.5):
        places = [x for x in inner.variables if x.writable and x.name != p]
        if places:
            body.append(f"{scope.rng.choice(places).name} *= 0.75;")
    if scope.chance(0.3):
        body.append(f"if ({condition(inner)}) return 0.5 * {p};")
    lines = [
        f"auto {f} = {by}(double {p}) -> double {{",
        *indented([*body, f"return {squash(inner, stored(inner, 1)).text};"]),
    ]
    first = squash(scope, stored(scope, 1)).text
    lines += ["};", f"double {v} = {f}({first});"]
    if scope.chance(0.4):
        lines.append(f"{v} = 0.5 * {v} + 0.5 * {f}({v});")
    scope.variables.append(Variable(v, "double"))
    return lines


def vector(scope: Scope) -> Lines:
    """A vector of CUDA's, whose parts are variables."""
    type = scope.type()
    count = scope.rng.choice((2, 3, 4))
    name = scope.fresh("u")
    given = ", ".join(f"{type}({stored(scope, 1).text})" for _ in range(count))
    lines = [f"{type}{count} {name} = make_{type}{count}({given});"]
    scope.variables += [Variable(f"{name}.{part}", type) for part in "xyzw"[:count]]
    return lines


def recurrence(scope: Scope) -> Lines:
    """Each element from the one before it, forwards or backwards, in place."""
    a = _flat(scope, writable=True)
    if a is None or scope.loops >= 3:
        return []
    k, n = scope.fresh("k"), a.lengths[0]
    inner = scope.inner(loops=scope.loops + 1)
    inner.integers.append(k)
    if scope.chance(0.5):
        head, before = f"for (int {k} = 1; {k} < (int)({n}); ++{k})", f"{k} - 1"
    else:
        head, before = f"for (int {k} = (int)({n}) - 2; {k} >= 0; --{k})", f"{k} + 1"
    here, there = f"{a.name}[{k}]", f"{a.name}[{before}]"
    low = number(scope, 0.2, 0.5, "double")
    update = scope.rng.choice(
        (
            f"{here} = {low} * {here} + 0.4 * {there};",
            f"{here} += {low} * {there} * {here}; {here} /= 1.2 + {here} * {here};",
            f"{here} = {here} > {there} ? {low} * sin({here} * {there}) : 0.7 * {here};",
            f"SWAP({a.type}, {here}, {there}); {here} *= {low};",
        )
    )
    return [f"{head} {{", f"  {update}", *indented(scope.statements(inner, 1)), "}"]


INDIRECT = (offset, offset, fold, settled, span, lambda_call, vector, recurrence, recurrence)
