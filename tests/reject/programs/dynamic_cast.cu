// f(x)
// What an object is by its own class is not known before the program runs.
struct Shape {
  double size;
  virtual ~Shape() = default;
};
struct Scaled : Shape {
  double factor;
};
double f(double x) {
  Scaled scaled;
  scaled.factor = x;
  Shape *shape = &scaled;
  return x * dynamic_cast<Scaled *>(shape)->factor;
}
