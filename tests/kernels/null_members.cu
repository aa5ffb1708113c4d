// Pointers in objects and in memory that may be null, and variables that are pointers.
struct Node { double value; const Node *next; double *data; };
struct Options { double *weights; const double **rows; const Node *nodes; double scale; int count; };

__global__ void optional(const double *x, double *y, Options o, double **table, double *maybe, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  if (o.weights) s *= o.weights[i];
  if (o.rows && o.rows[i % 2] != nullptr) s += o.rows[i % 2][i] * x[i];
  if (table != nullptr && table[1]) s += table[1][i] * s;
  double *p = maybe ? maybe + i : nullptr;
  if (p) s += *p * *p;
  double *q = i % 2 ? o.weights : maybe;
  if (q) s += q[i] * x[i];
  const float4 *quads = (const float4 *)maybe;
  if (!quads) s *= o.scale;
  y[i] = s;
}

// A list: its end is the pointer that is null.
__global__ void listed(const double *x, double *y, Options o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  const Node *node = &o.nodes[i % 2];
  if (node->data != nullptr) s *= node->data[i];
  if (node->next) {
    s += node->next->value * s;
    if (node->next->data) s += node->next->data[i];
    if (node->next->next != nullptr) s = 0;
  }
  y[i] = s;
}

__device__ double *buffer;
__device__ Options options;

__global__ void variables(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  if (buffer) s *= buffer[i];
  if (options.weights == nullptr) s = s * s + options.scale * options.count;
  if (options.nodes && options.nodes->data) s *= options.nodes->data[i];
  y[i] = s;
}
