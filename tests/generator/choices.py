"""Random statements that choose between places: elements of arrays, locals, and what pointers lead to."""

from __future__ import annotations

from tests.generator.constructs import Lines
from tests.generator.expressions import condition, element, index, number, small_integer, stored
from tests.generator.scope import Array, Scope, Variable


def _places(scope: Scope, type: str, writable: bool) -> list[str]:
    """Addresses of numbers of a type, all of them members of objects or none, which are not memory of one type."""
    rng, members = scope.rng, scope.chance(0.2)
    found = [f"&{v.name}" for v in scope.variables if v.type == type and (v.writable or not writable)]
    for a in scope.arrays:
        if a.type == type and (a.writable or not writable):
            place = element(scope, a.name, a.lengths)
            found.append(f"&{place}")
            if len(a.lengths) == 1:
                found.append(rng.choice((f"{a.name} + {index(scope, a.lengths[0])}", a.name)))
    found = [place for place in found if ("." in place.partition("[")[0]) == members]
    return [found[rng.randrange(len(found))] for _ in range(3)] if found else []


def _chosen(scope: Scope, places: list[str]) -> str:
    first, second, third = places
    return scope.rng.choice(
        (
            f"{condition(scope)} ? {first} : {second}",
            f"{condition(scope)} ? {first} : {second}",
            f"{condition(scope)} ? {first} : {condition(scope)} ? {second} : {third}",
        )
    )


def chosen_place(scope: Scope) -> Lines:
    """A pointer or a reference to one of two or three numbers, in memory or not."""
    rng, type, writable = scope.rng, scope.type(), scope.chance(0.5)
    places = _places(scope, type, writable)
    if not places:
        return []
    p, const = scope.fresh("p"), "" if writable else "const "
    text = _chosen(scope, places)
    form = rng.randrange(4)
    if form == 0:
        scope.variables.append(Variable(p, type, writable))
        return [f"{const}{type} &{p} = *({text});"]
    if form == 1:
        lines = [f"{const}{type} *{p} = {places[0]};", f"if ({condition(scope)}) {p} = {places[1]};"]
    elif form == 2 and writable:
        return [f"*({text}) {rng.choice(('=', '= 0.5 *'))} {stored(scope, 2).text};"]
    else:
        lines = [f"{const}{type} *{p} = {text};"]
    scope.variables.append(Variable(f"(*{p})", type, writable))
    return lines


def chosen_array(scope: Scope) -> Lines:
    """An array that is chosen where it is used."""
    rng = scope.rng
    flat = [a for a in scope.arrays if len(a.lengths) == 1]
    if not flat:
        return []
    a = rng.choice(flat)
    b = rng.choice([o for o in flat if o.type == a.type])
    c, n = scope.fresh("c"), scope.fresh("n")
    lines = [f"const bool {c} = {condition(scope)};", f"const int {n} = {c} ? {a.lengths[0]} : {b.lengths[0]};"]
    # both arms of a choice are of one type
    first, second = (
        o.name if o.writable == (a.writable and b.writable) else f"(const {o.type} *)({o.name})" for o in (a, b)
    )
    name = f"({c} ? {first} : {second})"
    if rng.random() < 0.3:
        at, m = scope.fresh("m"), scope.fresh("n")
        lines += [f"const int {at} = {small_integer(scope)} % {n};", f"const int {m} = {n} - {at};"]
        name, n = f"({c} ? {first} + {at} : &({second})[{at}])", m
    scope.arrays += [Array(name, a.type, (n,), a.writable and b.writable, chosen=True)] * 2
    return lines


def perhaps_null(scope: Scope) -> Lines:
    """A pointer that leads nowhere, where it is not used."""
    type = scope.type()
    places = _places(scope, type, False)
    if not places:
        return []
    p, v = scope.fresh("p"), scope.fresh("v")
    other = number(scope, 0.2, 0.9, type)
    lines = [f"const {type} *{p} = {condition(scope)} ? {places[0]} : nullptr;"]
    lines.append(f"{type} {v} = {p} ? {scope.rng.choice((f'*{p}', f'*{p} * {other}'))} : {other};")
    scope.variables.append(Variable(v, type))
    return lines


CHOICES = (chosen_place, chosen_place, chosen_array, chosen_array, perhaps_null)
