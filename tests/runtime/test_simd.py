"""Integer functions of several elements in a word, on the host, against their definitions on Python's integers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from cladpy.toolchain import compile_host

BITS = {"2": 16, "4": 8}
EDGES = (0, 1, 0x7FFF8000, 0x80008000, 0xFFFFFFFF, 0x7F7F7F7F, 0x80808080, 0x7FFF7FFF, 0x01FF00FF)


def signed(x: int, bits: int) -> int:
    return (x + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def unsigned(x: int, bits: int) -> int:
    return x % (1 << bits)


def average(x: int, y: int) -> int:
    """Halves away from zero."""
    return (abs(x + y) + 1) // 2 * (1 if x + y >= 0 else -1)


Function = Callable[..., int]
Read = Callable[[int, int], int]
# name without lanes -> how elements are read, the result of elements, whether that saturates
ELEMENTS: dict[str, tuple[Read, Function, bool]] = {
    "__vabs": (signed, abs, False),
    "__vabsss": (signed, abs, True),
    "__vneg": (signed, lambda x: -x, False),
    "__vnegss": (signed, lambda x: -x, True),
    "__vadd": (unsigned, lambda x, y: x + y, False),
    "__vaddss": (signed, lambda x, y: x + y, True),
    "__vaddus": (unsigned, lambda x, y: x + y, True),
    "__vsub": (unsigned, lambda x, y: x - y, False),
    "__vsubss": (signed, lambda x, y: x - y, True),
    "__vsubus": (unsigned, lambda x, y: x - y, True),
    "__vavgs": (signed, average, False),
    "__vavgu": (unsigned, lambda x, y: (x + y + 1) // 2, False),
    "__vhaddu": (unsigned, lambda x, y: (x + y) // 2, False),
    "__vcmpeq": (unsigned, lambda x, y: -(x == y), False),
    "__vcmpne": (unsigned, lambda x, y: -(x != y), False),
    "__vseteq": (unsigned, lambda x, y: int(x == y), False),
    "__vsetne": (unsigned, lambda x, y: int(x != y), False),
}
for letter, read in (("s", signed), ("u", unsigned)):
    ELEMENTS |= {
        f"__vabsdiff{letter}": (read, lambda x, y: abs(x - y), False),
        f"__vmax{letter}": (read, max, False),
        f"__vmin{letter}": (read, min, False),
        f"__vcmpge{letter}": (read, lambda x, y: -(x >= y), False),
        f"__vcmpgt{letter}": (read, lambda x, y: -(x > y), False),
        f"__vcmple{letter}": (read, lambda x, y: -(x <= y), False),
        f"__vcmplt{letter}": (read, lambda x, y: -(x < y), False),
        f"__vsetge{letter}": (read, lambda x, y: int(x >= y), False),
        f"__vsetgt{letter}": (read, lambda x, y: int(x > y), False),
        f"__vsetle{letter}": (read, lambda x, y: int(x <= y), False),
        f"__vsetlt{letter}": (read, lambda x, y: int(x < y), False),
    }


def split(word: int, bits: int) -> list[int]:
    return [word >> k & (1 << bits) - 1 for k in range(0, 32, bits)]


def of_elements(name: str, lanes: str, words: tuple[int, ...]) -> int:
    read, function, saturates = ELEMENTS[name]
    bits, result = BITS[lanes], 0
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if read is signed else (0, (1 << bits) - 1)
    for k, elements in enumerate(zip(*(split(w, bits) for w in words), strict=True)):
        value = function(*(read(e, bits) for e in elements))
        if saturates:
            value = min(max(value, low), high)
        result |= unsigned(value, bits) << bits * k
    return result


def arity(name: str) -> int:
    return 1 if name.startswith(("__vabss", "__vneg")) or name == "__vabs" else 2


SADS = ("__vsads", "__vsadu")
WORDS = [f"{name}{lanes}" for name in (*ELEMENTS, *SADS) for lanes in BITS]
# maximum or minimum, element, of three words or with an addition
COMBINED = [
    f"__vi{form}{choice}{three}_{element}{relu}"
    for choice in ("max", "min")
    for form, three in (("add", ""), ("", "3"), ("", ""))
    for element in ("s32", "u32", "s16x2", "u16x2")
    for relu in ("", "_relu")
    if (relu and element.startswith("s")) or (not relu and (form or three))
]
CHOICES = [f"__vib{choice}_{element}" for choice in ("max", "min") for element in ("s32", "u32", "s16x2", "u16x2")]


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    words = ", ".join(f"unsigned {v}" for v in "xyz")
    lines = []
    for name in WORDS:
        operands = "x" if arity(name[:-1]) == 1 else "x, y"
        lines.append(f'extern "C" unsigned at{name}(unsigned x, unsigned y) {{ (void)y; return {name}({operands}); }}')
    for name in COMBINED:
        operands = "x, y, z" if "add" in name or "3_" in name else "x, y"
        lines.append(f'extern "C" unsigned at{name}({words}) {{ (void)z; return {name}({operands}); }}')
    for name in CHOICES:
        places = "b, b + 1" if "16x2" in name else "b"
        lines.append(
            f'extern "C" unsigned at{name}(unsigned x, unsigned y, bool *b) {{ return {name}(x, y, {places}); }}'
        )
    for kind in ("int", "unsigned"):
        for name in ("__dp4a", "__dp2a_lo", "__dp2a_hi"):
            lines.append(
                f'extern "C" unsigned at{name}_{kind}({words}) {{ return {name}({kind}(x), {kind}(y), {kind}(z)); }}'
            )
    return ctypes.CDLL(str(compile_host("\n".join(lines), extra_flags=["-Wall", "-Wextra", "-Werror"])))


def samples() -> list[tuple[int, int, int]]:
    rng = np.random.default_rng(8)
    drawn = [tuple(int(v) for v in row) for row in rng.integers(0, 2**32, (60, 3))]
    return [(a, b, a ^ b) for a in EDGES for b in EDGES] + [(x, y, z) for x, y, z in drawn]


def call(library: ctypes.CDLL, name: str, *values: object) -> int:
    function = getattr(library, f"at{name}")
    function.restype = ctypes.c_uint
    function.argtypes = [ctypes.c_uint if isinstance(v, int) else ctypes.c_void_p for v in values]
    return int(function(*values))


@pytest.mark.parametrize("name", WORDS)
def test_elements_of_words(library: ctypes.CDLL, name: str) -> None:
    stem, lanes = name[:-1], name[-1]
    for x, y, _ in samples():
        if stem in SADS:
            difference = split(of_elements(stem.replace("sad", "absdiff"), lanes, (x, y)), BITS[lanes])
            expected = sum(difference)
        else:
            expected = of_elements(stem, lanes, (x, y)[: arity(stem)])
        assert call(library, name, x, y) == expected, (hex(x), hex(y))


@pytest.mark.parametrize("name", COMBINED)
def test_combined_operations(library: ctypes.CDLL, name: str) -> None:
    choose: Function = max if "max" in name else min
    bits, read = (16 if "16x2" in name else 32), (signed if "_s" in name else unsigned)
    for words in samples():
        expected = 0
        for k, (x, y, z) in enumerate(zip(*(split(w, bits) for w in words), strict=True)):
            if "add" in name:
                value = choose(read(x + y, bits), read(z, bits))
            else:
                value = choose(read(v, bits) for v in ((x, y, z) if "3_" in name else (x, y)))
            if name.endswith("_relu"):
                value = max(value, 0)
            expected |= unsigned(value, bits) << bits * k
        assert call(library, name, *words) == expected, [hex(w) for w in words]


@pytest.mark.parametrize("name", CHOICES)
def test_which_was_chosen(library: ctypes.CDLL, name: str) -> None:
    bits, read = (16 if "16x2" in name else 32), (signed if "_s" in name else unsigned)
    for x, y, _ in samples():
        pairs = [(read(a, bits), read(b, bits)) for a, b in zip(split(x, bits), split(y, bits), strict=True)]
        chosen = [max(p) if "max" in name else min(p) for p in pairs]
        first = (ctypes.c_bool * 2)()
        result = call(library, name, x, y, first)
        assert result == sum(unsigned(c, bits) << bits * k for k, c in enumerate(chosen))
        # the high half comes first
        assert list(first)[: len(pairs)] == [p[0] == c for p, c in zip(pairs, chosen, strict=True)][::-1]


def test_dot_products(library: ctypes.CDLL) -> None:
    for x, y, z in samples():
        for kind, read in (("int", signed), ("unsigned", unsigned)):
            bytes_of_x, bytes_of_y = ([read(b, 8) for b in split(w, 8)] for w in (x, y))
            halves = [read(h, 16) for h in split(x, 16)]
            dots = {
                "__dp4a": sum(a * b for a, b in zip(bytes_of_x, bytes_of_y, strict=True)),
                "__dp2a_lo": sum(a * b for a, b in zip(halves, bytes_of_y[:2], strict=True)),
                "__dp2a_hi": sum(a * b for a, b in zip(halves, bytes_of_y[2:], strict=True)),
            }
            for name, dot in dots.items():
                assert call(library, f"{name}_{kind}", x, y, z) == (dot + z) % 2**32
