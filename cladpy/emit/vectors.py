"""Arrays of vectors in shared memory, declared as the user declared them.

Objects are taken apart into an array for each member (`normalize/storage`). Where a kernel uses all numbers of an array
of vectors, one array of the vectors takes their place: a thread loads a whole vector at once, and computes one address.
No pointer to one of the numbers is handed on, which would lead from it into the next number: shared memory that a
kernel writes goes to no function that is called.
"""

from __future__ import annotations

from collections import defaultdict

from cladpy.ir import code, core
from cladpy.ir.symbols import Symbol


def kept_together(block: code.Block) -> dict[core.Root, core.InVectors]:
    """The arrays of a kernel's primal that are numbers of vectors which stay together: all are declared, and none lies
    in the memory that the launch gives."""
    found: dict[Symbol, list[tuple[core.Root, core.InVectors]]] = defaultdict(list)
    for s in block:
        if isinstance(s, code.DeclareArray) and not s.adjoint and s.offset is None and s.root.in_vectors is not None:
            found[s.root.in_vectors.array].append((s.root, s.root.in_vectors))
    return {
        root: vectors
        for numbers in found.values()
        for root, vectors in numbers
        if len(numbers) == len(vectors.type.fields)
    }
