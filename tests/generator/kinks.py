"""Random choices of the larger and smaller of numbers that are equal: programs go to their kinks.

Where a program is at a kink (`Scope.kinks`), its expressions and statements choose among numbers of the data, which are
few different ones (`special.py`), by all that programs are written with: functions, `?:`, `if`, loops, indices, swaps.
Some of what comes of it is smooth all the same, as a softplus, or the sum of two sorted numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.generator.scope import Array, Scope, Value, Variable

Lines = list[str]
Atom = Callable[[Scope], Value]

OFTEN = 0.35  # of all expressions, and of all statements


def kinked(scope: Scope, atom: Atom) -> Value:
    """An expression with a kink in it, or one that would have one if it were written otherwise."""
    rng = scope.rng
    type = scope.type()
    f = "f" if type == "float" else ""
    a, b = (_operand(scope, atom, type) for _ in range(2))
    return Value(rng.choice(_EXPRESSIONS)(scope, type, f, a, b), type, 10.0)


def _operand(scope: Scope, atom: Atom, type: str) -> str:
    """A number of the data, or one that is equal for equal data."""
    rng = scope.rng
    text = f"{type}({atom(scope).text})"
    form = rng.randrange(10)
    if form == 0:
        return f"{type}(0.5) * {text}"
    if form == 1:
        return f"sin({text})"
    if form == 2:
        return f"(-{text})"
    if form == 3:
        return f"{text} * {type}({atom(scope).text})"
    return text


def largest(scope: Scope, type: str, a: str, b: str, smallest: bool = False) -> str:
    """The larger of two numbers, in one of the ways to write it."""
    f = "f" if type == "float" else ""
    name, more, less = ("min", "<", ">") if smallest else ("max", ">", "<")
    return scope.rng.choice(
        (
            f"f{name}{f}({a}, {b})",
            f"f{name}{f}({a}, {b})",
            f"{name}({a}, {b})",
            f"({a} {more} {b} ? {a} : {b})",
            f"({a} {less}= {b} ? {b} : {a})",
            f"({b} {more}= {a} ? {b} : {a})",
            f"(!({a} {less} {b}) ? {a} : {b})",
        )
    )


def _one(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    return largest(scope, type, a, b, scope.chance(0.4))


def _with_constant(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    name = scope.rng.choice(("fmax", "fmin"))
    return f"{name}{f}({a}, {type}({scope.rng.choice(('0', '0', '0.5', '1', '-INFINITY', 'INFINITY'))}))"


def _size(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    d = scope.rng.choice((a, f"({a} - {b})"))
    return scope.rng.choice(
        (f"fabs{f}({d})", f"fabs{f}({d})", f"({d} < 0 ? -{d} : {d})", f"({a} > {b} ? {a} - {b} : {b} - {a})")
    )


def _clamped(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    one = f"fmin{f}(fmax{f}({a}, {type}(0)), {type}({scope.rng.choice(('1', '0.5', '1e30'))}))"
    return f"__saturatef({a})" if f and scope.chance(0.3) else one


def _positive(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    return scope.rng.choice((f"fdim{f}({a}, {b})", f"({a} > 0 ? {a} : {type}(0.25) * {a})", f"({a} > 0 ? {a} : 0)"))


def _median(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    low, high = largest(scope, type, a, b, True), largest(scope, type, a, b)
    return f"fmax{f}({low}, fmin{f}({high}, {type}(0.5)))"


def _softplus(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    return f"(fmax{f}({a}, {type}(0)) + log1p{f}(exp{f}(-fabs{f}({a}))))"


def _log_sum_exp(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    m = largest(scope, type, a, b)
    return f"({m} + log{f}(exp{f}({a} - {m}) + exp{f}({b} - {m})))"


def _both(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    op = scope.rng.choice("+*")
    return f"({largest(scope, type, a, b)} {op} {largest(scope, type, a, b, True)})"


def _exponential(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    """An ELU whose slope is one on both sides."""
    return f"(fmax{f}({a}, {type}(0)) + expm1{f}(fmin{f}({a}, {type}(0))))"


def _behind(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    """What has an infinite partial where a clamp has not taken the number."""
    function = scope.rng.choice((f"sqrt{f}", f"cbrt{f}"))
    return f"{function}(fmax{f}({a} - {type}(8), {type}(0)))"


def _masked(scope: Scope, type: str, f: str, a: str, b: str) -> str:
    """Two numbers, of which one may be left out."""
    where = f"{scope.rng.choice(scope.integers)} % 2 == 0" if scope.integers else "true"
    return f"exp{f}(({where} ? {a} : -INFINITY) - fmax{f}({a}, {b}))"


_EXPRESSIONS: tuple[Callable[[Scope, str, str, str, str], str], ...] = (
    _one, _one, _one, _with_constant, _with_constant, _size, _size, _clamped, _positive, _median, _softplus,
    _log_sum_exp, _both, _both, _exponential, _behind, _masked,
)  # fmt: skip


# ---- statements ------------------------------------------------------------------------------------------------------


def _flat(scope: Scope) -> Array | None:
    flat = [a for a in scope.arrays if len(a.lengths) == 1 and not a.name.startswith("table")]
    return scope.rng.choice(flat) if flat else None


def _kept(scope: Scope, name: str, type: str) -> None:
    scope.variables += [Variable(name, type, False)] * 2


def of_array(scope: Scope) -> Lines:
    """The largest of an array, and perhaps what is made of all elements with it."""
    a = _flat(scope)
    if a is None:
        return []
    rng, n = scope.rng, a.lengths[0]
    m, k, v = scope.fresh("v"), scope.fresh("k"), scope.fresh("v")
    smallest = rng.random() < 0.3
    name, more = ("fmin", "<") if smallest else ("fmax", ">")
    x = rng.choice((f"{a.name}[{k}]", f"{a.name}[{k}]", f"{a.name}[({k} + 1) % {n}]", f"{a.type}(0.5) * {a.name}[{k}]"))
    step = rng.choice(
        (
            f"{m} = {name}({m}, {x});",
            f"{m} = {name}({x}, {m});",
            f"{m} = {x} {more} {m} ? {x} : {m};",
            f"if ({x} {more} {m}) {m} = {x};",
            f"if ({x} {more}= {m}) {{ {m} = {x}; }}",
            f"{m} = {name}({m}, fabs({x}));",
        )
    )
    start = rng.choice((f"{a.name}[0]", "INFINITY" if smallest else "-INFINITY", "0.5"))
    head = f"for (int {k} = 0; {k} < {n}; ++{k})"
    lines = [f"{a.type} {m} = {start};", f"{head} {step}"]
    if start[-1] == "Y":  # perhaps there is no element
        lines.append(f"if (!({n} > 0)) {m} = 0;")
    form = rng.randrange(3)
    if form == 0:
        _kept(scope, m, a.type)
    else:
        e = f"exp({'' if not smallest else '-'}({a.name}[{k}] - {m}))"
        lines += [f"{a.type} {v} = 0.125f;", f"{head} {v} += {e} / (1 + {n});"]
        if form == 1:
            lines.append(f"{v} = {m} + log({v});" if "fabs" not in step else f"{v} *= 0.0625f;")
        _kept(scope, v, a.type)
    return _small(lines, scope.variables[-1].name, a.type)


def _small(lines: Lines, name: str, type: str) -> Lines:
    """With what a long array may have made of it brought into a range."""
    return [*lines, f"{name} = {type}(2) * tanh({name} * {type}(0.5));"]


def found(scope: Scope) -> Lines:
    """The place of the largest number, and the number there."""
    a = _flat(scope)
    if a is None:
        return []
    at, k, v = scope.fresh("m"), scope.fresh("k"), scope.fresh("v")
    more = scope.rng.choice(("> ", ">=", "< ", "<=")).strip()
    _kept(scope, v, a.type)
    return [
        f"int {at} = 0;",
        f"for (int {k} = 1; {k} < {a.lengths[0]}; ++{k}) if ({a.name}[{k}] {more} {a.name}[{at}]) {at} = {k};",
        f"{a.type} {v} = {a.name}[{at}];",
    ]


def two_largest(scope: Scope) -> Lines:
    a = _flat(scope)
    if a is None:
        return []
    x, y, k = scope.fresh("v"), scope.fresh("v"), scope.fresh("k")
    e = f"{a.name}[{k}]"
    step = scope.rng.choice(
        (
            f"{{ {y} = fmax({y}, fmin({x}, {e})); {x} = fmax({x}, {e}); }}",
            f"if ({e} > {x}) {{ {y} = {x}; {x} = {e}; }} else if ({e} > {y}) {{ {y} = {e}; }}",
        )
    )
    for name in (x, y):
        _kept(scope, name, a.type)
    return [f"{a.type} {x} = -3, {y} = -3;", f"for (int {k} = 0; {k} < {a.lengths[0]}; ++{k}) {step}"]


def sorted_few(scope: Scope, atom: Atom) -> Lines:
    """A sorting network of three or four numbers."""
    rng, type = scope.rng, scope.type()
    count = rng.choice((3, 3, 4))
    names = [scope.fresh("v") for _ in range(count)]
    lines = [f"{type} {name} = {atom(scope).text};" for name in names]
    pairs = {3: ((0, 1), (1, 2), (0, 1)), 4: ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2))}[count]
    form = rng.randrange(3)
    for i, j in pairs:
        a, b, t = names[i], names[j], scope.fresh("v")
        if form == 0:
            lines.append(f"{{ const {type} {t} = fmin({a}, {b}); {b} = fmax({a}, {b}); {a} = {t}; }}")
        elif form == 1:
            lines.append(f"if ({a} > {b}) {{ const {type} {t} = {a}; {a} = {b}; {b} = {t}; }}")
        else:
            lines += [f"{type} {t} = {a} < {b} ? {a} : {b};", f"{b} = {a} < {b} ? {b} : {a};", f"{a} = {t};"]
    for name in names:
        _kept(scope, name, type)
    return lines


def chosen(scope: Scope, atom: Atom) -> Lines:
    """A choice by statements."""
    rng, type = scope.rng, scope.type()
    v = scope.fresh("v")
    a, b = (_operand(scope, atom, type) for _ in range(2))
    op = rng.choice(("<", ">", "<=", ">="))
    lines = rng.choice(
        (
            [f"{type} {v} = {a};", f"if ({v} {op} {b}) {v} = {b};"],
            [f"{type} {v};", f"if ({a} {op} {b}) {v} = {a}; else {v} = {b};"],
            [f"{type} {v} = 0;", f"if ({a} > {b}) {v} = sin({a} - {b});"],
            [f"{type} {v} = {a} - {b};", f"if ({v} < 0) {v} = -{v};"],
            [f"{type} {v} = {a};", f"if ({v} < 0) {v} *= {type}(0.25);"],
        )
    )
    _kept(scope, v, type)
    return lines


def statements(scope: Scope, atom: Atom) -> Lines:
    form = scope.rng.randrange(8)
    if form < 3:
        return of_array(scope)
    if form == 3:
        return found(scope)
    if form == 4:
        return two_largest(scope)
    return sorted_few(scope, atom) if form == 5 else chosen(scope, atom)
