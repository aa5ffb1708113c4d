// The mark of functions, parameters, variables, members and classes through which no derivative passes. Compilers
// other than clang, which cladpy reads with, see nothing: they would warn of an attribute that they do not know.
#ifndef CLADPY_NONDIFFERENTIABLE_H
#define CLADPY_NONDIFFERENTIABLE_H

#if defined(__clang__)
#define CLADPY_NONDIFFERENTIABLE __attribute__((annotate("nondifferentiable")))
#else
#define CLADPY_NONDIFFERENTIABLE
#endif

#endif
