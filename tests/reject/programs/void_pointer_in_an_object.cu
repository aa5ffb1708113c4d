// k(x, y)
// CP0232
struct Task {
  void *memory;
  const double *factor;
};

__global__ void k(Task task, double *x, double *y) {
  y[0] = x[0] * task.factor[0] * ((double *)task.memory)[1];
}
