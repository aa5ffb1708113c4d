"""What a plain C++ program defines under a name of CUDA's: a vector `float3` of its own, or a `make_float3`.

No compiler for the host knows CUDA's, so the program is right, and cladpy's declarations have to give way: while these
are read, by clang and by the compiler, they have another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.unit import Message

_NAME = re.compile(rb"(?:(?:enum|struct|class|union)\s+)?([A-Za-z_]\w*)")
_OF_CUDA = re.compile(
    rb"__(?:global|device|host)__\b|#[ \t]*include[ \t]*[<\"](?:cuda|vector_(?:types|functions)|cub/|thrust/|hip/)"
)


def redefined(messages: Iterable[Message], snapshot: Snapshot) -> tuple[str, ...]:
    """The names that the user's files define, by clang's errors, and a header that is not theirs has defined before;
    none where the program is one of CUDA's, which nvcc would refuse."""
    if any(_OF_CUDA.search(text) for text in snapshot.texts.values()):
        return ()
    found = (_name(m, snapshot) for m in messages if _is_of_others(m, snapshot))
    return tuple(sorted({name for name in found if name}))


def _is_of_others(message: Message, snapshot: Snapshot) -> bool:
    """Whether it is an error for what was declared before, and that in a file that is not the user's."""
    files = [n.file for n in message.notes if n.text.startswith("previous ")]
    return bool(files) and all(f is not None and f not in snapshot.texts for f in files)


def _name(message: Message, snapshot: Snapshot) -> str:
    text = b"" if message.file is None else snapshot.texts.get(message.file, b"")
    found = _NAME.match(text, message.offset)
    return "" if found is None else found[1].decode()


def renaming(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Names that headers of cladpy's have, and what these have instead."""
    return tuple((name, f"cladpy_{name}") for name in names)
