"""The tests of cladpy; `python -m tests` runs all of them."""

import os

# The host runs kernels so that it can be seen what threads do, and in an order that is asked for. The tests of how
# calls of users run say so themselves (`tests.by_workers`).
os.environ.setdefault("CLADPY_HOST_FIBERS", "1")
# What is tested is how programs are differentiated, whatever an earlier run has kept (but for `tests/test_kept.py`).
os.environ.setdefault("CLADPY_KEEP_DERIVATIVES", "0")
