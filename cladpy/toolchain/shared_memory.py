"""Dynamic shared memory on the host: what `extern __shared__ T name[];` refers to.

On the host such an array is an undefined thread-local symbol. An assembly file defines every one of them, all at the
start of one block, since all of a kernel's dynamic arrays begin at the same address.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.source import Source

# What the largest devices allow per block; the launch checks the size asked for.
BYTES = 227 * 1024

_EXTERN_SHARED = re.compile(
    r"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b|\bCLADPY_(DYNAMIC_SHARED|SHARED_ARRAY)\("
)
# As <cladpy/host/shared_memory.h> declares it.
ACCESSOR = """\
extern "C" __attribute__((visibility("hidden"))) __thread unsigned char %(name)s[];
extern "C" __attribute__((visibility("hidden"))) unsigned char *cladpy_dynamic_shared() { return %(name)s; }
"""
_TLS = 6
_SYMBOL_TABLE = 2
# Toolkit headers never have such arrays, but speak of them in comments.
_TOO_LARGE = 4 << 20


def needs_dynamic_shared(text: str, source: Source | None, dependencies: Iterable[str | Path]) -> bool:
    """Whether a declaration of dynamic shared memory may be in these texts."""
    if _EXTERN_SHARED.search(text) or (source is not None and _EXTERN_SHARED.search(source.text)):
        return True
    for path in dependencies:
        try:
            data = Path(path).read_bytes()
        except OSError:
            continue
        if b"__shared__" in data and len(data) < _TOO_LARGE and _EXTERN_SHARED.search(data.decode(errors="replace")):
            return True
    return False


def define_dynamic_shared(object_file: Path, assembly: Path, accessor: Path) -> None:
    """Writes the definitions that the object file lacks, and a function that says where they are. Raises ToolchainError
    for a file that is not ELF."""
    names = undefined_thread_locals(object_file.read_bytes())
    accessor.write_text(ACCESSOR % {"name": names[0]} if names else "", encoding="utf-8")
    lines = ['.section .tbss,"awT",%nobits', ".balign 256"]
    for name in names:
        lines += [f".globl {name}", f".hidden {name}", f".type {name}, %object", f"{name}:"]
    lines += [f".zero {BYTES}", '.section .note.GNU-stack,"",%progbits', ""]
    assembly.write_text("\n".join(lines), encoding="utf-8")


def undefined_thread_locals(data: bytes) -> list[str]:
    """Names of the thread-local symbols that an ELF object file refers to and does not define."""
    if data[:4] != b"\x7fELF" or data[4] != 2 or data[5] != 1:
        raise ToolchainError("dynamic shared memory on the host backend needs a 64-bit little-endian ELF system")
    table_offset = struct.unpack_from("<Q", data, 0x28)[0]
    entry_size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table_offset + k * entry_size) for k in range(count)]
    names: list[str] = []
    for section in sections:
        if section[1] != _SYMBOL_TABLE:
            continue
        offset, size, strings_offset = section[4], section[5], sections[section[6]][4]
        for at in range(offset, offset + size, 24):
            name, info, _, index = struct.unpack_from("<IBBH", data, at)
            if index == 0 and info & 15 == _TLS:
                start = strings_offset + name
                names.append(data[start : data.index(b"\0", start)].decode())
    return sorted(names)
