"""The stages up to the adjoint, called directly, for tests that look at what lies between them."""

from __future__ import annotations

from dataclasses import replace

from cladpy.adjoint.build import build_gradient
from cladpy.adjoint.gradient import Gradient
from cladpy.deep import run_deep
from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.normalize import Policy, decided, normalize
from cladpy.options import Options
from cladpy.pipeline import read
from cladpy.request import resolve
from cladpy.source import Source


def core_of(text: str, function: str = "k") -> core.Function:
    """A function in core form, before any analysis has asked for calls to be inlined."""
    source = Source.load(text)
    sink = Sink({source.name: source.text})
    program = read(source, function, Options.make(), sink)
    policy = Policy(program.functions)
    entry = program.functions[program.entry]
    return run_deep(lambda: decided(lambda d: normalize(entry, replace(policy, decisions=d), sink)))


def gradient_of(
    text: str, function: str = "k", args: str = "", *, growable: bool = True, fresh: str = "", consumed: str = ""
) -> Gradient:
    """The gradient in the grammar of generated code: for the host, or with `growable=False` as for a GPU."""
    source = Source.load(text)
    options, sink = Options.make(fresh=fresh, consumed=consumed), Sink({source.name: source.text})

    def build() -> Gradient:
        program = read(source, function, options, sink)
        request = resolve(program, args, options, sink)
        return build_gradient(
            program,
            request.active,
            request.globals,
            request.name,
            options,
            sink,
            integers=request.integers,
            growable=growable,
        )

    return run_deep(build)
