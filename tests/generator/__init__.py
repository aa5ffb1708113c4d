"""Random CUDA kernels that are valid by construction: `generate(seed)` gives one with a launch and argument values,
`generate_block(seed)` one whose threads work together in blocks, `generate_program(seed)` a host function that launches
some. What these do has no purpose. `generate_pattern(seed)` gives kernels of the shapes that programs are written in,
and that passes of the gradient recognise; `generate_steps(seed)` gives host functions that step through time.

No index leaves its array, no integer overflows where that is undefined, no two threads write one element but through
atomicAdd, and every stored value is kept in a small range. `python -m tests.generator --seed S --count N` runs the
gradients of such kernels through the check.
"""

from tests.generator.blocks import generate_block
from tests.generator.patterns import generate_pattern
from tests.generator.program import GeneratedProgram, generate
from tests.generator.programs import generate_program
from tests.generator.time_steps import generate_steps

FORMS = {
    "threads": generate,
    "blocks": generate_block,
    "programs": generate_program,
    "patterns": generate_pattern,
    "steps": generate_steps,
}

__all__ = [
    "FORMS",
    "GeneratedProgram",
    "generate",
    "generate_block",
    "generate_pattern",
    "generate_program",
    "generate_steps",
]
