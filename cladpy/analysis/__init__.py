"""Stage 4: what is known about a core function. Every analysis returns a result of its own, keyed by node or value.

`activity` (which values carry a derivative), `needs` (which values the reverse sweep uses, and which stores must be
made for them), `loops` (inductions and trip counts), `races` (where two threads can meet at an adjoint element).
"""
