// run::f(x)
// CP0006
double run(double a) {
  auto f = [a](double x) { return a * x; };
  return f(a);
}
