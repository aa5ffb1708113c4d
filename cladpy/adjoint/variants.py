"""Other forms of a kernel's gradient: launches that gather adjoints or run a loop transposed, and for host programs the
gradient in two kernels, and the one that replaces adjoints."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cladpy.adjoint.promises import Promised
from cladpy.adjoint.renewal import Renewing, clearing, keeps_states, renewing
from cladpy.analysis import races
from cladpy.analysis.renewal import find_renewal, find_renewal_of_cells
from cladpy.analysis.warps import varying_in_whole_warps
from cladpy.ir import code, core
from cladpy.ir.surface import BuiltinVar
from cladpy.passes.rows import with_rows
from cladpy.variants.bounded import can_be_repeated, merged, premise
from cladpy.variants.gather import Gather
from cladpy.variants.kept_values import KeptValues, from_kept_values
from cladpy.variants.table import variants_of
from cladpy.variants.variant import Variant

if TYPE_CHECKING:
    from cladpy.adjoint.builder import Builder
    from cladpy.adjoint.entry import Entry


@dataclass(frozen=True, slots=True)
class Variants:
    """Of the gradient `main`, whose body was `swept` before it was finished; under a condition, `better` takes its
    place."""

    builder: Builder
    entry: Entry
    main: code.Function
    swept: code.Block
    better: tuple[core.Expr, code.Block] | None

    @property
    def function(self) -> core.Function:
        return self.entry.function

    @property
    def accumulation(self) -> races.Accumulation:
        return self.entry.accumulation

    @property
    def accesses(self) -> races.Accesses:
        return self.entry.accesses

    @property
    def varied(self) -> frozenset[core.Root]:
        return frozenset(self.entry.prepared.activity.read)

    @property
    def optional(self) -> frozenset[core.Root]:
        return self.builder.optional

    @property
    def fresh(self) -> frozenset[core.Root]:
        return self.entry.promised.fresh

    @property
    def unread(self) -> frozenset[BuiltinVar]:
        return self.builder.questions.unread(self.function)

    def swept_again(self, consumed: frozenset[core.Root] | None) -> tuple[list[code.Statement], list[code.Statement]]:
        promised = self.entry.promised if consumed is None else Promised(frozenset(), consumed)
        varying = varying_in_whole_warps(self.function)
        body, sweep = self.builder.sweep(self.entry.prepared, self.accumulation, promised, self.entry.seeds, varying)
        return body, self.entry.scalars(sweep)

    @property
    def normalized(self) -> core.Function:
        return self.builder.preparation.normalized(self.function.symbol)

    def of_rest(self, rest: core.Function) -> tuple[code.Function, frozenset[BuiltinVar]] | None:
        return self.entry.of_rest(rest)

    @property
    def may_be_repeated(self) -> bool:
        return can_be_repeated(self.function)

    @property
    def _may_vary(self) -> bool:
        """Whether the options leave it open how adjoints are added to."""
        options = self.builder.options
        return options.accumulate == "auto" and not options.may_alias

    def in_its_place(self) -> tuple[Variant, ...]:
        """What launches may run in place of the gradient."""
        return variants_of(self) if self._may_vary else ()

    def in_two(self, changing: Collection[core.Root], renewing: Renewing | None) -> KeptValues | None:
        """The gradient in two kernels, where some memory changes in between."""
        better = self.better
        alike = renewing.swept if renewing is not None else None
        variants = [self.swept, *([] if better is None else [better[1]]), *([] if alike is None else [alike])]
        made = from_kept_values(self.main, variants, changing)
        if made is None:
            return None

        def finished(body: code.Block) -> code.Block:
            block = self.builder.finished(body, self.main.primal, whole=False)
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

    def renewed(self, variants: tuple[Variant, ...]) -> Renewing | None:
        """The gradient that leaves cotangents and replaces adjoints; see `analysis/renewal.py`. `variants` are those
        that launches may run in its place."""
        main, accumulation, by_root = self.main, self.accumulation, self.accesses.by_root
        if main.tape_slots != 0 or main.storage or main.logs or keeps_states(self.swept):
            return None
        if not self._may_vary or not self.may_be_repeated:
            return None
        gather = next((v for v in variants if isinstance(v, Gather)), None)
        if gather is not None:
            of_cells = find_renewal_of_cells(self.function, by_root, accumulation.once, gather.roots)
            made = None if of_cells is None else Gather.renewed(self, of_cells)
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
        swept = self.entry.swept(within, promised)[0]
        body = self.builder.finished(swept, self.function)
        bounds = None if bounded is None else premise(within, accumulation)
        return renewing(main, body, swept, self.swept, renewal, bounds)
