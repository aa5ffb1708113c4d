"""Random statements: declarations, assignments and control flow at any depth."""

from __future__ import annotations

from collections.abc import Callable

from tests.generator.as_numbers import AS_NUMBERS
from tests.generator.bits import BITS
from tests.generator.choices import CHOICES
from tests.generator.classes import CLASS_CONSTRUCTS
from tests.generator.constructs import CONSTRUCTS, indented
from tests.generator.expressions import (
    atom,
    call,
    condition,
    element,
    number,
    small_integer,
    squash,
    stored,
    target,
    value,
)
from tests.generator.indirect import INDIRECT
from tests.generator.kinks import OFTEN
from tests.generator.kinks import statements as at_kinks
from tests.generator.marked import MARKS
from tests.generator.offsets import OFFSETS
from tests.generator.scope import LIMIT, Array, Scope, Value, Variable

Lines = list[str]

# Kinds of statements of which a program has few; one of the kinds is drawn, and of that one.
RARELY = 0.1
RARE = (OFFSETS, OFFSETS, CHOICES, BITS, AS_NUMBERS, MARKS)


def block(scope: Scope, size: int) -> Lines:
    lines: Lines = []
    for _ in range(size):
        if scope.budget[0] <= 0:
            break
        scope.budget[0] -= 1
        lines += statement(scope)
    return lines or assign(scope)


def statement(scope: Scope) -> Lines:
    simple: list[Callable[[Scope], Lines]] = [
        declare, declare, assign, assign, assign, compound, compound, increment, local_array, array_store, hash_step,
        integer, atomic, call_statement, walk, alias, conditional_target,
    ]  # fmt: skip
    if scope.kinks and scope.chance(OFTEN):
        return at_kinks(scope, atom) or assign(scope)
    if scope.classes and scope.chance(0.3):
        return scope.rng.choice(CLASS_CONSTRUCTS)(scope) or assign(scope)
    if scope.chance(0.25):
        # nothing comes of a construct that the scope has no names for
        return scope.rng.choice(CONSTRUCTS)(scope) or assign(scope)
    if scope.chance(0.15):
        return scope.rng.choice(INDIRECT)(scope) or assign(scope)
    if scope.chance(RARELY):
        return scope.rng.choice(scope.rng.choice(RARE))(scope) or assign(scope)
    nested: list[Callable[[Scope], Lines]] = [branch, branch, for_loop, for_loop, while_loop, do_loop, switch]
    pick = scope.rng.random()
    if pick < 0.3 and scope.depth < 4:
        return scope.rng.choice(nested)(scope)
    if pick < 0.37:
        return leave(scope)
    return scope.rng.choice(simple)(scope)


def declare(scope: Scope) -> Lines:
    v = stored(scope)
    name, type = scope.fresh("v"), scope.type()
    scope.variables.append(Variable(name, type))
    return [f"{type} {name} = {v.text};"]


def assign(scope: Scope) -> Lines:
    place = target(scope)
    if place is None:
        return declare(scope)
    if scope.chance(0.1):
        other = target(scope)
        # two stores in one statement must not meet: they name different things, and none through an index
        if other is not None and other.name != place.name and "[" not in other.name + place.name:
            return [f"{place.name} = {other.name} = {stored(scope, 2).text};"]
    return [f"{place.name} = {stored(scope).text};"]


def compound(scope: Scope) -> Lines:
    place = target(scope)
    if place is None:
        return declare(scope)
    v = stored(scope, 2)
    form = scope.rng.randrange(4)
    if form == 0:
        lines = [f"{place.name} += {v.text};"]
    elif form == 1:
        lines = [f"{place.name} -= {v.text};"]
    elif form == 2:
        lines = [f"{place.name} *= {v.text};"]
    else:
        return [f"{place.name} /= 1.5 + {v.text} * {v.text};"]
    if "[" in place.name:
        # the index must not change between the two statements; it does not, neither writes an integer
        return [*lines, f"{place.name} = {squash(scope, Value(place.name, place.type, 9.0)).text};"]
    return [*lines, f"{place.name} *= {scope.rng.choice(('0.25', '0.3f', '0.2'))};"]


def increment(scope: Scope) -> Lines:
    places = [v for v in scope.variables if v.writable and "[" not in v.name]
    if not places:
        return declare(scope)
    v = scope.rng.choice(places).name
    step = scope.rng.choice((f"{v}++", f"++{v}", f"{v}--", f"--{v}"))
    return [f"{step};", f"{v} *= 0.5;"]


