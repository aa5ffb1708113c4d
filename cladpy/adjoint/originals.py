"""What is asked of a program's kernels where they run on the host, differentiated or not: threads run one by one there,
so that a race between the lanes of a warp does not come out as it does where they happen to run in step."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from cladpy.analysis.unordered import check_lanes
from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.surface_walk import declarations
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Space
from cladpy.normalize import Policy, decided, normalize
from cladpy.order import scan


def check_originals(program: s.Program, sink: Sink) -> None:
    """Reports the kernels whose lanes exchange what nothing puts in order (CP0274). What cannot be looked into, since
    it cannot be differentiated, is let through. Raises DifferentiationError."""
    policy = Policy(program.functions, program.custom_pullbacks)
    shared = {f for f, body in program.functions.items() if _names_shared(body)}
    for symbol in program.functions:
        if symbol.kind is FunctionKind.KERNEL and not shared.isdisjoint((symbol, *policy.reachable(symbol))):
            with suppress(DifferentiationError):
                check_lanes(_normalized(policy, symbol), sink)
    sink.raise_if_errors()


def _names_shared(function: s.Function) -> bool:
    own = (d.symbol for d in declarations(function.body))
    return any(symbol.space is Space.SHARED for symbol in (*own, *scan.globals_of(function)))


def _normalized(policy: Policy, symbol: FunctionSymbol) -> core.Function:
    sink = Sink({})
    return decided(lambda d: normalize(policy.functions[symbol], replace(policy, decisions=d), sink))
