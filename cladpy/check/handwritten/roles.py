"""What the parameters of a hand-written backward are to its forward: by their names, or as `--map` says."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cladpy.diagnostics import UsageError

GRADIENT, COTANGENT, INOUT, VALUE, BEFORE, OWN = "gradient", "cotangent", "inout", "value", "before", "own"
RETURN = "return"  # the name of what a function returns
# `grad_x`, `gradX`, `d_x`, `dx`, `x_grad` and the like; the group is what is meant.
_FORMS = (
    re.compile(r"(?:grad|gradient|d|g)_(\w+)", re.IGNORECASE),
    re.compile(r"(\w+?)_(?:grad|gradient)", re.IGNORECASE),
    re.compile(r"grad([A-Z]\w*)"),
    re.compile(r"d([A-Za-z]\w*)"),
)
# What an output or an input is called where there is but one.
_OUTPUTS = frozenset(("out", "output", "outputs", "y", "o", "result", "res", "return", "loss", "value"))
_INPUTS = frozenset(("in", "input", "inputs", "inp", "x"))
_TOLD = {
    GRADIENT: "the gradient by {}",
    COTANGENT: "the cotangent of {}",
    INOUT: "the cotangent of {}, and the gradient by it afterwards",
    VALUE: "{}, as the forward leaves it",
    BEFORE: "{}, as it was before the forward",
    OWN: "the backward's own",
}


@dataclass(frozen=True, slots=True)
class Role:
    """What a parameter of the backward is; `of` is the forward's parameter, or RETURN."""

    kind: str
    of: str = ""

    def __str__(self) -> str:
        return _TOLD[self.kind].format("what is returned" if self.of == RETURN else f"'{self.of}'")


@dataclass(frozen=True, slots=True)
class Forward:
    """The names of a forward's parameters: all of them, those that hold floating-point numbers, and of these the ones
    that it writes. RETURN is among them all where what it returns has a cotangent."""

    name: str
    names: Sequence[str]
    numbers: Collection[str]
    outputs: Collection[str]


def meant(name: str) -> list[str]:
    """What a name such as `grad_x` or `dx` may be the gradient or the cotangent of."""
    found = [match[1] for form in _FORMS if (match := form.fullmatch(name))]
    return [*found, *(n[0].lower() + n[1:] for n in found if n[0].isupper())]


def matched(forward: Forward, backward: Sequence[str], given: Mapping[str, str]) -> dict[str, Role]:
    """The role of each of the backward's parameters. `given` are those that the user says.

    Raises UsageError for a name in it that there is not.
    """
    roles: dict[str, Role] = {}
    for name, text in given.items():
        if name not in backward:
            raise UsageError(f"--map {name}: the backward has no such parameter; there are {', '.join(backward)}")
        roles[name] = _said(forward, name, text)
    for name in backward:
        if name not in roles and name in forward.names and name != RETURN:
            roles[name] = Role(VALUE, name)
    left = [name for name in backward if name not in roles]
    for name in left:
        of = next((m for m in meant(name) if m in forward.numbers), None)
        if of is not None:
            roles[name] = _by(forward, of)
    for kind, called, wanted in (
        (COTANGENT, _OUTPUTS, [n for n in forward.numbers if n in forward.outputs]),
        (GRADIENT, _INPUTS, [n for n in forward.numbers if n not in forward.outputs]),
    ):
        missing = [n for n in wanted if Role(kind, n) not in roles.values()]
        alike = [n for n in left if n not in roles and called.intersection(m.lower() for m in meant(n))]
        if len(missing) == len(alike) == 1:
            roles[alike[0]] = Role(kind, missing[0])
    missing = [n for n in forward.numbers if n not in forward.outputs and Role(GRADIENT, n) not in roles.values()]
    if RETURN in backward and RETURN not in roles and len(missing) == 1:
        roles[RETURN] = Role(GRADIENT, missing[0])
    return {name: roles.get(name, Role(OWN)) for name in backward}


def _by(forward: Forward, of: str) -> Role:
    return Role(COTANGENT if of in forward.outputs else GRADIENT, of)


def _said(forward: Forward, name: str, text: str) -> Role:
    kind, colon, of = text.rpartition(":")
    if not colon and of in forward.names and of != RETURN:
        return Role(VALUE, of)
    if not colon:
        by = next((m for m in meant(of) if m in forward.numbers), None)
        if by is not None:
            return _by(forward, by)
    elif kind in _TOLD and kind != OWN and of in (forward.names if kind in (VALUE, BEFORE) else forward.numbers):
        return Role(kind, of)
    known = ", ".join(forward.names)
    raise UsageError(
        f"--map {name}={text}: say an argument of '{forward.name}' ({known}), or what it is of one: gradient:NAME, "
        "cotangent:NAME, inout:NAME, value:NAME or before:NAME"
    )


def require(
    forward: Forward, backward: str, roles: Mapping[str, Role], own: Collection[str], *, called: bool = False
) -> None:
    """Raises UsageError, with what was matched, where there is no cotangent, no gradient, or a parameter that is
    nothing of the forward's and is not among the backward's `own` values."""
    kinds = {role.kind for role in roles.values()}
    unknown = [name for name, role in roles.items() if role.kind == OWN and name not in own and name != RETURN]
    into = [(role, name) for name, role in roles.items() if role.kind in (GRADIENT, INOUT)]
    twice = next((name for k, (role, name) in enumerate(into) if role.of in [r.of for r, _ in into[:k]]), None)
    if unknown:
        listed = ", ".join(f"'{name}'" for name in unknown)
        problem = f"{listed} of '{backward}' is nothing that is known of '{forward.name}' by its name"
        if len(unknown) > 1:
            problem = problem.replace(" is nothing", " are nothing").replace("by its name", "by their names")
    elif twice is not None:
        problem = f"'{twice}' of '{backward}' is a second gradient by '{roles[twice].of}'"
    elif not kinds & {GRADIENT, INOUT}:
        problem = f"no parameter of '{backward}' is a gradient by an argument of '{forward.name}'"
    elif not kinds & {COTANGENT, INOUT}:
        problem = f"no parameter of '{backward}' is the cotangent of what '{forward.name}' gives"
    else:
        return
    example = unknown[0] if unknown else twice or next(iter(roles), "dx")
    numbers = [n for n in forward.numbers if n not in forward.outputs] or list(forward.numbers) or ["x"]
    said = f'map={{"{example}": "gradient:{numbers[0]}"}}' if called else f"--map {example}=gradient:{numbers[0]}"
    value = f"give '{example}' a default" if called else f"give it a value of its own with --set {example}=..."
    raise UsageError(
        f"{problem}\nmatched: {listed_roles(roles) or 'nothing'}\nhint: say what it is with {said} (also cotangent:, "
        f"inout:, value:, before:){f', or {value}' if unknown else ''}"
    )


def listed_roles(roles: Mapping[str, Role]) -> str:
    """What has been matched, for people; what has the same name in both is only named."""
    told = [
        name if role == Role(VALUE, name) else f"{name} is {role}" for name, role in roles.items() if role.kind != OWN
    ]
    return "; ".join(told)
