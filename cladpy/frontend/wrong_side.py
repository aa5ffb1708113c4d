"""Device code that calls the user's host functions, be it out of a library that is given one: clang says where the call
stands, which may be in a header that nobody knows, and what is wrong is at the function."""

from __future__ import annotations

import re
from collections.abc import Callable

from cladpy.frontend.unit import Message

_CALL = re.compile(r"(?:candidate function not viable: )?call to __host__ function from __(?:global|device)__")
_REFERENCE = re.compile(r"reference to __host__ function '.*' in __(?:global|device)__ function")


def host_function(message: Message, is_of_user: Callable[[str | None], bool]) -> Message | None:
    """The place of a host function of the user's that is called on the device, if that is what an error says."""
    named = [n for n in message.notes if _CALL.match(n.text)]
    if _REFERENCE.match(message.text):
        named += [n for n in message.notes if n.text.endswith("declared here")]
    return next((n for n in named if is_of_user(n.file)), None)


def calling(message: Message, is_of_user: Callable[[str | None], bool]) -> Message | None:
    """The place in the user's files from which the call is made."""
    made = (message, *(n for n in message.notes if n.text.endswith("requested here")))
    return next((n for n in made if is_of_user(n.file)), None)
