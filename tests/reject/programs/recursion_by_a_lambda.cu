// f(x)
// CP0220
double f(double x, int n) {
  auto product = [](auto self, int k, double v) -> double { return k <= 0 ? 1.0 : v * self(self, k - 1, v + 0.1); };
  return product(product, n, x);
}
