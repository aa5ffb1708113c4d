"""What other tools for differentiating C++ and CUDA have got wrong, by their trackers and by trial: small programs.

The programs are named by the behaviour that they need; none is copied.
"""
