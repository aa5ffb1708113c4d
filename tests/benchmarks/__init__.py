"""The benchmarks' gradients are right at small sizes, those by hand too, and what is wrong would be found."""
