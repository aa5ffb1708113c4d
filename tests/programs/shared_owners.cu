// Objects with several owners.
#include <memory>
#include <vector>

struct Body {
  double m, v;
};
struct Net {
  std::shared_ptr<std::vector<double>> weights;
  double scale;
};

static double used(const std::shared_ptr<Body> &body, std::shared_ptr<Body> own) {
  own->v *= body->m;
  return body->v * own.use_count();
}

static double moved(const double *x, int n) {
  std::shared_ptr<Body> last;
  {
    auto p = std::make_shared<Body>(Body{x[0], x[1]});
    if (n > 2) last = p;
  }
  if (!last || last == nullptr) return x[0];
  (*last).m *= last->v;
  std::shared_ptr<Body> other = std::move(last);
  return other->m * other.use_count() + (last != other ? 1.0 : x[2]) + (last.get() ? x[1] : x[0]);
}

static double counted(const double *x, int n) {
  auto p = std::make_shared<Body>();
  p->m = x[0];
  p->v = x[1];
  double r = 0;
  for (int i = 0; i < n; ++i) r += used(p, p) * x[i];
  auto q = p;
  p.reset(new Body{x[2], r});
  r = p->v * p->m * q->v * q.use_count();
  q.reset();
  return q == p ? r : r * p.use_count();
}

double shared_owners(const double *x, int n) {
  std::shared_ptr<Body> bodies[2];
  for (int i = 0; i < 2; ++i) bodies[i] = std::make_shared<Body>(Body{x[i], 2});
  const auto copy = bodies[1];
  double r = 0;
  for (auto &p : bodies) r += p->m * p->m * p.use_count();
  Net net{std::make_shared<std::vector<double>>(x, x + n), x[0]}, other = net;
  (*other.weights)[0] *= other.scale;
  for (double w : *net.weights) r += w * w;
  std::shared_ptr<double[]> squares(new double[n]), none = nullptr;
  std::shared_ptr<double[]> zeros(new double[n]());
  for (int i = 0; i < n; ++i) zeros[i] += squares[i] = x[i] * x[i];
  none = squares;
  r += copy->m;
  std::swap(none, zeros);
  return r + zeros[0] * none[1] + moved(x, n) * counted(x, n);
}
