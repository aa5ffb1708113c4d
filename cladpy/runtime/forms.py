"""The functional form of a call, which is made again with arguments of the same kind: adjoints are made as before, and
what else was checked is what the call itself asks of these (`rebound.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.derivative import Derivative
from cladpy.runtime.arguments import check, slots_of, with_counts
from cladpy.runtime.functional import RETURN, Kind, adjoints_for, seed_of
from cladpy.runtime.rebound import is_tensor
from cladpy.runtime.repeats import Repeats

_SEVERAL = 4


@dataclass(frozen=True, slots=True)
class _Form:
    """A call, but for its values."""

    cotangents: tuple[str, ...]  # which were given, in this order
    shapes: tuple[tuple[int, object], ...]  # of the arguments, by their places
    adjoints: tuple[tuple[str, Kind], ...]
    seed: tuple[float, ...]  # the cotangent of what the function returns, where it returns what has one

    def call(
        self, values: Sequence[object], given: Mapping[str, object], again: Callable[[Sequence[object]], object]
    ) -> dict[str, Any] | None:
        """None where it is another call after all."""
        if (*given,) != self.cotangents or any(getattr(values[at], "shape", None) != n for at, n in self.shapes):
            return None
        made = {name: kind.make() for name, kind in self.adjoints}
        seed: tuple[object, ...] = self.seed
        for name, value in given.items():
            if name == RETURN:
                seed = (value,)
            elif not _filled(made[name], value):
                return None
        if again((*values, *made.values(), *seed)) is None:
            return None
        return {name: made[name][0] if kind.is_number else made[name] for name, kind in self.adjoints}


class Forms:
    """The functional form of a derivative, with its last calls: several, since a program may have several sizes."""

    def __init__(self, derivative: Derivative) -> None:
        self._derivative = derivative
        self._slots = slots_of(derivative, gradient=False)
        self._kinds: tuple[_Form, ...] = ()

    def adjoints(
        self,
        call: str,
        values: Sequence[object],
        cotangents: Mapping[str, object],
        run: Callable[..., None],
        again: Callable[[Sequence[object]], object],
        repeats: Repeats,
    ) -> dict[str, Any]:
        """What a call with these values gives. `run` makes it, given adjoints too, and `again` if such a one was made
        before, as `repeats` knows. Raises as `run` does, and as the functions of `functional`."""
        for form in self._kinds:
            found = form.call(values, cotangents, again)
            if found is not None:
                return found
        derivative = self._derivative
        seed = seed_of(derivative, cotangents)
        arguments = check(call, self._slots, values)
        others = {k: v for k, v in cotangents.items() if k != RETURN}
        made = adjoints_for(derivative, with_counts(derivative, values), arguments, others)
        run(*values, *(m.given for m in made.values()), **seed)
        kinds = [(name, m.kind) for name, m in made.items() if m.kind is not None]
        if repeats.may_follow and len(kinds) == len(made):
            shapes = [(at, getattr(v, "shape", None)) for at, v in enumerate(values)]
            of_value = tuple(v for v in seed.values() if isinstance(v, float))
            form = _Form((*cotangents,), tuple(s for s in shapes if s[1] is not None), tuple(kinds), of_value)
            self._kinds = (form, *self._kinds[: _SEVERAL - 1])
        return {name: m.result() for name, m in made.items()}


def _filled(adjoint: Any, cotangent: Any) -> bool:
    """Copies a cotangent that is of the adjoint's kind in all, or is a number; else nothing is done."""
    if type(adjoint) is np.ndarray:
        fits: bool
        if type(cotangent) is np.ndarray:
            fits = cotangent.dtype == adjoint.dtype and cotangent.shape == adjoint.shape
        else:
            fits = type(cotangent) is float and adjoint.dtype.kind == "f"
        if fits:
            adjoint[...] = cotangent
        return fits
    if not is_tensor(adjoint):
        return False
    if type(cotangent) is float and adjoint.dtype.is_floating_point:
        adjoint.fill_(cotangent)
        return True
    if type(cotangent) is not type(adjoint) or cotangent.dtype is not adjoint.dtype:
        return False
    if cotangent.shape != adjoint.shape or cotangent.device != adjoint.device:
        return False
    adjoint.copy_(cotangent.detach())
    return True
