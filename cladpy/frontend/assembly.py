"""Inline PTX as C++: `asm("mov.u32 %0, %%laneid;" : "=r"(lane))` is `lane=(CLADPY_LANE)`.

Done in the text, for clang and for the host's compiler, and no longer than it was, so that places stay what they are.
What the table does not have stays as it is, and is refused where it is reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from cladpy.frontend.files import skip_token
from cladpy.resources import custom_derivatives_dir

_WORD = re.compile(rb"\b(?:__asm__|__asm|asm)\b(?:\s*\b(?:__volatile__|volatile)\b)?\s*\(")
_STRING = re.compile(rb'\s*"((?:[^"\\\n]|\\.)*)"')
_OPERAND = re.compile(rb'\s*"([=+]?&?)([rlfd])"\s*\((.*)\)\s*', re.DOTALL)

_EFFECT = re.compile(r"[\w\]]\s*\(|\+\+|--|(?<![=!<>])=(?!=)")

_ROUNDING = r"(?:\.rn)?(?:\.ftz)?"
_APPROXIMATE = r"\.approx(?:\.ftz)?\.f32"
_SPACE = r"(?:\.weak)?(?:\.global)?(?:\.nc|\.c[agsv]|\.lu|\.wb|\.wt|\.L[12]::\w+)*"
_NUMBER = {"f32": "float", "f64": "double"}
_INTEGER = {"u32": "unsigned", "s32": "int", "u64": "unsigned long long", "s64": "long long"}
_TYPES = {**_NUMBER, **_INTEGER}
_TYPE = "(" + "|".join(_TYPES) + ")"
_CONVERTED = "({to})({t})({1})"  # {t}: its bits may stand in an integer of the other sign

# By the instruction, what its first operand is given: {1} to {3} are the other operands, {t} the type it works on, {to}
# the one it makes.
_VALUES: Mapping[str, str] = {
    rf"ex2{_APPROXIMATE}": "exp2f({1})",
    rf"lg2{_APPROXIMATE}": "log2f({1})",
    rf"sin{_APPROXIMATE}": "__sinf({1})",
    rf"cos{_APPROXIMATE}": "__cosf({1})",
    r"tanh\.approx\.f32": "tanhf({1})",
    rf"rsqrt{_APPROXIMATE}": "rsqrtf({1})",
    r"rsqrt\.approx\.f64": "rsqrt({1})",
    rf"sqrt(?:{_APPROXIMATE}|{_ROUNDING}\.f32)": "sqrtf({1})",
    r"sqrt\.rn\.f64": "sqrt({1})",
    rf"rcp(?:{_APPROXIMATE}|{_ROUNDING}\.f32)": "1.f/({1})",
    r"rcp\.rn\.f64": "1./({1})",
    r"div(?:\.(?:approx|full|rn)(?:\.ftz)?\.f32|\.rn\.f64)": "({1})/({2})",
    rf"fma{_ROUNDING}\.f32": "fmaf({1},{2},{3})",
    r"fma\.rn\.f64": "fma({1},{2},{3})",
    rf"add{_ROUNDING}\.(f32|f64)": "({1})+({2})",
    rf"sub{_ROUNDING}\.(f32|f64)": "({1})-({2})",
    rf"mul{_ROUNDING}\.(f32|f64)": "({1})*({2})",
    r"max(?:\.ftz)?\.f32": "fmaxf({1},{2})",
    r"min(?:\.ftz)?\.f32": "fminf({1},{2})",
    r"max\.f64": "fmax({1},{2})",
    r"min\.f64": "fmin({1},{2})",
    r"abs(?:\.ftz)?\.f32": "fabsf({1})",
    r"abs\.f64": "fabs({1})",
    r"neg(?:\.ftz)?\.(f32|f64)": "-({1})",
    r"mov\.(f32|f64)": "({1})",
    r"mov\.(?:[us]32|b32)": "({1})",
    r"cvt(?:\.ftz)?\.f64\.f32": _CONVERTED,
    r"cvt\.rn(?:\.ftz)?\.f32\.f64": _CONVERTED,
    rf"cvt\.rn\.(?:f32|f64)\.(?:{'|'.join(_INTEGER)})": _CONVERTED,
    rf"ldu?{_SPACE}\.{_TYPE}": "*(const {t}*)({1})",
}
# Instructions without a result.
_STATEMENTS: Mapping[str, str] = {
    r"bar(?:rier)?(?:\.cta)?\.sync(?:\.aligned)? +0": "__syncthreads()",
    r"membar\.cta": "__threadfence_block()",
    r"membar\.gl": "__threadfence()",
    r"prefetchu?\.\S+ +\[[^\]]*\]": "(void)0",
}
_STORE = re.compile(rf"st{_SPACE}\.{_TYPE}")
_SPECIAL = {
    "%laneid": "CLADPY_LANE",
    **{f"%lanemask_{which}": f"CLADPY_{which.upper()}" for which in ("lt", "le", "gt", "ge", "eq")},
    **{
        f"%{name}.{axis}": f"{variable}.{axis}"
        for name, variable in (("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"))
        for axis in "xyz"
    },
}
# The letters of operands that an instruction on numbers of a type takes.
_LETTERS = {"f32": "f", "f64": "d", "u32": "r", "s32": "r", "b32": "r", "u64": "l", "s64": "l"}


@cache
def definitions() -> str:
    """The macros that C++ in the place of assembly names."""
    header = custom_derivatives_dir() / "cladpy" / "host" / "assembly.h"
    return "".join(f"{line}\n" for line in header.read_text().splitlines() if line.startswith("#define"))


def has_assembly(text: bytes) -> bool:
    return without_assembly(text) is not text


def without_assembly(text: bytes) -> bytes:
    """The text, as long as it was, with C++ in the place of the assembly that is known; the same object without any."""
    if b"asm" not in text:
        return text
    changes = [(start, end, made) for start, end, made in _statements(text) if len(made) <= end - start]
    if not changes:
        return text
    parts, at = [], 0
    for start, end, made in changes:
        blank = re.sub(rb"[^\\\r\n]|\\(?!\r?\n)", b" ", text[start + len(made) : end])  # lines stay what they are
        if b"\n" in text[start : start + len(made)]:
            lines = re.findall(rb"\\?\r?\n", text[start:end])
            rest = b"".join(lines)
            if len(made) + len(rest) > end - start:
                continue
            blank = b" " * (end - start - len(made) - len(rest)) + rest
        parts += [text[at:start], made, blank]
        at = end
    return b"".join([*parts, text[at:]])


def _statements(text: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Where assembly stands, from its first word to its bracket, and the C++ for it."""
    at = 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None or (at and (text[at - 1 : at].isalnum() or text[at - 1 : at] == b"_")):
            at = skip_token(text, at)
            continue
        end = _closing(text, found.end())
        made = None if end is None else _translated(_sections(text[found.end() : end - 1]))
        if end is not None and made is not None:
            yield at, end, made
        at = found.end()


