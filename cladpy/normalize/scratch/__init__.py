"""Scratch of host programs that is made once and lasts: pointers at namespace scope or static in a function, whose
memory is allocated where there is none yet, or too little.

What a call computes does not depend on whether it was made before. What such variables hold decides about nothing but
allocations, and nobody reads their memory before the call has written it. So the first call stands for all:
they become variables of the entry, which hold at its beginning what they do where the program begins, and which the
functions that name them are lent. New memory is filled with bytes that no number is made of: should something be read
that the call has not written, the result is no number.
"""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Array, Pointer, Scalar, Type, is_floating
from cladpy.normalize.scratch.decided import Checked, Refusals
from cladpy.normalize.scratch.lasting import lasting_in
from cladpy.normalize.scratch.lent import Lent
from cladpy.normalize.scratch.pools import without_pools
from cladpy.normalize.scratch.times import times_among
from cladpy.order import scan
from cladpy.order.effects import Summaries, Within
from cladpy.order.uses import READ, first_use


def with_scratch(program: s.Program) -> s.Program:
    """The program with variables of the entry in place of those that last; where what it computes depends on earlier
    calls, that is said in front of the statement (CP0120)."""
    if program.entry.kind is not FunctionKind.HOST:
        return program
    program = without_pools(program)
    of_host = (FunctionKind.HOST, FunctionKind.HOST_DEVICE)
    hosts = [f for f in program.functions.values() if f.symbol.kind in of_host]
    times = times_among(hosts)
    lasting = lasting_in(hosts, times)
    if not lasting:
        return program
    others = times | _written_first(hosts, lasting)
    found = Refusals(program, {v: d for v, d in lasting.items() if v not in others})
    for symbol, declared in found.lasting.items():
        if declared is not None and not _may_be_scratch(symbol.type):
            found.add(declared, symbol, "holds other things than the time", declared.span)
    for function in hosts:
        Checked(function, found).run()
    if any(program.entry in scan.callees(f) for f in hosts):
        body = program.functions[program.entry].body
        found.add(body.statements[0], next(iter(lasting)), "the function calls itself", body.span)
    return Lent(program, hosts, lasting, times, found).program()


def _written_first(hosts: list[s.Function], lasting: dict[Symbol, s.Declare | None]) -> set[Symbol]:
    """The numbers, static in one function, that each call writes before it reads them: nobody sees what an earlier call
    has left."""
    summaries, found = Summaries({f.symbol: f for f in hosts}), set()
    for function in hosts:
        own = {d.symbol for d in surface_walk.declarations(function.body) if lasting.get(d.symbol) is d}
        named = {v for other in hosts if other is not function for v in scan.globals_of(other)}
        exposed = Within(function, summaries).exposed if own else frozenset()
        for symbol in own - named:
            plain = isinstance(symbol.type, Scalar) and symbol not in exposed
            if plain and first_use(function.body.statements, symbol) is not READ:
                found.add(symbol)
    return found


def _may_be_scratch(type: Type) -> bool:
    return isinstance(type, Scalar | Pointer) or (isinstance(type, Array) and is_floating(type.element))
