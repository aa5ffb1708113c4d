"""Other forms of a kernel's gradient: launches that gather adjoints or run a loop transposed, and for host programs the
gradient in two kernels, and the one that replaces adjoints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cladpy.adjoint.prepare import Prepared
from cladpy.adjoint.promises import NOTHING_PROMISED, Promised
from cladpy.adjoint.renewal import Renewing, clearing, keeps_states, renewing
from cladpy.analysis import races
from cladpy.analysis.renewal import Renewal, find_renewal, find_renewal_of_cells
from cladpy.analysis.stencils import find_stencil
from cladpy.analysis.warps import varying_lanes
from cladpy.ir import code, core
from cladpy.ir.code import Update
from cladpy.ir.walk import statements
from cladpy.passes.accumulators import with_less_traffic
from cladpy.passes.dead_code import clean
from cladpy.passes.rows import with_rows
from cladpy.passes.tidy import tidy
from cladpy.passes.uniform_sums import sum_at_exit
from cladpy.variants.bounded import can_be_repeated, merged, premise
from cladpy.variants.columns import Columns, by_columns
from cladpy.variants.gather import Gather, gathered, has_effect, without
from cladpy.variants.kept_values import KeptValues, from_kept_values

if TYPE_CHECKING:
    from cladpy.adjoint.build import Builder


@dataclass(frozen=True, slots=True)
class Variants:
    """Of the gradient `main`, whose body was `swept` before it was finished; under a condition, `better` takes its
    place."""

    builder: Builder
    prepared: Prepared
    accumulation: races.Accumulation
    accesses: races.Accesses
    seeds: tuple[core.Part, ...]
    own: Mapping[tuple[int, int], str]
    main: code.Function
    swept: code.Block
    better: tuple[core.Expr, code.Block] | None

    @property
    def function(self) -> core.Function:
        return self.prepared.function

    @property
    def may_vary(self) -> bool:
        """Whether the options leave it open how adjoints are added to, and the body may stand in several kernels."""
        options = self.builder.options
        return options.accumulate == "auto" and not options.may_alias and can_be_repeated(self.function)

    def gather(self, promised: Promised, renewal: Renewal | None = None) -> Gather | None:
        """The gradient as a launch that gathers adjoints, and one for what is left, where that is possible and pays.
        With a `renewal` the cotangents stay, and adjoints are replaced."""
        function, builder, accumulation = self.function, self.builder, self.accumulation
        loops = any(isinstance(t, core.Loop) for t in statements(function.body))
        if not self.may_vary or loops or accumulation.bounded is not None:
            return None
        met = [r for r, u in accumulation.updates.items() if u is Update.ATOMIC and r in self.prepared.activity.read]
        stencil = find_stencil(function, self.accesses.by_root, sorted(met, key=lambda r: r.name))
        if stencil is None:
            return None
        unread = builder.questions.unread(function)
        homes = {} if renewal is None else renewal.homes
        if renewal is not None:
            promised = replace(promised, consumed=promised.consumed | {stored for _, stored in renewal.pairs})
        body, sweep = builder.sweep(self.prepared, accumulation, promised, self.seeds, varying_lanes(function))
        left = without(body, frozenset(p.root for p in stencil.pulled))
        left += builder.scalars(self.prepared, sweep, self.own)
        left = sum_at_exit(left, function, accumulation.beside, may_alias=False)
        rest = with_less_traffic(tidy(clean(left)), may_alias=False)
        found = gathered(
            body,
            stencil,
            lambda root: races.asked_once(function, root, self.accesses, unread),
            promised.fresh,
            rest,
            homes,
        )
        if found is None:
            return None
        cells, behind = found
        main = self.main
        low_high = [stencil.reach(axis) for axis in range(3)]
        beyond = tuple(high - low for low, high in low_high)
        return Gather(
            replace(main, name=f"{main.name}_cells", body=cells, cells=True, standing=0),
            replace(main, name=f"{main.name}_rest", body=behind, standing=0) if has_effect(behind) else None,
            (beyond[0], beyond[1], beyond[2]),
            tuple(extent for axis in stencil.axes for extent in axis.single),
            tuple(p.root for p in stencil.pulled),
        )

    def columns(self) -> Columns | None:
        """The gradient with a transposed loop, where that is possible and pays."""
        function, builder, accumulation = self.function, self.builder, self.accumulation
        if not self.may_vary or accumulation.bounded is not None or self.main.tape_slots != 0 or builder.optional:
            return None
        unread = builder.questions.unread(function)

        def alone(load: core.Load) -> bool:
            return races.loaded_once(function, load, self.accesses, unread, accumulation.single)

        def asked_once(root: core.Root) -> bool:
            return races.asked_once(function, root, self.accesses, unread)

        return by_columns(self.main, alone, asked_once)

    def in_two(self, changing: Collection[core.Root], renewing: Renewing | None) -> KeptValues | None:
        """The gradient in two kernels, where some memory changes in between."""
        better = self.better
        alike = renewing.swept if renewing is not None else None
        variants = [self.swept, *([] if better is None else [better[1]]), *([] if alike is None else [alike])]
        made = from_kept_values(self.main, variants, changing)
        if made is None:
            return None

        def finished(body: code.Block) -> code.Block:
            block = self.builder.finished(body, self.main.primal, kernel=True, whole=False)
            return block if self.builder.options.may_alias else with_rows(block)

        body, *others = (None if b is None else finished(b) for b in made.bodies)
        assert body is not None
        renewed = None if alike is None else others.pop()
        if better is not None and others[0] is not None:
            body = (code.Branch(better[0], others[0], body),)
        reverse = replace(made.reverse, body=body)
        other = None
        if renewing is not None and renewed is not None and renewing.fits(self.main.primal, renewed):
            other = replace(reverse, name=f"{reverse.name}_renewing", body=renewed)
        return replace(made, keep=replace(made.keep, body=finished(made.keep.body)), reverse=reverse, renewing=other)

    def renewed(self, gather: Gather | None) -> Renewing | None:
        """The gradient that leaves cotangents and replaces adjoints; see `analysis/renewal.py`."""
        main, accumulation, by_root = self.main, self.accumulation, self.accesses.by_root
        if not self.may_vary or main.tape_slots != 0 or main.storage or main.logs or keeps_states(self.swept):
            return None
        if gather is not None:
            of_cells = find_renewal_of_cells(self.function, by_root, accumulation.once, gather.roots)
            made = None if of_cells is None else self.gather(NOTHING_PROMISED, of_cells)
            if of_cells is None or made is None or made.rest is not None:
                return None
            cells = replace(made.cells, name=f"{made.cells.name}_renewing")
            return Renewing(replace(gather, renewing=cells), clearing(main, self.swept, of_cells), None, of_cells)
        bounded = accumulation.bounded
        within = accumulation if bounded is None else merged(bounded, accumulation)
        renewal = find_renewal(self.function, by_root, within.once, () if bounded is None else bounded.bounds)
        if renewal is None:
            return None
        promised = Promised(frozenset(r for r, _ in renewal.pairs), frozenset(s for _, s in renewal.pairs))
        swept = self.builder.swept(self.prepared, within, promised, self.seeds, self.own)[0]
        body = self.builder.finished(swept, self.function, kernel=True)
        bounds = None if bounded is None else premise(within, accumulation)
        return renewing(main, body, swept, self.swept, renewal, bounds)
