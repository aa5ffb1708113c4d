// Elements that get one contribution each, and some that get more: in another iteration, in the other branch, in the
// other thread.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void squared(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) y[i] = x[i] * x[i];
}

__global__ void summed_over_loop(const double *x, const double *w, double *y, int n, int length) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k < length; ++k) s += x[i] * w[k] * sin(x[i] + k);
  y[i] = s;
}

// Where the inner loop is not run, or never comes to the branch, x[i] may not be there.
__global__ void summed_where_reached(const double *x, const int *count, double *y, int n, int size) {
  int i = GX;
  if (i >= n) return;
  double s = 1;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < count[i]; ++k)
      if (i + k < size) s += x[i] * x[i] * (k + j);
  y[i] = s;
}

__global__ void each_iteration(const double *x, double *y, int n, int length) {
  int i = GX;
  if (i >= n) return;
  for (int k = 0; k < length; ++k) y[i * length + k] = x[i * length + k] * x[i * length + k];
}

__global__ void two_sides(const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  if (i % 3) y[i] = x[i] * x[i];
  else y[i] = sin(x[i]);
}

// One after the other: both contributions count.
__global__ void one_after_the_other(const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  if (i % 3) s += x[i] * x[i];
  if (i % 2) s += sin(x[i]);
  y[i] = s;
}

// The sides change from one iteration to the next: an element gets something from both.
__global__ void sides_in_turn(const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k < 4; ++k) {
    if (k % 2) s += x[i] * k;
    else s += x[i] * x[i];
  }
  y[i] = s;
}

__global__ void neighbours(const double *x, double *y, int n) {
  int i = GX;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] * x[i] + x[i + 1];
}

// Each thread has pairs of elements, and gives one of them twice.
__global__ void again(const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k < 4; ++k) s += x[2 * i + k % 2] * (k + 1);
  y[i] = s;
}

// What one thread wrote is read by another behind the barrier: an element belongs to two threads, one after the other.
__global__ void behind_a_barrier(const double *x, double *y, int n) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = GX;
  tile[t] = i < n ? x[i] * x[i] : 0;
  __syncthreads();
  int j = blockIdx.x * blockDim.x + blockDim.x - 1 - t;
  if (j < n) y[j] = tile[blockDim.x - 1 - t] * x[j];
}

__global__ void stored_twice(const double *x, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  y[i] = x[i];
  y[i] = x[i] * x[i];
}

__global__ void in_place(const double *x, double *y, double a, int n) {
  int i = GX;
  if (i < n) y[i] = a * x[i] + y[i] * y[i];
}

__global__ void passed_through(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) y[i] += x[i] * x[i];
}

// Steps in place: what is taken from an element in one step is given back in it.
__global__ void steps(double *u, int n, int count) {
  int i = GX;
  if (i >= n) return;
  for (int k = 0; k < count; ++k) u[i] = u[i] - 0.1 * u[i] * u[i];
}

__device__ double weight(const double *w, int i) { return w[i] * w[i + 1]; }

__global__ void by_calls(const double *w, double *y, int n) {
  int i = GX;
  if (i < n) y[i] = weight(w, 2 * i) + w[2 * i];
}

struct Cell {
  double a, b;
};

__global__ void members(const Cell *cells, double *y, int n) {
  int i = GX;
  if (i < n) y[i] = cells[i].a * cells[i].b + cells[i].a;
}

__device__ __host__ double polynomial(const double *c, double x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s = s * x + c[i];
  return s;
}

// Each thread has an element of its own, and all read one of these.
__global__ void read_by_all(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[0] * x[i];
}

// Loops that run equally often add to the adjoint of one row: the last of them does.
__global__ void rows(const double *x, const double *w, double *y, int n, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0, squares = 0.0;
  for (int c = 0; c < columns; ++c) sum += x[i * columns + c];
  const double mean = sum / columns;
  for (int c = 0; c < columns; ++c) squares += (x[i * columns + c] - mean) * (x[i * columns + c] - mean);
  for (int c = 0; c < columns; ++c) y[i * columns + c] = exp(x[i * columns + c] - mean) * squares * w[c];
}

// The third loop runs less often, and the second adds to other elements.
__global__ void other_rows(const double *x, double *y, int n, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0, products = 0.0;
  for (int c = 0; c < columns; ++c) sum += x[i * columns + c] * x[i * columns + c];
  for (int c = 0; c < columns; ++c) products += x[i * columns + columns - 1 - c] * sum;
  for (int c = 0; c < columns - 1; ++c) y[i * columns + c] = x[i * columns + c] * products;
}

// A loop that is left early comes to an element in each iteration all the same.
__global__ void until_enough(const double *x, double *y, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0, left = 1.0;
  for (int k = 0; k < most; ++k) {
    sum += left * x[k * n + i];
    left *= 1.0 - 0.5 * x[k * n + i];
    if (left < 0.3) break;
  }
  y[i] = sum;
}

// One that comes to an element twice, since it stays where it is once.
__global__ void twice_there(const double *x, double *y, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  bool stayed = false;
  for (int k = 0; k < most;) {
    sum += x[k * n + i] * (1.0 + sum);
    if (sum > 0.8 && !stayed) {
      stayed = true;
    } else {
      ++k;
    }
  }
  y[i] = sum;
}

