"""Names in emitted code: the user's where that is possible, numbered where two things share one."""

from __future__ import annotations

import re

from cladpy.ir.core import Root, Value
from cladpy.ir.symbols import Symbol

_RESERVED = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while xor xor_eq threadIdx blockIdx blockDim gridDim warpSize _tape _state _block _peak _shared
    _shared_size
"""
_KEYWORDS = frozenset(_RESERVED.split())

# How names in the C++ library begin: with a number they may be a compiler's macro, as __k8 is.
_OF_THE_LIBRARY = re.compile(r"^_+(?=[A-Z])|^__+(?=[a-z])")

Thing = Value | tuple[Root | Symbol, bool]  # memory that a host function allocates is known by its pointer


def _hint(thing: Thing) -> str:
    if isinstance(thing, Value):
        return thing.name
    root, adjoint = thing
    return f"_d_{root.name}" if adjoint else root.name


class Names:
    """The names of one function. Deterministic: the first thing to ask for a name gets it."""

    def __init__(self, reserved: set[str]) -> None:
        self.taken = set(reserved) | _KEYWORDS
        self.numbers: dict[str, int] = {}
        self.given: dict[Thing, str] = {}

    def claim(self, thing: Thing, name: str) -> None:
        """Gives a parameter exactly its name."""
        self.taken.add(name)
        self.given[thing] = name

    def of(self, thing: Thing) -> str:
        if not isinstance(thing, Value) and isinstance(thing[0], Root):
            root = thing[0].storage
            thing = (root if root.allocation is None else root.allocation, thing[1])
        if thing not in self.given:
            hint = _OF_THE_LIBRARY.sub("", re.sub(r"\W", "_", _hint(thing)))
            self.given[thing] = self.fresh(hint or "value")
        return self.given[thing]

    def fresh(self, hint: str) -> str:
        name = hint
        while name in self.taken:
            number = self.numbers.get(hint, 0)
            self.numbers[hint] = number + 1
            separator = "_" if hint[-1].isdigit() else ""
            name = f"{hint}{separator}{number}"
        self.taken.add(name)
        return name
