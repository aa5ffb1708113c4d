"""Cotangents: that of what a function returns, and whether there is one at all, which the first call looks at."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from cladpy.callers import level_of_caller
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyWarning, LaunchError
from cladpy.ir.halves import adjoint_value
from cladpy.runtime.arguments import Argument, Slot
from cladpy.runtime.passing import block_for
from cladpy.toolchain.entry import takes_cotangent


def cotangent_of(derivative: Derivative, value: object) -> list[Argument]:
    """The adjoint of what the function returns, where it returns what has one; LaunchError where it does not."""
    if takes_cotangent(derivative.result):
        slot = Slot("cotangent", adjoint_value(derivative.result))
        return [Argument(slot, block_for(slot.name, slot.type, value, adjoint=False))]
    if value != 1.0:
        raise LaunchError(
            f"cotangent: {derivative.function_name} returns no floating-point value that it could belong to"
        )
    return []


def writes_variables(derivative: Derivative) -> bool:
    """Whether variables at namespace scope may have cotangents, which are given beside the call."""
    has_adjoints = any(variable.adjoint for variable in derivative.globals)
    return has_adjoints and any(name.startswith("::") for name in derivative.written)


def warn_of_zero_cotangents(derivative: Derivative, arguments: Sequence[Argument]) -> None:
    """Warns where the adjoints of all outputs are zero, in memory of the host: then nothing is added to any adjoint, as
    where they are passed in another order than the call takes them. Cotangents in variables, or on a device, are not
    looked at."""
    if writes_variables(derivative):
        return
    found = []
    for argument in arguments:
        if argument.slot.adjoint_of is None:
            continue
        own = arguments[argument.slot.adjoint_of].slot.name
        for place, array in argument.block.arrays():
            name = own + re.sub(r"\[\d+\]", "", place.name.removeprefix(argument.slot.name))
            if name in derivative.written:
                if not array.on_host or (array.nbytes and not array.is_zero()):
                    return
                found.append((argument.slot.name, own))
    if found:
        names = ", ".join(dict.fromkeys(name for name, _ in found))
        order = ", ".join(a.name for a in derivative.adjoints)
        outputs = ", ".join(dict.fromkeys(own for _, own in found))
        warnings.warn(
            f"every cotangent is zero, so that {derivative.function_name}'s gradient adds nothing: {names}\n"
            f"hint: before the call, {names} {'holds' if len(found) == 1 else 'hold'} the derivative of your loss by "
            f"{outputs}; adjoints are passed in this order: {order}",
            CladpyWarning,
            stacklevel=level_of_caller(),
        )
