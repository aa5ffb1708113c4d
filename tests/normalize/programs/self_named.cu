// What refers to an object where that is made leads to the object itself.
struct Node {
  double a;
  Node *next;
  Node(double v, Node *p) : a(v), next(p) {}
};
double k(double x) {
  Node n = Node(x * x, &n);
  n.next->a *= x;
  return n.a;
}
