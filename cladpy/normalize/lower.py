"""The entry of normalisation: a function with its parameters bound, its body in structured SSA."""

from __future__ import annotations

from dataclasses import replace

from cladpy.diagnostics import Sink
from cladpy.ir import core
from cladpy.ir import surface as s
from cladpy.ir.reach import memory_in
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import BOOL, VOID, Scalar, Struct, spell
from cladpy.ir.walk import statements
from cladpy.normalize.accesses import Places
from cladpy.normalize.addresses import Addresses
from cladpy.normalize.atomics import Atomics
from cladpy.normalize.calls import Calls
from cladpy.normalize.casts import Casts
from cladpy.normalize.chosen_values import with_chosen_values
from cladpy.normalize.collectives import Collectives
from cladpy.normalize.comparisons import Comparisons
from cladpy.normalize.decisions import Restart
from cladpy.normalize.exits import Exits
from cladpy.normalize.half_shuffles import join_halves
from cladpy.normalize.here import Here
from cladpy.normalize.host import HostCalls
from cladpy.normalize.kept import KeptCalls
from cladpy.normalize.launches import Launches
from cladpy.normalize.layout import comes_apart
from cladpy.normalize.library import LibraryCalls
from cladpy.normalize.links import PointersInMemory, with_links
from cladpy.normalize.loads import merge_loads
from cladpy.normalize.memory import NotLookedInto
from cladpy.normalize.mirrors import checked_mirrors
from cladpy.normalize.objects import Objects
from cladpy.normalize.parameters import Parameters
from cladpy.normalize.places import ZERO, Cell, zero_of
from cladpy.normalize.places import Pointer as Place
from cladpy.normalize.policy import Policy
from cladpy.normalize.rebound import ReboundPointers
from cladpy.normalize.report import Abandon, Report
from cladpy.normalize.retries import join_retries
from cladpy.normalize.several_types import clearing_calls, read_as_another, with_all_cleared
from cladpy.normalize.simplify import simplify
from cladpy.normalize.ssa import FALSE, SSA
from cladpy.normalize.statements import Statements
from cladpy.normalize.storage import Storage
from cladpy.normalize.together import Together
from cladpy.normalize.values import Values
from cladpy.order.scan import Assigned


def normalize(function: s.Function, policy: Policy, sink: Sink) -> core.Function:
    """The function in core form, with the calls inlined that `policy` says. Raises DifferentiationError and Restart."""
    try:
        result = Lowering(function, policy, sink).run()
    except NotLookedInto as found:
        sink.error(found.code, found.message, found.symbol.span, hint=found.hint)
        sink.raise_if_errors()
    except Abandon:
        sink.raise_if_errors()
        raise AssertionError("a refusal without a diagnostic") from None
    given = _given_away(result)
    if given:
        raise Restart(policy.decisions.with_copies(function.symbol, *given))
    clearing = {c for c in clearing_calls(result) - policy.decisions.inline if not policy.recursive(c)}
    if clearing:
        raise Restart(policy.decisions.inlined(*clearing))
    result = with_chosen_values(simplify(result))
    bits = read_as_another(result)
    if bits is not None:
        root, span = bits
        sink.error(
            "CP0232",
            f"'{root.name}' is read as numbers of type '{spell(root.element)}', and was stored to as others",
            span,
            hint="store there as the type that is read, or give what is of another type memory of its own",
        )
    result = checked_mirrors(with_all_cleared(result), sink)
    sink.raise_if_errors()
    return join_halves(join_retries(merge_loads(result, may_alias=policy.may_alias)))


def _given_away(function: core.Function) -> set[int]:
    """The positions of objects passed by value whose arrays are given to calls that write them: what the calls write is
    the function's own copy, and its adjoint has to be as well."""
    calls = (c for c in statements(function.body) if isinstance(c, core.Call))
    given = (memory for c in calls for i in c.writes for memory in memory_in(c.arguments[i]))
    places = (p for m in given for p in (m.alternatives if isinstance(m, core.ChosenArgument) else (m,)))
    return {p.root.position for p in places if p.root.by_value and p.root.position is not None}


def _constant_parameters(function: s.Function) -> frozenset[Symbol]:
    """Those that the function does not assign."""
    assigned = Assigned()
    assigned.add_statement(function.body)
    return frozenset(p for p in function.parameters if p not in assigned.symbols)


