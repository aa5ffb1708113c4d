"""Random expressions with bounds: integers that never overflow, floating-point values that stay in a range."""

from __future__ import annotations

from tests.generator.kinks import OFTEN, kinked
from tests.generator.scope import LIMIT, Function, Scope, Value, Variable


def join(a: str, b: str) -> str:
    return "double" if "double" in (a, b) else "float"


def number(scope: Scope, low: float, high: float, type: str) -> str:
    text = f"{scope.rng.uniform(low, high):.3f}"
    return text + "f" if type == "float" else text


def small_integer(scope: Scope) -> str:
    """At least 0, at most a few thousand."""
    rng = scope.rng
    atoms = [*scope.integers, str(rng.randint(0, 9))]
    a, b = rng.choice(atoms), rng.choice(atoms)
    form = rng.randrange(7)
    if form == 0:
        return f"({a} + {b} * {rng.randint(1, 5)})"
    if form == 1:
        return f"({a} % {rng.randint(2, 5)})"
    if form == 2:
        return f"(({a} << 1) ^ {b})"
    if form == 3 and scope.hashes:
        return f"(int)({rng.choice(scope.hashes)} >> {rng.randint(20, 27)})"
    if form == 4:
        return f"({a} > {b} ? {a} : {rng.randint(0, 6)})"
    return a


def index(scope: Scope, length: str) -> str:
    return f"{small_integer(scope)} % {length}"


def element(scope: Scope, name: str, lengths: tuple[str, ...]) -> str:
    return name + "".join(f"[{index(scope, n)}]" for n in lengths)


def atom(scope: Scope) -> Value:
    rng = scope.rng
    form = rng.randrange(10)
    if form < 5 and scope.variables:
        v = rng.choice(scope.variables)
        return Value(v.name, v.type, LIMIT)
    if form < 8 and scope.arrays:
        a = rng.choice(scope.arrays)
        return Value(element(scope, a.name, a.lengths), a.type, LIMIT)
    if form == 8 and scope.integers:
        i = rng.choice(scope.integers)
        type = scope.type()
        return Value(f"({type})({i} % 4)", type, 4.0)
    type = scope.type()
    return Value(number(scope, 0.1, 1.9, type), type, 2.0)


_BOUNDED = {"sin": 1.0, "cos": 1.0, "tanh": 1.0, "atan": 1.6, "erf": 1.0}


def value(scope: Scope, depth: int = 3) -> Value:
    """Any expression; its bound may exceed LIMIT."""
    rng = scope.rng
    if depth <= 0:
        return atom(scope)
    if scope.kinks and scope.chance(OFTEN):
        return kinked(scope, atom)
    form = rng.randrange(17)
    a = value(scope, depth - 1 - rng.randrange(2))
    if form in (0, 1):
        b = value(scope, depth - 1)
        sign = rng.choice("+-")
        return Value(f"({a.text} {sign} {b.text})", join(a.type, b.type), a.bound + b.bound)
    if form in (2, 3, 4):
        b = value(scope, depth - 1)
        if a.bound * b.bound > 100:
            a = squash(scope, a)
        return Value(f"({a.text} * {b.text})", join(a.type, b.type), a.bound * b.bound)
    if form == 5:
        b = value(scope, depth - 2)
        low = number(scope, 1.2, 2.0, b.type)
        return Value(f"({a.text} / ({low} + {b.text} * {b.text}))", join(a.type, b.type), a.bound)
    if form == 6:
        b = value(scope, depth - 2)
        type = join(a.type, b.type)
        return Value(f"({condition(scope)} ? {a.text} : {b.text})", type, max(a.bound, b.bound))
    if form == 7:
        return Value(f"(-({a.text}))", a.type, a.bound)
    if form == 8:
        to = scope.type()
        spelled = rng.choice((f"({to})({a.text})", f"{to}({a.text})", f"static_cast<{to}>({a.text})"))
        return Value(spelled, to, a.bound)
    if form >= 12:
        return variation(scope, a, depth)
    if form == 9 and a.bound < 1000:
        return Value(f"({a.text} * (int)({a.text}))", a.type, a.bound * a.bound)
    if form == 10:
        return smooth(scope, a)
    pure = [f for f in scope.functions if f.pure]
    if form == 11 and pure:
        called = call(scope, rng.choice(pure))
        if called is not None:
            return called
    return a


def variation(scope: Scope, a: Value, depth: int) -> Value:
    """The rarer forms."""
    rng = scope.rng
    form = rng.randrange(4)
    if form == 0:
        n = small_integer(scope)
        return Value(f"({a.text} * ({n} % 3))", a.type, 2 * a.bound)
    if form == 1:
        b = atom(scope)
        name = rng.choice(("fmax", "fmin"))
        return Value(f"{name}((double){a.text}, (double){b.text})", "double", max(a.bound, b.bound))
    if form == 2 and depth > 1:
        return squash(scope, a)
    return a


