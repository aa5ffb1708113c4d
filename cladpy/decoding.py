"""The bytes of the user's files as text: UTF-8, with or without a byte order mark, or of an unknown encoding."""

from __future__ import annotations

# What editors of Windows write before UTF-8: compilers pass over it at the start of a file, and nowhere else.
BYTE_ORDER_MARK = "\ufeff"


def decoded(data: bytes) -> str:
    """The text of a file, without a byte order mark. Bytes that are no UTF-8, as of Latin-1, are kept: what encodes
    with `surrogateescape` has them again."""
    return data.decode("utf-8", errors="surrogateescape").removeprefix(BYTE_ORDER_MARK)
