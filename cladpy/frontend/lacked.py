"""What a program asks of Thrust and CUB that cladpy's own headers of these lack.

The libraries' own headers take half a minute and more to read, throw exceptions between their launches and keep memory
in static variables: nothing comes of reading them. So what is not there is refused, by its name and where the user's
text asks for it; a program that does not need it for the function asked for is read without.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from cladpy.frontend.unit import Message
from cladpy.resources import custom_derivatives_dir, library_shim_dir, thrust_host_dir

HINT = (
    "docs/library-calls.md has what is known of Thrust and CUB; for a GPU, a host function with a derivative of your "
    "own may call all else; in a kernel, write out what it does"
)
_NAMED = re.compile(r"no (?:\w+ )+?named '([\w~]+)' in (?:namespace )?'((?:thrust|cub)\b[^']*)'")
_ASSERTED = re.compile(r"static assertion failed.*: (?:Thrust|CUB): (.*)")
_UNKNOWN = re.compile(r"(?:use of undeclared identifier|unknown type name|no template named) '(\w+)'")
_HEADER = re.compile(r"'((?:thrust|cub)/[^']*)' file not found")
_USING = re.compile(rb"\busing\s+namespace\s+(?:thrust|cub)\b")
_OURS = (
    str(thrust_host_dir()),
    str(library_shim_dir() / "cub"),
    str(custom_derivatives_dir() / "cladpy" / "algorithms"),  # and what stands beside it
)


def lacked(message: Message) -> str | None:
    """What is not known, in words, where an error is for want of something of Thrust's or CUB's."""
    named = _NAMED.search(message.text)
    if named is not None:
        return f"nothing is known about '{_short(named[2])}::{named[1]}'"
    asserted = _ASSERTED.search(message.text)
    if asserted is not None:
        return f"no more is known here than this: {asserted[1]}"
    telling = [message, *(n for n in message.notes if "candidate" in n.text or n.text == message.text)]
    if any(_of_library(m.file) for m in telling):
        return f"what is known of Thrust and CUB does not do for this: {message.text}"
    return None


def may_be_lacked(message: Message, program: bytes) -> bool:
    """Whether the libraries' own headers could mend an error, which they are not read for."""
    if _HEADER.search(message.text) is not None:
        return True
    return lacked(message) is not None or (_UNKNOWN.match(message.text) is not None and bool(_USING.search(program)))


def asked_for(message: Message, is_of_user: Callable[[str | None], bool]) -> Message:
    """An error within the headers of the libraries as one of the place in the user's text that they are used from."""
    if not _of_library(message.file):
        return message
    asking = next((n for n in message.notes if n.text.endswith("requested here") and is_of_user(n.file)), None)
    if asking is None:
        return message
    place = {name: getattr(asking, name) for name in ("file", "line", "column", "offset")}
    return replace(message, **place, notes=(replace(message, notes=()), *message.notes))


def _of_library(file: str | None) -> bool:
    return file is not None and file.startswith(_OURS)


def _short(name: str) -> str:
    """The name without the arguments of templates that have no end."""
    return name if len(name) < 60 else re.sub(r"<.*", "<...>", name)