def smooth(scope: Scope, a: Value) -> Value:
    """A math function inside its safe domain."""
    rng = scope.rng
    single = a.type == "float" and rng.random() < 0.6
    suffix = "f" if single else ""
    type = "float" if single or (a.type == "float" and rng.random() < 0.5) else "double"
    # an unsuffixed name takes the argument's own overload
    text = a.text if single or type == a.type else f"(double)({a.text})"
    form = rng.randrange(6)
    if form < 2:
        name = rng.choice(sorted(_BOUNDED))
        return Value(f"{name}{suffix}({text})", type, _BOUNDED[name])
    one = "1.0f" if type == "float" else "1.0"
    if form == 2:
        return Value(f"sqrt{suffix}({one} + {text} * {text})", type, 1 + a.bound)
    if form == 3:
        return Value(f"log{suffix}({one} + {one} + {text} * {text})", type, 1 + a.bound)
    if form == 4:
        inner = "0.3f" if type == "float" else "0.3"
        return Value(f"exp{suffix}({inner} * sin{suffix}({text}))", type, 1.4)
    return Value(f"fabs{suffix}({text} - {number(scope, 0.1, 0.9, type)})", type, a.bound + 1)


def squash(scope: Scope, a: Value) -> Value:
    """Brought into [-1.6, 1.6]."""
    form = scope.rng.randrange(3)
    if form == 0:
        return Value(f"sin({a.text})", a.type, 1.0)
    if form == 1:
        return Value(f"tanh({a.text})", a.type, 1.0)
    return Value(f"({a.text} / (1 + {a.text} * {a.text}))", a.type, 0.5)


def stored(scope: Scope, depth: int = 3) -> Value:
    """An expression that may be stored: its bound is at most LIMIT."""
    v = value(scope, depth)
    return v if v.bound <= LIMIT else squash(scope, v)


def condition(scope: Scope) -> str:
    rng = scope.rng
    form = rng.randrange(6)
    if form < 2 and scope.integers:
        return f"{small_integer(scope)} % {rng.randint(2, 4)} {rng.choice(('==', '!=', '>'))} {rng.randint(0, 1)}"
    # a constant with digits that data does not hit
    compared = f"{atom(scope).text} {rng.choice(('<', '>', '<=', '>='))} {rng.uniform(-0.5, 1.5):.7f}"
    if form == 2:
        return f"({compared} && {atom(scope).text} > {rng.uniform(-1, 1):.7f})"
    if form == 3:
        return f"!({compared} || {atom(scope).text} < {rng.uniform(-1, 0.5):.7f})"
    return compared


def call(scope: Scope, function: Function) -> Value | None:
    """A call with arguments from the scope, or None where it lacks what the function takes."""
    rng = scope.rng
    arguments = []
    used: set[str] = set()
    for p in function.parameters:
        if p.kind == "value":
            arguments.append(stored(scope, 1).text)
        elif p.kind == "integer":
            arguments.append(small_integer(scope))
        elif p.kind == "depth":
            arguments.append(f"{small_integer(scope)} % 4")
        elif p.kind in ("pointer", "reference"):
            fits = [v for v in scope.variables if v.writable and v.type == p.type and v.name not in used]
            if not fits:
                return None
            v = rng.choice(fits)
            used.add(v.name)
            arguments.append(f"&{v.name}" if p.kind == "pointer" else v.name)
        elif p.kind.startswith("object"):
            objects = [
                o
                for o in scope.objects
                if o.of.name == p.type and o.name not in used and (o.writable or p.kind == "object")
            ]
            if not objects:
                return None
            o = rng.choice(objects)
            used.add(o.name)
            arguments.append(f"&{o.name}" if p.kind == "object pointer" else o.name)
        elif p.kind == "rows":
            matrices = [a for a in scope.arrays if a.type == p.type and a.writable and a.lengths[1:] == ("3",)]
            if not matrices:
                return None
            a = rng.choice(matrices)
            arguments += [a.name, a.lengths[0]]
        else:
            flat = [a for a in scope.arrays if a.type == p.type and (a.writable or p.kind == "array")]
            if function.walks:
                flat = [a for a in flat if not a.chosen]
            if not flat:
                return None
            a = rng.choice(flat)
            # of a matrix, one row
            row = a.name if len(a.lengths) == 1 else f"{a.name}[{index(scope, a.lengths[0])}]"
            arguments += [row, a.lengths[-1]]
    return Value(f"{function.name}({', '.join(arguments)})", function.type, LIMIT)


def target(scope: Scope) -> Variable | None:
    """Something that a statement may assign to."""
    rng = scope.rng
    places = [v for v in scope.variables if v.writable]
    arrays = [a for a in scope.arrays if a.writable]
    if arrays and rng.random() < 0.35:
        a = rng.choice(arrays)
        return Variable(element(scope, a.name, a.lengths), a.type)
    return rng.choice(places) if places else None
