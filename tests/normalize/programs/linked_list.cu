// Pointers in allocated memory are numbers beside it: which target one leads to, and the index there.
#include <cstdlib>
struct Node {
  double value;
  Node *next;
};
double k(const double *x, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; i++) {
    Node *made = (Node *)malloc(sizeof(Node));
    made->value = x[i];
    made->next = head;
    head = made;
  }
  double sum = 0;
  for (Node *here = head; here; here = here->next) sum += here->value;
  return sum;
}
