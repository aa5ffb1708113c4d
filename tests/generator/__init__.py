"""Random CUDA kernels that are valid by construction: `generate(seed)` gives one with a launch and argument values,
`generate_block(seed)` one whose threads work together in blocks, `generate_program(seed)` a host function that launches
some. What these do has no purpose. `generate_pattern(seed)` gives kernels of the shapes that programs are written in,
and that passes of the gradient recognise; `generate_steps(seed)` gives host functions that step through time.

No index leaves its array, no integer overflows where that is undefined, no two threads write one element but through
atomicAdd, and every stored value is kept in a small range. `python -m tests.generator --seed S --count N` runs the
gradients of such kernels through the check.
"""

from collections.abc import Callable

from tests.generator.blocks import generate_block
from tests.generator.patterns import generate_pattern
from tests.generator.program import GeneratedProgram, generate
from tests.generator.programs import generate_program
from tests.generator.special import at_kinks
from tests.generator.time_steps import generate_steps

FORMS = {
    "threads": generate,
    "blocks": generate_block,
    "programs": generate_program,
    "patterns": generate_pattern,
    "steps": generate_steps,
}
FORMS_AT_KINKS: dict[str, Callable[..., GeneratedProgram]] = {
    "threads": generate,
    "blocks": generate_block,
    "patterns": generate_pattern,
}


def generate_at_kinks(form: str, seed: int, *size: int) -> GeneratedProgram:
    """The program of a form and a seed that goes to its kinks: it chooses among numbers of which many are equal."""
    program = FORMS_AT_KINKS[form](seed, *size, kinks=True)
    return at_kinks(program, seed, signed=form != "patterns")


__all__ = [
    "FORMS",
    "FORMS_AT_KINKS",
    "GeneratedProgram",
    "generate",
    "generate_at_kinks",
    "generate_block",
    "generate_pattern",
    "generate_program",
    "generate_steps",
]
