"""The same computations in JAX and PyTorch, whose gradients are timed where they are installed.

usage: python -m benchmarks.frameworks [--only NAMES]       (`python -m benchmarks --frameworks` runs it)

A user of these writes no kernel: arrays in, arrays out. JAX: `jax.jit` of the vector-Jacobian product; PyTorch: the
backward of a `torch.compile`d function, forward values kept. Calls take turns with sets of arguments that go past the
L2 together, as those of the kernels do, and matrices are multiplied in single precision, as they are there. Prints a
line of JSON for each: name, framework, milliseconds.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.program import Benchmark
from benchmarks.programs import find

CALLS, GROUPS = 30, 5
PAST_THE_CACHE = 256 << 20  # bytes of all sets of arguments together
MOST_SETS = 8
Function = Callable[..., Any]  # takes what a framework has, the numbers among the arguments by name, and the inputs


def stencil(xp: Any, at: Mapping[str, Any], u: Any) -> Any:
    c = u[1:-1, 1:-1]
    around = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
    return c + 0.1 * (around - 4 * c) * c


def heat(xp: Any, at: Mapping[str, Any], u: Any) -> Any:
    c = u[1:-1, 1:-1]
    around = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
    return c + 0.1 * (around - 4.0 * c) + 0.01 * c * c


def bs(xp: Any, at: Mapping[str, Any], s: Any, x: Any, t: Any) -> Any:
    r, vol = at["R"], at["Vol"]
    root = xp.sqrt(t)
    d1 = (xp.log(s / x) + (r + 0.5 * vol * vol) * t) / (vol * root)
    d2 = d1 - vol * root
    n1 = 0.5 * (1.0 + xp.erf(d1 * 0.70710678))
    n2 = 0.5 * (1.0 + xp.erf(d2 * 0.70710678))
    return s * n1 - x * xp.exp(-r * t) * n2


def lj(xp: Any, at: Mapping[str, Any], x: Any, y: Any, z: Any) -> Any:
    r2 = sum((v[:, None] - v[None, :]) ** 2 for v in (x, y, z)) + 0.1
    q = 1.0 / r2**3
    return (q * q - q).sum(1)


def layer_norm(xp: Any, at: Mapping[str, Any], x: Any, w: Any, b: Any) -> Any:
    centred = x - x.mean(1)[:, None]
    return centred / xp.sqrt((centred * centred).mean(1) + 1e-5)[:, None] * w + b


def softmax(xp: Any, at: Mapping[str, Any], x: Any) -> Any:
    e = xp.exp(x - xp.largest(x)[:, None])
    return e / e.sum(1)[:, None]


FUNCTIONS: dict[str, Function] = {
    "square": lambda xp, at, x: x * x,
    "mathy": lambda xp, at, x: xp.exp(x * xp.sin(x)) + xp.tanh(x) * xp.log(x + 2.0),
    "elem": lambda xp, at, x: xp.exp(-x * x) * xp.sin(x) + x * x * x,
    "bcast": lambda xp, at, x: x[0] * x,
    "scal": lambda xp, at, x, p: (p[0] * x + p[1]) ** 2,
    "bs": bs,
    "stencil": stencil,
    "heat": heat,
    "blockred": lambda xp, at, x: (x * x).reshape(-1, 256).sum(1),
    "ctasync": lambda xp, at, x: (x.reshape(-1, 1024) * xp.flip(x.reshape(-1, 1024), (1,))).reshape(-1),
    "loopn": lambda xp, at, x: xp.repeated(lambda v: 0.5 * v + 0.3 * xp.sin(v), x, at["n"]),
    "rec16": lambda xp, at, x: xp.repeated(lambda s: s - 0.1 * s * s, x, at["m"]),
    "rec64": lambda xp, at, x: xp.repeated(lambda s: s - 0.1 * s * s, x, at["m"]),
    "rec256": lambda xp, at, x: xp.repeated(lambda s: s - 0.1 * s * s, x, at["m"]),
    "gemv": lambda xp, at, a, x: x @ a,
    "lj": lj,
    "gemm4096": lambda xp, at, a, b: a @ b,
    "gelu": lambda xp, at, x: 0.5 * x * (1.0 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x))),
    "silu": lambda xp, at, x: x / (1.0 + xp.exp(-x)),
    "layer_norm": layer_norm,
    "softmax": softmax,
}
# What is left out of an output, as the framework's function has no values there.
CROPPED = ("stencil", "heat")
# Loops of Python's, which torch.compile would have to unroll.
NOT_IN_TORCH = ("loopn", "rec16", "rec64", "rec256")


def looped(step: Callable[[Any], Any], state: Any, count: int) -> Any:
    for _ in range(count):
        state = step(state)
    return state


NUMPY = SimpleNamespace(
    **{name: getattr(np, name) for name in ("sin", "exp", "log", "sqrt", "tanh", "flip")},
    erf=np.vectorize(math.erf),
    largest=lambda x: x.max(1),
    repeated=looped,
)


def arguments(benchmark: Benchmark, parameters: list[str], size: Mapping[str, int]) -> tuple[dict[str, Any], list[Any]]:
    """The numbers among the arguments, and the inputs."""
    values = dict(zip(parameters, benchmark.setup(**size).values, strict=True))
    at = {name: value for name, value in values.items() if not isinstance(value, np.ndarray)}
    return at, [values[name] for name in benchmark.input_names]


def parameters_of(benchmark: Benchmark) -> list[str]:
    from cladpy.options import Options
    from cladpy.pipeline import differentiate
    from cladpy.source import Source

    source = Source.load(benchmark.source)
    derivative = differentiate(source, benchmark.function, benchmark.args, Options.make(), "cuda")
    return [p.name for p in derivative.parameters]


def sets_of(inputs: list[Any]) -> int:
    """How many sets of arguments the calls of one function take turns with."""
    return min(MOST_SETS, max(2, -(-PAST_THE_CACHE // sum(v.nbytes for v in inputs))))


def jax_gradient(function: Function, at: Mapping[str, Any], inputs: list[Any], sets: int) -> Callable[[int], Any]:
    """What begins a gradient by the set of arguments of a number. Raises ImportError where there is no JAX."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # PyTorch needs memory too
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")
    import jax.numpy as jnp

    xp = SimpleNamespace(
        **{name: getattr(jnp, name) for name in ("sin", "exp", "log", "sqrt", "tanh", "flip")},
        erf=jax.scipy.special.erf,
        largest=lambda x: x.max(1),
        repeated=lambda step, state, count: jax.lax.scan(lambda s, _: (step(s), None), state, None, length=count)[0],
    )
    arrays = [[jnp.array(v) for v in inputs] for _ in range(sets)]
    numbers = {k: v.item() if isinstance(v, np.generic) else v for k, v in at.items()}

    def computed(*arrays: Any) -> Any:
        return function(xp, numbers, *arrays)

    result = jax.eval_shape(computed, *arrays[0])
    cotangents = [jnp.full(result.shape, 1 + k, result.dtype) for k in range(sets)]
    gradient = jax.jit(lambda d, *arrays: jax.vjp(computed, *arrays)[1](d))
    jax.block_until_ready(gradient(cotangents[0], *arrays[0]))
    return lambda k: gradient(cotangents[k % sets], *arrays[k % sets])


