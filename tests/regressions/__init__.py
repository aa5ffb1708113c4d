"""Programs that once failed, as `python -m tests.fuzz` keeps them; see `tests/fuzz/keep.py`."""
