// f(x)
// CP0120
#include <stack>
struct Buffer {
  double *data;
  Buffer(int n) : data(new double[n]()) {}
};
static Buffer *get(int n) {
  static std::stack<Buffer *> spare;
  Buffer *b;
  if (spare.empty())
    b = new Buffer(n);
  else
    b = spare.top();
  return b;
}
double f(const double *x, int n) {
  Buffer *b = get(n);
  b->data[0] += x[0] * x[0];
  return b->data[0];
}
