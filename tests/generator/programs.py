"""Random host programs: buffers on the device and on the host, launches, copies and sets, in branches, loops and
helper functions.

All buffers have `n` elements, no element is read before something is written there, and buffers that a kernel needs
apart are: pointers are only exchanged, never set to the same memory.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from tests.generator.constructs import indented
from tests.generator.hosted import (
    Helper,
    Lines,
    Scope,
    arithmetic,
    copy,
    exchange,
    host_loop,
    moved_along,
    overwritten,
    part_copied,
    put_number,
    read_back,
    rows_copied,
    set_zero,
    total,
)
from tests.generator.launched import WIDTH, Kernel, make_kernel
from tests.generator.program import GeneratedProgram


def block(scope: Scope, size: int) -> Lines:
    lines: Lines = []
    for _ in range(size):
        if scope.budget[0] <= 0:
            break
        scope.budget[0] -= 1
        lines += statement(scope)
    return lines or launch(scope)


def statement(scope: Scope) -> Lines:
    if not scope.device:
        return arithmetic(scope)
    pick = scope.rng.random()
    if pick < 0.32:
        return launch(scope)
    if pick < 0.5 and scope.depth < 4:
        nested = (branch, time_loop, time_loop, until, temporary, chosen, rounds, in_array, in_struct, by_lambda)
        return scope.rng.choice(nested)(scope)
    simple: tuple[Callable[[Scope], Lines], ...] = (
        copy, copy, copy, part_copied, rows_copied, moved_along, set_zero, exchange, exchange, host_loop, host_loop,
        total, read_back, put_number, call_helper, call_helper, arithmetic, overwritten,
    )  # fmt: skip
    return scope.rng.choice(simple)(scope)


# ---- launches ------------------------------------------------------------------------------------------------------


def launch(scope: Scope, given: list[str] | None = None) -> Lines:
    """`given` are pointers to be used first."""
    rng = scope.rng
    most = len(scope.device) + len(set(given or ()).difference(scope.device))
    fitting = scope.kernels if given is None else [k for k in scope.kernels if len(k.memory) <= most]
    if not fitting:
        return set_zero(scope)
    kernel = rng.choice(fitting)
    count = len(kernel.memory)
    first = [] if given is None else given[:count]
    if not first and not scope.device:
        return arithmetic(scope)
    others = [d for d in scope.device if d not in first]
    while len(first) + len(others) < count:
        others += others or first
    memory = first + rng.sample(others, count - len(first))
    if given is not None:
        rng.shuffle(memory)
    size = "n"
    if len(set(memory)) < count and kernel.apart:
        return set_zero(scope)
    if given is None and not kernel.apart and kernel.memory[0] != "+" and scope.chance(0.2):
        memory[rng.randrange(1, count)] = memory[0]
    elif given is None and scope.chance(0.15) and kernel.memory[0] != "+":
        size = "n / 2"
        for k in range(count):
            if scope.chance(0.5):
                memory[k] = f"{memory[k]} + n / 2"
        if scope.chance(0.4):
            base = memory[0].split()[0]
            memory[0], memory[1] = (base, f"{base} + n / 2") if scope.chance(0.5) else (f"{base} + n / 2", base)
    numbers = [
        rng.choice([*scope.numbers, scope.number(), f"{rng.uniform(0.3, 1.2):.3f}"]) for _ in range(kernel.numbers)
    ]
    lines: Lines = []
    arguments = [*memory, *numbers, size]
    if kernel.object:
        name = scope.fresh("f")
        lines = [f"F{kernel.name[3:]} {name} = {{{', '.join([*memory, size])}}};"]
        arguments = [name, *numbers]
    grid = rng.choice((f"(n + {WIDTH - 1}) / {WIDTH}", f"blocks({size})", f"dim3(blocks({size}))"))
    return [*lines, f"{kernel.callee}<<<{grid}, {WIDTH}>>>({', '.join(arguments)});"]


def chosen(scope: Scope) -> Lines:
    """A pointer to one of two buffers, and launches with it."""
    if len(scope.device) < 3:
        return launch(scope)
    a, b = scope.some(scope.device, 2)
    p = scope.fresh("p")
    if scope.chance(0.5):
        lines = [f"real *{p} = {scope.condition()} ? {a} : {b};"]
    else:
        lines = [f"real *{p} = {a};", f"if ({scope.condition()}) {p} = {b};"]
    inner = scope.inner(device=[d for d in scope.device if d not in (a, b)], swaps=False)
    for _ in range(scope.rng.randint(1, 2)):
        lines += launch(inner, [p])
    return ["{", *indented(lines), "}"]


def call_helper(scope: Scope) -> Lines:
    fitting = [h for h in scope.helpers if h.device <= len(scope.device)]
    if not fitting:
        return launch(scope)
    h = scope.rng.choice(fitting)
    given = [*scope.some(scope.device, h.device), scope.number(), scope.integer(), "n"]
    call = f"{h.name}({', '.join(given)})"
    if h.result and scope.chance(0.7):
        name = scope.fresh("v")
        if scope.chance(0.5):
            scope.numbers.append(name)
            return [f"double {name} = tanh({call});"]
        if scope.numbers:
            of = scope.rng.choice(scope.numbers)
            return [f"{of} = 0.5 * {of} + 0.1 * {call};"]
    return [f"{call};"]


def by_lambda(scope: Scope) -> Lines:
    name, s, d = (scope.fresh(stem) for stem in ("step", "by", "at"))
    others = scope.some(scope.device, len(scope.device) - 1)
    capture = scope.rng.choice(("[&]", "[=]"))
    inner = scope.inner(device=[*others], numbers=[*scope.numbers, s], swaps=False)
    body = launch(inner, [d]) + (launch(inner) if scope.chance(0.5) else [])
    free = next(x for x in scope.device if x not in others)
    if capture == "[&]" and scope.numbers and scope.chance(0.5):
        body.append(f"{scope.rng.choice(scope.numbers)} *= 0.5;")
    calls = [f"{name}({scope.number()}, {free});" for _ in range(scope.rng.randint(1, 2))]
    return [f"auto {name} = {capture}(double {s}, real *{d}) mutable {{", *indented(body), "};", *calls]


# ---- memory --------------------------------------------------------------------------------------------------------


def temporary(scope: Scope) -> Lines:
    """A buffer that lives for a block."""
    name = scope.fresh("e")
    kind = scope.rng.choice(("cudaMalloc(&{0}, n * sizeof(real));", "cudaMalloc((void **)&{0}, sizeof(real) * n);"))
    lines = [f"real *{name};", kind.format(name)]
    source = scope.rng.choice(scope.device)
    if scope.chance(0.5):
        lines.append(f"cudaMemcpy({name}, {source}, n * sizeof(real), cudaMemcpyDeviceToDevice);")
    else:
        lines.append(f"cudaMemset({name}, 0, n * sizeof(real));")
    inner = scope.inner(swaps=False)
    inner.device.append(name)
    lines += launch(inner, [name]) + block(inner, scope.rng.randint(1, 3)) + launch(inner, [name])
    return ["{", *indented([*lines, f"cudaFree({name});"]), "}"]


# ---- control -------------------------------------------------------------------------------------------------------


def branch(scope: Scope) -> Lines:
    lines = [f"if ({scope.condition()}) {{", *indented(block(scope.inner(), scope.rng.randint(1, 3)))]
    if scope.chance(0.5):
        lines += ["} else {", *indented(block(scope.inner(), scope.rng.randint(1, 2)))]
    return [*lines, "}"]


def time_loop(scope: Scope) -> Lines:
    if scope.loops >= 2:
        return branch(scope)
    t = scope.fresh("t")
    bound = scope.rng.choice((str(scope.rng.randint(1, 4)), "steps", f"1 + {scope.integer()} % 3"))
    head = f"for (int {t} = 0; {t} < {bound}; ++{t})"
    if scope.chance(0.25):
        head = f"for (int {t} = {bound}; {t} > 0; {t}--)"
    inner = scope.inner(loops=scope.loops + 1)
    inner.integers.append(t)
    body = block(inner, scope.rng.randint(1, 4))
    if scope.chance(0.3):
        single = all(not line.startswith((" ", "}", "real *")) for line in body)  # exchanges stay whole
        at = scope.rng.randint(0, len(body)) if single else len(body)
        body.insert(at, f"if ({scope.condition()}) {scope.rng.choice(('break', 'continue'))};")
    return [f"{head} {{", *indented(body), "}"]


def until(scope: Scope) -> Lines:
    """A loop that ends when a number from the device says so."""
    if scope.loops >= 2:
        return branch(scope)
    k, v = scope.fresh("k"), scope.fresh("v")
    inner = scope.inner(loops=scope.loops + 1)
    inner.integers.append(k)
    body = block(inner, scope.rng.randint(1, 3))
    d = scope.rng.choice(scope.device)
    read = f"cudaMemcpy(&{v}, {d} + {scope.integer()} % n, sizeof(real), cudaMemcpyDeviceToHost);"
    test = f"{v} {scope.rng.choice('<>')} real({scope.rng.uniform(-0.5, 0.8):.4f})"
    if scope.chance(0.5):
        lines = [f"int {k} = 0;", f"real {v} = 0;", "do {", *indented([*body, read])]
        lines.append(f"}} while (++{k} < {scope.rng.randint(2, 4)} && {test});")
        scope.numbers.append(v)
        return lines
    lines = [f"for (int {k} = 0;; ++{k}) {{", f"  real {v};", *indented([*body, read])]
    return [*lines, f"  if ({k} >= {scope.rng.randint(1, 3)} || {test}) break;", "}"]


def rounds(scope: Scope) -> Lines:
    """Two buffers that change places in a loop."""
    if len(scope.device) < 2 or not scope.swaps or scope.loops >= 2:
        return branch(scope)
    a, b = scope.some(scope.device, 2)
    t = scope.fresh("t")
    inner = scope.inner(loops=scope.loops + 1)
    inner.integers.append(t)
    body = launch(inner, [a, b])
    if scope.chance(0.5):
        body += block(inner, 1)
    body.append(f"std::swap({a}, {b});")
    return [f"for (int {t} = 0; {t} < steps; {t}++) {{", *indented(body), "}"]


def in_array(scope: Scope) -> Lines:
    """Buffers in an array of pointers, by a number that a loop counts."""
    if len(scope.device) < 2 or scope.loops >= 2:
        return branch(scope)
    count = scope.rng.randint(2, min(3, len(scope.device)))
    names = scope.some(scope.device, count)
    p, t = scope.fresh("p"), scope.fresh("t")
    inner = scope.inner(loops=scope.loops + 1, swaps=False, device=[d for d in scope.device if d not in names])
    inner.integers.append(t)
    places = [f"{p}[{t} % {count}]", f"{p}[({t} + 1) % {count}]"]
    body = launch(inner, places)
    if scope.chance(0.5):
        body += launch(inner, places[::-1])
    lines = [f"real *{p}[{count}] = {{{', '.join(names)}}};", f"for (int {t} = 0; {t} < steps; ++{t}) {{"]
    return [*lines, *indented(body), "}"]


def in_struct(scope: Scope) -> Lines:
    if len(scope.device) < 2 or scope.loops >= 2 or not scope.swaps:
        return branch(scope)
    a, b = scope.some(scope.device, 2)
    p, t = scope.fresh("pair"), scope.fresh("t")
    inner = scope.inner(loops=scope.loops + 1, swaps=False, device=[d for d in scope.device if d not in (a, b)])
    inner.integers.append(t)
    body = [*launch(inner, [f"{p}.next", f"{p}.now"]), f"{p}.flip();"]
    if scope.chance(0.4):
        body[-1] = f"if ({scope.condition()}) {p}.flip();"
    back = [f"{a} = {p}.now;", f"{b} = {p}.next;"] if scope.chance(0.6) else []
    return [f"Pair {p} = {{{a}, {b}}};", f"for (int {t} = 0; {t} < steps; ++{t}) {{", *indented(body), "}", *back]


# ---- programs ------------------------------------------------------------------------------------------------------


def make_helper(
    rng: random.Random, index: int, kernels: list[Kernel], helpers: list[Helper], counter: list[int]
) -> tuple[str, Helper]:
    count = rng.randint(1, 3)
    buffers = [f"a{k}" for k in range(count)]
    result = rng.random() < 0.5
    scope = Scope(rng, kernels, list(helpers), counter, [rng.randint(2, 5)], list(buffers), [], ["s"], ["m"])
    size = scope.budget[0]
    body = block(scope, size)
    if rng.random() < 0.3:
        early = "return s * s;" if result else "return;"
        body.insert(0, f"if ({scope.integer()} % 4 == 3) {early}")
    if result:
        body += [*read_back(scope), f"return {scope.numbers[-1]} + 0.1 * s;"]
    kinds = ", ".join(f"real *{b}" for b in buffers)
    head = f"static {'double' if result else 'void'} h{index}({kinds}, double s, int m, int n, int steps = 2) {{"
    return "\n".join([head, *indented(body), "}"]), Helper(f"h{index}", count, result)


_PAIR = """struct Pair {
  real *now, *next;
  void flip() {
    real *held = now;
    now = next;
    next = held;
  }
};"""
_INCLUDES = ["#include <cuda_runtime.h>"] + [
    f"#include <{name}>" for name in ("algorithm", "cmath", "cstdlib", "cstring", "numeric", "utility", "vector")
]
_HOST = (
    ("real *{0} = (real *)malloc(n * sizeof(real));", "free({0});"),
    ("real *{0} = new real[n];", "delete[] {0};"),
    ("std::vector<real> {0}_kept(n);\nreal *{0} = {0}_kept.data();", ""),
    ("real {0}_kept[64];\nreal *{0} = {0}_kept;", ""),
    ("real *{0};\ncudaMallocHost((void **)&{0}, n * sizeof(real));", "cudaFreeHost({0});"),
)


def generate_program(seed: int, size: int = 12) -> GeneratedProgram:
    """A host function of about `size` statements, with up to four kernels and three helper functions."""
    rng = random.Random(f"program {seed}")
    counter = [0]
    real = rng.choice(("double", "double", "double", "float"))
    texts = [*_INCLUDES, f"typedef {real} real;", _PAIR]
    texts.append(f"static int blocks(int n) {{ return (n + {WIDTH - 1}) / {WIDTH}; }}")
    kernels: list[Kernel] = []
    helpers: list[Helper] = []
    for k in range(rng.randint(2, 4)):
        text, kernel = make_kernel(rng, k)
        texts.append(text)
        kernels.append(kernel)
    for k in range(rng.randint(0, 3)):
        text, helper = make_helper(rng, k, kernels, helpers, counter)
        texts.append(text)
        helpers.append(helper)
    device = [f"d{k}" for k in range(rng.randint(2, 4))]
    host = [f"h{k}_" for k in range(rng.randint(0, 2))]
    before: Lines = ["size_t bytes = n * sizeof(real);"]
    after: Lines = []
    for name in host:
        made, freed = rng.choice(_HOST)
        before += made.format(name).split("\n")
        before.append(f"for (int i = 0; i < n; ++i) {name}[i] = in[i] * real({rng.uniform(0.5, 1.2):.3f});")
        if freed:
            # pointers may have changed places, so each is released under the name of its allocation
            before.append(f"real *{name}own = {name};")
            after.append(freed.format(f"{name}own"))
    for k, name in enumerate(device):
        before += [f"real *{name};", f"cudaMalloc(&{name}, bytes);"]
        if k == 0 or rng.random() < 0.7:
            before.append(f"cudaMemcpy({name}, in, bytes, cudaMemcpyHostToDevice);")
        else:
            before.append(f"cudaMemset({name}, 0, bytes);")
        after.append(f"cudaFree({name});")
    scope = Scope(rng, kernels, helpers, counter, [size], list(device), list(host), ["s"], ["m", "n"])
    body = block(scope, size)
    end: Lines = []
    if scope.numbers:
        end = ["double result = " + " + ".join(f"0.5 * {v}" for v in scope.numbers) + ";"]
    shown = rng.sample(device, rng.randint(1, 2))
    end.append(f"cudaMemcpy(out, {shown[0]}, bytes, cudaMemcpyDeviceToHost);")
    if len(shown) > 1:
        end += [f"cudaMemcpy(in2, {shown[1]}, n / 2 * sizeof(real), cudaMemcpyDeviceToHost);"]
    for h in host:
        end.append(f"for (int i = 0; i < n; ++i) result += 0.1 * {h}[i] * out[i];")
    text = [
        "double program(real *out, const real *in, real *in2, double s, int m, int n, int steps) {",
        *indented([*before, *body, *end, *after, "return result;"]),
        "}",
    ]
    fill = np.random.default_rng(seed)
    dtype = np.float32 if real == "float" else np.float64
    n = rng.choice((12, 19, 40))
    values = [
        *(fill.uniform(-1, 1, n).astype(dtype) for _ in range(3)),
        float(fill.uniform(0.2, 1)),
        rng.randint(0, 5),
        n,
        rng.randint(0, 3),
    ]
    return GeneratedProgram(
        "\n".join([*texts, *text]) + "\n",
        "program",
        rng.choice(("in, s", "out, in, s", "out, in, in2, s", "in")),
        None,
        None,
        values,
    )
