"""Programs that are refused, or answered with a warning: each with its rendered text beside it.

A program's first line names the function and the arguments, as in `// k(x, y)`; lines such as `// fresh=x` after it
give options. `python -m tests.golden` writes all texts anew.
"""
