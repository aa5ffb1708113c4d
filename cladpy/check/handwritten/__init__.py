"""Whether a backward that somebody has written by hand is right: it is run as a gradient is, and judged by the same
witnesses, over inputs that are searched for where it is not.
"""