// And one after which the element is read once more at which it was left.
__global__ void where_it_was_left(const double *x, double *y, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  int k = 0;
  for (; k < most - 1; ++k) {
    sum += x[k * n + i] * x[k * n + i];
    if (sum > 1.0) break;
  }
  y[i] = sum * x[k * n + i];
}

// With an adjoint for what all threads read alone, nothing is left to do for each of them.
__global__ void shared_by_all(const double *x, double *y, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  for (int k = 0; k < most; ++k) sum += (1.0 + i) * x[k];
  y[i] = sum;
}

// What is added to atomically has a cotangent that nobody takes; one thread adds to x once.
__device__ void added_to(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) atomicAdd(&y[i % 7], x[i] * x[i]);
}

// What is told is asked for behind two barriers.
__global__ void told_in_between(const double *x, double *y, double *z, int n) {
  __shared__ double s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = 0;
  if (i < n) v = x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  const double u = s[blockDim.x - 1 - threadIdx.x] * v;
  y[i] = u;
  __syncthreads();
  s[threadIdx.x] = u;
  __syncthreads();
  z[i] = s[blockDim.x - 1 - threadIdx.x];
}

// A weight of all threads beside what is gathered.
__global__ void weighted_sides(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = w[0] * (x[i - 1] + x[i + 1]);
}

// Each cell gives what it holds to those around it; which thread stores to an element is known by its store alone.
constexpr int PITCH = 40, PLANE = 6 * PITCH;
__global__ void streamed(const double *f, double *g, const int *wall) {
  const int at = threadIdx.x + 1 + (blockIdx.x + 1) * PITCH;
  double c = f[at], e = f[PLANE + at], w = f[2 * PLANE + at], n = f[3 * PLANE + at], s = f[4 * PLANE + at];
  if (wall[at]) {
    const double before = e;
    e = w;
    w = before;
  } else {
    const double rho = c + e + w + n + s, u = (e - w) / rho, v = (n - s) / rho;
    c += 0.4 * (rho * (1.0 - u * u - v * v) - c);
    e += 0.1 * (rho * (1.0 + u + u * u) - e);
    w += 0.1 * (rho * (1.0 - u + u * u) - w);
    n += 0.1 * (rho * (1.0 + v + v * v) - n);
    s += 0.1 * (rho * (1.0 - v + v * v) - s);
  }
  g[at] = c;
  g[PLANE + at + 1] = e;
  g[2 * PLANE + at - 1] = w;
  g[3 * PLANE + at + PITCH] = n;
  g[4 * PLANE + at - PITCH] = s;
}

// The same in a loop, whose iterations the indices do not tell apart.
__global__ void streamed_in_turn(const double *f, double *g, const int *order, int most) {
  const int t = threadIdx.x + blockIdx.x * PITCH;
  for (int k = 0; k < most; ++k) {
    const int at = t + order[k] * 2 * PITCH;
    g[at] = f[at] * f[at];
    g[at + 8 * PITCH] = 0.5 * f[at];
  }
}

// Elements behind two pointers, which are told apart by no number.
__global__ void both_rows(double **rows, const double *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  rows[0][i] = x[i] * x[i];
  rows[1][i + 1] = 0.5 * x[i];
}

// A part of the elements for each block, as memory says which, in turns of all threads; and a step that may be zero.
__global__ void in_parts(const double *x, double *y, const int *begin) {
  for (int i = begin[blockIdx.x] + threadIdx.x; i < begin[blockIdx.x + 1]; i += blockDim.x) y[i] = x[i] * x[i];
}
__global__ void by_steps(const double *x, double *y, int n, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0, at = i; k < 2; ++k, at += step) y[at] = (k + 1) * x[at] * x[at];
}

// Counters that come again: elements are stored to twice.
void narrow(const double *x, double *y, int n) {
  unsigned char at = 250;
  for (int k = 0; k < n; ++k, ++at) y[at] = (k + 1) * x[at] * x[at];
}
__global__ void narrow_rows(const double *x, double *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char at = 250;
  for (int k = 0; k < n; ++k, ++at) y[row * 256 + at] = (k + 1) * x[at] * x[at];
}

// What is read last gets its contribution first. What was read before adds to it: by this thread, in a loop of its own
// or as the largest of a row; or by another one, which may come at any time, and in the same loop, which comes again.
__global__ void before_the_loop(const double *x, double *y, int n, int turns) {
  const int i = GX;
  if (i >= n) return;
  double sum = x[i];
  for (int k = 0; k < turns; ++k) sum += sin(sum * k) * x[i];
  y[i] = sum;
}
__global__ void largest_first(const double *x, double *y, int n, int columns) {
  const int i = GX;
  if (i >= n) return;
  double largest = -1e30, sum = 0.0;
  for (int c = 0; c < columns; ++c) largest = fmax(largest, x[i * columns + c]);
  for (int c = 0; c < columns; ++c) sum += exp(x[i * columns + c] - 0.5 * largest);
  for (int c = 0; c < columns; ++c) y[i * columns + c] = exp(x[i * columns + c] - largest) / sum;
}
__global__ void after_a_neighbour(const double *x, double *y, int n) {
  const int i = GX;
  if (i >= n) return;
  const double other = x[(i + 1) % n];
  y[i] = other * other * x[i];
}
__global__ void in_one_loop(const double *x, double *y, int n) {
  const int i = GX;
  if (i >= n) return;
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    sum += x[3 * i + k] * (k + 1);
    sum *= x[3 * i + 2 - k];
  }
  y[i] = sum;
}
