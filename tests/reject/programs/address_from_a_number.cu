// f(x)
// An operand that need not be evaluated is refused when the program comes to it.
double f(const double *x, size_t at, bool known) {
  const double *p = known ? x : reinterpret_cast<const double *>(at);
  return *p * *p;
}
