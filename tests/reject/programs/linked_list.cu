// k(list, y)
// CP0234
struct Node {
  double value;
  Node *next;
};
__global__ void k(const Node *list, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += list->value * list->value;
    list = list->next;
  }
  y[0] = s;
}
