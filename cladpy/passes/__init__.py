"""Stage 5b: passes over generated code, between what the sweeps write and what is emitted.

`order.py` is the order in which they run. Each is a module of its own that takes a block of generated code and gives
one that computes the same; it knows nothing of the sweeps, and what it may ask of the function is in its parameters.
"""
