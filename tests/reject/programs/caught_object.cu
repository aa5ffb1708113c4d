// f(x)
// CP0103
struct Bad { double at; };
double f(double x) {
  try {
    if (x > 1) throw Bad{x};
    return x * x;
  } catch (const Bad &bad) {
    return x * bad.at;
  }
}
