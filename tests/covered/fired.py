"""`python -m tests.covered.fired --count N --seed S`: how many of N random programs of each form each pass changes.

A pass that recognises shapes of programs is only tested by programs that have them. So this differentiates random
programs, compiles nothing, and counts those in which a pass found something to do. `--at-least K` is for the forms
together: exit status 1 where a pass did something in fewer than K programs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cladpy.adjoint import checkpoints, extrema, forward, outside_sums, overlaps, preaccumulation, renewal
from cladpy.analysis import lanes, shifts, stencils, tiles
from cladpy.analysis import renewal as renewal_analysis
from cladpy.analysis.periodic import Periodic
from cladpy.analysis.twins import Twins
from cladpy.diagnostics import CladpyError
from cladpy.ir import code, core, products
from cladpy.ir.code_text import format_code
from cladpy.ir.walk import statements
from cladpy.options import Options
from cladpy.passes import (
    accumulators,
    apart,
    contracted,
    doubled,
    early_loads,
    early_pops,
    evaluated_once,
    guards,
    halved_sums,
    in_step,
    load_hoisting,
    paired_sums,
    privatisation,
    reciprocals,
    round_trips,
    rows,
    shared_functions,
    shared_gather,
    software_pipelining,
    sum_sinking,
    tile_gather,
    uniform_sums,
    warp_rounds,
    zeros_behind,
)
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.variants import bounded, kept_values
from cladpy.variants.columns import Columns
from cladpy.variants.gather import Gather
from tests.generator import FORMS, GeneratedProgram

Judge = Callable[[tuple[Any, ...], Any], bool]


# ---- what says that a pass has done something ------------------------------------------------------------------------


def _text(block: code.Block) -> str:
    return format_code(code.Function("f", code.FunctionRole.PULLBACK, (), tuple(block), None))  # type: ignore[arg-type]


def _other_block(given: tuple[Any, ...], result: Any) -> bool:
    before, after = tuple(given[0]), tuple(result)
    return before != after and _text(before) != _text(after)


def _other(given: tuple[Any, ...], result: Any) -> bool:
    return result is not given[0]


def _in_a_loop(given: tuple[Any, ...], result: Any) -> bool:
    function: core.Function = result
    within = (s for s in statements(function.body) if isinstance(s, core.Allocate) and s not in function.body)
    return any(s.root.kind is core.RootKind.SHARED for s in within)


def _second_given(given: tuple[Any, ...], result: Any) -> bool:
    return result is not None and result != given[1]


def _no_plain_product(given: tuple[Any, ...], result: Any) -> bool:
    return not isinstance(result, core.Binary) or (result.left, result.right) != tuple(given[:2])


def _something(given: tuple[Any, ...], result: Any) -> bool:
    return bool(result)


def _second(given: tuple[Any, ...], result: Any) -> bool:
    return bool(result[1])


def _called(given: tuple[Any, ...], result: Any) -> bool:
    return True


def _overlapping(given: tuple[Any, ...], result: Any) -> bool:
    return result is not overlaps.Overlap.NONE


@dataclass(frozen=True)
class Pass:
    """A function of a stage, under the name by which others call it."""

    name: str
    function: Callable[..., Any]
    judge: Judge = _other_block
    of: type | None = None  # the class that it is a method of


PASSES = (
    Pass("accumulators", accumulators.with_less_traffic),
    Pass("apart, in one adjoint", apart.read_together),
    Pass("apart, in several", apart.read_before_writing),
    Pass("software_pipelining", software_pipelining.with_pipelined_loops),
    Pass("bounded", bounded.premise, _called),
    Pass("checkpoints", checkpoints.levels, _something),
    Pass("columns", Columns.of, _something, Columns),
    Pass("contracted", contracted.with_contractions),
    Pass("shared reciprocals", reciprocals.with_shared_reciprocals),
    Pass("doubled", doubled.without_halves),
    Pass("early loads", early_loads.with_early_loads),
    Pass("early pops", early_pops.with_early_pops),
    Pass("evaluated once", evaluated_once.evaluated_once),
    Pass("extrema", extrema.extremum, _something),
    Pass("forward functions", forward.forward_function, _called),
    Pass("gather", Gather.renewed, _something, Gather),
    Pass("guards", guards.with_guards_apart),
    Pass("halved sums", halved_sums.with_halved_sums),
    Pass("in step", in_step.with_loops_in_step),
    Pass("kept values", kept_values.from_kept_values, _something),
    Pass("lanes", lanes.with_lanes, _other),
    Pass("loads first", load_hoisting.with_hoisted_loads),
    Pass("outside sums", outside_sums.with_outside_sums, _other),
    Pass("overlaps", overlaps.overlap, _overlapping),
    Pass("paired sums", paired_sums.with_paired_sums),
    Pass("paired sums, printed", paired_sums.are_paired, _something),
    Pass("periodic", Periodic.resolved, _second_given, Periodic),
    Pass("preaccumulation", preaccumulation.preaccumulated, _other),
    Pass("products", products.product, _no_plain_product),
    Pass("renewal", renewal.renewing, _something),
    Pass("renewal, by the program", renewal.is_apart, _something),
    Pass("renewal, of cells", renewal_analysis.find_renewal_of_cells, _something),
    Pass("round trips", round_trips.without_round_trips),
    Pass("rows", rows.with_rows),
    Pass("shared functions", shared_functions.with_shared_functions),
    Pass("shared gather", shared_gather.with_gathered_sums),
    Pass("shifts", shifts.shifted_loop, _something),
    Pass("privatisation", privatisation.privatised, _second),
    Pass("stencils", stencils.find_stencil, _something),
    Pass("sunk sums", sum_sinking.with_sunk_sums),
    Pass("tile gather", tile_gather.with_gathered_tiles),
    Pass("tiles", tiles.with_scopes, _in_a_loop),
    Pass("twins", Twins.index, _second_given, Twins),
    Pass("uniform sums, at exit", uniform_sums.sum_at_exit),
    Pass("uniform sums, over blocks", uniform_sums.summed_over_blocks, _second),
    Pass("warp rounds", warp_rounds.in_rounds, _something),
    Pass("zeros behind", zeros_behind.with_zeros_behind),
)


@contextmanager
def watched(note: Callable[[str], None]) -> Iterator[None]:
    """Within, `note` is called with the name of each pass that does something."""
    changed: list[tuple[Any, str, Any]] = []
    for each in PASSES:
        wrapper = _wrapped(each, note)
        for owner, attribute in list(_places(each)):
            changed.append((owner, attribute, each.function))
            setattr(owner, attribute, wrapper)
    try:
        yield
    finally:
        for owner, attribute, function in changed:
            setattr(owner, attribute, function)


def _places(each: Pass) -> Iterator[tuple[Any, str]]:
    """Where others find the function: its class, or the modules that have imported it."""
    if each.of is not None:
        yield each.of, each.function.__name__
        return
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", "")
        if name.startswith("cladpy.") and name != each.function.__module__:
            yield from ((module, attribute) for attribute, value in vars(module).items() if value is each.function)


def _wrapped(each: Pass, note: Callable[[str], None]) -> Callable[..., Any]:
    def wrapper(*given: Any, **named: Any) -> Any:
        result = each.function(*given, **named)
        if each.judge(given, result):
            note(each.name)
        return result

    return wrapper


def fired(program: GeneratedProgram, target: str = "host") -> frozenset[str]:
    """The passes that do something in the gradient of a program. Raises as `differentiate` does."""
    found: set[str] = set()
    with watched(found.add):
        differentiate(
            Source.load(program.text), program.function, program.args, Options.make(**program.options), target
        )
    return frozenset(found)


# ---- the command -----------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.covered.fired")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="programs of each form")
    parser.add_argument("--form", choices=tuple(FORMS), action="append", help="these forms only")
    parser.add_argument("--target", default="host", choices=("cuda", "hip", "host"))
    parser.add_argument("--at-least", type=int, default=0, metavar="K")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    forms = options.form or list(FORMS)
    tried: Counter[str] = Counter()
    for form in forms:
        for seed in range(options.seed, options.seed + options.count):
            try:
                found = fired(FORMS[form](seed), options.target)
            except CladpyError as error:
                print(f"{form} {seed}: {str(error).splitlines()[0]}", flush=True)
                continue
            tried[form] += 1
            for name in found:
                counts[name][form] += 1

    def show(title: str, cells: Iterable[object]) -> None:
        print(f"{title:28}" + "".join(f"{cell:>12}" for cell in cells))

    show("", forms)
    show("of", (tried[form] for form in forms))
    for each in PASSES:
        show(each.name, (counts[each.name][form] for form in forms))
    few = [each.name for each in PASSES if counts[each.name].total() < options.at_least]
    if few:
        print(f"in fewer than {options.at_least} programs: {', '.join(few)}")
    return 1 if few else 0


if __name__ == "__main__":
    sys.exit(main())
