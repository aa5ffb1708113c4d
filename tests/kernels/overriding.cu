// Virtual functions where the program says which one runs.
struct Shape {
  double a;
  __device__ Shape(double a) : a(a) {}
  __device__ virtual double area(double s) const { return a * s; }
  __device__ virtual double edge(double s) const { return a + s; }
  __device__ virtual double operator()(double s) const { return a - s; }
};
struct Circle : Shape {
  using Shape::Shape;
  __device__ double area(double s) const override { return 3.14 * a * a * s; }
  __device__ double scaled(double s) const { return Shape::area(s) * s; }
};
struct Disc final : Circle {
  double b = 0.5;
  __device__ Disc(double a) : Circle(a) {}
  __device__ double area(double s) const override { return Circle::area(s) - b * s; }
  __device__ double twice(double s) const { return area(s) + this->area(s) * s; }
  __device__ double operator()(double s) const final { return a * b * s; }
};
struct Pair {
  Circle first;
  Shape second[2];
};
__device__ Circle made(double a) { return Circle(a * a); }
__device__ double through(const Disc &disc, double s) { return disc.area(s) * disc(s); }

__global__ void overriding(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Circle circle(x[i]);
  Disc disc(2.0 * x[i]);
  disc.b *= x[i];
  Pair pair{Circle(x[i] + 1.0), {Shape(x[i]), Shape(0.5)}};
  y[i] = circle.area(2.0) + circle.Shape::area(x[i]) + (disc).area(x[i]) + circle.edge(x[i]) * circle(0.3);
  y[i] += pair.first.area(x[i]) * pair.second[1].area(x[i]) + made(x[i]).area(x[i]) + Circle(x[i]).area(0.7);
  y[i] += circle.scaled(x[i]) + disc.twice(x[i]) + through(disc, x[i]) + disc.edge(x[i]);
}
