"""What is no program any more: mutated and hostile inputs, and how cladpy answers to them.

`python -m tests.robustness --count N --seed S` mutates the programs of the tests and gives them to worker processes
that serve many each. A share (`--cli K`), and what a worker takes too long for, goes to the command line in processes
of their own, which limit what clang takes. For each: exit status 0, 1 or 2, something said where it is not 0, no
traceback, no internal error, no crash, under 10 s of processor time and 1 GiB.
"""