class Lowering:
    def __init__(self, function: s.Function, policy: Policy, sink: Sink) -> None:
        self.function = function
        returned = Cell("returned", BOOL)
        self.report = report = Report(sink)
        self.here = here = Here([function.symbol], Exits(returned))
        self.ssa = ssa = SSA(report)
        ssa.layers[-1][returned] = FALSE

        self.casts = casts = Casts(report, policy.decisions)
        self.storage = storage = Storage(report, ssa, casts, policy.decisions)
        self.links = links = PointersInMemory(report, ssa, policy.decisions)
        objects = Objects(report, ssa, casts, storage)
        addresses = Addresses(report, ssa, casts)
        self.rebound = rebound = ReboundPointers(report, here, ssa, policy.decisions)
        places = Places(
            report, here, ssa, casts, storage, links, rebound, objects, policy.decisions, policy.globals, addresses
        )
        comparisons = Comparisons(report, places)
        values = Values(report, here, ssa, objects, places, comparisons)
        self.launches = launches = Launches(report, ssa, casts, objects, places, values, policy)
        self.host = host = HostCalls(report, here, ssa, casts, links, objects, places, values, launches, policy)
        kept = KeptCalls(report, here, ssa, storage, objects, places, values, launches, policy)
        collectives = Collectives(ssa, places, values)
        atomics = Atomics(report, ssa, objects, places, values, casts)
        library = LibraryCalls(report, ssa, places, values, collectives, atomics, policy)
        calls = Calls(
            report, here, ssa, casts, storage, objects, places, values, launches, host, kept, atomics, library, policy
        )
        self.statements = statements = Statements(here, ssa, storage, objects, places, values, calls, policy)
        together = Together(
            report,
            here,
            ssa,
            objects,
            places,
            values,
            library,
            calls,
            statements,
            policy,
            _constant_parameters(function),
        )
        # expressions stand in indices, calls in expressions, statements in calls
        objects.places, objects.values, objects.calls = places, values, calls
        places.values, places.host, places.calls = values, host, calls
        values.calls = calls
        calls.statements = statements
        statements.together = together

        self.objects = objects
        self.parameters = Parameters(function, report, here, ssa, storage, objects, policy.decisions)
        self.globals = policy.globals
        result = function.symbol.result
        if isinstance(result, Scalar):
            here.result = Cell("result", result)
            ssa.layers[-1][here.result] = zero_of(result)
        elif isinstance(result, Struct) and comes_apart(result):
            here.result = Place((storage.local("result", result, function.span),), ZERO)

    def run(self) -> core.Function:
        symbol = self.function.symbol
        if self.here.result is None and symbol.result != VOID:
            raise self.report.refuse(
                "CP0215",
                f"'{symbol.name}' returns '{spell(symbol.result)}', for which a gradient has no cotangent",
                self.function.span,
                "differentiate a function that returns numbers, or writes its results through a pointer",
            )
        bound = [self.parameters.bind(symbol, i) for i, symbol in enumerate(self.function.parameters)]
        self.statements.sequence(self.function.body.statements)
        for name, span in self.launches.uses_of_untyped.items():
            self.report.sink.error(
                "CP0240",
                f"nothing says of what type the memory is that '{name}' leads to",
                span,
                hint="convert the pointer to one to the numbers or objects that lie there, or declare it as one",
            )
        results: tuple[core.Leaf, ...] = ()
        match self.here.result:
            case Cell() as cell:
                results = (core.Leaf(self.ssa.scalar(cell)),)
            case Place() as place if isinstance(symbol.result, Struct):
                results = self.objects.numbers(place, symbol.result, self.function.span)
        parameters = tuple(
            replace(p, parts=tuple(parts)) for p, parts in zip(bound, self.parameters.parts, strict=True)
        )
        body = with_links((*self.casts.shared, *self.host.beginning, *self.ssa.out), self.links.beside)
        self.rebound.given_away(body)
        variables = self.globals.all()
        heap = tuple(
            core.Variable(symbol, tuple(p.content for p in parts if isinstance(p.content, core.Root)))
            for symbol, parts in self.links.allocated
        )
        return core.Function(self.function.symbol, parameters, body, results, self.function.span, variables, heap)
