"""The state of a random host program, and its statements that move memory or compute on the host."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from tests.generator.launched import Kernel, expression

Lines = list[str]


@dataclass(frozen=True)
class Helper:
    name: str
    device: int  # buffers of the device that it is given
    result: bool


@dataclass
class Scope:
    rng: random.Random
    kernels: list[Kernel]
    helpers: list[Helper]
    counter: list[int]
    budget: list[int]
    device: list[str]  # pointers that lead to memory of their own
    host: list[str]
    numbers: list[str]
    integers: list[str]
    swaps: bool = True  # whether pointers may change places
    loops: int = 0
    depth: int = 0

    def inner(self, **changes: Any) -> Scope:
        lists = {k: list(getattr(self, k)) for k in ("device", "host", "numbers", "integers")}
        return replace(self, **{**lists, "depth": self.depth + 1, **changes})

    def fresh(self, stem: str) -> str:
        self.counter[0] += 1
        return f"{stem}{self.counter[0]}"

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def some(self, of: list[str], count: int) -> list[str]:
        return self.rng.sample(of, count)

    def integer(self) -> str:
        rng = self.rng
        a = rng.choice([*self.integers, str(rng.randint(0, 7))])
        return rng.choice((a, a, f"({a} + {rng.randint(1, 4)})", f"({a} * {rng.randint(2, 5)} + 1)"))

    def number(self) -> str:
        rng = self.rng
        # nothing is made of constants alone, which a compiler would compute otherwise than at run time
        atoms = [*self.numbers, f"{rng.uniform(0.2, 1.4):.3f} * {rng.choice(self.numbers)}"]
        atoms += [f"{h}[{self.integer()} % n]" for h in self.host]
        return expression(rng, [f"real({a})" for a in atoms], 1)

    def condition(self) -> str:
        rng = self.rng
        form = rng.randrange(4)
        if form == 0 or not self.numbers:
            return f"{self.integer()} % {rng.randint(2, 3)} == {rng.randint(0, 1)}"
        if form == 1:
            return (
                f"{self.integer()} > {rng.randint(0, 4)} && {rng.choice(self.numbers)} > {rng.uniform(-0.5, 0.5):.4f}"
            )
        return f"{rng.choice(self.numbers)} {rng.choice('<>')} {rng.uniform(-0.5, 1.0):.4f}"


# ---- memory --------------------------------------------------------------------------------------------------------


def _direction(scope: Scope, to: str, source: str) -> str:
    sides = {(True, True): "DeviceToDevice", (True, False): "HostToDevice", (False, True): "DeviceToHost"}
    side = sides.get((to in scope.device, source in scope.device), "HostToHost")
    return "cudaMemcpy" + ("Default" if scope.chance(0.1) else side)


def copy(scope: Scope) -> Lines:
    if len(scope.device) + len(scope.host) < 2:
        return set_zero(scope)
    to, source = scope.some([*scope.device, *scope.host], 2)
    if to in scope.host and source in scope.host and scope.chance(0.7):
        return [
            scope.rng.choice(
                (f"memcpy({to}, {source}, n * sizeof(real));", f"std::copy({source}, {source} + n, {to});")
            )
        ]
    stream = scope.chance(0.15)
    call = f"cudaMemcpy{'Async' if stream else ''}({to}, {source}, n * sizeof(real), {_direction(scope, to, source)}"
    return [f"{call}{', 0' if stream else ''});"]


def part_copied(scope: Scope) -> Lines:
    if scope.chance(0.25) or len(scope.device) + len(scope.host) < 2:
        a = scope.rng.choice([*scope.device, *scope.host])
        to = source = a
        direction = "cudaMemcpyDefault" if a in scope.host else "cudaMemcpyDeviceToDevice"
        ends = (f"{a} + n / 2", a) if scope.chance(0.5) else (a, f"{a} + n / 2")
    else:
        to, source = scope.some([*scope.device, *scope.host], 2)
        direction = _direction(scope, to, source)
        ends = (_begin(scope, to), _begin(scope, source))
    count = scope.rng.choice(("n / 2", "n / 3", f"({scope.integer()} % (n / 2))", "2"))
    return [f"cudaMemcpy({ends[0]}, {ends[1]}, {count} * sizeof(real), {direction});"]


def _begin(scope: Scope, name: str) -> str:
    return scope.rng.choice(
        (name, f"{name} + {scope.rng.randint(1, 3)}", f"{name} + n / 2", f"&{name}[{scope.integer()} % (n / 2)]")
    )


def rows_copied(scope: Scope) -> Lines:
    """The first numbers of rows, to rows of another length."""
    if len(scope.device) + len(scope.host) < 2:
        return set_zero(scope)
    to, source = scope.some([*scope.device, *scope.host], 2)
    pitches = scope.rng.choice(((4, 3), (3, 4), (3, 3), (2, 2)))
    width = scope.rng.randint(1, min(pitches))
    size = "sizeof(real)"
    return [
        f"cudaMemcpy2D({to}, {pitches[0]} * {size}, {source}, {pitches[1]} * {size}, {width} * {size}, n / 4, "
        f"{_direction(scope, to, source)});"
    ]


def moved_along(scope: Scope) -> Lines:
    """Parts of host memory that overlap, or change places."""
    if not scope.host:
        return arithmetic(scope)
    h = scope.rng.choice(scope.host)
    by = scope.rng.randint(1, 3)
    forms = [
        f"memmove({h}, {h} + {by}, (n - {by}) * sizeof(real));",
        f"memmove({h} + {by}, {h}, (n - {by}) * sizeof(real));",
        f"std::swap({h}[{by}], {h}[{by} + {scope.integer()} % 3]);",
        f"for (int i = n - 1; i >= {by}; --i) {h}[i] = {h}[i - {by}];",
    ]
    return [scope.rng.choice(forms)]


def set_zero(scope: Scope) -> Lines:
    if not scope.device:
        return arithmetic(scope)
    to = scope.rng.choice(scope.device)
    return [
        scope.rng.choice(
            (
                f"cudaMemset({to}, 0, n * sizeof(real));",
                f"cudaMemset({to} + {scope.rng.randint(1, 3)}, 0, {scope.integer()} % (n / 2) * sizeof(real));",
                f"cudaMemset2D({to}, 3 * sizeof(real), 0, 2 * sizeof(real), n / 3);",
            )
        )
    ]


def overwritten(scope: Scope) -> Lines:
    """A buffer of the host's that is made anew, element by element."""
    if not scope.host:
        return arithmetic(scope)
    h = scope.rng.choice(scope.host)
    return [f"for (int i = 0; i < n; ++i) {h}[i] = {expression(scope.rng, ['real(in[i])', *_reals(scope)], 1)};"]


