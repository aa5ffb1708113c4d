"""A gradient, from the program and the request: made again with each decision that is learnt on the way."""

from __future__ import annotations

from dataclasses import replace

from cladpy.adjoint.builder import Builder
from cladpy.adjoint.entry import Entry
from cladpy.adjoint.gradient import Gradient
from cladpy.adjoint.kernels import Kernels
from cladpy.adjoint.overlaps import Overlap
from cladpy.adjoint.prepare import Preparation
from cladpy.adjoint.questions import Questions
from cladpy.diagnostics import Sink
from cladpy.ir import surface as s
from cladpy.ir.symbols import Symbol
from cladpy.normalize import Decisions, Policy, decided
from cladpy.options import Options


def build_gradient(
    program: s.Program,
    active: tuple[int, ...],
    globals: tuple[Symbol, ...],
    name: str,
    options: Options,
    sink: Sink,
    *,
    integers: bool,
    growable: bool,
    launched: bool = False,
    operands: bool = False,
    portable: bool = False,
) -> Gradient:
    """The gradient of the program's entry by the parameters at the positions `active` and the variables `globals`.

    `integers` says that an integer argument is among them; `growable` that the tape can grow at run time, so that
    nothing has to be counted; `operands` that the reverse sweep has all that statements read; `portable` that kernels
    become loops of a library. Raises DifferentiationError.
    """
    plain = replace(options, fresh=(), consumed=(), split=False, checkpoint="auto")

    def build(
        kernel: s.Program, positions: tuple[int, ...], variables: tuple[Symbol, ...], named: str, shared: Overlap
    ) -> Gradient:
        mine = replace(plain, may_alias=plain.may_alias or shared is Overlap.WRITTEN)
        if shared is Overlap.READ and mine.accumulate == "auto":  # what is added by two arguments may meet
            mine = replace(mine, accumulate="atomic")
        return build_gradient(
            kernel,
            positions,
            variables,
            named,
            mine,
            sink,
            integers=integers,
            growable=growable,
            launched=True,
            operands=operands,
            portable=portable,
        )

    kernels = Kernels(program, plain, sink, build, globals)
    asked = Policy(
        program.functions,
        program.custom_pullbacks,
        options.may_alias,
        {c.primal_name: c for c in program.custom_forwards},
        kernels=kernels,
        closures=program.closures,
    )

    def attempt(decisions: Decisions) -> Gradient:
        kernels.clear()
        policy = replace(asked, decisions=decisions)
        questions = Questions(program, policy)
        preparation = Preparation(program, policy, questions, options, globals, integers, sink, kernels, operands)
        builder = Builder(
            program, policy, questions, options, integers, sink, preparation, growable, launched, portable
        )
        return Entry(builder, active, globals, name).gradient()

    return decided(attempt)
