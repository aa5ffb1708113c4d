"""Random CUDA kernels that are valid by construction: `generate(seed)` gives one with a launch and argument values,
`generate_block(seed)` one whose threads work together in blocks, `generate_program(seed)` a host function that launches
some.

No index leaves its array, no integer overflows where that is undefined, no two threads write one element but through
atomicAdd, and every stored value is kept in a small range. `python -m tests.generator --seed S --count N` runs the
gradients of such kernels through the check.
"""

from tests.generator.blocks import generate_block
from tests.generator.program import GeneratedProgram, generate
from tests.generator.programs import generate_program

__all__ = ["GeneratedProgram", "generate", "generate_block", "generate_program"]
