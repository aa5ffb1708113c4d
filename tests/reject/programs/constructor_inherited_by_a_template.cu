// f(x)
// CP0136
#include <memory>
struct Shape {
  double side;
};
struct Square : Shape {
  explicit Square(double x) { side = x; }
};
double f(double x) {
  std::unique_ptr<Shape> shape = std::make_unique<Square>(x);
  return shape->side * shape->side;
}
