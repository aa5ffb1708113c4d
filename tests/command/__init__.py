"""What `python -m tests` runs: which steps, which of the tests, in what order, and for how long.

`steps.py` has the three forms of the command. `quick.txt` has the gradients that the shortest of them compiles and
runs, which `python -m tests.command.choose` chooses, `long.txt` the files of tests that it leaves to the others.
`changed.py` finds what a change may touch, by what `record.py` has recorded of earlier runs; `plugin.py` is how pytest
is told.
"""