def exchange(scope: Scope) -> Lines:
    if not scope.swaps:
        return arithmetic(scope)
    pool = scope.host if len(scope.host) > 1 and scope.chance(0.2) else scope.device
    if len(pool) < 2:
        return set_zero(scope)
    a, b = scope.some(pool, 2)
    if scope.chance(0.6):
        return [f"std::swap({a}, {b});"]
    if len(pool) > 2 and scope.chance(0.5):
        c = next(x for x in pool if x not in (a, b))
        t = scope.fresh("t")
        return [f"real *{t} = {a};", f"{a} = {b};", f"{b} = {c};", f"{c} = {t};"]
    t = scope.fresh("t")
    return [f"real *{t} = {a};", f"{a} = {b};", f"{b} = {t};"]


# ---- the host's numbers --------------------------------------------------------------------------------------------


def _reals(scope: Scope) -> list[str]:
    return [f"real({v})" for v in scope.numbers] or ["real(0.4)"]


def host_loop(scope: Scope) -> Lines:
    if not scope.host:
        return arithmetic(scope)
    h, other = scope.rng.choice(scope.host), scope.rng.choice(scope.host)
    atoms = [f"{h}[i]", f"{other}[n - 1 - i]", *_reals(scope)]
    op = scope.rng.choice(("=", "=", "-=")) if h != other else "="
    body = f"{h}[i] {op} {expression(scope.rng, atoms)};"
    if scope.chance(0.3):
        body += f" if ({h}[i] > real(1.0)) {h}[i] *= real(0.5);"
    return [f"for (int i = {scope.rng.randint(0, 2)}; i < n; i += {scope.rng.randint(1, 2)}) {{ {body} }}"]


def total(scope: Scope) -> Lines:
    if not scope.host:
        return read_back(scope)
    h, v = scope.rng.choice(scope.host), scope.fresh("v")
    forms = [
        [f"double {v} = 0;", f"for (int i = 0; i < n; ++i) {v} += 0.1 * {h}[i] * {h}[(i * 3 + 1) % n];"],
        [f"double {v} = 0.05 * std::accumulate({h}, {h} + n, 0.0);"],
        [f"double {v} = tanh(std::inner_product({h}, {h} + n, in, 0.0));"],
    ]
    scope.numbers.append(v)
    return scope.rng.choice(forms)


def read_back(scope: Scope) -> Lines:
    d = scope.rng.choice(scope.device)
    v = scope.fresh("r")
    scope.numbers.append(v)
    at = f"{d} + {scope.integer()} % n"
    if scope.chance(0.3):
        return [
            f"real {v} = 0;",
            f"if ({scope.condition()}) cudaMemcpy(&{v}, {at}, sizeof({v}), cudaMemcpyDeviceToHost);",
        ]
    return [f"real {v};", f"cudaMemcpy(&{v}, {at}, sizeof(real), cudaMemcpyDeviceToHost);"]


def put_number(scope: Scope) -> Lines:
    d, v = scope.rng.choice(scope.device), scope.fresh("r")
    at = f"{d} + {scope.integer()} % n"
    return [f"real {v} = {scope.number()};", f"cudaMemcpy({at}, &{v}, sizeof(real), cudaMemcpyHostToDevice);"]


def arithmetic(scope: Scope) -> Lines:
    if scope.numbers and scope.chance(0.6):
        v = scope.rng.choice(scope.numbers)
        return [f"{v} = {scope.rng.choice(('', f'0.4 * {v} + 0.6 * '))}{scope.number()};"]
    v = scope.fresh("v")
    line = f"{scope.rng.choice(('double', 'real', 'float'))} {v} = {scope.number()};"
    scope.numbers.append(v)
    return [line]
