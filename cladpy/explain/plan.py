"""What a gradient's launch function does, and what it asks of the launch."""

from __future__ import annotations

from cladpy.adjoint.gradient import Gradient
from cladpy.analysis.dimensions import names
from cladpy.ir.code import FunctionRole
from cladpy.ir.shared import shared_memory
from cladpy.targets import TARGETS
from cladpy.variants.columns import Columns
from cladpy.variants.gather import Gather


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
    if gradient.gather is not None:
        return _gathering(gradient.gather, main.name)
    if gradient.columns is not None:
        return _by_columns(gradient.columns, main.name)
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


def _gathering(gather: Gather, name: str) -> tuple[str, ...]:
    beyond = [f"{count} along {axis}" for count, axis in zip(gather.beyond, "xyz", strict=True) if count]
    roots = ", ".join(f"_d_{root.name}" for root in gather.roots)
    steps = [
        f"{gather.cells.name} is launched with a thread for each cell, of which there are more than threads of the "
        f"original: {', '.join(beyond)}; it gathers {roots} without atomics"
    ]
    if gather.rest is not None:
        steps.append(f"{gather.rest.name} does what is left, on the grid of the original")
    single = [f"{extent.value} is not 1" for extent in gather.single]
    otherwise = " or ".join([*single, "there is no grid for so many cells"])
    steps.append(
        f"where {otherwise}, {name} is launched in place of these, on the grid of the original; it may as well be "
        "launched by hand"
    )
    return tuple(steps)


def _by_columns(columns: Columns, name: str) -> tuple[str, ...]:
    roots = ", ".join(f"_d_{root.name}" for root in columns.roots)
    each = "a thread" if columns.lanes == 1 else "a warp"
    steps = [f"{columns.columns.name} is launched with {each} for each iteration of the loop, which sums {roots}"]
    if columns.rest is not None:
        shared = ", or a warp for each where there are few" if columns.shared else ""
        steps.append(f"{columns.rest.name} does what is left, with the threads of the original{shared}")
    otherwise = "the launch has more than one dimension, or few threads or iterations"
    steps.append(
        f"where {otherwise}, {name} is launched in place of these, on the grid of the original; it may as well be "
        "launched by hand"
    )
    return tuple(steps)


def premises(gradient: Gradient) -> tuple[str, ...]:
    """What is asked of a launch; the launch function and execute_kernel refuse others."""
    if not gradient.single_extents:
        return ()
    return (f"no two threads meet {names(gradient.single)}: other launches are refused",)