def local_array(scope: Scope) -> Lines:
    rng = scope.rng
    name, type = scope.fresh("a"), scope.type()
    lengths = tuple(str(rng.randint(2, 5)) for _ in range(rng.choice((1, 1, 2))))
    lines = []
    if len(lengths) == 1 and rng.random() < 0.6:
        given = [f"{type}({stored(scope, 1).text})" for _ in range(rng.randint(0, int(lengths[0])))]
        lines.append(f"{type} {name}[{lengths[0]}] = {{{', '.join(given)}}};")
    else:
        lines.append(f"{type} {name}{''.join(f'[{n}]' for n in lengths)};")
        loops = [scope.fresh("q") for _ in lengths]
        heads = [f"for (int {q} = 0; {q} < {n}; ++{q})" for q, n in zip(loops, lengths, strict=True)]
        inner = scope.inner()
        inner.integers += loops
        places = "".join(f"[{q}]" for q in loops)
        lines.append(f"{' '.join(heads)} {name}{places} = {stored(inner, 2).text};")
    scope.arrays.append(Array(name, type, lengths, True))
    return lines


def array_store(scope: Scope) -> Lines:
    arrays = [a for a in scope.arrays if a.writable]
    if not arrays:
        return local_array(scope)
    a = scope.rng.choice(arrays)
    return [f"{element(scope, a.name, a.lengths)} = {stored(scope).text};"]


def hash_step(scope: Scope) -> Lines:
    if not scope.hashes or scope.chance(0.3):
        name = scope.fresh("h")
        lines = [f"unsigned {name} = {small_integer(scope)} * 2654435761u + {scope.rng.randint(1, 99)}u;"]
        scope.hashes.append(name)
        return lines
    h = scope.rng.choice(scope.hashes)
    return [f"{h} ^= {h} >> {scope.rng.randint(5, 15)};", f"{h} = {h} * 1664525u + 1013904223u;"]


def integer(scope: Scope) -> Lines:
    name = scope.fresh("n")
    if scope.chance(0.5):
        text = f"(int)(fabs({value(scope, 1).text}) * 3.0) % {scope.rng.randint(2, 6)}"
    else:
        text = f"{small_integer(scope)} % {scope.rng.randint(2, 9)}"
    scope.integers.append(name)
    return [f"int {name} = {text};"]


def atomic(scope: Scope) -> Lines:
    if not scope.accumulators:
        return assign(scope)
    a = scope.rng.choice(scope.accumulators)
    place = element(scope, a.name, a.lengths)
    v = squash(scope, stored(scope)).text
    pointer = f"&{place}" if scope.chance(0.6) else f"{a.name} + {index_of(place)}"
    return [f"atomicAdd({pointer}, ({a.type})({v}));"]


def index_of(place: str) -> str:
    return f"({place[place.index('[') + 1 : -1]})"


def call_statement(scope: Scope) -> Lines:
    if not scope.functions:
        return assign(scope)
    called = call(scope, scope.rng.choice(scope.functions))
    if called is None:
        return declare(scope)
    if called.type == "void" or scope.chance(0.2):
        return [f"{called.text};"]
    name, type = scope.fresh("v"), scope.type()
    lines = [f"{type} {name} = {called.text};"]
    scope.variables.append(Variable(name, type))
    return lines


def walk(scope: Scope) -> Lines:
    """A pointer that walks over an array from end to end, reading or updating."""
    flat = [a for a in scope.arrays if len(a.lengths) == 1 and not a.chosen]
    if not flat:
        return local_array(scope)
    a = scope.rng.choice(flat)
    p, end, s = scope.fresh("p"), scope.fresh("e"), scope.fresh("v")
    const = "" if a.writable else "const "
    other = "const " if scope.chance(0.5) else const
    step = scope.rng.randint(1, 3)
    lines = [
        f"double {s} = 0.2;",
        f"{const}{a.type} *{p} = {a.name};",
        f"for ({other}{a.type} *{end} = {a.name} + {a.lengths[0]}; {end} - {p} >= {step}; ) {{",
    ]
    inner = scope.inner()
    inner.variables.append(Variable(f"(*{p})", a.type, False))
    if a.writable:
        lines.append(f"  *{p} = {stored(inner, 2).text};")
    lines += [f"  {s} = {s} * 0.6 + sin(*{p} * {s});", f"  {p} += {step};", "}"]
    scope.variables.append(Variable(s, "double"))
    return lines


