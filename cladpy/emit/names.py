"""Names in emitted code: the user's where that is possible, numbered where two things share one, or where one would
hide something else that the file mentions: a function, a class, what the templates say, a word of C++ or CUDA.

What else a file mentions is known when it is laid out. So the names of parameters and variables carry a mark until
then, which no name in C++ can have: `resolved` takes it away.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping

from cladpy.ir.core import Root, Value
from cladpy.ir.symbols import FunctionSymbol, Symbol
from cladpy.quoting import KEYWORDS

# How names in the C++ library begin: with a number they may be a compiler's macro, as __k8 is.
_OF_THE_LIBRARY = re.compile(r"^_+(?=[A-Z])|^__+(?=[a-z])")

# Two underscores anywhere in a name are reserved in C++, and come about where names are joined.
_JOINED = re.compile(r"__+")

# What the classes of gradients in two halves have, which within them hides what is called so outside.
_OF_HALVES = frozenset(
    ("forward", "reverse", "begin_forward", "end_forward", "begin_reverse", "keep", "follow", "release")
)

# What CLADPY_EACH_THREAD declares beside what it is given, which no text says: see <cladpy/host/phases.h>.
_OF_MACROS = frozenset(("_t_begin", "_t_count", "_t_end", "_t_runs", "_t_x"))

Thing = Value | tuple[Root | Symbol, bool]  # memory that a host function allocates is known by its pointer


def _hint(thing: Thing) -> str:
    if isinstance(thing, Value):
        return thing.name
    root, adjoint = thing
    return f"_d_{root.name}" if adjoint else root.name


# At the end of names until the file is laid out: a number to Python, so that a name with it is a word, and to C++ none.
MARK = "\U00010e60"

_MARKED = re.compile(rf"\w*{MARK}\w*")
# Text in which no name is looked for: comments, directives and what stands in quotes.
_SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|(?m:^[ \t]*\#[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_ALONE = re.compile(r"(?<![\w.])(?<!->)(?<!::)[A-Za-z_]\w*")  # what a variable could hide: no member of something


def called(function: FunctionSymbol) -> str:
    """As C++ names a function in a call."""
    name = function.qualified_name
    return f"::{name}" if name.partition("<")[0] in _OF_HALVES else name


def words(text: str) -> frozenset[str]:
    """The words of C++ text, those of members and scopes among them."""
    return frozenset(_WORD.findall(_SKIPPED.sub(" ", text)))


def final_names(text: str) -> dict[str, str]:
    """The names of parameters and variables in the text of a file, by those with a mark: none is a word that the text
    says by itself, and no two are the same."""
    plain = _SKIPPED.sub(" ", text)
    wanted = {name: name.replace(MARK, "") for name in _MARKED.findall(plain)}
    taken = {word for word in _ALONE.findall(plain) if MARK not in word} | _OF_MACROS
    others = taken.union(wanted.values())
    found: dict[str, str] = {}
    for name, hint in wanted.items():
        given = hint if hint not in taken else _numbered(hint, others)
        taken.add(given)
        others.add(given)
        found[name] = given
    return found


def _numbered(hint: str, taken: Collection[str], first: int = 0) -> str:
    separator = "_" if hint[-1].isdigit() else ""
    return next(name for n in itertools.count(first) if (name := f"{hint}{separator}{n}") not in taken)


def resolved(text: str, names: Mapping[str, str]) -> str:
    """The text of a file with the names of `final_names`."""
    return _MARKED.sub(lambda found: names.get(found[0], found[0].replace(MARK, "")), text)


class Names:
    """The names of one function, with a mark. Deterministic: the first thing to ask for a name gets it."""

    def __init__(self, mark: str = MARK) -> None:
        """Without a `mark` the names are for no file: to talk of."""
        self.mark = mark
        self.taken = set(KEYWORDS)
        self.numbers: dict[str, int] = {}
        self.adjoints: dict[str, str] = {}  # of parameters, by what they are called without a mark
        self.given: dict[Thing, str] = {}

    def claim(self, thing: Thing, name: str) -> None:
        """Gives a parameter exactly its name, which has its mark."""
        self.taken.add(name.replace(MARK, ""))
        self.given[thing] = name

    def adjoint(self, name: str) -> str:
        """Of a parameter, or what stands for one."""
        return self.adjoints.get(name, name)

    def of(self, thing: Thing) -> str:
        if not isinstance(thing, Value) and isinstance(thing[0], Root):
            root = thing[0].storage
            thing = (root if root.allocation is None else root.allocation, thing[1])
        if thing not in self.given:
            hint = _OF_THE_LIBRARY.sub("", re.sub(r"\W", "_", _hint(thing)))
            self.given[thing] = self.fresh(hint or "value")
        return self.given[thing]

    def fresh(self, hint: str) -> str:
        name = hint = _JOINED.sub("_", hint.replace(MARK, ""))
        while name in self.taken:
            number = self.numbers.get(hint, 0)
            self.numbers[hint] = number + 1
            separator = "_" if hint[-1].isdigit() else ""
            name = f"{hint}{separator}{number}"
        self.taken.add(name)
        return name + self.mark
