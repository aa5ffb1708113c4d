"""The tests of cladpy; `python -m tests` runs all of them."""
