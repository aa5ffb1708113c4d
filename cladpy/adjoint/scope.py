"""What statements of generated code are written with."""

from __future__ import annotations

from collections import ChainMap

from cladpy.ir import code, core

Env = ChainMap[core.Value, core.Expr]
"""What values of the primal are called where a statement is written; a scope's children see it too."""
Out = list[code.Statement]
