"""Random classes, and statements about objects: their members are variables and arrays like any other."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, index, small_integer, squash, stored
from tests.generator.scope import Array, Class, Member, Object, Scope, Value, Variable

EXCHANGE = """template <class T>
__device__ void exchange(T &a, T &b) {
  T old = a;
  a = b;
  b = old;
}"""


# ---- definitions -----------------------------------------------------------------------------------------------------


def make_classes(rng: random.Random, types: tuple[str, ...]) -> tuple[list[Class], list[str]]:
    """One to three classes, later ones with earlier ones as members; and their text."""
    classes: list[Class] = []
    texts = [EXCHANGE]
    for n in range(rng.randint(1, 3)):
        members = [Member("a", rng.choice(types))]
        for k in range(rng.randint(1, 4)):
            name, form = f"m{k}", rng.random()
            if form < 0.45:
                members.append(Member(name, rng.choice(types)))
            elif form < 0.65:
                members.append(Member(name, rng.choice(types), length=rng.randint(2, 3)))
            elif form < 0.8 or not classes:
                members.append(Member(name, "int"))
            else:
                of = rng.choice(classes)
                members.append(Member(name, of.name, of=of))
        rng.shuffle(members)
        made = Class(f"Class{n}", tuple(members))
        classes.append(made)
        texts.append(_definition(rng, made))
    return classes, texts


def _definition(rng: random.Random, made: Class) -> str:
    name = made.name
    lines = [f"struct {name} {{"]
    for m in made.members:
        lines.append(f"  {m.type} {m.name}{f'[{m.length}]' if m.length else ''};")
    numbers = [v.name for v in numbers_of(made, "")]
    first, last = numbers[0], numbers[-1]
    lines.append(
        f"  __device__ double blend(double v) const {{ return 0.4 * {first} + 0.3 * tanh(v * {last}) + 0.1 * a; }}"
    )
    lines.append(f"  __device__ void relax(double v) {{ {last} = 0.5 * {last} + 0.4 * sin(v * a); a *= 0.75; }}")
    lines.append(f"  __device__ {name} mixed(const {name} &other) const {{")
    lines.append(f"    {name} r = {rng.choice(('*this', 'other'))};")
    for number in rng.sample(numbers, min(2, len(numbers))):
        lines.append(f"    r.{number} = 0.5 * {number} * other.a + 0.25 * other.{number};")
    lines += ["    return r;", "  }"]
    same = [v.name for v in numbers_of(made, "") if v.type == made.kind("a")]
    chosen = f"i % 2 ? {same[0]} : {same[-1]}"
    lines.append(f"  __device__ {made.kind('a')} &pick(int i) {{ return {chosen}; }}")
    lines.append("};")
    lines.append(f"__device__ inline {name} operator*({name} o, double v) {{")
    lines += [f"  o.{first} = tanh(o.{first} * v);", f"  o.{last} *= 0.5;", "  return o;", "}"]
    return "\n".join(lines)


def numbers_of(made: Class, prefix: str, writable: bool = True) -> list[Variable]:
    """The floating-point members, nested ones included."""
    found: list[Variable] = []
    for m in made.members:
        if m.of is not None:
            found += numbers_of(m.of, f"{prefix}{m.name}.", writable)
        elif m.type != "int" and not m.length:
            found.append(Variable(prefix + m.name, m.type, writable))
    return found


def initial(rng: random.Random, made: Class) -> str:
    """Braces with a value for every member."""
    values = []
    for m in made.members:
        if m.of is not None:
            values.append(initial(rng, m.of))
        elif m.type == "int":
            values.append(str(rng.randint(0, 5)))
        else:
            numbers = [f"{m.type}({rng.uniform(0.2, 1.2):.3f})" for _ in range(m.length or 1)]
            values.append(f"{{{', '.join(numbers)}}}" if m.length else numbers[0])
    return f"{{{', '.join(values)}}}"


def dtype_of(made: Class) -> np.dtype[Any]:
    kinds = {"double": "f8", "float": "f4", "int": "i4"}
    fields: list[Any] = []
    for m in made.members:
        kind = dtype_of(m.of) if m.of is not None else kinds[m.type]
        fields.append((m.name, kind, m.length) if m.length else (m.name, kind))
    return np.dtype(fields, align=True)


def filled(made: Class, n: int, fill: np.random.Generator) -> Any:
    objects = np.zeros(n, dtype_of(made))
    _fill(objects, made, fill)
    return objects


def _fill(objects: Any, made: Class, fill: np.random.Generator) -> None:
    for m in made.members:
        shape = objects[m.name].shape
        if m.of is not None:
            _fill(objects[m.name], m.of, fill)
        elif m.type == "int":
            objects[m.name] = fill.integers(0, 6, shape)
        else:
            objects[m.name] = fill.uniform(0.2, 1.2, shape)


# ---- what a scope knows of objects -----------------------------------------------------------------------------------


def add_object(scope: Scope, name: str, of: Class, writable: bool = True) -> None:
    """The object, and its members as variables, integers and arrays. `name` may be any lvalue."""
    scope.objects.append(Object(name, of, writable))
    _add_members(scope, f"{name}.", of, writable)


def _add_members(scope: Scope, prefix: str, of: Class, writable: bool) -> None:
    for m in of.members:
        here = prefix + m.name
        if m.of is not None:
            scope.objects.append(Object(here, m.of, writable))
            _add_members(scope, f"{here}.", m.of, writable)
        elif m.type == "int":
            scope.integers.append(here)
        elif m.length:
            scope.arrays.append(Array(here, m.type, (str(m.length),), writable))
        else:
            scope.variables.append(Variable(here, m.type, writable))


def _pick(scope: Scope, writable: bool = False, of: Class | None = None) -> Object | None:
    fits = [o for o in scope.objects if (o.writable or not writable) and (of is None or o.of is of)]
    return scope.rng.choice(fits) if fits else None


def braces(scope: Scope, of: Class) -> str:
    """A list that initialises an object."""
    parts = []
    for m in of.members:
        if m.of is not None:
            parts.append(braces(scope, m.of))
        elif m.length:
            parts.append("{" + ", ".join(f"{m.type}({stored(scope, 1).text})" for _ in range(m.length)) + "}")
        elif m.type == "int":
            parts.append(str(scope.rng.randint(0, 5)))
        else:
            parts.append(f"{m.type}({stored(scope, 1).text})")
    return "{" + ", ".join(parts) + "}"


def _number(scope: Scope) -> str:
    return squash(scope, stored(scope, 2)).text


# ---- statements ------------------------------------------------------------------------------------------------------


def new_object(scope: Scope) -> Lines:
    if not scope.classes:
        return []
    of = scope.rng.choice(scope.classes)
    name = scope.fresh("o")
    other, another = _pick(scope, of=of), _pick(scope, of=of)
    form = scope.rng.randrange(4)
    if other is None or another is None or form == 0:
        text = f"{of.name} {name} = {braces(scope, of)};"
    elif form == 1:
        text = f"{of.name} {name} = {other.name};"
    elif form == 2:
        text = f"{of.name} {name} = {other.name}.mixed({another.name});"
    else:
        text = f"{of.name} {name} = ({condition(scope)} ? {other.name} : {another.name}) * {_number(scope)};"
    add_object(scope, name, of)
    return [text]


def assign_object(scope: Scope) -> Lines:
    target = _pick(scope, writable=True)
    if target is None:
        return new_object(scope)
    other = _pick(scope, of=target.of) or target
    more = _pick(scope, writable=True, of=target.of) or target
    return [
        scope.rng.choice(
            (
                f"{target.name} = {other.name};",
                f"{target.name} = {target.name}.mixed({other.name});",
                f"{target.name} = {other.name} * {_number(scope)};",
                f"{target.name}.relax({_number(scope)});",
                f"{target.name}.pick({small_integer(scope)}) *= 0.5;",
                f"({condition(scope)} ? {target.name} : {more.name}) = {other.name};",
                f"exchange({target.name}, {more.name});",
            )
        )
    ]


def method_value(scope: Scope) -> Lines:
    o = _pick(scope)
    if o is None:
        return new_object(scope)
    name = scope.fresh("v")
    v = squash(scope, Value(f"{o.name}.blend({_number(scope)})", "double", 9.0))
    scope.variables.append(Variable(name, "double"))
    return [f"double {name} = {v.text};"]


def object_pointer(scope: Scope) -> Lines:
    """A pointer or reference to an object, perhaps to one of two."""
    a = _pick(scope, writable=True)
    if a is None:
        return new_object(scope)
    b = _pick(scope, writable=True, of=a.of) or a
    name, form = scope.fresh("t"), scope.rng.randrange(3)
    if form == 0:
        add_object(scope, name, a.of)
        return [f"{a.of.name} &{name} = {a.name};"]
    if form == 1:
        lines = [f"{a.of.name} *{name} = {condition(scope)} ? &{a.name} : &{b.name};"]
    else:
        lines = [f"{a.of.name} *{name} = &{a.name};", f"if ({condition(scope)}) {name} = &{b.name};"]
    add_object(scope, f"(*{name})", a.of)
    return lines


def object_array(scope: Scope) -> Lines:
    """A local array of objects; its elements stay in scope under indices of their own."""
    if not scope.classes:
        return []
    rng = scope.rng
    of = rng.choice([c for c in scope.classes if not any(m.of for m in c.members)] or scope.classes[:1])
    name, q, n = scope.fresh("o"), scope.fresh("q"), rng.randint(2, 4)
    other = _pick(scope, of=of)
    inner = scope.inner()
    inner.integers.append(q)
    given = f"{other.name} * {_number(inner)}" if other is not None and rng.random() < 0.6 else None
    lines = [f"{of.name} {name}[{n}];", f"for (int {q} = 0; {q} < {n}; ++{q}) {{"]
    if given is None:
        fresh = scope.fresh("o")
        lines += [f"  {of.name} {fresh} = {braces(inner, of)};", f"  {name}[{q}] = {fresh};"]
    else:
        lines.append(f"  {name}[{q}] = {given};")
    lines.append("}")
    p, s = scope.fresh("p"), scope.fresh("v")
    lines += [
        f"double {s} = 0.2;",
        f"for ({of.name} *{p} = {name}; {p} != {name} + {n}; ++{p}) {{",
        f"  {s} = 0.5 * {s} + sin({p}->a * {s});",
        f"  {p}->a *= 0.5 + 0.25 * {s};",
        "}",
    ]
    scope.variables.append(Variable(s, "double"))
    k = scope.fresh("n")
    lines.append(f"int {k} = {index(scope, str(n))};")
    add_object(scope, f"{name}[{k}]", of)
    return lines


def object_loop(scope: Scope) -> Lines:
    """An object that a loop carries."""
    if not scope.classes or scope.loops >= 3:
        return []
    rng = scope.rng
    of = rng.choice(scope.classes)
    other = _pick(scope, of=of)
    name, k = scope.fresh("o"), scope.fresh("k")
    start = f"{of.name} {name} = {other.name if other is not None else braces(scope, of)};"
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    add_object(inner, name, of)
    body = [f"{name} = {name} * {_number(inner)};", *scope.statements(inner, rng.randint(1, 2))]
    lines = [start, f"for (int {k} = 0; {k} < {rng.randint(2, 5)}; ++{k}) {{", *indented(body), "}"]
    add_object(scope, name, of)
    return lines


CLASS_CONSTRUCTS = (new_object, assign_object, assign_object, method_value, object_pointer, object_array, object_loop)