def with_jax(function: Function, at: Mapping[str, Any], inputs: list[Any]) -> float:
    """Seconds of a gradient. Raises ImportError where there is no JAX."""
    gradient = jax_gradient(function, at, inputs, sets_of(inputs))
    import jax

    def group() -> float:
        start = time.perf_counter()
        last = None
        for call in range(CALLS):
            last = gradient(call)
        jax.block_until_ready(last)
        return (time.perf_counter() - start) / CALLS

    group()
    return statistics.median(group() for _ in range(GROUPS))


def with_torch(function: Function, at: Mapping[str, Any], inputs: list[Any]) -> float:
    """Seconds of a backward pass alone. Raises ImportError where there is no PyTorch."""
    import torch
    import torch._functorch.config

    torch._functorch.config.donated_buffer = False  # the graph is used again
    xp = SimpleNamespace(
        **{name: getattr(torch, name) for name in ("sin", "exp", "log", "sqrt", "tanh", "flip", "erf")},
        largest=lambda x: x.amax(1),
        repeated=looped,
    )
    torch._dynamo.reset()  # after some functions compiled it would run those to come uncompiled
    sets = [
        [torch.from_numpy(np.ascontiguousarray(v)).cuda().requires_grad_() for v in inputs]
        for _ in range(sets_of(inputs))
    ]
    numbers = {k: v.item() if isinstance(v, np.generic) else v for k, v in at.items()}
    compiled = torch.compile(lambda *arrays: function(xp, numbers, *arrays))
    results = [compiled(*given) for given in sets]
    cotangents = [torch.ones_like(result) for result in results]

    def group() -> float:
        first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        first.record()
        for call in range(CALLS):
            k = call % len(sets)
            torch.autograd.grad(results[k], sets[k], cotangents[k], retain_graph=True)
        second.record()
        torch.cuda.synchronize()
        return float(first.elapsed_time(second)) * 1e-3 / CALLS

    group()
    return statistics.median(group() for _ in range(GROUPS))


def measured(names: list[str]) -> Iterator[tuple[str, str, float]]:
    """Name, framework and milliseconds; what fails is said, and left out."""
    for name in names:
        benchmark = find(name)
        at, inputs = arguments(benchmark, parameters_of(benchmark), benchmark.full)
        for framework, run in (("jax", with_jax), ("torch", with_torch)):
            if framework == "torch" and name in NOT_IN_TORCH:
                continue
            try:
                yield name, framework, run(FUNCTIONS[name], at, inputs) * 1e3
            except Exception as error:  # one that is not installed, or fails, leaves the others
                print(f"{name}, {framework}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frameworks", description=__doc__)
    parser.add_argument("--only", default="", metavar="NAMES")
    options = parser.parse_args()
    names = [n.strip() for n in options.only.split(",")] if options.only else list(FUNCTIONS)
    for name, framework, milliseconds in measured([n for n in names if n in FUNCTIONS]):
        print(json.dumps([name, framework, milliseconds]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
