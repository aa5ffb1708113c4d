"""Functions of CUDA C++ as operators of frameworks for machine learning: each framework in a file of its own, which is
imported only when it is asked for."""
