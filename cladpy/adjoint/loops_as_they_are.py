"""What a kernel of the program does, as generated code: for targets that have no kernels to launch, but loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cladpy.adjoint.parameters import primal_parameters
from cladpy.adjoint.plan import Plan, PullbackReference
from cladpy.adjoint.prepare import Preparation
from cladpy.adjoint.scope import AS_PART, Env, Out
from cladpy.adjoint.sweep import Sweep
from cladpy.analysis import races
from cladpy.analysis.dimensions import INDICES, NO_EXTENTS
from cladpy.analysis.exactness import everything
from cladpy.analysis.to_be_recorded import Needs
from cladpy.diagnostics import Sink, Span
from cladpy.ir import code, core
from cladpy.ir.code_walk import all_statements, with_blocks
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import Struct
from cladpy.ir.walk import statements
from cladpy.passes.dead_code import without_dead_code
from cladpy.passes.tidy import tidy


def launched_kernels(main: code.Function) -> Iterator[FunctionSymbol]:
    """Those that a gradient launches as they are, in the order in which it names them."""
    acts = (s for s in all_statements(main.body) if isinstance(s, code.Act) and s.verb is code.Verb.LAUNCH)
    yield from dict.fromkeys(act.callee for act in acts if act.callee is not None)


_MADE = core.Store | core.Allocate | core.Call | core.AtomicAdd | core.Atomic

_ADDS = "atomicAdd"


def _none(call: core.Call, active: tuple[int, ...]) -> PullbackReference:
    raise AssertionError("nothing of it is reversed")


_PLAN = Plan(
    races.Accumulation({}, frozenset(), NO_EXTENTS),
    frozenset(),
    frozenset(),
    None,
    _none,
    lambda call: None,
    lambda call: False,
)


def as_it_is(symbol: FunctionSymbol, name: str, preparation: Preparation) -> code.Function:
    """A kernel that does what the original does, under a name."""
    prepared = preparation.prepare(symbol, ())
    function = prepared.function
    for s in statements(function.body):
        if isinstance(s, core.Atomic | core.AtomicAdd) and (s.value is not None or s.callee.name != _ADDS):
            preparation.sink.error(
                "CP0531",
                f"'{s.callee.name}' here does more than add, in a loop that the gradient has to run again",
                s.span,
                hint="add with Kokkos::atomic_add, whose result is not used; find places by an index of their own",
            )
    preparation.sink.raise_if_errors()
    made = (s for s in statements(function.body) if isinstance(s, _MADE))
    nothing: frozenset[Any] = frozenset()
    needs = Needs(everything(function)[0], frozenset(made), nothing, False, nothing, nothing, nothing)
    sweep = Sweep(function, prepared.activity, needs, _PLAN, preparation.sink, may_alias=preparation.options.may_alias)
    env: Env = Env({})
    out: Out = []
    for parameter in function.parameters:
        env.update({c: core.Use(c) for c in parameter.contents if isinstance(c, core.Value)})
    sweep.forward(function.body, env, out, None, AS_PART)
    body = tidy(without_dead_code(_with_sums(tuple(out))))
    return code.Function(
        name, code.FunctionRole.KERNEL, tuple(primal_parameters(function)), body, function, tape_slots=0
    )


def _with_sums(block: code.Block) -> code.Block:
    """What iterations add to integers is a sum like any other."""
    done: list[code.Statement] = []
    for s in block:
        if isinstance(s, code.UpdateElement):
            s = code.AddElement(s.root, s.index, s.arguments[0], code.Update.ATOMIC, adjoint=False)
        done.append(with_blocks(s, _with_sums))
    return tuple(done)


def rank_of(symbol: FunctionSymbol) -> int:
    """How many indices the iterations of a loop have."""
    return {"2d": 2, "3d": 3}.get(symbol.name.rpartition("_")[2], 1)


def indices_of(symbol: FunctionSymbol) -> frozenset[BuiltinVar]:
    """The extents of a launch that is read in the place of a loop, which may be more than 1."""
    axes = "xyz"[: rank_of(symbol)]
    return frozenset(e for e in INDICES.values() if e.value[-1] in axes)


def check_loops(function: core.Function, count: code.Block, done: Sequence[code.Function], sink: Sink) -> None:
    """Whether a kernel, or a host function, can be written as loops: with `count`, that counts what an iteration keeps,
    and with `done` for the functions that it calls."""
    found = next(_against(function, count, done), None)
    if found is not None:
        what, hint = found
        sink.error("CP0530", f"no loops of Kokkos' can be written here: {what}", _place(function), hint=hint)


def _against(function: core.Function, count: code.Block, done: Sequence[code.Function]) -> Iterator[tuple[str, str]]:
    if any(f.storage for f in done):
        yield "a function that calls itself keeps state for an unknown depth", "write it as a loop"
    if function.symbol.kind is not FunctionKind.KERNEL:
        if any(root.numbered for v in function.heap for root in v.roots):
            yield "there is more than one of what is allocated here at a time", "make the view before the loop"
        return
    if not function.symbol.qualified_name.startswith("Kokkos::"):
        hint = "write it as parallel_for, or differentiate it for another target by itself: --target cuda"
        yield "a kernel that is launched by <<<...>>> is no loop of Kokkos'", hint
    if any(isinstance(p.type, Struct) for p in function.parameters):
        yield "the functor is not made of numbers and views alone", "leave out unions, bit-fields and references"
    if any(isinstance(s, code.WriteElement) and s.saved for s in all_statements(count)):
        hint = "give the loop in it a bound that does not depend on it, or make its steps loops over all iterations"
        yield "how often a loop in an iteration runs depends on memory that it overwrites", hint


def _place(function: core.Function) -> Span:
    """Where the program says what an iteration does: a loop that has been inlined is none of its own."""
    every = (s.span for s in statements(function.body))
    return next((span for span in every if span.file != function.span.file), function.span)
