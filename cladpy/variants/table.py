"""The kinds of variants of a kernel's gradient, in the order in which a launch tests them."""

from __future__ import annotations

from cladpy.variants.columns import Columns
from cladpy.variants.contraction import Products
from cladpy.variants.gather import Gather
from cladpy.variants.variant import Original, Variant

KINDS: tuple[type[Variant], ...] = (Products, Gather, Columns)


def variants_of(original: Original) -> tuple[Variant, ...]:
    kinds = (kind for kind in KINDS if original.may_be_repeated or not kind.repeats)
    return tuple(found for kind in kinds if (found := kind.of(original)) is not None)
