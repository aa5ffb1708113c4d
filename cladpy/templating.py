"""The Jinja templates of generated code and of pages."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from cladpy.diagnostics import ToolchainError
from cladpy.resources import templates_dir
from cladpy.toolchain import cache as compiled

_LAYOUT: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}


class _Compiled(jinja2.BytecodeCache):
    """Keeps what templates are compiled to in the compile cache, where that can be used."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(ToolchainError, OSError):
            found = compiled.look_up(_key(bucket))
            if found is not None:
                bucket.bytecode_from_string(found.read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(ToolchainError, OSError), compiled.building() as folder:
            (folder / "template").write_bytes(bucket.bytecode_to_string())
            compiled.store(_key(bucket), folder / "template")


def _key(bucket: Bucket) -> str:
    made_by = repr((sys.implementation.cache_tag, jinja2.__version__, _LAYOUT))
    return compiled.digest_of(["template", made_by, bucket.key, bucket.checksum])


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_dir()),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),  # noqa: S701 - others are C++
        undefined=jinja2.StrictUndefined,
        **_LAYOUT,
        bytecode_cache=_Compiled(),
    )


def template_named(name: str) -> jinja2.Template:
    """A file of `templates/`, compiled once."""
    return _environment().get_template(name)
