"""Stage 5: from a core function to its gradient in the grammar of generated code.

`sweep` writes the forward and the reverse sweep of a function, `expressions` the adjoints of expressions, `tape` what
loops keep, `dead_code` drops what nothing uses, `pullbacks` keeps the functions that calls ask for, `gradient` puts a
whole derivative together. Reports CP04xx (no derivative rule) and CP05xx (storage) and raises DifferentiationError.
"""
