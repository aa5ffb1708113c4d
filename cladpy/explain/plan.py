"""What a gradient's launch function does, and what it asks of the launch."""

from __future__ import annotations

from cladpy.adjoint.gradient import Gradient
from cladpy.analysis.accesses_of_launch import Unfit
from cladpy.analysis.contractions import NoProducts, find_contraction
from cladpy.analysis.dimensions import names
from cladpy.ir.code import FunctionRole
from cladpy.ir.shared import shared_memory
from cladpy.targets import TARGETS
from cladpy.variants.variant import Variant


def plan(gradient: Gradient, target: str) -> tuple[str, ...]:
    """The steps of `<gradient>_launch`, in order; of a function that is no kernel, its call."""
    steps = _launches(gradient, target)
    if not gradient.exact:
        return steps
    names = ", ".join(b.adjoint for b in gradient.exact)
    return (
        f"rows of integers for the contributions to {names} are allocated and zeroed: 536 bytes for a double, 80 for a "
        "float",
        *(s.replace("; it may as well be launched by hand", "") for s in steps),
        "the sums are added to the adjoints, and the rows are freed",
    )


def _launches(gradient: Gradient, target: str) -> tuple[str, ...]:
    main = gradient.main
    if main.role is not FunctionRole.KERNEL:
        return (f"{main.name} is called",)
    if gradient.variants:
        return tuple(told for variant in gradient.variants for told in _in_its_place(variant, main.name))
    return (*_by_itself(gradient, target), *_no_products(gradient))


def _no_products(gradient: Gradient) -> tuple[str, ...]:
    """Why a kernel that looks like a product of matrices is none."""
    try:
        find_contraction(gradient.primal)
    except NoProducts:
        return ()
    except Unfit as unfit:
        return (f"it adds up products, but not as products of matrices, in tiles: {unfit}",)
    return ()


def _by_itself(gradient: Gradient, target: str) -> tuple[str, ...]:
    main = gradient.main
    if main.tape_slots is not None or TARGETS[target].tape_grows:
        by_hand = "; it may as well be launched by hand"
        if shared_memory(main.body).grows:
            by_hand = f", with {main.name}_shared_bytes(bytes) of shared memory"
        where = "as many blocks as are resident, which run all blocks" if main.stands else "the grid of the original"
        return (f"{main.name} is launched on {where}{by_hand}",)
    blocks = "the grid of the original" if main.whole_grid else "as many blocks as are resident, which run all blocks"
    if main.count_at_launch:
        counted = f"{main.name}_slots tells the slots of tape that a thread needs at most, from what is launched with"
    else:
        counted = f"{main.name}_count counts the slots of tape that a thread needs at most; the host waits for it"
    return (
        counted,
        "the workspace for the tape is allocated on the stream",
        f"{main.name} is launched on {blocks}",
        "the workspace is freed on the stream",
    )


def _in_its_place(variant: Variant, name: str) -> tuple[str, ...]:
    steps, otherwise = variant.explained()
    by_hand = "on the grid of the original; it may as well be launched by hand"
    return (*steps, f"where {otherwise}, {name} is launched in place of these, {by_hand}")


def premises(gradient: Gradient) -> tuple[str, ...]:
    """What is asked of a launch; the launch function and execute_kernel refuse others."""
    if not gradient.single_extents:
        return ()
    return (f"no two threads meet {names(gradient.single)}: other launches are refused",)