def alias(scope: Scope) -> Lines:
    """A reference or pointer to a variable or an element, used in place of it."""
    place = target(scope)
    if place is None:
        return declare(scope)
    name = scope.fresh("r")
    if scope.chance(0.5):
        lines = [f"{place.type} &{name} = {place.name};"]
        scope.variables.append(Variable(name, place.type))
    else:
        lines = [f"{place.type} *{name} = &{place.name};"]
        scope.variables.append(Variable(f"(*{name})", place.type))
    return lines


def conditional_target(scope: Scope) -> Lines:
    places = [v for v in scope.variables if v.writable]
    if len(places) < 2:
        return declare(scope)
    a = scope.rng.choice(places)
    same = [v for v in places if v.type == a.type]
    b = scope.rng.choice(same)
    return [f"({condition(scope)} ? {a.name} : {b.name}) = {stored(scope, 2).text};"]


def branch(scope: Scope) -> Lines:
    lines = [f"if ({condition(scope)}) {{", *indented(block(scope.inner(), scope.rng.randint(1, 3)))]
    if scope.chance(0.3):
        lines += [f"}} else if ({condition(scope)}) {{", *indented(block(scope.inner(), scope.rng.randint(1, 2)))]
    if scope.chance(0.6):
        lines += ["} else {", *indented(block(scope.inner(), scope.rng.randint(1, 3)))]
    return [*lines, "}"]


def for_loop(scope: Scope) -> Lines:
    rng = scope.rng
    if scope.loops >= 3:
        return branch(scope)
    k = scope.fresh("k")
    bound = rng.choice((str(rng.randint(1, 5)), f"{small_integer(scope)} % 5", f"1 + {small_integer(scope)} % 4"))
    form = rng.randrange(4)
    if form == 0:
        head = f"for (int {k} = {bound}; {k} > 0; --{k})"
    elif form == 1:
        head = f"for (int {k} = 0, {k}_end = {bound}; {k} < {k}_end; {k} += {rng.randint(1, 2)})"
    elif form == 2:
        head = f"for (int {k} = 1; {k} < {rng.randint(3, 40)}; {k} <<= 1)"
    else:
        head = f"for (int {k} = 0; {k} < {bound}; {k}++)"
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    return [f"{head} {{", *indented(block(inner, rng.randint(1, 3))), "}"]


def while_loop(scope: Scope) -> Lines:
    if scope.loops >= 3:
        return branch(scope)
    k = scope.fresh("w")
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    count = scope.rng.randint(2, 5)
    guard = f" && {condition(scope)}" if scope.chance(0.6) else ""
    body = block(inner, scope.rng.randint(1, 3))
    return [f"int {k} = 0;", f"while ({k}++ < {count}{guard}) {{", *indented(body), "}"]


def do_loop(scope: Scope) -> Lines:
    if scope.loops >= 3:
        return branch(scope)
    k = scope.fresh("d")
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    body = block(inner, scope.rng.randint(1, 3))
    guard = f" && {condition(scope)}" if scope.chance(0.5) else ""
    return [f"int {k} = 0;", "do {", *indented(body), f"}} while (++{k} < {scope.rng.randint(2, 4)}{guard});"]


def switch(scope: Scope) -> Lines:
    rng = scope.rng
    count = rng.randint(2, 4)
    lines = [f"switch ({small_integer(scope)} % {count + 1}) {{"]
    labels = [f"case {n}:" for n in range(count)]
    if scope.chance(0.7):
        labels.insert(rng.randint(0, count), "default:")
    for n, label in enumerate(labels):
        lines.append(f"  {label}")
        if n + 1 < len(labels) and scope.chance(0.15):
            continue
        inner = scope.inner(breakable=True)
        lines.append("  {")
        lines += indented(indented(block(inner, rng.randint(1, 2))))
        lines.append("  }")
        if scope.chance(0.6):
            lines.append("    break;")
    return [*lines, "}"]


def leave(scope: Scope) -> Lines:
    """A break, a continue or a return, under a condition."""
    ways = []
    if scope.breakable:
        ways += ["break;", "break;"]
    if scope.continuable:
        ways += ["continue;", "continue;"]
    if scope.leaves and (scope.depth > 1 or scope.chance(0.3)):
        ways.append(returning(scope))
    if not ways:
        return assign(scope)
    return [f"if ({condition(scope)}) {scope.rng.choice(ways)}"]


def returning(scope: Scope) -> str:
    if scope.result is None or scope.result == "void":
        return "return;"
    return f"return {stored(scope, 2).text};"


def fading(scope: Scope, name: str) -> str:
    """A statement that brings a variable back into range, whatever was done with it."""
    return f"{name} = {number(scope, 0.5, LIMIT / 2, 'double')} * tanh({name});"