def _closing(text: bytes, at: int) -> int | None:
    """The end of what a bracket before `at` opens."""
    depth = 1
    while at < len(text):
        depth += {b"(": 1, b")": -1}.get(text[at : at + 1], 0)
        at = skip_token(text, at)
        if depth == 0:
            return at
    return None


def _sections(inside: bytes) -> list[list[bytes]]:
    """What stands between colons, divided at commas, without comments and the ends of a macro's lines."""
    sections: list[list[bytes]] = [[b""]]
    depth = at = 0
    while at < len(inside):
        end = skip_token(inside, at)
        token = inside[at:end]
        depth += {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}.get(token, 0)
        if depth == 0 and token == b":":
            sections.append([b""])
        elif depth == 0 and token == b",":
            sections[-1].append(b"")
        elif token.startswith((b"//", b"/*")) or token in (b"\\", b"\n", b"\r"):
            sections[-1][-1] += b" "
        else:
            sections[-1][-1] += token
        at = end
    return sections


@dataclass(frozen=True, slots=True)
class _Operand:
    text: str
    letter: str
    is_output: bool
    is_input: bool


def _translated(sections: list[list[bytes]]) -> bytes | None:
    """The C++ for assembly; None where it is not known."""
    template, at = b"", 0
    if len(sections[0]) != 1:
        return None
    while (part := _STRING.match(sections[0][0], at)) is not None:
        template, at = template + part[1], part.end()
    if sections[0][0][at:].strip():
        return None
    operands: list[_Operand] = []
    for section in sections[1:3]:
        for one in section:
            found = _OPERAND.fullmatch(one)
            if found is not None:
                name = found[3].decode(errors="surrogateescape").strip()
                operands.append(_Operand(name, found[2].decode(), found[1] != b"", found[1][:1] != b"="))
            elif one.strip():
                return None
    code = template.decode(errors="surrogateescape").replace("\\n", " ").replace("\\t", " ")
    instructions = [i.strip() for i in code.split(";") if i.strip()]
    if not _is_the_same_one_by_one(instructions, operands):
        return None
    acts = [_act(i, operands) for i in instructions]
    if not acts and not any(o.is_output and not o.is_input for o in operands):
        return b"(void)0"  # it keeps compilers from moving things
    if not acts or None in acts:
        return None
    written = ",".join(a for a in acts if a is not None)
    return (written if len(acts) == 1 else f"({written})").encode(errors="surrogateescape")


