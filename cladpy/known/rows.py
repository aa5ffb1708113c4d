"""What a function may be that is known by its name: a class for each kind, with what the stages ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cladpy.ir.core import Side
from cladpy.ir.types import Scalar, is_half


@dataclass(frozen=True, slots=True)
class Known:
    name: str


# ---- what threads do together ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Barrier(Known):
    """The threads of a block wait for each other."""


@dataclass(frozen=True, slots=True)
class Fence(Known):
    """Orders what threads see of each other's stores."""


class Operation(Enum):
    ADD = "Add"
    SUB = "Sub"
    EXCHANGE = "Exch"
    MIN = "Min"
    MAX = "Max"
    INC = "Inc"
    DEC = "Dec"
    SWAP = "CAS"
    AND = "And"
    OR = "Or"
    XOR = "Xor"


@dataclass(frozen=True, slots=True)
class Atomic(Known):
    operation: Operation

    @property
    def last_wins(self) -> bool:
        """Whether what stays in memory is what one of the threads has given."""
        return self.operation in (Operation.EXCHANGE, Operation.SWAP)


class Gives(Enum):
    """What a lane is given by what lanes do together."""

    NOTHING = "nothing"
    FACT = "which lanes there are, and what they agree on"
    NUMBER = "the number of another lane"
    COMBINED = "a number made of those of all lanes"


@dataclass(frozen=True, slots=True)
class Collective(Known):
    """The lanes of a warp run it together; its first argument is their mask.

    `adjoint` is the function of <cladpy/warp.h> that takes the result's adjoint to that of the number which a lane has
    given; `_of_any` is added where lanes do not agree on the arguments behind that. `agreed` says that all lanes of
    the mask are given one result, `mutual` that two lanes are given each other's. What is `repeatable` gives the lanes
    that run it again the same again."""

    gives: Gives
    adjoint: str | None = None
    agreed: bool = False
    mutual: bool = False
    repeatable: bool = True

    @property
    def passes_numbers(self) -> bool:
        return self.gives in (Gives.NUMBER, Gives.COMBINED)


# ---- effects ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect(Known):
    """Carried out once per thread, for its effect; gives nothing. `ends` says that it ends the program."""

    ends: bool = False


@dataclass(frozen=True, slots=True)
class Ending(Known):
    """Ends the program, and is read as a failure of the host function that calls it."""


@dataclass(frozen=True, slots=True)
class Clock(Known):
    """Gives another number each time."""


@dataclass(frozen=True, slots=True)
class Time(Known):
    """Gives the time: as a number of seconds, or in an object of seconds and parts of a second, which argument `place`
    leads to; a part is `unit` nanoseconds, and the call gives `success`."""

    place: int | None = None
    unit: int = 1
    success: int = 0


# ---- values ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bits(Known):
    """The bits of a number as an integer, or the other way; not `whole` where an integer holds half of them."""

    number: Scalar
    integer: Scalar
    to_integer: bool
    whole: bool = True

    @property
    def is_half(self) -> bool:
        return is_half(self.number)


@dataclass(frozen=True, slots=True)
class CachedLoad(Known):
    """A load through a particular cache: as a value, an ordinary load."""


@dataclass(frozen=True, slots=True)
class CachedStore(Known):
    """A store that says how long a cache is to hold what it stores: an ordinary one."""


@dataclass(frozen=True, slots=True)
class Constant(Known):
    """A constant that is a call. `value` is said where clang does not evaluate it."""

    value: float | None = None


# ---- what the C++ library writes as calls ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standard(Known):
    """Of numbers, in namespace std as well as outside. What is `promoting` is computed in the wider of its operands'
    types, and in double for integers."""

    promoting: bool = False


@dataclass(frozen=True, slots=True)
class Transparent(Known):
    """Gives its first argument back."""


@dataclass(frozen=True, slots=True)
class Forwarding(Known):
    """Of the C++ libraries: gives its argument back, as an lvalue."""


@dataclass(frozen=True, slots=True)
class Address(Known):
    """Of the C++ libraries: gives its argument's address."""


@dataclass(frozen=True, slots=True)
class Ignored(Known):
    """A statement without effect on values."""


@dataclass(frozen=True, slots=True)
class Setting(Known):
    """Changes no value; what it is given is evaluated."""


@dataclass(frozen=True, slots=True)
class Move(Known):
    """Moves elements: what the C++ library copies ranges with."""


# ---- memory and the device, in host code -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HostCall(Known):
    """A call of CUDA's runtime, or of C's library, by which host code handles memory, orders or asks."""


@dataclass(frozen=True, slots=True)
class Mirrors(HostCall):
    """Says when the memory of a view and of its mirror is the same: `normalize/mirrors.py`."""


@dataclass(frozen=True, slots=True)
class Allocation(HostCall):
    """Argument `place` is set to the pointer (None: it is returned); those at `factors` are multiplied for the size."""

    side: Side
    place: int | None
    factors: tuple[int, ...]
    zeroed: bool = False
    grows: bool = False  # what its first argument leads to


@dataclass(frozen=True, slots=True)
class Pitched(HostCall):
    """Memory of rows, whose distance the call gives: a multiple of this."""

    multiple: int


@dataclass(frozen=True, slots=True)
class Release(HostCall):
    pass


@dataclass(frozen=True, slots=True)
class Copy(HostCall):
    """`in_kernels` says that device code makes it as well, as moves of elements."""

    in_kernels: bool = False


@dataclass(frozen=True, slots=True)
class Fill(HostCall):
    """`in_kernels` says that device code makes it as well, where it clears elements."""

    in_kernels: bool = False


@dataclass(frozen=True, slots=True)
class Rows(HostCall):
    """Of pitched memory, row by row: copied, or filled."""

    copied: bool
    has_stream: bool


@dataclass(frozen=True, slots=True)
class SymbolCopy(HostCall):
    """To a variable of the device's, or from one."""

    inwards: bool


@dataclass(frozen=True, slots=True)
class SymbolAddress(HostCall):
    """Asks for the address of a variable of the device's."""


@dataclass(frozen=True, slots=True)
class Handle(HostCall):
    """Sets its first argument: a stream that a function makes is the default one in its gradient, an event or a handle
    of a library is none."""

    value: int = 0


@dataclass(frozen=True, slots=True)
class Silent(HostCall):
    """Only orders or asks: the gradient orders its own steps, and has no use for the answers."""


@dataclass(frozen=True, slots=True)
class Query(Known):
    """Asks about the device."""
