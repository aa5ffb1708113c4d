"""Mutations of a program's text: of its bytes, of its tokens, and of its tree, which is that of its brackets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_TOKEN = re.compile(
    rb"[A-Za-z_]\w*|(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)\w*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    rb"|<<<|>>>|->\*?|::|<<=|>>=|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|//[^\n]*|/\*.*?\*/|\s+|.",
    re.DOTALL,
)
_BLANK = re.compile(rb"\s+|//.*|/\*.*", re.DOTALL)
_CLOSING = {b"(": b")", b"{": b"}", b"[": b"]"}
_WORDS = b"""
if else for while do switch case default break continue return goto try catch throw new delete this sizeof template
typename class struct union enum namespace using operator static const volatile restrict inline auto decltype constexpr
extern register mutable virtual friend explicit asm alignas alignof noexcept co_await concept requires export
double float int unsigned long short char bool void half __half nullptr true false
__global__ __device__ __host__ __shared__ __constant__ __managed__ __syncthreads() __syncwarp() threadIdx blockIdx.x
warpSize atomicAdd atomicCAS __shfl_sync __ballot_sync __launch_bounds__(1) extern__shared__
( ) { } [ ] ; , < > <<< >>> :: . -> ... + - * / % & | ^ ~ ! = == != += ? : # ## \\ " ' // /* */ @ $ ` ??/ <% %> [[ ]]
0 1 -1 0x7fffffff 4294967296 18446744073709551616 1e308 1e999 0x1p-1074 1.0f 0.0/0.0 09 1' 'a' "x" L"x" R"(
{{ }} {% %} {# #} %s %n \\x00 \\u0000 [[noreturn]]
"""
_LINES = (
    b"\n#include <cub/cub.cuh>\n",
    b"\n#include <vector>\n",
    b"\n#define x y\n",
    b"\n#if 0\n",
    b"\n#endif\n",
    b"\n#line 0\n",
    b"\n#error no\n",
    b"\n#pragma unroll 4294967295\n",
)
_STRANGE = (*_WORDS.split(), *_LINES)

Mutation = Callable[[random.Random, bytes, bytes], bytes]


def mutated(rng: random.Random, text: bytes, other: bytes) -> bytes:
    """The text after one mutation or a few of one kind; `other` is a second program, which parts may come from."""
    kind = rng.choice((_bytes, _tokens, _tokens, _tree, _tree))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = kind(rng, text, other)
    return text


def _bytes(rng: random.Random, text: bytes, other: bytes) -> bytes:
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 1, 1, 2, 8, 64)))
    middle = text[start:end]
    match rng.randrange(7):
        case 0:
            middle = bytes(rng.randrange(256) for _ in range(rng.choice((1, 1, 4))))
        case 1:
            middle = b""
        case 2:
            middle = middle * rng.choice((2, 3, 50))
        case 3:
            middle = bytes(b ^ (1 << rng.randrange(8)) for b in middle)
        case 4:
            middle = rng.choice((b"\0", b"\xff\xfe", b"\xc3\x28", b"\r", b"\xef\xbb\xbf", b"\x1a", b"\\\n", b"\t" * 99))
        case 5:
            return text[:start]
        case _:
            at = rng.randrange(len(other) + 1)
            middle = other[at : at + rng.choice((1, 8, 64, 512))]
    return text[:start] + middle + text[end:]


def _tokens(rng: random.Random, text: bytes, other: bytes) -> bytes:
    tokens = _TOKEN.findall(text)
    places = [i for i, token in enumerate(tokens) if not _BLANK.match(token)]
    if not places:
        return text + rng.choice(_STRANGE)
    at, second = rng.choice(places), rng.choice(places)
    match rng.randrange(6):
        case 0:
            tokens[at] = b""
        case 1:
            tokens[at] += b" " + tokens[at]
        case 2:
            tokens[at], tokens[second] = tokens[second], tokens[at]
        case 3:
            tokens[at] = b" " + rng.choice(_STRANGE) + b" "
        case 4:
            tokens[at] += b" " + rng.choice(_STRANGE) + b" "
        case _:
            # a name or a number by another of the program, so that the result often compiles
            kind = rb"[A-Za-z_]" if tokens[at][:1].isalpha() else rb"\d" if tokens[at][:1].isdigit() else rb"\W"
            source = tokens if rng.random() < 0.7 else _TOKEN.findall(other)
            alike = [token for token in source if re.match(kind, token) and not _BLANK.match(token)]
            tokens[at] = rng.choice(alike or [b""])
    return b"".join(tokens)


def _tree(rng: random.Random, text: bytes, other: bytes) -> bytes:
    nodes = _nodes(text)
    if not nodes:
        return text
    start, end = rng.choice(nodes)
    node = text[start:end]
    match rng.randrange(7):
        case 0:
            node = b""
        case 1:
            node = node + node
        case 2:
            depth = rng.choice((1, 2, 30))
            opening = node[:1] if node[:1] in _CLOSING else b"("
            node = opening * depth + node + _CLOSING[opening] * depth
        case 3:
            second, until = rng.choice(nodes)
            if second >= end:
                return text[:start] + text[second:until] + text[end:second] + node + text[until:]
            node = text[second:until]
        case 4:
            strangers = [n for n in _nodes(other) if other[n[0] : n[0] + 1] == node[:1]]
            if strangers:
                at, until = rng.choice(strangers)
                node = other[at:until]
        case 5:
            node = node[:1] + node[-1:] if node[:1] in _CLOSING else b";"
        case _:
            wrapped = (b"if (1) %s", b"for (int q = 0; q < 3; ++q) %s", b"do %s while (0);", b"{ return; %s }", b"-%s")
            node = rng.choice(wrapped) % node
    return text[:start] + node + text[end:]


def _nodes(text: bytes) -> list[tuple[int, int]]:
    """Where brackets open and close, and where statements begin and end."""
    found, open_at = [], []
    begins = 0
    for token in _TOKEN.finditer(text):
        what = token[0]
        if what in _CLOSING:
            open_at.append(token.start())
        elif what in _CLOSING.values() and open_at:
            found.append((open_at.pop(), token.end()))
        if what in (b";", b"}", b"{"):
            if what == b";":
                found.append((begins, token.end()))
            begins = token.end()
    return found
