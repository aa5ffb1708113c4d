"""Programs that are written differently and mean the same have the same gradient. `python -m tests.metamorphic` tries
more of them."""
