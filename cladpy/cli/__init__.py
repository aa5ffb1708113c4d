"""The command line: `cladpy gradient`, `explain`, `fix`, `adopt`, `check`, `doctor`, `cache`, `completion`.

Exit status: 0 done; 1 the program cannot be differentiated, or a check failed; 2 wrong usage. Imports are made where
they are used, so that a command starts quickly.
"""

from cladpy.cli.commands import COMPLETE, SHELLS, cli
from cladpy.cli.running import main, run

__all__ = ["COMPLETE", "SHELLS", "cli", "main", "run"]
