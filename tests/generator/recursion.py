"""Random functions that call themselves, and write what they are given as they go."""

from __future__ import annotations

import random

from tests.generator.constructs import indented
from tests.generator.expressions import condition, squash, stored
from tests.generator.scope import Array, Function, Parameter, Scope, Variable
from tests.generator.statements import block


def make_recursion(
    rng: random.Random, types: tuple[str, ...], functions: list[Function], counter: list[int], tables: list[Array]
) -> tuple[str, Function]:
    """Statements, calls of itself with less depth, statements; what it is given is read, or written too."""
    scope = Scope(rng, types, list(functions), counter, [rng.randint(2, 6)], arrays=list(tables), statements=block)
    counter[0] += 1
    name, result = f"r{counter[0]}", rng.choice((*types, *types, "void"))
    scope.result = result
    value, depth = Parameter("value", scope.type(), scope.fresh("p")), Parameter("depth", "int", scope.fresh("p"))
    writes = result == "void" or rng.random() < 0.7
    given = Parameter("out" if writes else "array", scope.type(), scope.fresh("p"))
    parameters = [given, value, depth]
    heads = [f"{'' if writes else 'const '}{given.type} *{given.name}, int {given.name}_n"]
    heads += [f"{value.type} {value.name}", f"int {depth.name}"]
    scope.arrays.append(Array(given.name, given.type, (f"{given.name}_n",), writes))
    scope.variables.append(Variable(value.name, value.type))
    scope.integers.append(depth.name)
    if rng.random() < 0.4:
        pointer = Parameter(rng.choice(("pointer", "reference")), scope.type(), scope.fresh("p"))
        parameters.append(pointer)
        heads.append(f"{pointer.type} {'*' if pointer.kind == 'pointer' else '&'}{pointer.name}")
        scope.variables.append(
            Variable(f"(*{pointer.name})" if pointer.kind == "pointer" else pointer.name, pointer.type)
        )
    body = block(scope, rng.randint(0, 2)) if rng.random() < 0.8 else []
    for _ in range(rng.choice((1, 1, 2))):
        body += _again(scope, name, result, parameters)
    body += block(scope, rng.randint(1, 3))
    if result != "void":
        body.append(f"return {stored(scope, 2).text};")
    text = "\n".join([f"__device__ {result} {name}({', '.join(heads)}) {{", *indented(body), "}"])
    walks = " - p" in text or any(f.walks and f"{f.name}(" in text for f in functions)
    return text, Function(name, result, tuple(parameters), walks)


def _again(scope: Scope, name: str, result: str, parameters: list[Parameter]) -> list[str]:
    """A call of the function by itself."""
    rng = scope.rng
    depth = next(p.name for p in parameters if p.kind == "depth")
    arguments = []
    for p in parameters:
        if p.kind == "value":
            arguments.append(squash(scope, stored(scope, 2)).text)
        elif p.kind == "depth":
            arguments.append(f"{depth} - 1")
        elif p.kind in ("pointer", "reference"):
            arguments.append(p.name)
        elif rng.random() < 0.3:  # the rest of it
            arguments += [
                f"({p.name}_n > 1 ? {p.name} + 1 : {p.name})",
                f"({p.name}_n > 1 ? {p.name}_n - 1 : {p.name}_n)",
            ]
        else:
            arguments += [p.name, f"{p.name}_n"]
    test = f"{depth} > 0" if rng.random() < 0.6 else f"{depth} > 0 && {condition(scope)}"
    called = f"{name}({', '.join(arguments)})"
    if result == "void":
        return [f"if ({test}) {called};"]
    v = scope.fresh("v")
    scope.variables.append(Variable(v, result))
    return [f"{result} {v} = 0.3f;", f"if ({test}) {v} = {called};"]
