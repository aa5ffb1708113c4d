// std::function in host code: what it holds is known by where it is made.
#include <cmath>
#include <functional>

typedef std::function<double(double)> Function;

static double square(double t) { return t * t; }
struct Powers {
  double a;
  int calls = 0;
  static double cube(double t) { return t * t * t; }
  double operator()(double t) { return a * t + ++calls; }
};

static double integral(const Function &g, double to, int n) {
  const double h = to / n;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += g((i + 0.5) * h);
  return sum * h;
}
static double root(Function g, const Function &slope, double x) {
  for (int i = 0; i < 6; ++i) x -= g(x) / slope(x);
  return x;
}

double given_to_functions(double x, double y) {
  const double area = integral([x](double t) { return std::sin(x * t) * t; }, y, 12);
  return area + root([&](double t) { return t * t * t - x * x - 1.0; }, [](double t) { return 3.0 * t * t; }, y + 1.0);
}

double chosen(double x, double y) {
  Function f, g = square;
  if (x > y) {
    f = [y](double t) { return y * t; };
  } else {
    f = Powers::cube;
  }
  Function exponential = static_cast<double (*)(double)>(std::exp), copy(f);
  f.swap(g);
  const double sum = f(x) + g(x) * exponential(y);
  g = nullptr;
  Function counting = Powers{y}, other;
  counting(x);
  other = std::move(counting);
  if (g || g != nullptr || nullptr != g || !(g == nullptr) || !(nullptr == g)) return 0.0;
  return sum * other(x) + copy(y);
}

// In an array and in an object, which is copied with what it captures by then.
struct Layer {
  double w;
  Function act;
};
double in_objects(double x, double y) {
  Function table[2];
  double k = y;
  table[0] = [k](double t) { return t * t * k; };
  table[1] = [](double t) { return t + 1.0; };
  std::function<double(double, int)> referring = [&k](double t, int n) { return t + n * k; };
  k *= x;
  double r = x;
  for (int i = 0; i < 2; ++i) r = table[i](referring(r, i));
  Layer layer{r, Function(table[0])}, second = layer;
  second.w += 1.0;
  return layer.act(layer.w) * second.act(second.w);
}

// What is called changes what it is given, and launches.
__global__ void scaled(const double *x, double *y, double a, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = a * x[i] * x[i];
}
typedef std::function<void(double, const double *, double *)> Rhs;
static void step(const Rhs &rhs, double *y, double t, double h) {
  double k[2];
  rhs(t, y, k);
  for (int i = 0; i < 2; ++i) y[i] += h * k[i];
}
void with_effects(double *x, double *y, double mu, int n) {
  const Rhs rhs = [mu](double t, const double *u, double *d) {
    d[0] = u[1];
    d[1] = mu * (1.0 - u[0] * u[0]) * u[1] - u[0] + t;
  };
  double state[2] = {mu, 1.0};
  for (int i = 0; i < 3; ++i) step(rhs, state, 0.1 * i, 0.1);
  std::function<void(int)> launch = [&](int count) { scaled<<<1, 32>>>(x, y, state[0] * state[1], count); };
  launch(n);
}