def _is_the_same_one_by_one(instructions: Sequence[str], operands: Sequence[_Operand]) -> bool:
    """Whether C++ that names operands where the instructions do reads and does what the assembly does, which takes all
    of its inputs first, and each once."""
    used = [[int(n) for n in re.findall(r"(?<!%)%(\d+)", i)] for i in instructions]
    flat = [n for numbers in used for n in numbers]
    if any(flat.count(n) != 1 and _EFFECT.search(operand.text) for n, operand in enumerate(operands)):
        return False
    written = False
    for numbers in used:
        if any(n >= len(operands) or (written and not operands[n].is_output) for n in numbers):
            return False
        written |= any(operands[n].is_output for n in numbers)
    return True


def _act(instruction: str, operands: Sequence[_Operand]) -> str | None:
    """One instruction as an expression."""
    for pattern, form in _STATEMENTS.items():
        if re.fullmatch(pattern, instruction):
            return form
    name, _, rest = instruction.partition(" ")
    given = [part.strip() for part in rest.split(",")]
    store = _STORE.fullmatch(name)
    if store is not None and len(given) == 2 and (at := _address(given[0], operands)) is not None:
        value = _operand(given[1], operands, _LETTERS[store[1]])
        return None if value is None else f"*({_TYPES[store[1]]}*)({at})={value}"
    for pattern, form in _VALUES.items():
        found = re.fullmatch(pattern, name)
        if found is None or len(given) != 1 + len(set(re.findall(r"\{\d\}", form))):
            continue
        made, suffix = name.split(".")[-2:]
        letter = _LETTERS[suffix]
        to = re.fullmatch(r"%(\d+)", given[0])
        if to is None or int(to[1]) >= len(operands):
            return None
        output = operands[int(to[1])]
        if not output.is_output or output.letter != (_LETTERS[made] if form is _CONVERTED else letter):
            return None
        is_load = form.startswith("*")
        read = [_address(g, operands) if is_load else _operand(g, operands, letter) for g in given[1:]]
        if None in read:
            return None
        return f"{output.text}={form.format(None, *read, t=_TYPES.get(suffix), to=_TYPES.get(made))}"
    return None


def _address(text: str, operands: Sequence[_Operand]) -> str | None:
    found = re.fullmatch(r"\[\s*(%\d+)\s*\]", text)
    return None if found is None else _operand(found[1], operands, "l")


def _operand(text: str, operands: Sequence[_Operand], letter: str) -> str | None:
    """An operand of an instruction that takes those of a letter: special registers are integers."""
    special = text.replace("%%", "%")
    if special in _SPECIAL:
        return _SPECIAL[special] if letter == "r" else None
    found = re.fullmatch(r"%(\d+)", text)
    if found is None or int(found[1]) >= len(operands) or operands[int(found[1])].letter != letter:
        return None
    return operands[int(found[1])].text
