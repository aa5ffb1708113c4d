"""The same text everywhere: whatever the hash seed, the locale, the working directory and the Python.

`python -m tests.determinism --every K [--python PATH ...]` emits each K-th program of the tables in several places,
and with other Pythons that have cladpy's dependencies, and compares to the byte.
"""
